// The wire forms of karaoke.
import { Paginator, strictPageQuery } from '../core/http/paging.ts'
import { DateTime, Dto, Int, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** The performers of a song, and when they were logged. */
export type KaraokePerformedSongsData = Static<typeof KaraokePerformedSongsData>
export const KaraokePerformedSongsData = Dto('KaraokePerformedSongsData', {
  songID: Uuid,
  artist: Type.String(),
  songName: Type.String(),
  performers: Type.String(),
  time: DateTime,
  /** Whether the song is a favorite of the viewer. */
  isFavorite: Type.Boolean(),
})

export type KaraokeSongData = Static<typeof KaraokeSongData>
export const KaraokeSongData = Dto('KaraokeSongData', {
  songID: Uuid,
  artist: Type.String(),
  songName: Type.String(),
  isMidi: Type.Boolean(),
  /** An ordinary recording with the voice filtered out. */
  isVoiceReduced: Type.Boolean(),
  isFavorite: Type.Boolean(),
  /** Oldest first. */
  performances: Type.Array(KaraokePerformedSongsData),
})

/** A page of songs. */
export type KaraokeSongResponseData = Static<typeof KaraokeSongResponseData>
export const KaraokeSongResponseData = Dto('KaraokeSongResponseData', {
  totalSongs: Int,
  start: Int,
  limit: Int,
  songs: Type.Array(KaraokeSongData),
})

/** A page of what was sung. */
export type KaraokePerformedSongsResult = Static<typeof KaraokePerformedSongsResult>
export const KaraokePerformedSongsResult = Dto('KaraokePerformedSongsResult', {
  songs: Type.Array(KaraokePerformedSongsData),
  paginator: Paginator,
})

export type UserAuthorizedToCreateKaraokeLogs = Static<typeof UserAuthorizedToCreateKaraokeLogs>
export const UserAuthorizedToCreateKaraokeLogs = Dto('UserAuthorizedToCreateKaraokeLogs', { isAuthorized: Type.Boolean() })

const search = Type.Optional(Text({ max: 200 }))

/** `favorite` is a text: everything but `true` counts as absent. */
export const songsQuery = { ...strictPageQuery, search, favorite: Type.Optional(Text({ max: 50 })) }

export interface SongsQuery {
  start?: number
  limit?: number
  search?: string
  favorite?: string
}

/** A library that was read again. */
export type KaraokeReloadData = Static<typeof KaraokeReloadData>
export const KaraokeReloadData = Dto('KaraokeReloadData', {
  /** In the library now. */
  songs: Int,
})

export const performancesQuery = { ...strictPageQuery, search }

export interface PerformancesQuery {
  start?: number
  limit?: number
  search?: string
}
