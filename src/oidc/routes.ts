// Every endpoint under /oidc.
import { requireGoodPassword } from '../auth/new-password.service.ts'
import { TokenStringData } from '../auth/schemas.ts'
import { requirePerson } from '../auth/second-factor.service.ts'
import { route } from '../core/http/route.ts'
import { Uuid } from '../core/schema/schema.ts'
import { CreatedUserData, UserCreateData } from '../user/schemas.ts'
import { OidcIdentityListData, OidcLoginData, OidcReturnData } from './schemas.ts'
import { connectReturned, createReturned, getReturned, listIdentities, loginReturned, removeIdentity } from './service.ts'

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
    run: (ctx) => listIdentities(ctx),
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
    run: (ctx, { params }) => removeIdentity(ctx, params.identity_id),
  }),
]
