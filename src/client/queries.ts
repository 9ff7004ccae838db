// Statements of the health check and of what apps ask about the server.
import { advisoryLock } from '../core/db/advisory-lock.ts'
import type { Sql } from '../core/db/db.ts'

/** Rejects when the database or its schema is not there. */
export async function probeDatabase(sql: Sql): Promise<void> {
  await sql`select from account limit 1`
}

/**
 * True when Postgres takes no writes. Rejects when its disk takes none: so many rows do not fit into the little
 * memory that the statement allows itself, and go into a temporary file.
 */
export async function probeStorage(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ readOnly: boolean }]>`
    select current_setting('transaction_read_only')::boolean as read_only
    from (select set_config('work_mem', '64kB', true) as memory offset 0) as allowed,
      lateral (select count(*) from generate_series(1, 20000 + length(memory))) as rows`
  return row.readOnly
}

/** Commits something that nobody reads: with standbys that have to confirm, it lasts until they have. */
export async function probeCommit(sql: Sql): Promise<void> {
  await sql`select pg_logical_emit_message(true, 'ready', '')`
}

/** The id that this database was given when it was first seeded. */
export async function selectInstallationId(sql: Sql): Promise<string> {
  const [row] = await sql<{ value: string }[]>`select value from setting where name = 'installationID'`
  return row?.value ?? ''
}

/** A text in place of one that comes with the program. */
export interface TextRow {
  name: string
  content: string
  authorId: string | null
  updatedAt: Date
}

export async function selectTexts(sql: Sql): Promise<TextRow[]> {
  return await sql<TextRow[]>`select name, content, author_id, updated_at from public_text`
}

/** One text, until the transaction ends nobody else's to change. */
export async function lockText(sql: Sql, name: string): Promise<TextRow | undefined> {
  await sql`select pg_advisory_xact_lock(${advisoryLock('texts')})`
  const [row] = await sql<TextRow[]>`select name, content, author_id, updated_at from public_text where name = ${name}`
  return row
}

export async function upsertText(sql: Sql, { name, content, authorId, updatedAt }: TextRow): Promise<void> {
  await sql`
    insert into public_text (name, content, author_id, updated_at) values (${name}, ${content}, ${authorId}, ${updatedAt})
    on conflict (name) do update set content = excluded.content, author_id = excluded.author_id, updated_at = excluded.updated_at`
}

export async function deleteText(sql: Sql, name: string): Promise<void> {
  await sql`delete from public_text where name = ${name}`
}
