// The day planner: everything of one's own in one column, followed events and groups together.
import { useState } from 'preact/hooks'
import { GroupRow } from '../fez/parts.tsx'
import { useGroups } from '../fez/query.ts'
import { Page, Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { t } from '../texts.ts'
import { EventRow } from './parts.tsx'
import { dayOf, dayTitle, isOver, overlapping, useEvents } from './query.ts'

export function DayPlanner() {
  const events = useEvents()
  const { data: groups } = useGroups('joined', '')
  const [withPast, setWithPast] = useState(false)
  return (
    <Page
      title={t('dayPlanner')}
      back="/events"
      actions={
        <button type="button" class="chip" aria-pressed={withPast} onClick={() => setWithPast(!withPast)}>
          {t('withPast')}
        </button>
      }
    >
      <Answer of={events}>
        {(all) => {
          const followed = all.filter((event) => event.isFavorite && (withPast || !isOver(event)))
          const joined = (groups?.fezzes ?? []).filter(
            ({ startTime, endTime, cancelled }) => startTime && !cancelled && (withPast || Date.parse(endTime ?? startTime) > Date.now()),
          )
          const entries = [
            ...followed.map((event) => ({
              at: event.startTime,
              row: <EventRow key={event.eventID} event={event} second="end" overlaps={overlapping(event, all)} />,
            })),
            ...joined.map((chat) => ({ at: chat.startTime as string, row: <GroupRow key={chat.fezID} chat={chat} /> })),
          ].sort((a, b) => (a.at < b.at ? -1 : 1))
          if (entries.length === 0) return <Empty title={t('nothingPlanned')}>{t('noFollowedText')}</Empty>
          return [...new Set(entries.map(({ at }) => dayOf(at)))].map((day) => {
            const ofDay = entries.filter(({ at }) => dayOf(at) === day)
            return (
              <Section key={day} title={dayTitle(ofDay[0]?.at ?? '')}>
                <ul class="card">{ofDay.map(({ row }) => row)}</ul>
              </Section>
            )
          })
        }}
      </Answer>
    </Page>
  )
}
