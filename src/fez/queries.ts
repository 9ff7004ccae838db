// Statements about one chat, its members and posts.
import { plainArray, type Fragment, type Sql } from '../core/db/db.ts'
import type { Sizes } from '../image/sizes.ts'
import { fezColumns, postColumns, type FezPostRow, type FezRow, type MembershipRow, type ModerationStatus } from './rows.ts'
import { lfgTypes, type FezType } from './types.ts'
import type { WrittenFilter, WrittenRow } from '../moderation/judged.ts'

/** The state of a chat's channel, read by one statement and so of one moment. Posts are ids and authors only. */
export interface FezSnapshotRow extends FezRow {
  memberIds: string[]
  postIds: number[]
  postAuthorIds: string[]
  /** Posts that moderators, or reports, have put into another state than the normal one. */
  moderatedPostIds: number[]
}

export async function selectFezSnapshot(sql: Sql, fezId: string): Promise<FezSnapshotRow | undefined> {
  const [row] = await sql<FezSnapshotRow[]>`
    select ${sql(fezColumns)},
      array(select account_id from fez_member where fez_id = fez.id and left_at is null order by position) as member_ids,
      array(select id from fez_post where fez_id = fez.id and deleted_at is null order by id) as post_ids,
      array(select author_id from fez_post where fez_id = fez.id and deleted_at is null order by id) as post_author_ids,
      array(select id from fez_post where fez_id = fez.id and deleted_at is null and moderation_status <> 'normal') as moderated_post_ids
    from fez where id = ${fezId}`
  return row
}

export async function selectPosts(sql: Sql, postIds: readonly number[]): Promise<FezPostRow[]> {
  return await sql<FezPostRow[]>`select ${sql(postColumns)} from fez_post where id = any(${postIds}) order by id`
}

/** Locks a chat's row: all changes of one chat happen one after another. */
export async function lockFez(sql: Sql, fezId: string): Promise<FezRow | undefined> {
  const [row] = await sql<FezRow[]>`select ${sql(fezColumns)} from fez where id = ${fezId} for update`
  return row
}

/** Chats that these accounts own or are in, locked in the order of their ids. */
export async function lockFezzesOf(sql: Sql, accountIds: readonly string[]): Promise<FezRow[]> {
  return await sql<FezRow[]>`
    select ${sql(fezColumns)} from fez
    where deleted_at is null and (owner_id = any (${accountIds}::uuid[])
      or id in (select fez_id from fez_member where account_id = any (${accountIds}::uuid[]) and left_at is null))
    order by id for no key update`
}

/** The memberships that exist among these accounts. */
export async function selectMemberships(sql: Sql, fezId: string, accountIds: readonly string[]): Promise<MembershipRow[]> {
  return await sql<MembershipRow[]>`
    select account_id, position, read_post_id, is_muted, is_favorite, added from fez_member
    where fez_id = ${fezId} and account_id = any(${accountIds}) and left_at is null`
}

export type NewFez = Pick<
  FezRow,
  | 'id'
  | 'ownerId'
  | 'fezType'
  | 'title'
  | 'info'
  | 'location'
  | 'startTime'
  | 'endTime'
  | 'minCapacity'
  | 'maxCapacity'
  | 'createdAt'
  | 'unlisted'
>

/** Writes a chat with its first members, in order; all but the owner count as added. */
export async function insertFez(sql: Sql, fez: NewFez, memberIds: readonly string[]): Promise<void> {
  await sql`
    with created as (
      insert into fez (id, owner_id, fez_type, title, info, search, location, start_time, end_time, min_capacity, max_capacity,
        unlisted, member_count, seq, created_at, updated_at)
      values (${fez.id}, ${fez.ownerId}, ${fez.fezType}, ${fez.title}, ${fez.info}, ${wordsOf(sql, fez)}, ${fez.location}, ${fez.startTime},
        ${fez.endTime}, ${fez.minCapacity}, ${fez.maxCapacity}, ${fez.unlisted}, ${memberIds.length}, ${memberIds.length}, ${fez.createdAt}, ${fez.createdAt})
      returning id)
    insert into fez_member (fez_id, account_id, position, added, joined_at)
    select created.id, member.account_id, member.position, member.account_id <> ${fez.ownerId}, ${fez.createdAt}
    from created, unnest(${memberIds}::uuid[]) with ordinality as member (account_id, position)`
}

