// A database of its own for a test file: a copy of the migrated and seeded template.
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import type { Sql } from '../../src/core/db/db.ts'

/** A database that nobody else uses. */
export interface TestDatabase {
  url: string
  /** Removes it, whoever is still connected. */
  drop(): Promise<void>
}

// Copies of one template that run at once disturb each other.
const copyLock = 7_236_402

/** Makes a database with the schema and the seeds in it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return newDatabase(fromEnvironment('TEST_TEMPLATE'))
}

/** Makes a database with nothing in it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return newDatabase('template1')
}

async function newDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await withAdmin(async (sql) => {
    await sql`select pg_advisory_lock(${copyLock})`
    // Many times faster than the other strategy where fsync is off.
    await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`
  })
  const url = new URL(fromEnvironment('TEST_DATABASE_URL'))
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () =>
      withAdmin(async (sql) => {
        await sql`drop database ${sql(name)} with (force)`
      }),
  }
}

const withAdmin = (work: (sql: postgres.Sql) => Promise<void>): Promise<void> => withConnection(fromEnvironment('TEST_DATABASE_URL'), work)

/** Runs `work` with a connection that ends after it, and with it all that it holds. */
export async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}

function fromEnvironment(name: string): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set: run tests with npm test`)
  return value
}

/**
 * Empties tables, one after another: those that refer to others come first. `truncate` of several would lock out readers,
 * and wait for one of them that already reads one table and wants the next: a deadlock.
 */
export async function empty(sql: Sql, ...tables: string[]): Promise<void> {
  for (const table of tables) await sql`delete from ${sql(table)}`
}
