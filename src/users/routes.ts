// Every endpoint under /users.
import { UserHeader } from '../accounts/schemas.ts'
import { methodAndPath, Reply, route } from '../core/http/route.ts'
import { OneOf, Text, Type, Uuid } from '../core/schema/schema.ts'
import { ReportData } from '../moderation/schemas.ts'
import { favoriteUser, listFavorites, unfavoriteUser } from './favorites.service.ts'
import { getNote, removeNote, writeNote } from './notes.service.ts'
import { getProfile, reportUser } from './profile.service.ts'
import { getVcard } from './vcard.service.ts'
import { blockUser, listBlocks, listMutes, muteUser, unblockUser, unmuteUser } from './relations.service.ts'
import { addRole, listWithRole, removeRole } from './roles.service.ts'
import { NameOrId, NoteCreateData, NoteData, ProfilePublicData, SearchString, UserMatchData } from './schemas.ts'
import { accountIdOf, findUser, getHeader, matchAllNames, matchUsername } from './service.ts'
import { notesOf } from './cached.ts'

const features = ['users'] as const
const user = { user_id: Uuid }
// The only role that its manager gives and takes.
const role = { user_role: OneOf(['shutternaut'], { ignoreCase: true }) }
const managesRoles = { access: 'token', role: 'shutternautmanager', features } as const
const search = { search_string: SearchString }

