// What the server knows about whoever is signed in, as one file.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { Page } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'

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
    </Page>
  )
}
