// A new password for somebody who has forgotten the old one.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Page, Section } from '../kit/page.tsx'
import { begin } from '../session.ts'
import { t } from '../texts.ts'

const fields = ['username', 'recoveryKey', 'newPassword']

export function ResetPassword() {
  const [values, setValues] = useState({ username: '', recoveryKey: '', newPassword: '' })
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const change = (name: keyof typeof values) => (value: string) => setValues((before) => ({ ...before, [name]: value }))
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    await client.auth.recovery(values).then(begin).catch(setError)
    setBusy(false)
  }
  return (
    <Page title={t('resetPassword')} back="/login">
      <form class="card pad door" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('username')}
          error={errorOf(error, 'username')}
          value={values.username}
          change={change('username')}
          input={{ name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true }}
        />
        <Field
          label={t('recoveryKeyOrCode')}
          hint={t('recoveryKeyHint')}
          error={errorOf(error, 'recoveryKey')}
          value={values.recoveryKey}
          change={change('recoveryKey')}
          input={{ name: 'recoveryKey', autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true }}
        />
        <Field
          label={t('newPassword')}
          hint={t('passwordHint')}
          error={errorOf(error, 'newPassword')}
          value={values.newPassword}
          change={change('newPassword')}
          input={{ name: 'newPassword', type: 'password', autocomplete: 'new-password', minLength: 6, maxLength: 50, required: true }}
        />
        <FormError error={error} fields={fields} />
        <button type="submit" class="btn" disabled={busy}>
          {t('resetPassword')}
        </button>
      </form>
      <ForgotUsername />
    </Page>
  )
}

/** The name, for somebody who has the code from their cabin and the words of their card. */
function ForgotUsername() {
  const [values, setValues] = useState({ registrationCode: '', recoveryKey: '' })
  const [error, setError] = useState<unknown>()
  const [found, setFound] = useState('')
  const change = (name: keyof typeof values) => (value: string) => setValues((before) => ({ ...before, [name]: value }))
  const submit = (event: Event) => {
    event.preventDefault()
    setError(undefined)
    client.auth.username(values).then(({ username }) => setFound(username), setError)
  }
  return (
    <Section title={t('forgotUsername')}>
      <form class="card pad door" onSubmit={submit}>
        <p class="quiet">{t('forgotUsernameText')}</p>
        <Field
          label={t('code')}
          error={errorOf(error, 'registrationCode')}
          value={values.registrationCode}
          change={change('registrationCode')}
          input={{ autocomplete: 'off', autocapitalize: 'characters', spellcheck: false, maxLength: 10, required: true }}
        />
        <Field
          label={t('recoveryKey')}
          error={errorOf(error, 'recoveryKey')}
          value={values.recoveryKey}
          change={change('recoveryKey')}
          input={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true }}
        />
        <FormError error={error} fields={['registrationCode', 'recoveryKey']} />
        {found !== '' && <p role="status">{t('yourUsername', { name: found })}</p>}
        <button type="submit" class="btn quiet">
          {t('findUsername')}
        </button>
      </form>
    </Section>
  )
}
