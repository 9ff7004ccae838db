// The schedule, day by day.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { EventData } from '../../sdk/client.ts'
import { isWide } from '../kit/beside.tsx'
import { ChoiceChip } from '../kit/choice.tsx'
import { lazy } from '../kit/lazy.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Print } from '../kit/print.tsx'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { clock, deviceClock } from '../kit/time.ts'
import { t } from '../texts.ts'
import { isPhotoCrew } from './crew.ts'
import { EventRow } from './parts.tsx'
import { typeName } from './types.ts'
import { dayName, dayOf, dayTitle, isOn, isOver, overlapping, useEvents } from './query.ts'
import { useKept } from '../place.ts'

const DayGrid = lazy(() => import('./grid.tsx').then((all) => all.DayGrid), true)

export function Schedule() {
  const events = useEvents()
  const [search, setSearch] = useSearchWords()
  const [mine, setMine] = useKept('mine', false)
  const [type, setType] = useKept('type', '')
  const [byPlace, changeView] = useByPlace()
  const types = [...new Set((events.data ?? []).map(({ eventType }) => eventType))].sort()
  // On a phone there is no room beside the title.
  const ways = (
    <>
      <button type="button" class="chip" aria-pressed={mine} onClick={() => setMine(!mine)}>
        {t('mine')}
      </button>
      {isPhotoCrew() && (
        <Link href="/photographers" class="chip">
          {t('photographers')}
        </Link>
      )}
    </>
  )
  return (
    <Page
      title={t('schedule')}
      wide={byPlace && !search}
      actions={
        <>
          {isWide.value && !search && (
            <button type="button" class="chip" aria-pressed={byPlace} onClick={changeView}>
              {t('byPlace')}
            </button>
          )}
          {isWide.value && ways}
          <Link href="/dayplanner" class="chip">
            {t('dayPlanner')}
          </Link>
          <Print />
        </>
      }
    >
      <div class="narrowed">
        <SearchField label={t('searchEvents')} change={setSearch} start={search} />
        <ChoiceChip
          label={t('kind')}
          value={type}
          change={setType}
          options={[['', t('everyKind')], ...types.map((each) => [each, typeName(each)] as const)]}
        />
        {!isWide.value && ways}
      </div>
      <ZoneNote />
      <Answer of={events} rows={8}>
        {(all) => {
          const words = search.toLowerCase()
          const shown = all.filter(
            ({ title, location, description, isFavorite, eventType }) =>
              (!mine || isFavorite) &&
              (type === '' || eventType === type) &&
              `${title} ${location} ${description}`.toLowerCase().includes(words),
          )
          if (shown.length === 0)
            return <Empty title={t(mine && !search ? 'noFollowed' : 'nothingFound')}>{mine && !search && t('noFollowedText')}</Empty>
          return search ? <Found events={shown} all={all} /> : <Days events={shown} all={all} byPlace={byPlace} />
        }}
      </Answer>
    </Page>
  )
}

/** For somebody whose device has the time of another place. */
function ZoneNote() {
  const now = new Date()
  const device = deviceClock(now)
  if (device === clock(now)) return null
  return <p class="card pad notice after-tabs">{t('zoneNote', { time: device })}</p>
}

/** All days, when somebody searches. */
function Found({ events, all }: { events: readonly EventData[]; all: readonly EventData[] }) {
  return (
    <>
      {daysOf(events).map((day) => {
        const ofDay = events.filter(({ startTime }) => dayOf(startTime) === day)
        return (
          <Section key={day} title={dayTitle(ofDay[0]?.startTime ?? '')}>
            <List events={ofDay} all={all} />
          </Section>
        )
      })}
    </>
  )
}

const viewKey = 'schedule'

/** Whether somebody at a desk wants the day by places; what they choose stays on the device. */
function useByPlace(): [boolean, () => void] {
  const [asList, setAsList] = useState(localStorage.getItem(viewKey) === 'list')
  const change = () => {
    localStorage.setItem(viewKey, asList ? 'places' : 'list')
    setAsList(!asList)
  }
  return [isWide.value && !asList, change]
}

function Days({ events, all, byPlace }: { events: readonly EventData[]; all: readonly EventData[]; byPlace: boolean }) {
  const days = daysOf(events)
  const today = dayOf(new Date())
  const [chosen, setChosen] = useKept<string | undefined>('day', undefined)
  const day = chosen && days.includes(chosen) ? chosen : (days.find((each) => each >= today) ?? (days[0] as string))
  const ofDay = events.filter(({ startTime }) => dayOf(startTime) === day)
  const tabs = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = tabs.current?.querySelector<HTMLElement>('[aria-pressed=true]')
    if (tab && tabs.current) tabs.current.scrollLeft = tab.offsetLeft - tabs.current.clientWidth / 2 + tab.clientWidth / 2
  }, [day])
  const parts: [string, EventData[]][] =
    day === today
      ? [
          [t('nowAt', { time: clock(new Date()) }), ofDay.filter((event) => isOn(event))],
          [t('later'), ofDay.filter((event) => !isOn(event) && !isOver(event))],
          [t('over'), ofDay.filter((event) => isOver(event))],
        ]
      : [[dayTitle(ofDay[0]?.startTime ?? ''), ofDay]]
  return (
    <>
      <div class="tabs" role="group" aria-label={t('days')} ref={tabs}>
        {days.map((each) => {
          const first = events.find(({ startTime }) => dayOf(startTime) === each)?.startTime ?? ''
          return (
            <button key={each} type="button" class="chip" aria-pressed={each === day} onClick={() => setChosen(each)}>
              {dayName(first)} <small>{Number(each.slice(8))}</small>
            </button>
          )
        })}
      </div>
      {byPlace && <DayGrid key={day} events={ofDay} />}
      <div class={byPlace ? 'on-paper' : ''}>
        {parts.map(
          ([title, list]) =>
            list.length > 0 && (
              <Section key={title} title={title}>
                <List events={list} all={all} />
              </Section>
            ),
        )}
      </div>
    </>
  )
}

function List({ events, all }: { events: readonly EventData[]; all: readonly EventData[] }) {
  return (
    <ul class="card">
      {events.map((event) => (
        <EventRow key={event.eventID} event={event} second="end" overlaps={event.isFavorite ? overlapping(event, all) : []} />
      ))}
    </ul>
  )
}

const daysOf = (events: readonly EventData[]): string[] => [...new Set(events.map(({ startTime }) => dayOf(startTime)))].sort()
