// A calendar is uploaded, seen as changes event by event, and applied.
import { useState } from 'preact/hooks'
import type { EventData, ScheduleChangesData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { dayOf } from '../events/query.ts'
import { FormError } from '../kit/field.tsx'
import { Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { wordsChanged } from '../mod/diff.ts'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage, FileField } from './parts.tsx'
import { c } from './texts.ts'

type Change = ScheduleChangesData['changes'][number]
type Kind = Change['kinds'][number]
const kinds: readonly Kind[] = ['new', 'gone', 'time', 'place', 'text']

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
    attempt(async () => {
      await client.admin.scheduleReload()
      toast(c('fetchOrdered'))
      setTimeout(() => refresh('console schedule log'), 3000)
    })
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

function Changes({ all: { changes, unchanged }, done }: { all: ScheduleChangesData; done: () => void }) {
  const [kind, setKind] = useState<Kind | ''>('')
  const count = (each: Kind) => changes.filter((change) => change.kinds.includes(each)).length
  const shown = changes.filter((change) => kind === '' || change.kinds.includes(kind))
  const days = new Map<string, Change[]>()
  for (const change of shown) {
    const day = dayOf(eventOf(change).startTime)
    days.set(day, [...(days.get(day) ?? []), change])
  }
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
          </p>
          <Apply deletes={count('gone') > 0} done={done} />
          {[...days].map(([day, list]) => (
            <section key={day}>
              <h3>{fullDay(eventOf(list[0] as Change).startTime)}</h3>
              <DayGrid changes={list} />
              <ul class="card">
                {list.map((change) => (
                  <ChangeLine key={change.uid} change={change} />
                ))}
              </ul>
            </section>
          ))}
        </>
      )}
    </Section>
  )
}

interface Block {
  /** Minutes since the day began. */
  from: number
  to: number
  kind: Kind | 'was'
  title: string
}

const minutesOfDay = 24 * 60
/** A day aboard ends at three in the morning. */
const dayBegins = 3 * 60
const laneHeight = 12

function block(event: EventData, kind: Block['kind']): Block {
  const [hours = 0, minutes = 0] = clock(event.startTime).split(':').map(Number)
  const from = (hours * 60 + minutes - dayBegins + minutesOfDay) % minutesOfDay
  const length = Math.max(20, (Date.parse(event.endTime) - Date.parse(event.startTime)) / 60_000)
  return { from, to: Math.min(minutesOfDay, from + length), kind, title: `${event.title}, ${span(event)}` }
}

/** Where it was is shown beside where it will be. */
function blocksOf({ kinds: own, before, after }: Change): Block[] {
  if (!after) return before ? [block(before, 'gone')] : []
  if (!before) return [block(after, 'new')]
  if (!own.includes('time')) return [block(after, own[0] ?? 'text')]
  const isSameDay = dayOf(before.startTime) === dayOf(after.startTime)
  return [...(isSameDay ? [block(before, 'was')] : []), block(after, 'time')]
}

/** A day at a glance: each change in its colour at its hours. The list under it says the same in words. */
function DayGrid({ changes }: { changes: readonly Change[] }) {
  const ends: number[] = []
  const placed = changes
    .flatMap(blocksOf)
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .map((each) => {
      const free = ends.findIndex((end) => end <= each.from)
      const lane = free < 0 ? ends.length : free
      ends[lane] = each.to
      return { ...each, lane }
    })
  return (
    <div class="day-grid" aria-hidden="true">
      <svg viewBox={`0 0 ${minutesOfDay} ${ends.length * laneHeight}`} height={ends.length * laneHeight} preserveAspectRatio="none">
        {[3, 6, 9, 12, 15, 18, 21].map((hour) => (
          <path key={hour} d={`M${hour * 60} 0V${ends.length * laneHeight}`} />
        ))}
        {placed.map(({ from, to, kind, title, lane }, index) => (
          <rect key={index} class={kind} x={from + 2} width={to - from - 4} y={lane * laneHeight + 2} height={laneHeight - 4}>
            <title>{title}</title>
          </rect>
        ))}
      </svg>
      <div class="hours-below">
        {[3, 6, 9, 12, 15, 18, 21, 24].map((hour) => (
          <span key={hour}>{String(hour % 24).padStart(2, '0')}</span>
        ))}
      </div>
    </div>
  )
}

/** As it will be, or as it was when it goes. */
const eventOf = ({ before, after }: Change): EventData => after ?? (before as EventData)

