// The team: who has a level above verified, and who has which role.
import { userRoles } from '../accounts/types.ts'
import { UserHeader } from '../accounts/schemas.ts'
import { route } from '../core/http/route.ts'
import { OneOf, Type } from '../core/schema/schema.ts'
import { demote, listTeam, promote } from './levels.service.ts'
import { addRole, listWithRole, removeRole } from './roles.service.ts'
import { basedOnLevel, NameOrId } from './schemas.ts'
import { accountIdOf } from './service.ts'

const user = { user_id: NameOrId }
const role = { user_role: OneOf(userRoles, { ignoreCase: true }) }

export const teamRoutes = [
  ...(
    [
      ['/admin/moderators', 'moderator'],
      ['/admin/serviceteam', 'serviceteam'],
      ['/admin/tho', 'tho'],
    ] as const
  ).map(([path, level]) =>
    route({
      method: 'GET',
      path,
      access: 'tho',
      reply: Type.Array(UserHeader),
      summary: `Accounts with exactly the level ${level}.`,
      cached: { tables: [] },
      run: (ctx) => listTeam(ctx, level),
    }),
  ),
  route({
    method: 'POST',
    path: '/admin/moderator/promote/:user_id',
    access: 'tho',
    params: user,
    query: basedOnLevel,
    summary: 'Makes a verified user a moderator.',
    run: async (ctx, { params, query }) => promote(ctx, await accountIdOf(ctx, params.user_id), 'moderator', query.basedOn),
  }),
  route({
    method: 'POST',
    path: '/admin/serviceteam/promote/:user_id',
    access: 'tho',
    params: user,
    query: basedOnLevel,
    summary: 'Makes a verified user or a moderator a member of the service team.',
    run: async (ctx, { params, query }) => promote(ctx, await accountIdOf(ctx, params.user_id), 'serviceteam', query.basedOn),
  }),
  route({
    method: 'POST',
    path: '/admin/tho/promote/:user_id',
    access: 'admin',
    params: user,
    query: basedOnLevel,
    summary: 'Gives a user the level tho.',
    run: async (ctx, { params, query }) => promote(ctx, await accountIdOf(ctx, params.user_id), 'tho', query.basedOn),
  }),
  route({
    method: 'POST',
    path: '/admin/admin/promote/:user_id',
    access: 'admin',
    params: user,
    query: basedOnLevel,
    summary: 'Makes a user an admin. Only another admin takes that back.',
    run: async (ctx, { params, query }) => promote(ctx, await accountIdOf(ctx, params.user_id), 'admin', query.basedOn),
  }),
  route({
    method: 'POST',
    path: '/admin/user/demote/:user_id',
    access: 'tho',
    params: user,
    query: basedOnLevel,
    summary: 'Makes a member of the team a verified user again.',
    run: async (ctx, { params, query }) => demote(ctx, await accountIdOf(ctx, params.user_id), query.basedOn),
  }),

  route({
    method: 'GET',
    path: '/admin/userroles/:user_role',
    access: 'tho',
    params: role,
    reply: Type.Array(UserHeader),
    summary: 'Users with a role.',
    cached: { tables: [] },
    run: (ctx, { params }) => listWithRole(ctx, params.user_role),
  }),
  route({
    method: 'POST',
    path: '/admin/userroles/:user_role/addrole/:user_id',
    access: 'tho',
    params: { ...role, ...user },
    summary: 'Gives a user a role.',
    run: async (ctx, { params }) => addRole(ctx, params.user_role, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'POST',
    path: '/admin/userroles/:user_role/removerole/:user_id',
    access: 'tho',
    params: { ...role, ...user },
    summary: 'Takes a role from a user.',
    run: async (ctx, { params }) => removeRole(ctx, params.user_role, await accountIdOf(ctx, params.user_id)),
  }),
]
