// Every endpoint under /users.
import { UserHeader } from '../core/accounts.ts'
import { Reply, route } from '../core/route.ts'
import { Type, Uuid } from '../core/schema.ts'
import { ReportData } from '../fez/schemas.ts'
import { getProfile, reportUser } from './profile.service.ts'
import { blockUser, listBlocks, listMutes, muteUser, unblockUser, unmuteUser } from './relations.service.ts'
import { ProfilePublicData, SearchString, UserMatchData } from './schemas.ts'
import { findUser, getHeader, matchAllNames, matchUsername } from './service.ts'

const features = ['users'] as const
const user = { user_id: Uuid }
const search = { search_string: SearchString }

export const usersRoutes = [
  route({ method: 'GET', path: '/users/find/:user_search_string', access: 'token', params: { user_search_string: SearchString }, reply: UserHeader,
    summary: 'The user with this name or id.',
    run: (ctx, { params }) => findUser(ctx, params.user_search_string) }),
  route({ method: 'GET', path: '/users/match/allnames/:search_string', access: 'token', params: search, reply: Type.Array(UserMatchData),
    summary: 'The first users with a text in their username, display name or real name.',
    run: (ctx, { params }) => matchAllNames(ctx, params.search_string) }),
  route({ method: 'GET', path: '/users/match/username/:search_string', access: 'token', params: search, reply: Type.Array(Type.String()),
    summary: 'All usernames with a text in them.',
    run: (ctx, { params }) => matchUsername(ctx, params.search_string) }),

  route({ method: 'GET', path: '/users/blocks', access: 'token', features, reply: Type.Array(UserHeader),
    summary: 'Users that the caller has blocked, from any account.',
    run: (ctx) => listBlocks(ctx) }),
  route({ method: 'POST', path: '/users/:user_id/block', access: 'token', features, params: user, status: 201,
    summary: 'Hides all accounts of two people from each other; 200 when the user is blocked already.',
    run: async (ctx, { params }) => new Reply(await blockUser(ctx, params.user_id) ? 201 : 200) }),
  route({ method: 'POST', path: '/users/:user_id/unblock', access: 'token', features, params: user, status: 204,
    summary: 'Takes a user off the block list.',
    run: (ctx, { params }) => unblockUser(ctx, params.user_id) }),
  route({ method: 'GET', path: '/users/mutes', access: 'token', features, reply: Type.Array(UserHeader),
    summary: 'Users that this account has muted.',
    run: (ctx) => listMutes(ctx) }),
  route({ method: 'POST', path: '/users/:user_id/mute', access: 'token', features, params: user, status: 201,
    summary: 'Hides the public content of a user from this account.',
    run: (ctx, { params }) => muteUser(ctx, params.user_id) }),
  route({ method: 'POST', path: '/users/:user_id/unmute', access: 'token', features, params: user, status: 204,
    summary: 'Shows the public content of a user again.',
    run: (ctx, { params }) => unmuteUser(ctx, params.user_id) }),

  route({ method: 'GET', path: '/users/:user_id', access: 'token', params: user, reply: UserHeader,
    summary: 'How a user appears in other answers.',
    run: (ctx, { params }) => getHeader(ctx, params.user_id) }),
  route({ method: 'GET', path: '/users/:user_id/header', access: 'token', params: user, reply: UserHeader,
    summary: 'How a user appears in other answers.',
    run: (ctx, { params }) => getHeader(ctx, params.user_id) }),
  route({ method: 'GET', path: '/users/:user_id/profile', access: 'token', params: user, reply: ProfilePublicData,
    summary: 'The profile of a user.',
    run: (ctx, { params }) => getProfile(ctx, params.user_id) }),
  route({ method: 'POST', path: '/users/:user_id/report', access: 'token', params: user, body: ReportData, status: 201,
    summary: 'Reports a user to the moderators.',
    run: (ctx, { params, body }) => reportUser(ctx, params.user_id, body.message) }),
]
