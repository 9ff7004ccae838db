// Statements about favorites.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import { groupedBy } from '../core/db/gathered.ts'

/** Users that an account has favorited, in order of username. */
export async function selectFavorites(sql: Sql, accountIds: readonly string[]): Promise<Map<string, AccountRow[]>> {
  const rows = await sql<(AccountRow & { ownerId: string })[]>`
    select favorite.account_id as owner_id, ${accountColumns(sql)} from favorite join account on account.id = favorite.favorite_id
    where favorite.account_id = any(${accountIds}::uuid[]) order by username_key`
  return groupedBy(rows, ({ ownerId }) => ownerId)
}

export async function insertFavorite(sql: Sql, accountId: string, favoriteId: string, now: Date): Promise<void> {
  await sql`insert into favorite (account_id, favorite_id, created_at) values (${accountId}, ${favoriteId}, ${now}) on conflict do nothing`
}

/** False when it was no favorite. */
export async function deleteFavorite(sql: Sql, accountId: string, favoriteId: string): Promise<boolean> {
  const result = await sql`delete from favorite where account_id = ${accountId} and favorite_id = ${favoriteId}`
  return result.count > 0
}

/** Whether an account has favorited another. */
export async function selectIsFavorite(sql: Sql, accountId: string, favoriteId: string): Promise<boolean> {
  const [row] = await sql`select from favorite where account_id = ${accountId} and favorite_id = ${favoriteId}`
  return row !== undefined
}
