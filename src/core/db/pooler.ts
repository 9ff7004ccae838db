// A pooler of connections in transaction mode, as PgBouncer is one: who sends a statement through it gets a connection to Postgres
// for one transaction, and another one for the next.
import postgres from 'postgres'
import { advisoryLock } from './advisory-lock.ts'
import type { Client, Sql } from './connection.ts'
import { postgresHostsOf } from '../base/postgres-url.ts'
import { isRefusal } from './errors.ts'
import { OperatorError } from '../../supervisor/operator-error.ts'

/** Connections of servers and workers by way of a pooler are known by it; it may keep them when these are gone. */
export const pooledName = 'quarterdeck by pooler'

/** Parameters that clients of a pooler may send when they connect: it sets them for each transaction. */
export const pooledParameters = { application_name: pooledName, timezone: 'UTC' }

const invalidStatementName = '26000'

/**
 * Sees to it that statements may go through a pooler: Postgres gets the limits of their time from the role, since a pooler refuses
 * them from its clients, and the pooler has to carry prepared statements.
 *
 * `limits`: parameters of Postgres, by name. Returns false when Postgres does not let the role have them.
 *
 * @throws OperatorError when the pooler cannot be used.
 */
export async function preparePooler(
  url: string,
  connectTimeoutSeconds: number,
  limits: Readonly<Record<string, number>>,
): Promise<boolean> {
  return await throughPooler(url, connectTimeoutSeconds, async (one, other) => {
    const hasLimits = await giveLimits(one, limits)
    await requirePreparedStatements(one, other)
    return hasLimits
  })
}

/** @throws OperatorError when this pooler cannot be used. */
export async function requirePooler(url: string, connectTimeoutSeconds: number): Promise<void> {
  await throughPooler(url, connectTimeoutSeconds, requirePreparedStatements)
}

/** Runs `work` with two connections to the pooler. */
async function throughPooler<T>(url: string, connectTimeoutSeconds: number, work: (one: Client, other: Client) => Promise<T>): Promise<T> {
  const connect = () =>
    postgres(url, { max: 1, connect_timeout: connectTimeoutSeconds, onnotice: () => undefined, connection: pooledParameters }) as Client
  const [one, other] = [connect(), connect()]
  try {
    return await work(one, other)
  } catch (cause) {
    const lacksStatements = (cause as { code?: unknown }).code === invalidStatementName
    const reason = lacksStatements
      ? 'it does not carry prepared statements. PgBouncer does from version 1.21 on, with max_prepared_statements above 0'
      : (cause as Error).message
    throw new OperatorError(`The pooler at ${postgresHostsOf(url)} cannot be used: ${reason}.`, { cause })
  } finally {
    await Promise.all([one.end({ timeout: 1 }), other.end({ timeout: 1 })])
  }
}

/** Makes the limits those of the role in this database, for connections that begin from now on. */
async function giveLimits(client: Client, limits: Readonly<Record<string, number>>): Promise<boolean> {
  try {
    await client.begin(async (tx) => {
      // Servers that start together would change one row at once, which Postgres refuses.
      await tx`select pg_advisory_xact_lock(${advisoryLock('limits of the role')})`
      const has = await selectLimits(tx as unknown as Sql)
      const database = await selectDatabase(tx as unknown as Sql)
      for (const [name, value] of Object.entries(limits))
        if (has.get(name) !== String(value))
          await tx.unsafe(`alter role current_user in database "${database.replaceAll('"', '""')}" set ${name} = ${value}`)
    })
    return true
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

async function selectDatabase(sql: Sql): Promise<string> {
  const [{ name }] = await sql<[{ name: string }]>`select current_database() as name`
  return name
}

/** Parameters that this role has in this database, by name. */
async function selectLimits(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ name: string; value: string }[]>`
    select split_part(given, '=', 1) as name, substr(given, strpos(given, '=') + 1) as value
    from pg_db_role_setting, unnest(setconfig) as given
    where setdatabase = (select oid from pg_database where datname = current_database())
      and setrole = (select oid from pg_roles where rolname = current_user)`
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/**
 * A statement is prepared while the first connection to Postgres is in use, so on another one. Poolers hand out next what was given
 * back last, or what was given back first: one of the two that follow goes to the connection on which it was not prepared.
 */
async function requirePreparedStatements(one: Client, other: Client): Promise<void> {
  const ask = () => other`select 1 as prepared`
  await one.begin(async (tx) => {
    await tx`select 1 as held`
    await ask()
  })
  await ask()
  await ask()
}
