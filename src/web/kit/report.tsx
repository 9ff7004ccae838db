// Tells the moderators of something.
import { t } from '../texts.ts'
import { Ask } from './ask.tsx'
import { toast } from './toast.tsx'

export function Report({ report, close }: { report: (message: string) => Promise<unknown>; close: () => void }) {
  return (
    <Ask
      title={t('report')}
      label={t('reportLabel')}
      done={t('send')}
      rows={3}
      close={close}
      run={async (message) => {
        await report(message)
        toast(t('reported'))
      }}
    />
  )
}
