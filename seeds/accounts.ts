// Accounts that exist from the first start: built-in ones, clients, and in development and testing
// users to try things with.
import { accountSecrets } from '../src/accounts/config.ts'
import { normalizeCode } from '../src/auth/codes.ts'
import { hashSecret } from '../src/auth/passwords.ts'
import { builtIn } from '../src/accounts/rows.ts'
import { systemRandom } from '../src/core/base/clock.ts'
import type { Config } from '../src/core/base/config.ts'
import type { Sql } from '../src/core/db/db.ts'
import type { UserAccessLevel } from '../src/core/base/viewer.ts'
import { teamAccount } from '../src/text/dialect.ts'
import { usernameKey } from '../src/text/usernames.ts'
import type { NewAccount } from '../src/user/queries.ts'
import { selectTakenNames } from './queries.ts'

interface Wanted {
  id: string
  username: string
  level: UserAccessLevel
  /** Undefined: nobody can log in. */
  password: string | undefined
  recoveryKey?: string
  special: boolean
}

/** One line of the file of client accounts. */
export interface ClientLine {
  username: string
  password: string
  recoveryKey: string
}

/** Users to try things with; all have the password `password`. */
export const demoUsers = {
  unverified: '00000000-0000-4000-8000-000000000101',
  banned: '00000000-0000-4000-8000-000000000102',
  quarantined: '00000000-0000-4000-8000-000000000103',
  verified: '00000000-0000-4000-8000-000000000104',
  james: '00000000-0000-4000-8000-000000000105',
  heidi: '00000000-0000-4000-8000-000000000106',
  sam: '00000000-0000-4000-8000-000000000107',
} as const

/** Accounts to make. */
export interface MissingAccounts {
  /** With their secrets hashed. */
  accounts: NewAccount[]
  /** Clients whose names belong to somebody else. */
  refused: string[]
  /** True when there were no accounts: only then are sample people among them. */
  isFirst: boolean
}

/** The accounts that are missing. */
export async function missingAccounts(sql: Sql, config: Config, clients: readonly ClientLine[]): Promise<MissingAccounts> {
  const isFirst = (await selectTakenNames(sql, [usernameKey('admin')])).length === 0
  const wanted = [...builtInAccounts(config), ...clients.map(clientAccount), ...(isFirst && config.demoContent ? demoAccounts() : [])]
  const taken = new Map(
    (
      await selectTakenNames(
        sql,
        wanted.map(({ username }) => usernameKey(username)),
      )
    ).map((row) => [row.usernameKey, row]),
  )
  const missing = wanted.filter(({ username }) => !taken.has(usernameKey(username)))
  const hash = missing.length > 0 ? hashOnce() : undefined
  return {
    accounts: hash ? await Promise.all(missing.map((account) => newAccount(account, hash))) : [],
    isFirst,
    refused: wanted
      .filter(({ username, special }) => special && taken.get(usernameKey(username))?.special === false)
      .map(({ username }) => username),
  }
}

function builtInAccounts(config: Config): Wanted[] {
  const account = (name: keyof typeof builtIn, level: UserAccessLevel, password?: string, recoveryKey?: string): Wanted => ({
    id: builtIn[name],
    username: name === 'ServiceTeam' ? teamAccount(config) : name,
    level,
    password,
    ...(recoveryKey ? { recoveryKey } : {}),
    special: true,
  })
  const secrets = accountSecrets(config)
  return [
    account('admin', 'admin', secrets.adminPassword.value, secrets.adminRecoveryKey.value),
    account('THO', 'tho', secrets.thoPassword.value, secrets.thoRecoveryKey.value),
    account('moderator', 'moderator'),
    account('ServiceTeam', 'serviceteam'),
    account('prometheus', 'client', secrets.prometheusPassword.value),
    account('MicroKaraoke', 'client'),
  ]
}

function clientAccount({ username, password, recoveryKey }: ClientLine): Wanted {
  return { id: systemRandom.uuid(), username, level: 'client', password, recoveryKey, special: true }
}

function demoAccounts(): Wanted[] {
  const levels: Record<keyof typeof demoUsers, UserAccessLevel> = {
    unverified: 'unverified',
    banned: 'banned',
    quarantined: 'quarantined',
    verified: 'verified',
    james: 'verified',
    heidi: 'verified',
    sam: 'verified',
  }
  return Object.entries(levels).map(([username, level]) => ({
    id: demoUsers[username as keyof typeof demoUsers],
    username,
    level,
    password: demoPassword,
    special: false,
  }))
}

const demoPassword = 'password'

type Hash = (account: Wanted) => Promise<string>

/** Accounts that nobody logs in to share one hash of a secret nobody knows, and demo users one of their known password. */
function hashOnce(): Hash {
  const unknown = hashSecret(systemRandom.bytes(32).toString('base64'))
  let demo: Promise<string> | undefined
  return ({ password, special }) => {
    if (password === undefined) return unknown
    return special ? hashSecret(password) : (demo ??= hashSecret(password))
  }
}

async function newAccount(account: Wanted, hash: Hash): Promise<NewAccount> {
  const { id, username, level, recoveryKey, special } = account
  const [passwordHash, recoveryKeyHash] = await Promise.all([
    hash(account),
    recoveryKey === undefined ? null : hashSecret(normalizeCode(recoveryKey)),
  ])
  return { id, personId: id, username, level, passwordHash, recoveryKeyHash, special, now: new Date() }
}
