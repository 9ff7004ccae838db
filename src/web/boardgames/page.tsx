// The library of games: search, favorites, and what a group could play.
import { useState } from 'preact/hooks'
import { Link, useSearchParams } from 'wouter-preact'
import type { BoardgameData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { belowMore } from '../kit/beside.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { Page } from '../kit/page.tsx'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { Star } from '../kit/star.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { attempt } from '../kit/toast.tsx'
import { mayWrite } from '../session.ts'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { useKept } from '../place.ts'

type View = 'all' | 'favorites' | 'recommend'
const listSize = 200

interface Wish {
  numPlayers: number
  timeToPlay: number
  complexity: number
  /** Years of the youngest player; 0 for grown-ups alone. */
  maxAge: number
}

export function Games() {
  const [params, setParams] = useSearchParams()
  const [view, setView] = useKept<View>('view', params.get('list') === 'recommend' ? 'recommend' : 'all')
  const [search, setSearch] = useSearchWords()
  const [wish, setWish] = useState<Wish>({ numPlayers: 4, timeToPlay: 60, complexity: 0, maxAge: 0 })
  const games = useQuery({
    queryKey: ['games', view, search, view === 'recommend' ? wish : null],
    queryFn: () =>
      view === 'recommend'
        ? client.boardgames.recommend({ ...wish, minAge: 0, limit: 50 })
        : client.boardgames.list({ limit: listSize, ...(search && { search }), ...(view === 'favorites' && { favorite: 'true' }) }),
  })
  return (
    <Page title={t('games')} {...belowMore()}>
      <Tabs
        label={t('lists')}
        value={view}
        options={[
          ['all', t('all')],
          ['favorites', t('favorites')],
          ['recommend', t('recommend')],
        ]}
        change={setView}
      />
      {view === 'recommend' ? (
        <Wishes wish={wish} change={setWish} />
      ) : (
        <SearchField label={t('searchGames')} change={setSearch} start={search} />
      )}
      {params.has('game') && <Named id={params.get('game') ?? ''} close={() => setParams({}, { replace: true })} />}
      <div class="after-tabs">
        <Answer of={games}>
          {({ gameArray }) =>
            gameArray.length === 0 ? (
              <Empty title={t('nothingFound')} />
            ) : (
              <ul class="card">
                {gameArray.map((game) => (
                  <Game key={game.gameID} game={game} />
                ))}
              </ul>
            )
          }
        </Answer>
      </div>
    </Page>
  )
}

/** The game that an address means. */
function Named({ id, close }: { id: string; close: () => void }) {
  const { data } = useQuery({ queryKey: ['games', 'one', id], queryFn: () => client.boardgames.get({ boardgame_id: id }) })
  return data ? <About game={data} close={close} /> : null
}

function Wishes({ wish, change }: { wish: Wish; change: (wish: Wish) => void }) {
  const { numPlayers, timeToPlay, complexity, maxAge } = wish
  return (
    <div class="card pad after-tabs">
      <Slider
        label={t('players', { n: numPlayers })}
        value={numPlayers}
        min={1}
        max={12}
        change={(value) => change({ ...wish, numPlayers: value })}
      />
      <Slider
        label={t('playingTime', { minutes: timeToPlay })}
        value={timeToPlay}
        min={15}
        max={300}
        step={15}
        change={(value) => change({ ...wish, timeToPlay: value })}
      />
      <Slider
        label={complexity === 0 ? t('anyComplexity') : t('complexity', { level: complexity })}
        value={complexity}
        min={0}
        max={5}
        change={(value) => change({ ...wish, complexity: value })}
      />
      <p class="quiet">{t('complexityGuide')}</p>
      <Slider
        label={maxAge === 0 ? t('anyAge') : t('youngest', { n: maxAge })}
        value={maxAge}
        min={0}
        max={18}
        change={(value) => change({ ...wish, maxAge: value })}
      />
      <p class="quiet">{t('recommendGuide')}</p>
    </div>
  )
}

interface SliderProps {
  label: string
  value: number
  min: number
  max: number
  step?: number
  change: (value: number) => void
}

function Slider({ label, change, ...range }: SliderProps) {
  return (
    <label class="slider">
      {label}
      <input type="range" {...range} onInput={({ currentTarget }) => change(Number(currentTarget.value))} />
    </label>
  )
}

function Game({ game }: { game: BoardgameData }) {
  const [open, setOpen] = useState(false)
  const { gameID, gameName, isFavorite } = game
  const favorite = () =>
    attempt(async () => {
      await (isFavorite ? client.boardgames.removeFavorite({ boardgame_id: gameID }) : client.boardgames.favorite({ boardgame_id: gameID }))
      refresh('games')
    })
  return (
    <li class="row">
      <button type="button" class="row-text plain-button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <p>{gameName}</p>
        <small>{factsOf(game)}</small>
      </button>
      <Star on={isFavorite} label={t('favoriteTitle', { title: gameName })} press={() => void favorite()} />
      {open && <About game={game} close={() => setOpen(false)} />}
    </li>
  )
}

function About({ game, close }: { game: BoardgameData; close: () => void }) {
  const { gameID, gameName, gameDescription = '', categories, mechanics, notes, donatedBy, maxPlayers = 0 } = game
  const hasMore = game.hasExpansions || game.isExpansion
  const expansions = useQuery({
    queryKey: ['games', 'expansions', gameID],
    queryFn: () => client.boardgames.expansions({ boardgame_id: gameID }),
    enabled: hasMore,
  })
  const others = expansions.data && 'gameArray' in expansions.data ? expansions.data.gameArray : (expansions.data ?? [])
  const group = new URLSearchParams({
    kind: 'gaming',
    title: gameName,
    info: t('groupForGame', { title: gameName }),
    max: String(maxPlayers),
  })
  return (
    <Dialog title={gameName} close={close}>
      <p class="quiet">{factsOf(game)}</p>
      <p class="words">{plainText(gameDescription)}</p>
      {[categories, mechanics].map((words) => words.length > 0 && <p class="quiet">{words.join(', ')}</p>)}
      {notes && <p>{notes}</p>}
      {donatedBy && <p class="quiet">{t('donatedBy', { name: donatedBy })}</p>}
      {hasMore && others.length > 1 && (
        <>
          <h3>{t('expansions')}</h3>
          <ul>
            {others
              .filter((other) => other.gameID !== gameID)
              .map((other) => (
                <li key={other.gameID}>{other.gameName}</li>
              ))}
          </ul>
        </>
      )}
      {mayWrite.value && (
        <p class="links">
          <Link href={`/fez/new?${group}`} class="btn">
            {t('startGroup')}
          </Link>
        </p>
      )}
    </Dialog>
  )
}

function factsOf({ minPlayers, maxPlayers, avgPlayingTime, numCopies, complexity, minAge }: BoardgameData): string {
  const range = minPlayers === maxPlayers || !maxPlayers ? minPlayers : `${minPlayers}–${maxPlayers}`
  return [
    range && t('playerRange', { range }),
    avgPlayingTime && t('minutes', { n: avgPlayingTime }),
    complexity && t('weight', { level: complexity.toFixed(1) }),
    minAge && t('fromAge', { n: minAge }),
    numCopies > 1 && t('copies', { n: numCopies }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Descriptions have HTML entities: read as text by the browser's own parser, which runs nothing. */
function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').documentElement.textContent ?? ''
}
