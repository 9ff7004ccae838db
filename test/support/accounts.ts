// Accounts made directly in Postgres, logged in already: hundreds in milliseconds, without a hash for each.
import { randomBytes, randomUUID } from 'node:crypto'
import { hashSecret } from '../../src/auth/passwords.ts'
import { deriveToken, tokenDigest } from '../../src/auth/tokens.ts'
import type { Sql } from '../../src/core/db/db.ts'
import type { UserAccessLevel, UserRoleType } from '../../src/core/base/viewer.ts'
import { usernameKey, userSearchOf } from '../../src/text/usernames.ts'
import { testTokenSecret } from './app.ts'

export interface TestAccount {
  id: string
  /** Of the primary account. */
  personId: string
  username: string
  /** Valid on every node of the test. */
  token: string
}

export interface AccountOptions {
  username?: string
  /** Default: `verified`. */
  level?: UserAccessLevel
  roles?: UserRoleType[]
  /** Makes it a sub-account of this one's person. */
  subAccountOf?: TestAccount
  displayName?: string
  realName?: string
  tempQuarantineUntil?: Date
}

/** Password of all accounts made here. */
export const testPassword = 'a test password'
/** Recovery key of all accounts made here, normalised. */
export const testRecoveryKey = 'threetestwords'

let hashes: Promise<[password: string, recoveryKey: string]> | undefined
let made = 0

/** Makes one account with a token. */
export async function createAccount(sql: Sql, options: AccountOptions = {}): Promise<TestAccount> {
  return (await createAccounts(sql, [options]))[0] as TestAccount
}

/** Makes accounts with tokens in one statement; sub-accounts need a primary account made before. */
export async function createAccounts(sql: Sql, wanted: readonly AccountOptions[]): Promise<TestAccount[]> {
  hashes ??= Promise.all([hashSecret(testPassword), hashSecret(testRecoveryKey)])
  const [passwordHash, recoveryKeyHash] = await hashes
  const accounts = wanted.map((options) => {
    const id = randomUUID()
    const nonce = randomBytes(16)
    // Unique also among test files that look at one database.
    const username = options.username ?? `user${++made}-${randomBytes(4).toString('hex')}`
    return {
      options,
      nonce,
      account: { id, personId: options.subAccountOf?.personId ?? id, username, token: deriveToken(testTokenSecret, id, nonce) },
    }
  })
  const now = new Date()
  for (let start = 0; start < accounts.length; start += 1000) {
    await sql`insert into account ${sql(
      accounts.slice(start, start + 1000).map(({ options, nonce, account: { id, personId, username, token } }) => ({
        id,
        person_id: personId,
        username,
        username_key: usernameKey(username),
        level: options.level ?? 'verified',
        roles: `{${(options.roles ?? []).join(',')}}`,
        temp_quarantine_until: options.tempQuarantineUntil ?? null,
        password_hash: passwordHash,
        recovery_key_hash: recoveryKeyHash,
        token_nonce: nonce,
        token_digest: tokenDigest(token),
        display_name: options.displayName ?? null,
        real_name: options.realName ?? null,
        user_search: userSearchOf({ username, displayName: options.displayName ?? null, realName: options.realName ?? null }),
        profile_updated_at: now,
        created_at: now,
      })),
    )}`
  }
  return accounts.map(({ account }) => account)
}
