// Statements of devices that are told while the app is closed.
import type { Sql } from '../core/db/db.ts'
import type { PushDeviceRow } from './rows.ts'

const columns = (sql: Sql) => sql`id, account_id, session_key, endpoint, p256dh, auth, types, quiet_from, quiet_to, time_zone`

/** The devices of these accounts, or of all. */
export async function selectPushDevices(sql: Sql, accountIds?: readonly string[]): Promise<PushDeviceRow[]> {
  return await sql<PushDeviceRow[]>`
    select ${columns(sql)} from push_device
    where ${accountIds === undefined ? sql`true` : sql`account_id = any (${accountIds as string[]})`} order by created_at, id`
}

export async function selectPushDevice(sql: Sql, id: string): Promise<PushDeviceRow | undefined> {
  const [row] = await sql<PushDeviceRow[]>`select ${columns(sql)} from push_device where id = ${id}`
  return row
}

/**
 * Notes a device, or what has changed of it: what is on its way to it stays so. The oldest ones of the account beyond `most` go.
 * Resolves with whose it was.
 */
export async function upsertPushDevice(sql: Sql, row: PushDeviceRow, most: number, now: Date): Promise<string | undefined> {
  const [before] = await sql<{ accountId: string }[]>`select account_id from push_device where endpoint = ${row.endpoint} for update`
  await sql`
    insert into push_device (id, account_id, session_key, endpoint, p256dh, auth, types, quiet_from, quiet_to, time_zone, created_at)
    values (${row.id}, ${row.accountId}, ${row.sessionKey}, ${row.endpoint}, ${row.p256dh}, ${row.auth}, ${row.types as string[]},
      ${row.quietFrom}, ${row.quietTo}, ${row.timeZone}, ${now})
    on conflict (endpoint) do update set account_id = excluded.account_id, session_key = excluded.session_key, p256dh = excluded.p256dh,
      auth = excluded.auth, types = excluded.types, quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to,
      time_zone = excluded.time_zone, created_at = excluded.created_at`
  await sql`
    delete from push_device where id in (
      select id from push_device where account_id = ${row.accountId} order by created_at desc, id offset ${most})`
  return before?.accountId
}

/** Forgets a device of an account; whether there was one. */
export async function deletePushDevice(sql: Sql, accountId: string, endpoint: string): Promise<boolean> {
  return (await sql`delete from push_device where account_id = ${accountId} and endpoint = ${endpoint}`).count > 0
}

/** Forgets devices that are no longer there, or whose sessions have ended; whose they were. */
export async function deletePushDevices(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ accountId: string }[]>`delete from push_device where id = any (${ids as string[]}) returning account_id`
  return rows.map(({ accountId }) => accountId)
}
