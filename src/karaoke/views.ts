// Karaoke songs and performances as they are sent. Pure.
import type { PerformanceRow } from './performances.queries.ts'
import type { SongRow } from './queries.ts'
import type { KaraokePerformedSongsData, KaraokeSongData } from './schemas.ts'

/** A song with everybody who has sung it. */
export function songData({ id, artist, songName, isMidi, isVoiceReduced, isFavorite, performers, performedAt }: SongRow): KaraokeSongData {
  const song = { songID: id, artist, songName, isFavorite }
  return {
    ...song,
    isMidi,
    isVoiceReduced,
    performances: performedAt.map((time, index) => ({ ...song, performers: performers[index] ?? '', time })),
  }
}

/** One entry of the log of performances. */
export function performanceData({
  songId,
  artist,
  songName,
  performers,
  createdAt,
  isFavorite,
}: PerformanceRow): KaraokePerformedSongsData {
  return { songID: songId, artist, songName, performers, time: createdAt, isFavorite }
}
