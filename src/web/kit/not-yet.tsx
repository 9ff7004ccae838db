// In place of what only verified people may do: why it is not there, and the way to it.
import { Link } from 'wouter-preact'
import { me } from '../session.ts'
import { t } from '../texts.ts'

export function NotYet() {
  if (me.value?.accessLevel !== 'unverified') return null
  return (
    <p class="card notice">
      {t('unverified')} <Link href="/account">{t('enterCode')}</Link>
    </p>
  )
}
