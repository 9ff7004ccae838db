// A calendar is uploaded, seen as changes event by event, and applied.
import { useState } from 'preact/hooks'
import type { EventUpdateLogData, ScheduleChangesData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { offerUndo } from '../kit/sure.tsx'
import { Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage, Decide, FileField } from '../team/parts.tsx'
import { Everybody } from '../team/reach.tsx'
import { DayGrid, kinds, type Kind } from './schedule-grid.tsx'
import { c } from '../team/texts.ts'

export function Schedule() {
  const [changes, setChanges] = useState<ScheduleChangesData>()
  const [error, setError] = useState<unknown>()
  const upload = async (text: string) => {
    setError(undefined)
    try {
      await client.admin.scheduleUpdate({ schedule: text })
      setChanges(await client.admin.scheduleChanges())
    } catch (refused) {
      setChanges(undefined)
      setError(refused)
    }
  }
  const fetchNow = () =>
    attempt(() =>
      forAll({
        title: c('fetchCalendar'),
        Whom: Everybody,
        text: <p>{c('fetchText')}</p>,
        label: c('fetchCalendar'),
        run: async () => {
          await client.admin.scheduleReload()
          setTimeout(() => refresh('console schedule log'), 3000)
        },
        said: c('fetchOrdered'),
      }),
    )
  return (
    <ConsolePage title={c('schedule')}>
      <div class="card pad after-tabs">
        <FileField label={c('uploadCalendar')} hint={c('dropCalendar')} accept=".ics,text/calendar" choose={upload} />
        <FormError error={error} fields={[]} />
        <button type="button" class="btn quiet" onClick={() => void fetchNow()}>
          {c('fetchCalendar')}
        </button>
      </div>
      {changes && <Changes all={changes} done={() => setChanges(undefined)} />}
      <Log />
    </ConsolePage>
  )
}

function Changes({ all, done }: { all: ScheduleChangesData; done: () => void }) {
  const { changes, unchanged } = all
  const [kind, setKind] = useState<Kind | ''>('')
  const count = (each: Kind) => changes.filter((change) => change.kinds.includes(each)).length
  const shown = changes.filter((change) => kind === '' || change.kinds.includes(kind))
  const followers = changes.reduce((sum, change) => sum + (change.kinds.includes('new') ? 0 : change.followers), 0)
  return (
    <Section title={c('changesTitle')}>
      {changes.length === 0 ? (
        <Empty title={c('noChanges')}>{c('unchanged', { n: unchanged })}</Empty>
      ) : (
        <>
          <Tabs
            label={c('changesTitle')}
            value={kind}
            options={[
              ['', `${c('all')} ${changes.length}`],
              ...kinds.map((each) => [each, `${c(`change.${each}`)} ${count(each)}`] as const),
            ]}
            change={setKind}
          />
          <p class="quiet" role="status">
            {c('unchanged', { n: unchanged })}
            {followers > 0 && ` · ${c('followersOfAll', { n: followers })}`}
          </p>
          <Apply all={all} gone={count('gone')} done={done} />
          <DayGrid changes={shown} />
        </>
      )}
    </Section>
  )
}

const scheduleChanged = () => refresh('events', 'console schedule log', 'console checks')

/** Of the schedule. Whoever takes off more has a part of a calendar, or another one, more often than they mean it. */
const fewDeletes = 0.1

function Apply({
  all: { changes, version, scheduled, events, elsewhere, ofAnotherTrip },
  gone,
  done,
}: {
  all: ScheduleChangesData
  gone: number
  done: () => void
}) {
  const many = gone > fewDeletes * scheduled
  const [processDeletes, setDeletes] = useState(gone > 0 && !many)
  const [forumPosts, setPosts] = useState(true)
  const [otherDays, setOtherDays] = useState(false)
  const apply = () =>
    attempt(async () => {
      const touched = changes.filter(({ kinds: each }) => processDeletes || !each.includes('gone'))
      const count = (fits: (change: (typeof touched)[number]) => boolean) => touched.filter(fits).length
      const created = count(({ kinds: each }) => each.includes('new'))
      const deleted = count(({ kinds: each }) => each.includes('gone'))
      const followers = touched.reduce((sum, change) => sum + (change.kinds.includes('new') ? 0 : change.followers), 0)
      const isDone = await forAll({
        title: c('askApply'),
        Whom: Everybody,
        text: (
          <>
            <p>{c('askApplyText', { created, changed: touched.length - created - deleted, deleted })}</p>
            <p>{c('followersOfAll', { n: followers })}</p>
            {forumPosts && <p class="quiet">{c('askApplyPosts')}</p>}
          </>
        ),
        label: c('applyCalendar'),
        grave: deleted > 0,
        run: () =>
          client.admin
            .scheduleUpdateApply({ processDeletes: String(processDeletes), forumPosts: String(forumPosts), otherDays, basedOn: version })
            .finally(scheduleChanged),
        said: (result) => c('applied', { created: result.created, changed: result.changed, deleted: result.deleted }),
        undo: ({ entryID }) => client.admin.scheduleViewlogUndo({ schedule_log_id: entryID, forumPosts: false }).finally(scheduleChanged),
      })
      if (isDone) done()
    })
  return (
    <div class="card pad">
      {ofAnotherTrip && (
        <>
          <p class="warn" role="alert">
            {c('calendarElsewhere', { n: elsewhere, all: events })}
          </p>
          <label class="tick">
            <input type="checkbox" checked={otherDays} onChange={({ currentTarget }) => setOtherDays(currentTarget.checked)} />
            {c('daysAreMeant')}
          </label>
        </>
      )}
      {many && <p class="warn">{c('manyDeletes', { n: gone, all: scheduled })}</p>}
      {gone > 0 && (
        <label class="tick">
          <input type="checkbox" checked={processDeletes} onChange={({ currentTarget }) => setDeletes(currentTarget.checked)} />
          {c('withDeletes')}
        </label>
      )}
      <label class="tick">
        <input type="checkbox" checked={forumPosts} onChange={({ currentTarget }) => setPosts(currentTarget.checked)} />
        {c('withPosts')}
      </label>
      <Decide label={c('applyCalendar')} act={() => void apply()} disabled={ofAnotherTrip && !otherDays} cancel={done} />
    </div>
  )
}

type LogEntry = EventUpdateLogData

function Log() {
  const log = useQuery({ queryKey: ['console schedule log'], queryFn: () => client.admin.scheduleViewlog() })
  return (
    <Section title={c('scheduleLog')}>
      <Answer of={log} rows={1}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="card pad quiet">{c('noUpdates')}</p>
          ) : (
            <>
              {entries.some(({ undoable }) => undoable) && <p class="quiet">{c('undoneInOrder')}</p>}
              <ul class="card">
                {entries.slice(0, 20).map((entry) => (
                  <LogLine key={entry.entryID} entry={entry} />
                ))}
              </ul>
            </>
          )
        }
      </Answer>
    </Section>
  )
}

