// Every endpoint under /mod.
import { pageQuery } from '../core/http/paging.ts'
import { route } from '../core/http/route.ts'
import { Int, OneOf, Type, Uuid } from '../core/schema/schema.ts'
import { accessLevels } from '../core/viewer.ts'
import { getFezModeration, getPostModeration, setFezState, setPostState } from '../fez/moderation.service.ts'
import { createCategory } from '../forum/categories.service.ts'
import { getForumModeration, getForumPostModeration, moveForum, setForumPostState, setForumState } from '../forum/moderation.service.ts'
import { CategoryCreateData, CategoryData } from '../forum/schemas.ts'
import { getTwarrtModeration, setTwarrtState } from '../microblog/moderation.service.ts'
import { setAccessLevel, setTempQuarantine } from '../users/levels.service.ts'
import { getProfileModeration, setProfileState } from '../users/moderation.service.ts'
import { listModeratorActions } from './log.service.ts'
import { closeReports, handleReports, listReports } from './report.service.ts'
import {
  FezModerationData,
  FezPostModerationData,
  ForumModerationData,
  ForumPostModerationData,
  ModeratorActionLogResponseData,
  ProfileModerationData,
  ReportModerationData,
  TwarrtModerationData,
  UserModerationData,
} from './schemas.ts'
import { settableStateNames } from './types.ts'
import { getUserModeration } from './users.service.ts'

const user = { user_id: Uuid }
const report = { report_id: Uuid }
const fez = { fez_id: Uuid }
const forum = { forum_id: Uuid }
const post = { post_id: Int }
const state = { mod_state: OneOf(settableStateNames) }

