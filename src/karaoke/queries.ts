// Statements about karaoke songs and favorites among them.
import type { Sql } from '../core/db/db.ts'
import type { LibrarySong } from './song-file.ts'

/** A song as its viewer stands to it, and when who sang it, oldest first. */
export interface SongRow {
  id: string
  artist: string
  songName: string
  isMidi: boolean
  isVoiceReduced: boolean
  isFavorite: boolean
  performers: string[]
  performedAt: Date[]
}

/** Absent means "any". */
export interface SongFilter {
  isFavorite?: boolean | undefined
  /** Words in artist and title together. */
  words?: string | undefined
  /** Sort keys of artists, the second one excluded. */
  artists?: { from: string; before: string } | undefined
}

/** Of a SongRow. */
const songColumns = (sql: Sql) => sql`
  song.id, song.artist, song.song_name, song.is_midi, song.is_voice_reduced,
  array(select performers from karaoke_performance where song_id = song.id order by id) as performers,
  array(select created_at from karaoke_performance where song_id = song.id order by id) as performed_at`

/** One page of songs, by artist and title, and the number of all matches. */
export async function selectSongPage(
  sql: Sql,
  viewerId: string | undefined,
  { isFavorite, words, artists }: SongFilter,
  start: number,
  limit: number,
): Promise<{ total: number; rows: SongRow[] }> {
  const rows = await sql<(SongRow & { total: number })[]>`
    with matched as materialized (
      select song.id, song.artist_key, song.song_key, favorite.song_id is not null as is_favorite
      from karaoke_song song
      left join karaoke_favorite favorite on favorite.account_id = ${viewerId ?? null}::uuid and favorite.song_id = song.id
      where song.removed_at is null
        ${isFavorite ? sql`and favorite.song_id is not null` : sql``}
        ${words === undefined ? sql`` : sql`and song.search @@ websearch_to_tsquery('english', ${words})`}
        ${artists === undefined ? sql`` : sql`and song.artist_key >= ${artists.from} and song.artist_key < ${artists.before}`}),
    page as (select * from matched order by artist_key, song_key, id limit ${limit} offset ${start})
    select total.number as total, page.is_favorite, ${songColumns(sql)}
    from (select count(*)::int as number from matched) as total
    left join page on true
    left join karaoke_song song on song.id = page.id
    order by page.artist_key, page.song_key, page.id`
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) }
}

/** A song of the library. */
export async function selectSong(sql: Sql, viewerId: string | undefined, songId: string): Promise<SongRow | undefined> {
  const [row] = await sql<SongRow[]>`
    select ${songColumns(sql)}, exists (select from karaoke_favorite where account_id = ${viewerId ?? null}::uuid and song_id = song.id)
      as is_favorite
    from karaoke_song song where id = ${songId} and removed_at is null`
  return row
}

/** `exists`: whether the song is in the library; `added`: whether it was no favorite before. */
export async function insertFavorite(sql: Sql, accountId: string, songId: string, now: Date): Promise<{ exists: boolean; added: boolean }> {
  const [row] = await sql<{ exists: boolean; added: boolean }[]>`
    with song as (select id from karaoke_song where id = ${songId} and removed_at is null),
    added as (
      insert into karaoke_favorite (account_id, song_id, created_at) select ${accountId}, id, ${now} from song
      on conflict do nothing returning 1)
    select exists (select from song) as exists, exists (select from added) as added`
  return row ?? { exists: false, added: false }
}

/** Returns false when it was no favorite. */
export async function deleteFavorite(sql: Sql, accountId: string, songId: string): Promise<boolean> {
  const result = await sql`delete from karaoke_favorite where account_id = ${accountId} and song_id = ${songId}`
  return result.count > 0
}

/** One reading of the file at a time, until the transaction ends. */
export async function lockSongs(sql: Sql): Promise<void> {
  await sql`lock table karaoke_song in share row exclusive mode`
}

/** True when the library was never filled. */
export async function hasNoSongs(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ none: boolean }[]>`select not exists (select from karaoke_song) as none`
  return row?.none ?? false
}

/**
 * Makes the library hold exactly these songs. Those that were there before, ever, keep their ids. postgres.js sends no
 * lists of booleans: they go as text.
 */
export async function replaceSongs(sql: Sql, songs: readonly LibrarySong[], now: Date): Promise<void> {
  // The planner knows nothing of new rows yet, and might compare two whole libraries pair by pair.
  await sql`set local enable_nestloop = off`
  await sql`
    with given as materialized (
      select * from unnest(
        ${songs.map(({ artist }) => artist)}::text[], ${songs.map(({ songName }) => songName)}::text[],
          ${songs.map(({ version }) => version)}::int[],
        ${songs.map(({ isMidi }) => String(isMidi))}::text[]::boolean[],
          ${songs.map(({ isVoiceReduced }) => String(isVoiceReduced))}::text[]::boolean[],
        ${songs.map(({ artistKey }) => artistKey)}::text[], ${songs.map(({ songKey }) => songKey)}::text[])
        as given (artist, song_name, version, is_midi, is_voice_reduced, artist_key, song_key)),
    removed as (
      update karaoke_song song set removed_at = ${now}
      where removed_at is null and not exists (
        select from given where given.artist = song.artist and given.song_name = song.song_name and given.version = song.version))
    insert into karaoke_song as song (artist, song_name, version, is_midi, is_voice_reduced, artist_key, song_key) select * from given
    on conflict (artist, song_name, version) do update
      set is_midi = excluded.is_midi, is_voice_reduced = excluded.is_voice_reduced, artist_key = excluded.artist_key,
        song_key = excluded.song_key, removed_at = null
    where song.removed_at is not null
      or (song.is_midi, song.is_voice_reduced, song.artist_key, song.song_key) is distinct
        from (excluded.is_midi, excluded.is_voice_reduced, excluded.artist_key, excluded.song_key)`
}

/** The whole library, recordings in the order of their songs. */
export async function selectLibrary(sql: Sql): Promise<Pick<LibrarySong, 'artist' | 'songName' | 'isMidi' | 'isVoiceReduced'>[]> {
  return await sql<Pick<LibrarySong, 'artist' | 'songName' | 'isMidi' | 'isVoiceReduced'>[]>`
    select artist, song_name, is_midi, is_voice_reduced from karaoke_song where removed_at is null order by artist_key, song_key, version`
}
