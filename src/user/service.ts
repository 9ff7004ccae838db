// Creating and verifying accounts, and their passwords.
import { normalizeCode, recoveryKeyOf } from '../auth/codes.ts'
import { passwordWrong, requirePassword } from '../auth/own-password.service.ts'
import { hashSecret, hashSecrets, requireTime, verifySecret } from '../auth/passwords.ts'
import { endTokenIfWanted } from '../auth/service.ts'
import { endOtherSessions } from '../auth/sessions.service.ts'
import { claimFrom, countNewcomer, oneByOne, rememberAddress, uncountNewcomer } from '../auth/throttle.service.ts'
import type { Claim, Lane } from '../auth/turns.ts'
import type { Ctx, OpenCtx, Tx } from '../core/work/ctx.ts'
import { AppError, badRequest, conflict, forbidden, tooManyRequests, unauthorized } from '../core/base/errors.ts'
import type { RateRule } from '../core/work/rate-limit.ts'
import { atLeast, requireCreator, type Viewer } from '../core/base/viewer.ts'
import { inDialect } from '../text/dialect.ts'
import { settingsOf } from '../settings/channel.ts'
import { userTopic } from '../accounts/events.ts'
import {
  bindCode,
  hasHigherAccount,
  insertAccount,
  lockPerson,
  replacePasswordHash,
  selectCode,
  selectCodeOf,
  selectCreated,
  updateRecoveryKey,
  usernameTaken,
  verifyPerson,
} from './queries.ts'
import type { AddedUserData, CreatedUserData, CurrentUserData, RecoveryKeyData, UserCreateData, UserPasswordData } from './schemas.ts'

const nameTaken = () => conflict('username_taken', 'This username is taken. Choose another one.')
const codeBound = () => conflict('code_used', 'This registration code is in use already.')

/** Says who somebody is, in place of a registration code or beside it. */
export interface Voucher {
  /** Nothing else is needed. */
  isVerified: boolean
  /** To be done together with the new account. */
  andThen: (tx: Tx<Viewer | undefined>, accountId: string) => Promise<void>
}

/**
 * Creates a primary account: verified with a registration code, or where somebody vouches for it, unverified without. Does not log
 * in. A client that sends an Idempotency-Key does not know whether an earlier attempt has created it, and may ask for it again.
 */
export async function createUser(ctx: OpenCtx, wanted: UserCreateData, voucher?: Voucher): Promise<CreatedUserData> {
  const code = normalizeCode(wanted.verification ?? '')
  try {
    if (code !== '') return await createInvited(ctx, wanted, code, voucher)
    return voucher?.isVerified ? await createKnown(ctx, wanted, voucher) : await createNewcomer(ctx, wanted, voucher)
  } catch (refusal) {
    const isTaken = refusal instanceof AppError && refusal.status === 409
    const before = isTaken && ctx.head?.idempotencyKey ? await createdBefore(ctx, wanted) : undefined
    if (!before) throw refusal
    return before
  }
}

async function createNewcomer(ctx: OpenCtx, wanted: UserCreateData, voucher?: Voucher): Promise<CreatedUserData> {
  const { node, address } = ctx
  requireTime(claimFrom(address, 'newcomer'))
  await countNewcomer(node, address)
  if (await usernameTaken(ctx.sql, wanted.username)) throw nameTaken()
  return await createPrimary(ctx, wanted, { lane: 'newcomer', code: '', voucher }).catch(async (error: unknown) => {
    // Whoever is sent away to come again is counted when they do.
    if (error instanceof AppError && error.status === 429) await uncountNewcomer(node, address)
    throw error
  })
}

/** Whoever is vouched for waits among those who are known, as somebody with a code does. */
async function createKnown(ctx: OpenCtx, wanted: UserCreateData, voucher: Voucher): Promise<CreatedUserData> {
  if (await usernameTaken(ctx.sql, wanted.username)) throw nameTaken()
  return await createPrimary(ctx, wanted, { lane: 'known', code: '', voucher })
}

/**
 * Nobody else has a code that is free: it needs no other count, and a place before those who have none. Of many requests with one
 * code, the others do not even wait.
 */
async function createInvited(ctx: OpenCtx, wanted: UserCreateData, code: string, voucher?: Voucher): Promise<CreatedUserData> {
  return await oneByOne(`code ${code}`, claimFrom(ctx.address, 'known'), async () => {
    if (await usernameTaken(ctx.sql, wanted.username)) throw nameTaken()
    await requireFreeCode(ctx, code, ctx.address)
    return await createPrimary(ctx, wanted, { lane: 'known', code, voucher })
  })
}

