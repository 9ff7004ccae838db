// The end of an event: everything is removed, once somebody has written its name and shown their password; then the proof.
import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { clear } from 'idb-keyval'
import type { WipeStateData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { refresh, useQuery } from '../store.ts'

import { useEventLife } from './event-life.tsx'
import { ConsolePage } from '../team/parts.tsx'
import { Wiped } from '../team/reach.tsx'
import { c } from '../team/texts.ts'

const askEveryMs = 1000
/** All servers have begun to end by then. */
const firstAskAfterMs = 3000

export function EventEnd() {
  const [ordered, setOrdered] = useState(false)
  const life = useEventLife()
  const state = useQuery({ queryKey: ['console wipe'], queryFn: () => client.admin.wipe() })
  const back = () => {
    setOrdered(false)
    refresh('console wipe')
  }
  if (ordered) return <UnderWay back={back} />
  return (
    <ConsolePage title={c('wipe')} back="/admin/event">
      <Answer of={state}>
        {(last) => (
          <div class="stack after-tabs">
            {last.proof && <Proof of={last} />}
            {last.state === 'failed' && (
              <p class="card pad wrong" role="alert">
                {c('wipeFailed')} {last.reason}
              </p>
            )}
            <Consequences backups={last.backups} />
            <Answer of={life}>
              {({ trip, end }) => (
                <Order name={trip.eventName} isSafe={end.finalBackupVerifiedAt !== undefined} done={() => setOrdered(true)} />
              )}
            </Answer>
          </div>
        )}
      </Answer>
    </ConsolePage>
  )
}

function Consequences({ backups }: { backups: number }) {
  return (
    <Section title={c('wipeWhat')}>
      <div class="card pad">
        <Wiped />
        <p class="warn">{c('cannotUndo')}</p>
      </div>
      <div class="sides">
        <div class="card pad">
          <h3>{c('wipeGoes')}</h3>
          <ul class="bullets">
            <li>{c('wipeGoes.people')}</li>
            <li>{c('wipeGoes.words')}</li>
            <li>{c('wipeGoes.pictures')}</li>
            <li>{c('wipeGoes.records')}</li>
          </ul>
        </div>
        <div class="card pad">
          <h3>{c('wipeStays')}</h3>
          <ul class="bullets">
            <li>{c('wipeStays.content')}</li>
            <li>{c('wipeStays.settings')}</li>
            <li>{c('wipeStays.accounts')}</li>
            <li>
              {c('wipeStays.backups', { n: backups })} <Link href="/admin/backups">{c('lookThere')}</Link>
            </li>
          </ul>
        </div>
      </div>
    </Section>
  )
}

function Order({ name, isSafe, done }: { name: string; isSafe: boolean; done: () => void }) {
  const [eventName, setName] = useState('')
  const [password, setPassword] = useState('')
  const [endCodes, setEndCodes] = useState(true)
  const [error, setError] = useState<unknown>()
  const submit = async (event: Event) => {
    event.preventDefault()
    setError(undefined)
    try {
      await client.admin.setWipe({ eventName, currentPassword: password, keepCodes: !endCodes })
      // Nothing of what this browser has kept is true any more.
      await clear().catch(() => undefined)
      done()
    } catch (refused) {
      setError(refused)
    }
  }
  if (name === '')
    return (
      <p class="card pad warn">
        {c('wipeNeedsName')} <Link href="/admin/event">{c('lookThere')}</Link>
      </p>
    )
  return (
    <Section title={c('wipeNow')}>
      <form class="card pad" onSubmit={(event) => void submit(event)}>
        {!isSafe && (
          <p class="warn">
            {c('wipeUnsafe')} <Link href="/admin/backups">{c('lookThere')}</Link>
          </p>
        )}
        <Field
          label={c('wipeTypeName', { name })}
          value={eventName}
          change={setName}
          error={errorOf(error, 'eventName')}
          input={{ autoComplete: 'off', maxLength: 100, required: true }}
        />
        <Field
          label={c('currentPassword')}
          value={password}
          change={setPassword}
          error={errorOf(error, 'currentPassword')}
          input={{ type: 'password', autoComplete: 'current-password', required: true }}
        />
        <label class="tick">
          <input type="checkbox" checked={endCodes} onChange={({ currentTarget }) => setEndCodes(currentTarget.checked)} />
          {c('wipeCodes')}
        </label>
        <FormError error={error} fields={['eventName', 'currentPassword']} />
        <p class="quiet">{c('wipeSignsOut')}</p>
        <div class="deeds">
          <button type="submit" class="btn grave" disabled={eventName !== name || password === ''}>
            {c('wipeEverything')}
          </button>
        </div>
      </form>
    </Section>
  )
}

/** The server goes away and comes back; whoever ordered it is signed out by then, unless it has failed. */
function UnderWay({ back }: { back: () => void }) {
  useEffect(() => {
    let isGone = false
    const look = async () => {
      const answer = await fetch('/api/v3/client/health', { cache: 'no-store' }).catch(() => undefined)
      // Who is signed out is led to the form by this.
      const isSignedIn = answer?.ok && (await client.user.whoami().catch(() => undefined))
      if (isGone) return
      if (isSignedIn) back()
      else timer = setTimeout(() => void look(), askEveryMs)
    }
    let timer = setTimeout(() => void look(), firstAskAfterMs)
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [])
  return (
    <ConsolePage title={c('wipe')}>
      <div class="card pad after-tabs" role="status">
        <h2>{c('wipeRunning')}</h2>
        <p>{c('wipeRunningText')}</p>
        <progress aria-label={c('wipeRunning')} />
      </div>
    </ConsolePage>
  )
}

function Proof({ of: { endedAt, proof } }: { of: WipeStateData }) {
  if (!proof || !endedAt) return null
  return (
    <Section title={c('wipeProof')}>
      <div class="card pad">
        <p>{c('wipeProofText', { time: `${fullDay(endedAt)}, ${clock(endedAt)}` })}</p>
        <p class={proof.isClean ? '' : 'warn'}>{c(proof.isClean ? 'wipeClean' : 'wipeUnclean')}</p>
        <table>
          <thead>
            <tr>
              <th scope="col">{c('wipeRows')}</th>
              <th scope="col">{c('wipeLeft')}</th>
            </tr>
          </thead>
          <tbody>
            {proof.left.map(({ what, rows }) => (
              <tr key={what}>
                <td class="number">{rows}</td>
                <td>{what}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="quiet">{c('wipeAccounts', { names: proof.accounts.join(', ') })}</p>
      </div>
    </Section>
  )
}
