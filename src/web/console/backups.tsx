// Backups: made, tried, downloaded. How far each is comes from the worker that does it.
import { useState } from 'preact/hooks'
import type { BackupListData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { nameOf } from '../kit/face.tsx'
import { Choice } from '../kit/choice.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { useForm } from '../kit/form.ts'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, fullDay, when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { locale } from '../texts.ts'
import { refresh, useQuery } from '../store.ts'
import { Download } from './download.tsx'
import { noteOf } from './notes.ts'
import { ConsolePage } from '../team/parts.tsx'
import { said } from '../team/reach.tsx'
import { c } from '../team/texts.ts'

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
            <Night all={known} />
            <Files all={known} />
            {known.work.length > 0 && <Work all={known} />}
          </>
        )}
      </Answer>
    </ConsolePage>
  )
}

const hourName = (hour: number) => `${String(hour).padStart(2, '0')}:00`
const hours = Array.from({ length: 24 }, (_, hour) => [String(hour), hourName(hour)] as const)

/** Whether one is made every night, and how the last one ended. */
function Night({ all: { schedule, nextAt, lastNight } }: { all: BackupListData }) {
  const { values, set, error, busy, submit } = useForm({ ...schedule, hour: String(schedule.hour), keep: String(schedule.keep) })
  const { nightly, hour, keep } = values
  const change = async (wanted: BackupListData['schedule'], basedOn: BackupListData['schedule']) => {
    try {
      await client.admin.backupsSchedule({ ...wanted, basedOn })
    } finally {
      refresh('console backups', 'console checks', 'console event')
    }
  }
  const save = async () => {
    const wanted = { nightly, hour: Number(hour), keep: Number(keep) }
    await forAll({
      title: c('askNightly'),
      Whom: said(c(nightly ? 'askNightlyOn' : 'askNightlyOff', { hour: hourName(wanted.hour), n: wanted.keep })),
      label: c('save'),
      grave: !nightly,
      run: () => change(wanted, schedule),
      said: c('saved'),
      undo: () => change(schedule, wanted),
    })
  }
  return (
    <Section title={c('everyNight')}>
      <form class="card pad" onSubmit={submit(save)}>
        {lastNight && (
          <p class={lastNight.state === 'failed' ? 'wrong' : ''} role="status">
            {c(`lastNight.${lastNight.state}`, { time: when(lastNight.endedAt ?? lastNight.createdAt), note: noteOf(lastNight) })}
          </p>
        )}
        <p class="quiet">{nextAt ? c('nextNight', { time: `${fullDay(nextAt)}, ${clock(nextAt)}` }) : c('noNight')}</p>
        <label class="tick">
          <input type="checkbox" checked={nightly} onChange={({ currentTarget }) => set('nightly')(currentTarget.checked)} />
          {c('makeNightly')}
        </label>
        {nightly && (
          <div class="fields">
            <Choice label={c('nightHour')} value={hour} options={hours} change={set('hour')} />
            <Field
              label={c('nightKeep')}
              value={keep}
              change={set('keep')}
              hint={c('nightKeepHint')}
              error={errorOf(error, 'keep')}
              input={{ type: 'number', min: 1, max: 100, required: true }}
            />
          </div>
        )}
        <FormError error={error} fields={['keep']} />
        <button type="submit" class="btn quiet" disabled={busy}>
          {c('save')}
        </button>
      </form>
    </Section>
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
                    size: new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }).format(bytes / mebibyte),
                    time: when(createdAt),
                  })}{' '}
                  · {verifiedAt ? c('verifiedAt', { time: when(verifiedAt) }) : c('notVerified')}
                </small>
              </span>
              <span class="deeds tight">
                <button type="button" class="btn quiet" title={c('verifyText')} disabled={trying} onClick={() => void tryOut(name)}>
                  {c('verify')}
                </button>
                <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setDownload(name)}>
                  {c('download')} …
                </button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {download && (
        <Download
          name={download}
          text={c('downloadText')}
          ask={async (currentPassword) => {
            const { ticket } = await client.admin.backupsTicket({ backup_name: download, currentPassword })
            return client.admin.backupsOf.url({ backup_name: download, ticket })
          }}
          close={() => setDownload(undefined)}
        />
      )}
    </Section>
  )
}

const dots = { waiting: 'taken', running: 'taken', done: 'good', failed: 'bad' } as const

function Work({ all: { work } }: { all: BackupListData }) {
  return (
    <Section title={c('work')}>
      <ul class="card" aria-live="polite">
        {work.map(({ operationID, kind, file, state, askedBy, createdAt, ...said }) => (
          <li key={operationID} class="group">
            <span class={`dot ${dots[state]}`} aria-hidden="true" />
            <span class="grow">
              <b>
                {c(`work.${kind}`)}: {c(`workState.${state}`)}
              </b>
              {said.note && <small class={state === 'failed' ? 'wrong' : ''}>{noteOf(said)}</small>}
              <small>
                {file} ·{' '}
                {askedBy ? c('ownedBy', { name: nameOf(askedBy), time: when(createdAt) }) : c('byNight', { time: when(createdAt) })}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
