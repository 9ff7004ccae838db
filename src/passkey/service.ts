// Passkeys: keys of devices that sign somebody in in a browser, in place of the password and of the code of a second factor.
import { requireOwner } from '../auth/second-factor.service.ts'
import type { TokenStringData } from '../auth/schemas.ts'
import { signInAs } from '../auth/service.ts'
import { attempted, badRequest, conflict, notAvailable } from '../core/base/errors.ts'
import type { Reply } from '../core/http/route.ts'
import type { Ctx, OpenCtx } from '../core/work/ctx.ts'
import { audit } from '../moderation/audit.service.ts'
import { requireAuthorityOver } from '../users/levels.service.ts'
import { newChallenge, useChallenge } from './challenge.ts'
import { deleteKey, insertKey, lockAndCountKeys, selectKey, selectKeyOwner, selectKeys, useKey, type ListedKeyRow } from './queries.ts'
import type {
  PasskeyChallengeData,
  PasskeyCreateData,
  PasskeyData,
  PasskeyListData,
  PasskeyLoginData,
  PasskeyOptionsData,
  PasskeyOrderData,
} from './schemas.ts'
import { verifyMade, verifySigned } from './webauthn.ts'

const mostPasskeys = 20

/** Purposes of challenges. */
const signingIn = 'login'
const madeFor = (accountId: string) => `made for ${accountId}`

/** What a passkey has to sign to sign somebody in. */
export const beginLogin = ({ node }: OpenCtx): PasskeyChallengeData => newChallenge(node, signingIn)

/** Signs in as the owner of the passkey. The device has asked who holds it: that is a second factor. */
export async function loginWithKey(
  ctx: OpenCtx,
  { state, credential }: PasskeyLoginData,
): Promise<TokenStringData | Reply<TokenStringData>> {
  const wrong = () =>
    badRequest('passkey_wrong', 'This passkey is not known here, or it took too long. Try again, or sign in with the password.')
  const challenge = await useChallenge(ctx.node, signingIn, state)
  if (challenge === undefined) throw wrong()
  const key = await selectKey(ctx.sql, Buffer.from(credential.id, 'base64url'))
  if (!key) throw wrong()
  const { id, accountId, username } = key
  const counter = await verifySigned(credential, challenge, key)
  const { userHandle } = credential.response
  if (counter === undefined || (userHandle !== undefined && userHandle !== handleOf(accountId)))
    throw attempted(wrong(), { id: accountId, username })
  return await signInAs(ctx, accountId, 'passkey', {}, async (tx) => {
    tx.changesUnshown('passkey')
    // It may have been removed since, or have signed twice.
    if ((await useKey(tx.sql, id, counter, tx.now)) !== accountId) throw wrong()
  })
}

/** By which a device knows whom a passkey is for; it says nothing about them. */
const handleOf = (accountId: string): string => Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url')

/** What a device needs to make a passkey for the caller, who has shown their password, and their code where they have one. */
export async function beginKey(ctx: Ctx, shown: PasskeyOrderData): Promise<PasskeyOptionsData> {
  await requireOwner(ctx, shown)
  const { id } = ctx.viewer
  const keys = await selectKeys(ctx.sql, id)
  if (keys.length >= mostPasskeys) throw tooMany()
  return {
    ...newChallenge(ctx.node, madeFor(id)),
    userHandle: handleOf(id),
    known: keys.map(({ credentialId }) => credentialId.toString('base64url')),
  }
}

const tooMany = () => badRequest('too_many_passkeys', `This account has ${mostPasskeys} passkeys, which is the maximum. Remove one first.`)

/** Keeps a passkey that a device has made. */
export async function addKey(ctx: Ctx, { state, name, credential }: PasskeyCreateData): Promise<PasskeyData> {
  const { node, viewer } = ctx
  const challenge = await useChallenge(node, madeFor(viewer.id), state)
  const made = challenge === undefined ? undefined : await verifyMade(credential, challenge)
  if (!made) throw badRequest('passkey_wrong', 'The passkey was not made as it should be, or that took too long. Try again.')
  const credentialId = Buffer.from(credential.id, 'base64url')
  const row = { id: node.random.uuid(), accountId: viewer.id, credentialId, name, ...made }
  return await ctx.transaction(async (tx) => {
    tx.changesUnshown('passkey')
    if ((await lockAndCountKeys(tx.sql, viewer.id)) >= mostPasskeys) throw tooMany()
    if (!(await insertKey(tx.sql, { ...row, now: tx.now }))) throw conflict('passkey_known', 'This passkey is there already.')
    await audit(tx, { action: 'addPasskey', subject: { type: 'user', id: viewer.id }, userId: viewer.id })
    return dataOf({ ...row, createdAt: tx.now, lastUsedAt: null })
  })
}

const dataOf = ({ id, name, host, createdAt, lastUsedAt }: Omit<ListedKeyRow, 'credentialId'>): PasskeyData => ({
  passkeyID: id,
  name,
  host,
  createdAt,
  ...(lastUsedAt && { lastUsedAt }),
})

/** The passkeys of the caller. */
export const listOwnKeys = (ctx: Ctx): Promise<PasskeyListData> => listKeys(ctx, ctx.viewer.id)

/** The passkeys of whom the team asks about. */
export async function listKeysOfPerson(ctx: Ctx, accountId: string): Promise<PasskeyListData> {
  if (!(await ctx.node.accounts.find(accountId))) throw notAvailable('user')
  return await listKeys(ctx, accountId)
}

const listKeys = async (ctx: Ctx, accountId: string): Promise<PasskeyListData> => ({
  passkeys: (await selectKeys(ctx.sql, accountId)).map(dataOf),
})

/** Takes one of the caller away. */
export const removeOwnKey = (ctx: Ctx, passkeyId: string): Promise<void> => removeKey(ctx, ctx.viewer.id, passkeyId)

/** Takes somebody's away, who has lost the device, or did not make it. */
export async function removeKeyOfPerson(ctx: Ctx, passkeyId: string): Promise<void> {
  const accountId = await selectKeyOwner(ctx.sql, passkeyId)
  if (accountId === undefined) throw notAvailable('passkey')
  await requireAuthorityOver(ctx, accountId, 'remove passkeys')
  await removeKey(ctx, accountId, passkeyId)
}

async function removeKey(ctx: Ctx, accountId: string, passkeyId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    tx.changesUnshown('passkey')
    if (!(await deleteKey(tx.sql, accountId, passkeyId))) throw notAvailable('passkey')
    await audit(tx, { action: 'removePasskey', subject: { type: 'user', id: accountId }, userId: accountId })
  })
}
