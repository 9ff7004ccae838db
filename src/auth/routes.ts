// Every endpoint under /auth.
import { route } from '../core/http/route.ts'
import { TokenStringData, UserRecoveryData } from './schemas.ts'
import { login, logout, recover } from './service.ts'

export const authRoutes = [
  route({
    method: 'POST',
    path: '/auth/login',
    access: 'basic',
    reply: TokenStringData,
    summary: 'Gives out the token of the account; all its devices share one.',
    run: (ctx) => login(ctx),
  }),
  route({
    method: 'POST',
    path: '/auth/logout',
    access: 'token',
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
    summary:
      'Sets a new password with a registration code, the old password or the recovery key, and logs in. The token that the account has stays valid: a logout afterwards ends a stolen one on all devices and all nodes, with its sockets.',
    run: (ctx, { body }) => recover(ctx, body),
  }),
]
