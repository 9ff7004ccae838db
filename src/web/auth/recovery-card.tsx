// The words that open an account again, shown this once: to be written down, copied, saved or printed.
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { attempt, toast } from '../kit/toast.tsx'
import { t } from '../texts.ts'

interface RecoveryCardProps {
  username: string
  recoveryKey: string
  /** The button for whoever has written them down. */
  children: ComponentChildren
}

export function RecoveryCard({ username, recoveryKey, children }: RecoveryCardProps) {
  const words = `${t('recoveryCard', { name: username })}\n${recoveryKey}\n${location.host}\n`
  const file = useMemo(() => URL.createObjectURL(new Blob([words], { type: 'text/plain' })), [words])
  const copy = async () => {
    await navigator.clipboard.writeText(recoveryKey)
    toast(t('recovery.copied'))
  }
  return (
    <div class="card pad door">
      <p>{t('recoveryText')}</p>
      <div class="recovery-card">
        <p class="label">{t('recoveryCard', { name: username })}</p>
        <p class="recovery">{recoveryKey}</p>
        <p class="quiet">{location.host}</p>
      </div>
      {navigator.clipboard && (
        <button type="button" class="btn quiet" onClick={() => void attempt(copy)}>
          {t('recovery.copy')}
        </button>
      )}
      <a class="btn quiet" href={file} download={`${t('recovery.file')} ${username}.txt`}>
        {t('recovery.save')}
      </a>
      <button type="button" class="btn quiet" onClick={() => print()}>
        {t('printCard')}
      </button>
      {children}
    </div>
  )
}
