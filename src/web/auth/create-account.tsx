// A new account: a name, a password and the code from the cabin; then the words that open it again.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { CreatedUserData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Welcome } from '../help/page.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Page } from '../kit/page.tsx'
import { attempt } from '../kit/toast.tsx'
import { signIn } from '../session.ts'
import { t } from '../texts.ts'

const fields = ['username', 'password', 'verification']

export function CreateAccount() {
  const [values, setValues] = useState({ username: '', password: '', verification: '' })
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [created, setCreated] = useState<CreatedUserData>()
  const change = (name: keyof typeof values) => (value: string) => setValues((before) => ({ ...before, [name]: value }))
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    const { verification, ...account } = values
    await client.user
      .create({ ...account, ...(verification.trim() !== '' && { verification: verification.trim() }) })
      .then(setCreated, setError)
    setBusy(false)
  }
  if (created) return <Created account={created} password={values.password} />
  return (
    <Page title={t('createAccount')} back="/login">
      <Welcome />
      <form class="card pad door" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('username')}
          hint={t('usernameHint')}
          error={errorOf(error, 'username')}
          value={values.username}
          change={change('username')}
          input={{ name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true }}
        />
        <Field
          label={t('password')}
          hint={t('passwordHint')}
          error={errorOf(error, 'password')}
          value={values.password}
          change={change('password')}
          input={{ name: 'password', type: 'password', autocomplete: 'new-password', minLength: 6, maxLength: 50, required: true }}
        />
        <Field
          label={t('code')}
          hint={t('codeHint')}
          error={errorOf(error, 'verification')}
          value={values.verification}
          change={change('verification')}
          input={{ name: 'verification', autocomplete: 'off', autocapitalize: 'characters', spellcheck: false, maxLength: 10 }}
        />
        <p class="quiet">
          {t('conductNote')} <Link href="/codeOfConduct">{t('help.codeOfConduct')}</Link>
        </p>
        <FormError error={error} fields={fields} />
        <button type="submit" class="btn" disabled={busy}>
          {t('createAccount')}
        </button>
      </form>
      <p class="door-links">
        <Link href="/login">{t('haveAccount')}</Link>
      </p>
    </Page>
  )
}

/** The recovery key is shown this once. */
function Created({ account, password }: { account: CreatedUserData; password: string }) {
  return (
    <Page title={t('welcomeName', { name: account.username })}>
      <div class="card pad door">
        <p>{t('recoveryText')}</p>
        <div class="recovery-card">
          <p class="label">{t('recoveryCard', { name: account.username })}</p>
          <p class="recovery">{account.recoveryKey}</p>
          <p class="quiet">{location.host}</p>
        </div>
        <button type="button" class="btn quiet" onClick={() => print()}>
          {t('printCard')}
        </button>
        <button type="button" class="btn" onClick={() => void attempt(() => signIn(account.username, password))}>
          {t('recoveryDone')}
        </button>
      </div>
    </Page>
  )
}
