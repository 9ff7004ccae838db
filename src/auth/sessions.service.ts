// Sessions of browsers, beside the one token of an account: beginning, listing and ending them.
import { endSessionOnPurpose, endSessionsOf, wasEndedOnPurpose } from '../accounts/ended-sessions.service.ts'
import { userTopic } from '../accounts/events.ts'
import { Ctx, type Node, type OpenCtx, type Tx } from '../core/work/ctx.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import {
  cookieHeader,
  endedCookieHeader,
  isFromOwnPage,
  mayRead,
  sessionKeyIn,
  sessionKeyOf,
  type CookieKind,
} from '../core/http/own-page.ts'
import { Reply, type ReplyStatus } from '../core/http/route.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { jsonText } from '../core/base/json-text.ts'
import { settingsOf } from '../settings/channel.ts'
import { deviceOf } from './devices.ts'
import type { SessionEndData, SessionListData } from './schemas.ts'
import { deleteOtherSessions, deleteSessionOf, deleteStaleSessions, insertSession, selectSessions, updateSeen } from './sessions.queries.ts'

const dayMs = 24 * 60 * 60_000
/** Without any use a session ends after so long. However much it is used, it ends when the host's setting says so. */
const lifetimeMs = 30 * dayMs
/** Use is noted this often. */
const seenEveryMs = 60 * 60_000
/** Browsers in which one account can be signed in at once. */
const maxSessions = 50

export const digestOf = (sessionKey: string): Buffer => Buffer.from(sessionKey, 'base64')

/**
 * Whether the client wants a session in a cookie instead of a token.
 *
 * @throws AppError 403 when it does, and is no page of this server.
 */
export function wantsCookie({ node, head }: OpenCtx): boolean {
  if (head?.session !== 'cookie') return false
  if (!isFromOwnPage(node.config, head)) throw forbidden('origin_foreign', 'This request does not come from a page of this server.')
  return true
}

/** Begins a session, in place of the one that the browser has, and returns its cookie. */
export async function beginSession(tx: Tx<Viewer | undefined>, accountId: string, kind: CookieKind): Promise<string> {
  const { node, head } = tx.ctx
  const replaced = head && sessionKeyIn(node.config, head)
  if (replaced !== undefined) await endSessionOf(tx, replaced)
  const cookie = node.random.bytes(32).toString('base64url')
  await insertSession(tx.sql, {
    id: node.random.uuid(),
    accountId,
    digest: digestOf(sessionKeyOf(cookie, kind)),
    device: deviceOf(head?.userAgent ?? ''),
    now: tx.now,
    expiresAt: new Date(tx.now.getTime() + lifetimeMs),
  })
  await deleteStaleSessions(tx.sql, accountId, { kept: maxSessions, now: tx.now, since: startOfValid(node) })
  tx.emitConfirmed(userTopic, accountId, { type: 'sessionsChanged' })
  return cookie
}

/** An answer that gives the browser its session. */
export function replyWithCookie<T extends object = never>(
  { node, head }: OpenCtx,
  status: ReplyStatus,
  cookie: string,
  body?: T,
  { kind = 'own', more = {} }: { kind?: CookieKind; more?: Readonly<Record<string, string>> } = {},
): Reply<T> {
  const headers: Record<string, string> = { 'Cache-Control': 'no-store', ...more }
  if (head) headers['Set-Cookie'] = cookieHeader(node.config, head, cookie, kind)
  return new Reply(status, body && jsonText(body), headers)
}

/** An answer without a body that takes the session from the browser. */
export function replyWithoutCookie({ node, head, sessionKey }: Ctx): Reply {
  return new Reply(204, undefined, head && sessionKey !== '' ? { 'Set-Cookie': endedCookieHeader(node.config, head) } : {})
}

