// The board games as they are sent. A game's JSON is made once: all viewers get the same but for one field.
import { narrowJson } from '../core/http/narrow-json.ts'
import type { Paginator } from '../core/http/paging.ts'
import { joinedJson, type JsonText } from '../core/base/json-text.ts'
import { sortKey } from '../text/sort-key.ts'
import type { GameRow } from './queries.ts'
import type { BoardgameData, BoardgameResponseData } from './schemas.ts'

/** A game among the others of the library. */
export interface Game extends GameRow {
  /** Title in the external database, else the library's own. */
  title: string
  base: Game | undefined
  /** In order of titles. */
  expansions: Game[]
  /**
   * Its BoardgameData up to the value of `isFavorite`, which comes last. A page is joined from strings: as bytes,
   * every page would be memory outside of the heap, and V8 collects all garbage whenever so much of that has gone by.
   */
  json: string
}

/** The rows in order of titles, each with its base game and its expansions. */
export function libraryOf(rows: readonly GameRow[]): Game[] {
  const games = rows
    .map((row) => ({ row, title: row.facts.bggGameName || row.gameName }))
    .map(({ row, title }) => ({ key: sortKey(title), game: { ...row, title, base: undefined, expansions: [], json: '' } as Game }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ game }) => game)
  // The first of several entries of a title.
  const byName = new Map(games.toReversed().map((game) => [game.gameName, game]))
  for (const game of games) {
    const { expands } = game.facts
    game.base = expands === undefined || expands === game.gameName ? undefined : byName.get(expands)
    game.base?.expansions.push(game)
  }
  for (const game of games) game.json = narrowJson(JSON.stringify(boardgameData(game))).slice(0, -'false}'.length)
  return games
}

function boardgameData({ id, title, base, expansions, facts }: Game): BoardgameData {
  const { bggGameName: _title, expands: _base, mechanisms = [], gameTypes = [], categories = [], ...rest } = facts
  return {
    gameID: id,
    gameName: title,
    ...rest,
    gameTypes,
    categories,
    mechanics: mechanisms,
    isExpansion: base !== undefined,
    hasExpansions: expansions.length > 0,
    isFavorite: false,
  }
}

/** A BoardgameData. */
export const gameBody = (game: Game, favorites: ReadonlySet<string>): JsonText<BoardgameData> =>
  joinedJson(`${game.json}${favorites.has(game.id)}}`)

/** A list of BoardgameData. */
export const gamesBody = (games: readonly Game[], favorites: ReadonlySet<string>): JsonText<BoardgameData[]> =>
  joinedJson(`[${games.map((game) => gameBody(game, favorites)).join(',')}]`)

/** A BoardgameResponseData. */
export function pageBody(
  games: readonly Game[],
  favorites: ReadonlySet<string>,
  { total, start, limit }: Paginator,
): JsonText<BoardgameResponseData> {
  const rest = { paginator: { total, start, limit }, totalGames: total, start, limit }
  return joinedJson(`{"gameArray":${gamesBody(games, favorites)},${JSON.stringify(rest).slice(1)}`)
}
