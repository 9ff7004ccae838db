// An event from its preparation to its end: what has to be ready, what each day wants, what is left when it is over.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { EventLifeData } from '../../sdk/client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { useForm } from '../kit/form.ts'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { locale } from '../texts.ts'
import { Download } from './download.tsx'
import * as icons from './icon.tsx'
import { AnnouncementForm } from './announcement-form.tsx'
import { noteOf } from './notes.ts'
import { ConsolePage, Decide, Others } from '../team/parts.tsx'
import { Everybody } from '../team/reach.tsx'
import { mayDo, type Level } from '../team/rights.ts'
import { client } from '../client.ts'
import { c } from '../team/texts.ts'

type Phase = EventLifeData['phase']
type Step = EventLifeData['steps'][number]

const dayMs = 24 * 60 * 60_000
const mebibyte = 1024 * 1024
const watchEveryMs = 1000
const restEveryMs = 15_000

export const useEventLife = (everyMs = restEveryMs) =>
  useQuery({ queryKey: ['console event'], queryFn: () => client.admin.event(), refetchInterval: everyMs })

export function EventLife() {
  const [busy, setBusy] = useState(false)
  const [chosen, setChosen] = useState<Phase>()
  const life = useEventLife(busy ? watchEveryMs : restEveryMs)
  const state = life.data?.end.everybody?.state
  const isBusy = state === 'waiting' || state === 'running'
  if (busy !== isBusy) setBusy(isBusy)
  return (
    <ConsolePage title={c('eventLife')}>
      <Answer of={life}>
        {(known) => {
          const shown = chosen ?? known.phase
          return (
            <div class="stack after-tabs">
              <Trip life={known} />
              <Tabs
                label={c('eventLife')}
                value={shown}
                options={[
                  ['before', c('phase.before')],
                  ['during', c('phase.during')],
                  ['after', c('phase.after')],
                ]}
                change={setChosen}
              />
              {shown === 'before' ? <Before life={known} /> : shown === 'during' ? <During life={known} /> : <After life={known} />}
            </div>
          )
        }}
      </Answer>
    </ConsolePage>
  )
}

function whereWeAre({ phase, day = 0, trip, startsAt, endsAt }: EventLifeData): string {
  if (phase === 'before') return c('startsIn', { n: Math.ceil((Date.parse(startsAt) - Date.now()) / dayMs) })
  if (phase === 'after') return c('overSince', { n: Math.floor((Date.now() - Date.parse(endsAt)) / dayMs) })
  return c('dayOf', { day, days: trip.lengthInDays })
}

function Trip({ life }: { life: EventLifeData }) {
  const [open, setOpen] = useState(false)
  const { trip, startsAt, endsAt } = life
  return (
    <div class="card pad trip">
      <div class="grow">
        <h2>{trip.eventName || c('noEventName')}</h2>
        <p>
          {fullDay(startsAt)} – {fullDay(new Date(Date.parse(endsAt) - dayMs / 2))}
        </p>
        <p class="quiet">{whereWeAre(life)}</p>
      </div>
      {mayDo('admin') && (
        <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {c('changeTrip')}
        </button>
      )}
      {open && <TripForm trip={trip} close={() => setOpen(false)} />}
    </div>
  )
}

type Trip = EventLifeData['trip']

const inWords = ({ eventName, startDate, lengthInDays }: Trip) =>
  c('tripInWords', { name: eventName || c('value.empty'), date: startDate, n: lengthInDays })

function TripForm({ trip, close }: { trip: EventLifeData['trip']; close: () => void }) {
  const form = useForm({ eventName: trip.eventName, startDate: trip.startDate, days: String(trip.lengthInDays) }, JSON.stringify(trip))
  const { values, set, error, busy, submit, isLate } = form
  const { eventName, startDate, days } = values
  const write = async (to: Trip, basedOn: Trip) => {
    try {
      return await client.admin.eventTrip({ ...to, basedOn })
    } finally {
      refresh('console event', 'console checks', 'settings', 'events')
    }
  }
  const save = async () => {
    const wanted = { eventName, startDate, lengthInDays: Number(days) }
    const done = await forAll({
      title: c('askTrip'),
      Whom: Everybody,
      text: (
        <>
          <p>{c('askSettingChange', { from: inWords(trip), to: inWords(wanted) })}</p>
          <p>{c('tripText')}</p>
        </>
      ),
      label: c('save'),
      run: () => write(wanted, trip),
      said: c('saved'),
      undo: (now) => write(trip, now),
    })
    if (done) close()
  }
  return (
    <Dialog title={c('changeTrip')} close={close}>
      <form onSubmit={submit(save)}>
        <Others form={form}>
          <p>{inWords(trip)}</p>
        </Others>
        <Field
          label={c('eventName')}
          value={eventName}
          change={set('eventName')}
          error={errorOf(error, 'eventName')}
          hint={c('eventNameHint')}
          input={{ maxLength: 100, required: true }}
        />
        <Field
          label={c('firstDay')}
          value={startDate}
          change={set('startDate')}
          error={errorOf(error, 'startDate')}
          input={{ type: 'date', required: true }}
        />
        <Field
          label={c('tripDays')}
          value={days}
          change={set('days')}
          error={errorOf(error, 'lengthInDays')}
          hint={c('tripDaysHint')}
          input={{ type: 'number', min: 1, max: 366, required: true }}
        />
        <FormError error={isLate ? undefined : error} fields={['eventName', 'startDate', 'lengthInDays']} />
        <Decide label={c('save')} disabled={busy || isLate} cancel={close} />
      </form>
    </Dialog>
  )
}