/** Appends a member, or revives one who had left. Returns the chat's new `seq`, which is also the position. */
export async function insertMember(sql: Sql, fezId: string, accountId: string, added: boolean, now: Date): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`
    with bumped as (
      update fez set seq = seq + 1, member_count = member_count + 1, updated_at = ${now} where id = ${fezId} returning seq),
    joined as (
      insert into fez_member (fez_id, account_id, position, added, joined_at)
      select ${fezId}, ${accountId}, seq, ${added}, ${now} from bumped
      on conflict (fez_id, account_id) do update set position = excluded.position, added = excluded.added, joined_at = excluded.joined_at,
        left_at = null, read_post_id = 0, is_muted = false, is_favorite = false)
    select seq from bumped`
  return rowOf(row).seq
}

/** Takes a member out; the row stays for the list of former members. Returns the chat's new `seq`. */
export async function deleteMember(sql: Sql, fezId: string, accountId: string, now: Date): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`
    with gone as (update fez_member set left_at = ${now} where fez_id = ${fezId} and account_id = ${accountId} and left_at is null),
    forgotten as (delete from fez_inbox_reader where fez_id = ${fezId} and inbox_id = ${accountId})
    update fez set seq = seq + 1, member_count = member_count - 1, updated_at = ${now} where id = ${fezId} returning seq`
  return rowOf(row).seq
}

export type FezChanges = Pick<
  FezRow,
  | 'fezType'
  | 'title'
  | 'info'
  | 'location'
  | 'startTime'
  | 'endTime'
  | 'minCapacity'
  | 'maxCapacity'
  | 'cancelled'
  | 'moderationStatus'
  | 'unlisted'
>

/** What a search for groups looks in. */
const wordsOf = (sql: Sql, { title, info }: Pick<FezRow, 'title' | 'info'>): Fragment =>
  sql`to_tsvector('english', ${`${title} ${info}`}::text)`

/** Replaces all editable fields. Returns the new `seq`. */
export async function updateFezRow(sql: Sql, fezId: string, changes: FezChanges, now: Date): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`
    update fez set seq = seq + 1, updated_at = ${now}, fez_type = ${changes.fezType}, title = ${changes.title}, info = ${changes.info},
      search = ${wordsOf(sql, changes)}, location = ${changes.location},
      start_time = ${changes.startTime}, end_time = ${changes.endTime}, min_capacity = ${changes.minCapacity},
        max_capacity = ${changes.maxCapacity},
      cancelled = ${changes.cancelled}, moderation_status = ${changes.moderationStatus}, unlisted = ${changes.unlisted}
    where id = ${fezId} returning seq`
  return rowOf(row).seq
}

export async function insertFezEdit(sql: Sql, edit: { id: string; fez: FezRow; editorId: string; now: Date }): Promise<void> {
  await sql`
    insert into fez_edit (id, fez_id, editor_id, title, info, location, start_time, end_time, created_at)
    values (${edit.id}, ${edit.fez.id}, ${edit.editorId}, ${edit.fez.title}, ${edit.fez.info}, ${edit.fez.location ?? ''},
      ${edit.fez.startTime}, ${edit.fez.endTime}, ${edit.now})`
}

/** Deletes softly and ends all memberships. Returns the new `seq` and who was a member. */
export async function softDeleteFez(sql: Sql, fezId: string, now: Date): Promise<{ seq: number; memberIds: string[] }> {
  const [row] = await sql<{ seq: number; memberIds: string[] }[]>`
    with gone as (update fez_member set left_at = ${now} where fez_id = ${fezId} and left_at is null returning account_id)
    update fez set seq = seq + 1, deleted_at = ${now}, updated_at = ${now} where id = ${fezId}
    returning seq, array(select account_id from gone) as member_ids`
  return rowOf(row)
}

export interface NewPost {
  fezId: string
  /** The version of the chat, posts left out, when it was checked; see `versionOf`. */
  version: number
  authorId: string
  realAuthorId: string
  text: string
  image: string | null
  imageSizes: Sizes
  now: Date
}

/** The outcome of a post: neither `busy` nor an id when its chat has changed since it was checked, apart from posts. */
export interface InsertedPost {
  /** Another transaction holds the chat. Never when it was waited for, unless the chat does not exist. */
  isBusy: boolean
  id: number | null
  /** Number of its event in the chat. */
  seq: number | null
}

/**
 * Writes posts, in the order given, counts them, and marks everything read for their writers as members; for
 * shared inboxes see `markInboxesRead`. Resolves with what became of each. Without `wait`, chats that
 * another transaction holds are left alone.
 */
