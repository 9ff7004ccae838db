// Every endpoint under /oidc, and those of the team for the identities of others.
import { requireGoodPassword } from '../auth/new-password.service.ts'
import { TokenStringData } from '../auth/schemas.ts'
import { requirePerson } from '../auth/second-factor.service.ts'
import { route } from '../core/http/route.ts'
import { Uuid } from '../core/schema/schema.ts'
import { CreatedUserData, UserCreateData } from '../user/schemas.ts'
import { NameOrId } from '../users/schemas.ts'
import { accountIdOf } from '../users/service.ts'
import { OidcIdentityListData, OidcLoginData, OidcReturnData } from './schemas.ts'
import {
  connectReturned,
  createReturned,
  getReturned,
  listIdentitiesOfPerson,
  listOwnIdentities,
  loginReturned,
  removeIdentityOfPerson,
  removeOwnIdentity,
} from './service.ts'

export const oidcRoutes = [
  route({
    method: 'GET',
    path: '/oidc/return',
    clientName: 'returned',
    access: 'none',
    gate: 'open',
    reply: OidcReturnData,
    maybeNone: true,
    summary:
      'Whom the provider has sent back to this browser a short while ago, and the account that is connected with them; 204 without one.',
    run: (ctx) => getReturned(ctx),
  }),
  route({
    method: 'POST',
    path: '/oidc/login',
    access: 'none',
    gate: 'preregistration',
    body: OidcLoginData,
    reply: TokenStringData,
    startsSession: true,
    summary: 'Signs a browser in as whom the provider has sent back, with the code of the second factor where the account has one.',
    run: (ctx, { body }) => loginReturned(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/oidc/account',
    access: 'none',
    features: ['registration'],
    body: UserCreateData,
    reply: CreatedUserData,
    status: 201,
    idempotent: true,
    summary:
      'Creates an account for whom the provider has sent back, connects it with them, and shows its recovery key, this once. Where the ' +
      'operator trusts the provider (`OIDC_VERIFIES`), it is verified without a registration code.',
    check: (ctx, { body }) => requireGoodPassword(ctx, 'password', body.password),
    run: (ctx, { body }) => createReturned(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/oidc/connect',
    access: 'basic',
    openToUnverified: true,
    gate: 'preregistration',
    reply: TokenStringData,
    startsSession: true,
    summary: 'Connects an account, whose name and password it takes, with whom the provider has sent back, and signs the browser in.',
    run: (ctx) => connectReturned(ctx),
  }),
  route({
    method: 'GET',
    path: '/oidc/identities',
    access: 'token',
    openToUnverified: true,
    reply: OidcIdentityListData,
    summary: 'The identities at a provider that the caller can sign in with.',
    run: (ctx) => listOwnIdentities(ctx),
  }),
  route({
    method: 'DELETE',
    path: '/oidc/identities/:identity_id',
    access: 'token',
    openToUnverified: true,
    params: { identity_id: Uuid },
    status: 204,
    summary: 'Disconnects an identity from the account of the caller.',
    guard: requirePerson,
    run: (ctx, { params }) => removeOwnIdentity(ctx, params.identity_id),
  }),
  route({
    method: 'GET',
    path: '/admin/users/:user_id/identities',
    access: 'serviceteam',
    params: { user_id: NameOrId },
    reply: OidcIdentityListData,
    summary: 'The identities at a provider that somebody can sign in with.',
    run: async (ctx, { params }) => listIdentitiesOfPerson(ctx, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'DELETE',
    path: '/admin/identities/:identity_id',
    access: 'tho',
    params: { identity_id: Uuid },
    status: 204,
    summary: 'Disconnects an identity from the account of somebody who has no part in it any more, or never had.',
    run: (ctx, { params }) => removeIdentityOfPerson(ctx, params.identity_id),
  }),
]
