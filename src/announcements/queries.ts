// Statements about announcements and how far they were read.
import type { Sql } from '../core/db/db.ts'
import type { AnnouncementRow } from './rows.ts'

const announcementColumns = (sql: Sql) => sql`id, author_id, text, display_until, updated_at, deleted_at`

/** All announcements, newest first; deleted ones only on demand. */
export async function selectAnnouncements(sql: Sql, options: { deleted: boolean }): Promise<AnnouncementRow[]> {
  return await sql<AnnouncementRow[]>`
    select ${announcementColumns(sql)} from announcement ${options.deleted ? sql`` : sql`where deleted_at is null`} order by id desc`
}

/** An announcement, deleted or not. */
export async function selectAnnouncement(sql: Sql, id: number): Promise<AnnouncementRow | undefined> {
  const [row] = await sql<AnnouncementRow[]>`select ${announcementColumns(sql)} from announcement where id = ${id}`
  return row
}

/** Locks an announcement, deleted or not. */
export async function lockAnnouncement(sql: Sql, id: number): Promise<AnnouncementRow | undefined> {
  const [row] = await sql<AnnouncementRow[]>`select ${announcementColumns(sql)} from announcement where id = ${id} for update`
  return row
}

/** Lets one announcement be created at a time: a reader of a higher id has seen the lower ones. */
export async function lockAnnouncements(sql: Sql): Promise<void> {
  await sql`lock table announcement in share row exclusive mode`
}

/** Returns the id. */
export async function insertAnnouncement(
  sql: Sql,
  { authorId, text, displayUntil, now }: { authorId: string; text: string; displayUntil: Date; now: Date },
): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    insert into announcement (author_id, text, display_until, created_at, updated_at)
    values (${authorId}, ${text}, ${displayUntil}, ${now}, ${now}) returning id`
  return row.id
}

/** Replaces text and time; a deleted announcement is back afterwards. */
export async function updateAnnouncement(
  sql: Sql,
  id: number,
  { text, displayUntil, now }: { text: string; displayUntil: Date; now: Date },
): Promise<void> {
  await sql`
    update announcement set text = ${text}, display_until = ${displayUntil}, updated_at = ${now}, deleted_at = null where id = ${id}`
}

export async function softDeleteAnnouncement(sql: Sql, id: number, now: Date): Promise<void> {
  await sql`update announcement set deleted_at = ${now}, updated_at = ${now} where id = ${id}`
}

/** Moves an account's read mark forward; false when it was there already. */
export async function raiseReadMark(sql: Sql, accountId: string, announcementId: number): Promise<boolean> {
  const result = await sql`update account set read_announcement_id = ${announcementId} where id = ${accountId}
      and read_announcement_id < ${announcementId}`
  return result.count > 0
}

/** An announcement that is written ahead; times are floating. */
export interface PlannedRow {
  id: string
  authorId: string
  plannedBy: string
  text: string
  showAt: Date
  displayUntil: Date
}

/** Those that are still to come, the next first. */
export async function selectPlanned(sql: Sql): Promise<PlannedRow[]> {
  return await sql<PlannedRow[]>`
    select id, author_id, planned_by, text, show_at, display_until from planned_announcement order by show_at, id`
}

/** Writes one, unless there are as many as there may be. */
export async function insertPlanned(sql: Sql, row: PlannedRow, now: Date, most: number): Promise<boolean> {
  const result = await sql`
    insert into planned_announcement (id, author_id, planned_by, text, show_at, display_until, created_at)
    select ${row.id}, ${row.authorId}, ${row.plannedBy}, ${row.text}, ${row.showAt}, ${row.displayUntil}, ${now}
    where (select count(*) from planned_announcement) < ${most}`
  return result.count > 0
}

/** Takes one out: undefined when it is gone already. */
export async function deletePlanned(sql: Sql, id: string): Promise<PlannedRow | undefined> {
  const [row] = await sql<PlannedRow[]>`
    delete from planned_announcement where id = ${id} returning id, author_id, planned_by, text, show_at, display_until`
  return row
}
