// Login, logout and recovery.
import { createHmac } from 'node:crypto'
import type { Ctx, Node, OpenCtx, Tx } from '../core/ctx.ts'
import { AppError, badRequest, conflict, forbidden, unauthorized } from '../core/errors.ts'
import type { Reply } from '../core/http/route.ts'
import { atLeast, type Viewer } from '../core/viewer.ts'
import { userTopic } from '../accounts/events.ts'
import { settingsOf } from '../settings/channel.ts'
import { inDialect } from '../text/dialect.ts'
import { usernameKey } from '../text/usernames.ts'
import { audit } from '../moderation/audit.service.ts'
import { looksLikeCode, normalizeCode } from './codes.ts'
import { hashSecret, verifyNothing, verifySecret } from './passwords.ts'
import {
  countRecoveryFailure,
  lockToken,
  markCodeUsed,
  selectForRecovery,
  selectOwnerOfCode,
  selectHasToken,
  uncountRecoveryFailure,
  updateRecovered,
  updateToken,
  type FailureCounter,
  type RecoveryRow,
  type TokenRow,
} from './queries.ts'
import type { SessionListData, TokenStringData, UsernameData, UsernameQueryData, UserRecoveryData } from './schemas.ts'
import {
  beginSession,
  endOtherSessions,
  endOwnSession,
  listSessions,
  replyWithCookie,
  replyWithoutCookie,
  signOutBrowsers,
  wantsCookie,
} from './sessions.service.ts'
import { countFailedRecovery, rememberAddress, requireRecoveries, strangerFrom } from './throttle.service.ts'
import { deriveToken, tokenDigest } from './tokens.ts'

/** Gives out the account's token: the one its other devices have, or a new one. A page gets a cookie instead. */
export async function login(ctx: Ctx): Promise<TokenStringData | Reply<TokenStringData>> {
  const inCookie = wantsCookie(ctx)
  return answerOf(
    ctx,
    await ctx.transaction((tx) => {
      changesTokenAlone(tx)
      return signIn(tx, ctx.viewer.id, inCookie)
    }),
  )
}

/**
 * Everybody signs in on the first day, when all look around: answers that show accounts stay. Whether an app is signed in
 * is shown to its owner, who has it from the user's channel.
 */
const changesTokenAlone = (tx: Tx<Viewer | undefined>): void => tx.changesUnshown('account')

interface SignedIn {
  answer: TokenStringData
  cookie?: string
}

async function signIn(tx: Tx<Viewer | undefined>, accountId: string, inCookie: boolean): Promise<SignedIn> {
  const account = await lockToken(tx.sql, accountId)
  // Deleted while the password was checked.
  if (!account) throw unauthorized()
  if (account.level === 'banned') throw forbidden('banned', 'This account is banned.')
  const answer = { userID: account.id, accessLevel: inDialect(tx.ctx.node.config, account.level) }
  if (inCookie) return { answer, cookie: await beginSession(tx, accountId) }
  return { answer: { ...answer, token: existingToken(tx.ctx.node, account) ?? (await newToken(tx, account)) } }
}

const answerOf = (ctx: OpenCtx, { answer, cookie }: SignedIn): TokenStringData | Reply<TokenStringData> =>
  cookie === undefined ? answer : replyWithCookie(ctx, 200, cookie, answer)

/** Undefined also when the secret has changed: the old token is of no use to anybody. */
function existingToken(node: Node, { id, tokenNonce, tokenDigest: stored }: TokenRow): string | undefined {
  if (!tokenNonce || !stored) return undefined
  const token = deriveToken(node.tokenSecret, id, tokenNonce)
  return stored.equals(tokenDigest(token)) ? token : undefined
}

async function newToken(tx: Tx<Viewer | undefined>, { tokenNonce: _nonce, tokenDigest: _digest, ...account }: TokenRow): Promise<string> {
  const { node } = tx.ctx
  const nonce = node.random.bytes(16)
  const token = deriveToken(node.tokenSecret, account.id, nonce)
  await updateToken(tx.sql, account.id, nonce, tokenDigest(token))
  tx.emitConfirmed(userTopic, account.id, { type: 'changed', account })
  return token
}

