// Statements about accounts as everybody may see them.
import type { Sql } from '../core/db/db.ts'
import { accountColumns, type AccountRow } from './rows.ts'

/** The accounts among these that exist. */
export async function selectAccounts(sql: Sql, ids: readonly string[]): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`select ${accountColumns(sql)} from account where id = any(${ids})`
}