function LogLine({ entry }: { entry: LogEntry }) {
  const { entryID, automaticUpdate, changeCount, timestamp, error, counts, undoable, undoes, isUndo, by } = entry
  const [open, setOpen] = useState(false)
  const [asking, setAsking] = useState(false)
  const label = c(undoes === undefined ? 'logEntry' : isUndo ? 'undidUpdate' : 'redidUpdate', { n: changeCount })
  return (
    <li class="group">
      <span class={`dot ${error ? 'bad' : 'good'}`} aria-hidden="true" />
      <span class="grow">
        <b>{label}</b>
        <small>
          {when(timestamp)} · {by ? nameOf(by) : automaticUpdate ? c('automatic') : c('byHand')}
        </small>
        {changeCount > 0 && (
          <span class="tags">
            {kinds.map(
              (kind) =>
                counts[kind] > 0 && (
                  <span key={kind} class={`tag kind-${kind}`}>
                    {c(`change.${kind}`)} {counts[kind]}
                  </span>
                ),
            )}
          </span>
        )}
        {error && <small class="wrong">{error}</small>}
      </span>
      {changeCount > 0 && (
        <span class="deeds tight">
          <button
            type="button"
            class="btn quiet"
            aria-label={`${c('lookAtUpdate')}: ${label}`}
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            {c('lookAtUpdate')}
          </button>
          {undoable && (
            <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setAsking(true)}>
              {c(isUndo ? 'redoUpdate' : 'undoUpdate')} …
            </button>
          )}
        </span>
      )}
      {open && <LoggedChanges id={entryID} title={label} close={() => setOpen(false)} />}
      {asking && <Undo id={entryID} again={isUndo} close={() => setAsking(false)} />}
    </li>
  )
}

