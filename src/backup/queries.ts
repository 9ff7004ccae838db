// Statements of backup, restore and wipe. They are about all tables, whatever features there are.
import { advisoryLock } from '../core/db/advisory-lock.ts'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { applicationName, connectSecondsOf } from '../core/db/connection.ts'
import type { Sql } from '../core/db/db.ts'
import type { DeclaredTable } from '../core/db/tables.ts'
import type { Applied } from '../core/db/migrate.ts'

export type Client = postgres.Sql<Record<string, never>>

/** One connection without limits of time: what is done here takes as long as it takes. */
export function openClient(url: string): Client {
  return postgres(url, {
    max: 1,
    connect_timeout: connectSecondsOf(url, 10),
    max_lifetime: null,
    onnotice: () => undefined,
    transform: { column: { from: postgres.toCamel } },
    connection: {
      application_name: 'quarterdeck backup',
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
      lock_timeout: 0,
      timezone: 'UTC',
      datestyle: 'ISO',
      client_encoding: 'UTF8',
    },
  }) as Client
}

/** Connections of servers and workers, other than this one. */
export async function countUsers(sql: Sql): Promise<number> {
  const [row] = await sql<[{ users: number }]>`
    select count(*)::int as users from pg_stat_activity where datname = current_database() and application_name = ${applicationName}
      and pid <> pg_backend_pid()`
  return row.users
}

/** Seconds since what is in memory was last ordered to be read again; undefined when it never was. */
export async function selectSecondsSinceReadAgain(sql: Sql): Promise<number | undefined> {
  const [row] = await sql<{ seconds: number }[]>`
    select extract(epoch from now() - created_at)::float8 as seconds from audit where action = 'readAgain' order by id desc limit 1`
  return row?.seconds
}

/** Writes the job that has everything read again; returns its id. */
export async function insertReadAgain(sql: Sql, requestId: string): Promise<number> {
  const [row] = await sql<[{ id: number }]>`
    insert into outbox (job, payload, request_id) values ('read-again', '{}', ${requestId}) returning id::int`
  return row.id
}

export async function isJobThere(sql: Sql, id: number): Promise<boolean> {
  return (await sql`select from outbox where id = ${id}`).length > 0
}

/** Nobody removes images until the same connection releases them, or ends. */
export async function holdImages(sql: Sql): Promise<void> {
  await sql`select pg_advisory_lock(${advisoryLock('images')})`
}

export async function releaseImages(sql: Sql): Promise<void> {
  await sql`select pg_advisory_unlock(${advisoryLock('images')})`
}

/** Whether nobody else moves images to another place; nobody does until this connection ends. */
export async function tryMoving(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ free: boolean }]>`select pg_try_advisory_lock(${advisoryLock('moving images')}) as free`
  return row.free
}

/** The migrations that the database has; none when it was never migrated. */
export async function selectMigrations(sql: Sql): Promise<Applied[]> {
  const [found] = await sql<[{ exists: boolean }]>`select to_regclass('schema_migration') is not null as exists`
  return found.exists ? [...(await sql<Applied[]>`select name, checksum from schema_migration order by name collate "C"`)] : []
}

export interface Table {
  name: string
  /** Without those that Postgres computes. */
  columns: string[]
}

/** All tables, without the list of migrations. */
export async function selectTables(sql: Sql): Promise<Table[]> {
  return [
    ...(await sql<Table[]>`
    select relname::text as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and relname <> 'schema_migration' and attnum > 0
      and not attisdropped and attgenerated = ''
    group by relname order by relname`),
  ]
}

/** The tables that hold rows, with the number of rows. */
export async function countRows(sql: Sql, tables: readonly Table[]): Promise<Record<string, number>> {
  if (tables.length === 0) return {}
  const counts = tables.map(({ name }) => sql`select ${name}::text as name, (select count(*) from ${sql(name)})::int as rows`)
  const rows = await sql<{ name: string; rows: number }[]>`${counts.reduce((all, each) => sql`${all} union all ${each}`)}`
  return Object.fromEntries(rows.filter((row) => row.rows > 0).map((row) => [row.name, row.rows]))
}

export interface Sequence {
  name: string
  last: string
}

