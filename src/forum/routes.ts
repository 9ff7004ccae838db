// Every endpoint under /forum.
import { pageQuery } from '../core/http/paging.ts'
import { methodAndPath, Reply, route } from '../core/http/route.ts'
import { Int, Text, Type, Uuid } from '../core/schema/schema.ts'
import { ReportData } from '../moderation/schemas.ts'
import { imageBodyLimit } from '../image/schemas.ts'
import { maxImages } from './posts.service.ts'
import { requireImages } from '../image/service.ts'
import { createForum, getCategory, listCategories } from './categories.service.ts'
import { listFavoriteForums, listMutedForums, listOwnForums, listRecentForums, listUnreadForums, searchForums } from './lists.service.ts'
import { reportForum } from './marks.service.ts'
import { listPinnedPosts, pinForum } from './pins.service.ts'
import { clearForumFlag, favoriteForum, muteForum } from './readers.service.ts'
import {
  CategoryData,
  categoryQuery,
  ForumCreateData,
  ForumData,
  forumListQuery,
  forumQuery,
  ForumSearchData,
  forumSearchQuery,
  forumTitle,
  PostData,
} from './schemas.ts'
import { deleteForum, getForum, getForumFromPost, markForumRead, renameForum } from './threads.service.ts'
import { forumLists, forumPage, forumsOfCategory, ownForumLists, pageOfSome, postsOfForum } from './kept.ts'

const features = ['forums'] as const
const categoryID = { category_id: Uuid }
const forumID = { forum_id: Uuid }
const postID = { post_id: Int }

