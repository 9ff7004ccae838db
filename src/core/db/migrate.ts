// Brings a database to the newest schema: every file of sql once, in order, forward only. The oldest are numbered, all
// others begin with the day on which they were written.
import { advisoryLock } from './advisory-lock.ts'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres, { type Sql, type TransactionSql } from 'postgres'
import { ConfigError, projectRoot, readConfig } from '../base/config.ts'
import { postgresHostsOf } from '../base/postgres-url.ts'
import { applicationName, connectSecondsOf, pooledName } from './connection.ts'
import { reach } from './reach.ts'
import { OperatorError } from '../../supervisor/operator-error.ts'

interface Migration {
  name: string
  checksum: string
  statements: string
}

/** A migration that a database has. */
export interface Applied {
  name: string
  checksum: string
}

export const migrationsFolder = join(projectRoot, 'sql')

/**
 * Applies the migrations in `directory` that the database does not have yet, each in a transaction
 * of its own; with a `count`, only the first so many. Safe to run from several processes at once: each waits for the others.
 *
 * @throws OperatorError when an applied file has changed or is gone, or when a migration fails;
 * the migrations before it stay applied.
 */
export async function migrate(
  databaseUrl: string,
  applied: (name: string) => void,
  directory = migrationsFolder,
  count?: number,
): Promise<void> {
  const migrations = readMigrations(directory).slice(0, count)
  const sql = open(databaseUrl)
  try {
    await connect(sql, databaseUrl)
    for (let changed = false; ; changed = true) {
      const name = await sql.begin((tx) => applyNext(tx, migrations))
      if (name === undefined) return changed ? await endPooled(sql) : undefined
      applied(name)
    }
  } finally {
    await close(sql)
  }
}

/**
 * Ends connections that a pooler keeps and nobody uses at the moment. It shares prepared statements among its clients, and those of
 * which a column has another type now would fail on these connections for as long as it keeps them.
 */
async function endPooled(sql: Sql): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${pooledName} and state = 'idle' and usename = current_user`
}

/** Without limits of time, which the role may have. */
function open(databaseUrl: string): Sql {
  const connection = { statement_timeout: 0, idle_in_transaction_session_timeout: 0 }
  return postgres(databaseUrl, { max: 1, connect_timeout: connectSecondsOf(databaseUrl, 10), onnotice: () => undefined, connection })
}

async function connect(sql: Sql, databaseUrl: string): Promise<void> {
  try {
    await reach(sql, databaseUrl)
  } catch (cause) {
    throw new OperatorError(`The database at ${postgresHostsOf(databaseUrl)} cannot be used: ${(cause as Error).message}.`, { cause })
  }
}

/** Applies the first migration that is missing and returns its name; undefined when none is. */
async function applyNext(tx: TransactionSql, migrations: Migration[]): Promise<string | undefined> {
  await tx`select pg_advisory_xact_lock(${advisoryLock('migrations')})`
  await tx`create table if not exists schema_migration (
    name text primary key,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`
  const applied = await tx<Applied[]>`select name, checksum from schema_migration order by name collate "C"`
  checkHistory(applied, migrations)
  const next = migrations[applied.length]
  if (!next) return undefined
  await run(tx, next)
  await tx`insert into schema_migration (name, checksum) values (${next.name}, ${next.checksum})`
  return next.name
}

/** A database before it is migrated. */
export interface Unmigrated {
  /** Connections of servers and workers that use it. */
  users: number
  /** Names of the migrations that it does not have. */
  pending: string[]
}

/** What would be applied, and who would see it. */
export async function lookBefore(databaseUrl: string, directory = migrationsFolder): Promise<Unmigrated> {
  const sql = open(databaseUrl)
  try {
    await connect(sql, databaseUrl)
    // First: what another process applies meanwhile is not pending any more, and its servers are none of before.
    const [{ users }] = await sql<[{ users: number }]>`
      select count(*)::int as users from pg_stat_activity where datname = current_database() and application_name = ${applicationName}`
    const [{ isNew }] = await sql<[{ isNew: boolean }]>`select to_regclass('schema_migration') is null as "isNew"`
    const applied = isNew ? [] : await sql<{ name: string }[]>`select name from schema_migration`
    const known = new Set(applied.map(({ name }) => name))
    return { users, pending: readMigrations(directory).flatMap(({ name }) => (known.has(name) ? [] : [name])) }
  } finally {
    await close(sql)
  }
}

/** @throws OperatorError when these migrations are not the first ones of this version of the product. */
export function requireKnown(applied: Applied[]): void {
  checkHistory(applied, readMigrations(migrationsFolder))
}

/** The applied migrations must be exactly the first files, unchanged. */
function checkHistory(applied: Applied[], migrations: Migration[]): void {
  for (const [index, { name, checksum }] of applied.entries()) {
    const file = migrations.find((migration) => migration.name === name)
    if (!file)
      throw new OperatorError(
        `The database has the migration ${name}, which is not in the sql folder: it belongs to another version of Quarterdeck.`,
      )
    if (file.checksum !== checksum)
      throw new OperatorError(`sql/${name}.sql was changed after the database had it. Put it back, and make the change in a new migration.`)
    if (migrations[index] !== file)
      throw new OperatorError(
        `sql/${migrations[index]?.name}.sql comes before ${name}, which the database has already. Give it a later name.`,
      )
  }
}

async function run(tx: TransactionSql, { name, statements }: Migration): Promise<void> {
  try {
    await tx.unsafe(statements)
  } catch (cause) {
    if (!(cause instanceof postgres.PostgresError)) throw cause
    const line = cause.position ? `, line ${statements.slice(0, Number(cause.position)).split('\n').length}` : ''
    throw new OperatorError(`sql/${name}.sql${line} failed: ${cause.message}. The database is as it was before this file.`, { cause })
  }
}

function readMigrations(directory: string): Migration[] {
  const files = readdirSync(directory)
    .filter((file) => /^\d.*\.sql$/.test(file))
    .sort()
  const numbers = new Set<string>()
  return files.map((file) => {
    const [, name = '', number] = /^((?:\d{4}-\d\d-\d\d|(\d{4}))_[a-z0-9_]+)\.sql$/.exec(file) ?? []
    if (name === '') throw new OperatorError(`sql/${file} is not named like 2026-12-01_noun_and_what_it_adds.sql.`)
    if (number !== undefined && numbers.has(number))
      throw new OperatorError(`Two migrations have the number ${number}; give sql/${file} a name that begins with its day.`)
    if (number !== undefined) numbers.add(number)
    const statements = readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n')
    return { name, statements, checksum: createHash('sha256').update(statements).digest('hex') }
  })
}

/** A connection that hangs must not keep the process. */
function close(sql: Sql): Promise<void> {
  return sql.end({ timeout: 5 })
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    const { databaseUrl } = readConfig()
    if (databaseUrl === undefined) throw new ConfigError('DATABASE_URL must name the database to migrate.')
    await migrate(databaseUrl, (name) => process.stdout.write(`Migrated the database: ${name}\n`))
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof OperatorError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = error instanceof ConfigError ? 2 : 1
  }
}
