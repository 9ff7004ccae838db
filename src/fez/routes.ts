// Every endpoint under /fez.
import { methodAndPath, Reply, route, type Cached, socketRoute } from '../core/http/route.ts'
import { pageQuery } from '../core/http/paging.ts'
import { Int, Text, Type, Uuid } from '../core/schema/schema.ts'
import { imageBodyLimit } from '../image/schemas.ts'
import { requireImages } from '../image/service.ts'
import { listFormer, listJoined, listOpen, listOwned } from './lists.service.ts'
import { addPost, deletePost, deletePostIn, reportPost } from './posts.service.ts'
import { reportPosts } from './excerpts.service.ts'
import { createFez } from './creating.service.ts'
import { favoriteFez, muteFez } from './marks.service.ts'
import { getFez, markFezRead } from './reading.service.ts'
import {
  FezContentData,
  FezData,
  FezListData,
  fezJoinedQuery,
  fezListQuery,
  fezOwnerQuery,
  FezPostsReportData,
  FezWithPostData,
  SocketFezMemberChangeData,
  SocketFezPostData,
  SocketFezWatchingData,
} from './schemas.ts'
import { PostContentData } from '../post/schemas.ts'
import { ReportData } from '../moderation/schemas.ts'
import { addUser, cancelFez, deleteFez, joinFez, removeUser, reportFez, unjoinFez, updateFez } from './service.ts'
import { openFezSocket } from './socket.service.ts'
import { fezTypeLabels } from './types.ts'

const features = ['friendlyfez'] as const
const fezID = { fezID: Uuid }
const postID = { postID: Int }
const member = { fezID: Uuid, userID: Uuid }

/** A user's channel hears of every change of the user's chats. */
const ownChats: Cached = {
  tables: [],
  parts: { fez: 'viewer', fez_member: 'viewer', fez_post: 'viewer', fez_inbox_reader: 'viewer' },
  everySecond: /hidepast|%/i,
}

