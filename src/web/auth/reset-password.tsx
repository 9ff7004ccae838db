// A new password for somebody who has forgotten the old one.
import { useState } from 'preact/hooks'
import { client, whoami } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { lazy } from '../kit/lazy.tsx'
import { once } from '../kit/once.ts'
import { Page, Section } from '../kit/page.tsx'
import { attempt } from '../kit/toast.tsx'
import { begin } from '../session.ts'
import { t } from '../texts.ts'
import { NewPasswordField, SignOutApps } from './account-fields.tsx'
import { RecoveryCard } from './recovery-card.tsx'

const Refused = lazy(() => import('./refused.tsx').then((all) => all.Refused), true)

const fields = ['username', 'recoveryKey', 'newPassword']

export function ResetPassword() {
  const [isRecovered, setRecovered] = useState(false)
  const { values, set, error, busy, submit } = useForm({ username: '', recoveryKey: '', newPassword: '', signOutApps: false })
  const [code, setCode] = useState('')
  const recover = async () => {
    await once(client.auth.recovery, { ...values, recoveryKey: values.recoveryKey + code })
    // Keys are made in the first account of a person. Whoever cannot be asked now has a new password all the same.
    const found = await whoami().catch(() => undefined)
    if (found?.isSubAccount) await begin()
    else setRecovered(true)
  }
  if (isRecovered) return <OfferKey username={values.username} password={values.newPassword} />
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
        <SignOutApps value={values.signOutApps} change={set('signOutApps')} />
        {(error || code) && <Refused error={error} code={code} change={setCode} fields={fields} />}
        <button type="submit" class="btn" disabled={busy}>
          {t('resetPassword')}
        </button>
      </form>
      <ForgotUsername />
    </Page>
  )
}

/** The old key stays good: whoever needed it may have lost it, or somebody else may have found it. */
function OfferKey({ username, password }: { username: string; password: string }) {
  const [recoveryKey, setKey] = useState('')
  const { error, busy, submit } = useForm({})
  const make = async () => setKey((await once(client.user.recoverykey, { currentPassword: password })).recoveryKey)
  const goOn = () => void attempt(begin)
  if (recoveryKey !== '') {
    return (
      <Page title={t('newRecoveryKey')}>
        <RecoveryCard username={username} recoveryKey={recoveryKey}>
          <button type="button" class="btn" onClick={goOn}>
            {t('recoveryDone')}
          </button>
        </RecoveryCard>
      </Page>
    )
  }
  return (
    <Page title={t('passwordChanged')}>
      <form class="card pad door" onSubmit={submit(make)}>
        <p>{t('offerRecoveryKey')}</p>
        <FormError error={error} fields={[]} />
        <button type="submit" class="btn" disabled={busy}>
          {t('makeRecoveryKey')}
        </button>
        <button type="button" class="btn quiet" onClick={goOn}>
          {t('keepRecoveryKey')}
        </button>
      </form>
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
