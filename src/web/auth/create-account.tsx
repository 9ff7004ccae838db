// A new account: a name, a password and the code from the cabin; then the words that open it again.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { CreatedUserData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Welcome } from '../help/page.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { Page } from '../kit/page.tsx'
import { attempt } from '../kit/toast.tsx'
import { signIn } from '../session.ts'
import { t } from '../texts.ts'
import { AccountFields } from './account-fields.tsx'
import { RecoveryCard } from './recovery-card.tsx'

const fields = ['username', 'password', 'verification']

export function CreateAccount() {
  const [created, setCreated] = useState<CreatedUserData>()
  const { values, set, error, busy, submit } = useForm({ username: '', password: '', verification: '' })
  const create = async () => {
    const { verification, ...account } = values
    setCreated(await once(client.user.create, { ...account, ...(verification.trim() !== '' && { verification: verification.trim() }) }))
  }
  if (created) return <Created account={created} password={values.password} />
  return (
    <Page title={t('createAccount')} back="/login">
      <Welcome />
      <form class="card pad door" onSubmit={submit(create)}>
        <AccountFields {...values} set={set} error={error} isFirst />
        <Field
          label={t('code')}
          hint={t('codeHint')}
          error={errorOf(error, 'verification')}
          value={values.verification}
          change={set('verification')}
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
      <RecoveryCard {...account}>
        <button type="button" class="btn" onClick={() => void attempt(() => signIn(account.username, password, '/welcome'))}>
          {t('recoveryDone')}
        </button>
      </RecoveryCard>
    </Page>
  )
}
