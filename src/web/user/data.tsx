// What the server knows about whoever is signed in, as one file.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { end } from '../session.ts'

const watchEveryMs = 2000
const mebibyte = 1024 * 1024

export function OwnData() {
  const [busy, setBusy] = useState(false)
  const file = useQuery({
    queryKey: ['own data'],
    queryFn: async () => {
      const state = await client.user.export()
      setBusy(state.state === 'waiting' || state.state === 'running')
      return state
    },
    staleTime: 0,
    refetchInterval: busy && watchEveryMs,
  })
  const order = () =>
    attempt(async () => {
      await client.user.setExport()
      refresh('own data')
    })
  return (
    <Page title={t('ownData')} back="/account">
      <div class="card pad">
        <p>{t('ownDataText')}</p>
        <Answer of={file} rows={1}>
          {({ state, createdAt, bytes }) => (
            <>
              <p class="quiet" role="status">
                {state === 'waiting' || state === 'running'
                  ? t('ownDataComes')
                  : state === 'failed'
                    ? t('ownDataFailed')
                    : state === 'done' && t('ownDataReady', { time: when(createdAt ?? ''), size: ((bytes ?? 0) / mebibyte).toFixed(1) })}
              </p>
              <div class="buttons">
                {state === 'done' && (
                  <a class="btn" href={client.user.exportFile.url()} download>
                    {t('download')}
                  </a>
                )}
                {state !== 'waiting' && state !== 'running' && (
                  <button type="button" class="btn quiet" onClick={() => void order()}>
                    {t('ownDataMake')}
                  </button>
                )}
              </div>
            </>
          )}
        </Answer>
      </div>
      <Deletion />
    </Page>
  )
}

/** The way out, where the host allows it. */
function Deletion() {
  const state = useQuery({ queryKey: ['deletion'], queryFn: () => client.user.deletion(), staleTime: 0 })
  const [open, setOpen] = useState(false)
  return (
    <Section title={t('deleteAccount')}>
      <div class="card pad">
        <Answer of={state} rows={1}>
          {({ allowed, reason, code, accounts, groups }) =>
            allowed ? (
              <>
                <p>{t('deleteAccountText')}</p>
                <div class="buttons">
                  <button type="button" class="btn grave" aria-haspopup="dialog" onClick={() => setOpen(true)}>
                    {t('deleteAccount')} …
                  </button>
                </div>
                {open && <DeletionDialog accounts={accounts} groups={groups} close={() => setOpen(false)} />}
              </>
            ) : (
              <p class="quiet">{code === 'deletion_not_allowed' ? t('deleteNotAllowed') : reason}</p>
            )
          }
        </Answer>
      </div>
    </Section>
  )
}

function DeletionDialog({ accounts, groups, close }: { accounts: readonly string[]; groups: number; close: () => void }) {
  const [username, setUsername] = useState('')
  const [currentPassword, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const [first = '', ...others] = accounts
  const submit = async (event: Event) => {
    event.preventDefault()
    setError(undefined)
    try {
      await end(() => client.user.delete({ username, currentPassword }))
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <Dialog title={t('deleteAccount')} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{t('deleteGoes')}</p>
        <p>{t('deleteStays')}</p>
        {others.length > 0 && <p class="warn">{t('deleteOthers', { names: others.map((name) => `@${name}`).join(', ') })}</p>}
        {groups > 0 && <p class="warn">{t('deleteGroups', { n: groups })}</p>}
        <p class="warn">{t('deleteForGood')}</p>
        <Field
          label={t('deleteTypeName', { name: first })}
          value={username}
          change={setUsername}
          error={errorOf(error, 'username')}
          input={{ autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
        />
        <Field
          label={t('yourPassword')}
          value={currentPassword}
          change={setPassword}
          error={errorOf(error, 'currentPassword')}
          input={{ type: 'password', autocomplete: 'current-password' }}
        />
        <FormError error={error} fields={['username', 'currentPassword']} />
        <div class="buttons">
          <button type="button" class="btn quiet" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="btn grave" disabled={username.toLowerCase() !== first.toLowerCase() || currentPassword === ''}>
            {t('deleteAccountNow')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
