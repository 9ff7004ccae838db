// Users move from one server to the next: a file is downloaded there, uploaded here, looked at, and applied.
import { useRef, useState } from 'preact/hooks'
import type { BulkUserUpdateVerificationData, SettingsUpdateData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { forAll } from '../team/for-all.tsx'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { Download } from './download.tsx'
import { ConsolePage } from '../team/parts.tsx'
import { said, whomDoorTouches } from '../team/reach.tsx'
import { levelOf, type Level } from '../team/rights.ts'
import { c } from '../team/texts.ts'

const watchEveryMs = 2000

export function Moving() {
  const settings = useQuery({ queryKey: ['console settings'], queryFn: () => client.admin.serversettings() })
  return (
    <ConsolePage title={c('moving')}>
      <p class="quiet after-tabs">{c('movingText')}</p>
      <Answer of={settings}>
        {({ minAccessUserLevel, enablePreregistration }) => {
          const isClosed = minAccessUserLevel === 'admin' && !enablePreregistration
          return (
            <>
              <Door level={levelOf(minAccessUserLevel)} enablePreregistration={enablePreregistration} isClosed={isClosed} />
              {isClosed && <Away />}
              {isClosed && <Here />}
            </>
          )
        }}
      </Answer>
    </ConsolePage>
  )
}

/** Who may come in: the level, and whether accounts may be made before that. */
interface Open {
  level: Level
  enablePreregistration: boolean
}

function Door({ isClosed, ...before }: Open & { isClosed: boolean }) {
  const set = async ({ level, enablePreregistration }: Open, seen: Open) => {
    try {
      await client.admin.serversettingsUpdate({
        enableFeatures: [],
        disableFeatures: [],
        minUserAccessLevel: level as Exclude<SettingsUpdateData['minUserAccessLevel'], undefined>,
        enablePreregistration,
        basedOn: [
          { name: 'minAccessUserLevel', value: JSON.stringify(seen.level) },
          { name: 'enablePreregistration', value: JSON.stringify(seen.enablePreregistration) },
        ],
      })
    } finally {
      refresh('console settings', 'console setting states', 'settings')
    }
  }
  const change = () => {
    const after: Open = isClosed
      ? { level: 'banned', enablePreregistration: before.enablePreregistration }
      : { level: 'admin', enablePreregistration: false }
    return attempt(() =>
      forAll({
        title: c(isClosed ? 'moving.askOpen' : 'moving.askClose'),
        Whom: whomDoorTouches(before.level, after.level),
        label: c(isClosed ? 'moving.doOpen' : 'moving.doClose'),
        grave: !isClosed,
        run: () => set(after, before),
        said: c('saved'),
        undo: () => set(before, after),
      }),
    )
  }
  return (
    <Section title={c('moving.door')}>
      <div class="card pad">
        <p role="status">{c(isClosed ? 'moving.closed' : 'moving.open')}</p>
        <div class="deeds">
          <button type="button" class={isClosed ? 'btn quiet' : 'btn'} onClick={() => void change()}>
            {c(isClosed ? 'moving.doOpen' : 'moving.doClose')}
          </button>
        </div>
      </div>
    </Section>
  )
}

/** On the server that people leave. */
function Away() {
  const [asking, setAsking] = useState(false)
  return (
    <Section title={c('moving.away')}>
      <div class="card pad">
        <p>{c('moving.awayText')}</p>
        <div class="deeds">
          <button type="button" class="btn quiet" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {c('moving.download')} …
          </button>
        </div>
      </div>
      {asking && (
        <Download
          name="userfile.zip"
          text={c('moving.downloadText')}
          ask={async (currentPassword) =>
            client.admin.bulkuserfileDownload.url({ ticket: (await client.admin.bulkuserfileTicket({ currentPassword })).ticket })
          }
          close={() => setAsking(false)}
        />
      )}
    </Section>
  )
}

/** On the server that they come to. */
function Here() {
  const [share, setShare] = useState<number>()
  const [error, setError] = useState('')
  const [plan, setPlan] = useState<BulkUserUpdateVerificationData>()
  const input = useRef<HTMLInputElement>(null)
  const guarded = async (work: () => Promise<void>) => {
    setError('')
    try {
      await work()
    } catch (refused) {
      setError((refused as Error).message)
    }
  }
  const upload = (file: File) =>
    guarded(async () => {
      setPlan(undefined)
      setShare(0)
      try {
        await client.admin.bulkuserfileUpload({ body: file }, { onProgress: setShare, retries: 0 })
        setPlan(await client.admin.bulkuserfileVerify())
      } finally {
        setShare(undefined)
      }
    })
  const apply = (people: number) =>
    guarded(async () => {
      await forAll({
        title: c('moving.askApply'),
        Whom: said(c('moving.askApplyText', { n: people })),
        label: c('moving.apply', { n: people }),
        run: async () => {
          setPlan(await client.admin.bulkuserfileUpdateApply())
          refresh('console moving pictures', 'console users', 'console checks')
        },
        said: c('moving.applied'),
      })
    })
  return (
    <Section title={c('moving.here')}>
      <div class="card pad">
        <p>{c('moving.hereText')}</p>
        <label class="drop">
          <b>{c('moving.choose')}</b>
          <small>{c('moving.chooseHint')}</small>
          <input
            ref={input}
            type="file"
            accept=".zip,application/zip"
            disabled={share !== undefined}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? []
              currentTarget.value = ''
              if (file) void upload(file)
            }}
          />
        </label>
        {share !== undefined && <progress value={share} max={1} aria-label={c('moving.sending')} />}
        {error !== '' && (
          <p class="wrong" role="alert">
            {error}
          </p>
        )}
      </div>
      {plan && <PlanOf plan={plan} apply={apply} />}
      <Pictures />
    </Section>
  )
}