export const forumRoutes = [
  route({
    method: 'GET',
    path: '/forum/categories',
    access: 'flex',
    features,
    query: { cat: Type.Optional(Text({ max: 50 })) },
    reply: Type.Array(CategoryData),
    summary: 'The categories that the caller can see, without their forums.',
    kept: { tables: ['forum_category'] },
    run: (ctx, { query }) => listCategories(ctx, query.cat),
  }),
  route({
    method: 'GET',
    path: '/forum/categories/:category_id',
    access: 'token',
    features,
    params: categoryID,
    query: categoryQuery,
    reply: CategoryData,
    summary: 'A category with a page of its forums: muted ones last, pinned ones first.',
    kept: forumsOfCategory,
    run: (ctx, { params, query }) => getCategory(ctx, params.category_id, query),
  }),
  route({
    method: 'POST',
    path: '/forum/categories/:category_id/create',
    access: 'verified',
    features,
    params: categoryID,
    body: ForumCreateData,
    reply: ForumData,
    status: 201,
    idempotent: true,
    bodyLimit: imageBodyLimit,
    summary: 'Starts a forum with its first post.',
    check: (ctx, { body }) => requireImages(ctx, body.firstPost.images, maxImages(ctx), 'firstPost.images'),
    run: (ctx, { params, body }) => createForum(ctx, params.category_id, body),
  }),

  route({
    method: 'GET',
    path: '/forum/owner',
    access: 'token',
    features,
    query: forumListQuery,
    reply: ForumSearchData,
    summary: 'Forums that the caller has started, by title.',
    kept: ownForumLists,
    run: (ctx, { query }) => listOwnForums(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/forum/favorites',
    access: 'token',
    features,
    query: forumListQuery,
    reply: ForumSearchData,
    summary: 'Forums that the caller has favorited.',
    kept: ownForumLists,
    run: (ctx, { query }) => listFavoriteForums(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/forum/mutes',
    access: 'token',
    features,
    query: forumListQuery,
    reply: ForumSearchData,
    summary: 'Forums that the caller has muted.',
    kept: ownForumLists,
    run: (ctx, { query }) => listMutedForums(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/forum/unread',
    access: 'token',
    features,
    query: forumListQuery,
    reply: ForumSearchData,
    summary: 'Forums with posts that the caller has not read, without muted ones.',
    kept: forumLists,
    run: (ctx, { query }) => listUnreadForums(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/forum/recent',
    access: 'token',
    features,
    query: pageQuery,
    reply: ForumSearchData,
    summary: 'Forums that the caller has had to do with, the latest first.',
    kept: ownForumLists,
    run: (ctx, { query }) => listRecentForums(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/forum/search',
    access: 'token',
    features,
    query: forumSearchQuery,
    reply: ForumSearchData,
    summary: 'Forums that match all of the given filters.',
    kept: forumLists,
    run: (ctx, { query }) => searchForums(ctx, query),
  }),

  route({
    method: 'GET',
    path: '/forum/:forum_id',
    access: 'token',
    features,
    params: forumID,
    query: forumQuery,
    reply: ForumData,
    summary:
      'A forum with a page of its posts, which count as read afterwards. Without start and startPost, the page with the last ' +
      'post that was read.',
    kept: forumPage,
    run: (ctx, { params, query }) => getForum(ctx, params.forum_id, query),
  }),
  route({
    method: 'GET',
    path: '/forum/post/:post_id/forum',
    access: 'token',
    features,
    params: postID,
    query: forumQuery,
    reply: ForumData,
    summary: 'The forum of a post, from that post on.',
    kept: pageOfSome,
    run: (ctx, { params, query }) => getForumFromPost(ctx, params.post_id, query),
  }),
  route({
    method: 'POST',
    path: '/forum/:forum_id/markRead',
    access: 'token',
    features,
    params: forumID,
    status: 201,
    alreadySo: true,
    summary: 'Marks everything in a forum as read; 200 when it was.',
    run: async (ctx, { params }) => new Reply((await markForumRead(ctx, params.forum_id)) ? 201 : 200),
  }),
  route({
    method: 'POST',
    path: '/forum/:forum_id/rename/:new_name',
    access: 'verified',
    features,
    params: { ...forumID, new_name: forumTitle },
    status: 201,
    summary: 'Gives a forum another title. For its creator and moderators.',
    run: (ctx, { params }) => renameForum(ctx, params.forum_id, params.new_name),
  }),
  ...(['POST /forum/:forum_id/delete', 'DELETE /forum/:forum_id'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'moderator',
      features,
      params: forumID,
      status: 204,
      summary: 'Deletes a forum with all its posts.',
      run: (ctx, { params }) => deleteForum(ctx, params.forum_id),
    }),
  ),

  route({
    method: 'POST',
    path: '/forum/:forum_id/favorite',
    access: 'token',
    features,
    params: forumID,
    status: 201,
    alreadySo: true,
    summary: 'Favorites a forum; 200 when it was.',
    run: async (ctx, { params }) => new Reply((await favoriteForum(ctx, params.forum_id)) ? 201 : 200),
  }),
  ...(['POST /forum/:forum_id/favorite/remove', 'DELETE /forum/:forum_id/favorite'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: forumID,
      status: 204,
      alreadySo: true,
      summary: 'Takes a forum off the favorites; 200 when it was none.',
      run: async (ctx, { params }) => new Reply((await clearForumFlag(ctx, params.forum_id, 'isFavorite')) ? 204 : 200),
    }),
  ),
  route({
    method: 'POST',
    path: '/forum/:forum_id/mute',
    access: 'token',
    features,
    params: forumID,
    status: 201,
    alreadySo: true,
    summary: 'Mutes a forum; 200 when it was.',
    run: async (ctx, { params }) => new Reply((await muteForum(ctx, params.forum_id)) ? 201 : 200),
  }),
  ...(['POST /forum/:forum_id/mute/remove', 'DELETE /forum/:forum_id/mute'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: forumID,
      status: 204,
      alreadySo: true,
      summary: 'Ends the muting of a forum; 200 when it was not muted.',
      run: async (ctx, { params }) => new Reply((await clearForumFlag(ctx, params.forum_id, 'isMuted')) ? 204 : 200),
    }),
  ),

  route({
    method: 'GET',
    path: '/forum/:forum_id/pinnedposts',
    access: 'token',
    features,
    params: forumID,
    reply: Type.Array(PostData),
    summary: 'The pinned posts of a forum, in order.',
    kept: postsOfForum,
    run: (ctx, { params }) => listPinnedPosts(ctx, params.forum_id),
  }),
  route({
    method: 'POST',
    path: '/forum/:forum_id/pin',
    access: 'moderator',
    features,
    params: forumID,
    status: 201,
    alreadySo: true,
    summary: 'Pins a forum first in its category; 200 when it was.',
    run: async (ctx, { params }) => new Reply((await pinForum(ctx, params.forum_id, true)) ? 201 : 200),
  }),
  ...(['POST /forum/:forum_id/pin/remove', 'DELETE /forum/:forum_id/pin'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'moderator',
      features,
      params: forumID,
      status: 204,
      alreadySo: true,
      summary: 'Unpins a forum; 200 when it was not pinned.',
      run: async (ctx, { params }) => new Reply((await pinForum(ctx, params.forum_id, false)) ? 204 : 200),
    }),
  ),

  route({
    method: 'POST',
    path: '/forum/:forum_id/report',
    access: 'token',
    features,
    params: forumID,
    body: ReportData,
    status: 201,
    summary: 'Reports a forum to the moderators.',
    run: (ctx, { params, body }) => reportForum(ctx, params.forum_id, body.message),
  }),
]