async function createPrimary(
  ctx: OpenCtx,
  { username, password }: UserCreateData,
  { lane, code, voucher }: { lane: Lane; code: string; voucher: Voucher | undefined },
): Promise<CreatedUserData> {
  const id = ctx.node.random.uuid()
  const recoveryKey = recoveryKeyOf(ctx.node.tokenSecret, id, password)
  const [passwordHash, recoveryKeyHash] = (await hashSecrets([password, normalizeCode(recoveryKey)], claimFrom(ctx.address, lane))) as [
    string,
    string,
  ]
  const created = await ctx.transaction(async (tx) => {
    const level = code === '' && !voucher?.isVerified ? 'unverified' : 'verified'
    // It has done nothing yet: only lists of accounts show it.
    tx.changesPart(['account'], id)
    if (!(await insertAccount(tx.sql, { id, personId: id, username, level, passwordHash, recoveryKeyHash, now: tx.now }))) throw nameTaken()
    if (code !== '' && !(await bindCode(tx.sql, code, id))) throw codeBound()
    await voucher?.andThen(tx, id)
    tx.enqueue('webhook-event', { kind: 'user.created', at: tx.now, data: { userID: id } })
    return { userID: id, username, recoveryKey }
  })
  await rememberAddress(ctx.node, created.userID, ctx.address)
  return created
}

/** For so long an account may be asked for again. */
const repeatableMs = 60 * 60_000

/**
 * The answer to an attempt with the same name, password and code, which got lost on its way. The password is checked, and wrong ones
 * counted, as at a login. Undefined for everybody else.
 */
async function createdBefore(ctx: OpenCtx, { username, password, verification }: UserCreateData): Promise<CreatedUserData | undefined> {
  const { node, address } = ctx
  const known = await selectCreated(ctx.sql, username, new Date(ctx.nowMs - repeatableMs))
  if (known?.username !== username || !known.recoveryKeyHash || known.code !== normalizeCode(verification ?? '')) return undefined
  try {
    await node.authenticator.basic(node, username, password, address)
  } catch (error) {
    if (error instanceof AppError && error.status === 401) return undefined
    throw error
  }
  const recoveryKey = recoveryKeyOf(node.tokenSecret, known.id, password)
  const isTheirs = await verifySecret(known.recoveryKeyHash, normalizeCode(recoveryKey), claimFrom(address, 'known'))
  return isTheirs ? { userID: known.id, username: known.username, recoveryKey } : undefined
}

// Codes are short: trying them out must not be worth while, for one account or for one address.
const wrongCodes: RateRule = { name: 'wrong-code', points: 300, seconds: 600 }

async function requireFreeCode(ctx: OpenCtx, code: string, guesser: string): Promise<void> {
  const { rateLimiter } = ctx.node
  refuseGuessing(await rateLimiter.secondsToWait([[wrongCodes, guesser]]))
  const found = await selectCode(ctx.sql, code)
  if (found && found.personId === null) return
  refuseGuessing(await rateLimiter.take(wrongCodes, guesser))
  throw found ? codeBound() : badRequest('code_unknown', 'This registration code does not exist.')
}

function refuseGuessing(seconds: number): void {
  if (seconds > 0)
    throw tooManyRequests('too_many_attempts', `Too many wrong registration codes. Try again in ${seconds} seconds.`, seconds)
}

const claimOf = ({ viewer }: Ctx): Claim => ({ lane: 'known', from: viewer.personId })

/** Adds a sub-account to the caller's person. */
export async function addUser(ctx: Ctx, { username, password }: UserCreateData): Promise<AddedUserData> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const passwordHash = await hashSecret(password, claimOf(ctx))
  return await ctx.transaction(async (tx) => {
    const person = await lockPerson(tx.sql, ctx.viewer.personId)
    if (!person) throw unauthorized()
    // The person may have been banned while this request waited.
    if (!atLeast(person.level, 'verified')) throw forbidden('not_verified', 'Only verified users can create content.')
    if (person.subAccounts >= settingsOf(ctx.node).values.maxAlternateAccounts)
      throw badRequest('too_many_accounts', 'You have the maximum number of sub-accounts.')
    const id = ctx.node.random.uuid()
    const { recoveryKeyHash, tempQuarantineUntil } = person
    // Never higher: a moderator's other accounts are not moderators.
    if (
      !(await insertAccount(tx.sql, {
        id,
        personId: person.id,
        username,
        level: 'verified',
        passwordHash,
        recoveryKeyHash,
        tempQuarantineUntil,
        now: tx.now,
      }))
    )
      throw nameTaken()
    tx.enqueue('webhook-event', { kind: 'user.created', at: tx.now, data: { userID: id } })
    return { userID: id, username }
  })
}

