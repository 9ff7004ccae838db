// Statements about performers and the events that they appear at.
import type { Sql } from '../core/db/db.ts'
import type { EventType } from '../events/types.ts'
import { nameKey } from './rules.ts'
import type { Link, MatchableEvent, PerformerRow } from './rows.ts'

const performerColumns = (sql: Sql) => sql`
  performer.id, performer.account_id, performer.is_official, performer.name, performer.photo, performer.pronouns, performer.bio,
  performer.organization, performer.title, performer.website, performer.facebook_url as "facebookURL", performer.x_url as "xURL",
  performer.instagram_url as "instagramURL", performer.youtube_url as "youtubeURL", performer.years_attended, performer.alternative_names`

/** One change of performers at a time, until the transaction ends; counts it for everybody who keeps them in memory. */
export async function lockPerformers(sql: Sql): Promise<void> {
  await sql`
    insert into performer_change (version) values (1)
    on conflict (only_one) do update set version = performer_change.version + 1`
}

/** A page of performers by name, and how many there are. Users who are banned are left out. */
export async function selectPerformers(
  sql: Sql,
  wanted: { isOfficial: boolean; words: string | undefined; start: number; limit: number },
): Promise<{ rows: PerformerRow[]; total: number }> {
  const from = sql`
    from performer left join account on account.id = performer.account_id
    where performer.is_official = ${wanted.isOfficial} and performer.deleted_at is null
      and (performer.is_official or account.level is distinct from 'banned')
      ${wanted.words === undefined ? sql`` : sql`and performer.search @@ websearch_to_tsquery('english', ${wanted.words})`}`
  const [rows, [{ total }]] = await Promise.all([
    sql<PerformerRow[]>`
      select ${performerColumns(sql)} ${from} order by performer.sort_key, performer.name collate "C",
        performer.id offset ${wanted.start} limit ${wanted.limit}`,
    sql<[{ total: number }]>`select count(*)::int as total ${from}`,
  ])
  return { rows, total }
}

export async function selectPerformer(sql: Sql, performerId: string): Promise<PerformerRow | undefined> {
  const [row] = await sql<PerformerRow[]>`select ${performerColumns(sql)} from performer where id = ${performerId} and deleted_at is null`
  return row
}

/** The performer whose page belongs to an account, deleted or not. */
export async function selectPerformerOf(sql: Sql, accountId: string): Promise<(PerformerRow & { isDeleted: boolean }) | undefined> {
  const [row] = await sql<(PerformerRow & { isDeleted: boolean })[]>`
    select ${performerColumns(sql)}, deleted_at is not null as is_deleted from performer where account_id = ${accountId}`
  return row
}

/** The performer with exactly this name. A page that a user has made is no official performer's. */
export async function selectPerformerNamed(sql: Sql, name: string, isOfficial: boolean): Promise<PerformerRow | undefined> {
  const [row] = await sql<PerformerRow[]>`
    select ${performerColumns(sql)} from performer
    where name = ${name} and deleted_at is null and (account_id is null or not ${isOfficial})
    order by account_id nulls first, is_official desc, created_at limit 1`
  return row
}

/** All official performers, in the order of lists. */
export async function selectOfficialPerformers(sql: Sql): Promise<PerformerRow[]> {
  return await sql<PerformerRow[]>`
    select ${performerColumns(sql)} from performer where is_official and deleted_at is null order by sort_key, name collate "C", id`
}

/** The registration code of a person, as far as performers are concerned. */
export async function selectCodeOf(sql: Sql, personId: string): Promise<{ forChatUser: boolean } | undefined> {
  const [row] = await sql<{ forChatUser: boolean }[]>`select for_chat_user from registration_code where person_id = ${personId}`
  return row
}

/** All performers with the uids of their events. */
export async function selectTravellingPerformers(sql: Sql): Promise<(PerformerRow & { eventUids: string[] })[]> {
  return await sql<(PerformerRow & { eventUids: string[] })[]>`
    select ${performerColumns(sql)}, array(
      select event.uid from performer_event join event on event.id = event_id
      where performer_id = performer.id and event.deleted_at is null order by event.uid collate "C") as event_uids
    from performer where deleted_at is null order by sort_key, name collate "C", id`
}

export interface ClaimRow {
  eventType: EventType
  hasOfficial: boolean
  /** Events that the account's performer appears at already. */
  claimed: number
}

/** All that decides whether an account may claim an event; undefined when there is no such event. */
export async function selectClaim(sql: Sql, eventId: string, accountId: string): Promise<ClaimRow | undefined> {
  const [row] = await sql<ClaimRow[]>`
    select event_type,
      exists (
        select from performer_event join performer on performer.id = performer_id
        where performer_event.event_id = event.id and is_official and deleted_at is null) as has_official,
      (select count(*)::int from performer_event join performer on performer.id = performer_id where account_id = ${accountId}) as claimed
    from event where event.id = ${eventId} and event.deleted_at is null`
  return row
}

