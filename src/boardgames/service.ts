// Board games: lists, favorites, recommendations, and reading the library's file again.
import type { Ctx, OpenCtx } from '../core/work/ctx.ts'
import { changesOwn } from '../accounts/events.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { readSeedFile } from '../core/files/seed-file.ts'
import { audit } from '../moderation/audit.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { catalogueFileName, type CatalogueGame, readCatalogue, withoutBase } from './catalogue.ts'
import { boardgamesId, boardgamesKind, type BoardgamesChannel } from './channel.ts'
import { deleteFavorite, insertFavorite, lockGames, replaceGames, selectChosen, selectGames } from './queries.ts'
import { scoreOf } from './recommendation.ts'
import type { BoardgameData, BoardgameRecommendationData, BoardgameReloadData, BoardgameResponseData, GamesQuery } from './schemas.ts'
import { gameBody, gamesBody, pageBody, type Game } from './views.ts'

type PageQuery = Pick<GamesQuery, 'start' | 'limit'>

/** Games in order of titles. */
export async function listGames(ctx: OpenCtx, query: GamesQuery): Promise<Reply<BoardgameResponseData>> {
  const library = await libraryOf(ctx)
  const { favorites, found } = await chosen(ctx, query.search)
  const favoritesOnly = ctx.viewer !== undefined && query.favorite?.toLowerCase() === 'true'
  const games =
    found || favoritesOnly
      ? library.games.filter(({ id }) => (!found || found.has(id)) && (!favoritesOnly || favorites.has(id)))
      : library.games
  return page(ctx, games, favorites, query)
}

/** One game. */
export async function getGame(ctx: OpenCtx, gameId: string): Promise<Reply<BoardgameData>> {
  const game = gameIn(await libraryOf(ctx), gameId)
  const { favorites } = await chosen(ctx)
  return new Reply(200, gameBody(game, favorites))
}

/** A base game with all of its expansions, found by any of them; as a page where one is asked for. */
export async function listExpansions(
  ctx: OpenCtx,
  gameId: string,
  query: PageQuery,
): Promise<Reply<BoardgameData[]> | Reply<BoardgameResponseData>> {
  const game = gameIn(await libraryOf(ctx), gameId)
  const base = game.base ?? game
  const { favorites } = await chosen(ctx)
  const games = [base, ...base.expansions]
  return query.start === undefined && query.limit === undefined
    ? new Reply(200, gamesBody(games, favorites))
    : page(ctx, games, favorites, query)
}

/** Games that suit, best first; those that suit alike in order of titles. */
export async function recommendGames(
  ctx: OpenCtx,
  wanted: BoardgameRecommendationData,
  query: PageQuery,
): Promise<Reply<BoardgameResponseData>> {
  const library = await libraryOf(ctx)
  const { favorites } = await chosen(ctx)
  const scored: { game: Game; score: number }[] = []
  for (const game of library.games) {
    const score = scoreOf(game.facts, wanted)
    if (score !== undefined) scored.push({ game, score })
  }
  return page(
    ctx,
    scored.sort((a, b) => b.score - a.score).map(({ game }) => game),
    favorites,
    query,
  )
}

/** Favorites a game for the caller; false when it was. */
export async function favoriteGame(ctx: Ctx, gameId: string): Promise<boolean> {
  const { exists, added } = await ctx.transaction((tx) => {
    changesOwn(tx, ctx.viewer.id, 'boardgame_favorite')
    return insertFavorite(tx.sql, ctx.viewer.id, gameId, tx.now)
  })
  if (!exists) throw notAvailable('game')
  return added
}

/** Takes a game off the caller's favorites; false when it was none. */
export async function unfavoriteGame(ctx: Ctx, gameId: string): Promise<boolean> {
  return await ctx.transaction((tx) => {
    changesOwn(tx, ctx.viewer.id, 'boardgame_favorite')
    return deleteFavorite(tx.sql, ctx.viewer.id, gameId)
  })
}

