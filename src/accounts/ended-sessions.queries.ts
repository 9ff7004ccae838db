// Statements that end browser sessions on purpose, and remember that.
import type { Sql } from '../core/db/db.ts'

/** No browser keeps its cookie for longer. */
const rememberedDays = 400
/** Of one call's accounts; the latest. */
const maxRemembered = 500

/** Ends all sessions of these accounts, or the one with this id, and remembers that they did not just expire; false when there are none. */
export async function endSessions(
  sql: Sql,
  { accountIds, id }: { accountIds: readonly string[]; id?: string },
  now: Date,
): Promise<boolean> {
  const result = await sql`
    with gone as (
        delete from browser_session where account_id = any (${accountIds}::uuid[]) ${id === undefined ? sql`` : sql`and id = ${id}`}
        returning cookie_digest, account_id),
      forgotten as (
        delete from ended_session where ended_at <= ${now}::timestamptz - ${rememberedDays} * interval '1 day'
          or cookie_digest in (select cookie_digest from ended_session where account_id = any (${accountIds}::uuid[])
            order by ended_at desc, cookie_digest offset ${maxRemembered}))
    insert into ended_session (cookie_digest, account_id, ended_at) select cookie_digest, account_id, ${now}::timestamptz from gone`
  return result.count > 0
}

export async function selectWasEnded(sql: Sql, digest: Buffer): Promise<boolean> {
  const [row] = await sql`select from ended_session where cookie_digest = ${digest}`
  return row !== undefined
}
