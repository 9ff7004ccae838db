// The address by which other pages and apps sign somebody out: it asks first, since any link may lead here.
import { Page } from '../kit/page.tsx'
import { me } from '../session.ts'
import { t } from '../texts.ts'
import { useSignOut } from './sign-out.tsx'

export function SignOutPage() {
  const { signOut, question } = useSignOut()
  return (
    <Page title={t('signOut')} back="/account">
      <div class="card pad">
        <p>@{me.value?.username}</p>
        <p class="buttons">
          <button type="button" class="btn" onClick={() => signOut('here')}>
            {t('signOut')}
          </button>
        </p>
      </div>
      {question}
    </Page>
  )
}
