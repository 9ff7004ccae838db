// Signing in as somebody whom a provider of OpenID Connect knows.
import { requireCode } from '../auth/factor-code.service.ts'
import type { TokenStringData } from '../auth/schemas.ts'
import { signInAs } from '../auth/service.ts'
import { badRequest, conflict, forbidden, notAvailable } from '../core/base/errors.ts'
import { isFromOwnPage } from '../core/http/own-page.ts'
import { Reply } from '../core/http/route.ts'
import type { Ctx, OpenCtx, Tx } from '../core/work/ctx.ts'
import { audit, auditBy } from '../moderation/audit.service.ts'
import { newUsernameProblems } from '../text/usernames.ts'
import { requireAuthorityOver } from '../users/levels.service.ts'
import { createUser } from '../user/service.ts'
import type { CreatedUserData, UserCreateData } from '../user/schemas.ts'
import { endedStateHeader, stateIn } from './state-cookie.ts'
import type { Identity } from './provider.ts'
import { deleteIdentity, selectConnected, selectIdentities, selectIdentityOwner, upsertIdentity, useIdentity } from './queries.ts'
import type { OidcIdentityListData, OidcLoginData, OidcReturnData } from './schemas.ts'

const missing = () =>
  badRequest('identity_missing', 'This browser has not come back from where it was to sign in, or did so too long ago. Begin again.')
const connected = () => conflict('identity_connected', 'This sign-in belongs to another account already.')
const unconnected = () => badRequest('identity_unconnected', 'This sign-in belongs to no account yet.')

/** Whom this browser has come back as. */
const returnedIn = ({ node, head }: OpenCtx) => (node.config.oidc && head ? stateIn(node, head, 'return') : undefined)

/** The same for what only a page of this server may do. */
function requireReturned(ctx: OpenCtx): Identity & { to: string } {
  if (ctx.head && !isFromOwnPage(ctx.node.config, ctx.head))
    throw forbidden('origin_foreign', 'This request does not come from a page of this server.')
  const identity = returnedIn(ctx)
  if (!identity) throw missing()
  return identity
}

/** Whom the provider has sent back, and what they can do now; 204 for a browser that it has not. */
export async function getReturned(ctx: OpenCtx): Promise<OidcReturnData | Reply> {
  const identity = returnedIn(ctx)
  if (!identity) return new Reply(204)
  const account = await selectConnected(ctx.sql, identity)
  const { name = '', verifies = false } = ctx.node.config.oidc ?? {}
  return {
    provider: name,
    name: identity.name,
    ...(account ? { username: account.username } : {}),
    suggestedUsername: newUsernameProblems(identity.username).length === 0 ? identity.username : '',
    verifies,
    to: identity.to,
  }
}

/** Signs in with the account that is connected. Its second factor is asked for as at a password. */
export async function loginReturned(ctx: OpenCtx, { code }: OidcLoginData): Promise<TokenStringData | Reply<TokenStringData>> {
  const identity = requireReturned(ctx)
  const account = await selectConnected(ctx.sql, identity)
  if (!account) throw unconnected()
  await requireCode(ctx.node, account, code, badRequest)
  return await signInAs(ctx, account.id, 'identity', usedUp(ctx), async (tx) => {
    tx.changesUnshown('oidc_identity')
    // It may have been removed, or connected elsewhere, since.
    if ((await useIdentity(tx.sql, identity, tx.now)) !== account.id) throw unconnected()
  })
}

/** Makes an account, and connects it. Does not sign in: the recovery key is to be written down first. */
export function createReturned(ctx: OpenCtx, wanted: UserCreateData): Promise<CreatedUserData> {
  const identity = requireReturned(ctx)
  return createUser(ctx, wanted, {
    isVerified: ctx.node.config.oidc?.verifies === true,
    andThen: (tx, accountId) => connect(tx, accountId, identity),
  })
}

/** Connects the account whose name and password are given, and signs in with it. */
export async function connectReturned(ctx: Ctx): Promise<TokenStringData | Reply<TokenStringData>> {
  const identity = requireReturned(ctx)
  const { id, level } = ctx.viewer
  if (level === 'client') throw forbidden('account_fixed', 'A client account cannot be connected.')
  return await signInAs(ctx, id, 'password', usedUp(ctx), (tx) => connect(tx, id, identity))
}

async function connect(tx: Tx<Ctx['viewer'] | undefined>, accountId: string, { issuer, subject, name }: Identity): Promise<void> {
  tx.changesUnshown('oidc_identity')
  const row = { id: tx.ctx.node.random.uuid(), accountId, issuer, subject, name, now: tx.now }
  if (!(await upsertIdentity(tx.sql, row))) throw connected()
  await auditBy(tx, accountId, { action: 'connectIdentity', subject: { type: 'user', id: accountId }, userId: accountId })
}

/** What the browser brought back is used up with this answer. Names of headers count whatever their case: there are two of one name. */
const usedUp = ({ node, head }: OpenCtx): Record<string, string> => (head ? { 'set-cookie': endedStateHeader(node, head) } : {})

/** The caller's ways to sign in without a password. */
export const listOwnIdentities = (ctx: Ctx): Promise<OidcIdentityListData> => listIdentities(ctx, ctx.viewer.id)

/** Those of whom the team asks about. */
export async function listIdentitiesOfPerson(ctx: Ctx, accountId: string): Promise<OidcIdentityListData> {
  if (!(await ctx.node.accounts.find(accountId))) throw notAvailable('user')
  return await listIdentities(ctx, accountId)
}

async function listIdentities(ctx: Ctx, accountId: string): Promise<OidcIdentityListData> {
  const rows = await selectIdentities(ctx.sql, accountId)
  return { identities: rows.map(({ id, ...row }) => ({ identityID: id, ...row })) }
}

/** Takes one of the caller away. */
export const removeOwnIdentity = (ctx: Ctx, identityId: string): Promise<void> => removeIdentity(ctx, ctx.viewer.id, identityId)

/** Takes somebody's away, who has no part in it any more, or never had. */
export async function removeIdentityOfPerson(ctx: Ctx, identityId: string): Promise<void> {
  const accountId = await selectIdentityOwner(ctx.sql, identityId)
  if (accountId === undefined) throw notAvailable('identity')
  await requireAuthorityOver(ctx, accountId, 'remove identities')
  await removeIdentity(ctx, accountId, identityId)
}

async function removeIdentity(ctx: Ctx, accountId: string, identityId: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    tx.changesUnshown('oidc_identity')
    if (!(await deleteIdentity(tx.sql, accountId, identityId))) throw notAvailable('identity')
    await audit(tx, { action: 'removeIdentity', subject: { type: 'user', id: accountId }, userId: accountId })
  })
}
