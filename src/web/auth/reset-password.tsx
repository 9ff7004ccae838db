// A new password for somebody who has forgotten the old one.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Page } from '../kit/page.tsx'
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
          label={t('recoveryKey')}
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
    </Page>
  )
}
