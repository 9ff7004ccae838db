// Statements about everything that belongs to one person.
import type { Sql } from '../core/db/db.ts'
import type { OwnData } from '../core/db/tables.ts'

/** Ids of all accounts of the person that an account belongs to. */
export async function selectAccountIds(sql: Sql, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from account where person_id = (select person_id from account where id = ${accountId}) order by id <> person_id, id`
  return rows.map(({ id }) => id)
}

/** Everybody but built-in and client accounts, by the name of their first account. */
export async function selectPersons(sql: Sql): Promise<{ username: string; accountIds: string[] }[]> {
  return await sql<{ username: string; accountIds: string[] }[]>`
    select (array_agg(username order by id <> person_id, id))[1] as username, array_agg(id order by id <> person_id, id) as account_ids
    from account where not special and level <> 'client' group by person_id order by 1`
}

/** Rows of these accounts, as objects. */
export async function selectOwnRows(
  sql: Sql,
  table: string,
  { of, without = [] }: OwnData,
  accountIds: readonly string[],
): Promise<Record<string, unknown>[]> {
  const rows = await sql<{ row: Record<string, unknown> }[]>`
    select to_jsonb(own) - ${without as string[]}::text[] as row from ${sql(table)} as own where ${sql(of)} = any(${accountIds})`
  return rows.map(({ row }) => row)
}
