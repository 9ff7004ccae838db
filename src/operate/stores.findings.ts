// Checks of `npm run doctor` in Postgres, Redis and the bucket of images.
import { join } from 'node:path'
import type { Config } from '../core/base/config.ts'
import type { Sql } from '../core/db/db.ts'
import { verifySecret } from '../auth/passwords.ts'
import { postgresHostsOf } from '../core/base/postgres-url.ts'
import { isClusterUrl, redisHostsOf } from '../core/base/redis-url.ts'
import { requirePooler } from '../core/db/pooler.ts'
import { askRedis } from '../core/bus/redis-check.ts'
import { openBoth } from '../core/files/open-store.ts'
import { storedSettings } from '../settings/stored.service.ts'
import type { Settings } from '../settings/values.ts'
import { teamAccount } from '../text/dialect.ts'
import { hasCluster, requirePostgres, runningPostgres } from '../embedded/postgres.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { bad, warning, type Finding } from './findings.ts'
import { selectDigests, selectIsStandby, selectTeamName, selectState, withDatabase, type DatabaseState } from './queries.ts'

const about = 'Postgres'
const oldestPostgres = 14
/** Accounts that start with a password which everybody knows, unless the operator sets another. */
const knownAccounts = ['admin', 'THO', 'prometheus', 'james', 'heidi', 'sam', 'verified', 'unverified', 'quarantined']

/** What was found about the database, and the settings that are in it. */
export interface DatabaseFindings {
  findings: Finding[]
  /** Undefined when nobody can say: it does not run, or has never been started. */
  settings: Settings | undefined
}

/** The database of the configuration, or the embedded one if it runs. */
export async function checkDatabase(config: Config): Promise<DatabaseFindings> {
  const directory = join(config.dataDir, 'postgres')
  const url = config.databaseUrl ?? runningPostgres(directory, 'quarterdeck')
  if (url === undefined) return { findings: [checkEmbedded(directory)], settings: undefined }
  try {
    return await withDatabase(url, config.databaseTimeoutSeconds, async (sql) => {
      const state = await selectState(sql, knownAccounts)
      return {
        findings: await findingsOfState(state, postgresHostsOf(url), config),
        settings: state.hasTables ? await storedSettings(sql) : undefined,
      }
    })
  } catch (error) {
    const text = `${postgresHostsOf(url)} cannot be used: ${(error as Error).message}. Is it running, and DATABASE_URL right?`
    return { findings: [{ level: 'bad', about, text }], settings: undefined }
  }
}

function checkEmbedded(directory: string): Finding {
  try {
    requirePostgres()
  } catch (error) {
    return { level: 'bad', about, text: (error as Error).message }
  }
  return { level: 'good', about, text: hasCluster(directory) ? `does not run; its data is in ${directory}` : 'starts with the server' }
}

async function findingsOfState(
  { version, hasTrigrams, accounts, teamName, clockAheadMs }: DatabaseState,
  host: string,
  config: Config,
): Promise<Finding[]> {
  if (version < oldestPostgres) return [{ level: 'bad', about, text: `It is version ${version}; ${oldestPostgres} or newer is needed.` }]
  if (!hasTrigrams) return [{ level: 'bad', about, text: 'It lacks the extension pg_trgm. Install the contrib package of this Postgres.' }]
  const seconds = Math.round(clockAheadMs / 1000)
  const differs = `The database's clock differs by ${seconds} s. Let both follow one time server.`
  return [
    { level: 'good', about, text: `version ${version} at ${host}` },
    ...(Math.abs(clockAheadMs) > 5000 ? [{ level: 'warning' as const, about: 'Clock', text: differs }] : []),
    ...findingsOfName(teamName, config),
    ...(await findingsOf(accounts, config)),
  ]
}

/** Whether the servers of this database have the same DIALECT: a start with another one renames the team. */
export async function findingsOfDialect(sql: Sql, config: Config): Promise<Finding[]> {
  return findingsOfName(await selectTeamName(sql), config)
}

function findingsOfName(teamName: string | undefined, config: Config): Finding[] {
  const wanted = teamAccount(config)
  if (teamName === undefined || teamName === wanted) return []
  const text =
    `Servers of this database call the team ${teamName}, ` +
    `and DIALECT=${config.dialect} makes it ${wanted}. Set the same on all of them, and restart them.`
  return [warning('Dialect', text, 'dialect', { team: teamName, wanted, dialect: config.dialect })]
}

/** Accounts of a running server whose password everybody knows. */
export async function findingsOfAccounts(sql: Sql, config: Config): Promise<Finding[]> {
  return await findingsOf(await selectDigests(sql, knownAccounts), config)
}

