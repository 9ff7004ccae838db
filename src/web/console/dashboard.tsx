// The dashboard: the present in four figures, what is to be done, and how it was.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { FiguresData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { ConsolePage, Decide } from '../team/parts.tsx'
import { CheckLine, number } from './found.tsx'
import { OpenIncidents } from './incidents.tsx'
import { Plot } from './plot.tsx'
import { useChecks, useFigures, type Span } from './query.ts'
import { mayDo } from '../team/rights.ts'
import { c } from '../team/texts.ts'

export { Incidents } from './incidents.tsx'

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
      <OpenIncidents />
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

function Now({ figures: { now } }: { figures: FiguresData }) {
  return (
    <dl class="tiles by-three">
      <Tile label={c('onlineNow')} value={number(now.online)} hint={c('socketsOpen', { n: now.sockets })} />
      <Tile label={c('postsMinute')} value={number(now.postsPerMinute)} hint={`${number(now.requestsPerSecond)} ${c('requestsSecond')}`} />
      <Tile
        label={c('slowest')}
        value={
          now.p99 === undefined ? '–' : now.p99 < 1000 ? c('ms', { ms: number(now.p99) }) : c('seconds', { s: number(now.p99 / 1000) })
        }
        hint={now.p50 === undefined ? '' : c('slowestHint', { ms: number(now.p50) })}
      />
      <Tile label={c('errorsHour')} value={number(now.errorsInHour)} hint={c('inLastHour')} bad={now.errorsInHour > 0} />
      <Tile label={c('jobsWaiting')} value={number(now.waiting)} hint={c('loopLagIs', { ms: number(now.lag) })} />
      <Tile
        label={c('diskFree')}
        value={now.diskFreeMb === undefined ? '–' : `${number(now.diskFreeMb / 1024)} GB`}
        hint={c('lastBackup', { time: now.lastBackupAt ? when(now.lastBackupAt) : c('never') })}
      />
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

function Plots({ figures: { points, now } }: { figures: FiguresData }) {
  if (points.length < 2) return <Empty title={c('noFigures')} />
  const at = points.map((point) => point.at)
  return (
    <div class="stack">
      <Plot
        title={c('onlineAndRequests')}
        at={at}
        lines={[
          { label: c('online'), colour: '--sea', values: points.map(({ online }) => online), now: now.online },
          { label: c('requestsSecond'), colour: '--sun', values: points.map(({ requests }) => requests), now: now.requestsPerSecond },
        ]}
      />
      <Plot
        title={c('answerTimes')}
        at={at}
        unit="ms"
        lines={[
          { label: c('almostAll'), colour: '--sun', values: points.map(({ p99 }) => p99), now: now.p99 },
          { label: c('half'), colour: '--sea', values: points.map(({ p50 }) => p50), now: now.p50 },
          { label: c('loopLag'), colour: '--kelp', values: points.map(({ lag }) => lag), now: now.lag },
        ]}
      />
      <Plot
        title={c('postsAndErrors')}
        at={at}
        lines={[
          { label: c('posts'), colour: '--sea', values: points.map(({ posts }) => posts), now: now.postsPerMinute },
          { label: c('errorsCount'), colour: '--coral', values: points.map(({ errors }) => errors) },
        ]}
      />
      <Plot
        title={c('jobsAndDisk')}
        at={at}
        lines={[
          { label: c('jobsWaiting'), colour: '--sun', values: points.map(({ waiting }) => waiting), now: now.waiting },
          { label: c('diskFreeGb'), colour: '--kelp', values: points.map(({ diskFreeMb }) => diskFreeMb && diskFreeMb / 1024) },
        ]}
      />
    </div>
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
        <Link href="/admin/checks">{c('allChecks')}</Link> <Link href="/admin/incidents">{c('incidents')}</Link>{' '}
        <Link href="/admin/report">{c('dayReport')}</Link> <Link href="/help/host">{c('handbook')}</Link>
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
      {mayDo('admin') && <ReadAgain />}
    </ConsolePage>
  )
}

/** For whoever has written to the database past the servers. */
function ReadAgain() {
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const readAgain = async () => {
    setAsking(false)
    setBusy(true)
    await attempt(async () => {
      await client.admin.memoryReload()
      toast(c('readAgainDone'))
    })
    setBusy(false)
  }
  return (
    <section class="card pad">
      <p>{c('readAgainText')}</p>
      <div class="deeds">
        <button type="button" class="btn quiet" disabled={busy} aria-haspopup="dialog" onClick={() => setAsking(true)}>
          {c('readAgain')} …
        </button>
      </div>
      {asking && (
        <Dialog title={c('readAgain')} close={() => setAsking(false)}>
          <p>{c('readAgainAsk')}</p>
          <Decide label={c('readAgain')} act={() => void readAgain()} cancel={() => setAsking(false)} />
        </Dialog>
      )}
    </section>
  )
}
