// Statements about everything that belongs to one person.
import type { Sql } from '../core/db/db.ts'

/** Ids of all accounts of the person that an account belongs to. */
export async function selectAccountIds(sql: Sql, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from account where person_id = (select person_id from account where id = ${accountId}) order by id <> person_id, id`
  return rows.map(({ id }) => id)
}

export interface OwnTable {
  table: string
  /** The column that says whose a row is. */
  owner: string
  /** Columns that nobody gets: secrets, and what only a search needs. */
  without?: readonly string[]
}

/** Rows of these accounts, as objects. */
export async function selectOwnRows(
  sql: Sql,
  { table, owner, without = [] }: OwnTable,
  accountIds: readonly string[],
): Promise<Record<string, unknown>[]> {
  const rows = await sql<{ row: Record<string, unknown> }[]>`
    select to_jsonb(own) - ${without as string[]}::text[] as row from ${sql(table)} as own where ${sql(owner)} = any(${accountIds})`
  return rows.map(({ row }) => row)
}
