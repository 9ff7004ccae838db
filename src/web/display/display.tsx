// A display on a wall: the clock, what is on and what comes next, the team's words, the newest photos. It is read from afar and by
// nobody in particular: it has no links, and shows nothing of whoever made its token.
import { useEffect, useState } from 'preact/hooks'
import type { EventData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { isOn, isOver } from '../events/query.ts'
import { useTicks } from '../kit/countdown.ts'
import { Field } from '../kit/field.tsx'
import { Page } from '../kit/page.tsx'
import { clock, fullDay, until } from '../kit/time.ts'
import { titleOf } from '../photostream/newest.tsx'
import { addTexts, t } from '../texts.ts'
import en from '../texts/display.en.json'
import { useShown, type Shown } from './shown.ts'
import './display.css'

declare module '../texts.ts' {
  interface Books {
    display: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/display.de.json') } })

const photoMs = 12_000
const eventsShown = 7
/** Longer without an answer is said. */
const freshMs = 5 * 60_000
/** In the fragment, which no server and no log sees. */
const tokenHere = () => location.hash.slice(1)

export function Display() {
  const [, again] = useState('')
  const token = tokenHere()
  const { shown, isRefused } = useShown(token)
  useTicks(1000)
  useAwake()
  useEffect(() => {
    const follow = () => again(tokenHere())
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  if (token === '' || (isRefused && !shown)) return <Setup isRefused={isRefused} />
  const now = Date.now()
  return (
    <main class="display">
      <header>
        <p class="display-clock">{clock(new Date(now))}</p>
        <p>{fullDay(new Date(now))}</p>
      </header>
      {shown && (
        <>
          <Events events={shown.events} now={now} />
          <Announcements announcements={shown.announcements} />
          <Photos photos={shown.photos} now={now} />
          {(isRefused || now - shown.readAt > freshMs) && (
            <p class="display-old" role="status">
              {t(isRefused ? 'display.ended' : 'display.old', { time: clock(new Date(shown.readAt)) })}
            </p>
          )}
        </>
      )}
    </main>
  )
}

/** What is on, and what comes next of the whole schedule. */
function Events({ events, now }: { events: Shown['events']; now: number }) {
  const coming = events.filter((event) => !isOver(event, now)).slice(0, eventsShown)
  return (
    <section class="display-events">
      <h1>{t('display.next')}</h1>
      {coming.length === 0 ? (
        <p>{t('display.nothing')}</p>
      ) : (
        <ul>
          {coming.map((event) => (
            <Line key={event.eventID} event={event} now={now} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Line({ event, now }: { event: EventData; now: number }) {
  const isNow = isOn(event, now)
  return (
    <li class={isNow ? 'now' : ''}>
      <p class="display-time">{isNow ? t('display.now') : clock(event.startTime)}</p>
      <div>
        <p class="display-title">{event.title}</p>
        <p class="display-where">
          {[event.location, isNow ? t('until', { time: clock(event.endTime) }) : until(event.startTime, event.endTime)]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </li>
  )
}

function Announcements({ announcements }: Pick<Shown, 'announcements'>) {
  if (announcements.length === 0) return null
  return (
    <section class="display-words" aria-live="polite">
      {announcements.slice(0, 2).map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </section>
  )
}

/** One after the other. */
function Photos({ photos, now }: Pick<Shown, 'photos'> & { now: number }) {
  const photo = photos[Math.floor(now / photoMs) % Math.max(1, photos.length)]
  if (!photo) return null
  return (
    <figure class="display-photo">
      <img key={photo.postID} src={client.image.full.url({ image_filename: photo.image })} alt={titleOf(photo)} />
      <figcaption>{titleOf(photo)}</figcaption>
    </figure>
  )
}

function Setup({ isRefused }: { isRefused: boolean }) {
  const [typed, type] = useState('')
  return (
    <Page title={t('display.title')}>
      <form
        class="card pad"
        onSubmit={(event) => {
          event.preventDefault()
          location.hash = typed.trim()
        }}
      >
        <p>{t(isRefused ? 'display.refused' : 'display.setup')}</p>
        <Field
          label={t('display.token')}
          value={typed}
          change={type}
          input={{ required: true, pattern: '\\s*qd_[\\w\\-]+\\s*', autocomplete: 'off' }}
        />
        <button type="submit" class="btn wide">
          {t('display.show')}
        </button>
      </form>
    </Page>
  )
}

/** The screen stays on while the page is looked at, where the browser can do that. */
function useAwake(): void {
  useEffect(() => {
    const keep = () => {
      if (document.visibilityState === 'visible') void navigator.wakeLock?.request('screen').catch(() => undefined)
    }
    keep()
    document.addEventListener('visibilitychange', keep)
    return () => document.removeEventListener('visibilitychange', keep)
  }, [])
}
