// Statements about the life of an event, and its report by the day.
import type { Sql } from '../core/db/db.ts'

export interface Readiness {
  events: number
  games: number
  songs: number
  codes: number
  team: number
}

/** What there is for an event whose floating times lie between these. */
export async function selectReadiness(sql: Sql, from: Date, to: Date): Promise<Readiness> {
  const [row] = await sql<[Readiness]>`
    select (select count(*)::int from event where deleted_at is null and start_time >= ${from} and start_time < ${to}) as events,
      (select count(*)::int from boardgame where removed_at is null) as games,
      (select count(*)::int from karaoke_song where removed_at is null) as songs,
      (select count(*)::int from registration_code) as codes,
      (select count(*)::int from account where not special and level >= 'moderator') as team`
  return row
}

export interface StartingRow {
  id: string
  title: string
  location: string
  startTime: Date
}

/** Events that start between two floating times. */
export async function selectStarting(sql: Sql, from: Date, to: Date): Promise<StartingRow[]> {
  return await sql<StartingRow[]>`
    select id, title, location, start_time from event where deleted_at is null and start_time >= ${from} and start_time < ${to}
    order by start_time, title, id`
}

/** Announcements that end between two floating times. */
export async function selectEnding(sql: Sql, from: Date, to: Date): Promise<{ text: string; displayUntil: Date }[]> {
  return await sql<{ text: string; displayUntil: Date }[]>`
    select text, display_until from announcement where deleted_at is null and display_until >= ${from} and display_until < ${to}
    order by display_until, id`
}

/** How many announcements are in force that were written on the last day or later, or are shown beyond the `end`. */
export async function countFarewells(sql: Sql, floatingNow: Date, end: Date): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from announcement
    where deleted_at is null and display_until > ${floatingNow}
      and (updated_at >= ${end}::timestamptz - interval '1 day' or display_until > ${end})`
  return row.count
}

export interface HourRow {
  at: Date
  online: number
  posts: number
  requests: number
  errors: number
  p99: number | null
  diskFreeMb: number | null
}

/** Figures by the hour. */
export async function selectHours(sql: Sql, from: Date, to: Date): Promise<HourRow[]> {
  return await sql<HourRow[]>`
    select to_timestamp(floor(extract(epoch from minute) / 3600) * 3600) as at, max(online) as online, sum(posts)::int as posts,
      sum(requests)::int as requests, sum(errors)::int as errors, max(p99) as p99, min(disk_free_mb) as disk_free_mb
    from figure where minute >= ${from} and minute < ${to} group by 1 order by 1`
}

export interface DaySums {
  newPeople: number
  reportsFiled: number
  reportsHandled: number
  reportsOpen: number
  bans: number
}

/** What was counted between two moments. */
export async function selectDaySums(sql: Sql, from: Date, to: Date): Promise<DaySums> {
  const [row] = await sql<[DaySums]>`
    select (select count(*)::int from account where not special and level <> 'client' and deleted_at is null and created_at >= ${from} and created_at < ${to})
        as new_people,
      (select count(*)::int from report where created_at >= ${from} and created_at < ${to}) as reports_filed,
      (select count(*)::int from report where is_closed and updated_at >= ${from} and updated_at < ${to}) as reports_handled,
      (select count(*)::int from report where not is_closed and created_at < ${to}) as reports_open,
      (select count(*)::int from audit where action = 'ban' and created_at >= ${from} and created_at < ${to}) as bans`
  return row
}
