// What opens an account again, shown this once: to be written down, copied, saved or printed.
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { attempt, toast } from '../kit/toast.tsx'
import { t } from '../texts.ts'

interface CardProps {
  /** Says what it is for. */
  text: string
  title: string
  /** Each in its own line. */
  secrets: readonly string[]
  /** The name of the file. */
  file: string
  /** The button for whoever has written them down. */
  children: ComponentChildren
}

export function SecretCard({ text, title, secrets, file, children }: CardProps) {
  const words = `${title}\n${secrets.join('\n')}\n${location.host}\n`
  const address = useMemo(() => URL.createObjectURL(new Blob([words], { type: 'text/plain' })), [words])
  const copy = async () => {
    await navigator.clipboard.writeText(secrets.join('\n'))
    toast(t('recovery.copied'))
  }
  return (
    <div class="card pad door">
      <p>{text}</p>
      <div class="recovery-card">
        <p class="label">{title}</p>
        <p class="recovery">{secrets.join('\n')}</p>
        <p class="quiet">{location.host}</p>
      </div>
      {navigator.clipboard && (
        <button type="button" class="btn quiet" onClick={() => void attempt(copy)}>
          {t('recovery.copy')}
        </button>
      )}
      <a class="btn quiet" href={address} download={`${file}.txt`}>
        {t('recovery.save')}
      </a>
      <button type="button" class="btn quiet" onClick={() => print()}>
        {t('printCard')}
      </button>
      {children}
    </div>
  )
}

interface RecoveryCardProps {
  username: string
  recoveryKey: string
  /** The button for whoever has written them down. */
  children: ComponentChildren
}

/** The words of the recovery key. */
export const RecoveryCard = ({ username, recoveryKey, children }: RecoveryCardProps) => (
  <SecretCard
    text={t('recoveryText')}
    title={t('recoveryCard', { name: username })}
    secrets={[recoveryKey]}
    file={`${t('recovery.file')} ${username}`}
  >
    {children}
  </SecretCard>
)
