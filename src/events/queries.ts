// Statements about events and who follows them.
import { advisoryLock } from '../core/db/advisory-lock.ts'
import type { Fragment, Sql } from '../core/db/db.ts'
import { eventColumns, type EventRow } from './rows.ts'

/** Events that are not deleted. */
export async function selectEvents(sql: Sql): Promise<EventRow[]> {
  return await sql<EventRow[]>`select ${sql(eventColumns)} from event where deleted_at is null`
}

/** All events, deleted ones too. */
export async function selectAllEvents(sql: Sql): Promise<EventRow[]> {
  return await sql<EventRow[]>`select ${sql(eventColumns)} from event`
}

/** How many follow each event that anybody follows. */
export async function countFollowers(sql: Sql): Promise<Map<string, number>> {
  const rows = await sql<
    { eventId: string; number: number }[]
  >`select event_id, count(*)::int as number from event_follower group by event_id`
  return new Map(rows.map(({ eventId, number }) => [eventId, number]))
}

/** Those of these events that somebody follows or photographs. */
export async function selectFollowed(sql: Sql, eventIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ eventId: string }[]>`
    select event_id from event_follower where event_id = any(${eventIds as string[]}::uuid[])
    union
    select event_id from event_photographer where event_id = any(${eventIds as string[]}::uuid[])`
  return new Set(rows.map(({ eventId }) => eventId))
}

/** An event that is not deleted. */
export async function selectEvent(sql: Sql, eventId: string): Promise<EventRow | undefined> {
  const [row] = await sql<EventRow[]>`select ${sql(eventColumns)} from event where id = ${eventId} and deleted_at is null`
  return row
}

/** Ids of the events that have these words in title or description. */
export async function selectEventsWithWords(sql: Sql, words: string): Promise<Set<string>> {
  const rows = await sql<
    { id: string }[]
  >`select id from event where deleted_at is null and search @@ websearch_to_tsquery('english', ${words})`
  return new Set(rows.map(({ id }) => id))
}

/** One change of the schedule at a time, until the transaction ends. */
export async function lockSchedule(sql: Sql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${advisoryLock('schedule')})`
}

/** The columns of events as lists, for `unnest`: postgres.js takes a list of dates for one date, so they go as text. */
const unnested = (sql: Sql, events: readonly Omit<EventRow, 'updatedAt' | 'deletedAt'>[]) => {
  const texts = (value: (event: Omit<EventRow, 'updatedAt' | 'deletedAt'>) => string | null) => sql`${events.map(value)}::text[]`
  return sql`
    select id::uuid, uid, title, description, location, event_type::event_type, start_time::timestamptz, end_time::timestamptz,
      forum_id::uuid
    from unnest(${texts(({ id }) => id)}, ${texts(({ uid }) => uid)}, ${texts(({ title }) => title)},
      ${texts(({ description }) => description)}, ${texts(({ location }) => location)},
      ${texts(({ eventType }) => eventType)}, ${texts(({ startTime }) => startTime.toISOString())},
        ${texts(({ endTime }) => endTime.toISOString())}, ${texts(({ forumId }) => forumId)})
      as listed (id, uid, title, description, location, event_type, start_time, end_time, forum_id)`
}

/** Writes new events. */
export async function insertEvents(sql: Sql, events: readonly Omit<EventRow, 'updatedAt' | 'deletedAt'>[], now: Date): Promise<void> {
  await sql`
    insert into event (id, uid, title, description, location, event_type, start_time, end_time, forum_id, updated_at)
    select given.*, ${now}::timestamptz from (${unnested(sql, events)}) given`
}

/** Replaces everything of events but their identity and their forum; deleted ones are back. */
export async function updateEvents(sql: Sql, events: readonly Omit<EventRow, 'updatedAt' | 'deletedAt'>[], now: Date): Promise<void> {
  await sql`
    update event set title = given.title, description = given.description, location = given.location, event_type = given.event_type,
      start_time = given.start_time, end_time = given.end_time, updated_at = ${now}, deleted_at = null
    from (${unnested(sql, events)}) given where event.id = given.id`
}

export async function softDeleteEvents(sql: Sql, eventIds: readonly string[], now: Date): Promise<void> {
  await sql`update event set deleted_at = ${now}, updated_at = ${now} where id = any (${eventIds}::uuid[])`
}

/** Makes an account follow an event; false when it did, undefined when the event is not there. */
export async function insertFollower(sql: Sql, accountId: string, eventId: string, now: Date): Promise<boolean | undefined> {
  const [row] = await sql<[{ known: boolean; added: boolean }]>`
    with known as (select id from event where id = ${eventId} and deleted_at is null),
    added as (insert into event_follower (account_id, event_id, created_at) select ${accountId}, id, ${now} from known
      on conflict do nothing returning 1)
    select exists (select from known) as known, exists (select from added) as added`
  return row.known ? row.added : undefined
}

/** Ends that; false when the account did not follow the event. */
export async function deleteFollower(sql: Sql, accountId: string, eventId: string): Promise<boolean> {
  const result = await sql`delete from event_follower where account_id = ${accountId} and event_id = ${eventId}`
  return result.count > 0
}

/** The events of the schedule. */
export const eventsOn = (sql: Sql): Fragment => sql`select id, start_time from event where deleted_at is null`

/** Marks an hour as the one whose update has been ordered; false when it was. */
export async function insertHourMark(sql: Sql, hour: Date, now: Date): Promise<boolean> {
  const result = await sql`insert into notice_sent (kind, subject_id, start_time, sent_at) values ('schedule-reload', '', ${hour}, ${now})
      on conflict do nothing`
  return result.count > 0
}
