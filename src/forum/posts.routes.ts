// Every endpoint about single posts of forums.
import { methodAndPath, Reply, route } from '../core/http/route.ts'
import { Int, Text, Type, Uuid } from '../core/schema/schema.ts'
import { PostContentData } from '../post/schemas.ts'
import { ReportData } from '../moderation/schemas.ts'
import { ImageUploadData, imageBodyLimit } from '../image/schemas.ts'
import { requireImages, requireUploads } from '../image/service.ts'
import { changeImages, changePost, deletePost } from '../post/edits.service.ts'
import { bookmarkPost, react, reportPost, unbookmarkPost } from '../post/marks.service.ts'
import { reactions } from '../post/types.ts'
import { getPost } from './marks.service.ts'
import { pinPost } from './pins.service.ts'
import { addPost, forumPosts, maxImages } from './posts.service.ts'
import { PostData, PostDetailData, PostSearchData, postSearchQuery } from './schemas.ts'
import { listPosts, listTaggedPosts, searchInForum, searchPosts } from './search.service.ts'
import { postsOfForum, someForumPosts } from './cached.ts'

const features = ['forums'] as const
const forumID = { forum_id: Uuid }
const postID = { post_id: Int }
const searched = Text({ max: 200 })

export const forumPostRoutes = [
  route({
    method: 'POST',
    path: '/forum/:forum_id/create',
    clientName: 'post',
    access: 'verified',
    features,
    params: forumID,
    body: PostContentData,
    reply: PostData,
    status: 201,
    idempotent: true,
    bodyLimit: imageBodyLimit,
    summary: 'Posts in a forum.',
    check: (ctx, { body }) => requireImages(ctx, body.images, maxImages(ctx)),
    run: (ctx, { params, body }) => addPost(ctx, params.forum_id, body),
  }),
  ...(['/forum/post/:post_id/update', '/forum/post/:post_id'] as const).map((path) =>
    route({
      method: 'POST',
      path,
      clientName: path === '/forum/post/:post_id' ? false : 'updatePost',
      access: 'verified',
      features,
      params: postID,
      body: PostContentData,
      reply: PostData,
      bodyLimit: imageBodyLimit,
      summary: 'Replaces text and images of a post. For its author and moderators.',
      check: (ctx, { body }) => requireImages(ctx, body.images, maxImages(ctx)),
      run: (ctx, { params, body }) => changePost(ctx, forumPosts, params.post_id, body),
    }),
  ),
  ...(['POST /forum/post/:post_id/delete', 'DELETE /forum/post/:post_id'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'verified',
      features,
      params: postID,
      status: 204,
      summary: 'Deletes a post. For its author and moderators.',
      run: (ctx, { params }) => deletePost(ctx, forumPosts, params.post_id),
    }),
  ),
  route({
    method: 'POST',
    path: '/forum/post/:post_id/image',
    access: 'verified',
    features,
    params: postID,
    body: ImageUploadData,
    reply: PostData,
    bodyLimit: imageBodyLimit,
    summary: 'Makes this the only image of a post.',
    check: (ctx, { body }) => requireUploads(ctx, [['', body]]),
    run: (ctx, { params, body }) => changeImages(ctx, forumPosts, params.post_id, [body]),
  }),
  route({
    method: 'POST',
    path: '/forum/post/:post_id/image/remove',
    access: 'verified',
    features,
    params: postID,
    reply: PostData,
    summary: 'Removes all images of a post.',
    run: (ctx, { params }) => changeImages(ctx, forumPosts, params.post_id, []),
  }),

  route({
    method: 'POST',
    path: '/forum/post/:post_id/pin',
    access: 'verified',
    features,
    params: postID,
    status: 201,
    alreadySo: true,
    summary: 'Pins a post in its forum; 200 when it was. For the creator of the forum and moderators.',
    run: async (ctx, { params }) => new Reply((await pinPost(ctx, params.post_id, true)) ? 201 : 200),
  }),
  ...(['POST /forum/post/:post_id/pin/remove', 'DELETE /forum/post/:post_id/pin'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'verified',
      features,
      params: postID,
      status: 204,
      alreadySo: true,
      summary: 'Unpins a post; 200 when it was not pinned.',
      run: async (ctx, { params }) => new Reply((await pinPost(ctx, params.post_id, false)) ? 204 : 200),
    }),
  ),

  route({
    method: 'GET',
    path: '/forum/post/search',
    access: 'token',
    features,
    query: postSearchQuery,
    reply: PostSearchData,
    summary: 'Posts that match all of the given filters, newest first.',
    cached: someForumPosts,
    run: (ctx, { query }) => searchPosts(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/forum/post/search/:search_string',
    access: 'token',
    features,
    params: { search_string: searched },
    query: postSearchQuery,
    reply: Type.Array(PostData),
    summary: 'Posts with these words, newest first.',
    cached: someForumPosts,
    run: (ctx, { params, query }) => listPosts(ctx, query, { search: params.search_string }),
  }),
  route({
    method: 'GET',
    path: '/forum/post/hashtag/:hashtag',
    access: 'token',
    features,
    params: { hashtag: searched },
    query: postSearchQuery,
    reply: Type.Array(PostData),
    summary: 'Posts with this hashtag, which begins with #, newest first.',
    cached: someForumPosts,
    run: (ctx, { params, query }) => listTaggedPosts(ctx, query, params.hashtag),
  }),
  route({
    method: 'GET',
    path: '/forum/:forum_id/search/:search_string',
    clientName: 'searchIn',
    access: 'token',
    features,
    params: { ...forumID, search_string: searched },
    query: postSearchQuery,
    reply: Type.Array(PostData),
    summary: 'Posts of a forum with these words, newest first.',
    cached: postsOfForum,
    run: (ctx, { params, query }) => searchInForum(ctx, params.forum_id, query, params.search_string),
  }),
  ...(
    [
      ['bookmarks', { bookmarked: true }],
      ['likes', { ownreacts: true }],
      ['mentions', { mentionself: true }],
      ['posts', { byself: true }],
    ] as const
  ).map(([name, only]) =>
    route({
      method: 'GET',
      path: `/forum/${name}`,
      access: 'token',
      features,
      query: postSearchQuery,
      reply: Type.Array(PostData),
      summary:
        {
          bookmarks: 'Posts that the caller has bookmarked',
          likes: 'Posts that the caller has reacted to',
          mentions: 'Posts that mention the caller',
          posts: 'Posts by the caller',
        }[name] + ', newest first.',
      cached: someForumPosts,
      run: (ctx, { query }) => listPosts(ctx, query, only),
    }),
  ),

  route({
    method: 'GET',
    path: '/forum/post/:post_id',
    clientName: 'getPost',
    access: 'token',
    features,
    params: postID,
    reply: PostDetailData,
    summary: 'A post with everybody who has reacted to it.',
    cached: someForumPosts,
    run: (ctx, { params }) => getPost(ctx, params.post_id),
  }),
  ...reactions.map((reaction) =>
    route({
      method: 'POST',
      path: `/forum/post/:post_id/${reaction}`,
      access: 'token',
      features,
      params: postID,
      reply: PostData,
      summary: 'Reacts to a post of somebody else, in place of an earlier reaction.',
      run: (ctx, { params }) => react(ctx, forumPosts, params.post_id, reaction),
    }),
  ),
  ...(
    ['POST /forum/post/:post_id/unreact', ...reactions.map((reaction) => `DELETE /forum/post/:post_id/${reaction}` as const)] as const
  ).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: postID,
      reply: PostData,
      summary: 'Takes a reaction back, whichever it is.',
      run: (ctx, { params }) => react(ctx, forumPosts, params.post_id, null),
    }),
  ),
  route({
    method: 'POST',
    path: '/forum/post/:post_id/bookmark',
    access: 'token',
    features,
    params: postID,
    status: 201,
    alreadySo: true,
    summary: 'Bookmarks a post; 200 when it was.',
    run: async (ctx, { params }) => new Reply((await bookmarkPost(ctx, 'forum', params.post_id)) ? 201 : 200),
  }),
  ...(['POST /forum/post/:post_id/bookmark/remove', 'DELETE /forum/post/:post_id/bookmark'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: postID,
      status: 204,
      summary: 'Ends a bookmark, if there is one.',
      run: (ctx, { params }) => unbookmarkPost(ctx, 'forum', params.post_id, { mustExist: true }),
    }),
  ),
  route({
    method: 'POST',
    path: '/forum/post/:post_id/report',
    access: 'token',
    features,
    params: postID,
    body: ReportData,
    status: 201,
    summary: 'Reports a post to the moderators.',
    run: (ctx, { params, body }) => reportPost(ctx, forumPosts, params.post_id, body.message),
  }),
]
