// The library of games: search, favorites, and what a group could play.
import { useState } from 'preact/hooks'
import type { BoardgameData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Page } from '../kit/page.tsx'
import { SearchField } from '../kit/search.tsx'
import { Star } from '../kit/star.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { t } from '../texts.ts'

type View = 'all' | 'favorites' | 'recommend'
const listSize = 200

interface Wish {
  numPlayers: number
  timeToPlay: number
  complexity: number
}

export function Games() {
  const [view, setView] = useState<View>('all')
  const [search, setSearch] = useState('')
  const [wish, setWish] = useState<Wish>({ numPlayers: 4, timeToPlay: 60, complexity: 0 })
  const games = useQuery({
    queryKey: ['games', view, search, view === 'recommend' ? wish : null],
    queryFn: () =>
      view === 'recommend'
        ? client.boardgames.recommend({ ...wish, minAge: 0, maxAge: 0, limit: 50 })
        : client.boardgames.list({ limit: listSize, ...(search && { search }), ...(view === 'favorites' && { favorite: 'true' }) }),
  })
  return (
    <Page title={t('games')}>
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
      {view === 'recommend' ? <Wishes wish={wish} change={setWish} /> : <SearchField label={t('searchGames')} change={setSearch} />}
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

function Wishes({ wish, change }: { wish: Wish; change: (wish: Wish) => void }) {
  const { numPlayers, timeToPlay, complexity } = wish
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
      <button type="button" class="row-text plain-button" onClick={() => setOpen(true)}>
        <p>{gameName}</p>
        <small>{factsOf(game)}</small>
      </button>
      <Star on={isFavorite} label={t('favoriteTitle', { title: gameName })} press={() => void favorite()} />
      {open && (
        <Dialog title={gameName} close={() => setOpen(false)}>
          <p class="words">{plainText(game.gameDescription ?? '')}</p>
          {game.categories.length > 0 && <p class="quiet">{game.categories.join(', ')}</p>}
          {game.notes && <p>{game.notes}</p>}
          {game.donatedBy && <p class="quiet">{t('donatedBy', { name: game.donatedBy })}</p>}
        </Dialog>
      )}
    </li>
  )
}

function factsOf({ minPlayers, maxPlayers, avgPlayingTime, numCopies }: BoardgameData): string {
  const range = minPlayers === maxPlayers || !maxPlayers ? minPlayers : `${minPlayers}–${maxPlayers}`
  return [
    range && t('playerRange', { range }),
    avgPlayingTime && t('minutes', { n: avgPlayingTime }),
    numCopies > 1 && t('copies', { n: numCopies }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Descriptions have HTML entities: read as text by the browser's own parser, which runs nothing. */
function plainText(html: string): string {
  return new DOMParser().parseFromString(html, 'text/html').documentElement.textContent ?? ''
}
