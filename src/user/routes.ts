// Every endpoint under /user.
import { route } from '../core/route.ts'
import { AddedUserData, CreatedUserData, CurrentUserData, UserCreateData, UserPasswordData, UserVerifyData } from './schemas.ts'
import { addUser, changePassword, createUser, requireOwnPassword, verifyUser, whoAmI } from './service.ts'

export const userRoutes = [
  route({ method: 'POST', path: '/user/create', access: 'none', features: ['registration'], body: UserCreateData, reply: CreatedUserData, status: 201,
    summary: 'Creates an account and shows its recovery key, this once.',
    run: (ctx, { body }) => createUser(ctx, body) }),
  route({ method: 'POST', path: '/user/add', access: 'verified', body: UserCreateData, reply: AddedUserData, status: 201, idempotent: true,
    summary: 'Adds a sub-account of the same person.',
    run: (ctx, { body }) => addUser(ctx, body) }),
  route({ method: 'GET', path: '/user/whoami', access: 'either', reply: CurrentUserData,
    summary: 'Who the caller is.',
    run: (ctx) => whoAmI(ctx) }),
  route({ method: 'POST', path: '/user/verify', access: 'either', body: UserVerifyData,
    summary: 'Makes the caller verified with a registration code.',
    run: (ctx, { body }) => verifyUser(ctx, body.verification) }),
  route({ method: 'POST', path: '/user/password', access: 'token', body: UserPasswordData, status: 201,
    summary: 'Changes the password; the token stays valid.',
    guard: requireOwnPassword,
    run: (ctx, { body }) => changePassword(ctx, body) }),
]