/** The caller's account. Only a token or a session counts as being logged in. */
export function whoAmI({ node, viewer, head, sessionKey }: Ctx): CurrentUserData {
  const isLoggedIn = sessionKey !== '' || /^bearer /i.test(head?.authorization ?? '')
  return {
    userID: viewer.id,
    username: viewer.username,
    isLoggedIn,
    accessLevel: inDialect(node.config, viewer.level),
    roles: [...viewer.roles],
    ...(viewer.personId === viewer.id ? {} : { isSubAccount: true }),
    ...(viewer.withheldLevel ? { needsSecondFactor: true } : {}),
  }
}

/** Binds a registration code to the caller's person, which becomes verified. */
export async function verifyUser(ctx: Ctx, verification: string): Promise<void> {
  const { viewer } = ctx
  const code = normalizeCode(verification)
  if (viewer.level !== 'unverified' || (await selectCodeOf(ctx.sql, viewer.personId))) throw alreadyVerified()
  await requireFreeCode(ctx, code, viewer.id)
  await ctx.transaction(async (tx) => {
    const person = await lockPerson(tx.sql, viewer.personId)
    if (!person) throw unauthorized()
    if (person.code !== null) throw alreadyVerified()
    if (!(await bindCode(tx.sql, code, viewer.personId))) throw codeBound()
    for (const account of await verifyPerson(tx.sql, viewer.personId)) {
      // Who was unverified has written nothing: besides the person themselves, moderators and hosts are shown the level.
      tx.changesPart(['account'], account.id)
      tx.emitConfirmed(userTopic, account.id, { type: 'changed', account })
    }
  })
}

const alreadyVerified = () => badRequest('already_verified', 'This account is verified already.')

/** 403 for accounts whose password is not their users' to change. */
export function requireOwnPassword({ viewer }: Ctx): void {
  if (viewer.level === 'client') throw forbidden('account_fixed', 'The password of a client account cannot be changed.')
}

/** Changes the caller's password, and signs out all other browsers. */
export async function changePassword(ctx: Ctx, { currentPassword, newPassword, signOutApps }: UserPasswordData): Promise<void> {
  const { viewer } = ctx
  // A repetition is answered although the password that it gives was replaced by itself.
  if (await ctx.isRepetition()) return
  const before = await requirePassword(ctx, currentPassword)
  const after = await hashSecret(newPassword, claimOf(ctx))
  await ctx.transaction(async (tx) => {
    // No answer shows it.
    tx.changesUnshown('account')
    if (!(await replacePasswordHash(tx.sql, viewer.id, before, after))) throw passwordWrong()
    await endOtherSessions(tx, viewer.id, ctx.sessionKey)
    await endTokenIfWanted(tx, viewer.id, signOutApps)
    return { isChanged: true }
  })
}

/**
 * 403 for accounts that cannot make a recovery key. It opens all accounts of a person: whoever only knows the password of a
 * sub-account must not get into the others with it.
 */
export function requireKeeper(ctx: Ctx): void {
  requireOwnPassword(ctx)
  if (ctx.viewer.personId !== ctx.viewer.id)
    throw forbidden('primary_account_only', 'A recovery key is made in your first account. It opens all of them.')
}

/** Makes another recovery key, which ends the one before. Like every key it is kept as a hash alone. */
export async function replaceRecoveryKey(ctx: Ctx, currentPassword: string): Promise<RecoveryKeyData> {
  const { node, viewer } = ctx
  const passwordHash = await requirePassword(ctx, currentPassword)
  const madeOf = node.random.uuid()
  const keyMadeOf = (seed: string) => recoveryKeyOf(node.tokenSecret, viewer.id, seed)
  const recoveryKeyHash = await hashSecret(normalizeCode(keyMadeOf(madeOf)))
  const made = await ctx.transaction(async (tx) => {
    // No answer shows it.
    tx.changesUnshown('account')
    // A sub-account that is added meanwhile gets the key that is in force then.
    if (!(await lockPerson(tx.sql, viewer.personId))) throw unauthorized()
    if (await hasHigherAccount(tx.sql, viewer.personId, viewer.level))
      throw forbidden('level_too_low', 'One of your accounts has a higher access level than this one. Ask an admin for help.')
    if (!(await updateRecoveryKey(tx.sql, viewer.personId, { passwordHash, recoveryKeyHash }))) throw passwordWrong()
    // Kept for a repetition, which gets the same words; without the secret of the servers nobody can make them of it.
    return { madeOf }
  })
  return { recoveryKey: keyMadeOf(made.madeOf) }
}
