// Login, logout and recovery.
import { createHmac } from 'node:crypto'
import type { Ctx, Node, OpenCtx, Tx } from '../core/work/ctx.ts'
import { AppError, attempted, badRequest, conflict, forbidden, unauthorized, type Attempt } from '../core/base/errors.ts'
import type { CookieKind } from '../core/http/own-page.ts'
import type { Reply } from '../core/http/route.ts'
import { atLeast, type Viewer } from '../core/base/viewer.ts'
import { userTopic } from '../accounts/events.ts'
import type { UserHeader } from '../accounts/schemas.ts'
import { settingsOf } from '../settings/channel.ts'
import { inDialect } from '../text/dialect.ts'
import { usernameKey } from '../text/usernames.ts'
import { audit, auditBy } from '../moderation/audit.service.ts'
import { looksLikeCode, normalizeCode } from './codes.ts'
import { deviceOf } from './devices.ts'
import { requireCode } from './factor-code.service.ts'
import { findRight, hashSecret, isOutdated, type Guess } from './passwords.ts'
import {
  countRecoveryFailure,
  lockToken,
  markCodeUsed,
  selectForRecovery,
  selectOwnerOfCode,
  selectHasToken,
  uncountRecoveryFailure,
  updateRecovered,
  updateRecoveryKeyHash,
  updateToken,
  type FailureCounter,
  type RecoveryRow,
  type TokenRow,
} from './queries.ts'
import { splitCode } from './second-factor.ts'
import type { SessionListData, TokenStringData, UsernameQueryData, UserRecoveryData } from './schemas.ts'
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
import { claimFrom, countFailedRecovery, rememberAddress, requireRecoveries } from './throttle.service.ts'
import { deriveToken, tokenDigest } from './tokens.ts'

/** Gives out the account's token: the one its other devices have, or a new one. A page gets a cookie instead. */
export async function login(ctx: Ctx): Promise<TokenStringData | Reply<TokenStringData>> {
  const inCookie = wantsCookie(ctx) && 'own'
  return answerOf(ctx, await signInWith(ctx, ctx.viewer.id, { inCookie, with: 'password' }))
}

/** Signs a browser in whose user has just shown their password, and returns its cookie. */
export async function beginBrowserSession(ctx: Ctx, kind: CookieKind): Promise<string> {
  return (await signInWith(ctx, ctx.viewer.id, { inCookie: kind, with: 'password' })).cookie as string
}

/**
 * Signs in as somebody who has shown what `credential` says.
 *
 * @param headers further ones of an answer with a cookie.
 * @param first what has to be done, or refused, together with it.
 */
export async function signInAs(
  ctx: OpenCtx,
  accountId: string,
  credential: 'password' | 'identity' | 'passkey',
  headers: Readonly<Record<string, string>>,
  first: (tx: Tx<Viewer | undefined>) => Promise<void>,
): Promise<TokenStringData | Reply<TokenStringData>> {
  const inCookie = wantsCookie(ctx) && 'own'
  return answerOf(ctx, await signInWith(ctx, accountId, { inCookie, with: credential }, first), headers)
}

function signInWith(
  ctx: OpenCtx,
  accountId: string,
  options: SignInOptions,
  first?: (tx: Tx<Viewer | undefined>) => Promise<void>,
): Promise<SignedIn> {
  return signedIn(ctx, async (tx) => {
    changesCredentialsAlone(tx)
    await first?.(tx)
    return await signIn(tx, accountId, options)
  })
}

/** Signs somebody in, and says so in the log. */
async function signedIn(ctx: OpenCtx, work: (tx: Tx<Viewer | undefined>) => Promise<SignedIn>): Promise<SignedIn> {
  const done = await ctx.transaction(work)
  const { requestId, address } = ctx
  ctx.node.accessLog.note('signedIn', { requestId, accountID: done.answer.userID, username: done.username, address })
  return done
}

/**
 * Everybody signs in on the first day, when all look around: answers that show accounts stay. Whether an app is signed in
 * is shown to its owner, who has it from the user's channel; passwords, and how often a recovery has failed, to nobody.
 */
const changesCredentialsAlone = (tx: Tx<Viewer | undefined>): void => tx.changesUnshown('account')

interface SignedIn {
  username: string
  answer: TokenStringData
  cookie?: string
}

/** What somebody has shown in order to sign in. */
type Credential = 'password' | 'identity' | 'passkey' | 'registrationCode' | 'recoveryKeyOrPassword'

interface SignInOptions {
  /** False: a token in place of a cookie. */
  inCookie: CookieKind | false
  /** What somebody has shown for it. */
  with: Credential
}

