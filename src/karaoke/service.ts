// The karaoke library: lists, favorites, and reading its file again.
import type { Ctx, OpenCtx } from '../core/work/ctx.ts'
import { changesOwn } from '../accounts/events.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { readSeedFile } from '../core/files/seed-file.ts'
import { sortKey } from '../text/sort-key.ts'
import { audit } from '../moderation/audit.service.ts'
import { settingsOf } from '../settings/channel.ts'
import {
  deleteFavorite,
  insertFavorite,
  lockSongs,
  replaceSongs,
  selectLibrary,
  selectSong,
  selectSongPage,
  type SongFilter,
} from './queries.ts'
import type { KaraokeReloadData, KaraokeSongData, KaraokeSongResponseData, SongsQuery } from './schemas.ts'
import { readSongs, songFileName, type LibrarySong } from './song-file.ts'
import { songData } from './views.ts'

/** Songs by artist and title. The library is too large to page through: a filter is required. */
export async function listSongs(ctx: OpenCtx, query: SongsQuery): Promise<KaraokeSongResponseData> {
  const { start, limit } = pageOf(query, settingsOf(ctx.node).values.maximumTwarrts)
  const { total, rows } = await selectSongPage(ctx.sql, ctx.viewer?.id, filterOf(ctx, query), start, limit)
  return { totalSongs: total, start, limit, songs: rows.map(songData) }
}

// Nothing sorts after it.
const last = '\u{10ffff}'

function filterOf(ctx: OpenCtx, query: SongsQuery): SongFilter {
  const isFavorite = query.favorite?.toLowerCase() === 'true'
  if (isFavorite && !ctx.viewer) throw badRequest('login_needed', 'Log in to see your favorites.')
  const search = query.search?.trim().normalize('NFC')
  if (search === '#') return { isFavorite, artists: { from: '0', before: ':' } }
  if (search !== undefined && /^\p{L}$/u.test(search))
    return { isFavorite, artists: { from: sortKey(search), before: sortKey(search) + last } }
  if (!isFavorite && Array.from(search ?? '').length < 3)
    throw badRequest(
      'search_too_short',
      'Search for at least 3 characters, for one letter that the artist begins with, or for # for a number.',
    )
  return { isFavorite, words: search }
}

/** One song with everybody who has sung it. */
export async function getSong(ctx: OpenCtx, songId: string): Promise<KaraokeSongData> {
  const row = await selectSong(ctx.sql, ctx.viewer?.id, songId)
  if (!row) throw notAvailable('song')
  return songData(row)
}

/** Favorites a song for the caller; false when it was. */
export async function favoriteSong(ctx: Ctx, songId: string): Promise<boolean> {
  const { exists, added } = await ctx.transaction((tx) => {
    changesOwn(tx, ctx.viewer.id, 'karaoke_favorite')
    return insertFavorite(tx.sql, ctx.viewer.id, songId, tx.now)
  })
  if (!exists) throw notAvailable('song')
  return added
}

/** Takes a song off the caller's favorites; false when it was none. */
export async function unfavoriteSong(ctx: Ctx, songId: string): Promise<boolean> {
  return await ctx.transaction((tx) => {
    changesOwn(tx, ctx.viewer.id, 'karaoke_favorite')
    return deleteFavorite(tx.sql, ctx.viewer.id, songId)
  })
}

/** Makes the library what its file says. A bad file changes nothing. */
export async function reloadSongs(ctx: Ctx): Promise<KaraokeReloadData> {
  return await ctx.transaction(async (tx) => {
    await lockSongs(tx.sql)
    // Under the lock: of two readings the later one wins.
    const songs = await readSeedFile(ctx.node.config, songFileName, readSongs)
    await replaceSongs(tx.sql, songs, tx.now)
    await audit(tx, { action: 'reloadKaraoke', subject: { type: 'karaoke', id: 'all' }, details: { songs: songs.length } })
    return { songs: songs.length }
  })
}

function readUpload(file: string): LibrarySong[] {
  try {
    return readSongs(file)
  } catch (cause) {
    throw badRequest('file_invalid', `The file cannot be used. ${(cause as Error).message}`, cause)
  }
}

/** Songs by artist and title; recordings of one song stand together. */
const bySong = (songs: readonly Pick<LibrarySong, 'artist' | 'songName' | 'isMidi' | 'isVoiceReduced'>[]): Map<string, string> => {
  const names = new Map<string, string>()
  for (const { artist, songName, isMidi, isVoiceReduced } of songs) {
    const name = `${artist}: ${songName}`
    names.set(name, `${names.get(name) ?? ''}${isMidi ? 'M' : isVoiceReduced ? 'V' : '-'}`)
  }
  return names
}

/** The library as a file that an upload takes: a line for each recording. */
export async function songsAsFile({ sql }: Ctx): Promise<string> {
  const songs = await selectLibrary(sql)
  return `${songs.map(({ artist, songName, isMidi, isVoiceReduced }) => [artist, songName, ...(isMidi ? ['M'] : isVoiceReduced ? ['VR'] : [])].join('\t')).join('\n')}\n`
}

/** The library as it is and as a file has it, song by song. */
export async function compareSongs(ctx: Ctx, file: string): Promise<{ before: Map<string, string>; after: Map<string, string> }> {
  const after = readUpload(file)
  return { before: bySong(await selectLibrary(ctx.sql)), after: bySong(after) }
}

/** Makes the library what a file says. A bad file changes nothing. */
export async function uploadSongs(ctx: Ctx, file: string): Promise<void> {
  const songs = readUpload(file)
  await ctx.transaction(async (tx) => {
    await lockSongs(tx.sql)
    await replaceSongs(tx.sql, songs, tx.now)
    await audit(tx, { action: 'uploadKaraoke', subject: { type: 'karaoke', id: 'all' }, details: { songs: songs.length } })
  })
}
