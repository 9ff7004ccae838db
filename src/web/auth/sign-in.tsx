// The door for people who have an account. `?ended`: they were in, and their session is over. `?elsewhere`: it was ended on purpose.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { lazy } from '../kit/lazy.tsx'
import { Field } from '../kit/field.tsx'
import { Page } from '../kit/page.tsx'
import { farewell, signIn } from '../session.ts'
import { t, type TextKey } from '../texts.ts'

const Refused = lazy(() => import('./refused.tsx').then((all) => all.Refused), true)
const OtherWays = lazy(() => import('../passkey/other-ways.tsx').then((all) => all.OtherWays), true)

export function SignIn() {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const why = whyHere()
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    await signIn(username.trim(), password + code).catch(setError)
    setBusy(false)
  }
  return (
    <Page title="Quarterdeck" sub={t('welcome')} actions={<img class="mark" src="/icon.svg" alt="" width={48} height={48} />}>
      <form class="card pad door" onSubmit={(event) => void submit(event)}>
        {why && <p role="status">{t(why)}</p>}
        <Field
          label={t('username')}
          value={username}
          change={setUsername}
          input={{ name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true }}
        />
        <Field
          label={t('password')}
          value={password}
          change={setPassword}
          input={{ name: 'password', type: 'password', autocomplete: 'current-password', required: true }}
        />
        {(error || code) && <Refused error={error} code={code} change={setCode} />}
        <button type="submit" class="btn" disabled={busy}>
          {t('signIn')}
        </button>
        <OtherWays />
      </form>
      <p class="door-links">
        <Link href="/createAccount">{t('createAccount')}</Link>
        <Link href="/resetPassword">{t('forgotPassword')}</Link>
      </p>
    </Page>
  )
}

/** Why somebody who was in stands at the door. */
function whyHere(): TextKey | undefined {
  if (farewell.value) return farewell.value === 'owed' ? 'signOutOwed' : 'signOutTold'
  const asked = new URLSearchParams(location.search)
  return asked.has('elsewhere') ? 'signedOutElsewhere' : asked.has('ended') ? 'sessionEnded' : undefined
}
