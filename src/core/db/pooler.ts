// A pooler of connections in transaction mode, as PgBouncer is one: who sends a statement through it gets a connection to Postgres
// for one transaction, and another one for the next.
import postgres from 'postgres'
import { advisoryLock } from './advisory-lock.ts'
import { pooledParameters, type Client, type Sql } from './connection.ts'
import { postgresHostsOf } from '../base/postgres-url.ts'
import { isRefusal } from './errors.ts'
import { OperatorError } from '../../supervisor/operator-error.ts'

const invalidStatementName = '26000'
/** Connections to Postgres that are taken to find out what the pooler does: fewer than it has. */
const mostHeld = 4

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
  return await throughPooler(url, connectTimeoutSeconds, async (several, single) => {
    const hasLimits = await giveLimits(single, limits)
    await requirePreparedStatements(several, single)
    return hasLimits
  })
}

/** @throws OperatorError when this pooler cannot be used. */
export async function requirePooler(url: string, connectTimeoutSeconds: number): Promise<void> {
  await throughPooler(url, connectTimeoutSeconds, requirePreparedStatements)
}

/** Runs `work` with a client of a few connections to the pooler, and one of a single connection. */
async function throughPooler<T>(
  url: string,
  connectTimeoutSeconds: number,
  work: (several: Client, single: Client) => Promise<T>,
): Promise<T> {
  const connect = (max: number) =>
    postgres(url, { max, connect_timeout: connectTimeoutSeconds, onnotice: () => undefined, connection: pooledParameters }) as Client
  const [several, single] = [connect(mostHeld), connect(1)]
  try {
    return await work(several, single)
  } catch (cause) {
    const reason =
      cause instanceof StatementsMissing || (cause as { code?: unknown }).code === invalidStatementName
        ? 'it does not carry prepared statements. PgBouncer does from version 1.21 on, with max_prepared_statements above 0.'
        : `${(cause as Error).message}. Is it running, and DATABASE_POOLER_URL right?`
    throw new OperatorError(`The pooler at ${postgresHostsOf(url)} cannot be used: ${reason}`, { cause })
  } finally {
    await Promise.all([several.end({ timeout: 1 }), single.end({ timeout: 1 })])
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
      const role = `alter role current_user in database "${database.replaceAll('"', '""')}"`
      const missing = Object.entries(limits).filter(([name, value]) => has.get(name) !== String(value))
      if (missing.length > 0) await tx.unsafe(missing.map(([name, value]) => `${role} set ${name} = ${value}`).join(';'))
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

class StatementsMissing extends Error {}

/** Has a statement sent over another connection to Postgres than that on which it was prepared. */
async function requirePreparedStatements(holding: Client, asking: Client): Promise<void> {
  const ask = async () => {
    // postgres.js prepares only what has parameters. Of a statement that is not there it makes an answer without rows.
    const [row] = await asking<{ pid: number }[]>`select pg_backend_pid() as pid where ${true}::boolean`
    if (!row) throw new StatementsMissing()
    return row.pid
  }
  // Somebody else may have that connection at the moment.
  for (let tries = 0; tries < 3; tries++) if (await whileHeld(await ask(), holding, ask)) return
}

/** Takes connections to Postgres until one of them is `pid`, then asks; false when it was not among so many. */
async function whileHeld(pid: number, holding: Client, ask: () => Promise<unknown>, left = mostHeld): Promise<boolean> {
  if (left === 0) return false
  return await holding.begin(async (tx) => {
    const [held] = await tx<[{ pid: number }]>`select pg_backend_pid() as pid`
    if (held.pid !== pid) return await whileHeld(pid, holding, ask, left - 1)
    await ask()
    return true
  })
}
