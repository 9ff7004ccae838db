// The dashboard: the present in four figures, what is to be done, and how it was.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { CheckData, FiguresData } from '../../sdk/client.ts'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { when } from '../kit/time.ts'
import { language } from '../texts.ts'
import { ConsolePage } from './parts.tsx'
import { Plot } from './plot.tsx'
import { useChecks, useFigures, type Span } from './query.ts'
import { c, type ConsoleText } from './texts.ts'

export function Dashboard() {
  const [span, setSpan] = useState<Span>('hour')
  const figures = useFigures(span)
  return (
    <ConsolePage
      title={c('dashboard')}
      actions={
        <Tabs
          label={c('span')}
          value={span}
          options={[
            ['hour', c('hour')],
            ['day', c('day')],
            ['event', c('wholeEvent')],
          ]}
          change={setSpan}
        />
      }
    >
      <Answer of={figures}>
        {(known) => (
          <div class="stack after-tabs">
            {!known.complete && (
              <p class="card pad warn" role="status">
                {c('incomplete')}
              </p>
            )}
            <Now figures={known} />
            <div class="beside">
              <Plots figures={known} />
              <div class="stack">
                <Todo />
                <Servers figures={known} />
              </div>
            </div>
          </div>
        )}
      </Answer>
    </ConsolePage>
  )
}

const number = (value: number) => new Intl.NumberFormat(language.value, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)

function Now({ figures: { now } }: { figures: FiguresData }) {
  return (
    <dl class="tiles">
      <Tile label={c('onlineNow')} value={number(now.online)} hint={`${number(now.requestsPerSecond)} ${c('requestsSecond')}`} />
      <Tile label={c('postsMinute')} value={number(now.postsPerMinute)} hint={c('inLastMinute')} />
      <Tile
        label={c('slowest')}
        value={now.p99 === undefined ? '–' : c('ms', { ms: number(now.p99) })}
        hint={now.p50 === undefined ? '' : c('slowestHint', { ms: number(now.p50) })}
      />
      <Tile label={c('errorsHour')} value={number(now.errorsInHour)} hint={c('inLastHour')} bad={now.errorsInHour > 0} />
    </dl>
  )
}

function Tile({ label, value, hint, bad }: { label: string; value: string; hint: string; bad?: boolean }) {
  return (
    <div class="card pad tile">
      <dt>{label}</dt>
      <dd class={bad ? 'wrong' : ''}>{value}</dd>
      <dd class="quiet">{hint}</dd>
    </div>
  )
}

function Plots({ figures: { points } }: { figures: FiguresData }) {
  if (points.length < 2) return <Empty title={c('noFigures')} />
  const at = points.map((point) => point.at)
  return (
    <div class="stack">
      <Plot
        title={c('onlineAndRequests')}
        at={at}
        lines={[
          { label: c('online'), colour: '--sea', values: points.map(({ online }) => online) },
          { label: c('requestsSecond'), colour: '--sun', values: points.map(({ requests }) => requests) },
        ]}
      />
      <Plot
        title={c('answerTimes')}
        at={at}
        lines={[
          { label: c('almostAll'), colour: '--sun', values: points.map(({ p99 }) => p99) },
          { label: c('half'), colour: '--sea', values: points.map(({ p50 }) => p50) },
          { label: c('loopLag'), colour: '--kelp', values: points.map(({ lag }) => lag) },
        ]}
      />
      <Plot
        title={c('postsAndErrors')}
        at={at}
        lines={[
          { label: c('posts'), colour: '--sea', values: points.map(({ posts }) => posts) },
          { label: c('errorsCount'), colour: '--coral', values: points.map(({ errors }) => errors) },
        ]}
      />
    </div>
  )
}

/** Where something can be done about a check. */
const places: Readonly<Record<string, string>> = {
  reports: '/reports',
  jobs: '/admin/jobs',
  schedule: '/admin/schedule',
  codes: '/admin/codes',
  backups: '/admin/backups',
  trip: '/admin/event',
}

/** The name of a check, or the server's own word for one that has none here. */
export const checkName = (name: string): string => {
  const key = `check.${name}`
  const found = c(key as ConsoleText)
  return found === key ? name : found
}

export function CheckLine({ check: { name, state, sentence, mend } }: { check: CheckData }) {
  const href = state === 'good' ? undefined : places[name]
  return (
    <li class="check">
      <span class={`dot ${state}`} aria-hidden="true" />
      <p class="grow">
        <span class="unseen">{c(`state.${state}`)}: </span>
        <b>{checkName(name)}</b> {sentence}
        {mend && <small> {mend}</small>}
      </p>
      {href && <Link href={href}>{c('lookThere')}</Link>}
    </li>
  )
}

function Todo() {
  const checks = useChecks()
  return (
    <section class="card pad">
      <h3>{c('todo')}</h3>
      <Answer of={checks} rows={2}>
        {(all) => {
          const wanted = all.filter(({ state }) => state !== 'good')
          return (
            <ul>
              {wanted.length === 0 && <li class="quiet">{c('allWell')}</li>}
              {wanted.slice(0, 6).map((check) => (
                <CheckLine key={`${check.name} ${check.sentence}`} check={check} />
              ))}
            </ul>
          )
        }}
      </Answer>
      <p class="links">
        <Link href="/admin/checks">{c('allChecks')}</Link> <Link href="/admin/report">{c('dayReport')}</Link>
      </p>
    </section>
  )
}

function Servers({ figures: { nodes } }: { figures: FiguresData }) {
  return (
    <section class="card pad">
      <h3>{c('servers')}</h3>
      <ul>
        {nodes.map(({ name, startedAt, online, memoryMb, cpu }) => (
          <li key={`${name} ${startedAt}`} class="check">
            <span class="dot good" aria-hidden="true" />
            <p class="grow">
              <b>{name}</b> {c('serverUp', { time: when(startedAt) })}
              <small> {c('serverFigures', { online, memory: memoryMb, cpu: number(cpu) })}</small>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function Checks() {
  const checks = useChecks()
  return (
    <ConsolePage title={c('checks')} back="/admin">
      <p class="quiet after-tabs">{c('checksText')}</p>
      <Answer of={checks}>
        {(all) => (
          <ul class="card pad after-tabs">
            {all.map((check) => (
              <CheckLine key={`${check.name} ${check.sentence}`} check={check} />
            ))}
          </ul>
        )}
      </Answer>
    </ConsolePage>
  )
}
