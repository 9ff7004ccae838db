// The words that open an account again, shown this once: to be written down or printed.
import type { ComponentChildren } from 'preact'
import { t } from '../texts.ts'

interface RecoveryCardProps {
  username: string
  recoveryKey: string
  /** The button for whoever has written them down. */
  children: ComponentChildren
}

export function RecoveryCard({ username, recoveryKey, children }: RecoveryCardProps) {
  return (
    <div class="card pad door">
      <p>{t('recoveryText')}</p>
      <div class="recovery-card">
        <p class="label">{t('recoveryCard', { name: username })}</p>
        <p class="recovery">{recoveryKey}</p>
        <p class="quiet">{location.host}</p>
      </div>
      <button type="button" class="btn quiet" onClick={() => print()}>
        {t('printCard')}
      </button>
      {children}
    </div>
  )
}
