// Requests that failed, and the audit trail.
import { useRef, useState } from 'preact/hooks'
import type { FaultListData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { Field } from '../kit/field.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { useQuery } from '../store.ts'
import { ConsolePage, Pager } from '../team/parts.tsx'
import { c, type ConsoleText } from '../team/texts.ts'

const pageSize = 50
const faultsEveryMs = 5000
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
    refetchInterval: faultsEveryMs,
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
