// The second factor of an account: setting it up and removing it.
import { userTopic } from '../accounts/events.ts'
import { badRequest, conflict, forbidden, notAvailable } from '../core/base/errors.ts'
import { atLeast } from '../core/base/viewer.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { audit } from '../moderation/audit.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { requireCode } from './factor-code.service.ts'
import { requirePassword } from './own-password.service.ts'
import type { FactorCodeData, PasswordAndCodeData, RecoveryCodesData, SecondFactorData, SecondFactorSetupData } from './schemas.ts'
import { areDigits, codeDigest, newSecret, recoveryCodesOf, sealSecret, setupOf, stepOf, unsealSecret } from './second-factor.ts'
import { confirmFactor, deleteFactor, selectFactor, updateRecoveryCodes, upsertPending } from './second-factor.queries.ts'
import { endToken } from './service.ts'
import { endOtherSessions } from './sessions.service.ts'

/** The caller's second factor. */
export async function getFactor(ctx: Ctx): Promise<SecondFactorData> {
  const row = await selectFactor(ctx.sql, ctx.viewer.id)
  const { level, withheldLevel } = ctx.viewer
  return {
    isOn: Boolean(row?.confirmedAt),
    isNeeded: settingsOf(ctx.node).values.teamSecondFactor && atLeast(withheldLevel ?? level, 'moderator'),
    ...(row?.confirmedAt ? { confirmedAt: row.confirmedAt } : {}),
    recoveryCodesLeft: row?.recoveryCodes ?? 0,
  }
}

/** 403 for accounts that cannot have a second factor, and for programs: one that was stolen would lock its owner out. */
export function requirePerson({ viewer, head }: Ctx): void {
  if (viewer.level === 'client') throw forbidden('account_fixed', 'A client account cannot have a second factor.')
  if (head?.isProgram) throw forbidden('program_refused', 'A program cannot change the second factor. Do it in the browser.')
}

const isOnAlready = () => conflict('second_factor_on', 'This account has a second factor already. Remove it first.')

/** Makes the secret of a second factor, which counts for nothing until its digits were shown. */
export async function setUpFactor(ctx: Ctx, currentPassword: string): Promise<SecondFactorSetupData> {
  await requirePassword(ctx, currentPassword)
  const { node, viewer } = ctx
  const secret = newSecret()
  const isKept = await ctx.statement((tx) => {
    tx.changesUnshown('second_factor')
    return upsertPending(tx.sql, viewer.id, sealSecret(node.tokenSecret, viewer.id, secret))
  })
  if (!isKept) throw isOnAlready()
  return setupOf(secret, viewer.username)
}

/** Puts it in force, and signs the account out everywhere else: nothing that was signed in without it goes on. */
export async function confirmOwnFactor(ctx: Ctx, { code }: FactorCodeData): Promise<RecoveryCodesData> {
  const { viewer } = ctx
  const pending = (await ctx.isRepetition()) ? undefined : await pendingOf(ctx, code)
  return await withNewCodes(ctx, 'setSecondFactor', async (tx, recoveryCodes) => {
    if (!pending || !(await confirmFactor(tx.sql, viewer.id, { ...pending, recoveryCodes, now: tx.now }))) throw isOnAlready()
    await endOtherSessions(tx, viewer.id, ctx.sessionKey)
    await endToken(tx, viewer.id)
    // Its rights may depend on it.
    tx.emitConfirmed(userTopic, viewer.id, { type: 'sessionsChanged' })
  })
}

async function pendingOf({ node, viewer, sql, nowMs }: Ctx, code: string): Promise<{ secret: Buffer; step: number }> {
  const row = await selectFactor(sql, viewer.id)
  if (row?.confirmedAt) throw isOnAlready()
  if (!row) throw notAvailable('second factor')
  const step = areDigits(code) ? stepOf(unsealSecret(node.tokenSecret, viewer.id, row.secret), code, nowMs) : undefined
  if (step === undefined)
    throw badRequest(
      'second_factor_wrong',
      'The digits are wrong. Type those that the app shows now, and see that the phone has the right time.',
    )
  return { secret: row.secret, step }
}

/** Other codes in place of those that were used up, or may have been seen. */
export async function replaceRecoveryCodes(ctx: Ctx, shown: PasswordAndCodeData): Promise<RecoveryCodesData> {
  if (!(await ctx.isRepetition())) await requireBoth(ctx, shown)
  return await withNewCodes(ctx, 'replaceRecoveryCodes', async (tx, recoveryCodes) => {
    tx.changesUnshown('second_factor')
    if (!(await updateRecoveryCodes(tx.sql, ctx.viewer.id, recoveryCodes))) throw notAvailable('second factor')
  })
}

async function withNewCodes(
  ctx: Ctx,
  action: 'setSecondFactor' | 'replaceRecoveryCodes',
  store: (tx: Tx, digests: readonly Buffer[]) => Promise<void>,
): Promise<RecoveryCodesData> {
  const { tokenSecret, random } = ctx.node
  const { id } = ctx.viewer
  const madeOf = random.uuid()
  const made = await ctx.transaction(async (tx) => {
    await store(
      tx,
      recoveryCodesOf(tokenSecret, id, madeOf).map((code) => codeDigest(tokenSecret, id, code)),
    )
    await audit(tx, { action, subject: { type: 'user', id }, userId: id })
    // Kept for a repetition, which gets the same codes; without the secret of the servers nobody can make them of it.
    return { madeOf }
  })
  return { recoveryCodes: recoveryCodesOf(tokenSecret, id, made.madeOf) }
}

/** Removes the caller's second factor. */
export async function removeOwnFactor(ctx: Ctx, shown: PasswordAndCodeData): Promise<void> {
  await requireBoth(ctx, shown)
  await ctx.transaction((tx) => removeFactor(tx, ctx.viewer.id))
}

/** Removes an account's second factor; it is signed in with the password alone from then on. */
export async function removeFactor(tx: Tx, accountId: string): Promise<void> {
  if (!(await deleteFactor(tx.sql, accountId))) throw notAvailable('second factor')
  tx.emitConfirmed(userTopic, accountId, { type: 'sessionsChanged' })
  await audit(tx, { action: 'removeSecondFactor', subject: { type: 'user', id: accountId }, userId: accountId })
}

async function requireBoth(ctx: Ctx, shown: PasswordAndCodeData): Promise<void> {
  if (!(await requireOwner(ctx, shown))) throw notAvailable('second factor')
}

/**
 * Asks for the caller's password, and for the code of their second factor where they have one: that is what it returns.
 *
 * @throws AppError 400 when either is wrong; 429 after too many failures.
 */
export async function requireOwner(ctx: Ctx, { currentPassword, code }: OwnerShown): Promise<boolean> {
  await requirePassword(ctx, currentPassword)
  const row = await selectFactor(ctx.sql, ctx.viewer.id)
  if (!row?.confirmedAt) return false
  const { id, username } = ctx.viewer
  await requireCode(ctx.node, { id, username, factor: row.secret }, code, badRequest)
  return true
}

interface OwnerShown {
  currentPassword: string
  code?: string
}
