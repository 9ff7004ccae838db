// The day planner: everything of one's own in one column, followed events, groups and private events together.
import { Link } from 'wouter-preact'
import { useGroups } from '../fez/query.ts'
import { useIsOff } from '../switches/gate.tsx'
import { lazy } from '../kit/lazy.tsx'
import { PlusIcon } from '../kit/page-icon.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Print } from '../kit/print.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { mayWrite } from '../session.ts'
import { t } from '../texts.ts'
import { Subscription } from '../events/subscription.tsx'
import { dayOf, dayTitle, isOver, overlaps, useEvents } from '../events/query.ts'
import { useKept } from '../place.ts'
import { idOf, planOf, type Planned } from './plan.ts'
import { PlannedRow } from './row.tsx'

const ChangedPlan = lazy(() => import('./changed.tsx').then((all) => all.ChangedPlan), true)

export function DayPlanner() {
  const events = useEvents()
  const { data: groups } = useGroups()
  const [withPast, setWithPast] = useKept('withPast', false)
  const noPrivate = useIsOff('personalevents')
  return (
    <Page
      title={t('dayPlanner')}
      back="/events"
      actions={
        <>
          {mayWrite.value && !noPrivate && (
            <Link href="/privateevent/new" class="round plain" aria-label={t('newPrivateEvent')}>
              <PlusIcon />
            </Link>
          )}
          <Print />
        </>
      }
    >
      <div class="narrowed">
        <Link href="/dayplanner/fits" class="chip">
          {t('haveTime')}
        </Link>
        <button type="button" class="chip" aria-pressed={withPast} onClick={() => setWithPast(!withPast)}>
          {t('withPast')}
        </button>
      </div>
      <Answer of={events}>
        {(all) => {
          const chats = groups?.fezzes ?? []
          return (
            <>
              <ChangedPlan events={all} asOf={events.dataUpdatedAt} groups={chats} />
              <Days plan={planOf(all, chats).filter((each) => withPast || !isOver(each))} />
            </>
          )
        }}
      </Answer>
      <Subscription />
    </Page>
  )
}

function Days({ plan }: { plan: readonly Planned[] }) {
  if (plan.length === 0) return <Empty title={t('nothingPlanned')}>{t('noFollowedText')}</Empty>
  return (
    <>
      {[...new Set(plan.map(({ startTime }) => dayOf(startTime)))].map((day) => {
        const ofDay = plan.filter(({ startTime }) => dayOf(startTime) === day)
        return (
          <Section key={day} title={dayTitle(ofDay[0]?.startTime ?? '')}>
            <ul class="card">
              {ofDay.map((each) => (
                <PlannedRow key={idOf(each)} planned={each} overlaps={plan.filter((other) => other !== each && overlaps(other, each))} />
              ))}
            </ul>
          </Section>
        )
      })}
    </>
  )
}