/** The caller's browsers, and whether there are apps that are signed in. */
export async function listSessions(ctx: Ctx, appsSignedIn: boolean): Promise<SessionListData> {
  const rows = await selectSessions(ctx.sql, ctx.viewer.id, {
    digest: digestOf(ctx.sessionKey),
    now: new Date(ctx.nowMs),
    since: startOfValid(ctx.node),
  })
  return { sessions: rows.map(({ id, ...session }) => ({ sessionID: id, ...session })), appsSignedIn }
}

/** Ends one of the caller's sessions, of a browser or a program, and closes its sockets. */
export async function endSession(ctx: Ctx, sessionId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    if (!(await endSessionOnPurpose(tx, ctx.viewer.id, sessionId))) throw notAvailable('session')
    tx.emitConfirmed(userTopic, ctx.viewer.id, { type: 'sessionsChanged' })
  })
}

/** Signs the caller's own browser out. */
export async function endOwnSession(ctx: Ctx): Promise<void> {
  await ctx.transaction((tx) => endSessionOf(tx, ctx.sessionKey))
}

async function endSessionOf(tx: Tx<Viewer | undefined>, sessionKey: string): Promise<void> {
  const accountId = await deleteSessionOf(tx.sql, digestOf(sessionKey))
  if (accountId !== undefined) tx.emitConfirmed(userTopic, accountId, { type: 'sessionsChanged' })
}

/** Signs an account out of all browsers but the one with this key, if there is one. */
export async function endOtherSessions(tx: Tx<Viewer | undefined>, accountId: string, sessionKey = ''): Promise<void> {
  if (await deleteOtherSessions(tx.sql, accountId, digestOf(sessionKey)))
    tx.emitConfirmed(userTopic, accountId, { type: 'sessionsChanged' })
}

/** Signs an account out of all browsers on purpose: these are to forget what they keep of it. */
export async function signOutBrowsers(tx: Tx, accountId: string): Promise<void> {
  if (await endSessionsOf(tx, [accountId])) tx.emitConfirmed(userTopic, accountId, { type: 'sessionsChanged' })
}

/** Why the session of the browser that asks is over. */
export async function sessionEnd({ node, head, sql }: OpenCtx): Promise<SessionEndData> {
  const key = head && mayRead(node.config, head) ? sessionKeyIn(node.config, head) : undefined
  return { isSignedOut: key !== undefined && (await wasEndedOnPurpose(sql, digestOf(key))) }
}

/** Sessions that began at this moment or before are over, however much they are used. */
export const startOfValid = (node: Node): Date => new Date(node.clock.now() - settingsOf(node).values.browserSessionDays * dayMs)

/** A session as a node keeps it in memory. */
interface UsedSession {
  readonly id: string
  readonly createdMs: number
  lastSeenMs: number
  expiresMs: number
  /** Of a program: null for a browser. */
  readonly scope: string | null
}

/** True for a session that was not used for too long, or that has reached its absolute end. */
export function isOver(node: Node, { expiresMs, createdMs, scope }: UsedSession): boolean {
  const now = node.clock.now()
  if (scope !== null) return expiresMs <= now
  return expiresMs <= now || createdMs + settingsOf(node).values.browserSessionDays * dayMs <= now
}

/** Keeps a session from expiring. Nobody waits for it. */
export function noteUse(node: Node, session: UsedSession): void {
  const now = node.clock.now()
  if (now - session.lastSeenMs < seenEveryMs) return
  session.lastSeenMs = now
  // The end of a program's token is the one that somebody has chosen.
  if (session.scope === null) session.expiresMs = now + lifetimeMs
  new Ctx(node, undefined, { requestId: 'session', log: node.log })
    .markSeen(undefined, (tx) => {
      tx.changesPart(['browser_session'], session.id, { confirmed: false })
      return updateSeen(tx.sql, session.id, tx.now, new Date(session.expiresMs))
    })
    .catch((error: unknown) => node.log.warn({ err: error }, 'the use of a session could not be noted'))
}
