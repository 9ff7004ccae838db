// A new recovery key, for somebody who has lost the old one or does not trust it any more.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { RecoveryCard } from '../auth/recovery-card.tsx'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Page } from '../kit/page.tsx'
import { me } from '../session.ts'
import { t } from '../texts.ts'

export function NewRecoveryKey() {
  const [recoveryKey, setKey] = useState('')
  const { values, set, error, busy, submit } = useForm({ currentPassword: '' })
  if (!me.value) return null
  const make = async () => setKey((await once(client.user.recoverykey, values)).recoveryKey)
  return (
    <Page title={t('newRecoveryKey')} back="/account">
      {recoveryKey === '' ? (
        <form class="card pad door" onSubmit={submit(make)}>
          <p>{t('newRecoveryKeyText')}</p>
          <Field
            label={t('yourPassword')}
            value={values.currentPassword}
            change={set('currentPassword')}
            error={errorOf(error, 'currentPassword')}
            input={{ type: 'password', autocomplete: 'current-password', required: true }}
          />
          <FormError error={error} fields={['currentPassword']} />
          <button type="submit" class="btn" disabled={busy}>
            {t('makeRecoveryKey')}
          </button>
        </form>
      ) : (
        <RecoveryCard username={me.value.username} recoveryKey={recoveryKey}>
          <Link href="/account" class="btn">
            {t('recoveryDone')}
          </Link>
        </RecoveryCard>
      )}
    </Page>
  )
}
