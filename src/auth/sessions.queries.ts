// Statements about the sessions of browsers.
import type { Sql } from '../core/db/db.ts'

/** A browser that is signed in, as its user sees it. */
export interface SessionRow {
  id: string
  device: string
  createdAt: Date
  lastSeenAt: Date
  isCurrent: boolean
}

export interface NewSession {
  id: string
  accountId: string
  digest: Buffer
  device: string
  now: Date
  expiresAt: Date
  /** Of a program. */
  scope?: 'all' | 'read'
}

export async function insertSession(sql: Sql, { id, accountId, digest, device, now, expiresAt, scope }: NewSession): Promise<void> {
  await sql`
    insert into browser_session (id, account_id, cookie_digest, device, created_at, last_seen_at, expires_at, scope)
    values (${id}, ${accountId}, ${digest}, ${device}, ${now}, ${now}, ${expiresAt}, ${scope ?? null})`
}

/** Forgets what has expired, browsers older than `since`, and all but the latest browsers of an account. */
export async function deleteStaleSessions(
  sql: Sql,
  accountId: string,
  { kept, now, since }: { kept: number; now: Date; since: Date },
): Promise<void> {
  await sql`
    delete from browser_session where expires_at <= ${now} or (created_at <= ${since} and scope is null)
      or id in (select id from browser_session where account_id = ${accountId} and scope is null order by last_seen_at desc, created_at desc,
        id offset ${kept})`
}

/** An account's browsers that were signed in after `since`, the latest first; `digest` is the caller's own. */
export async function selectSessions(
  sql: Sql,
  accountId: string,
  { digest, now, since }: { digest: Buffer; now: Date; since: Date },
): Promise<SessionRow[]> {
  return await sql<SessionRow[]>`
    select id, device, created_at, last_seen_at, cookie_digest = ${digest} as is_current
    from browser_session where account_id = ${accountId} and expires_at > ${now} and created_at > ${since} and scope is null
    order by last_seen_at desc, created_at desc, id`
}

/** A program with a token of its own. */
export interface ProgramRow {
  id: string
  device: string
  scope: 'all' | 'read'
  createdAt: Date
  lastSeenAt: Date
  expiresAt: Date
}

/** An account's programs, the latest first. */
export async function selectPrograms(sql: Sql, accountId: string, now: Date): Promise<ProgramRow[]> {
  return await sql<ProgramRow[]>`
    select id, device, scope, created_at, last_seen_at, expires_at from browser_session
    where account_id = ${accountId} and expires_at > ${now} and scope is not null order by created_at desc, id`
}

/** Ends the session with this cookie; returns its account. */
export async function deleteSessionOf(sql: Sql, digest: Buffer): Promise<string | undefined> {
  const [row] = await sql<{ accountId: string }[]>`delete from browser_session where cookie_digest = ${digest} returning account_id`
  return row?.accountId
}

/** Ends all sessions of an account but the one with this cookie; true when there were any. */
export async function deleteOtherSessions(sql: Sql, accountId: string, digest: Buffer): Promise<boolean> {
  const result = await sql`delete from browser_session where account_id = ${accountId} and cookie_digest <> ${digest}`
  return result.count > 0
}

/** Notes that a session is in use, which keeps it from expiring. */
export async function updateSeen(sql: Sql, id: string, now: Date, expiresAt: Date): Promise<void> {
  // Nodes write on their own: an older use may come later.
  await sql`
    update browser_session set last_seen_at = greatest(last_seen_at, ${now}), expires_at = greatest(expires_at, ${expiresAt}) where id = ${id}`
}