async function signIn(tx: Tx<Viewer | undefined>, accountId: string, { inCookie, with: shown }: SignInOptions): Promise<SignedIn> {
  const account = await lockToken(tx.sql, accountId)
  // Deleted while the password was checked.
  if (!account) throw unauthorized()
  if (account.level === 'banned') throw forbidden('banned', 'This account is banned.')
  await auditSignIn(tx, account, { inCookie, with: shown })
  const { username } = account
  const answer = { userID: account.id, accessLevel: inDialect(tx.ctx.node.config, account.level) }
  if (inCookie) return { username, answer, cookie: await beginSession(tx, accountId, inCookie) }
  return { username, answer: { ...answer, token: existingToken(tx.ctx.node, account) ?? (await newToken(tx, account)) } }
}

/**
 * Everybody's recoveries, and the sign-ins of the team. Those of all others are in the log alone: where they sign in from is
 * nothing to keep for good, and they would hide the team's.
 */
async function auditSignIn(tx: Tx<Viewer | undefined>, { id, level }: TokenRow, { inCookie, with: shown }: SignInOptions): Promise<void> {
  const isRecovery = shown === 'registrationCode' || shown === 'recoveryKeyOrPassword'
  if (!isRecovery && !atLeast(level, 'moderator')) return
  const { address, head } = tx.ctx
  await auditBy(tx, id, {
    action: isRecovery ? 'recover' : 'signIn',
    subject: { type: 'user', id },
    userId: id,
    details: { with: shown, device: inCookie ? deviceOf(head?.userAgent ?? '') : 'app', address },
  })
}

const answerOf = (
  ctx: OpenCtx,
  { answer, cookie }: SignedIn,
  more: Readonly<Record<string, string>> = {},
): TokenStringData | Reply<TokenStringData> => (cookie === undefined ? answer : replyWithCookie(ctx, 200, cookie, answer, { more }))

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

/** Ends what apps are signed in with; false when none was. */
export async function endToken(tx: Tx<Viewer | undefined>, accountId: string): Promise<boolean> {
  const row = await lockToken(tx.sql, accountId)
  if (!row?.tokenDigest) return false
  const { tokenNonce: _nonce, tokenDigest: _digest, ...account } = row
  changesCredentialsAlone(tx)
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
const notByCode = () =>
  forbidden('recovery_by_code_refused', 'Accounts of the team are recovered with the recovery key or the old password, not with the code.')
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
  const inCookie = wantsCookie(ctx) && 'own'
  await requireRecoveries(node, ctx.address)
  const key = usernameKey(username)
  const counter: FailureCounter = { key, bucket: bucketOf(node, key) }
  const account = await selectForRecovery(ctx.sql, counter)
  const named = knownOf(account)
  if (account.recoveryFailures >= maxFailures) throw attempted(locked(), named)
  const given = givenTo(account, recoveryKey)
  const byCode = given.find(({ credential }) => account.code && normalizeCode(credential) === account.code)
  const code = byCode && account.code
  // Others can read their codes: with one, nobody shall get a right that they do not have.
  if (code && account.isOfTeam) throw attempted(notByCode(), named)
  if (code && account.codeUsedForRecovery) {
    if (!ctx.head?.idempotencyKey) throw attempted(codeUsed(), named)
    return await recoveredBefore(ctx, username, newPassword, inCookie)
  }

  const right = byCode ?? (await findCredential(ctx, account, counter, given))
  const { id, personId } = account
  if (!right || !named || id === null || personId === null) {
    await countFailedRecovery(node, ctx.address)
    throw attempted(noMatch(), named)
  }
  await requireCode(node, { ...named, factor: account.factor }, right.factorCode, badRequest)
  const passwordHash = await hashSecret(newPassword, claimFrom(ctx.address, 'known'))
  const done = await signedIn(ctx, async (tx) => {
    changesCredentialsAlone(tx)
    await endOtherSessions(tx, id)
    await endTokenIfWanted(tx, id, signOutApps)
    const answer = await signIn(tx, id, { inCookie, with: code ? 'registrationCode' : 'recoveryKeyOrPassword' })
    if (code && !(await markCodeUsed(tx.sql, code, personId))) throw codeUsed()
    await updateRecovered(tx.sql, id, passwordHash)
    return answer
  })
  await rememberAddress(node, personId, ctx.address)
  return answerOf(ctx, done)
}

/** Logs in with the new password: it is in force already when only the answer to the recovery was lost. */
async function recoveredBefore(
  ctx: OpenCtx,
  username: string,
  newPassword: string,
  inCookie: CookieKind | false,
): Promise<TokenStringData | Reply<TokenStringData>> {
  const { id } = await ctx.node.authenticator.basic(ctx.node, username, newPassword, ctx.address).catch((error: unknown) => {
    throw error instanceof AppError && error.status === 401 ? codeUsed() : error
  })
  return answerOf(ctx, await signInWith(ctx, id, { inCookie, with: 'password' }))
}

