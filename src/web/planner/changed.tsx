// What has changed in one's plan since one last looked: what it clashes with, and what fits instead.
import { useEffect } from 'preact/hooks'
import type { EventData, FezData } from '../../sdk/client.ts'
import { noFilter, useGroupList } from '../fez/lists.ts'
import { Section } from '../kit/page.tsx'
import { clock, shortWeekday } from '../kit/time.ts'
import { t } from '../texts.ts'
import { insteadOf } from './fits.ts'
import { idOf, offersOf, planOf, type Planned } from './plan.ts'
import { PlannedRow } from './row.tsx'
import { changes, rememberPlan, type Change, type Seen } from './seen.ts'
import { overlaps } from '../events/query.ts'
import './texts.ts'

const shownInstead = 3

interface ChangedPlanProps {
  events: readonly EventData[]
  /** When they were read. */
  asOf: number
  groups: readonly FezData[]
}

export function ChangedPlan({ events, asOf, groups }: ChangedPlanProps) {
  const changed = changes(events, asOf)
  useEffect(() => rememberPlan(events, asOf))
  const { data: open } = useGroupList('open', noFilter)
  if (changed.length === 0) return null
  const plan = planOf(events, groups)
  const offers = offersOf(events, open?.fezzes ?? [])
  return (
    <Section title={t('changed.title')}>
      {changed.map((change) => (
        <OneChange
          key={change.before.eventID}
          change={change}
          plan={plan}
          offers={offers}
          read={() => rememberPlan(events, asOf, [change])}
        />
      ))}
    </Section>
  )
}

interface OneChangeProps {
  change: Change
  plan: readonly Planned[]
  offers: readonly Planned[]
  read: () => void
}

function OneChange({ change: { before, now }, plan, offers, read }: OneChangeProps) {
  const clashes = now ? plan.filter((each) => idOf(each) !== now.eventID && overlaps(each, now)) : []
  const instead =
    !now || clashes.length > 0 ? insteadOf({ ...before, id: before.eventID }, offers, plan, Date.now()).slice(0, shownInstead) : []
  return (
    <div class="card notice">
      <p>
        <b>{now?.title ?? before.title}</b>
        <br />
        {now ? movedText(before, now) : t('changed.gone')}
      </p>
      {clashes.map((clash) => (
        <p key={idOf(clash)} class="warn">
          {t('changed.clash', { title: clash.title })}
        </p>
      ))}
      {instead.length > 0 && (
        <>
          <p>{t('changed.instead')}</p>
          <ul>
            {instead.map((each) => (
              <PlannedRow key={idOf(each)} planned={each} />
            ))}
          </ul>
        </>
      )}
      <div class="buttons">
        <button type="button" class="btn quiet" onClick={read}>
          {t('changed.read')}
        </button>
      </div>
    </div>
  )
}

/** Thu 19:00 → Thu 21:00, Lido → Crow's Nest: only what is another now. */
function movedText(before: Seen, now: Seen): string {
  const at = ({ startTime, endTime }: Seen) => `${shortWeekday(startTime)} ${clock(startTime)} – ${clock(endTime)}`
  return [
    ...(at(before) === at(now) ? [] : [`${at(before)} → ${at(now)}`]),
    ...(before.location === now.location ? [] : [`${before.location} → ${now.location}`]),
  ].join(', ')
}
