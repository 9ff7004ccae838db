// The clocks: the ship's and this device's, and how far they are apart.
import { useEffect, useState } from 'preact/hooks'
import { Page } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { duration } from '../kit/duration.ts'
import { clock, deviceClock, fullDay, zones } from '../kit/time.ts'
import { useNumbers } from '../notification/query.ts'
import { locale, t } from '../texts.ts'

const toleratedMs = 60_000

export function Time() {
  const numbers = useNumbers()
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(ticking)
  }, [])
  const device = `${new Intl.DateTimeFormat(locale(), { dateStyle: 'full' }).format(now)}, ${deviceClock(new Date(now))}`
  return (
    <Page title={t('time')} back="/account">
      <Answer of={numbers}>
        {({ serverTime, serverTimeZone, serverTimeOffset }) => {
          // What has passed since the answer came is the same on both clocks.
          const behind = Date.parse(serverTime) - numbers.dataUpdatedAt
          const ship = new Date(now + behind)
          return (
            <section class="card pad about">
              <p class="clock">
                <time dateTime={ship.toISOString()}>{clock(ship)}</time>
              </p>
              <p>{fullDay(ship)}</p>
              <p class="quiet">{t('shipZone', { zone: serverTimeZone, offset: offsetText(serverTimeOffset) })}</p>
              <p class="quiet">{t('deviceTime', { time: device })}</p>
              <p>{differenceText(serverTimeOffset + new Date(now).getTimezoneOffset() * 60)}</p>
              <NextZone from={now + behind} />
              {Math.abs(behind) > toleratedMs && (
                <p class="notice">{t('deviceClockWrong', { n: Math.round(Math.abs(behind) / toleratedMs) })}</p>
              )}
            </section>
          )
        }}
      </Answer>
    </Page>
  )
}

/** How far the clocks are apart when both go right. `seconds` is by how much the ship's shows more. */
function differenceText(seconds: number): string {
  if (seconds === 0) return t('time.same')
  return t(seconds > 0 ? 'time.shipMore' : 'time.shipLess', { time: duration(Math.abs(seconds)) })
}

/** When the ship's clocks change next, as far as that is planned. */
function NextZone({ from }: { from: number }) {
  const next = zones.value.find(([start]) => start > from)
  if (!next) return null
  const [start, zone] = next
  // By the clocks that hold until then.
  const before = new Date(start - 1000)
  return <p class="quiet">{t('time.next', { day: fullDay(before), time: clock(new Date(start)), zone })}</p>
}

function offsetText(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60)
  return `UTC${seconds < 0 ? '−' : '+'}${Math.floor(minutes / 60)}${minutes % 60 ? `:${String(minutes % 60).padStart(2, '0')}` : ''}`
}
