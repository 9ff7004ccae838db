// The karaoke songs: found by artist or title, one's favorites, and what was sung.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { KaraokeSongData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { belowMore } from '../kit/beside.tsx'
import { Ask } from '../kit/ask.tsx'
import { KaraokeIcon } from '../kit/icon.tsx'
import { once } from '../kit/once.ts'
import { Page } from '../kit/page.tsx'
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

type View = 'songs' | 'favorites' | 'sung'
const listSize = 200

export function Karaoke() {
  const [view, setView] = useKept<View>('view', 'songs')
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
      <Tabs
        label={t('lists')}
        value={view}
        options={[
          ['songs', t('songs')],
          ['favorites', t('favorites')],
          ['sung', t('sung')],
        ]}
        change={setView}
      />
      <SearchField label={t('searchSongs')} change={setSearch} start={search} />
      {view === 'sung' ? <Sung search={search} /> : <Songs favorites={view === 'favorites'} search={search} />}
    </Page>
  )
}

/** The server lists no songs without a search: there are ten thousands. */
function Songs({ favorites, search }: { favorites: boolean; search: string }) {
  const enabled = favorites || search !== ''
  const songs = useQuery({
    queryKey: ['songs', favorites, search],
    queryFn: () => client.karaoke.list({ limit: listSize, ...(search && { search }), ...(favorites && { favorite: 'true' }) }),
    enabled,
  })
  if (!enabled) return <Empty title={t('searchSongsFirst')}>{t('searchSongsHint')}</Empty>
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

function Song({ song: { songID, songName, artist, isFavorite, isMidi, performances } }: { song: KaraokeSongData }) {
  const [logging, setLogging] = useState(false)
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
        <button type="button" class="round plain" aria-label={t('logTitle', { title: songName })} onClick={() => setLogging(true)}>
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

function Sung({ search }: { search: string }) {
  const sung = useQuery({
    queryKey: ['songs', 'sung', search],
    queryFn: () => client.karaoke.latest({ limit: 100, ...(search && { search }) }),
  })
  return (
    <Answer of={sung}>
      {({ songs }) =>
        songs.length === 0 ? (
          <Empty title={t('nothingSung')} />
        ) : (
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
    </Answer>
  )
}
