// Login, logout and recovery.
import type { Ctx, Node, OpenCtx, Tx } from '../core/ctx.ts'
import { badRequest, conflict, forbidden, tooManyRequests } from '../core/errors.ts'
import type { RateRule } from '../core/http/rate-limit.ts'
import type { Viewer } from '../core/viewer.ts'
import { userTopic } from '../accounts/events.ts'
import { usernameKey } from '../text/usernames.ts'
import { normalizeCode } from './codes.ts'
import { hashSecret, verifyNothing, verifySecret } from './passwords.ts'
import {
  countNothing,
  countRecoveryFailure,
  lockToken,
  markCodeUsed,
  selectForRecovery,
  uncountRecoveryFailure,
  updateRecovered,
  updateToken,
  type RecoveryRow,
  type TokenRow,
} from './queries.ts'
import type { TokenStringData, UserRecoveryData } from './schemas.ts'
import { rememberAddress } from './throttle.service.ts'
import { deriveToken, tokenDigest } from './tokens.ts'

/** Gives out the account's token: the one its other devices have, or a new one. */
export async function login(ctx: Ctx): Promise<TokenStringData> {
  return await ctx.transaction((tx) => giveToken(tx, ctx.viewer.id))
}

async function giveToken(tx: Tx<Viewer | undefined>, accountId: string): Promise<TokenStringData> {
  const account = await lockToken(tx.sql, accountId)
  if (!account || account.level === 'banned') throw forbidden('This account is banned.')
  const { id: userID, level: accessLevel } = account
  return { userID, accessLevel, token: existingToken(tx.ctx.node, account) ?? (await newToken(tx, account)) }
}

/** Undefined also when the secret has changed since: nobody can use the old token any more. */
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

/** Ends the account's token on all its devices. */
export async function logout(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await lockToken(tx.sql, ctx.viewer.id)
    if (!row?.tokenDigest) throw conflict('This account is not logged in.')
    const { tokenNonce: _nonce, tokenDigest: _digest, ...account } = row
    await updateToken(tx.sql, account.id, null, null)
    tx.emitConfirmed(userTopic, account.id, { type: 'loggedOut' })
    // A login elsewhere may have overtaken the event: what is true now is read again.
    tx.emitConfirmed(userTopic, account.id, { type: 'changed', account })
  })
}

/** Successive failures after which an account can no longer be recovered by its owner alone. */
const maxFailures = 5
const failuresFromOneAddress: RateRule = { name: 'recovery-address', points: 10, seconds: 600 }
const noMatch = () => badRequest('The username and the recovery key, registration code or password do not match.')
const codeUsed = () => badRequest('This registration code was used for recovery before. Please use your recovery key.')

/** Sets a new password for somebody who forgot it, and logs in. */
export async function recover(ctx: OpenCtx, { username, recoveryKey, newPassword }: UserRecoveryData): Promise<TokenStringData> {
  const { node } = ctx
  const key = usernameKey(username)
  const throttled = `${key}|${ctx.address}`
  const seconds = await node.rateLimiter.secondsToWait(failuresFromOneAddress, throttled)
  if (seconds > 0) throw tooManyRequests('Too many failed recoveries for this account. Please wait before you try again.', seconds)

  const account = await selectForRecovery(ctx.sql, key)
  if (account?.level === 'banned') throw forbidden('This account is banned.')
  if (account && account.recoveryFailures >= maxFailures) throw locked()
  const code = account?.code && normalizeCode(recoveryKey) === account.code ? account.code : undefined
  if (code && account?.codeUsedForRecovery) throw codeUsed()

  if (!code && !(await isCredential(ctx, account, recoveryKey))) {
    await node.rateLimiter.take(failuresFromOneAddress, throttled)
    throw noMatch()
  }
  if (!account) throw noMatch()
  const passwordHash = await hashSecret(newPassword)
  const token = await ctx.transaction(async (tx) => {
    const answer = await giveToken(tx, account.id)
    if (code && !(await markCodeUsed(tx.sql, code, account.personId))) throw codeUsed()
    await updateRecovered(tx.sql, account.id, passwordHash)
    return answer
  })
  await rememberAddress(node, account.personId, ctx.address)
  return token
}

const locked = () => forbidden('Recovery of this account has failed too often. Please ask the service team.')

/**
 * True for the password and for the recovery key of the account. Takes equally long for unknown names.
 *
 * The attempt counts as failed before it is judged: many at once must not be more than five guesses.
 */
async function isCredential(ctx: OpenCtx, account: RecoveryRow | undefined, credential: string): Promise<boolean> {
  if (!account) await countNothing(ctx.sql)
  else if (!(await countRecoveryFailure(ctx.sql, account.id, maxFailures))) throw locked()
  let failed = false
  try {
    const right =
      (await isSecretOf(account?.passwordHash, credential)) || (await isSecretOf(account?.recoveryKeyHash, normalizeCode(credential)))
    failed = !right
    return right
  } finally {
    if (account && !failed) await uncountRecoveryFailure(ctx.sql, account.id)
  }
}

function isSecretOf(stored: string | null | undefined, secret: string): Promise<boolean> {
  return stored ? verifySecret(stored, secret) : verifyNothing(secret)
}