function PlanOf({ plan, apply }: { plan: BulkUserUpdateVerificationData; apply: (people: number) => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  const { changesApplied, userCounts, performerCounts, needsPhotographerCounts } = plan
  const rows = [
    [c('people'), userCounts],
    [c('moving.performers'), performerCounts],
    [c('moving.photographers'), needsPhotographerCounts],
  ] as const
  const problems = [
    [c('moving.codes'), plan.regCodeConflicts],
    [c('moving.names'), plan.usernameConflicts],
    [c('moving.left'), plan.errorNotImported],
    [c('moving.faults'), plan.otherErrors],
  ] as const
  return (
    <div class="card pad" role="status">
      <h3>{c(changesApplied ? 'moving.done' : 'moving.plan')}</h3>
      <div class="scroll" tabIndex={0} role="region" aria-label={c('moving.plan')}>
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">{c(changesApplied ? 'moving.came' : 'moving.come')}</th>
              <th scope="col">{c('moving.known')}</th>
              <th scope="col">{c('moving.wrong')}</th>
              <th scope="col">{c('moving.inFile')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(([label, { importedCount, duplicateCount, errorCount, totalRecordsProcessed }]) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td class="number">{importedCount}</td>
                <td class="number">{duplicateCount}</td>
                <td class={errorCount > 0 ? 'number wrong' : 'number'}>{errorCount}</td>
                <td class="number">{totalRecordsProcessed}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problems.map(
        ([label, list]) =>
          list.length > 0 && (
            <details key={label}>
              <summary>
                {label} ({list.length})
              </summary>
              <ul class="bullets">
                {list.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </details>
          ),
      )}
      {!changesApplied && (
        <button
          type="button"
          class="btn"
          disabled={busy || (userCounts.importedCount === 0 && performerCounts.importedCount === 0)}
          onClick={() => {
            setBusy(true)
            void apply(userCounts.importedCount).finally(() => setBusy(false))
          }}
        >
          {c('moving.apply', { n: userCounts.importedCount })}
        </button>
      )}
    </div>
  )
}

/** Pictures follow, one after another. */
function Pictures() {
  const pictures = useQuery({
    queryKey: ['console moving pictures'],
    queryFn: () => client.admin.bulkuserfileImages(),
    refetchInterval: watchEveryMs,
  })
  const { waiting = 0, failed = 0 } = pictures.data ?? {}
  if (waiting === 0 && failed === 0) return null
  return (
    <p class="card pad" role="status">
      {waiting > 0 && c('moving.pictures', { n: waiting })}{' '}
      {failed > 0 && <span class="wrong">{c('moving.picturesFailed', { n: failed })}</span>}
    </p>
  )
}
