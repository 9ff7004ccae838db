// Every endpoint under /auth.
import { route } from '../core/http/route.ts'
import { TokenStringData, UsernameData, UsernameQueryData, UserRecoveryData } from './schemas.ts'
import { findUsername, login, logout, recover } from './service.ts'

export const authRoutes = [
  route({
    method: 'POST',
    path: '/auth/login',
    access: 'basic',
    gate: 'preregistration',
    reply: TokenStringData,
    summary: 'Gives out the token of the account; all its devices share one.',
    run: (ctx) => login(ctx),
  }),
  route({
    method: 'POST',
    path: '/auth/logout',
    access: 'token',
    gate: 'open',
    status: 204,
    summary: 'Ends the token on all devices and closes their sockets.',
    run: (ctx) => logout(ctx),
  }),
  route({
    method: 'POST',
    path: '/auth/recovery',
    access: 'none',
    body: UserRecoveryData,
    reply: TokenStringData,
    summary: 'Sets a new password with a registration code, the old password or the recovery key, and logs in.',
    run: (ctx, { body }) => recover(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/auth/username',
    access: 'flex',
    gate: 'open',
    body: UsernameQueryData,
    reply: UsernameData,
    summary:
      'The name of the person with a registration code, who forgot it: needs their recovery key or password too. The team and account managers need the code alone.',
    run: (ctx, { body }) => findUsername(ctx, body),
  }),
]
