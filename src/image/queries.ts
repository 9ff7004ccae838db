// Statements about stored images. Every table that refers to images is named here, or its images are
// swept away.
import { advisoryLock } from '../core/db/advisory-lock.ts'
import type { Sql } from '../core/db/db.ts'

/** Holds images until the transaction ends: as one of many who show them, or `alone`, to put them away. */
export async function lockImages(sql: Sql, names: readonly string[], { alone }: { alone: boolean }): Promise<void> {
  // In one order, or two transactions could wait for each other.
  const keys = sql`select hashtextextended(name, 0) as key from unnest(${names.toSorted()}::text[]) as name`
  if (alone) await sql`select pg_advisory_xact_lock(key) from (${keys}) as keys`
  else await sql`select pg_advisory_xact_lock_shared(key) from (${keys}) as keys`
}

// Below, each table is joined with the names: with `exists`, Postgres takes the first post that it comes by for a likely match, and
// reads all of them.

/** Names among these that content shows at present. */
export async function selectUsedImages(sql: Sql, names: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    with stored as (select unnest(${names}::text[]) as name)
    select stored.name from stored join account on user_image = stored.name
    union select stored.name from stored join fez_post on image = stored.name and fez_post.deleted_at is null
      join fez on fez.id = fez_id and fez.deleted_at is null
    union select stored.name from stored join forum_post on images && array[stored.name, lower(stored.name)] and forum_post.deleted_at is null
      join forum on forum.id = forum_id and forum.deleted_at is null
    union select stored.name from stored join microblog_post on images && array[stored.name, lower(stored.name)] and deleted_at is null
    union select stored.name from stored join daily_theme on image = stored.name
    union select stored.name from stored join performer on photo = stored.name and deleted_at is null
    union select stored.name from stored join stream_photo on image = stored.name and deleted_at is null
    union select stored.name from stored join quartermaster_item item on image = stored.name and deleted_at is null`
  return new Set(rows.map(({ name }) => name))
}

/** Names among these that content showed before it was changed or deleted. */
export async function selectRememberedImages(sql: Sql, names: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ name: string }[]>`
    with stored as (select unnest(${names}::text[]) as name)
    select stored.name from stored join profile_edit on user_image = stored.name
    union select stored.name from stored join fez_post on image = stored.name
    union select stored.name from stored join forum_post on images && array[stored.name, lower(stored.name)]
    union select stored.name from stored join forum_post_edit on images && array[stored.name, lower(stored.name)]
    union select stored.name from stored join microblog_post on images && array[stored.name, lower(stored.name)]
    union select stored.name from stored join microblog_post_edit on images && array[stored.name, lower(stored.name)]
    union select stored.name from stored join performer on photo = stored.name
    union select stored.name from stored join stream_photo on image = stored.name
    union select stored.name from stored join quartermaster_item item on image = stored.name
    union select stored.name from stored join quartermaster_edit edit on image = stored.name`
  return new Set(rows.map(({ name }) => name))
}

interface Sized {
  names: string
  id: string
  chat?: string
}

/** Tables whose rows have images with their sizes beside them. */
const sized = {
  forum_post: { names: 'images', id: 'int' },
  microblog_post: { names: 'images', id: 'int' },
  fez_post: { names: 'array[image]', id: 'int', chat: 'fez_id' },
  stream_photo: { names: 'array[image]', id: 'int' },
  daily_theme: { names: 'array[image]', id: 'uuid' },
  quartermaster_item: { names: 'array[image]', id: 'uuid' },
} as const satisfies Record<string, Sized>

export type SizedTable = keyof typeof sized
export const sizedTables = Object.keys(sized) as SizedTable[]

/** A row with images whose sizes nobody has looked up. */
export interface UnsizedRow {
  id: string
  version: string
  names: string[]
  /** The chat that it is a post of. */
  chatId: string | null
}

export async function selectUnsized(sql: Sql, table: SizedTable, limit: number): Promise<UnsizedRow[]> {
  const { names, chat = 'null' }: Sized = sized[table]
  return await sql<UnsizedRow[]>`
    select id::text, xmin::text as version, ${sql.unsafe(names)} as names, ${sql.unsafe(chat)}::text as chat_id from ${sql(table)}
    where image_sizes is null and ${table === 'forum_post' || table === 'microblog_post' ? sql`images <> '{}'` : sql`image is not null`}
    order by id limit ${limit}`
}

/** Notes sizes, unless the row has changed since. */
export async function updateSizes(
  sql: Sql,
  table: SizedTable,
  rows: readonly { id: string; version: string; sizes: readonly number[] }[],
): Promise<void> {
  await sql`
    update ${sql(table)} as held set image_sizes = string_to_array(given.sizes, ',')::int[]
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ version }) => version)}::text[],
      ${rows.map(({ sizes }) => sizes.join(','))}::text[]) as given (id, version, sizes)
    where held.id = given.id::${sql.unsafe(sized[table].id)} and held.xmin::text = given.version`
}

/** False while a backup holds all images. */
export async function tryImages(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ may: boolean }]>`select pg_try_advisory_xact_lock_shared(${advisoryLock('images')}) as may`
  return row.may
}

/** Writes what is to be seen in a picture: of one that is not new only in place of the same account's own words. */
export async function upsertDescription(
  sql: Sql,
  { image, accountId, description, now }: { image: string; accountId: string; description: string; now: Date },
  isNew: boolean,
): Promise<void> {
  if (isNew)
    await sql`
      insert into image_description (image, account_id, description, created_at) values (${image}, ${accountId}, ${description}, ${now})
      on conflict (image) do nothing`
  else await sql`update image_description set description = ${description} where image = ${image} and account_id = ${accountId}`
}

/** Of the described ones among these. */
export async function selectDescriptions(sql: Sql, images: readonly string[]): Promise<{ image: string; description: string }[]> {
  return await sql<{ image: string; description: string }[]>`
    select image, description from image_description where image = any (${images}::text[])`
}

export async function deleteDescriptions(sql: Sql, images: readonly string[]): Promise<void> {
  await sql`delete from image_description where image = any (${images}::text[])`
}
