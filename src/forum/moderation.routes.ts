// Forums, their posts and categories, for moderators.
import { route } from '../core/http/route.ts'
import { DateTime, Int, OneOf, Type, Uuid } from '../core/schema/schema.ts'
import { basedOnVersion } from '../moderation/schemas.ts'
import { settableStateNames } from '../moderation/types.ts'
import { SlowModeData } from '../post/pace.service.ts'
import { createCategory } from './categories.service.ts'
import { ForumModerationData, ForumPostModerationData } from './moderation.schemas.ts'
import {
  getForumModeration,
  getForumPostModeration,
  moveForum,
  setForumPostState,
  setForumSlowMode,
  setForumState,
} from './moderation.service.ts'
import { changeCategory, listManagedCategories, orderCategories, removeCategory } from './managed.service.ts'
import { CategoryChangeData, CategoryCreateData, CategoryData, CategoryOrderData, ManagedCategoryData } from './schemas.ts'

const forum = { forum_id: Uuid }
const post = { post_id: Int }
const state = { mod_state: OneOf(settableStateNames) }

export const forumModerationRoutes = [
  route({
    method: 'GET',
    path: '/mod/forum/:forum_id',
    access: 'moderator',
    params: forum,
    reply: ForumModerationData,
    summary: 'A forum with its real title, deleted or not, its reports and what it was before.',
    cached: { tables: ['forum', 'forum_category', 'forum_edit', 'report', 'audit'] },
    run: (ctx, { params }) => getForumModeration(ctx, params.forum_id),
  }),
  route({
    method: 'POST',
    path: '/mod/forum/:forum_id/setstate/:mod_state',
    access: 'moderator',
    params: { ...forum, ...state },
    query: basedOnVersion,
    summary: 'Hides the title of a forum, locks the forum, or lets it be.',
    run: (ctx, { params, query }) => setForumState(ctx, params.forum_id, params.mod_state, query.basedOn),
  }),
  route({
    method: 'POST',
    path: '/mod/forum/:forum_id/slowmode',
    access: 'moderator',
    params: forum,
    query: { basedOn: Type.Optional(Int) },
    body: SlowModeData,
    summary: 'Slow mode of a forum: each person posts once in so many seconds. Moderators are exempt.',
    run: (ctx, { params, query, body }) => setForumSlowMode(ctx, params.forum_id, body, query.basedOn),
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
      cached: { tables: ['forum', 'forum_category', 'forum_post', 'forum_post_edit', 'report', 'audit'] },
      run: (ctx, { params }) => getForumPostModeration(ctx, params.post_id),
    }),
  ),
  ...(['/mod/forumpost/:post_id', '/mod/forumPost/:post_id'] as const).map((path) =>
    route({
      method: 'POST',
      path: `${path}/setstate/:mod_state`,
      access: 'moderator',
      params: { ...post, ...state },
      query: basedOnVersion,
      summary: 'Hides or locks a post of a forum, or lets it be.',
      run: (ctx, { params, query }) => setForumPostState(ctx, params.post_id, params.mod_state, query.basedOn),
    }),
  ),
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
    path: '/mod/categories',
    access: 'moderator',
    reply: Type.Array(ManagedCategoryData),
    summary: 'The categories of forums that the caller can see, in order, with the levels that see them and that start forums in them.',
    cached: { tables: ['forum_category'] },
    run: (ctx) => listManagedCategories(ctx),
  }),
  route({
    method: 'POST',
    path: '/mod/categories/order',
    access: 'moderator',
    body: CategoryOrderData,
    status: 204,
    summary: 'Puts the categories of forums in order, for everybody.',
    run: (ctx, { body }) => orderCategories(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/mod/category/:category_id/update',
    access: 'moderator',
    params: { category_id: Uuid },
    body: CategoryChangeData,
    reply: ManagedCategoryData,
    summary: 'Changes the words of a category, who sees it, and who starts forums in it.',
    run: (ctx, { params, body }) => changeCategory(ctx, params.category_id, body),
  }),
  route({
    method: 'DELETE',
    path: '/mod/category/:category_id',
    access: 'moderator',
    params: { category_id: Uuid },
    query: { basedOn: Type.Optional(DateTime) },
    summary: 'Deletes a category that no forum is or was in.',
    run: (ctx, { params, query }) => removeCategory(ctx, params.category_id, query.basedOn),
  }),
]
