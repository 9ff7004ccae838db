// Every endpoint about single posts of forums.
import { methodAndPath, Reply, route } from '../core/route.ts'
import { Int, Uuid } from '../core/schema.ts'
import { PostContentData } from '../fez/schemas.ts'
import { ImageUploadData } from '../image/schemas.ts'
import { pinPost } from './pins.service.ts'
import { addPost, changeImages, changePost, deletePost } from './posts.service.ts'
import { PostData } from './schemas.ts'

const features = ['forums'] as const
const forumID = { forum_id: Uuid }
const postID = { post_id: Int }
/** A post may carry several images. */
const imageBodyLimit = 170 * 1024 * 1024

export const forumPostRoutes = [
  route({ method: 'POST', path: '/forum/:forum_id/create', access: 'verified', features, params: forumID, body: PostContentData, reply: PostData, status: 201, idempotent: true, bodyLimit: imageBodyLimit,
    summary: 'Posts in a forum.',
    run: (ctx, { params, body }) => addPost(ctx, params.forum_id, body) }),
  ...(['/forum/post/:post_id/update', '/forum/post/:post_id'] as const).map((path) => route({
    method: 'POST', path, access: 'verified', features, params: postID, body: PostContentData, reply: PostData, bodyLimit: imageBodyLimit,
    summary: 'Replaces text and images of a post. For its author and moderators.',
    run: (ctx, { params, body }) => changePost(ctx, params.post_id, body) })),
  ...(['POST /forum/post/:post_id/delete', 'DELETE /forum/post/:post_id'] as const).map((twin) => route({
    ...methodAndPath(twin), access: 'verified', features, params: postID, status: 204,
    summary: 'Deletes a post. For its author and moderators.',
    run: (ctx, { params }) => deletePost(ctx, params.post_id) })),
  route({ method: 'POST', path: '/forum/post/:post_id/image', access: 'verified', features, params: postID, body: ImageUploadData, reply: PostData, bodyLimit: imageBodyLimit,
    summary: 'Makes this the only image of a post.',
    run: (ctx, { params, body }) => changeImages(ctx, params.post_id, [body]) }),
  route({ method: 'POST', path: '/forum/post/:post_id/image/remove', access: 'verified', features, params: postID, reply: PostData,
    summary: 'Removes all images of a post.',
    run: (ctx, { params }) => changeImages(ctx, params.post_id, []) }),

  route({ method: 'POST', path: '/forum/post/:post_id/pin', access: 'verified', features, params: postID, status: 201,
    summary: 'Pins a post in its forum; 200 when it was. For the creator of the forum and moderators.',
    run: async (ctx, { params }) => new Reply(await pinPost(ctx, params.post_id, true) ? 201 : 200) }),
  ...(['POST /forum/post/:post_id/pin/remove', 'DELETE /forum/post/:post_id/pin'] as const).map((twin) => route({
    ...methodAndPath(twin), access: 'verified', features, params: postID, status: 204,
    summary: 'Unpins a post; 200 when it was not pinned.',
    run: async (ctx, { params }) => new Reply(await pinPost(ctx, params.post_id, false) ? 204 : 200) })),
]