interface LineProps {
  state: 'done' | 'open' | 'bad'
  title: string
  text: ComponentChildren
  href?: string
  /** The least level that may open the page behind it. */
  from?: Level
  children?: ComponentChildren
}

/** One thing to do, or done, and the way there. */
function Line({ state, title, text, href, from = 'serviceteam', children }: LineProps) {
  const Icon = state === 'done' ? icons.FineIcon : state === 'bad' ? icons.ErrorsIcon : icons.OpenStepIcon
  return (
    <li class={`step ${state}`}>
      <Icon size={24} />
      <div class="grow">
        <h3>
          <span class="unseen">{c(`step.${state}`)}: </span>
          {title}
        </h3>
        <p>{text}</p>
        {children}
      </div>
      {href && mayDo(from) && (
        <Link href={href} class="btn quiet" aria-label={`${c('lookThere')}: ${title}`}>
          {c('lookThere')}
        </Link>
      )}
    </li>
  )
}

/** Where a step is done. That of the dates is on this page. */
const places: Readonly<Record<Exclude<Step['name'], 'trip'>, readonly [href: string, from: Level]>> = {
  schedule: ['/admin/schedule', 'serviceteam'],
  games: ['/admin/games', 'admin'],
  songs: ['/admin/games', 'admin'],
  codes: ['/admin/codes', 'admin'],
  team: ['/admin/users', 'tho'],
  texts: ['/admin/texts', 'serviceteam'],
  passwords: ['/admin/checks', 'serviceteam'],
  backup: ['/admin/backups', 'admin'],
}

function Before({ life: { steps } }: { life: EventLifeData }) {
  const done = steps.filter(({ isDone }) => isDone).length
  return (
    <Section title={c('stepsTitle')}>
      <div class="card pad progress">
        <p role="status">{done === steps.length ? c('allReady') : c('stepsDone', { done, all: steps.length })}</p>
        <progress value={done} max={steps.length} aria-label={c('stepsTitle')} />
      </div>
      <ul class="card">
        {steps.map(({ name, isDone, count }) => {
          const [href, from] = name === 'trip' ? [] : places[name]
          return (
            <Line
              key={name}
              state={isDone ? 'done' : 'open'}
              title={c(`ready.${name}`)}
              text={isDone ? c(`ready.${name}.done`, { n: count }) : c(`ready.${name}.open`, { n: count })}
              {...(href && from && { href, from })}
            />
          )
        })}
      </ul>
    </Section>
  )
}

function During({ life: { today } }: { life: EventLifeData }) {
  const { openReports, failedJobs, lastNight, nightly, eventsToday, nextEvents, announcementsEnding } = today
  const night = lastNight?.state === 'done' ? 'done' : lastNight?.state === 'failed' ? 'bad' : 'open'
  return (
    <Section title={c('everyDay')}>
      <ul class="card">
        <Line
          state={openReports === 0 ? 'done' : 'open'}
          title={c('reports')}
          text={openReports === 0 ? c('noReportsOpen') : c('reportsOpen', { n: openReports })}
          href="/reports"
        />
        <Line
          state={failedJobs === 0 ? 'done' : 'bad'}
          title={c('jobs')}
          text={failedJobs === 0 ? c('noJobsFailed') : c('jobsFailed', { n: failedJobs })}
          href="/admin/jobs"
        />
        <Line
          state={nightly ? night : 'bad'}
          title={c('backupOfNight')}
          text={
            lastNight
              ? c(`lastNight.${lastNight.state}`, { time: when(lastNight.endedAt ?? lastNight.createdAt), note: noteOf(lastNight) })
              : c('noNight')
          }
          href="/admin/backups"
          from="admin"
        />
        <Line
          state={announcementsEnding.length === 0 ? 'done' : 'open'}
          title={c('announcementsEnding')}
          text={announcementsEnding.length === 0 ? c('noneEnds') : c('someEnd', { n: announcementsEnding.length })}
          href="/admin/announcements"
        >
          <Times of={announcementsEnding} />
        </Line>
        <Line
          state="done"
          title={c('startsToday')}
          text={eventsToday === 0 ? c('noneStarts') : c('someStart', { n: eventsToday })}
          href="/events"
        >
          <Times of={nextEvents} />
        </Line>
        <Line state="done" title={c('dayReport')} text={c('dayReportText')} href="/admin/report" />
      </ul>
    </Section>
  )
}

