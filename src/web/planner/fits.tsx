// "I have two hours": what fits, in an order that somebody may like.
import { noFilter, useGroupList } from '../fez/lists.ts'
import { useGroups } from '../fez/query.ts'
import { useEvents } from '../events/query.ts'
import { ChoiceChip } from '../kit/choice.tsx'
import { useTicks } from '../kit/countdown.ts'
import { Page, Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, dayKey, shortWeekday } from '../kit/time.ts'
import { useKept } from '../place.ts'
import { t, type TextKey } from '../texts.ts'
import { bestOf, fitsInto, openDuring, spanOf, walkMinutes, type Fit, type Span } from './fits.ts'
import { idOf, offersOf, placeOf, planOf, type Planned } from './plan.ts'
import { PlannedRow } from './row.tsx'
import './texts.ts'

const hourMs = 60 * 60_000
const lengths = ['1', '2', '3', '4', '6'] as const
/** So many full hours can be chosen as the beginning. */
const beginnings = 36
const shownAlso = 20

export function Fits() {
  useTicks(60_000)
  const events = useEvents()
  const { data: joined } = useGroups()
  const { data: open } = useGroupList('open', noFilter)
  const [from, setFrom] = useKept('from', '')
  const [hours, setHours] = useKept<(typeof lengths)[number]>('hours', '2')
  return (
    <Page title={t('fits.title')} back="/dayplanner">
      <Answer of={events} rows={8}>
        {(all) => {
          const offers = offersOf(all, open?.fezzes ?? [])
          const plan = planOf(all, joined?.fezzes ?? [])
          const choices = beginningsOf(offers)
          const begin = choices.some(([value]) => value === from) ? from : (choices[0]?.[0] ?? 'now')
          const fromMs = begin === 'now' ? Date.now() : Number(begin)
          return (
            <>
              <div class="narrowed">
                <ChoiceChip label={t('fits.from')} value={begin} options={choices} change={setFrom} />
                <ChoiceChip
                  label={t('fits.howLong')}
                  value={hours}
                  options={lengths.map((each) => [each, t('fits.hours', { n: Number(each) })] as const)}
                  change={setHours}
                />
              </div>
              <Spend free={{ from: fromMs, to: fromMs + Number(hours) * hourMs }} offers={offers} plan={plan} />
            </>
          )
        }}
      </Answer>
      <p class="after-tabs">
        <small>{t('fits.local')}</small>
      </p>
    </Page>
  )
}

/** Now, and full hours from the next one on; before the first day, those from its first event on. */
function beginningsOf(offers: readonly Planned[]): [string, string][] {
  const now = Date.now()
  const next = offers.find(({ endTime }) => Date.parse(endTime) > now)
  const first = next ? Math.max(now, Date.parse(next.startTime)) : now
  const isNow = first - now < hourMs
  const start = isNow ? Math.floor(now / hourMs) * hourMs + hourMs : Math.floor(first / hourMs) * hourMs
  const hours = Array.from({ length: beginnings }, (_, index): [string, string] => {
    const hour = new Date(start + index * hourMs)
    const day = dayKey(hour) === dayKey(new Date()) ? '' : `${shortWeekday(hour)} `
    return [String(hour.getTime()), `${day}${clock(hour)}`]
  })
  return isNow ? [['now', t('fits.now')], ...hours] : hours
}

function Spend({ free, offers, plan }: { free: Span; offers: readonly Planned[]; plan: readonly Planned[] }) {
  const fits = fitsInto(free, offers, plan)
  const best = bestOf(fits)
  const chosen = new Set(best.map(({ planned }) => idOf(planned)))
  const also = fits.filter(({ planned }) => !chosen.has(idOf(planned))).slice(0, shownAlso)
  const open = openDuring(free, offers)
  const planned = plan.filter((each) => {
    const span = spanOf(each)
    return span.from < free.to && free.from < span.to
  })
  const day = [...best, ...planned.map((each): Fit => ({ planned: each, score: 0, reasons: [] }))].sort((a, b) =>
    a.planned.startTime < b.planned.startTime ? -1 : 1,
  )
  return (
    <>
      {best.length === 0 && <Empty title={t('fits.none')}>{t('fits.noneText')}</Empty>}
      {day.length > 0 && (
        <Section title={t(best.length > 0 ? 'fits.best' : 'fits.inPlan')}>
          <ul class="card">
            {day.map((fit, index) => (
              <PlannedRow key={idOf(fit.planned)} planned={fit.planned} note={noteOf(fit, day[index - 1])} />
            ))}
          </ul>
        </Section>
      )}
      {also.length > 0 && (
        <Section title={t('fits.also')}>
          <ul class="card">
            {also.map((fit) => (
              <PlannedRow key={idOf(fit.planned)} planned={fit.planned} note={noteOf(fit)} />
            ))}
          </ul>
        </Section>
      )}
      {open.length > 0 && (
        <Section title={t('fits.open')}>
          <ul class="card">
            {open.map((each) => (
              <PlannedRow key={idOf(each)} planned={each} />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}

/** Why it is here, and how far it is from what comes before it. */
function noteOf({ planned, score, reasons }: Fit, before?: Fit): string {
  const walk = before && walkMinutes(placeOf(before.planned), placeOf(planned))
  const why = score === 0 ? t('fits.planned') : reasons[0] && t(`fits.${reasons[0]}` as TextKey)
  return [why, walk ? t('fits.walk', { n: walk }) : ''].filter(Boolean).join(' · ')
}
