// A day aboard on one sheet of paper.
import { useState } from 'preact/hooks'
import type { DayReportData } from '../../sdk/client.ts'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, dayKey, fullDay, when } from '../kit/time.ts'
import { useQuery } from '../store.ts'
import { locale } from '../texts.ts'
import { noteOf } from './notes.ts'
import { ConsolePage } from '../team/parts.tsx'
import { client } from '../client.ts'
import { c } from '../team/texts.ts'

const dayMs = 24 * 60 * 60_000
const number = (value: number) => new Intl.NumberFormat(locale()).format(value)
const halfDayMs = dayMs / 2

export function DayReport() {
  const [date, setDate] = useState<string>()
  const report = useQuery({
    queryKey: ['console report', date ?? ''],
    queryFn: () => client.admin.report(date === undefined ? {} : { date }),
    refetchInterval: date === undefined ? 60_000 : false,
  })
  return (
    <ConsolePage
      title={c('dayReport')}
      back="/admin"
      actions={
        <button type="button" class="btn no-print" onClick={() => print()}>
          {c('print')}
        </button>
      }
    >
      <Answer of={report}>
        {(known) => (
          <article class="report after-tabs">
            <Head of={known} choose={setDate} />
            <Figures of={known} />
            <Hours of={known} />
            <Nights of={known} />
          </article>
        )}
      </Answer>
    </ConsolePage>
  )
}

const otherDay = (from: string, days: number) => dayKey(new Date(Date.parse(from) + halfDayMs + days * dayMs))

function Head({ of: { eventName, day, from, to }, choose }: { of: DayReportData; choose: (date: string) => void }) {
  return (
    <header class="report-head">
      <div>
        <p class="quiet">{[eventName, day !== undefined && c('dayNumber', { n: day })].filter(Boolean).join(' · ')}</p>
        <h2>{fullDay(new Date(Date.parse(from) + halfDayMs))}</h2>
        {Date.parse(to) > Date.now() && <p class="quiet">{c('asOf', { time: clock(new Date()) })}</p>}
      </div>
      <div class="deeds tight no-print">
        <button type="button" class="btn quiet" onClick={() => choose(otherDay(from, -1))}>
          {c('dayBefore')}
        </button>
        <button type="button" class="btn quiet" disabled={Date.parse(to) > Date.now()} onClick={() => choose(otherDay(from, 1))}>
          {c('dayAfter')}
        </button>
      </div>
    </header>
  )
}

function Figures({ of }: { of: DayReportData }) {
  const figures: readonly (readonly [string, string])[] = [
    [c('mostOnline'), number(of.mostOnline)],
    [c('newPeople'), number(of.newPeople)],
    [c('postsCount'), number(of.posts)],
    [c('reportsFiled'), number(of.reportsFiled)],
    [c('reportsHandled'), number(of.reportsHandled)],
    [c('reportsStillOpen'), number(of.reportsOpen)],
    [c('bansOfDay'), number(of.bans)],
    [c('errors'), number(of.errors)],
    [c('slowest'), of.p99 === undefined ? '–' : c('ms', { ms: number(of.p99) })],
    [c('diskFree'), of.diskFreeMb === undefined ? '–' : `${number(Math.round(of.diskFreeMb / 1024))} GB`],
  ]
  return (
    <dl class="tiles">
      {figures.map(([label, value]) => (
        <div key={label} class="card pad tile">
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const width = 480
const height = 90

/** Hour by hour, as bars and as a table: paper has no pointer. */
function Hours({ of: { from, to, hours } }: { of: DayReportData }) {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / (60 * 60_000))
  const all = Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.parse(from) + index * 60 * 60_000)
    const { online = 0, posts = 0, requests = 0, errors = 0 } = hours.find((hour) => Date.parse(hour.at) === at.getTime()) ?? {}
    return { at, online, posts, requests, errors }
  })
  const most = Math.max(1, ...all.map(({ online }) => online))
  const bar = width / count
  return (
    <Section title={c('onlineByHour')}>
      <div class="card pad">
        {hours.length === 0 ? (
          <p class="quiet">{c('noFiguresOfDay')}</p>
        ) : (
          <>
            <svg class="bars" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
              {all.map(({ online }, index) => (
                <rect
                  key={index}
                  x={index * bar + 1}
                  width={bar - 2}
                  y={height - (online / most) * height}
                  height={(online / most) * height}
                />
              ))}
            </svg>
            <div class="scroll" tabIndex={0} role="region" aria-label={c('onlineByHour')}>
              <table class="by-hour">
                <thead>
                  <tr>
                    <th scope="col">{c('hourOfDay')}</th>
                    <th scope="col">{c('onlineCount')}</th>
                    <th scope="col">{c('postsCount')}</th>
                    <th scope="col">{c('requestsCount')}</th>
                    <th scope="col">{c('errors')}</th>
                  </tr>
                </thead>
                <tbody>
                  {all
                    .filter(({ at, requests }) => requests > 0 || at.getTime() <= Date.now())
                    .map(({ at, online, posts, requests, errors }) => (
                      <tr key={at.getTime()}>
                        <th scope="row">{clock(at)}</th>
                        <td>{number(online)}</td>
                        <td>{number(posts)}</td>
                        <td>{number(requests)}</td>
                        <td class={errors > 0 ? 'wrong' : ''}>{number(errors)}</td>
                      </tr>
                    ))}
                </tbody>
              </table>
            </div>
          </>
        )}
      </div>
    </Section>
  )
}

function Nights({ of: { backups } }: { of: DayReportData }) {
  return (
    <Section title={c('backups')}>
      {backups.length === 0 ? (
        <p class="card pad wrong">{c('noBackupOfDay')}</p>
      ) : (
        <ul class="card pad">
          {backups.map(({ operationID, kind, state, file, createdAt, ...work }) => (
            <li key={operationID} class="check">
              <span class={`dot ${state === 'done' ? 'good' : state === 'failed' ? 'bad' : 'taken'}`} aria-hidden="true" />
              <p>
                <b>
                  {c(`work.${kind}`)}: {c(`workState.${state}`)}
                </b>{' '}
                {file} · {when(createdAt)}
                {work.note && <small> {noteOf(work)}</small>}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
