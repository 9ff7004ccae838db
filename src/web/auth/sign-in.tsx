// The door for people who have an account. `?ended`: they were in, and their session is over.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { Field, FormError } from '../kit/field.tsx'
import { Page } from '../kit/page.tsx'
import { signIn } from '../session.ts'
import { t } from '../texts.ts'

export function SignIn() {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    await signIn(username.trim(), password).catch(setError)
    setBusy(false)
  }
  return (
    <Page title="Quarterdeck" sub={t('welcome')} actions={<img class="mark" src="/icon.svg" alt="" width={48} height={48} />}>
      <form class="card pad door" onSubmit={(event) => void submit(event)}>
        {new URLSearchParams(location.search).has('ended') && <p role="status">{t('sessionEnded')}</p>}
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
        <FormError error={error} fields={[]} />
        <button type="submit" class="btn" disabled={busy}>
          {t('signIn')}
        </button>
      </form>
      <p class="door-links">
        <Link href="/createAccount">{t('createAccount')}</Link>
        <Link href="/resetPassword">{t('forgotPassword')}</Link>
      </p>
    </Page>
  )
}
