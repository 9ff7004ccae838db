// Every endpoint under /auth.
import { UserHeader } from '../accounts/schemas.ts'
import { route } from '../core/http/route.ts'
import { Uuid } from '../core/schema/schema.ts'
import { requireGoodPassword } from './new-password.service.ts'
import {
  FactorCodeData,
  NewTokenData,
  OwnPasswordData,
  PasswordAndCodeData,
  ProgramTokenListData,
  RecoveryCodesData,
  SecondFactorData,
  SecondFactorSetupData,
  TokenRequestData,
  SessionEndData,
  SessionListData,
  TokenStringData,
  UsernameQueryData,
  UserRecoveryData,
} from './schemas.ts'
import { confirmOwnFactor, getFactor, removeOwnFactor, replaceRecoveryCodes, requirePerson, setUpFactor } from './second-factor.service.ts'
import { findUsername, listDevices, login, logout, logoutEverywhere, recover } from './service.ts'
import { endSession, sessionEnd } from './sessions.service.ts'
import { listTokens, makeToken } from './tokens.service.ts'

export const authRoutes = [
  route({
    method: 'POST',
    path: '/auth/login',
    access: 'basic',
    gate: 'preregistration',
    reply: TokenStringData,
    startsSession: true,
    summary:
      'Gives out the token of the account; all its devices share one. Where the account has a second factor, its six digits, or one of ' +
      'the codes in their place, have to stand directly behind the password.',
    run: (ctx) => login(ctx),
  }),
  route({
    method: 'POST',
    path: '/auth/logout',
    access: 'token',
    gate: 'open',
    status: 204,
    summary: 'Ends the token on all devices and closes their sockets; from a browser, ends the session of that browser alone.',
    run: (ctx) => logout(ctx),
  }),
  route({
    method: 'POST',
    path: '/auth/logout/everywhere',
    access: 'token',
    status: 204,
    summary: 'Ends the token and the sessions of all browsers, and closes their sockets.',
    run: (ctx) => logoutEverywhere(ctx),
  }),
  route({
    method: 'GET',
    path: '/auth/tokens',
    access: 'token',
    reply: ProgramTokenListData,
    summary: "The caller's tokens for programs of their own, the latest first.",
    cached: { tables: [], parts: { browser_session: 'viewer' }, everySecond: true },
    run: (ctx) => listTokens(ctx),
  }),
  route({
    method: 'POST',
    path: '/auth/tokens',
    access: 'verified',
    body: TokenRequestData,
    reply: NewTokenData,
    status: 201,
    summary: 'Makes a token for a program, with a name, an end and what it may do; it is shown this once.',
    run: (ctx, { body }) => makeToken(ctx, body),
  }),
  route({
    method: 'DELETE',
    path: '/auth/tokens/:token_id',
    access: 'token',
    params: { token_id: Uuid },
    status: 204,
    summary: 'Ends a token of the caller for a program, and closes its sockets.',
    run: (ctx, { params }) => endSession(ctx, params.token_id),
  }),
  route({
    method: 'GET',
    path: '/auth/sessions',
    access: 'token',
    reply: SessionListData,
    summary: 'Where the caller is signed in: browsers, the latest first, and apps.',
    cached: { tables: [], parts: { browser_session: 'viewer' }, everySecond: true, perSession: true },
    run: (ctx) => listDevices(ctx),
  }),
  route({
    method: 'GET',
    path: '/auth/sessions/ended',
    access: 'none',
    gate: 'open',
    reply: SessionEndData,
    summary: 'Whether the session of this browser, which counts no more, was ended on purpose from elsewhere.',
    run: (ctx) => sessionEnd(ctx),
  }),
  route({
    method: 'DELETE',
    path: '/auth/sessions/:session_id',
    access: 'token',
    params: { session_id: Uuid },
    status: 204,
    summary: "Signs one of the caller's browsers out.",
    run: (ctx, { params }) => endSession(ctx, params.session_id),
  }),
  route({
    method: 'GET',
    path: '/auth/secondfactor',
    access: 'token',
    reply: SecondFactorData,
    summary: "The second factor of the caller's account.",
    run: (ctx) => getFactor(ctx),
  }),
  route({
    method: 'POST',
    path: '/auth/secondfactor',
    access: 'token',
    body: OwnPasswordData,
    reply: SecondFactorSetupData,
    status: 201,
    summary:
      'Makes the secret of a second factor, to be shared with an app for six digits (TOTP). It counts for nothing until it is confirmed.',
    guard: requirePerson,
    run: (ctx, { body }) => setUpFactor(ctx, body.currentPassword),
  }),
  route({
    method: 'POST',
    path: '/auth/secondfactor/confirm',
    access: 'token',
    body: FactorCodeData,
    reply: RecoveryCodesData,
    status: 201,
    idempotent: true,
    summary:
      'Puts the second factor in force with its digits, and signs the account out everywhere but in the browser that asks. From then ' +
      'on the digits, or one of the codes that it answers with this once, have to stand directly behind the password.',
    guard: requirePerson,
    run: (ctx, { body }) => confirmOwnFactor(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/auth/secondfactor/codes',
    access: 'token',
    body: PasswordAndCodeData,
    reply: RecoveryCodesData,
    status: 201,
    idempotent: true,
    summary: 'Makes other codes that can take the place of the digits, and ends those before.',
    guard: requirePerson,
    run: (ctx, { body }) => replaceRecoveryCodes(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/auth/secondfactor/remove',
    access: 'token',
    body: PasswordAndCodeData,
    status: 204,
    summary: "Removes the second factor of the caller's account.",
    guard: requirePerson,
    run: (ctx, { body }) => removeOwnFactor(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/auth/recovery',
    access: 'none',
    body: UserRecoveryData,
    reply: TokenStringData,
    idempotent: true,
    startsSession: true,
    summary:
      'Sets a new password with a registration code, the old password or the recovery key, and logs in. The token that the ' +
      'account has stays valid, unless `signOutApps` or the setting `newPasswordSignsOutApps` ends it. Where the account has a second ' +
      'factor, its code has to stand directly behind the `recoveryKey`.',
    check: (ctx, { body }) => requireGoodPassword(ctx, 'newPassword', body.newPassword),
    run: (ctx, { body }) => recover(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/auth/username',
    access: 'flex',
    gate: 'open',
    body: UsernameQueryData,
    reply: UserHeader,
    summary:
      'The name of the person with a registration code, who forgot it: needs their recovery key or password too. The team and ' +
      'account managers need the code alone.',
    run: (ctx, { body }) => findUsername(ctx, body),
  }),
]