const span = ({ startTime, endTime }: EventData) => `${clock(startTime)}–${clock(endTime)}`
const spanWithDay = (event: EventData) => `${fullDay(event.startTime)}, ${span(event)}`

/** Two texts as one: the old words struck out, the new ones marked. */
function Words({ before, after }: { before: string; after: string }) {
  return (
    <>
      {wordsChanged(before, after).map(({ kind, text }, index) =>
        kind === 'same' ? text : kind === 'new' ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>,
      )}
    </>
  )
}

function ChangeLine({ change: { kinds: own, before, after, followers } }: { change: Change }) {
  const event = after ?? (before as EventData)
  const both = before && after
  const textOf = ({ description, eventType }: EventData) => `${description} ${eventType}`.trim()
  // A label in the one, the name of the type in the other: only words that people wrote are compared.
  const changedText = both && (before.description !== after.description ? [before.description, after.description] : undefined)
  return (
    <li class={`change ${own[0] ?? ''}`}>
      <div class="when">
        <time dateTime={event.startTime}>{clock(event.startTime)}</time>
      </div>
      <div class="grow">
        <p>
          <b>{both && before.title !== after.title ? <Words before={before.title} after={after.title} /> : event.title}</b>{' '}
          {own.map((kind) => (
            <span key={kind} class={`tag ${kind}`}>
              {c(`change.${kind}`)}
            </span>
          ))}
        </p>
        {both && own.includes('time') ? (
          <p>
            <del>{dayOf(before.startTime) === dayOf(after.startTime) ? span(before) : spanWithDay(before)}</del>{' '}
            <ins>{dayOf(before.startTime) === dayOf(after.startTime) ? span(after) : spanWithDay(after)}</ins>
          </p>
        ) : (
          <small>{span(event)}</small>
        )}{' '}
        {both && own.includes('place') ? (
          <p>
            <del>{before.location}</del> <ins>{after.location}</ins>
          </p>
        ) : (
          <small>{event.location}</small>
        )}
        {changedText && (
          <p class="words small">
            <Words before={changedText[0] ?? ''} after={changedText[1] ?? ''} />
          </p>
        )}
        {!both && <p class="small quiet">{textOf(event).slice(0, 200)}</p>}
        {followers > 0 && <p class="warn">{c('followers', { n: followers })}</p>}
      </div>
    </li>
  )
}

function Apply({ deletes, done }: { deletes: boolean; done: () => void }) {
  const [processDeletes, setDeletes] = useState(deletes)
  const [forumPosts, setPosts] = useState(true)
  const apply = () =>
    attempt(async () => {
      const { created, changed, deleted } = await client.admin.scheduleUpdateApply({
        processDeletes: String(processDeletes),
        forumPosts: String(forumPosts),
      })
      toast(c('applied', { created, changed, deleted }))
      refresh('events', 'console schedule log', 'console checks')
      done()
    })
  return (
    <div class="card pad">
      {deletes && (
        <label class="tick">
          <input type="checkbox" checked={processDeletes} onChange={({ currentTarget }) => setDeletes(currentTarget.checked)} />
          {c('withDeletes')}
        </label>
      )}
      <label class="tick">
        <input type="checkbox" checked={forumPosts} onChange={({ currentTarget }) => setPosts(currentTarget.checked)} />
        {c('withPosts')}
      </label>
      <div class="buttons">
        <button type="button" class="btn quiet" onClick={done}>
          {c('cancel')}
        </button>
        <button type="button" class="btn" onClick={() => void apply()}>
          {c('applyCalendar')}
        </button>
      </div>
    </div>
  )
}

function Log() {
  const log = useQuery({ queryKey: ['console schedule log'], queryFn: () => client.admin.scheduleViewlog() })
  return (
    <Section title={c('scheduleLog')}>
      <Answer of={log} rows={1}>
        {(entries) =>
          entries.length === 0 ? (
            <p class="card pad quiet">{c('noUpdates')}</p>
          ) : (
            <ul class="card">
              {entries.slice(0, 20).map(({ entryID, automaticUpdate, changeCount, timestamp, error }) => (
                <li key={entryID} class="group">
                  <span class={`dot ${error ? 'bad' : 'good'}`} aria-hidden="true" />
                  <span class="grow">
                    <b>{c('logEntry', { n: changeCount })}</b>
                    <small>
                      {when(timestamp)} · {automaticUpdate ? c('automatic') : c('byHand')}
                    </small>
                    {error && <small class="wrong">{error}</small>}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </Section>
  )
}
