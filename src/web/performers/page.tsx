// Performers: the lists, and one performer with their events.
import { useMemo } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { EventData, PerformerData, PerformerHeaderData, PerformerResponseData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { EventRow } from '../events/parts.tsx'
import { dayName, dayOf, isOn, isOver, useEvents } from '../events/query.ts'
import { Markdown } from '../help/markdown.tsx'
import { askedList } from '../kit/asked.ts'
import { belowMore } from '../kit/beside.tsx'
import { nameOf } from '../kit/face.tsx'
import { EditIcon } from '../kit/page-icon.tsx'
import { Page, Section } from '../kit/page.tsx'
import { readOn } from '../kit/read-on.ts'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { useQuery } from '../store.ts'
import { mayWrite, me } from '../session.ts'
import { t } from '../texts.ts'
import { useMayOrganise } from '../lineup/rights.ts'
import { PerformerRow } from '../lineup/parts.tsx'
import { useKept } from '../place.ts'

type View = 'official' | 'shadow'

function usePerformers(view: View, search: string) {
  return useQuery({
    queryKey: ['performers', view, search],
    queryFn: async () => {
      const read = (page: { start?: number; limit: number }): Promise<PerformerResponseData> =>
        client.performer[view]({ ...page, ...(search && { search }) })
      const part = ({ performers: items, paginator }: PerformerResponseData) => ({ items, ...paginator })
      return (await readOn<PerformerResponseData, PerformerHeaderData>(read, part)).items
    },
    staleTime: 5 * 60_000,
  })
}

/** Says where a performer is seen next; of whom nothing is to come, when it was for the last time. */
function useNextOf(): (performer: PerformerHeaderData) => string | undefined {
  const { data: events } = useEvents()
  return useMemo(() => {
    const all = new Map<string | undefined, EventData>()
    const byStart = (events ?? []).toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1))
    // The first that is not over stays; until there is one, a later one takes the place of an earlier one.
    for (const event of byStart)
      for (const { id } of event.performers) {
        const known = all.get(id)
        if (!known || isOver(known)) all.set(id, event)
      }
    return ({ id }) => {
      const event = all.get(id)
      if (!event) return undefined
      const { title, location, startTime } = event
      const time = `${dayName(startTime)} ${clock(startTime)}`
      return isOver(event) ? t('performer.last', { time, title }) : [isOn(event) ? t('now') : time, title, location].join(' · ')
    }
  }, [events])
}

export function Performers() {
  const [view, setView] = useKept<View>('view', askedList(['official', 'shadow'], 'official'))
  const [search, setSearch] = useSearchWords()
  const mayOrganise = useMayOrganise()
  const performers = usePerformers(view, '')
  // Also those who have the words on their pages; without a network those whose names have them.
  const found = usePerformers(view, search)
  const nextOf = useNextOf()
  return (
    <Page
      title={t('performers')}
      {...belowMore()}
      actions={
        mayWrite.value &&
        mayOrganise && (
          <Link href="/performers/own" class="chip">
            {t('ownPerformer')}
          </Link>
        )
      }
    >
      <Tabs
        label={t('lists')}
        value={view}
        options={[
          ['official', t('officialPerformers')],
          ['shadow', t('shadowPerformers')],
        ]}
        change={setView}
      />
      <SearchField label={t('searchPerformers')} change={setSearch} start={search} />
      <Answer of={performers} rows={8}>
        {(all) => {
          const named = all.filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
          const others = search ? (found.data ?? []).filter(({ id }) => !named.some((performer) => performer.id === id)) : []
          const shown = [...named, ...others]
          if (shown.length === 0)
            return <Empty title={t(search ? 'nothingFound' : 'noPerformers')}>{!search && t('noPerformersText')}</Empty>
          return (
            <ul class="card">
              {shown.map((performer) => (
                <PerformerRow key={performer.id} performer={performer} sub={nextOf(performer)} />
              ))}
            </ul>
          )
        }}
      </Answer>
    </Page>
  )
}

export function Performer({ id }: { id: string }) {
  const performer = useQuery({ queryKey: ['performers', id], queryFn: () => client.performer.get({ performer_id: id }) })
  return (
    <Page
      title={performer.data?.header.name ?? t('performer.loading')}
      back="/performers"
      actions={
        performer.data?.user?.userID === me.value?.userID &&
        performer.data && (
          <Link href="/performers/own" class="round plain" aria-label={t('edit')}>
            <EditIcon />
          </Link>
        )
      }
    >
      <Answer of={performer}>
        {(data) => (
          <>
            <About performer={data} />
            {data.events.length > 0 && <Appearances performer={data} />}
          </>
        )}
      </Answer>
    </Page>
  )
}

function About({ performer }: { performer: PerformerData }) {
  const { header, pronouns, title, organization, bio, yearsAttended, user } = performer
  const links = linksOf(performer)
  return (
    <article class="card pad about">
      {header.photo && (
        <img class="portrait" src={client.image.full.url({ image_filename: header.photo })} alt="" width={400} height={400} />
      )}
      <p class="quiet">{[pronouns, title, organization].filter(Boolean).join(' · ')}</p>
      {bio && (
        <div class="text">
          <Markdown text={bio} />
        </div>
      )}
      {yearsAttended.length > 0 && <p class="quiet">{t('yearsAboard', { years: yearsAttended.join(', ') })}</p>}
      {user && (
        <p>
          <Link href={`/profile/${encodeURIComponent(user.username)}`}>{t('profileOf', { name: nameOf(user) })}</Link>
        </p>
      )}
      {links.length > 0 && (
        <p class="links">
          {links.map(([label, address]) => (
            <a key={label} class="btn quiet" href={address} target="_blank" rel="noopener noreferrer nofollow">
              {label}
            </a>
          ))}
        </p>
      )}
    </article>
  )
}

/** Their pages elsewhere. An address of any other kind is none to follow. */
function linksOf({ website, facebookURL, xURL, instagramURL, youtubeURL }: PerformerData): (readonly [string, string])[] {
  const all = [
    [t('website'), website],
    ['Facebook', facebookURL],
    ['X', xURL],
    ['Instagram', instagramURL],
    ['YouTube', youtubeURL],
  ] as const
  return all.flatMap(([label, address]) => (address && /^https?:\/\//i.test(address) ? [[label, address] as const] : []))
}

function Appearances({ performer }: { performer: PerformerData }) {
  // The schedule knows at once what was followed here.
  const { data: all = [] } = useEvents()
  const events = performer.events.map((event) => all.find(({ eventID }) => eventID === event.eventID) ?? event)
  const days = [...new Set(events.map(({ startTime }) => dayOf(startTime)))]
  return (
    <>
      {days.map((day) => {
        const ofDay = events.filter(({ startTime }) => dayOf(startTime) === day)
        return (
          <Section key={day} title={fullDay(ofDay[0]?.startTime ?? '')}>
            <ul class="card">
              {ofDay.map((event) => (
                <EventRow key={event.eventID} event={event} second="end" />
              ))}
            </ul>
          </Section>
        )
      })}
    </>
  )
}
