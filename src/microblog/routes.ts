// Every endpoint under /microblog.
import { methodAndPath, Reply, route, type Cached } from '../core/http/route.ts'
import { Int, Text, Type, Uuid } from '../core/schema/schema.ts'
import { PostContentData } from '../post/schemas.ts'
import { ReportData } from '../moderation/schemas.ts'
import { ImageUploadData, imageBodyLimit } from '../image/schemas.ts'
import { requireImages, requireUploads } from '../image/service.ts'
import { changeImages, changePost, deletePost } from '../post/edits.service.ts'
import { bookmarkPost, react, reportPost, unbookmarkPost } from '../post/marks.service.ts'
import { SlowModeData } from '../post/pace.service.ts'
import { reactions } from '../post/types.ts'
import { listPosts, listPostsOf, listPostsOfBarrel, listTaggedPosts } from './lists.service.ts'
import { createPost, getPost, maxImages, microblogPosts, replyTo, slowMode } from './posts.service.ts'
import { MicroblogPostData, MicroblogPostDetailData, microblogQuery } from './schemas.ts'

const features = ['tweets'] as const
const postID = { post_id: Int }
const searched = Text({ max: 200 })
const cached: Cached = { tables: ['microblog_post', 'microblog_post_mark', 'barrel', 'barrel_user'] }
const list = { method: 'GET', access: 'token', features, query: microblogQuery, reply: Type.Array(MicroblogPostData), cached } as const