/** What an update did. How the events were before is not kept with it. */
function LoggedChanges({ id, title, close }: { id: number; title: string; close: () => void }) {
  const difference = useQuery({
    queryKey: ['console schedule difference', id],
    queryFn: () => client.admin.scheduleViewlogOf({ schedule_log_id: id }),
  })
  return (
    <Dialog title={title} close={close}>
      <Answer of={difference}>
        {({ createdEvents, deletedEvents, timeChangeEvents, locationChangeEvents, minorChangeEvents }) => {
          const lists = {
            new: createdEvents,
            gone: deletedEvents,
            time: timeChangeEvents,
            place: locationChangeEvents,
            text: minorChangeEvents,
          }
          return kinds.map(
            (kind) =>
              lists[kind].length > 0 && (
                <section key={kind}>
                  <h3>
                    <span class={`tag kind-${kind}`}>{c(`change.${kind}`)}</span>
                  </h3>
                  <ul class="plain-list">
                    {lists[kind].map((event) => (
                      <li key={event.uid}>
                        <b>{event.title}</b>
                        <small>
                          {fullDay(event.startTime)}, {clock(event.startTime)} · {event.location}
                        </small>
                      </li>
                    ))}
                  </ul>
                </section>
              ),
          )
        }}
      </Answer>
    </Dialog>
  )
}

/** Undoes an update; or an undo, so that its update is applied `again`. */
function Undo({ id, again, close }: { id: number; again: boolean; close: () => void }) {
  const [forumPosts, setPosts] = useState(true)
  const settings = useQuery({ queryKey: ['console setting states'], queryFn: () => client.admin.settings() })
  const isFetched = settings.data?.some(({ name, value }) => name === 'scheduleUpdateURL' && value !== '""') ?? false
  const undo = async () => {
    const done = await attempt(async () => {
      const { created, changed, deleted, entryID } = await client.admin.scheduleViewlogUndo({ schedule_log_id: id, forumPosts })
      offerUndo(c(again ? 'applied' : 'undone', { created, changed, deleted }), () =>
        client.admin.scheduleViewlogUndo({ schedule_log_id: entryID, forumPosts }).finally(scheduleChanged),
      )
    })
    scheduleChanged()
    if (done) close()
  }
  return (
    <Dialog title={c(again ? 'redoUpdate' : 'undoUpdate')} close={close}>
      <p>{c(again ? 'redoText' : 'undoText')}</p>
      <Everybody />
      {!again && <p class="quiet">{c('undoLimits')}</p>}
      {isFetched && <p class="warn">{c('undoFetched')}</p>}
      <label class="tick">
        <input type="checkbox" checked={forumPosts} onChange={({ currentTarget }) => setPosts(currentTarget.checked)} />
        {c('withPosts')}
      </label>
      <Decide label={c(again ? 'redoUpdate' : 'undoUpdate')} grave={!again} act={() => void undo()} cancel={close} />
    </Dialog>
  )
}
