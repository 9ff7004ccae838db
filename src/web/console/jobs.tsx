// Jobs: how each kind does, what is not done, and what was done.
import { useState } from 'preact/hooks'
import type { JobHistoryData, JobKindData, JobListData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage, Decide, Pager } from '../team/parts.tsx'
import { mayDo } from '../team/rights.ts'
import { c, type ConsoleText } from '../team/texts.ts'
import { number } from './found.tsx'
import { Plot } from './plot.tsx'

const pageSize = 50
const everyMs = 5000
const historyEveryMs = 60_000
const jobStates = ['failed', 'retrying', 'running', 'due', 'later'] as const
type JobState = (typeof jobStates)[number]
type Job = JobListData['jobs'][number]
type Span = 'day' | 'week'

/** The name of a job for people, or its own. */
function jobName(job: string): string {
  const key = `jobName.${job}`
  const found = c(key as ConsoleText)
  return found === key ? job : found
}

const outdated = () => refresh('console jobs', 'console checks', 'console incidents')

export function Jobs() {
  const [kind, setKind] = useState('')
  const kinds = useQuery({ queryKey: ['console jobs', 'kinds'], queryFn: () => client.admin.jobsKinds(), refetchInterval: everyMs })
  return (
    <ConsolePage title={c('jobs')}>
      <p class="quiet after-tabs">{c('jobsText')}</p>
      <Answer of={kinds}>{(all) => <Kinds kinds={all} chosen={kind} choose={setKind} />}</Answer>
      <History kind={kind} />
      <NotDone key={kind} kind={kind} />
    </ConsolePage>
  )
}

interface KindsProps {
  kinds: readonly JobKindData[]
  chosen: string
  choose: (kind: string) => void
}

/** Those that need a hand first, then those that do something. */
function Kinds({ kinds, chosen, choose }: KindsProps) {
  const [all, showAll] = useState(false)
  const rank = (kind: JobKindData) => {
    if (kind.failed > 0 || kind.pausedAt) return 0
    return isQuiet(kind) ? 2 : 1
  }
  const sorted = kinds.toSorted((a, b) => rank(a) - rank(b) || jobName(a.job).localeCompare(jobName(b.job)))
  const shown = all ? sorted : sorted.filter((kind) => !isQuiet(kind) || kind.job === chosen)
  const hidden = sorted.length - shown.length
  return (
    <div class="stack">
      {shown.length > 0 && (
        <ul class="card">
          {shown.map((kind) => (
            <Kind key={kind.job} kind={kind} chosen={kind.job === chosen} choose={() => choose(kind.job === chosen ? '' : kind.job)} />
          ))}
        </ul>
      )}
      {(hidden > 0 || all) && (
        <button type="button" class="btn quiet" onClick={() => showAll(!all)}>
          {all ? c('jobs.busyOnly') : c('jobs.quietKinds', { n: hidden })}
        </button>
      )}
    </div>
  )
}

const isQuiet = ({ due, later, running, retrying, failed, doneInHour, failedInHour, pausedAt }: JobKindData): boolean =>
  due + later + running + retrying + failed + doneInHour + failedInHour === 0 && !pausedAt

/** Of its jobs that are not done, as far as there are any. */
const countsOf = (kind: JobKindData): string =>
  jobStates.flatMap((state) => (kind[state] > 0 ? `${c(`jobState.${state}`)} ${number(kind[state])}` : [])).join(' · ')

const inTime = (ms: number): string => (ms < 1000 ? c('jobs.ms', { n: number(ms) }) : c('jobs.seconds', { n: number(ms / 1000) }))

/** What was done in the last hour, how fast, or when the last one was. */
function doneLately({ doneInHour, failedInHour, averageMs, longestMs, lastAt }: JobKindData): string {
  if (averageMs === undefined || longestMs === undefined) return lastAt ? c('jobs.last', { time: when(lastAt) }) : c('jobs.noneYet')
  const parts = [c('jobs.inHour', { n: doneInHour })]
  if (failedInHour > 0) parts.push(c('jobs.failedInHour', { n: failedInHour }))
  return [...parts, c('jobs.each', { average: inTime(averageMs), longest: inTime(longestMs) })].join(' · ')
}