const noSuchCode = () => badRequest('recovery_failed', 'The registration code and the recovery key do not match.')

/**
 * The person with a registration code, for somebody who also has their recovery key or password.
 * The team and account managers need the code alone.
 */
export async function findUsername(ctx: OpenCtx, { registrationCode, recoveryKey }: UsernameQueryData): Promise<UserHeader> {
  const { node, viewer } = ctx
  const code = normalizeCode(registrationCode)
  const atDesk = viewer && (atLeast(viewer.level, 'serviceteam') || viewer.roles.has('accountmanager'))
  if (!atDesk) await requireRecoveries(node, ctx.address)
  const owner = looksLikeCode(code) ? await selectOwnerOfCode(ctx.sql, code) : undefined
  if (atDesk) {
    if (!owner) throw badRequest('code_unknown', 'Nobody has this registration code.')
    await (ctx as Ctx).transaction((tx) => audit(tx, { action: 'findUsername', subject: { type: 'user', id: owner.id }, userId: owner.id }))
    return await headerOfOwner(node, owner)
  }
  // Names have no spaces: unknown codes are counted like unknown names.
  const key = owner ? usernameKey(owner.username) : `code ${code}`.slice(0, 200)
  const counter: FailureCounter = { key, bucket: bucketOf(node, key) }
  const account = await selectForRecovery(ctx.sql, counter)
  if (account.recoveryFailures >= maxFailures) throw attempted(locked(), owner)
  if (!(await findCredential(ctx, account, counter, [{ credential: recoveryKey ?? '' }])) || !owner) {
    await countFailedRecovery(node, ctx.address)
    throw attempted(noSuchCode(), owner)
  }
  if (owner.level === 'banned') throw attempted(forbidden('banned', 'This account is banned.'), owner)
  return await headerOfOwner(node, owner)
}

async function headerOfOwner({ accounts }: Node, { id }: { id: string }): Promise<UserHeader> {
  await accounts.load([id])
  return accounts.get(id).header
}

/** The account that somebody has named, if there is one. */
const knownOf = ({ id, username }: RecoveryRow): Attempt['account'] => (id === null || username === null ? undefined : { id, username })

/** Failures of unknown names are counted in this many rows: enough that two names rarely share one. */
const buckets = 2 ** 20

const bucketOf = ({ tokenSecret }: Node, key: string): number =>
  createHmac('sha256', tokenSecret).update(`recovery ${key}`).digest().readUInt32BE(0) % buckets

const locked = () => forbidden('recovery_locked', 'Recovery of this account has failed too often. Ask the team for help.')

/** What somebody has typed in order to recover an account, with the code of its second factor where that stood behind it. */
interface Given {
  credential: string
  factorCode?: string
}

/** All that a text can mean. */
function givenTo({ factor }: RecoveryRow, text: string): Given[] {
  const split = factor ? splitCode(text) : undefined
  return [...(split ? [{ credential: split.before, factorCode: split.code }] : []), { credential: text }]
}

/**
 * The one of these that is the password or the recovery key of the account. Takes equally long for unknown names.
 *
 * The attempt counts as failed before it is checked: many at once must not be more than five guesses.
 */
async function findCredential(
  ctx: OpenCtx,
  account: RecoveryRow,
  counter: FailureCounter,
  given: readonly Given[],
): Promise<Given | undefined> {
  const isCounted = await ctx.statement((tx) => {
    changesCredentialsAlone(tx)
    return countRecoveryFailure(tx.sql, counter, maxFailures)
  })
  if (!isCounted) throw attempted(locked(), knownOf(account))
  let failed = false
  try {
    const byKey = given.map(({ credential }): Guess => [account.recoveryKeyHash, normalizeCode(credential)])
    const byPassword = given.map(({ credential }): Guess => [account.passwordHash, credential])
    const right = await findRight([...byPassword, ...byKey], claimFrom(ctx.address, 'stranger'))
    failed = !right
    if (!right) return undefined
    if (byKey.includes(right)) await renewRecoveryKey(ctx, account, right)
    return given[Math.max(byKey.indexOf(right), byPassword.indexOf(right))]
  } finally {
    if (!failed)
      await ctx.statement((tx) => {
        changesCredentialsAlone(tx)
        return uncountRecoveryFailure(tx.sql, counter)
      })
  }
}

/** A recovery key that came from elsewhere gets a hash as new ones have, for all accounts that share it. No answer shows a hash. */
async function renewRecoveryKey(ctx: OpenCtx, { personId }: RecoveryRow, [stored, key]: Guess): Promise<void> {
  if (!stored || personId === null || !isOutdated(stored)) return
  const renewed = await hashSecret(key)
  await ctx.statement((tx) => {
    changesCredentialsAlone(tx)
    return updateRecoveryKeyHash(tx.sql, personId, stored, renewed)
  })
}
