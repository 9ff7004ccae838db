// Rows of accounts as the cache holds them, and the built-in accounts.
import type { Sql } from '../core/db/db.ts'
import type { Account } from '../core/base/viewer.ts'

/** The columns of `account` that this cache and `account changed` events hold. Built with `accountColumns`. */
export interface AccountRow extends Account {
  readonly username: string
  readonly displayName: string | null
  readonly userImage: string | null
  readonly preferredPronoun: string | null
  /** Higher is newer. */
  readonly rev: number
}

/** The name of an account that its person has deleted. */
export const deletedName = (accountId: string): string => `deleted-${accountId.slice(0, 13)}`

/** True for an account that its person has deleted: a row without a person. */
export const isDeleted = ({ id, username }: Pick<AccountRow, 'id' | 'username'>): boolean => username === deletedName(id)

/** Accounts that exist from the first start. Their ids are the same in every installation. */
export const builtIn = {
  admin: '00000000-0000-4000-8000-000000000001',
  THO: '00000000-0000-4000-8000-000000000002',
  moderator: '00000000-0000-4000-8000-000000000003',
  ServiceTeam: '00000000-0000-4000-8000-000000000004',
  prometheus: '00000000-0000-4000-8000-000000000005',
  MicroKaraoke: '00000000-0000-4000-8000-000000000006',
} as const

const columns = ['id', 'person_id', 'username', 'level', 'display_name', 'user_image', 'preferred_pronoun', 'rev']

/** For `select`: the columns of an AccountRow, from a table or alias. */
export const accountColumns = (sql: Sql, table = 'account') => sql(columns.map((name) => `${table}.${name}`))