function Kind({ kind, chosen, choose }: { kind: JobKindData; chosen: boolean; choose: () => void }) {
  const { job, failed, running, mayPause, pausedAt, pausedBy } = kind
  const [dropping, setDropping] = useState(false)
  const dot = failed > 0 ? 'bad' : pausedAt ? 'warning' : running > 0 ? 'taken' : ''
  const counts = countsOf(kind)
  const act = (run: () => Promise<string>) =>
    void attempt(async () => {
      toast(await run())
      outdated()
    })
  const pause = () => act(() => client.admin.jobsKindsPause({ job_kind: job }).then(() => c('jobs.paused', { job: jobName(job) })))
  const resume = () => act(() => client.admin.jobsKindsResume({ job_kind: job }).then(() => c('jobs.resumed', { job: jobName(job) })))
  const retry = () => act(() => client.admin.jobsKindsRetry({ job_kind: job }).then(({ number: n }) => c('jobs.retriedAll', { n })))
  const drop = () => {
    setDropping(false)
    act(() => client.admin.removeJobsKindsFailed({ job_kind: job }).then(({ number: n }) => c('jobs.droppedAll', { n })))
  }
  return (
    <li class="group">
      <span class={`dot ${dot}`} aria-hidden="true" />
      <span class="grow">
        <button type="button" class="plain-button" aria-pressed={chosen} onClick={choose}>
          <b>{jobName(job)}</b>
        </button>
        {pausedAt && pausedBy && <small class="warn">{c('jobs.pausedBy', { name: nameOf(pausedBy), time: when(pausedAt) })}</small>}
        {counts && <small class={failed > 0 ? 'wrong' : undefined}>{counts}</small>}
        <small>{doneLately(kind)}</small>
      </span>
      {mayDo('tho') && (
        <span class="deeds tight">
          {failed > 0 && (
            <>
              <button type="button" class="btn quiet" onClick={retry}>
                {c('jobs.retryAll')}
              </button>
              <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setDropping(true)}>
                {c('jobs.dropAll')} …
              </button>
            </>
          )}
          {mayPause && (
            <button type="button" class="btn quiet" onClick={pausedAt ? resume : pause}>
              {c(pausedAt ? 'jobs.resume' : 'jobs.pause')}
            </button>
          )}
        </span>
      )}
      {dropping && (
        <Dialog title={c('dropJob')} close={() => setDropping(false)}>
          <p>{c('jobs.dropAllText', { job: jobName(job), n: failed })}</p>
          <Decide label={c('drop')} grave act={drop} cancel={() => setDropping(false)} />
        </Dialog>
      )}
    </li>
  )
}

function History({ kind }: { kind: string }) {
  const [span, setSpan] = useState<Span>('day')
  const history = useQuery({
    queryKey: ['console jobs', 'history', kind, span],
    queryFn: () => client.admin.jobsHistory({ span, ...(kind && { job: kind }) }),
    refetchInterval: historyEveryMs,
  })
  return (
    <Section title={kind ? c('jobs.historyOf', { job: jobName(kind) }) : c('jobs.history')}>
      <Tabs
        label={c('jobs.history')}
        value={span}
        options={[
          ['day', c('jobs.day')],
          ['week', c('jobs.week')],
        ]}
        change={setSpan}
      />
      <Answer of={history}>{(known) => <Plots key={`${kind} ${span}`} history={known} span={span} />}</Answer>
    </Section>
  )
}

const spanMs = { day: 24 * 60 * 60_000, week: 7 * 24 * 60 * 60_000 }

