// Backups: made, tried, downloaded. How far each is comes from the worker that does it.
import { useState } from 'preact/hooks'
import type { BackupListData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { language } from '../texts.ts'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage } from './parts.tsx'
import { c } from './texts.ts'

const mebibyte = 1024 * 1024
const watchEveryMs = 1000
const restEveryMs = 15_000
const isUnderWay = ({ state }: { state: string }) => state === 'waiting' || state === 'running'

export function Backups() {
  const [busy, setBusy] = useState(false)
  const list = useQuery({
    queryKey: ['console backups'],
    queryFn: async () => {
      const all = await client.admin.backups()
      setBusy(all.work.some(isUnderWay))
      return all
    },
    refetchInterval: busy ? watchEveryMs : restEveryMs,
  })
  const make = () =>
    attempt(async () => {
      await client.admin.setBackups()
      refresh('console backups')
    })
  return (
    <ConsolePage title={c('backups')}>
      <Answer of={list}>
        {(known) => (
          <>
            <div class="card pad after-tabs">
              <p>{c('backupText')}</p>
              <p class="quiet">{known.nightly ? c('nightly') : c('notNightly')}</p>
              <div class="deeds">
                <button
                  type="button"
                  class="btn"
                  disabled={known.work.some((work) => work.kind === 'backup' && isUnderWay(work))}
                  onClick={() => void make()}
                >
                  {c('makeBackup')}
                </button>
              </div>
            </div>
            <Files all={known} />
            {known.work.length > 0 && <Work all={known} />}
          </>
        )}
      </Answer>
    </ConsolePage>
  )
}

function Files({ all: { backups, work } }: { all: BackupListData }) {
  const [download, setDownload] = useState<string>()
  const trying = work.some(({ kind, state }) => kind === 'verify' && isUnderWay({ state }))
  const tryOut = (backup_name: string) =>
    attempt(async () => {
      await client.admin.backupsVerify({ backup_name })
      refresh('console backups')
    })
  return (
    <Section title={c('backups')}>
      {backups.length === 0 ? (
        <p class="card pad quiet">{c('noBackups')}</p>
      ) : (
        <ul class="card">
          {backups.map(({ name, bytes, createdAt, verifiedAt }) => (
            <li key={name} class="group">
              <span class={`dot ${verifiedAt ? 'good' : ''}`} aria-hidden="true" />
              <span class="grow">
                <b class="id">{name}</b>
                <small>
                  {c('backupFacts', {
                    size: new Intl.NumberFormat(language.value, { maximumFractionDigits: 1 }).format(bytes / mebibyte),
                    time: when(createdAt),
                  })}{' '}
                  · {verifiedAt ? c('verifiedAt', { time: when(verifiedAt) }) : c('notVerified')}
                </small>
              </span>
              <span class="deeds tight">
                <button type="button" class="btn quiet" title={c('verifyText')} disabled={trying} onClick={() => void tryOut(name)}>
                  {c('verify')}
                </button>
                <button type="button" class="btn quiet" onClick={() => setDownload(name)}>
                  {c('download')} …
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {download && <Download name={download} close={() => setDownload(undefined)} />}
    </Section>
  )
}

function Download({ name, close }: { name: string; close: () => void }) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<unknown>()
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      const { ticket } = await client.admin.backupsTicket({ backup_name: name, currentPassword: password })
      const link = document.createElement('a')
      link.href = client.admin.backupsOf.url({ backup_name: name, ticket })
      link.download = name
      link.click()
      close()
    } catch (refused) {
      setError(refused)
    }
  }
  return (
    <Dialog title={c('download')} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{c('downloadText')}</p>
        <Field
          label={c('currentPassword')}
          value={password}
          change={setPassword}
          error={errorOf(error, 'currentPassword')}
          input={{ type: 'password', autoComplete: 'current-password', required: true }}
        />
        <FormError error={error} fields={['currentPassword']} />
        <div class="buttons">
          <button type="button" class="btn quiet" onClick={close}>
            {c('cancel')}
          </button>
          <button type="submit" class="btn">
            {c('download')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const dots = { waiting: 'taken', running: 'taken', done: 'good', failed: 'bad' } as const

function Work({ all: { work } }: { all: BackupListData }) {
  return (
    <Section title={c('work')}>
      <ul class="card" aria-live="polite">
        {work.map(({ operationID, kind, file, state, note, askedBy, createdAt }) => (
          <li key={operationID} class="group">
            <span class={`dot ${dots[state]}`} aria-hidden="true" />
            <span class="grow">
              <b>
                {c(`work.${kind}`)}: {c(`workState.${state}`)}
              </b>
              {note && <small class={state === 'failed' ? 'wrong' : ''}>{note}</small>}
              <small>
                {file} · {c('ownedBy', { name: nameOf(askedBy), time: when(createdAt) })}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