export async function insertPosts(sql: Sql, posts: readonly NewPost[], wait: boolean): Promise<InsertedPost[]> {
  return await sql<InsertedPost[]>`
    with given as materialized (
      select * from unnest(
        ${plainArray(posts.map(({ fezId }) => fezId))}::uuid[], ${plainArray(posts.map(({ version }) => version))}::int[],
        ${plainArray(posts.map(({ authorId }) => authorId))}::uuid[], ${plainArray(posts.map(({ realAuthorId }) => realAuthorId))}::uuid[],
        ${posts.map(({ text }) => text)}::text[], ${posts.map(({ image }) => image)}::text[],
        ${posts.map(({ imageSizes }) => imageSizes?.join(',') ?? null)}::text[],
        ${plainArray(posts.map(({ now }) => now.getTime()))}::float8[]
      ) with ordinality as given (fez_id, version, author_id, real_author_id, text, image, image_sizes, created_ms, place)),
    chat as materialized (
      select id, seq, post_events from fez where id in (select fez_id from given)
        order by id for no key update ${wait ? sql`` : sql`skip locked`}),
    -- Sorted, so that all chats are locked before the first post gets its id.
    numbered as materialized (
      select ordered.*, nextval('fez_post_id_seq')::int as id from (
        select given.*, chat.seq + row_number() over (partition by given.fez_id order by given.place)::int as seq
        from given join chat on chat.id = given.fez_id where given.version = chat.seq - chat.post_events
        order by given.place) ordered),
    written as (
      insert into fez_post (id, fez_id, author_id, real_author_id, text, image, image_sizes, created_at) overriding system value
      select id, fez_id, author_id, real_author_id, text, image, string_to_array(image_sizes, ',')::int[], to_timestamp(created_ms / 1000)
      from numbered),
    seen as (
      update fez_member set read_post_id = own.last_id, added = false
      from (select fez_id, real_author_id, max(id) as last_id from numbered group by fez_id, real_author_id) own
      where fez_member.fez_id = own.fez_id and fez_member.account_id = own.real_author_id
        -- 'is null' would match partial indexes: without statistics Postgres takes one, and reads all members.
        and num_nulls(left_at) = 1),
    counted as (
      update fez set seq = fez.seq + more.posts, post_events = fez.post_events + more.posts, post_count = fez.post_count + more.posts,
        last_post_id = more.last_id, updated_at = to_timestamp(more.last_ms / 1000)
      from (select fez_id, count(*)::int as posts, max(id) as last_id, max(created_ms) as last_ms from numbered group by fez_id) more
      where fez.id = more.fez_id)
    select chat.id is null as is_busy, numbered.id, numbered.seq
    from given left join chat on chat.id = given.fez_id left join numbered on numbered.place = given.place
    order by given.place`
}

/** A post that is not deleted. */
export async function selectPost(sql: Sql, postId: number): Promise<FezPostRow | undefined> {
  const [row] = await sql<FezPostRow[]>`select ${sql(postColumns)} from fez_post where id = ${postId} and deleted_at is null`
  return row
}

/** Names of the images in the posts of a chat. */
export async function selectPostImages(sql: Sql, fezId: string): Promise<string[]> {
  const rows = await sql<
    { image: string }[]
  >`select distinct image from fez_post where fez_id = ${fezId} and image is not null and deleted_at is null`
  return rows.map(({ image }) => image)
}

/** Deletes softly; returns the chat's new `seq`, or undefined when it was deleted already. */
export async function softDeletePost(sql: Sql, fezId: string, postId: number, now: Date): Promise<number | undefined> {
  const [row] = await sql<{ seq: number }[]>`
    with gone as (update fez_post set deleted_at = ${now} where id = ${postId} and fez_id = ${fezId} and deleted_at is null returning 1)
    update fez set seq = seq + 1, post_count = post_count - 1, updated_at = ${now} where id = ${fezId} and exists (select from gone)
      returning seq`
  return row?.seq
}

/** Moves a member's read position forward. Returns the member's place in the chat if anything has changed. */
export async function markRead(sql: Sql, fezId: string, accountId: string, postId: number): Promise<number | undefined> {
  const [row] = await sql<{ position: number }[]>`
    update fez_member set read_post_id = greatest(read_post_id, ${postId}), added = false
    where fez_id = ${fezId} and account_id = ${accountId} and left_at is null and (read_post_id < ${postId} or added)
    returning position`
  return row?.position
}