/** By the digest: trying a password takes a while, and nobody changes it often. */
const tried = new Map<string, boolean>()

/** Names of accounts of a running server whose password everybody knows. */
export async function openAccounts(sql: Sql): Promise<string[]> {
  return await openOf(await selectDigests(sql, knownAccounts))
}

async function openOf(accounts: DatabaseState['accounts']): Promise<string[]> {
  for (const { passwordHash } of accounts)
    if (!tried.has(passwordHash)) tried.set(passwordHash, await verifySecret(passwordHash, 'password'))
  return accounts.filter(({ passwordHash }) => tried.get(passwordHash)).map(({ username }) => username)
}

async function findingsOf(accounts: DatabaseState['accounts'], { production }: Config): Promise<Finding[]> {
  const open = await openOf(accounts)
  if (open.length === 0) return []
  const text = `The password of ${open.join(', ')} is "password".${production ? ' Change it, or ban them: everybody can log in.' : ''}`
  const values = { names: open.join(', ') }
  return [production ? bad('Accounts', text, 'accounts-must', values) : warning('Accounts', text, 'accounts', values)]
}

/** Nothing where there is none. */
export async function checkPooler({ databasePoolerUrl, databaseTimeoutSeconds }: Config): Promise<Finding[]> {
  const about = 'Pooler'
  if (databasePoolerUrl === undefined) return []
  try {
    await requirePooler(databasePoolerUrl, databaseTimeoutSeconds)
    return [{ level: 'good', about, text: `answers at ${postgresHostsOf(databasePoolerUrl)}` }]
  } catch (error) {
    return [{ level: 'bad', about, text: (error as Error).message }]
  }
}

/** Nothing where there is none. */
export async function checkStandby({ databaseStandbyUrl, databaseTimeoutSeconds }: Config): Promise<Finding[]> {
  const about = 'Standby'
  if (databaseStandbyUrl === undefined) return []
  const host = postgresHostsOf(databaseStandbyUrl)
  try {
    if (await withDatabase(databaseStandbyUrl, databaseTimeoutSeconds, selectIsStandby))
      return [{ level: 'good', about, text: `follows at ${host}` }]
    return [{ level: 'bad', about, text: `${host} follows no primary, so it is never asked. Name a standby in DATABASE_STANDBY_URL.` }]
  } catch (error) {
    return [
      { level: 'bad', about, text: `${host} cannot be used: ${(error as Error).message}. Is it running, and DATABASE_STANDBY_URL right?` },
    ]
  }
}

export async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  const about = 'Redis'
  if (redisUrl === undefined) return { level: 'good', about, text: 'starts with the server' }
  const host = redisHostsOf(redisUrl)
  try {
    const { version, mode, policy } = await askRedis(redisUrl)
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (major < 6 || (major === 6 && minor < 2)) return { level: 'bad', about, text: `It is version ${version}; 6.2 or newer is needed.` }
    if (mode === 'cluster' && !isClusterUrl(redisUrl))
      return {
        level: 'bad',
        about,
        text: 'This is a server of a Cluster. Name some of them by redis-cluster://:<password>@<host>:6379,<host>:6379.',
      }
    if (mode !== 'cluster' && isClusterUrl(redisUrl))
      return { level: 'bad', about, text: 'It is no Cluster. Name it by redis://:<password>@<host>:6379.' }
    if (mode === 'cluster' && major < 7)
      return { level: 'bad', about, text: `It is version ${version}; of a Cluster 7.0 or newer is needed.` }
    if (mode === 'sentinel')
      return { level: 'bad', about, text: 'This is a Sentinel. Name Sentinels by redis-sentinel://:<password>@<host>:26379/<name>.' }
    if (policy !== undefined && policy !== 'noeviction')
      return { level: 'bad', about, text: `maxmemory-policy is ${policy}, so it may lose jobs. Set it to noeviction.` }
    return { level: 'good', about, text: `version ${version} at ${host}` }
  } catch (error) {
    return { level: 'bad', about, text: `${host} cannot be used: ${(error as Error).message}. Is it running, and REDIS_URL right?` }
  }
}

/** Nothing where there is none. */
export async function checkBucket(config: Config): Promise<Finding[]> {
  const about = 'Bucket'
  const stores = await openBoth(config)
  if (!stores) return []
  try {
    await stores.check()
    return [{ level: 'good', about, text: `takes files; new images go to ${stores.name}` }]
  } catch (error) {
    const { message, cause } = error as Error
    // The sentence of a 503 is for phones; operators need the reason behind it.
    return [{ level: 'bad', about, text: error instanceof OperatorError ? message : `It does not answer: ${(cause as Error).message}` }]
  } finally {
    stores.close()
  }
}