/** Writes performers, new or not; deleted ones are back. */
export async function upsertPerformers(sql: Sql, performers: readonly PerformerRow[], now: Date): Promise<void> {
  for (const row of performers) {
    await sql`
      insert into performer (id, account_id, is_official, name, sort_key, pronouns, bio, photo, organization, title, website, facebook_url,
        x_url,
        instagram_url, youtube_url, years_attended, alternative_names, created_at, updated_at)
      values (${row.id}, ${row.accountId}, ${row.isOfficial}, ${row.name}, ${nameKey(row.name)}, ${row.pronouns}, ${row.bio}, ${row.photo},
        ${row.organization}, ${row.title}, ${row.website}, ${row.facebookURL}, ${row.xURL}, ${row.instagramURL}, ${row.youtubeURL},
        ${row.yearsAttended}, ${row.alternativeNames}, ${now}, ${now})
      on conflict (id) do update set
        is_official = excluded.is_official, name = excluded.name, sort_key = excluded.sort_key, pronouns = excluded.pronouns,
          bio = excluded.bio,
        photo = excluded.photo, organization = excluded.organization, title = excluded.title, website = excluded.website,
        facebook_url = excluded.facebook_url, x_url = excluded.x_url, instagram_url = excluded.instagram_url,
          youtube_url = excluded.youtube_url,
        years_attended = excluded.years_attended, alternative_names = excluded.alternative_names, updated_at = excluded.updated_at,
          deleted_at = null`
  }
}

/** Gives a performer without a photo this one; false when they have one, or are not there any more. */
export async function updateMissingPhoto(sql: Sql, performerId: string, photo: string, now: Date): Promise<boolean> {
  const result = await sql`
    update performer set photo = ${photo}, updated_at = ${now} where id = ${performerId} and photo is null and deleted_at is null`
  return result.count > 0
}

/** Deletes performers and takes them off all events. */
export async function softDeletePerformers(sql: Sql, performerIds: readonly string[], now: Date): Promise<void> {
  await sql`delete from performer_event where performer_id = any (${performerIds}::uuid[])`
  await sql`update performer set deleted_at = ${now}, updated_at = ${now} where id = any (${performerIds}::uuid[])`
}

/** Lets performers appear at events. */
export async function insertLinks(sql: Sql, links: readonly Link[]): Promise<void> {
  if (links.length === 0) return
  await sql`
    insert into performer_event (performer_id, event_id)
    select * from unnest(${links.map(({ performerId }) => performerId)}::uuid[], ${links.map(({ eventId }) => eventId)}::uuid[])
    on conflict do nothing`
}

/** Lets performers appear at those of the events that there are here. */
export async function insertLinksByUid(sql: Sql, links: readonly { performerId: string; uid: string }[]): Promise<void> {
  if (links.length === 0) return
  await sql`
    insert into performer_event (performer_id, event_id)
    select given.performer_id, event.id
    from unnest(${links.map(({ performerId }) => performerId)}::uuid[], ${links.map(({ uid }) => uid)}::text[]) as given (performer_id, uid)
    join event on event.uid = given.uid and event.deleted_at is null
    on conflict do nothing`
}

/** Takes the performer of an account off an event. */
export async function deleteLink(sql: Sql, performerId: string, eventId: string): Promise<void> {
  await sql`delete from performer_event where performer_id = ${performerId} and event_id = ${eventId}`
}

/** Takes all official performers off all events. */
export async function deleteOfficialLinks(sql: Sql): Promise<void> {
  await sql`delete from performer_event using performer where performer.id = performer_id and is_official`
}

/** Official performers at events. */
export async function selectOfficialLinks(sql: Sql): Promise<Link[]> {
  return await sql<Link[]>`
    select performer_id, event_id from performer_event join performer on performer.id = performer_id where is_official
      and deleted_at is null`
}

/** Events that are not deleted, by start. */
export async function selectMatchableEvents(sql: Sql): Promise<MatchableEvent[]> {
  return await sql<
    MatchableEvent[]
  >`select id, uid, title, location, start_time from event where deleted_at is null order by start_time, id`
}

/** True when there are no performers. */
export async function hasNoPerformers(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ none: boolean }]>`select not exists (select from performer) as none`
  return row.none
}

export type UploadKind = 'links' | 'profiles'

/** Keeps an upload in place of the one before. */
export async function upsertUpload(
  sql: Sql,
  { kind, content, uploaderId, now }: { kind: UploadKind; content: unknown; uploaderId: string; now: Date },
): Promise<void> {
  await sql`
    insert into performer_upload (kind, content, uploader_id, uploaded_at)
      values (${kind}, ${sql.json(content as never)}, ${uploaderId}, ${now})
    on conflict (kind) do update set content = excluded.content, uploader_id = excluded.uploader_id, uploaded_at = excluded.uploaded_at`
}

/** The upload of a kind; undefined when there is none. */
export async function selectUpload(sql: Sql, kind: UploadKind): Promise<unknown> {
  const [row] = await sql<{ content: unknown }[]>`select content from performer_upload where kind = ${kind}`
  return row?.content
}