export const modRoutes = [
  route({
    method: 'GET',
    path: '/mod/reports',
    access: 'moderator',
    reply: Type.Array(ReportModerationData),
    summary: 'All reports, open and closed, newest first.',
    run: (ctx) => listReports(ctx),
  }),
  route({
    method: 'POST',
    path: '/mod/reports/:report_id/handleall',
    access: 'moderator',
    params: report,
    summary: 'Takes all reports on the same content that are not closed.',
    run: (ctx, { params }) => handleReports(ctx, params.report_id),
  }),
  route({
    method: 'POST',
    path: '/mod/reports/:report_id/closeall',
    access: 'moderator',
    params: report,
    summary: 'Closes all reports on the same content.',
    run: (ctx, { params }) => closeReports(ctx, params.report_id),
  }),
  route({
    method: 'GET',
    path: '/mod/moderationlog',
    access: 'moderator',
    query: pageQuery,
    reply: ModeratorActionLogResponseData,
    summary: 'What moderators did with what others own, newest first.',
    run: (ctx, { query }) => listModeratorActions(ctx, query),
  }),

  route({
    method: 'GET',
    path: '/mod/fez/:fez_id',
    access: 'moderator',
    params: fez,
    reply: FezModerationData,
    summary: 'A chat with nothing hidden, deleted or not, its reports and earlier texts.',
    run: (ctx, { params }) => getFezModeration(ctx, params.fez_id),
  }),
  route({
    method: 'POST',
    path: '/mod/fez/:fez_id/setstate/:mod_state',
    access: 'moderator',
    params: { ...fez, ...state },
    summary: 'Hides or locks a chat, or lets it be.',
    run: (ctx, { params }) => setFezState(ctx, params.fez_id, params.mod_state),
  }),
  route({
    method: 'GET',
    path: '/mod/fezpost/:post_id',
    access: 'moderator',
    params: post,
    reply: FezPostModerationData,
    summary: 'A post of a chat with nothing hidden, deleted or not, and its reports.',
    run: (ctx, { params }) => getPostModeration(ctx, params.post_id),
  }),
  route({
    method: 'POST',
    path: '/mod/fezpost/:post_id/setstate/:mod_state',
    access: 'moderator',
    params: { ...post, ...state },
    summary: 'Hides or locks a post of a chat, or lets it be.',
    run: (ctx, { params }) => setPostState(ctx, params.post_id, params.mod_state),
  }),

  route({
    method: 'GET',
    path: '/mod/forum/:forum_id',
    access: 'moderator',
    params: forum,
    reply: ForumModerationData,
    summary: 'A forum with its real title, deleted or not, its reports and what it was before.',
    run: (ctx, { params }) => getForumModeration(ctx, params.forum_id),
  }),
  route({
    method: 'POST',
    path: '/mod/forum/:forum_id/setstate/:mod_state',
    access: 'moderator',
    params: { ...forum, ...state },
    summary: 'Hides the title of a forum, locks the forum, or lets it be.',
    run: (ctx, { params }) => setForumState(ctx, params.forum_id, params.mod_state),
  }),
  route({
    method: 'POST',
    path: '/mod/forum/:forum_id/setcategory/:category_id',
    access: 'moderator',
    params: { ...forum, category_id: Uuid },
    summary: 'Puts a forum into another category.',
    run: (ctx, { params }) => moveForum(ctx, params.forum_id, params.category_id),
  }),
  ...(['/mod/forumpost/:post_id', '/mod/forumPost/:post_id'] as const).map((path) =>
    route({
      method: 'GET',
      path,
      access: 'moderator',
      params: post,
      reply: ForumPostModerationData,
      summary: 'A post of a forum with nothing hidden, deleted or not, its reports and what it was before.',
      run: (ctx, { params }) => getForumPostModeration(ctx, params.post_id),
    }),
  ),
  ...(['/mod/forumpost/:post_id', '/mod/forumPost/:post_id'] as const).map((path) =>
    route({
      method: 'POST',
      path: `${path}/setstate/:mod_state`,
      access: 'moderator',
      params: { ...post, ...state },
      summary: 'Hides or locks a post of a forum, or lets it be.',
      run: (ctx, { params }) => setForumPostState(ctx, params.post_id, params.mod_state),
    }),
  ),
  // The second is what apps call it.
  ...(['/mod/microblog/:post_id', '/mod/twarrt/:post_id'] as const).flatMap((path) => [
    route({
      method: 'GET',
      path,
      access: 'moderator',
      params: post,
      reply: TwarrtModerationData,
      summary: 'A post of the microblog with nothing hidden, deleted or not, its reports and what it was before.',
      run: (ctx, { params }) => getTwarrtModeration(ctx, params.post_id),
    }),
    route({
      method: 'POST',
      path: `${path}/setstate/:mod_state`,
      access: 'moderator',
      params: { ...post, ...state },
      summary: 'Hides or locks a post of the microblog, or lets it be.',
      run: (ctx, { params }) => setTwarrtState(ctx, params.post_id, params.mod_state),
    }),
  ]),
  route({
    method: 'POST',
    path: '/mod/category/create',
    access: 'moderator',
    body: CategoryCreateData,
    reply: CategoryData,
    status: 201,
    idempotent: true,
    summary: 'Creates a category of forums.',
    run: (ctx, { body }) => createCategory(ctx, body),
  }),

  route({
    method: 'GET',
    path: '/mod/profile/:user_id',
    access: 'moderator',
    params: user,
    reply: ProfileModerationData,
    summary: 'A profile with nothing hidden, its reports and what it was like before.',
    run: (ctx, { params }) => getProfileModeration(ctx, params.user_id),
  }),
  route({
    method: 'POST',
    path: '/mod/profile/:user_id/setstate/:mod_state',
    access: 'moderator',
    params: { ...user, ...state },
    summary: 'Hides or locks a profile, or lets it be.',
    run: (ctx, { params }) => setProfileState(ctx, params.user_id, params.mod_state),
  }),

  route({
    method: 'GET',
    path: '/mod/user/:user_id',
    access: 'moderator',
    params: user,
    reply: UserModerationData,
    summary: 'The person that an account belongs to, with all accounts and all reports.',
    run: (ctx, { params }) => getUserModeration(ctx, params.user_id),
  }),
  route({
    method: 'POST',
    path: '/mod/user/:user_id/setaccesslevel/:access_level',
    access: 'moderator',
    params: { ...user, access_level: OneOf(accessLevels, { ignoreCase: true }) },
    summary: 'Gives all accounts of a person another level, ends their tokens and closes their sockets.',
    run: (ctx, { params }) => setAccessLevel(ctx, params.user_id, params.access_level),
  }),
  route({
    method: 'POST',
    path: '/mod/user/:user_id/tempquarantine/:quarantine_length',
    access: 'moderator',
    params: { ...user, quarantine_length: Type.Integer({ minimum: 0, maximum: 199 }) },
    summary: 'Keeps a person from creating and changing content for some hours; 0 ends it.',
    run: (ctx, { params }) => setTempQuarantine(ctx, params.user_id, params.quarantine_length),
  }),
]
