// Statements about the songs and snippets of micro karaoke. Everything that changes who has a slot locks
// the row of its song first.
import { advisoryLock } from '../core/db/advisory-lock.ts'
import type { Sql } from '../core/db/db.ts'
import type { WrittenFilter, WrittenRow } from '../moderation/judged.ts'

/** One offer at a time, until the transaction ends. */
export async function lockOffers(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLock('micro karaoke offers')})`
}

export interface SongRow {
  id: number
  name: string
  artist: string
  bpm: number
  isPortrait: boolean
  durations: number[]
  isComplete: boolean
  modApproved: boolean
  updatedAt: Date
}

const songColumns = ['id', 'name', 'artist', 'bpm', 'is_portrait', 'durations', 'is_complete', 'mod_approved', 'updated_at'].map(
  (name) => `song.${name}`,
)

export interface SnippetRow {
  id: string
  songId: number
  slot: number
  authorId: string
  isFiller: boolean
  /** Null once there is a video. */
  expiresAt: Date | null
}

const snippetColumns = ['id', 'song_id', 'slot', 'author_id', 'is_filler', 'expires_at'].map((name) => `snippet.${name}`)

/** Not deleted, and not an offer that has expired. */
const live = (sql: Sql, now: Date) => sql`(snippet.deleted_at is null and (snippet.expires_at is null or snippet.expires_at > ${now}))`

/** A reserved slot with its song. */
export interface OfferRow {
  id: string
  authorId: string
  slot: number
  expiresAt: Date
  songId: number
  name: string
  artist: string
  bpm: number
  isPortrait: boolean
}

/** The slot that a person has been offered and not sung yet, with whichever of their accounts. */
export async function selectOffer(sql: Sql, personId: string, now: Date): Promise<OfferRow | undefined> {
  const [row] = await sql<OfferRow[]>`
    select snippet.id, snippet.author_id, snippet.slot, snippet.expires_at, song.id as song_id, song.name, song.artist, song.bpm,
      song.is_portrait
    from mk_snippet snippet join mk_song song on song.id = snippet.song_id
    where snippet.author_id in (select id from account where person_id = ${personId}) and snippet.deleted_at is null
      and snippet.expires_at > ${now}`
  return row
}

/** Whether an account has been offered something that could still be sung, in time or not, or has sung something within a day. */
export async function hasOffer(sql: Sql, authorId: string, now: Date): Promise<boolean> {
  const rows = await sql`
    select from mk_snippet where author_id = ${authorId} and deleted_at is null
      and (expires_at is not null or updated_at > ${now}::timestamptz - interval '1 day') limit 1`
  return rows.length > 0
}

/** Slots of the songs of these names that nobody has. */
export async function countOpenSlots(sql: Sql, names: readonly string[], now: Date): Promise<number> {
  const [row] = await sql<[{ open: number }]>`
    select coalesce(sum(cardinality(song.durations) - (select count(*) from mk_snippet snippet where snippet.song_id = song.id
      and ${live(sql, now)})), 0)::int as open
    from mk_song song where not is_complete and name = any(${names})`
  return row.open
}

/** Name of the song that was begun last. */
export async function selectNewestName(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`select name from mk_song order by id desc limit 1`
  return row?.name
}

export interface NewSong {
  name: string
  artist: string
  bpm: number
  isPortrait: boolean
  durations: number[]
  fillers: { id: string; slot: number }[]
  fillerAuthorId: string
  now: Date
}

/** Begins a song, with its filler slots filled. */
export async function insertSong(
  sql: Sql,
  { name, artist, bpm, isPortrait, durations, fillers, fillerAuthorId, now }: NewSong,
): Promise<void> {
  await sql`
    with song as (
      insert into mk_song (name, artist, bpm, is_portrait, durations, created_at, updated_at)
      values (${name}, ${artist}, ${bpm}, ${isPortrait}, ${durations}::float8[], ${now}, ${now}) returning id)
    insert into mk_snippet (id, song_id, slot, author_id, is_filler, created_at, updated_at)
    select filler.id, song.id, filler.slot, ${fillerAuthorId}, true, ${now}, ${now}
    from song cross join unnest(${fillers.map(({ id }) => id)}::uuid[], ${fillers.map(({ slot }) => slot)}::int[]) as filler (id, slot)`
}

/** Locks the songs of these names that are not complete, oldest first. */
export async function lockBuilding(sql: Sql, names: readonly string[]): Promise<SongRow[]> {
  return await sql<SongRow[]>`
    select ${sql(songColumns)} from mk_song song where not is_complete and name = any(${names}) order by id for no key update`
}

/** The persons who sing slots of some songs, and since when. */
export async function selectTaken(
  sql: Sql,
  songIds: readonly number[],
  now: Date,
): Promise<{ songId: number; slot: number; personId: string; updatedAt: Date }[]> {
  return await sql<{ songId: number; slot: number; personId: string; updatedAt: Date }[]>`
    select song_id, slot, account.person_id, snippet.updated_at from mk_snippet snippet join account on account.id = author_id
    where song_id = any(${songIds}::int[]) and ${live(sql, now)}`
}

/** Reserves a slot in place of whatever is left of it. */
export async function upsertOffer(
  sql: Sql,
  offer: { id: string; songId: number; slot: number; authorId: string; expiresAt: Date; now: Date },
): Promise<void> {
  await sql`
    insert into mk_snippet (id, song_id, slot, author_id, expires_at, created_at, updated_at)
    values (${offer.id}, ${offer.songId}, ${offer.slot}, ${offer.authorId}, ${offer.expiresAt}, ${offer.now}, ${offer.now})
    on conflict on constraint mk_snippet_slot do update set id = excluded.id, author_id = excluded.author_id,
      expires_at = excluded.expires_at,
      created_at = excluded.created_at, updated_at = excluded.updated_at, deleted_at = null`
}

/** Locks the song of a snippet, deleted or not; undefined when there is none. */
export async function lockSongOf(sql: Sql, snippetId: string): Promise<SongRow | undefined> {
  const [row] = await sql<SongRow[]>`
    select ${sql(songColumns)} from mk_song song where id = (select song_id from mk_snippet where id = ${snippetId}) for no key update`
  return row
}

/** A snippet, deleted or not: to be read under the lock of its song. */
export async function selectSnippet(sql: Sql, snippetId: string): Promise<(SnippetRow & { deletedAt: Date | null }) | undefined> {
  const [row] = await sql<
    (SnippetRow & { deletedAt: Date | null })[]
  >`select ${sql(snippetColumns)}, deleted_at from mk_snippet snippet where id = ${snippetId}`
  return row
}

/** The snippet has its video; with the last one the song is complete. */
export async function fillSnippet(sql: Sql, { id, songId }: Pick<SnippetRow, 'id' | 'songId'>, now: Date): Promise<void> {
  await sql`update mk_snippet set expires_at = null, updated_at = ${now} where id = ${id}`
  await sql`
    update mk_song set is_complete = true, updated_at = ${now}
    where id = ${songId} and cardinality(durations) <= (select count(*) from mk_snippet where song_id = ${songId} and expires_at is null
      and deleted_at is null)`
}

/** Opens the slot of a snippet again; its song is neither complete nor approved any more. */
export async function softDeleteSnippet(sql: Sql, { id, songId }: Pick<SnippetRow, 'id' | 'songId'>, now: Date): Promise<void> {
  await sql`
    with song as (update mk_song set is_complete = false, mod_approved = false, updated_at = ${now} where id = ${songId})
    update mk_snippet set deleted_at = ${now}, updated_at = ${now} where id = ${id}`
}

export async function selectSong(sql: Sql, songId: number): Promise<SongRow | undefined> {
  const [row] = await sql<SongRow[]>`select ${sql(songColumns)} from mk_song song where id = ${songId}`
  return row
}

export async function lockSong(sql: Sql, songId: number): Promise<SongRow | undefined> {
  const [row] = await sql<SongRow[]>`select ${sql(songColumns)} from mk_song song where id = ${songId} for no key update`
  return row
}

export async function updateApproved(sql: Sql, songId: number, now: Date): Promise<void> {
  await sql`update mk_song set mod_approved = true, updated_at = ${now} where id = ${songId}`
}

/** All songs, or those that everybody may see or that wait for approval only. */
export async function selectSongs(
  sql: Sql,
  which: 'all' | 'complete' | 'approved',
  viewerId: string,
): Promise<(SongRow & { contributed: boolean })[]> {
  return await sql<(SongRow & { contributed: boolean })[]>`
    select ${sql(songColumns)}, exists (
      select from mk_snippet snippet where snippet.song_id = song.id and snippet.author_id = ${viewerId} and snippet.expires_at is null
        and snippet.deleted_at is null) as contributed
    from mk_song song where ${which === 'all' ? sql`true` : which === 'complete' ? sql`is_complete` : sql`mod_approved`} order by id`
}

/** The slots of a song that are taken, in order. */
export async function selectSnippets(sql: Sql, songId: number, now: Date): Promise<SnippetRow[]> {
  return await sql<
    SnippetRow[]
  >`select ${sql(snippetColumns)} from mk_snippet snippet where song_id = ${songId} and ${live(sql, now)} order by slot`
}

/** Accounts that have sung in a song. */
export async function selectSingers(sql: Sql, songId: number): Promise<string[]> {
  const rows = await sql<{ authorId: string }[]>`
    select distinct author_id from mk_snippet where song_id = ${songId} and expires_at is null and deleted_at is null and not is_filler`
  return rows.map(({ authorId }) => authorId)
}

/** Snippets among these that have a video, with the persons who sing in it. */
export async function selectWithVideo(sql: Sql, snippetIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; personId: string }[]>`
    select snippet.id, account.person_id from mk_snippet snippet join account on account.id = author_id
    where snippet.id = any(${snippetIds}::uuid[]) and expires_at is null and snippet.deleted_at is null`
  return new Map(rows.map(({ id, personId }) => [id, personId]))
}

/** Parts of songs that these accounts have sung, or have been offered; in the order of their songs, for locking. */
export async function selectSnippetIdsOf(sql: Sql, accountIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from mk_snippet where author_id = any (${accountIds}::uuid[]) and deleted_at is null and not is_filler order by song_id, id`
  return rows.map(({ id }) => id)
}

/** Parts of songs that accounts have sung, newest first. */
export async function selectWrittenSnippets(sql: Sql, { accountIds, before, pattern, limit }: WrittenFilter): Promise<WrittenRow[]> {
  return await sql<WrittenRow[]>`
    select snippet.id::text as id, snippet.author_id, song.name as text, '{}'::text[] as images, song.artist as place,
      'normal'::moderation_status as moderation_status, snippet.created_at
    from mk_snippet snippet join mk_song song on song.id = snippet.song_id
    where snippet.author_id = any (${accountIds}::uuid[]) and not snippet.is_filler and snippet.expires_at is null
      and snippet.deleted_at is null and snippet.created_at <= ${before}
      ${pattern === undefined ? sql`` : sql`and lower(song.name) like ${pattern}`}
    order by snippet.created_at desc, snippet.id::text collate "C" desc limit ${limit}`
}