function rowOf<T>(row: T | undefined): T {
  if (row === undefined) throw new Error('a statement that must give a row gave none')
  return row
}

/** Groups with a start that are not called off. */
export const groupsOn = (sql: Sql): Fragment =>
  sql`select id, start_time from fez where deleted_at is null and not cancelled and fez_type not in ('closed', 'open')`

/** A chat, also when it is deleted. */
export async function selectFez(sql: Sql, fezId: string): Promise<FezRow | undefined> {
  const [row] = await sql<FezRow[]>`select ${sql(fezColumns)} from fez where id = ${fezId}`
  return row
}

export interface FezEditRow {
  id: string
  editorId: string
  title: string
  info: string
  location: string
  createdAt: Date
}

/** Earlier versions of a chat, oldest first. */
export async function selectFezEdits(sql: Sql, fezId: string): Promise<FezEditRow[]> {
  return await sql<
    FezEditRow[]
  >`select id, editor_id, title, info, location, created_at from fez_edit where fez_id = ${fezId} order by created_at, id`
}

/** A post, deleted or not, and the chat that it is in. */
type AnyPostRow = FezPostRow & { fezType: FezType; fezTitle: string; deletedAt: Date | null }

/** A post with the kind of its chat, also when it is deleted. */
export async function selectAnyPost(sql: Sql, postId: number): Promise<AnyPostRow | undefined> {
  const [row] = await sql<AnyPostRow[]>`
    select post.*, fez.fez_type, fez.title as fez_title from (select ${sql(postColumns)}, deleted_at from fez_post where id = ${postId}) as post
      join fez on fez.id = post.fez_id`
  return row
}

/** Returns the chat's new `seq`. */
export async function updateFezState(sql: Sql, fezId: string, status: ModerationStatus): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`update fez set moderation_status = ${status}, seq = seq + 1 where id = ${fezId} returning seq`
  return rowOf(row).seq
}

/** Returns the new `seq` of the chat, whose row is locked. */
export async function updateSlowMode(sql: Sql, fezId: string, seconds: number): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`update fez set slow_seconds = ${seconds}, seq = seq + 1 where id = ${fezId} returning seq`
  return rowOf(row).seq
}

/** Returns the new `seq` of the chat, whose row is locked. */
export async function updatePostState(sql: Sql, fezId: string, postId: number, status: ModerationStatus): Promise<number> {
  const [row] = await sql<{ seq: number }[]>`
    with judged as (update fez_post set moderation_status = ${status} where id = ${postId})
    update fez set seq = seq + 1 where id = ${fezId} returning seq`
  return rowOf(row).seq
}

/** Groups for everybody that accounts have made, newest first. */
export async function selectWrittenGroups(sql: Sql, { accountIds, before, pattern, limit }: WrittenFilter): Promise<WrittenRow[]> {
  return await sql<WrittenRow[]>`
    select fez.id::text as id, fez.owner_id as author_id, left(fez.title || E'\\n' || fez.info, 300) as text, '{}'::text[] as images,
      fez.location as place, fez.moderation_status, fez.created_at
    from fez
    where fez.owner_id = any (${accountIds}::uuid[]) and fez.fez_type = any (${lfgTypes}::fez_type[])
      and fez.deleted_at is null and fez.created_at <= ${before}
      ${pattern === undefined ? sql`` : sql`and lower(fez.title || ' ' || fez.info) like ${pattern}`}
    order by fez.created_at desc, fez.id::text collate "C" desc limit ${limit}`
}

/** Posts of accounts in groups for everybody that they are or were in, newest first. */
export async function selectWrittenChatPosts(sql: Sql, { accountIds, before, pattern, limit }: WrittenFilter): Promise<WrittenRow[]> {
  return await sql<WrittenRow[]>`
    select post.id::text as id, post.author_id, left(post.text, 300) as text, array_remove(array[post.image], null) as images,
      fez.title as place, post.moderation_status, post.created_at
    from fez_member member join fez on fez.id = member.fez_id and fez.deleted_at is null and fez.fez_type = any (${lfgTypes}::fez_type[])
      join fez_post post on post.fez_id = fez.id and post.author_id = member.account_id
    where member.account_id = any (${accountIds}::uuid[])
      and post.deleted_at is null and post.created_at <= ${before}
      ${pattern === undefined ? sql`` : sql`and lower(post.text) like ${pattern}`}
    order by post.created_at desc, post.id::text collate "C" desc limit ${limit}`
}
