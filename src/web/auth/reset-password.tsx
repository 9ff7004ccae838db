// A new password for somebody who has forgotten the old one.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Page, Section } from '../kit/page.tsx'
import { begin } from '../session.ts'
import { t } from '../texts.ts'
import { NewPasswordField } from './account-fields.tsx'

const fields = ['username', 'recoveryKey', 'newPassword']

export function ResetPassword() {
  const { values, set, error, busy, submit } = useForm({ username: '', recoveryKey: '', newPassword: '' })
  const recover = async () => {
    await once(client.auth.recovery, values)
    await begin()
  }
  return (
    <Page title={t('resetPassword')} back="/login">
      <form class="card pad door" onSubmit={submit(recover)}>
        <Field
          label={t('username')}
          error={errorOf(error, 'username')}
          value={values.username}
          change={set('username')}
          input={{ name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: false, required: true }}
        />
        <Field
          label={t('recoveryKeyOrCode')}
          hint={t('recoveryKeyHint')}
          error={errorOf(error, 'recoveryKey')}
          value={values.recoveryKey}
          change={set('recoveryKey')}
          input={{ name: 'recoveryKey', autocomplete: 'off', autocapitalize: 'none', spellcheck: false, required: true }}
        />
        <NewPasswordField
          label={t('newPassword')}
          name="newPassword"
          value={values.newPassword}
          change={set('newPassword')}
          error={error}
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
  const { values, set, error, submit } = useForm({ registrationCode: '', recoveryKey: '' })
  const [found, setFound] = useState('')
  const find = async () => setFound((await client.auth.username(values)).username)
  return (
    <Section title={t('forgotUsername')}>
      <form class="card pad door" onSubmit={submit(find)}>
        <p class="quiet">{t('forgotUsernameText')}</p>
        <Field
          label={t('code')}
          error={errorOf(error, 'registrationCode')}
          value={values.registrationCode}
          change={set('registrationCode')}
          input={{ autocomplete: 'off', autocapitalize: 'characters', spellcheck: false, maxLength: 10, required: true }}
        />
        <Field
          label={t('recoveryKey')}
          error={errorOf(error, 'recoveryKey')}
          value={values.recoveryKey}
          change={set('recoveryKey')}
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
