// The first page: the team's words, what waits for the viewer, what comes next.
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import { useEvents, isOver } from '../events/query.ts'
import { EventRow } from '../events/parts.tsx'
import { GroupRow, SeamailRow, unreadOf } from '../fez/parts.tsx'
import { useGroups, useSeamails } from '../fez/query.ts'
import { Face } from '../kit/face.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Pictures } from '../kit/picture.tsx'
import { Row } from '../kit/row.tsx'
import { Loading } from '../kit/states.tsx'
import { clock, fullDay, weekday } from '../kit/time.ts'
import { Words } from '../kit/words.tsx'
import { useAnnouncements, useNumbers, useThemes } from '../notification/query.ts'
import { me } from '../session.ts'
import { t } from '../texts.ts'
import { useTrip } from './query.ts'

const nextCount = 4

export function Today() {
  const now = new Date()
  const day = useTrip()
  return (
    <Page
      title={weekday(now)}
      sub={[day !== undefined && t('day', { number: day + 1 }), t('shipTime', { time: clock(now) })].filter(Boolean).join('. ')}
      actions={
        me.value && (
          <Link href="/account" class="me" aria-label={t('more')}>
            <Face user={me.value} small />
          </Link>
        )
      }
    >
      <Announcements />
      <Waiting />
      <Next />
      <Theme day={day} />
    </Page>
  )
}

function Announcements() {
  const { data = [] } = useAnnouncements()
  if (data.length === 0) return null
  return (
    <Section title={t('fromTheTeam')}>
      {data.map(({ id, text, displayUntil }) => (
        <div key={id} class="card notice">
          <p class="words">
            <Words text={text} />
          </p>
          <small>{t('until', { time: `${fullDay(displayUntil)}, ${clock(displayUntil)}` })}</small>
        </div>
      ))}
    </Section>
  )
}

function Waiting() {
  const { data: numbers } = useNumbers()
  const { data: seamails } = useSeamails('')
  const { data: groups } = useGroups('joined', '')
  if (!seamails && !numbers) return <Loading rows={2} />
  const rows: ComponentChildren[] = [
    ...(seamails?.fezzes ?? []).filter((chat) => unreadOf(chat) > 0).map((chat) => <SeamailRow key={chat.fezID} chat={chat} />),
    ...(groups?.fezzes ?? []).filter((chat) => unreadOf(chat) > 0).map((chat) => <GroupRow key={chat.fezID} chat={chat} />),
  ]
  const { newTwarrtMentionCount = 0, newForumMentionCount = 0 } = numbers ?? {}
  if (newTwarrtMentionCount > 0)
    rows.push(<Row key="tweets" href="/tweets?mentions" title={t('microblog')} sub={t('mentions', { n: newTwarrtMentionCount })} fresh />)
  if (newForumMentionCount > 0)
    rows.push(<Row key="forums" href="/forums?mentions" title={t('forums')} sub={t('mentions', { n: newForumMentionCount })} fresh />)
  return (
    <Section title={t('waitsForYou')}>
      {rows.length === 0 ? <p class="card pad quiet">{t('nothingWaits')}</p> : <ul class="card">{rows}</ul>}
    </Section>
  )
}

function Next() {
  const { data: events, error } = useEvents()
  const { data: groups } = useGroups('joined', '')
  if (!events) return error ? null : <Loading rows={3} />
  const coming = events.filter((event) => !isOver(event))
  const followed = coming.filter(({ isFavorite }) => isFavorite)
  const shown = (followed.length > 0 ? followed : coming).slice(0, nextCount)
  // Those with something new stand above, with their time.
  const mine = (groups?.fezzes ?? []).filter(
    (chat) => chat.startTime && !chat.cancelled && Date.parse(chat.startTime) > Date.now() && unreadOf(chat) === 0,
  )
  const rows = [
    ...shown.map((event) => ({ at: event.startTime, row: <EventRow key={event.eventID} event={event} second="until" /> })),
    ...mine.map((chat) => ({ at: chat.startTime as string, row: <GroupRow key={chat.fezID} chat={chat} /> })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1))
  if (rows.length === 0) return null
  return (
    <Section title={t(followed.length > 0 || mine.length > 0 ? 'next' : 'nextForAll')}>
      <ul class="card">{rows.slice(0, nextCount + 2).map(({ row }) => row)}</ul>
    </Section>
  )
}

function Theme({ day }: { day: number | undefined }) {
  const { data = [] } = useThemes()
  const theme = data.find(({ cruiseDay }) => cruiseDay === day)
  if (!theme) return null
  return (
    <Section title={t('themeOfTheDay')}>
      <div class="card pad">
        <p class="headline">{theme.title}</p>
        <p class="quiet words">
          <Words text={theme.info} />
        </p>
        <Pictures names={theme.image ? [theme.image] : undefined} sizes={theme.imageSize && [theme.imageSize]} />
      </div>
    </Section>
  )
}