function Times({ of }: { of: EventLifeData['today']['nextEvents'] }) {
  if (of.length === 0) return null
  return (
    <ul class="times">
      {of.map(({ text, location, at }) => (
        <li key={`${at} ${text}`}>
          <time dateTime={at}>{clock(at)}</time>
          <span>
            {text} {location && <small>{location}</small>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** So long people can fetch what is theirs, unless the host says something else. */
const farewellDays = 7

/** Words to begin with, and how long everybody sees them. */
function farewellDraft(eventName: string, endsAt: string): { text: string; until: Date } {
  const until = new Date(Math.max(Date.parse(endsAt), Date.now()) + farewellDays * dayMs)
  return { text: c('farewell.text', { event: eventName || c('farewell.event'), day: fullDay(until) }), until }
}

const size = (bytes: number) => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(bytes / mebibyte)

function After({ life: { end, trip, endsAt } }: { life: EventLifeData }) {
  const [download, setDownload] = useState(false)
  const [farewell, setFarewell] = useState(false)
  const { farewells, everybody, everybodyBytes, finalBackup, finalBackupVerifiedAt } = end
  const under = everybody?.state === 'waiting' || everybody?.state === 'running'
  const make = () =>
    attempt(async () => {
      await client.admin.setEverybody()
      refresh('console event')
    })
  return (
    <Section title={c('endSteps')}>
      <ol class="card">
        <Line
          state={farewells > 0 ? 'done' : 'open'}
          title={c('farewell')}
          text={farewells > 0 ? c('farewell.done') : c('farewell.open')}
          href="/admin/announcements"
        >
          {farewells === 0 && (
            <div class="deeds tight">
              <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setFarewell(true)}>
                {c('writeFarewell')} …
              </button>
            </div>
          )}
        </Line>
        <Line
          state={everybodyBytes !== undefined ? 'done' : everybody?.state === 'failed' ? 'bad' : 'open'}
          title={c('everybody')}
          text={c('everybodyText')}
        >
          {everybody && (
            <p class={everybody.state === 'failed' ? 'wrong' : 'quiet'} role="status">
              {c(`workState.${everybody.state}`)}
              {everybody.note && `: ${noteOf(everybody)}`}
              {everybodyBytes !== undefined && ` · ${c('everybodyFacts', { size: size(everybodyBytes) })}`}
            </p>
          )}
          {mayDo('admin') && (
            <div class="deeds tight">
              <button type="button" class="btn quiet" disabled={under} onClick={() => void make()}>
                {c('makeEverybody')}
              </button>
              {everybodyBytes !== undefined && (
                <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setDownload(true)}>
                  {c('download')} …
                </button>
              )}
            </div>
          )}
        </Line>
        <Line
          state={finalBackupVerifiedAt ? 'done' : 'open'}
          title={c('finalBackup')}
          text={
            finalBackupVerifiedAt
              ? c('finalBackup.done', { name: finalBackup ?? '', time: when(finalBackupVerifiedAt) })
              : finalBackup
                ? c('finalBackup.made', { name: finalBackup })
                : c('finalBackup.open')
          }
          href="/admin/backups"
          from="admin"
        />
        <Line state="open" title={c('wipe')} text={c('wipeStepText')} href="/admin/end" from="admin" />
      </ol>
      {farewell && (
        <AnnouncementForm title={c('farewell')} draft={farewellDraft(trip.eventName, endsAt)} close={() => setFarewell(false)} />
      )}
      {download && (
        <Download
          name="quarterdeck-everybody.zip"
          text={c('everybodyDownload')}
          ask={async (currentPassword) => {
            const { ticket } = await client.admin.everybodyTicket({ currentPassword })
            return `/api/v3/admin/everybody?ticket=${ticket}`
          }}
          close={() => setDownload(false)}
        />
      )}
    </Section>
  )
}