/** How far all sequences are that were ever used. Not bound to a snapshot: they only ever grow. */
export async function selectSequences(sql: Sql): Promise<Sequence[]> {
  return [
    ...(await sql<Sequence[]>`
    select sequencename::text as name, last_value::text as last from pg_sequences where schemaname = current_schema()
      and last_value is not null order by sequencename`),
  ]
}

export async function setSequences(sql: Sql, sequences: readonly Sequence[]): Promise<void> {
  await sql`select setval(quote_ident(name)::regclass, last::bigint)
    from unnest(${sequences.map(({ name }) => name)}::text[], ${sequences.map(({ last }) => last)}::text[]) as sequence (name, last)`
}

/** The rows of a table as COPY writes them, a whole row in each piece. */
export async function* copyOut(sql: Sql, { name, columns }: Table): AsyncGenerator<Buffer> {
  const rows = await sql`copy ${sql(name)} (${sql(columns)}) to stdout`.readable()
  yield* rows
  // postgres.js leaves its socket paused when everything had come before anything was read.
  rows._read(0)
}

export async function copyIn(sql: Sql, { name, columns }: Table, rows: Readable): Promise<void> {
  const query = sql`copy ${sql(name)} (${sql(columns)}) from stdin`
  const stream = await query.writable()
  // What Postgres refuses after the last byte reaches only the query, and that has been resolved with the stream.
  void Object.assign(query, { reject: (error: Error) => stream.destroy(error) })
  await pipeline(rows, stream)
}

/** Statements for a key or an index. */
interface Definition {
  drop: string
  create: string
}

/**
 * Runs `work` while no row has to refer to another that exists, and no index is kept but those of keys: all are made when it has
 * ended, which takes a fraction of the time, and what does not refer to a row then fails. Needs no rights beyond those of the owner.
 */
export async function withoutKeysAndIndexes(sql: Sql, work: () => Promise<void>): Promise<void> {
  const keys = await sql<Definition[]>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0 order by 1`
  const indexes = await sql<Definition[]>`
    select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = current_schema()::regnamespace and relkind = 'i' and not relispartition
      and not exists (select from pg_constraint where conindid = indexrelid) order by 1`
  const run = async (statements: readonly string[]) => {
    if (statements.length > 0) await sql.unsafe(statements.join(';\n'))
  }
  await run([...keys, ...indexes].map(({ drop }) => drop))
  await work()
  // Workers beside would need more shared memory than a container has.
  await sql`select set_config('max_parallel_maintenance_workers', '0', true), set_config('maintenance_work_mem', '128MB', true)`
  await run([...indexes, ...keys].map(({ create }) => create))
}

/** The fingerprint of the token secret in the restored database. */
export async function selectSecretFingerprint(sql: Sql): Promise<string | undefined> {
  const [row] = await sql<{ value: string }[]>`select value #>> '{}' as value from setting where name = 'tokenSecretFingerprint'`
  return row?.value
}

/** Ends all tokens and browser sessions; the next server brings a secret of its own. */
export async function deleteTokens(sql: Sql): Promise<void> {
  await sql`update account set token_nonce = null, token_digest = null where token_digest is not null or token_nonce is not null`
  await sql`delete from browser_session`
  await sql`delete from setting where name = 'tokenSecretFingerprint'`
}

/** Gives the planner figures of rows that came all at once. */
export async function analyze(sql: Sql): Promise<void> {
  await sql`analyze`
}

export async function deleteAll(sql: Sql, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await sql`truncate ${sql(tables)} restart identity`
}

/** Leaves built-in and client accounts alone, without what persons have put there. */
export async function forgetPersons(sql: Sql): Promise<void> {
  await sql`delete from account where not special`
  await sql`
    update account set roles = '{}', recovery_failures = 0, temp_quarantine_until = null, token_nonce = null, token_digest = null,
      moderation_status = 'normal',
      display_name = null, real_name = null, preferred_pronoun = null, home_location = null, room_number = null, email = null,
        message = null, about = null,
      dinner_team = null, discord_username = null, user_image = null, user_search = '@' || username, rev = rev + 1`
}