/** Steps without any job count as none. */
function Plots({ history: { minutes, steps }, span }: { history: JobHistoryData; span: Span }) {
  if (steps.length === 0) return <Empty title={c('jobs.noHistory')} />
  const stepMs = minutes * 60_000
  const known = new Map(steps.map((step) => [Date.parse(step.at), step]))
  const first = Math.ceil((Date.now() - spanMs[span]) / stepMs) * stepMs
  const at = Array.from({ length: Math.floor((Date.now() - first) / stepMs) + 1 }, (_each, index) => first + index * stepMs)
  const times = at.map((ms) => new Date(ms).toISOString())
  return (
    <div class="stack after-tabs">
      <Plot
        title={c('jobs.perStep', { minutes })}
        at={times}
        lines={[
          { label: c('jobs.done'), colour: '--kelp', values: at.map((ms) => known.get(ms)?.done ?? 0) },
          { label: c('jobState.failed'), colour: '--coral', values: at.map((ms) => known.get(ms)?.failed ?? 0) },
        ]}
      />
      <Plot
        title={c('jobs.howLong')}
        unit="ms"
        at={times}
        lines={[
          { label: c('jobs.average'), colour: '--sea', values: at.map((ms) => known.get(ms)?.averageMs) },
          { label: c('jobs.longest'), colour: '--sun', values: at.map((ms) => known.get(ms)?.longestMs) },
        ]}
      />
    </div>
  )
}

function NotDone({ kind }: { kind: string }) {
  const [state, setState] = useState<JobState | ''>('')
  const [start, setStart] = useState(0)
  const jobs = useQuery({
    queryKey: ['console jobs', kind, state, start],
    queryFn: () => client.admin.jobs({ start, limit: pageSize, ...(state && { state }), ...(kind && { job: kind }) }),
    refetchInterval: everyMs,
  })
  const count = (each: JobState) => (jobs.data ? ` ${jobs.data[each]}` : '')
  return (
    <Section title={kind ? c('jobs.notDoneOf', { job: jobName(kind) }) : c('jobs.notDone')}>
      <Tabs
        label={c('jobs.notDone')}
        value={state}
        options={[['', c('all')], ...jobStates.map((each) => [each, c(`jobState.${each}`) + count(each)] as const)]}
        change={(next) => {
          setState(next)
          setStart(0)
        }}
      />
      <Answer of={jobs}>
        {({ jobs: all, paginator }) =>
          all.length === 0 ? (
            <Empty title={c('noJobs')} />
          ) : (
            <>
              <ul class="card after-tabs">
                {all.map((job) => (
                  <JobLine key={job.jobID} job={job} />
                ))}
              </ul>
              <Pager start={start} size={pageSize} total={paginator.total} change={setStart} />
            </>
          )
        }
      </Answer>
    </Section>
  )
}

const dots = { failed: 'bad', retrying: 'warning', running: 'taken', due: 'taken', later: '' } as const

function JobLine({ job: { jobID, job, state, runAt, failures, lastError, requestID } }: { job: Job }) {
  const [asking, setAsking] = useState(false)
  const retry = () =>
    attempt(async () => {
      await client.admin.jobsRetry({ job_id: jobID })
      toast(c('retried'))
      outdated()
    })
  const drop = () => {
    setAsking(false)
    void attempt(async () => {
      await client.admin.removeJobs({ job_id: jobID })
      outdated()
    })
  }
  return (
    <li class="group">
      <span class={`dot ${dots[state]}`} aria-hidden="true" />
      <span class="grow">
        <b>{jobName(job)}</b>
        <small>
          {[c(`jobState.${state}`), c('jobs.due', { time: when(runAt) }), failures > 0 && c('jobs.failures', { n: failures })]
            .filter(Boolean)
            .join(' · ')}
        </small>
        {(lastError || requestID) && (
          <details>
            <summary>{c('fault.technical')}</summary>
            <small>{[lastError, requestID].filter(Boolean).join(' · ')}</small>
          </details>
        )}
      </span>
      {mayDo('tho') && (
        <span class="deeds tight">
          {failures > 0 && (
            <button type="button" class="btn quiet" onClick={() => void retry()}>
              {c('retry')}
            </button>
          )}
          <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {c('drop')} …
          </button>
        </span>
      )}
      {asking && (
        <Dialog title={c('dropJob')} close={() => setAsking(false)}>
          <p>
            {jobName(job)}. {c('dropJobText')}
          </p>
          <Decide label={c('drop')} grave act={drop} cancel={() => setAsking(false)} />
        </Dialog>
      )}
    </li>
  )
}
