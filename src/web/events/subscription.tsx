// The address under which calendar programs read one's plan: made, shown once, ended.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { AddressCard } from '../kit/share.tsx'
import { Answer } from '../kit/states.tsx'
import { useSure } from '../kit/sure.tsx'
import { fullDay } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { useQuery } from '../store.ts'
import { t } from '../texts.ts'

export function Subscription() {
  const [open, setOpen] = useState(false)
  return (
    <details class="card pad calendar-address" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('calendarProgram')}</summary>
      <p class="quiet">{t('calendar.text')}</p>
      {open && <Address />}
    </details>
  )
}

function Address() {
  const known = useQuery({ queryKey: ['calendar'], queryFn: () => client.user.calendar(), staleTime: 0 })
  const [url, setUrl] = useState<string>()
  const { ask, question } = useSure()
  const make = async () => {
    const { path } = await client.user.setCalendar()
    setUrl(`${location.origin}${path}`)
    await known.refetch()
  }
  const end = async () => {
    await client.user.removeCalendar()
    setUrl(undefined)
    await known.refetch()
  }
  return (
    <Answer of={known} rows={1}>
      {({ createdAt }) => (
        <>
          {url && (
            <>
              <p role="status">{t('calendar.once')}</p>
              <p>
                <a class="btn" href={url.replace(/^http/, 'webcal')}>
                  {t('calendar.open')}
                </a>
              </p>
              <AddressCard url={url} title={t('calendar.name')} />
            </>
          )}
          {createdAt && !url && <p>{t('calendar.since', { time: fullDay(createdAt) })}</p>}
          <div class="buttons">
            <button type="button" class={createdAt ? 'btn quiet' : 'btn'} onClick={() => void attempt(make)}>
              {t(createdAt ? 'calendar.remake' : 'calendar.make')}
            </button>
            {createdAt && (
              <button
                type="button"
                class="btn quiet grave"
                aria-haspopup="dialog"
                onClick={() => ask({ title: t('calendar.sure'), text: t('calendar.sureText'), done: t('calendar.end'), run: end })}
              >
                {t('calendar.end')}
              </button>
            )}
          </div>
          {question}
        </>
      )}
    </Answer>
  )
}
