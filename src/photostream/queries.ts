// Statements about photos of the stream.
import type { Sql } from '../core/db/db.ts'
import type { ContentModerationStatus } from '../moderation/types.ts'
import type { JudgedPhotoRow, PhotoRow } from './rows.ts'
import { anywhere } from './types.ts'
import type { WrittenFilter, WrittenRow } from '../moderation/judged.ts'

export interface PhotoFilter {
  eventId?: string | undefined
  locationName?: string | undefined
  authorId?: string | undefined
}

const photoColumns = (sql: Sql) => sql`photo.id, author_id, image, image_sizes, photo.created_at, photo.event_id, photo.location`
const judgedColumns = (sql: Sql) => sql`${photoColumns(sql)}, moderation_status, photo.deleted_at`

/** A part of the photos whose authors the viewer does not hide, newest first, and how many there are in all. */
export async function selectPhotos(
  sql: Sql,
  viewerId: string,
  { eventId, locationName, authorId }: PhotoFilter,
  { start, limit }: { start: number; limit: number },
): Promise<{ total: number; photos: PhotoRow[] }> {
  // A photo of an event that was taken off is as one of nowhere in particular.
  const place = sql`case when photo.event_id is not null and event.id is null then ${anywhere} else photo.location end`
  const found = sql`
    from stream_photo photo left join event on event.id = photo.event_id and event.deleted_at is null
    where photo.deleted_at is null and moderation_status not in ('quarantined', 'autoQuarantined')
      and author_id <> all ((select hidden_authors(${viewerId}))::uuid[])
      ${eventId === undefined ? sql`` : sql`and event.id = ${eventId}`}
      ${locationName === undefined ? sql`` : sql`and ${place} = ${locationName}`}
      ${authorId === undefined ? sql`` : sql`and author_id = ${authorId}`}`
  const rows = await sql<(PhotoRow & { total: number })[]>`
    select total.number as total, page.*
    from (select count(*)::int as number ${found}) as total
    left join (select ${photoColumns(sql)} ${found} order by photo.id desc limit ${limit} offset ${start}) as page on true
    order by page.id desc`
  return { total: rows[0]?.total ?? 0, photos: rows.filter(({ id }) => id !== null) }
}

/** A photo, deleted or not. */
export async function selectPhoto(sql: Sql, photoId: number): Promise<JudgedPhotoRow | undefined> {
  const [row] = await sql<JudgedPhotoRow[]>`select ${judgedColumns(sql)} from stream_photo photo where id = ${photoId}`
  return row
}

/** Locks a photo that is not deleted. */
export async function lockPhoto(sql: Sql, photoId: number): Promise<JudgedPhotoRow | undefined> {
  const [row] = await sql<
    JudgedPhotoRow[]
  >`select ${judgedColumns(sql)} from stream_photo photo where id = ${photoId} and deleted_at is null for update`
  return row
}

/** Makes uploads of a person come one after another, from whichever of their accounts. */
export async function lockUploads(sql: Sql, personId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('stream photos of ' || ${personId}, 0))`
}

/** When the last photo of a person was taken, a deleted one too, by whichever of their accounts. */
export async function selectLastTaken(sql: Sql, personId: string): Promise<Date | undefined> {
  const [row] = await sql<{ createdAt: Date }[]>`
    select last.created_at from account
    cross join lateral (select id, created_at from stream_photo where author_id = account.id order by id desc limit 1) as last
    where account.person_id = ${personId} order by last.id desc limit 1`
  return row?.createdAt
}

/** Writes a photo; returns its id. */
export async function insertPhoto(
  sql: Sql,
  { authorId, image, imageSizes, createdAt, eventId, location }: Omit<PhotoRow, 'id'>,
): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    insert into stream_photo (author_id, image, image_sizes, created_at, event_id, location)
    values (${authorId}, ${image}, ${imageSizes}::int[], ${createdAt}, ${eventId}, ${location}) returning id`
  return row.id
}

export async function softDeletePhoto(sql: Sql, photoId: number, now: Date): Promise<void> {
  await sql`update stream_photo set deleted_at = ${now} where id = ${photoId}`
}

export async function updatePhotoState(sql: Sql, photoId: number, status: ContentModerationStatus): Promise<void> {
  await sql`update stream_photo set moderation_status = ${status} where id = ${photoId}`
}

/** Hides what was reported often, unless a moderator has judged it. The row is locked. */
export async function quarantineReported(sql: Sql, photoId: number): Promise<void> {
  await sql`update stream_photo set moderation_status = 'autoQuarantined' where id = ${photoId} and moderation_status = 'normal'`
}

/** True when there are no photos. */
export async function hasNoPhotos(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ none: boolean }]>`select not exists (select from stream_photo) as none`
  return row.none
}

/** Photos by accounts, newest first. */
export async function selectWrittenPhotos(sql: Sql, { accountIds, before, pattern, limit }: WrittenFilter): Promise<WrittenRow[]> {
  return await sql<WrittenRow[]>`
    select photo.id::text as id, photo.author_id, coalesce(event.title, photo.location, '') as text, array[photo.image] as images,
      null as place, photo.moderation_status, photo.created_at
    from stream_photo photo left join event on event.id = photo.event_id
    where photo.author_id = any (${accountIds}::uuid[])
      and photo.deleted_at is null and photo.created_at <= ${before}
      ${pattern === undefined ? sql`` : sql`and lower(coalesce(event.title, photo.location, '')) like ${pattern}`}
    order by photo.created_at desc, photo.id::text collate "C" desc limit ${limit}`
}
