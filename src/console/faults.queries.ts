// Statements of the requests that servers failed at.
import type { Sql } from '../core/db/db.ts'
import type { Fault } from '../core/base/metrics.ts'

/** Far more than anybody reads: a flood of failures must not fill the disk. */
const most = 5000

/** Keeps faults of a server, and forgets those from before a moment, and what is too much. */
export async function insertFaults(sql: Sql, source: string, faults: readonly Fault[], forgetBefore: Date): Promise<void> {
  const column = <K extends keyof Fault>(name: K) => faults.map((fault) => fault[name])
  await sql`
    with forgotten as (
      delete from fault where at < ${forgetBefore} or id <= (select max(id) - ${most}::bigint from fault))
    insert into fault (at, source, method, path, status, code, request_id, cause)
    select to_timestamp(given.at / 1000.0), ${source}, given.method, given.path, given.status, given.code, given.request_id, given.cause
    from unnest(${column('at')}::float8[], ${column('method')}::text[], ${column('path')}::text[], ${column('status')}::int[],
      ${column('code')}::text[], ${column('requestId')}::text[], ${column('cause')}::text[])
      as given (at, method, path, status, code, request_id, cause)`
}

/** A fault as it is kept. */
type FaultRow = Omit<Fault, 'at'> & { at: Date; source: string }

/** The newest faults that have a text in their request id or path. */
export async function selectFaults(sql: Sql, search: string, limit: number): Promise<FaultRow[]> {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return await sql<FaultRow[]>`
    select at, source, method, path, status, code, request_id, cause from fault
    where ${search === '' ? sql`true` : sql`(lower(request_id) like ${pattern} or lower(path) like ${pattern})`}
    order by at desc, id desc limit ${limit}`
}