/** Ends the account's token on all its devices; in a browser, the session of that browser alone. */
export async function logout(ctx: Ctx): Promise<Reply> {
  if (ctx.sessionKey !== '') await endOwnSession(ctx)
  else
    await ctx.transaction(async (tx) => {
      if (!(await endToken(tx, ctx.viewer.id))) throw conflict('not_logged_in', 'This account is not logged in.')
    })
  return replyWithoutCookie(ctx)
}

/** Ends the account's token and all its browser sessions. */
export async function logoutEverywhere(ctx: Ctx): Promise<Reply> {
  await ctx.transaction(async (tx) => {
    await endToken(tx, ctx.viewer.id)
    await signOutBrowsers(tx, ctx.viewer.id)
  })
  return replyWithoutCookie(ctx)
}

/** A new password ends the token where somebody wants that: its person, or the host for everybody. */
export async function endTokenIfWanted(tx: Tx<Viewer | undefined>, accountId: string, signOutApps = false): Promise<void> {
  if (signOutApps || settingsOf(tx.ctx.node).values.newPasswordSignsOutApps) await endToken(tx, accountId)
}

/** False when there was none. */
async function endToken(tx: Tx<Viewer | undefined>, accountId: string): Promise<boolean> {
  const row = await lockToken(tx.sql, accountId)
  if (!row?.tokenDigest) return false
  const { tokenNonce: _nonce, tokenDigest: _digest, ...account } = row
  changesTokenAlone(tx)
  await updateToken(tx.sql, account.id, null, null)
  tx.emitConfirmed(userTopic, account.id, { type: 'loggedOut' })
  // A login elsewhere may have overtaken the event: what is true now is read again.
  tx.emitConfirmed(userTopic, account.id, { type: 'changed', account })
  return true
}

/** Where the caller is signed in. */
export async function listDevices(ctx: Ctx): Promise<SessionListData> {
  return await listSessions(ctx, await selectHasToken(ctx.sql, ctx.viewer.id))
}

/** Successive failures after which an account can no longer be recovered by its owner alone. */
const maxFailures = 5
const noMatch = () => badRequest('recovery_failed', 'The username and the recovery key, registration code or password do not match.')
const codeUsed = () => badRequest('code_used', 'This registration code was used for a recovery before. Use your recovery key.')

/**
 * Sets a new password for somebody who forgot it, signs all browsers out, and logs in. The recovery key stays, because apps could
 * not show another one. Names that nobody has are answered and counted as others are; a ban shows only after a right credential.
 */
export async function recover(
  ctx: OpenCtx,
  { username, recoveryKey, newPassword, signOutApps }: UserRecoveryData,
): Promise<TokenStringData | Reply<TokenStringData>> {
  const { node } = ctx
  const inCookie = wantsCookie(ctx)
  await requireRecoveries(node, ctx.address)
  const key = usernameKey(username)
  const counter: FailureCounter = { key, bucket: bucketOf(node, key) }
  const account = await selectForRecovery(ctx.sql, counter)
  if (account.recoveryFailures >= maxFailures) throw locked()
  const code = account.code && normalizeCode(recoveryKey) === account.code ? account.code : undefined
  if (code && account.codeUsedForRecovery) {
    if (!ctx.head?.idempotencyKey) throw codeUsed()
    return await recoveredBefore(ctx, username, newPassword, inCookie)
  }

  if (!code && !(await isCredential(ctx, account, counter, recoveryKey))) {
    await countFailedRecovery(node, ctx.address)
    throw noMatch()
  }
  const { id, personId } = account
  if (id === null || personId === null) throw noMatch()
  const passwordHash = await hashSecret(newPassword, strangerFrom(ctx.address))
  const signedIn = await ctx.transaction(async (tx) => {
    await endOtherSessions(tx, id)
    await endTokenIfWanted(tx, id, signOutApps)
    const answer = await signIn(tx, id, inCookie)
    if (code && !(await markCodeUsed(tx.sql, code, personId))) throw codeUsed()
    await updateRecovered(tx.sql, id, passwordHash)
    return answer
  })
  await rememberAddress(node, personId, ctx.address)
  return answerOf(ctx, signedIn)
}

