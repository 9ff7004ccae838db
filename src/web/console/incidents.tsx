// What is wrong with the machine: what it means for people, what is done by itself, what to do. And what was.
import { useEffect } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { IncidentData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, when } from '../kit/time.ts'
import { whenNoticed } from '../live.ts'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage } from '../team/parts.tsx'
import { mayDo } from '../team/rights.ts'
import { c, type ConsoleText } from '../team/texts.ts'
import { checkName, places, saidBy } from './found.tsx'
import { Webhook } from './webhook.tsx'

/** For those whose socket is away. */
const everyMs = 30_000

function useIncidents() {
  useEffect(
    () =>
      whenNoticed(({ type }) => {
        if (type === 'incident' || type === 'incidentsChanged') refresh('console incidents', 'console checks')
      }),
    [],
  )
  return useQuery({ queryKey: ['console incidents'], queryFn: () => client.admin.incidents(), refetchInterval: everyMs })
}

/** First on the dashboard, when there are any. */
export function OpenIncidents() {
  const { data } = useIncidents()
  if (!data || data.open.length === 0) return null
  return (
    <section class="stack after-tabs" role="alert" aria-label={c('incidents')}>
      {data.open.map((incident) => (
        <Incident key={incident.incidentID} incident={incident} />
      ))}
    </section>
  )
}

export function Incidents() {
  return (
    <ConsolePage title={c('incidents')} back={mayDo('serviceteam') ? '/admin' : '/reports'}>
      <p class="quiet after-tabs">{c('incidentsText')}</p>
      <Answer of={useIncidents()}>
        {({ open, ended }) => (
          <>
            {open.length === 0 ? (
              <Empty title={c('incidents.none')} />
            ) : (
              <div class="stack">
                {open.map((incident) => (
                  <Incident key={incident.incidentID} incident={incident} />
                ))}
              </div>
            )}
            {ended.length > 0 && (
              <Section title={c('incidents.ended')}>
                <ul class="card pad">
                  {ended.map((incident) => (
                    <li key={incident.incidentID} class="check">
                      <span class="dot good" aria-hidden="true" />
                      <p class="grow">
                        <b>{checkName(incident.kind)}</b> {saidBy(incident).sentence}
                        <small> {c('incidents.fromTo', { from: when(incident.beganAt), to: whenEnded(incident) })}</small>
                      </p>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
          </>
        )}
      </Answer>
      {mayDo('tho') && <Webhook />}
    </ConsolePage>
  )
}

/** The clock alone when it was on the same day. */
function whenEnded({ beganAt, endedAt = beganAt }: IncidentData): string {
  return when(beganAt).replace(clock(beganAt), '') === when(endedAt).replace(clock(endedAt), '') ? clock(endedAt) : when(endedAt)
}

/** What there is to say of a kind; nothing of one that is not known here. */
function saidOf(part: 'means' | 'itself', kind: string): string | undefined {
  const key = `incident.${part}.${kind}`
  const found = c(key as ConsoleText)
  return found === key ? undefined : found
}

function Incident({ incident }: { incident: IncidentData }) {
  const { kind, state, beganAt } = incident
  const { sentence, mend } = saidBy(incident)
  const lines: [ConsoleText, string | undefined][] = [
    ['incident.forPeople', saidOf('means', kind)],
    ['incident.byItself', saidOf('itself', kind)],
    ['incident.toDo', mend],
  ]
  const href = places[kind]
  return (
    <article class={`card pad incident ${state}`}>
      <h3>
        <span class={`dot ${state}`} aria-hidden="true" /> {checkName(kind)}
      </h3>
      <p>
        {sentence} <small class="quiet">{c('incidents.since', { time: when(beganAt) })}</small>
      </p>
      <dl>
        {lines.map(
          ([label, text]) =>
            text && (
              <div key={label}>
                <dt>{c(label)}</dt>
                <dd>{text}</dd>
              </div>
            ),
        )}
      </dl>
      {href && mayDo('serviceteam') && <Link href={href}>{c('lookThere')}</Link>}
    </article>
  )
}
