// The board games as they are sent. A game's JSON is made once: all viewers get the same but for one field.
import type { Paginator } from '../core/paging.ts'
import { sortKey } from '../core/sort-key.ts'
import type { GameRow } from './queries.ts'
import type { BoardgameData } from './schemas.ts'

/** A game among the others of the library. */
export interface Game extends GameRow {
  /** Title in the external database, else the library's own. */
  title: string
  base: Game | undefined
  /** In order of titles. */
  expansions: Game[]
  /** Its BoardgameData up to the value of `isFavorite`, which comes last. */
  json: Buffer
}

/** The rows in order of titles, each with its base game and its expansions. */
export function libraryOf(rows: readonly GameRow[]): Game[] {
  const games = rows
    .map((row) => ({ row, title: row.facts.bggGameName || row.gameName }))
    .map(({ row, title }) => ({ key: sortKey(title), game: { ...row, title, base: undefined, expansions: [], json: Buffer.alloc(0) } as Game }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ game }) => game)
  // The first of several entries of a title.
  const byName = new Map(games.toReversed().map((game) => [game.gameName, game]))
  for (const game of games) {
    const { expands } = game.facts
    game.base = expands === undefined || expands === game.gameName ? undefined : byName.get(expands)
    game.base?.expansions.push(game)
  }
  for (const game of games) game.json = Buffer.from(JSON.stringify(boardgameData(game)).slice(0, -'false}'.length))
  return games
}

function boardgameData({ id, title, base, expansions, facts }: Game): BoardgameData {
  const { bggGameName: _title, expands: _base, mechanisms = [], gameTypes = [], categories = [], ...rest } = facts
  return { gameID: id, gameName: title, ...rest, gameTypes, categories, mechanics: mechanisms, isExpansion: base !== undefined, hasExpansions: expansions.length > 0, isFavorite: false }
}

const isFavorite = Buffer.from('true}')
const isNone = Buffer.from('false}')
const comma = Buffer.from(',')

/** A BoardgameData. */
export function gameBody(game: Game, favorites: ReadonlySet<string>): Buffer {
  return Buffer.concat([game.json, favorites.has(game.id) ? isFavorite : isNone])
}

/** A list of BoardgameData. */
export function gamesBody(games: readonly Game[], favorites: ReadonlySet<string>): Buffer {
  return joined('[', games, favorites, ']')
}

/** A BoardgameResponseData. */
export function pageBody(games: readonly Game[], favorites: ReadonlySet<string>, { total, start, limit }: Paginator): Buffer {
  const rest = { paginator: { total, start, limit }, totalGames: total, start, limit }
  return joined('{"gameArray":[', games, favorites, `],${JSON.stringify(rest).slice(1)}`)
}

function joined(opening: string, games: readonly Game[], favorites: ReadonlySet<string>, ending: string): Buffer {
  const parts = games.flatMap((game, index) => [...index > 0 ? [comma] : [], game.json, favorites.has(game.id) ? isFavorite : isNone])
  return Buffer.concat([Buffer.from(opening), ...parts, Buffer.from(ending)])
}
