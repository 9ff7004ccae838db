// In place of what only verified people may do: why it is not there, and the code that changes it.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { me, refreshMe } from '../session.ts'
import { queries } from '../store.ts'
import { t } from '../texts.ts'
import { Ask } from './ask.tsx'

export function NotYet() {
  const [open, setOpen] = useState(false)
  if (me.value?.accessLevel !== 'unverified') return null
  return (
    <div class="card notice">
      <p>{t('unverified')}</p>
      <button type="button" class="btn" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t('enterCode')}
      </button>
      {open && (
        <Ask
          title={t('enterCode')}
          label={t('code')}
          done={t('save')}
          field="verification"
          input={{ required: true, maxLength: 10, autocapitalize: 'characters', autocomplete: 'off' }}
          close={() => setOpen(false)}
          run={async (code) => {
            try {
              await client.user.verify({ verification: code.trim() })
            } finally {
              // Whatever the answer: the one before it may have been lost.
              await refreshMe().catch(() => undefined)
              // The server may have shown nothing before.
              void queries.invalidateQueries()
            }
          }}
        />
      )}
    </div>
  )
}
