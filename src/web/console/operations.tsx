// Jobs that are not done, requests that failed, and the audit trail.
import { useRef, useState } from 'preact/hooks'
import type { FaultListData, JobListData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { Field } from '../kit/field.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage, Decide, Pager } from '../team/parts.tsx'
import { mayDo } from '../team/rights.ts'
import { c, type ConsoleText } from '../team/texts.ts'

const pageSize = 50
const jobsEveryMs = 5000
const jobStates = ['failed', 'retrying', 'running', 'due', 'later'] as const
type Job = JobListData['jobs'][number]

/** The name of a job for people, or its own. */
function jobName(job: string): string {
  const key = `jobName.${job}`
  const found = c(key as ConsoleText)
  return found === key ? job : found
}

export function Jobs() {
  const [state, setState] = useState<(typeof jobStates)[number] | ''>('')
  const [start, setStart] = useState(0)
  const jobs = useQuery({
    queryKey: ['console jobs', state, start],
    queryFn: () => client.admin.jobs({ start, limit: pageSize, ...(state && { state }) }),
    refetchInterval: jobsEveryMs,
  })
  const count = (each: (typeof jobStates)[number]) => (jobs.data ? ` ${jobs.data[each]}` : '')
  return (
    <ConsolePage title={c('jobs')}>
      <Tabs
        label={c('jobs')}
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
    </ConsolePage>
  )
}

const dots = { failed: 'bad', retrying: 'warning', running: 'taken', due: 'taken', later: '' } as const

function JobLine({ job: { jobID, job, state, runAt, failures, lastError, requestID } }: { job: Job }) {
  const [asking, setAsking] = useState(false)
  const retry = () =>
    attempt(async () => {
      await client.admin.jobsRetry({ job_id: jobID })
      toast(c('retried'))
      refresh('console jobs', 'console checks')
    })
  const drop = () => {
    setAsking(false)
    void attempt(async () => {
      await client.admin.removeJobs({ job_id: jobID })
      refresh('console jobs', 'console checks')
    })
  }
  return (
    <li class="group">
      <span class={`dot ${dots[state]}`} aria-hidden="true" />
      <span class="grow">
        <b>{jobName(job)}</b>
        <small>
          {c(`jobState.${state}`)} · {c('jobFacts', { time: when(runAt), n: failures })}
          {requestID && ` · ${requestID}`}
        </small>
        {lastError && <small class="wrong">{lastError}</small>}
      </span>
      {mayDo('tho') && (
        <span class="deeds tight">
          {failures > 0 && (
            <button type="button" class="btn quiet" onClick={() => void retry()}>
              {c('retry')}
            </button>
          )}
          <button type="button" class="btn quiet" onClick={() => setAsking(true)}>
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

type Fault = FaultListData['faults'][number]

/** Faults of the same kind at the same route, the newest first. */
function byRoute(faults: readonly Fault[]): Fault[][] {
  const groups = new Map<string, Fault[]>()
  for (const fault of faults) {
    const name = `${fault.method} ${fault.path} ${fault.code} ${fault.cause}`
    groups.set(name, [...(groups.get(name) ?? []), fault])
  }
  return [...groups.values()]
}

export function Errors() {
  const [search, setSearch] = useState('')
  const faults = useQuery({
    queryKey: ['console faults', search],
    queryFn: () => client.admin.errors(search ? { search } : {}),
    refetchInterval: jobsEveryMs,
  })
  return (
    <ConsolePage title={c('errors')}>
      <SearchField label={c('searchErrors')} change={setSearch} />
      <p class="quiet">{c('errorsText')}</p>
      <Answer of={faults}>
        {({ faults: all, complete }) => (
          <>
            {!complete && <p class="warn">{c('incomplete')}</p>}
            {all.length === 0 ? (
              <Empty title={c('noErrors')} />
            ) : (
              <ul class="card after-tabs">
                {byRoute(all).map((group) => (
                  <FaultLine key={group[0]?.requestID} group={group} />
                ))}
              </ul>
            )}
          </>
        )}
      </Answer>
    </ConsolePage>
  )
}

/** What people were at, by the first word of a path. */
const areas: readonly (readonly [RegExp, ConsoleText])[] = [
  [/^(fez|personalevents)/, 'fault.chats'],
  [/^forum/, 'fault.forums'],
  [/^(microblog|twitarr)/, 'fault.microblog'],
  [/^(events|performer|feedback)/, 'fault.schedule'],
  [/^(image|photostream|avatar)/, 'fault.pictures'],
  [/^(user|users|auth|login|client)/, 'fault.accounts'],
  [/^notification/, 'fault.notices'],
  [/^(karaoke|microkaraoke|boardgames|hunts|quartermaster|phone|polls?)/, 'fault.games'],
  [/^(admin|mod)/, 'fault.console'],
]
const areaOf = (path: string): string => {
  const rest = path.replace(/^\/(api\/v3\/)?/, '')
  return c(areas.find(([beginning]) => beginning.test(rest))?.[1] ?? 'fault.elsewhere')
}

const reasons: Readonly<Partial<Record<number, ConsoleText>>> = { 503: 'fault.away', 507: 'fault.full' }

/** In words for a host; what programmers need is folded away. */
function FaultLine({ group }: { group: Fault[] }) {
  const [{ at, method, path, status, code, cause }] = group as [Fault]
  return (
    <li class="group">
      <span class="dot bad" aria-hidden="true" />
      <span class="grow">
        <b>{areaOf(path)}</b>
        <p>{c(reasons[status] ?? 'fault.program')}</p>
        <small>{c('faultTimes', { n: group.length, time: `${fullDay(at)}, ${clock(at)}` })}</small>
        <details>
          <summary>{c('fault.technical')}</summary>
          <p>
            <code>
              {method} {path}
            </code>{' '}
            · {status} {code} · {cause}
          </p>
          <ul class="plain-list">
            {group.map((fault) => (
              <li key={`${fault.requestID} ${fault.at}`}>
                <small>
                  {when(fault.at)} · {fault.node} · <span class="id">{fault.requestID}</span>
                </small>
              </li>
            ))}
          </ul>
        </details>
      </span>
    </li>
  )
}

/** A word of the server in words for people, or as it is. */
function worded(group: 'act' | 'kind', word: string): string {
  const key = `${group}.${word}`
  const found = c(key as ConsoleText)
  return found === key ? word : found
}
const deedName = (action: string) => worded('act', action)

/** What was done, and to what kind of thing unless the deed says it already. */
function deedOn(action: string, subjectType: string): string {
  const [deed, kind] = [deedName(action), worded('kind', subjectType)]
  return deed.toLowerCase().includes(kind.toLowerCase()) ? deed : `${deed} · ${kind}`
}

export function Audit() {
  const [typed, setTyped] = useState({ actor: '', user: '', action: '' })
  const [filter, setFilter] = useState(typed)
  const [start, setStart] = useState(0)
  const wanted = Object.fromEntries(Object.entries(filter).filter(([, value]) => value.trim() !== ''))
  const entries = useQuery({
    queryKey: ['console audit', filter, start],
    queryFn: () => client.admin.audit({ ...wanted, start, limit: pageSize }),
  })
  // The filter keeps its choices while the next page is on its way.
  const actions = useRef<readonly string[]>([])
  actions.current = entries.data?.actions ?? actions.current
  const submit = (event: Event) => {
    event.preventDefault()
    setStart(0)
    setFilter(typed)
  }
  return (
    <ConsolePage title={c('audit')}>
      <form class="card pad after-tabs" onSubmit={submit}>
        <div class="pair">
          <Field label={c('auditWho')} value={typed.actor} change={(actor) => setTyped({ ...typed, actor })} />
          <Field label={c('auditWhom')} value={typed.user} change={(user) => setTyped({ ...typed, user })} />
          <Choice
            label={c('auditAction')}
            value={typed.action}
            options={[
              ['', c('all')],
              ...actions.current.map((action) => [action, deedName(action)] as const).toSorted(([, a], [, b]) => a.localeCompare(b)),
            ]}
            change={(action) => setTyped({ ...typed, action })}
          />
        </div>
        <div class="deeds tight">
          <button type="submit" class="btn">
            {c('auditFilter')}
          </button>
          <a class="btn quiet" href={client.admin.auditCsv.url(wanted)} download>
            {c('csv')}
          </a>
        </div>
      </form>
      <Answer of={entries}>
        {({ entries: all, paginator }) =>
          all.length === 0 ? (
            <Empty title={c('nothing')} />
          ) : (
            <>
              <ul class="card after-tabs">
                {all.map(({ auditID, actor, action, subjectType, subjectID, user, details, requestID, createdAt }) => (
                  <li key={auditID} class="group">
                    <span class="grow">
                      <b>
                        {nameOf(actor)}: {deedOn(action, subjectType)}
                      </b>
                      <small>
                        {fullDay(createdAt)}, {clock(createdAt)}
                        {user && user.userID !== actor.userID && ` · ${c('concerns', { name: nameOf(user) })}`} · {requestID}
                      </small>
                      <details>
                        <summary>{c('details')}</summary>
                        <small class="id">
                          {action} {subjectType} {subjectID} {details}
                        </small>
                      </details>
                    </span>
                  </li>
                ))}
              </ul>
              <Pager start={start} size={pageSize} total={paginator.total} change={setStart} />
            </>
          )
        }
      </Answer>
    </ConsolePage>
  )
}