export const usersRoutes = [
  route({
    method: 'GET',
    path: '/users/find/:user_search_string',
    access: 'token',
    params: { user_search_string: SearchString },
    reply: UserHeader,
    summary: 'The user with this name or id.',
    cached: { tables: [] },
    run: (ctx, { params }) => findUser(ctx, params.user_search_string),
  }),
  route({
    method: 'GET',
    path: '/users/match/allnames/:search_string',
    access: 'token',
    params: search,
    query: { favorers: Type.Optional(Type.Boolean()), people: Type.Optional(Type.Boolean()), sort: Type.Optional(OneOf(['favorites'])) },
    reply: Type.Array(UserMatchData),
    summary:
      'The first users with a text in their username, display name or real name; with `favorers`, only those who have favorited ' +
      'the caller; with `people=true`, no accounts of the team and of programs; with `sort=favorites`, the favorites of the caller first.',
    cached: { tables: ['account', 'favorite'] },
    run: (ctx, { params, query }) => matchAllNames(ctx, params.search_string, query),
  }),
  route({
    method: 'GET',
    path: '/users/match/username/:search_string',
    access: 'token',
    params: search,
    reply: Type.Array(Type.String()),
    summary: 'Usernames with a text in them, in order, 10,000 at most.',
    cached: { tables: ['account'] },
    run: (ctx, { params }) => matchUsername(ctx, params.search_string),
  }),

  route({
    method: 'GET',
    path: '/users/blocks',
    access: 'token',
    features,
    reply: Type.Array(UserHeader),
    summary: 'Users that the caller has blocked, from any account.',
    cached: { tables: [] },
    run: (ctx) => listBlocks(ctx),
  }),
  route({
    method: 'POST',
    path: '/users/:user_id/block',
    access: 'token',
    features,
    params: { user_id: Text({ max: 200 }) },
    status: 201,
    alreadySo: true,
    summary: 'Hides all accounts of two people from each other; 200 when the user is blocked already. The user by their id or name.',
    run: async (ctx, { params }) => new Reply((await blockUser(ctx, params.user_id)) ? 201 : 200),
  }),
  route({
    method: 'POST',
    path: '/users/:user_id/unblock',
    access: 'token',
    features,
    params: user,
    status: 204,
    summary: 'Takes a user off the block list.',
    run: (ctx, { params }) => unblockUser(ctx, params.user_id),
  }),
  route({
    method: 'GET',
    path: '/users/mutes',
    access: 'token',
    features,
    reply: Type.Array(UserHeader),
    summary: 'Users that this account has muted.',
    cached: { tables: [] },
    run: (ctx) => listMutes(ctx),
  }),
  route({
    method: 'POST',
    path: '/users/:user_id/mute',
    access: 'token',
    features,
    params: user,
    status: 201,
    summary: 'Hides the public content of a user from this account.',
    run: (ctx, { params }) => muteUser(ctx, params.user_id),
  }),
  route({
    method: 'POST',
    path: '/users/:user_id/unmute',
    access: 'token',
    features,
    params: user,
    status: 204,
    summary: 'Shows the public content of a user again.',
    run: (ctx, { params }) => unmuteUser(ctx, params.user_id),
  }),

  route({
    method: 'GET',
    path: '/users/favorites',
    access: 'token',
    features,
    reply: Type.Array(UserHeader),
    summary: 'Users that this account has favorited.',
    cached: { tables: ['favorite'] },
    run: (ctx) => listFavorites(ctx),
  }),
  route({
    method: 'POST',
    path: '/users/:user_id/favorite',
    access: 'token',
    features,
    params: user,
    status: 201,
    summary: 'Makes a user a favorite of this account.',
    run: (ctx, { params }) => favoriteUser(ctx, params.user_id),
  }),
  ...['POST /users/:user_id/unfavorite', 'DELETE /users/:user_id/favorite'].map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: user,
      status: 204,
      summary: 'Takes a user off the favorites of this account.',
      run: (ctx, { params }) => unfavoriteUser(ctx, params.user_id),
    }),
  ),

  route({
    method: 'GET',
    path: '/users/:user_id/note',
    access: 'token',
    features,
    params: user,
    reply: NoteData,
    summary: 'The own note about a user.',
    cached: notesOf,
    run: (ctx, { params }) => getNote(ctx, params.user_id),
  }),
  route({
    method: 'POST',
    path: '/users/:user_id/note',
    access: 'token',
    features,
    params: user,
    body: NoteCreateData,
    reply: NoteData,
    status: 201,
    summary: 'Writes the own note about a user, in place of an earlier one.',
    run: (ctx, { params, body }) => writeNote(ctx, params.user_id, body.note),
  }),
  ...['POST /users/:user_id/note/delete', 'DELETE /users/:user_id/note'].map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: user,
      status: 204,
      summary: 'Removes the own note about a user.',
      run: (ctx, { params }) => removeNote(ctx, params.user_id),
    }),
  ),

  route({
    method: 'GET',
    path: '/users/userrole/:user_role',
    ...managesRoles,
    params: role,
    reply: Type.Array(UserHeader),
    summary: 'Users with a role.',
    cached: { tables: [] },
    run: (ctx, { params }) => listWithRole(ctx, params.user_role),
  }),
  route({
    method: 'POST',
    path: '/users/userrole/:user_role/addrole/:user_id',
    ...managesRoles,
    params: { ...role, user_id: NameOrId },
    summary: 'Gives a user a role.',
    run: async (ctx, { params }) => addRole(ctx, params.user_role, await accountIdOf(ctx, params.user_id)),
  }),
  route({
    method: 'POST',
    path: '/users/userrole/:user_role/removerole/:user_id',
    ...managesRoles,
    params: { ...role, user_id: NameOrId },
    summary: 'Takes a role from a user.',
    run: async (ctx, { params }) => removeRole(ctx, params.user_role, await accountIdOf(ctx, params.user_id)),
  }),

  route({
    method: 'GET',
    path: '/users/:user_id',
    access: 'token',
    params: user,
    reply: UserHeader,
    summary: 'How a user appears in other answers.',
    run: (ctx, { params }) => getHeader(ctx, params.user_id),
  }),
  route({
    method: 'GET',
    path: '/users/:user_id/header',
    access: 'token',
    params: user,
    reply: UserHeader,
    summary: 'How a user appears in other answers.',
    run: (ctx, { params }) => getHeader(ctx, params.user_id),
  }),
  route({
    method: 'GET',
    path: '/users/:user_id/profile',
    access: 'token',
    params: user,
    reply: ProfilePublicData,
    summary: 'The profile of a user.',
    cached: { tables: ['favorite', 'note'] },
    run: (ctx, { params }) => getProfile(ctx, params.user_id),
  }),
  route({
    method: 'GET',
    path: '/users/:user_id/vcard',
    access: 'token',
    features,
    params: user,
    summary: 'The profile of a user as a vCard 3.0, for the contacts of a phone.',
    run: (ctx, { params }) => getVcard(ctx, params.user_id),
  }),
  route({
    method: 'POST',
    path: '/users/:user_id/report',
    access: 'token',
    params: user,
    body: ReportData,
    status: 201,
    summary: 'Reports a user to the moderators.',
    run: (ctx, { params, body }) => reportUser(ctx, params.user_id, body.message),
  }),
]