/** Logs in with the new password: it is in force already when only the answer to the recovery was lost. */
async function recoveredBefore(
  ctx: OpenCtx,
  username: string,
  newPassword: string,
  inCookie: boolean,
): Promise<TokenStringData | Reply<TokenStringData>> {
  const { id } = await ctx.node.authenticator.basic(ctx.node, username, newPassword, ctx.address).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 401 ? codeUsed() : error
  })
  return answerOf(ctx, await ctx.transaction((tx) => signIn(tx, id, inCookie)))
}

const noSuchCode = () => badRequest('recovery_failed', 'The registration code and the recovery key do not match.')

/**
 * The name of the person with a registration code, for somebody who also has their recovery key or password.
 * The team and account managers need the code alone.
 */
export async function findUsername(ctx: OpenCtx, { registrationCode, recoveryKey }: UsernameQueryData): Promise<UsernameData> {
  const { node, viewer } = ctx
  const code = normalizeCode(registrationCode)
  const atDesk = viewer && (atLeast(viewer.level, 'serviceteam') || viewer.roles.has('accountmanager'))
  if (!atDesk) await requireRecoveries(node, ctx.address)
  const owner = looksLikeCode(code) ? await selectOwnerOfCode(ctx.sql, code) : undefined
  if (atDesk) {
    if (!owner) throw badRequest('code_unknown', 'Nobody has this registration code.')
    await (ctx as Ctx).transaction((tx) => audit(tx, { action: 'findUsername', subject: { type: 'user', id: owner.id }, userId: owner.id }))
    return { username: owner.username }
  }
  // Names have no spaces: unknown codes are counted like unknown names.
  const key = owner ? usernameKey(owner.username) : `code ${code}`.slice(0, 200)
  const counter: FailureCounter = { key, bucket: bucketOf(node, key) }
  const account = await selectForRecovery(ctx.sql, counter)
  if (account.recoveryFailures >= maxFailures) throw locked()
  if (!(await isCredential(ctx, account, counter, recoveryKey ?? '')) || !owner) {
    await countFailedRecovery(node, ctx.address)
    throw noSuchCode()
  }
  if (owner.level === 'banned') throw forbidden('banned', 'This account is banned.')
  return { username: owner.username }
}

/** Failures of unknown names are counted in this many rows: enough that two names rarely share one. */
const buckets = 2 ** 20

const bucketOf = ({ tokenSecret }: Node, key: string): number =>
  createHmac('sha256', tokenSecret).update(`recovery ${key}`).digest().readUInt32BE(0) % buckets

const locked = () => forbidden('recovery_locked', 'Recovery of this account has failed too often. Ask the team for help.')

/**
 * True for the password and for the recovery key of the account. Takes equally long for unknown names.
 *
 * The attempt counts as failed before it is checked: many at once must not be more than five guesses.
 */
async function isCredential(ctx: OpenCtx, account: RecoveryRow, counter: FailureCounter, credential: string): Promise<boolean> {
  if (!(await countRecoveryFailure(ctx.sql, counter, maxFailures))) throw locked()
  let failed = false
  try {
    const right =
      (await isSecretOf(ctx, account.passwordHash, credential)) ||
      (await isSecretOf(ctx, account.recoveryKeyHash, normalizeCode(credential)))
    failed = !right
    return right
  } finally {
    if (!failed) await uncountRecoveryFailure(ctx.sql, counter)
  }
}

function isSecretOf({ address }: OpenCtx, stored: string | null, secret: string): Promise<boolean> {
  return stored ? verifySecret(stored, secret, strangerFrom(address)) : verifyNothing(secret, strangerFrom(address))
}
