// The karaoke songs: found by artist or title, one's favorites, and what was sung.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { KaraokePerformedSongsData, KaraokeSongData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { asked, askedList } from '../kit/asked.ts'
import { belowMore } from '../kit/beside.tsx'
import { Ask } from '../kit/ask.tsx'
import { KaraokeIcon } from '../kit/icon.tsx'
import { once } from '../kit/once.ts'
import { Page, Section } from '../kit/page.tsx'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { Star } from '../kit/star.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { me } from '../session.ts'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { useKept } from '../place.ts'

const views = ['songs', 'favorites', 'sung'] as const
type View = (typeof views)[number]
const listSize = 200

export function Karaoke() {
  const [view, setView] = useKept<View>('view', askedList(views, 'songs'))
  const [search, setSearch] = useSearchWords()
  return (
    <Page
      title={t('karaoke')}
      {...belowMore()}
      actions={
        <Link href="/microkaraoke" class="chip">
          {t('microKaraoke')}
        </Link>
      }
    >
      <Tabs label={t('lists')} value={view} options={views.map((each) => [each, t(each)] as const)} change={setView} />
      {asked('song') && <AskedSong id={asked('song')} />}
      <SearchField label={t('searchSongs')} change={setSearch} start={search} />
      {view === 'sung' ? <Sung search={search} /> : <Songs favorites={view === 'favorites'} search={search} show={setView} />}
    </Page>
  )
}

const fewSongs = 5

/** Before anything was searched for: one's favorites, and what was sung last. */
function Begin({ show }: { show: (view: View) => void }) {
  const favorites = useSongs(true, '')
  const sung = useSung('')
  const own = favorites.data?.songs ?? []
  const last = sung.data?.songs ?? []
  return (
    <>
      {own.length + last.length > 0 && <p class="quiet pad">{t('searchSongsHint')}</p>}
      {own.length > 0 && (
        <Section title={t('yourSongs')}>
          <ul class="card">
            {own.slice(0, fewSongs).map((song) => (
              <Song key={song.songID} song={song} />
            ))}
          </ul>
          {own.length > fewSongs && <All press={() => show('favorites')} />}
        </Section>
      )}
      {last.length > 0 && (
        <Section title={t('lastSung')}>
          <SungSongs songs={last.slice(0, fewSongs)} />
          {last.length > fewSongs && <All press={() => show('sung')} />}
        </Section>
      )}
      {own.length + last.length === 0 && sung.data && favorites.data && (
        <Empty title={t('searchSongsFirst')}>
          {t('searchSongsHint')} {t('searchSongsStar')}
        </Empty>
      )}
    </>
  )
}

function All({ press }: { press: () => void }) {
  return (
    <p class="links">
      <button type="button" class="btn quiet" onClick={press}>
        {t('showAll')}
      </button>
    </p>
  )
}

function useSongs(favorites: boolean, search: string) {
  return useQuery({
    queryKey: ['songs', favorites, search],
    queryFn: () => client.karaoke.list({ limit: listSize, ...(search && { search }), ...(favorites && { favorite: 'true' }) }),
    enabled: favorites || search !== '',
  })
}

interface SongsProps {
  favorites: boolean
  search: string
  /** Changes to another list. */
  show: (view: View) => void
}

/** The server lists no songs without a search: there are ten thousands. */
function Songs({ favorites, search, show }: SongsProps) {
  const enabled = favorites || search !== ''
  const songs = useSongs(favorites, search)
  if (!enabled) return <Begin show={show} />
  return (
    <Answer of={songs}>
      {({ songs: found }) =>
        found.length === 0 ? (
          <Empty title={t('nothingFound')} />
        ) : (
          <ul class="card">
            {found.map((song) => (
              <Song key={song.songID} song={song} />
            ))}
          </ul>
        )
      }
    </Answer>
  )
}

/** The one that the address names; who may log it is asked at once. */
function AskedSong({ id }: { id: string }) {
  const song = useQuery({ queryKey: ['songs', 'one', id], queryFn: () => client.karaoke.get({ song_id: id }) })
  return (
    <Answer of={song}>
      {(found) => (
        <ul class="card after-tabs">
          <Song song={found} isAsked />
        </ul>
      )}
    </Answer>
  )
}

function Song({
  song: { songID, songName, artist, isFavorite, isMidi, performances },
  isAsked = false,
}: {
  song: KaraokeSongData
  isAsked?: boolean
}) {
  const [logging, setLogging] = useState(isAsked && isKaraokeManager())
  const favorite = () =>
    attempt(async () => {
      await (isFavorite ? client.karaoke.removeFavorite({ song_id: songID }) : client.karaoke.favorite({ song_id: songID }))
      refresh('songs')
    })
  return (
    <li class="row">
      <div class="row-text">
        <p>{songName}</p>
        <small>
          {[artist, isMidi && 'MIDI', performances.length > 0 && t('sungTimes', { n: performances.length })].filter(Boolean).join(' · ')}
        </small>
      </div>
      {isKaraokeManager() && (
        <button
          type="button"
          class="round plain"
          aria-label={t('logTitle', { title: songName })}
          aria-haspopup="dialog"
          onClick={() => setLogging(true)}
        >
          <KaraokeIcon size={20} />
        </button>
      )}
      <Star on={isFavorite} label={t('favoriteTitle', { title: songName })} press={() => void favorite()} />
      {logging && (
        <Ask
          title={t('logTitle', { title: songName })}
          label={t('sungBy')}
          done={t('save')}
          field="note"
          close={() => setLogging(false)}
          run={async (note) => {
            await once(client.karaoke.logperformance, { song_id: songID, note: note.trim() })
            refresh('songs')
          }}
        />
      )}
    </li>
  )
}

const isKaraokeManager = () => (me.value?.roles ?? []).includes('karaokemanager')

function useSung(search: string) {
  return useQuery({
    queryKey: ['songs', 'sung', search],
    queryFn: () => client.karaoke.latest({ limit: 100, ...(search && { search }) }),
  })
}

function Sung({ search }: { search: string }) {
  const sung = useSung(search)
  return <Answer of={sung}>{({ songs }) => (songs.length === 0 ? <Empty title={t('nothingSung')} /> : <SungSongs songs={songs} />)}</Answer>
}

function SungSongs({ songs }: { songs: readonly KaraokePerformedSongsData[] }) {
  return (
    <ul class="card">
      {songs.map(({ songName, artist, performers, time }) => (
        <li key={time} class="row">
          <div class="row-text">
            <p>{songName}</p>
            <small>
              {artist} · {performers}
            </small>
          </div>
          <small>
            <time dateTime={time}>{when(time)}</time>
          </small>
        </li>
      ))}
    </ul>
  )
}