/** Gives columns of all rows of a table one value. */
export async function resetColumns(sql: Sql, table: string, values: NonNullable<DeclaredTable['staysAfterWipe']>['reset']): Promise<void> {
  await sql`update ${sql(table)} set ${sql(values as Record<string, null>)}`
}

const betweenLooksMs = 20

/**
 * Rewrites the files of all tables: what was deleted is not in them any more. Waits `withinMs` for older transactions, such as
 * one of Postgres itself that gathers statistics: what they can still see is kept. One that writes to another database counts as
 * well, for the snapshot of the rewriting reaches back to it. False when one did not end.
 */
export async function rewriteTables(sql: Sql, withinMs: number): Promise<boolean> {
  const deadlineMs = performance.now() + withinMs
  const [now] = await sql<[{ xid: string }]>`select pg_current_xact_id()::text as xid`
  let areOlder = await hasOlderTransactions(sql, now.xid)
  while (areOlder && performance.now() < deadlineMs) {
    await pause(betweenLooksMs)
    areOlder = await hasOlderTransactions(sql, now.xid)
  }
  await sql`vacuum full`
  return !areOlder
}

async function hasOlderTransactions(sql: Sql, xid: string): Promise<boolean> {
  const [row] = await sql<[{ older: boolean }]>`
    select pg_snapshot_xmin(pg_current_snapshot()) < ${xid}::text::xid8 or exists (
      select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and age(backend_xmin) > age(${xid}::text::xid8::xid)) as older`
  return row.older
}

export async function isSuperuser(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ superuser: boolean }]>`select rolsuper as superuser from pg_roles where rolname = current_user`
  return row.superuser
}

/** Forgets the commonest values of columns, which the planner keeps also of tables that are empty now. For superusers. */
export async function deleteStatistics(sql: Sql): Promise<void> {
  await sql`delete from pg_statistic`
  await sql`delete from pg_statistic_ext_data`
}

/** Lets files of the write-ahead log that are not needed any more be removed, or used again with what is in them. For superusers. */
export async function recycleLog(sql: Sql, recycle: boolean): Promise<void> {
  if (recycle) await sql`alter system reset wal_recycle`
  else await sql`alter system set wal_recycle = off`
  await sql`select pg_reload_conf()`
}

/**
 * Goes on in the next file of the write-ahead log, and removes those that are not needed. Returns how many others there
 * are, older and prepared ones.
 */
export async function leaveLogFile(sql: Sql): Promise<{ older: number; prepared: number }> {
  await sql`select pg_switch_wal()`
  await sql`checkpoint`
  const [row] = await sql<[{ older: number; prepared: number }]>`
    select count(*) filter (where name < current)::int as older, count(*) filter (where name > current)::int as prepared
    from pg_ls_waldir(), (select pg_walfile_name(pg_current_wal_insert_lsn()) as current) as place
    where name ~ '^[0-9A-F]{24}$'`
  return row
}

/** What a wipe has left. */
export interface WipeProof {
  /** What the tables hold that stay. */
  left: { what: string; rows: number }[]
  accounts: string[]
  /** False when files of Postgres may still hold words of users. */
  isClean: boolean
}

/** A wipe that was ordered in the console, and how it ended. Times are ISO. */
export interface WipeOrder {
  state: 'ordered' | 'done' | 'failed'
  orderedAt: string
  requestID: string
  keepCodes?: boolean
  endedAt?: string
  reason?: string
  proof?: WipeProof
}

/** The last one that was ordered. */
export async function selectWipe(sql: Sql): Promise<WipeOrder | undefined> {
  const [row] = await sql<{ value: WipeOrder }[]>`select value from setting where name = 'wipe'`
  return row?.value
}

export async function upsertWipe(sql: Sql, order: WipeOrder): Promise<void> {
  await sql`
    insert into setting (name, value, updated_at) values ('wipe', ${sql.json(order as never)}, now())
    on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`
}

/** True when this connection may do the wipe; it may until it ends. */
export async function lockWipe(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ locked: boolean }]>`select pg_try_advisory_lock(${advisoryLock('wipe')}) as locked`
  return row.locked
}

/** Names of the accounts that there are. */
export async function selectUsernames(sql: Sql): Promise<string[]> {
  return (await sql<{ username: string }[]>`select username from account order by username`).map(({ username }) => username)
}
