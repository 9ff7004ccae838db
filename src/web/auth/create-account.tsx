// A new account: a name, a password and the code from the cabin; then the words that open it again.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { CreatedUserData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Welcome } from '../help/page.tsx'
import { once } from '../kit/once.ts'
import { Page } from '../kit/page.tsx'
import { attempt } from '../kit/toast.tsx'
import { signIn } from '../session.ts'
import { t } from '../texts.ts'
import { NewAccountForm, type NewAccount } from './new-account-form.tsx'
import { RecoveryCard } from './recovery-card.tsx'

export function CreateAccount() {
  const [created, setCreated] = useState<{ account: CreatedUserData; password: string }>()
  const create = async (wanted: NewAccount) => setCreated({ account: await once(client.user.create, wanted), password: wanted.password })
  if (created) return <Created {...created} />
  return (
    <Page title={t('createAccount')} back="/login">
      <Welcome />
      <NewAccountForm create={create} label={t('createAccount')} />
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
