// Statements about roles.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import type { UserRoleType } from '../core/base/viewer.ts'

/** Accounts with a role, in order of username. */
export async function selectWithRole(sql: Sql, role: UserRoleType): Promise<AccountRow[]> {
  return await sql<AccountRow[]>`
    select ${accountColumns(sql)} from account where roles @> array[${role}]::user_role[] and roles <> '{}' order by username_key`
}

/** Undefined when the account has the role already. */
export async function updateWithRole(sql: Sql, accountId: string, role: UserRoleType): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    update account set roles = array_append(roles, ${role}::user_role), rev = rev + 1
    where id = ${accountId} and ${role}::user_role <> all (roles) returning ${accountColumns(sql)}`
  return row
}

/** Undefined when the account does not have the role. */
export async function updateWithoutRole(sql: Sql, accountId: string, role: UserRoleType): Promise<AccountRow | undefined> {
  const [row] = await sql<AccountRow[]>`
    update account set roles = array_remove(roles, ${role}::user_role), rev = rev + 1
    where id = ${accountId} and ${role}::user_role = any (roles) returning ${accountColumns(sql)}`
  return row
}
