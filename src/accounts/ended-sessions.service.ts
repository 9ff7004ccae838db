// Ending browser sessions on purpose, for every folder that signs people out: each browser can hear of it later, and forgets what
// it keeps of the account. Events are the caller's.
import type { Tx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { endSessions, selectWasEnded } from './ended-sessions.queries.ts'

/** Ends all sessions of these accounts; false when there are none. */
export async function endSessionsOf({ sql, now }: Tx<Viewer | undefined>, accountIds: readonly string[]): Promise<boolean> {
  return await endSessions(sql, { accountIds }, now)
}

/** Ends one session of an account; false when it has none with this id. */
export async function endSessionOnPurpose({ sql, now }: Tx<Viewer | undefined>, accountId: string, id: string): Promise<boolean> {
  return await endSessions(sql, { accountIds: [accountId], id }, now)
}

/** Whether the session with this cookie was ended on purpose. */
export async function wasEndedOnPurpose(sql: Sql, digest: Buffer): Promise<boolean> {
  return await selectWasEnded(sql, digest)
}