export const fezRoutes = [
  route({
    method: 'GET',
    path: '/fez/types',
    access: 'flex',
    features,
    reply: Type.Array(Type.String()),
    summary: 'Names of the kinds of chat, for people.',
    run: () => Object.values(fezTypeLabels),
  }),

  route({
    method: 'GET',
    path: '/fez/open',
    access: 'token',
    features,
    query: fezListQuery,
    reply: FezListData,
    summary: 'LFG groups that the caller could join.',
    cached: { tables: ['fez', 'fez_member', 'fez_post'], everySecond: true },
    run: (ctx, { query }) => listOpen(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/fez/joined',
    access: 'token',
    features,
    query: fezJoinedQuery,
    reply: FezListData,
    summary: 'Chats that the caller is a member of; muted ones last, then by latest change.',
    cached: ownChats,
    run: (ctx, { query }) => listJoined(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/fez/former',
    access: 'token',
    features,
    query: { ...pageQuery, foruser: Type.Optional(Text({ max: 50 })) },
    reply: FezListData,
    summary: 'Chats that the caller has left or was removed from, deleted ones too; newest first.',
    cached: { tables: ['fez', 'fez_edit', 'fez_member', 'fez_post', 'fez_inbox_reader'] },
    run: (ctx, { query }) => listFormer(ctx, query),
  }),
  route({
    method: 'GET',
    path: '/fez/owner',
    access: 'token',
    features,
    query: fezOwnerQuery,
    reply: FezListData,
    summary: 'Chats that the caller owns, newest first.',
    cached: ownChats,
    run: (ctx, { query }) => listOwned(ctx, query),
  }),

  route({
    method: 'POST',
    path: '/fez/create',
    access: 'verified',
    features,
    body: FezContentData,
    reply: FezData,
    status: 201,
    idempotent: true,
    bodyLimit: imageBodyLimit,
    summary: 'Creates an LFG group or a private thread, with its first post if there is one.',
    check: (ctx, { body }) => requireImages(ctx, body.firstPost?.images ?? [], 1, 'firstPost.images'),
    run: (ctx, { body }) => createFez(ctx, body),
  }),
  route({
    method: 'GET',
    path: '/fez/:fezID',
    access: 'token',
    features,
    params: fezID,
    query: { start: Type.Optional(Int), limit: Type.Optional(Int), peek: Type.Optional(Type.Boolean()) },
    reply: FezData,
    summary: 'A chat with a page of its posts, which count as read afterwards unless the caller only peeks.',
    run: (ctx, { params, query }) => getFez(ctx, params.fezID, query),
  }),
  route({
    method: 'POST',
    path: '/fez/:fezID/update',
    access: 'token',
    features,
    params: fezID,
    body: FezContentData,
    reply: FezData,
    summary: 'Replaces the texts, times and capacity of a chat, and un-cancels it.',
    run: (ctx, { params, body }) => updateFez(ctx, params.fezID, body),
  }),
  route({
    method: 'POST',
    path: '/fez/:fezID/cancel',
    access: 'token',
    features,
    params: fezID,
    reply: FezData,
    summary: 'Calls a group off.',
    run: (ctx, { params }) => cancelFez(ctx, params.fezID),
  }),
  ...(['POST /fez/:fezID/delete', 'DELETE /fez/:fezID'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: fezID,
      status: 204,
      summary: 'Deletes a chat. For moderators; owners can delete a personal event.',
      run: (ctx, { params }) => deleteFez(ctx, params.fezID),
    }),
  ),
  route({
    method: 'POST',
    path: '/fez/:fezID/report',
    access: 'token',
    features,
    params: fezID,
    body: ReportData,
    status: 201,
    summary: 'Reports a chat to the moderators.',
    run: (ctx, { params, body }) => reportFez(ctx, params.fezID, body),
  }),
  route({
    method: 'POST',
    path: '/fez/:fezID/reportposts',
    access: 'token',
    features,
    params: fezID,
    body: FezPostsReportData,
    status: 201,
    summary:
      'Reports messages of a chat that the caller is in, also of a private one: the moderators get a copy of these messages, the title ' +
      'and who is in the chat, and nothing else of it.',
    run: (ctx, { params, body }) => reportPosts(ctx, params.fezID, body),
  }),

  route({
    method: 'POST',
    path: '/fez/:fezID/join',
    access: 'token',
    features,
    params: fezID,
    reply: FezData,
    status: 201,
    summary: 'Joins an LFG group or an unlisted event, or its waiting list when it is full.',
    run: (ctx, { params }) => joinFez(ctx, params.fezID),
  }),
  route({
    method: 'POST',
    path: '/fez/:fezID/unjoin',
    access: 'token',
    features,
    params: fezID,
    reply: FezData,
    summary: 'Leaves a chat; the first in the waiting list moves up.',
    run: (ctx, { params }) => unjoinFez(ctx, params.fezID),
  }),
  route({
    method: 'POST',
    path: '/fez/:fezID/user/:userID/add',
    access: 'token',
    features,
    params: member,
    reply: FezData,
    summary: 'The owner adds a user.',
    run: (ctx, { params }) => addUser(ctx, params.fezID, params.userID),
  }),
  route({
    method: 'POST',
    path: '/fez/:fezID/user/:userID/remove',
    access: 'token',
    features,
    params: member,
    reply: FezData,
    summary: 'The owner or a moderator removes a user.',
    run: (ctx, { params }) => removeUser(ctx, params.fezID, params.userID),
  }),

  route({
    method: 'POST',
    path: '/fez/:fezID/mute',
    access: 'token',
    features,
    params: fezID,
    status: 201,
    alreadySo: true,
    summary: 'No more unread numbers and notices from this chat; 200 when it was muted already.',
    run: async (ctx, { params }) => new Reply((await muteFez(ctx, params.fezID, true)) ? 201 : 200),
  }),
  ...(['POST /fez/:fezID/mute/remove', 'DELETE /fez/:fezID/mute'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: fezID,
      status: 204,
      alreadySo: true,
      summary: 'Ends the muting of a chat; 200 when it was not muted.',
      run: async (ctx, { params }) => new Reply((await muteFez(ctx, params.fezID, false)) ? 204 : 200),
    }),
  ),
  route({
    method: 'POST',
    path: '/fez/:fezID/favorite',
    access: 'token',
    features,
    params: fezID,
    status: 201,
    alreadySo: true,
    summary: 'Makes a chat a favorite of the caller; 200 when it was one already.',
    run: async (ctx, { params }) => new Reply((await favoriteFez(ctx, params.fezID, true)) ? 201 : 200),
  }),
  ...(['POST /fez/:fezID/favorite/remove', 'DELETE /fez/:fezID/favorite'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: fezID,
      status: 204,
      alreadySo: true,
      summary: 'A chat is no favorite of the caller any more; 200 when it was none.',
      run: async (ctx, { params }) => new Reply((await favoriteFez(ctx, params.fezID, false)) ? 204 : 200),
    }),
  ),
  route({
    method: 'POST',
    path: '/fez/:fezID/markRead',
    access: 'token',
    features,
    params: fezID,
    query: { upTo: Type.Optional(Int) },
    status: 201,
    alreadySo: true,
    summary: 'The caller has read all posts of a chat, or those up to the one named; 200 when none of them was unread.',
    run: async (ctx, { params, query }) => new Reply((await markFezRead(ctx, params.fezID, query.upTo)) ? 201 : 200),
  }),

  route({
    method: 'POST',
    path: '/fez/:fezID/post',
    access: 'verified',
    features,
    params: fezID,
    body: PostContentData,
    reply: FezWithPostData,
    status: 201,
    idempotent: true,
    bodyLimit: imageBodyLimit,
    summary: 'Posts in a chat.',
    check: (ctx, { body }) => requireImages(ctx, body.images, 1),
    run: (ctx, { params, body }) => addPost(ctx, params.fezID, body),
  }),
  route({
    method: 'POST',
    path: '/fez/:fezID/post/:postID/delete',
    access: 'token',
    features,
    params: { ...fezID, ...postID },
    reply: FezData,
    summary: 'Deletes a post and answers with its chat.',
    run: (ctx, { params }) => deletePostIn(ctx, params.fezID, params.postID),
  }),
  ...(['POST /fez/post/:postID/delete', 'DELETE /fez/post/:postID'] as const).map((twin) =>
    route({
      ...methodAndPath(twin),
      access: 'token',
      features,
      params: postID,
      status: 204,
      summary: 'Deletes a post.',
      run: (ctx, { params }) => deletePost(ctx, params.postID),
    }),
  ),
  route({
    method: 'POST',
    path: '/fez/post/:postID/report',
    access: 'token',
    features,
    params: postID,
    body: ReportData,
    status: 201,
    summary: 'Reports a post to the moderators.',
    run: (ctx, { params, body }) => reportPost(ctx, params.postID, body),
  }),
]

export const fezSockets = [
  socketRoute({
    path: '/fez/:fezID/socket',
    features,
    params: fezID,
    query: { after: Type.Optional(Int), watching: Type.Optional(Type.Boolean()) },
    sends: [SocketFezPostData, SocketFezMemberChangeData, SocketFezWatchingData],
    summary:
      'New posts of a chat, and who comes and goes. With after, the id of the last post that the client has, first the posts it ' +
      'has missed; 400 when there are more than 500. With watching=true also the other members who have such a socket open, whenever ' +
      'that changes; not in chats of more than 50 members.',
    open: (ctx, params, query) => openFezSocket(ctx, params.fezID, query),
  }),
]
