// Statements about who sang what.
import type { Sql } from '../core/db/db.ts'

export interface PerformanceRow {
  songId: string
  artist: string
  songName: string
  performers: string
  createdAt: Date
  isFavorite: boolean
}

/** Words in artist and title, or the same text among the performers. */
export interface PerformanceSearch {
  words: string
  performersKey: string
}

/** One page, newest first, and the number of all matches. */
export async function selectPerformancePage(
  sql: Sql,
  viewerId: string | undefined,
  search: PerformanceSearch | undefined,
  start: number,
  limit: number,
): Promise<{ total: number; rows: PerformanceRow[] }> {
  const rows = await sql<(PerformanceRow & { total: number })[]>`
    with matched as materialized (
      select performance.id from karaoke_performance performance
      ${
        search === undefined
          ? sql``
          : sql`
        join karaoke_song song on song.id = performance.song_id
        where song.search @@ websearch_to_tsquery('english', ${search.words})
          or strpos(performance.performers_key, ${search.performersKey}) > 0`
      }),
    page as (select id from matched order by id desc limit ${limit} offset ${start})
    select total.number as total, performance.song_id, song.artist, song.song_name, performance.performers, performance.created_at,
      exists (select from karaoke_favorite where account_id = ${viewerId ?? null}::uuid and song_id = song.id) as is_favorite
    from (select count(*)::int as number from matched) as total
    left join page on true
    left join karaoke_performance performance on performance.id = page.id
    left join karaoke_song song on song.id = performance.song_id
    order by page.id desc`
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ songId }) => songId !== null) }
}

/** Returns false when the song is not in the library. */
export async function insertPerformance(
  sql: Sql,
  {
    songId,
    managerId,
    performers,
    performersKey,
    now,
  }: { songId: string; managerId: string; performers: string; performersKey: string; now: Date },
): Promise<boolean> {
  const result = await sql`
    insert into karaoke_performance (song_id, manager_id, performers, performers_key, created_at)
    select id, ${managerId}, ${performers}, ${performersKey}, ${now} from karaoke_song where id = ${songId} and removed_at is null`
  return result.count > 0
}