export const microblogRoutes = [
  route({
    method: 'GET',
    path: '/microblog/slowmode',
    access: 'token',
    features,
    reply: SlowModeData,
    summary: 'Slow mode of the microblog: how many seconds there are between two posts of a person; 0 without it.',
    run: (ctx) => slowMode(ctx),
  }),
  route({
    ...list,
    path: '/microblog',
    summary: 'Posts that match all of the given filters, newest first; a group of answers oldest first.',
    run: (ctx, { query }) => listPosts(ctx, query),
  }),
  route({
    ...list,
    path: '/microblog/bookmarks',
    summary: 'Posts that the caller has bookmarked.',
    run: (ctx, { query }) => listPosts(ctx, query, { bookmarked: true }),
  }),
  route({
    ...list,
    path: '/microblog/likes',
    summary: 'Posts that the caller has reacted to.',
    run: (ctx, { query }) => listPosts(ctx, query, { likeType: query.likeType ?? 'all' }),
  }),
  route({
    ...list,
    path: '/microblog/mentions',
    summary: 'Posts that mention the caller.',
    run: (ctx, { query }) => listPosts(ctx, query, { mentionSelf: true }),
  }),
  route({
    ...list,
    path: '/microblog/user',
    summary: 'Posts by the caller.',
    run: (ctx, { query }) => listPosts(ctx, query, { byUser: ctx.viewer.id }),
  }),
  route({
    ...list,
    path: '/microblog/user/:user_id',
    params: { user_id: Uuid },
    summary: 'Posts by a user.',
    run: (ctx, { params, query }) => listPostsOf(ctx, query, params.user_id),
  }),
  route({
    ...list,
    path: '/microblog/barrel/:barrel_id',
    params: { barrel_id: Uuid },
    summary: 'Posts by the users of a list, whoever has made it.',
    run: (ctx, { params, query }) => listPostsOfBarrel(ctx, query, params.barrel_id),
  }),
  route({
    ...list,
    path: '/microblog/hashtag/:hashtag',
    params: { hashtag: searched },
    summary: 'Posts with this hashtag, which begins with #.',
    run: (ctx, { params, query }) => listTaggedPosts(ctx, query, params.hashtag),
  }),
  route({
    ...list,
    path: '/microblog/search/:search_string',
    params: { search_string: searched },
    summary: 'Posts with these words.',
    run: (ctx, { params, query }) => listPosts(ctx, query, { search: params.search_string }),
  }),

  route({
    method: 'POST',
    path: '/microblog/create',
    access: 'verified',
    features,
    body: PostContentData,
    reply: MicroblogPostData,
    status: 201,
    idempotent: true,
    bodyLimit: imageBodyLimit,
    summary: 'Writes a post.',
    check: (ctx, { body }) => requireImages(ctx, body.images, maxImages),
    run: (ctx, { body }) => createPost(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/microblog/:post_id/reply',
    access: 'verified',
    features,
    params: postID,
    body: PostContentData,
    reply: MicroblogPostData,
    status: 201,
    idempotent: true,
    bodyLimit: imageBodyLimit,
    summary: 'Answers a post.',
    check: (ctx, { body }) => requireImages(ctx, body.images, maxImages),
    run: (ctx, { params, body }) => replyTo(ctx, params.post_id, body),
  }),
  route({
    method: 'GET',
    path: '/microblog/:post_id',
    access: 'token',
    features,
    params: postID,
    reply: MicroblogPostDetailData,
    summary: 'A post with everybody who has reacted to it.',
    cached: { tables: ['microblog_post', 'microblog_post_mark'] },
    run: (ctx, { params }) => getPost(ctx, params.post_id),
  }),
  route({
    method: 'POST',
    path: '/microblog/:post_id/update',
    access: 'verified',
    features,
    params: postID,
    body: PostContentData,
    reply: MicroblogPostData,
    bodyLimit: imageBodyLimit,
    summary: 'Replaces text and images of a post. For its author and moderators.',
    check: (ctx, { body }) => requireImages(ctx, body.images, maxImages),
    run: (ctx, { params, body }) => changePost(ctx, microblogPosts, params.post_id, body),
  }),
  ...(['POST /microblog/:post_id/delete', 'DELETE /microblog/:post_id'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'verified',
      features,
      params: postID,
      status: 204,
      summary: 'Deletes a post. For its author and moderators.',
      run: (ctx, { params }) => deletePost(ctx, microblogPosts, params.post_id),
    }),
  ),
  route({
    method: 'POST',
    path: '/microblog/:post_id/image',
    access: 'verified',
    features,
    params: postID,
    body: ImageUploadData,
    reply: MicroblogPostData,
    bodyLimit: imageBodyLimit,
    summary: 'Makes this the only image of a post.',
    check: (ctx, { body }) => requireUploads(ctx, [['', body]]),
    run: (ctx, { params, body }) => changeImages(ctx, microblogPosts, params.post_id, [body]),
  }),
  route({
    method: 'POST',
    path: '/microblog/:post_id/image/remove',
    access: 'verified',
    features,
    params: postID,
    reply: MicroblogPostData,
    summary: 'Removes all images of a post.',
    run: (ctx, { params }) => changeImages(ctx, microblogPosts, params.post_id, []),
  }),

  ...reactions.map((reaction) =>
    route({
      method: 'POST',
      path: `/microblog/:post_id/${reaction}`,
      access: 'token',
      features,
      params: postID,
      reply: MicroblogPostData,
      summary: 'Reacts to a post of somebody else, in place of an earlier reaction.',
      run: (ctx, { params }) => react(ctx, microblogPosts, params.post_id, reaction),
    }),
  ),
  ...(['POST /microblog/:post_id/unreact', ...reactions.map((reaction) => `DELETE /microblog/:post_id/${reaction}` as const)] as const).map(
    (twin) =>
      route({
        ...methodAndPath(twin),
        access: 'token',
        features,
        params: postID,
        reply: MicroblogPostData,
        summary: 'Takes a reaction back, whichever it is.',
        run: (ctx, { params }) => react(ctx, microblogPosts, params.post_id, null),
      }),
  ),
  route({
    method: 'POST',
    path: '/microblog/:post_id/bookmark',
    access: 'token',
    features,
    params: postID,
    status: 201,
    summary: 'Bookmarks a post; 201 also when it was.',
    run: async (ctx, { params }) => {
      await bookmarkPost(ctx, 'microblog', params.post_id)
      return new Reply(201)
    },
  }),
  ...(['POST /microblog/:post_id/bookmark/remove', 'DELETE /microblog/:post_id/bookmark'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: postID,
      status: 204,
      summary: 'Ends a bookmark, if there is one.',
      run: (ctx, { params }) => unbookmarkPost(ctx, 'microblog', params.post_id, { mustExist: false }),
    }),
  ),
  route({
    method: 'POST',
    path: '/microblog/:post_id/report',
    access: 'token',
    features,
    params: postID,
    body: ReportData,
    status: 201,
    summary: 'Reports a post to the moderators.',
    run: (ctx, { params, body }) => reportPost(ctx, microblogPosts, params.post_id, body.message),
  }),
]