/** Makes the library what its file says; in force on all nodes when the promise resolves. A bad file changes nothing. */
export async function reloadGames(ctx: Ctx): Promise<BoardgameReloadData> {
  return await ctx.transaction(async (tx) => {
    await lockGames(tx.sql)
    // Under the lock: of two readings the later one wins.
    const games = await readSeedFile(ctx.node.config, catalogueFileName, readCatalogue)
    await replaceGames(tx.sql, games, tx.now)
    tx.emitConfirmed(boardgamesKind, boardgamesId, { type: 'reloaded' })
    await audit(tx, { action: 'reloadBoardgames', subject: { type: 'boardgames', id: boardgamesId }, details: { games: games.length } })
    const unlinked = withoutBase(games).map(({ gameName, facts: { expands } }) => `${gameName}: ${expands}`)
    if (unlinked.length > 0) ctx.log.warn({ unlinked }, 'expansions whose base game is not in the library')
    return { games: games.length }
  })
}

/** Games of a library by title; those of one title have their facts together. */
const byTitle = (games: readonly { gameName: string; facts: object }[]): Map<string, string> => {
  const titles = new Map<string, string>()
  for (const { gameName, facts } of games) titles.set(gameName, (titles.get(gameName) ?? '') + JSON.stringify(Object.entries(facts).sort()))
  return titles
}

function readUpload(file: string): CatalogueGame[] {
  try {
    return readCatalogue(file)
  } catch (cause) {
    throw badRequest('file_invalid', `The file cannot be used. ${(cause as Error).message}`, cause)
  }
}

/** The library as a file that an upload takes. */
export async function gamesAsFile({ sql }: Ctx): Promise<string> {
  const games = await selectGames(sql)
  return JSON.stringify(
    games.map(({ gameName, facts }) => ({ gameName, ...facts })),
    undefined,
    1,
  )
}

/** The library as it is and as a file has it, title by title. */
export async function compareGames(ctx: Ctx, file: string): Promise<{ before: Map<string, string>; after: Map<string, string> }> {
  const after = readUpload(file)
  return { before: byTitle(await selectGames(ctx.sql)), after: byTitle(after) }
}

/** Makes the library what a file says; in force on all nodes when the promise resolves. A bad file changes nothing. */
export async function uploadGames(ctx: Ctx, file: string): Promise<void> {
  const games = readUpload(file)
  await ctx.transaction(async (tx) => {
    await lockGames(tx.sql)
    await replaceGames(tx.sql, games, tx.now)
    tx.emitConfirmed(boardgamesKind, boardgamesId, { type: 'reloaded' })
    await audit(tx, { action: 'uploadBoardgames', subject: { type: 'boardgames', id: boardgamesId }, details: { games: games.length } })
  })
}

async function libraryOf({ node }: OpenCtx): Promise<BoardgamesChannel> {
  return await node.channels.sole(boardgamesKind, boardgamesId)
}

function gameIn(library: BoardgamesChannel, gameId: string): Game {
  const game = library.find(gameId)
  if (!game) throw notAvailable('game')
  return game
}

const nothing: ReadonlySet<string> = new Set()

/** The caller's favorites, and what a search has found. */
async function chosen(ctx: OpenCtx, search?: string): Promise<{ favorites: ReadonlySet<string>; found: ReadonlySet<string> | undefined }> {
  if (!ctx.viewer && search === undefined) return { favorites: nothing, found: undefined }
  const { favorites, found } = await selectChosen(ctx.sql, ctx.viewer?.id, search)
  return { favorites: new Set(favorites), found: found ? new Set(found) : undefined }
}

function page({ node }: OpenCtx, games: readonly Game[], favorites: ReadonlySet<string>, query: PageQuery): Reply<BoardgameResponseData> {
  const { start, limit } = pageOf(query, settingsOf(node).values.maximumTwarrts)
  return new Reply(200, pageBody(games.slice(start, start + limit), favorites, { total: games.length, start, limit }))
}
