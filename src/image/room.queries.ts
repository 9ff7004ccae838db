// Statements about the room that the files of people take.
import type { Sql } from '../core/db/db.ts'

/** Files of one person are counted one after another, until the transaction ends. */
export async function lockRoom(sql: Sql, personId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('room of ' || ${personId}, 0))`
}

/** Bytes of the files of a person. */
export async function selectBytesOf(sql: Sql, personId: string): Promise<number> {
  const [row] = await sql<
    [{ bytes: number }]
  >`select coalesce(sum(bytes), 0)::float8 as bytes from stored_file where person_id = ${personId}`
  return row.bytes
}

/** Bytes of the files of everybody. */
export async function selectBytesOfAll(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`select coalesce(sum(bytes), 0)::float8 as bytes from stored_file`
  return row.bytes
}

/** A file, or a name that one is to have. */
export interface StoredFile {
  name: string
  personId: string
  bytes: number
}

/** Notes files, but for those that are noted already. */
export async function insertFiles(sql: Sql, files: readonly StoredFile[], now: Date): Promise<void> {
  await sql`
    insert into stored_file (name, person_id, bytes, created_at)
    select given.*, ${now}::timestamptz from unnest(${files.map(({ name }) => name)}::text[], ${files.map(({ personId }) => personId)}::uuid[],
      ${files.map(({ bytes }) => bytes)}::bigint[]) as given (name, person_id, bytes)
    order by 1 on conflict do nothing`
}

/** A file has its name and its bytes by now. */
export async function updateFile(sql: Sql, before: string, { name, bytes }: Pick<StoredFile, 'name' | 'bytes'>): Promise<void> {
  await sql`update stored_file set name = ${name}, bytes = ${bytes}::bigint where name = ${before}`
}

/** Files have so many bytes by now. */
export async function updateSizes(sql: Sql, sizes: readonly Pick<StoredFile, 'name' | 'bytes'>[]): Promise<void> {
  await sql`
    update stored_file set bytes = given.bytes
    from unnest(${sizes.map(({ name }) => name)}::text[], ${sizes.map(({ bytes }) => bytes)}::bigint[]) as given (name, bytes)
    where stored_file.name = given.name`
}

export async function deleteFiles(sql: Sql, names: readonly string[]): Promise<void> {
  await sql`delete from stored_file where name = any(${names}::text[])`
}

/** Names among these that nobody has noted. */
export async function selectUnnoted(sql: Sql, names: readonly string[]): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from unnest(${names}::text[]) as given (name) where not exists (select from stored_file where stored_file.name = given.name)`
  return rows.map(({ name }) => name)
}

/** Names of files noted before `until`, in order, after one of them. */
export async function selectNotedBefore(sql: Sql, until: Date, after: string, limit: number): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from stored_file where name > ${after} and created_at < ${until} order by name limit ${limit}`
  return rows.map(({ name }) => name)
}

/** Names of some images noted before `until`; always the same ones, as long as they are there. */
export async function selectSomeNoted(sql: Sql, until: Date, limit: number): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name from stored_file where created_at < ${until} and strpos(name, '/') = 0 order by name limit ${limit}`
  return rows.map(({ name }) => name)
}

/** The persons of stored images, as far as rows know one. */
export async function selectOwners(sql: Sql, names: readonly string[]): Promise<{ name: string; personId: string }[]> {
  return await sql<{ name: string; personId: string }[]>`
    select distinct on (name) name, person_id from (
      select name, author.id as account_id from unnest(${names}::text[]) as stored (name)
      cross join lateral (
        select id from account where user_image = name
        union all select real_author_id from fez_post where image = name
        union all select real_author_id from forum_post where images && array[name, lower(name)]
        union all select real_author_id from microblog_post where images && array[name, lower(name)]
        union all select account_id from performer where photo = name and account_id is not null
        union all select author_id from stream_photo where image = name) as author) as owned
    join account on account.id = owned.account_id order by name, person_id`
}
