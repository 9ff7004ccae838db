// Checks of `npm run doctor` in Postgres and Redis.
import { join } from 'node:path'
import type { Config } from '../core/config.ts'
import { verifySecret } from '../auth/passwords.ts'
import { askRedis } from '../core/realtime/redis-check.ts'
import { teamAccount } from '../text/dialect.ts'
import { hasCluster, requirePostgres, runningPostgres } from '../embedded/postgres.ts'
import type { Finding } from './findings.ts'
import { selectState } from './queries.ts'

const oldestPostgres = 14
/** Accounts that start with a password which everybody knows, unless the operator sets another. */
const knownAccounts = ['admin', 'THO', 'prometheus', 'james', 'heidi', 'sam', 'verified', 'unverified', 'quarantined']

/** The database of the configuration, or the embedded one if it runs. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const about = 'Postgres'
  const directory = join(config.dataDir, 'postgres')
  const url = config.databaseUrl ?? runningPostgres(directory, 'quarterdeck')
  if (url === undefined) {
    try {
      requirePostgres()
    } catch (error) {
      return [{ level: 'bad', about, text: (error as Error).message }]
    }
    return [{ level: 'good', about, text: hasCluster(directory) ? `does not run; its data is in ${directory}` : 'starts with the server' }]
  }
  try {
    const { version, hasTrigrams, accounts, teamName, clockAheadMs } = await selectState(url, knownAccounts, config.databaseTimeoutSeconds)
    const known = await Promise.all(accounts.map(async ({ passwordHash }) => await verifySecret(passwordHash, 'password')))
    const defaultPasswords = accounts.filter((_, index) => known[index]).map(({ username }) => username)
    if (version < oldestPostgres) return [{ level: 'bad', about, text: `It is version ${version}; ${oldestPostgres} or newer is needed.` }]
    if (!hasTrigrams)
      return [{ level: 'bad', about, text: 'It lacks the extension pg_trgm. Install the contrib package of this Postgres.' }]
    return [
      { level: 'good', about, text: `version ${version} at ${new URL(url).host}` },
      ...(Math.abs(clockAheadMs) > 5000
        ? [
            {
              level: 'warning' as const,
              about: 'Clock',
              text: `The database's clock differs by ${Math.round(clockAheadMs / 1000)} s. Let both follow one time server.`,
            },
          ]
        : []),
      ...(teamName !== undefined && teamName !== teamAccount(config)
        ? [
            {
              level: 'warning' as const,
              about: 'DIALECT',
              text: `Servers of this database call the team ${teamName}, and DIALECT=${config.dialect} makes it ${teamAccount(config)}. Set the same on all of them, and restart them.`,
            },
          ]
        : []),
      ...(defaultPasswords.length > 0
        ? [
            {
              level: config.production ? ('bad' as const) : ('warning' as const),
              about: 'Accounts',
              text: `The password of ${defaultPasswords.join(', ')} is "password".${config.production ? ' Change it, or ban them: everybody can log in.' : ''}`,
            },
          ]
        : []),
    ]
  } catch (error) {
    return [
      {
        level: 'bad',
        about,
        text: `${new URL(url).host} cannot be used: ${(error as Error).message}. Is it running, and DATABASE_URL right?`,
      },
    ]
  }
}

export async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  const about = 'Redis'
  if (redisUrl === undefined) return { level: 'good', about, text: 'starts with the server' }
  const { host } = new URL(redisUrl)
  try {
    const { version, policy } = await askRedis(redisUrl)
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (major < 6 || (major === 6 && minor < 2)) return { level: 'bad', about, text: `It is version ${version}; 6.2 or newer is needed.` }
    if (policy !== undefined && policy !== 'noeviction')
      return { level: 'bad', about, text: `maxmemory-policy is ${policy}, so it may lose jobs. Set it to noeviction.` }
    return { level: 'good', about, text: `version ${version} at ${host}` }
  } catch (error) {
    return { level: 'bad', about, text: `${host} cannot be used: ${(error as Error).message}. Is it running, and REDIS_URL right?` }
  }
}
