// The wire forms of board games.
import { Paginator, strictPageQuery } from '../core/http/paging.ts'
import { Dto, Int, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** A game of the library. What the external database would have to say is absent where it does not know the game. */
export type BoardgameData = Static<typeof BoardgameData>
export const BoardgameData = Dto('BoardgameData', {
  gameID: Uuid,
  /** Title in the external database, else the library's own. */
  gameName: Type.String(),
  numCopies: Int,
  donatedBy: Type.Optional(Type.String()),
  notes: Type.Optional(Type.String()),
  yearPublished: Type.Optional(Type.String()),
  /** May hold HTML entities. */
  gameDescription: Type.Optional(Type.String()),
  gameTypes: Type.Array(Type.String()),
  categories: Type.Array(Type.String()),
  mechanics: Type.Array(Type.String()),
  minPlayers: Type.Optional(Int),
  maxPlayers: Type.Optional(Int),
  suggestedPlayers: Type.Optional(Int),
  minPlayingTime: Type.Optional(Int),
  maxPlayingTime: Type.Optional(Int),
  avgPlayingTime: Type.Optional(Int),
  minAge: Type.Optional(Int),
  numRatings: Type.Optional(Int),
  avgRating: Type.Optional(Type.Number()),
  complexity: Type.Optional(Type.Number()),
  isExpansion: Type.Boolean(),
  hasExpansions: Type.Boolean(),
  isFavorite: Type.Boolean(),
})

/** A page of games. */
export type BoardgameResponseData = Static<typeof BoardgameResponseData>
export const BoardgameResponseData = Dto('BoardgameResponseData', {
  gameArray: Type.Array(BoardgameData),
  paginator: Paginator,
  /** The paginator again, for apps from before it. */
  totalGames: Int,
  start: Int,
  limit: Int,
})

/** Wishes of a group that wants to play. Ages and complexity: 0 for any. */
export type BoardgameRecommendationData = Static<typeof BoardgameRecommendationData>
export const BoardgameRecommendationData = Dto('BoardgameRecommendationData', {
  numPlayers: Int,
  /** Minutes. */
  timeToPlay: Int,
  maxAge: Int,
  minAge: Int,
  complexity: Int,
})

/** A library that was read again. */
export type BoardgameReloadData = Static<typeof BoardgameReloadData>
export const BoardgameReloadData = Dto('BoardgameReloadData', {
  /** In the library now. */
  games: Int,
})

/** `favorite` is a text: everything but `true` counts as absent. */
export const gamesQuery = { ...strictPageQuery, search: Type.Optional(Text({ max: 200 })), favorite: Type.Optional(Text({ max: 50 })) }

export interface GamesQuery {
  start?: number
  limit?: number
  search?: string
  favorite?: string
}
