// Every endpoint under /admin.
import { methodAndPath, route } from '../core/http/route.ts'
import { OneOf, Text, Type, Uuid } from '../core/schema/schema.ts'
import { UserHeader } from '../core/accounts.ts'
import { userRoles } from '../core/viewer.ts'
import { imageBodyLimit } from '../image/schemas.ts'
import { requireUploads } from '../image/service.ts'
import { reloadZoneChanges } from '../settings/zones.service.ts'
import { demote, listTeam, promote } from '../users/levels.service.ts'
import { addRole, listWithRole, removeRole } from '../users/roles.service.ts'
import { createDailyTheme, editDailyTheme, removeDailyTheme } from './dailythemes.service.ts'
import { codeOfUser, codeStats, usersWithCode } from './regcodes.service.ts'
import {
  DailyThemeUploadData,
  RegistrationCodeStatsData,
  RegistrationCodeUserData,
  SettingsAdminData,
  SettingsUpdateData,
  TimeZoneChangeData,
} from './schemas.ts'
import { serverSettings, updateServerSettings } from './settings.service.ts'
import { timeZoneChanges } from './timezones.service.ts'

const user = { user_id: Uuid }
const role = { user_role: OneOf(userRoles, { ignoreCase: true }) }
const theme = { themeID: Uuid }

export const adminRoutes = [
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
      run: (ctx) => listTeam(ctx, level),
    }),
  ),
  route({
    method: 'POST',
    path: '/admin/moderator/promote/:user_id',
    access: 'tho',
    params: user,
    summary: 'Makes a verified user a moderator.',
    run: (ctx, { params }) => promote(ctx, params.user_id, 'moderator'),
  }),
  route({
    method: 'POST',
    path: '/admin/serviceteam/promote/:user_id',
    access: 'tho',
    params: user,
    summary: 'Makes a verified user or a moderator a member of the service team.',
    run: (ctx, { params }) => promote(ctx, params.user_id, 'serviceteam'),
  }),
  route({
    method: 'POST',
    path: '/admin/tho/promote/:user_id',
    access: 'admin',
    params: user,
    summary: 'Gives a user the level tho.',
    run: (ctx, { params }) => promote(ctx, params.user_id, 'tho'),
  }),
  route({
    method: 'POST',
    path: '/admin/user/demote/:user_id',
    access: 'tho',
    params: user,
    summary: 'Makes a member of the team a verified user again.',
    run: (ctx, { params }) => demote(ctx, params.user_id),
  }),

  route({
    method: 'GET',
    path: '/admin/userroles/:user_role',
    access: 'tho',
    params: role,
    reply: Type.Array(UserHeader),
    summary: 'Users with a role.',
    run: (ctx, { params }) => listWithRole(ctx, params.user_role),
  }),
  route({
    method: 'POST',
    path: '/admin/userroles/:user_role/addrole/:user_id',
    access: 'tho',
    params: { ...role, ...user },
    summary: 'Gives a user a role.',
    run: (ctx, { params }) => addRole(ctx, params.user_role, params.user_id),
  }),
  route({
    method: 'POST',
    path: '/admin/userroles/:user_role/removerole/:user_id',
    access: 'tho',
    params: { ...role, ...user },
    summary: 'Takes a role from a user.',
    run: (ctx, { params }) => removeRole(ctx, params.user_role, params.user_id),
  }),

  route({
    method: 'GET',
    path: '/admin/serversettings',
    access: 'serviceteam',
    reply: SettingsAdminData,
    summary: 'The settings in force.',
    run: (ctx) => serverSettings(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/serversettings/update',
    access: 'admin',
    body: SettingsUpdateData,
    summary: 'Changes settings, in force on all servers when it is answered.',
    run: (ctx, { body }) => updateServerSettings(ctx, body),
  }),

  route({
    method: 'GET',
    path: '/admin/regcodes/stats',
    access: 'serviceteam',
    reply: RegistrationCodeStatsData,
    summary: 'How many registration codes there are and are used.',
    run: (ctx) => codeStats(ctx),
  }),
  route({
    method: 'GET',
    path: '/admin/regcodes/find/:search_string',
    access: 'serviceteam',
    params: { search_string: Text({ max: 200 }) },
    reply: Type.Array(UserHeader),
    summary: 'The accounts of the person with a registration code; none while it is unused.',
    run: (ctx, { params }) => usersWithCode(ctx, params.search_string),
  }),
  route({
    method: 'GET',
    path: '/admin/regcodes/findbyuser/:user_id',
    access: 'serviceteam',
    params: user,
    reply: RegistrationCodeUserData,
    summary: 'The registration code of the person that an account belongs to.',
    run: (ctx, { params }) => codeOfUser(ctx, params.user_id),
  }),

  route({
    method: 'GET',
    path: '/admin/timezonechanges',
    access: 'none',
    reply: TimeZoneChangeData,
    conditional: true,
    summary: 'When the ship changes its time zone, and the zone in force.',
    run: (ctx) => timeZoneChanges(ctx),
  }),
  route({
    method: 'POST',
    path: '/admin/timezonechanges/reloadtzdata',
    access: 'admin',
    summary: 'Reads the file of zone changes again.',
    run: (ctx) => reloadZoneChanges(ctx),
  }),

  route({
    method: 'POST',
    path: '/admin/dailytheme/create',
    access: 'tho',
    body: DailyThemeUploadData,
    bodyLimit: imageBodyLimit,
    status: 201,
    idempotent: true,
    summary: 'Gives a day its theme.',
    check: (ctx, { body }) => requireUploads(ctx, body.image ? [['image', body.image]] : []),
    run: (ctx, { body }) => createDailyTheme(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/admin/dailytheme/:themeID/edit',
    access: 'tho',
    params: theme,
    body: DailyThemeUploadData,
    bodyLimit: imageBodyLimit,
    status: 201,
    summary: 'Replaces all of a theme; without an image it has none any more.',
    check: (ctx, { body }) => requireUploads(ctx, body.image ? [['image', body.image]] : []),
    run: (ctx, { params, body }) => editDailyTheme(ctx, params.themeID, body),
  }),
  ...(['POST /admin/dailytheme/:themeID/delete', 'DELETE /admin/dailytheme/:themeID'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'tho',
      params: theme,
      status: 204,
      summary: 'Leaves a day without a theme.',
      run: (ctx, { params }) => removeDailyTheme(ctx, params.themeID),
    }),
  ),
]
