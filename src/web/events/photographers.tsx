// For photographers and those who send them out: which events need one, and who has taken which.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { EventData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { nameOf } from '../kit/face.tsx'
import { Page, Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { clock } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { me } from '../session.ts'
import { refresh } from '../store.ts'
import { addTexts, t } from '../texts.ts'
import en from '../texts/photographers.en.json'
import { dayName, dayOf, dayTitle, useEvents } from './query.ts'
import { isOfTeam } from './crew.ts'
import { useKept } from '../place.ts'

declare module '../texts.ts' {
  interface Books {
    photographers: typeof en
  }
}

await addTexts({ en, others: { de: () => import('../texts/photographers.de.json') } })

const views = ['report', 'open', 'mine', 'all'] as const
type View = (typeof views)[number]

type Shown = EventData & { shutternautData: NonNullable<EventData['shutternautData']> }

const fits: Readonly<Record<View, (of: Shown['shutternautData']) => boolean>> = {
  report: ({ needsPhotographer, photographers }) => needsPhotographer || photographers.length > 0,
  open: ({ needsPhotographer, photographers }) => needsPhotographer && photographers.length === 0,
  mine: ({ userIsPhotographer }) => userIsPhotographer,
  all: () => true,
}

const has = (role: 'shutternaut' | 'shutternautmanager') => me.value?.roles.includes(role) ?? false

export function Photographers() {
  const events = useEvents()
  const [view, setView] = useKept<View>('view', 'report')
  const [chosen, setDay] = useKept<string | undefined>('day', undefined)
  const maySend = has('shutternautmanager') || isOfTeam()
  return (
    <Page
      title={t('photographers')}
      back="/events"
      actions={
        maySend && (
          <a class="chip" href={client.events.photographerreportDownload.url({})}>
            {t('photographers.file')}
          </a>
        )
      }
    >
      <Tabs label={t('lists')} value={view} options={views.map((each) => [each, t(`photographers.${each}`)] as const)} change={setView} />
      <Answer of={events} rows={8}>
        {(all) => {
          const known = all.filter((event): event is Shown => event.shutternautData !== undefined)
          if (known.length < all.length) return <Empty title={t('photographers.none')}>{t('photographers.noneText')}</Empty>
          const shown = known.filter(({ shutternautData }) => fits[view](shutternautData))
          const days = [...new Set(shown.map(({ startTime }) => dayOf(startTime)))]
          const day = days.includes(chosen ?? '') ? chosen : (days.find((each) => each >= dayOf(new Date())) ?? days[0])
          const ofDay = shown.filter(({ startTime }) => dayOf(startTime) === day)
          const [first] = ofDay
          if (!first || !day) return <Empty title={t(`photographers.empty.${view}`)} />
          const nameOfDay = (each: string) => dayName(shown.find(({ startTime }) => dayOf(startTime) === each)?.startTime ?? '')
          return (
            <>
              <Tabs
                label={t('days')}
                value={day}
                options={days.map((each) => [each, `${nameOfDay(each)} ${Number(each.slice(8))}`] as const)}
                change={setDay}
              />
              <Section title={dayTitle(first.startTime)}>
                <ul class="card">
                  {ofDay.map((event) => (
                    <Line key={event.eventID} event={event} />
                  ))}
                </ul>
              </Section>
            </>
          )
        }}
      </Answer>
    </Page>
  )
}

function Line({ event }: { event: Shown }) {
  const { eventID: event_id, title, location, startTime, endTime, shutternautData } = event
  const { needsPhotographer, photographers, userIsPhotographer } = shutternautData
  const [busy, setBusy] = useState(false)
  const change = (call: (input: { event_id: string }) => Promise<void>) => {
    setBusy(true)
    void attempt(async () => {
      await call({ event_id })
      refresh('events', 'numbers')
    }).finally(() => setBusy(false))
  }
  // Which calls a page makes is read from its text.
  const need = needsPhotographer ? client.events.removeNeedsphotographer : client.events.needsphotographer
  const take = userIsPhotographer ? client.events.removePhotographer : client.events.photographer
  return (
    <li class="row">
      <div class="when">
        <time dateTime={startTime}>{clock(startTime)}</time>
        <small>{t('to', { time: clock(endTime) })}</small>
      </div>
      <div class="row-text">
        <Link href={`/events/${event_id}`}>{title}</Link>
        <small>{location}</small>
        {needsPhotographer && photographers.length === 0 && <small class="warn">{t('photographers.needed')}</small>}
        {photographers.length > 0 && <small>{t('photographers.by', { names: photographers.map(nameOf).join(', ') })}</small>}
        <p class="links">
          {has('shutternautmanager') && (
            <button
              type="button"
              class="btn quiet"
              disabled={busy}
              aria-label={t(needsPhotographer ? 'photographers.unneedTitle' : 'photographers.needTitle', { title })}
              onClick={() => change(need)}
            >
              {t(needsPhotographer ? 'photographers.unneed' : 'photographers.need')}
            </button>
          )}
          {has('shutternaut') && (
            <button
              type="button"
              class={userIsPhotographer ? 'btn quiet' : 'btn'}
              disabled={busy}
              aria-label={t(userIsPhotographer ? 'photographers.handBackTitle' : 'photographers.takeTitle', { title })}
              onClick={() => change(take)}
            >
              {t(userIsPhotographer ? 'photographers.handBack' : 'photographers.take')}
            </button>
          )}
        </p>
      </div>
    </li>
  )
}
