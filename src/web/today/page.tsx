// The first page: the team's words, what waits for the viewer, what comes next.
import type { ComponentChildren } from 'preact'
import { Link } from 'wouter-preact'
import type { UserNotificationData } from '../../sdk/client.ts'
import { dayOf, isOver, overlapping, useEvents } from '../events/query.ts'
import { EventRow } from '../events/parts.tsx'
import { GroupRow, SeamailRow, unreadOf } from '../fez/parts.tsx'
import { useGroups, useSeamails } from '../fez/query.ts'
import { useTicks } from '../kit/countdown.ts'
import { Face } from '../kit/face.tsx'
import { SearchIcon } from '../kit/icon.tsx'
import { lazy } from '../kit/lazy.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Row } from '../kit/row.tsx'
import { Loading } from '../kit/states.tsx'
import { clock, fullDay, weekday } from '../kit/time.ts'
import { Words } from '../kit/words.tsx'
import { useAnnouncements, useNumbers } from '../notification/query.ts'
import { NewestPhotos } from '../photostream/newest.tsx'
import { me } from '../session.ts'
import { t, type TextKey } from '../texts.ts'
import { useTrip } from './query.ts'

const nextCount = 4
/** On days that have one. */
const Theme = lazy<{ day: number | undefined }>(() => import('./theme.tsx').then((all) => all.Theme), true)

export function Today() {
  const now = new Date()
  useTicks(60_000)
  const day = useTrip()
  return (
    <Page
      title={weekday(now)}
      sub={[day !== undefined && t('day', { number: day + 1 }), t('shipTime', { time: clock(now) })].filter(Boolean).join('. ')}
      actions={
        me.value && (
          <>
            <Link href="/search" class="round plain" aria-label={t('search')}>
              <SearchIcon />
            </Link>
            <Link href="/account" class="me" aria-label={t('more')}>
              <Face user={me.value} small />
            </Link>
          </>
        )
      }
    >
      <Announcements />
      <Waiting />
      <Next />
      <Theme day={day} />
      <NewestPhotos />
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
  const { data: groups } = useGroups()
  if (!seamails && !numbers) return <Loading rows={2} />
  const rows: ComponentChildren[] = [
    ...(seamails?.fezzes ?? []).filter((chat) => unreadOf(chat) > 0).map((chat) => <SeamailRow key={chat.fezID} chat={chat} />),
    ...(groups?.fezzes ?? []).filter((chat) => unreadOf(chat) > 0).map((chat) => <GroupRow key={chat.fezID} chat={chat} />),
    ...(numbers ? hitsIn(numbers) : [])
      .filter(([, , count]) => count > 0)
      .map(([href, title, n, key = 'mentions', word = '']) => <Row key={href} href={href} title={title} sub={t(key, { n, word })} fresh />),
  ]
  return (
    <Section title={t('waitsForYou')}>
      {rows.length === 0 ? <p class="card pad quiet">{t('nothingWaits')}</p> : <ul class="card">{rows}</ul>}
    </Section>
  )
}

type Hits = readonly [href: string, title: string, count: number, key?: TextKey, word?: string]

/** What the numbers tell of, and where it is. */
function hitsIn({ alertWords, moderatorData, ...numbers }: UserNotificationData): Hits[] {
  return [
    ['/tweets?mentions', t('microblog'), numbers.newTwarrtMentionCount],
    ['/forums?mentions', t('forums'), numbers.newForumMentionCount],
    ...alertWords.flatMap(({ alertword, newTwarrtMentionCount, newForumMentionCount }): Hits[] => {
      const word = encodeURIComponent(alertword)
      return [
        [`/tweets?search=${word}`, t('microblog'), newTwarrtMentionCount, 'alertHits', alertword],
        [`/forums?in=posts&words=${word}`, t('forums'), newForumMentionCount, 'alertHits', alertword],
      ]
    }),
    ['/microkaraoke', t('karaoke'), numbers.microKaraokeFinishedSongCount, 'songsReady'],
    ['/reports', t('console'), moderatorData?.openReportCount ?? 0, 'openReports'],
  ]
}

/** Everything of the viewer's own that is still to come today, and then what else there is. */
function Next() {
  const { data: events, error } = useEvents()
  const { data: groups } = useGroups()
  if (!events) return error ? null : <Loading rows={3} />
  const coming = events.filter((event) => !isOver(event))
  const rows = [
    ...coming
      .filter(({ isFavorite }) => isFavorite)
      .map((event) => ({
        at: event.startTime,
        row: <EventRow key={event.eventID} event={event} second="until" overlaps={overlapping(event, coming)} />,
      })),
    // Those with something new stand above, with their time.
    ...(groups?.fezzes ?? [])
      .filter((chat) => chat.startTime && !chat.cancelled && Date.parse(chat.startTime) > Date.now() && unreadOf(chat) === 0)
      .map((chat) => ({ at: chat.startTime as string, row: <GroupRow key={chat.fezID} chat={chat} /> })),
  ].sort((a, b) => (a.at < b.at ? -1 : 1))
  const today = dayOf(new Date())
  const isToday = rows.some(({ at }) => dayOf(at) === today)
  const mine = isToday ? rows.filter(({ at }) => dayOf(at) <= today) : rows.slice(0, nextCount)
  const others = coming.filter(({ isFavorite }) => !isFavorite).slice(0, nextCount)
  return (
    <>
      {mine.length > 0 && (
        <Section title={t(isToday ? 'myDay' : 'myNext')}>
          <ul class="card">{mine.map(({ row }) => row)}</ul>
          <p class="links">
            <Link href="/dayplanner" class="btn quiet">
              {t('dayPlanner')}
            </Link>
          </p>
        </Section>
      )}
      {others.length > 0 && (
        <Section title={t('nextForAll')}>
          <ul class="card">
            {others.map((event) => (
              <EventRow key={event.eventID} event={event} second="until" />
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
