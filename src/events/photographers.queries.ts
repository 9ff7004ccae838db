// Statements about photographers of events.
import type { Sql } from '../core/db/db.ts'

/** Events that need a photographer, and photographers by event in the order in which they came. */
export async function selectPhotographers(
  sql: Sql,
): Promise<{ wishes: { eventId: string }[]; claims: { eventId: string; accountId: string }[] }> {
  const [wishes, claims] = await Promise.all([
    sql<{ eventId: string }[]>`select event_id from event_photo_wish`,
    sql<{ eventId: string; accountId: string }[]>`select event_id, account_id from event_photographer order by created_at, account_id`,
  ])
  return { wishes, claims }
}

/** Notes that an event needs a photographer; undefined when the event is not there, false when it was noted already. */
export async function insertPhotoWish(sql: Sql, eventId: string): Promise<boolean | undefined> {
  const [row] = await sql<[{ known: boolean; added: boolean }]>`
    with known as (select id from event where id = ${eventId} and deleted_at is null),
    added as (insert into event_photo_wish (event_id) select id from known on conflict do nothing returning 1)
    select exists (select from known) as known, exists (select from added) as added`
  return row.known ? row.added : undefined
}

/** Ends that; undefined when the event is not there, false when it was not noted. */
export async function deletePhotoWish(sql: Sql, eventId: string): Promise<boolean | undefined> {
  const [row] = await sql<[{ known: boolean; removed: boolean }]>`
    with known as (select id from event where id = ${eventId} and deleted_at is null),
    removed as (delete from event_photo_wish using known where event_id = known.id returning 1)
    select exists (select from known) as known, exists (select from removed) as removed`
  return row.known ? row.removed : undefined
}

/** Makes an account a photographer of an event; undefined when the event is not there, false when it was one already. */
export async function insertPhotographer(sql: Sql, accountId: string, eventId: string, now: Date): Promise<boolean | undefined> {
  const [row] = await sql<[{ known: boolean; added: boolean }]>`
    with known as (select id from event where id = ${eventId} and deleted_at is null),
    added as (insert into event_photographer (account_id, event_id, created_at) select ${accountId}, id, ${now} from known
      on conflict do nothing returning 1)
    select exists (select from known) as known, exists (select from added) as added`
  return row.known ? row.added : undefined
}

/** Ends that; false when the account was none. */
export async function deletePhotographer(sql: Sql, accountId: string, eventId: string): Promise<boolean> {
  const result = await sql`delete from event_photographer where account_id = ${accountId} and event_id = ${eventId}`
  return result.count > 0
}
