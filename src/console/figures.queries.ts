// Statements of the figures by the minute.
import type { Sql } from '../core/db/db.ts'

export interface FigureRow {
  minute: Date
  online: number
  requests: number
  errors: number
  posts: number
  p50: number | null
  p99: number | null
  lag: number
  waiting: number
  memoryMb: number
  diskFreeMb: number | null
}

/** Writes a minute unless another node has, and forgets those of long ago. */
export async function insertFigure(sql: Sql, row: FigureRow, forgetBefore: Date): Promise<void> {
  await sql`
    with forgotten as (delete from figure where minute < ${forgetBefore})
    insert into figure (minute, online, requests, errors, posts, p50, p99, lag, waiting, memory_mb, disk_free_mb)
    values (${row.minute}, ${row.online}, ${row.requests}, ${row.errors}, ${row.posts}, ${row.p50}, ${row.p99}, ${row.lag},
      ${row.waiting}, ${row.memoryMb}, ${row.diskFreeMb})
    on conflict (minute) do nothing`
}

/** Figures since a moment, in steps of so many minutes. */
export async function selectFigures(sql: Sql, since: Date, stepMinutes: number): Promise<FigureRow[]> {
  return await sql<FigureRow[]>`
    select to_timestamp(floor(extract(epoch from minute) / ${stepMinutes * 60}) * ${stepMinutes * 60}) as minute,
      max(online) as online, sum(requests)::int as requests, sum(errors)::int as errors, sum(posts)::int as posts,
      avg(p50)::real as p50, max(p99) as p99, max(lag) as lag, max(waiting) as waiting, max(memory_mb) as memory_mb, min(disk_free_mb)
        as disk_free_mb
    from figure where minute >= ${since} group by 1 order by 1`
}

/** When the oldest figure is from. */
export async function selectFirstFigure(sql: Sql): Promise<Date | undefined> {
  const [row] = await sql<{ minute: Date }[]>`select minute from figure order by minute limit 1`
  return row?.minute
}

/** Errors in the minutes since a moment, and the last of them. */
export async function sumErrors(sql: Sql, since: Date): Promise<{ errors: number; lastMinute: Date | null }> {
  const [row] = await sql<[{ errors: number; lastMinute: Date | null }]>`
    select coalesce(sum(errors), 0)::int as errors, max(minute) as last_minute from figure where minute > ${since}`
  return row
}
