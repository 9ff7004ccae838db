// The day planner: everything of one's own in one column, followed events, groups and private events together.
import { Link } from 'wouter-preact'
import type { EventData, FezData } from '../../sdk/client.ts'
import { GroupRow } from '../fez/parts.tsx'
import { useGroups } from '../fez/query.ts'
import { useIsOff } from '../features/gate.tsx'
import { PlusIcon } from '../kit/page-icon.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Print } from '../kit/print.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { mayWrite } from '../session.ts'
import { t } from '../texts.ts'
import { EventRow } from '../events/parts.tsx'
import { Subscription } from '../events/subscription.tsx'
import { dayOf, dayTitle, isOver, overlaps, useEvents } from '../events/query.ts'
import { useKept } from '../place.ts'

/** An event of the schedule, or a group with a time. */
type Planned = Pick<EventData, 'title' | 'startTime' | 'endTime'> & ({ event: EventData } | { chat: FezData })

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
          <button type="button" class="chip" aria-pressed={withPast} onClick={() => setWithPast(!withPast)}>
            {t('withPast')}
          </button>
          {mayWrite.value && !noPrivate && (
            <Link href="/privateevent/new" class="round plain" aria-label={t('newPrivateEvent')}>
              <PlusIcon />
            </Link>
          )}
          <Print />
        </>
      }
    >
      <Answer of={events}>
        {(all) => {
          const plan = planOf(all, groups?.fezzes ?? []).filter((each) => withPast || !isOver(each))
          if (plan.length === 0) return <Empty title={t('nothingPlanned')}>{t('noFollowedText')}</Empty>
          return [...new Set(plan.map(({ startTime }) => dayOf(startTime)))].map((day) => {
            const ofDay = plan.filter(({ startTime }) => dayOf(startTime) === day)
            return (
              <Section key={day} title={dayTitle(ofDay[0]?.startTime ?? '')}>
                <ul class="card">
                  {ofDay.map((each) => {
                    const clashes = plan.filter((other) => other !== each && overlaps(other, each))
                    return 'event' in each ? (
                      <EventRow key={each.event.eventID} event={each.event} second="end" overlaps={clashes} />
                    ) : (
                      <GroupRow key={each.chat.fezID} chat={each.chat} overlaps={clashes} />
                    )
                  })}
                </ul>
              </Section>
            )
          })
        }}
      </Answer>
      <Subscription />
    </Page>
  )
}

/** In order of their starts. */
function planOf(events: readonly EventData[], chats: readonly FezData[]): Planned[] {
  return [
    ...events.flatMap((event): Planned[] => (event.isFavorite ? [{ ...event, event }] : [])),
    ...chats.flatMap((chat): Planned[] => {
      const { title, startTime, endTime = startTime, cancelled } = chat
      return startTime && endTime && !cancelled ? [{ title, startTime, endTime, chat }] : []
    }),
  ].sort((a, b) => (a.startTime < b.startTime ? -1 : 1))
}
