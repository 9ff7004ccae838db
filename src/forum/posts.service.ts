// Posts of forums: writing them, and what is special about changing and deleting them.
import type { Ctx, Tx } from '../core/ctx.ts'
import { notAvailable } from '../core/errors.ts'
import { isCreator, requireCreator } from '../core/viewer.ts'
import type { PostContentData } from '../post/schemas.ts'
import { holdImages, isReuse } from '../image/service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { moderationStatuses } from '../moderation/types.ts'
import { namesAnything, noteNames, scanOf } from '../hits/service.ts'
import { lockUnblockedPost } from '../post/access.service.ts'
import { authorFor, contentOf } from '../post/authors.service.ts'
import { noMarks, type Feed, type LockedPost } from '../post/feed.ts'
import { storedImages } from '../post/images.service.ts'
import { requireMayModify } from '../post/rules.ts'
import { settingsOf } from '../settings/channel.ts'
import { insertPost, selectForumOfPost, softDeletePost, type NewPost } from './posts.queries.ts'
import type { ForumRow, PostRow } from './rows.ts'
import { requireOpenForum, takesPosts } from './rules.ts'
import type { PostData } from './schemas.ts'
import { selectVisibleForum } from './threads.queries.ts'
import { lockVisibleForum } from './threads.service.ts'
import { postData } from './views.ts'

const photographersImages = 8

/** Images that the caller may put into one post. */
export function maxImages({ viewer, node }: Ctx): number {
  return viewer.roles.has('shutternaut') ? photographersImages : settingsOf(node).values.maxForumPostImages
}

/** Writes a post in a forum. */
export async function addPost(ctx: Ctx, forumId: string, content: PostContentData): Promise<PostData> {
  const author = await authorFor(ctx, content)
  const images = await storedImages(ctx, content.images, async () => {
    const forum = await selectVisibleForum(ctx.sql, forumId, ctx.viewer)
    if (!forum) throw notAvailable('forum')
    requirePostable(ctx, forum)
  })
  const written = contentOf(content.text)
  const named = namesAnything(written.text)
  return await ctx.transaction(
    async (tx) => {
      await holdImages(tx, content.images)
      const post = { ...written, forumId, authorId: author.id, realAuthorId: ctx.viewer.id, images, createdAt: tx.now }
      const id = await writePost(tx, post)
      if (named) await noteNames(tx, 'forum', { ...post, id, before: '', after: post.text })
      await logModeratorAction(tx, { action: 'post', contentType: 'forumPost', contentId: String(id), ownerId: author.id })
      return postData(ctx.node.accounts, { ...post, id, moderationStatus: 'normal', isPinned: false }, noMarks)
    },
    { alone: author.id === ctx.viewer.id && !named && !content.images.some(isReuse) },
  )
}

/** Writes a post into a forum that is there for the viewer and takes posts of him; else refuses, and nothing is written. */
async function writePost(tx: Tx, post: NewPost): Promise<number> {
  const { ctx, viewer } = tx
  const states = isCreator(viewer, ctx.nowMs) ? moderationStatuses.filter((status) => takesPosts(viewer, status)) : []
  const forum = await insertPost(tx.sql, viewer, post, states, scanOf(tx, post.text))
  if (!forum?.visible) throw notAvailable('forum')
  requirePostable(ctx, forum)
  if (forum.postId === null) throw new Error('a forum that takes posts took none')
  return forum.postId
}

function requirePostable({ viewer, nowMs }: Ctx, { moderationStatus }: Pick<ForumRow, 'moderationStatus'>): void {
  requireCreator(viewer, nowMs)
  requireOpenForum(viewer, moderationStatus)
}

/** A post that is there for the viewer, locked with its forum for this transaction. */
export async function lockVisiblePost(
  tx: Tx,
  postId: number,
): Promise<{ post: LockedPost<PostRow>; forum: Awaited<ReturnType<typeof lockVisibleForum>> }> {
  const forumId = await selectForumOfPost(tx.sql, postId)
  if (forumId === undefined) throw notAvailable('post')
  const forum = await lockVisibleForum(tx, forumId, 'post')
  return { post: await lockUnblockedPost<PostRow>(tx, 'forum', postId), forum }
}

/** A locked post that the viewer may change or delete now. */
async function lockChangeablePost(tx: Tx, postId: number): Promise<LockedPost<PostRow>> {
  const { post, forum } = await lockVisiblePost(tx, postId)
  requireMayModify(tx.viewer, { authorId: post.authorId, status: post.moderationStatus }, tx.ctx.nowMs)
  requireOpenForum(tx.viewer, forum.moderationStatus)
  return post
}

/** Posts of forums, for what they have in common with those of the microblog. */
export const forumPosts: Feed<PostRow, PostData> = {
  name: 'forum',
  contentType: 'forumPost',
  lock: async (tx, postId) => (await lockVisiblePost(tx, postId)).post,
  lockChangeable: lockChangeablePost,
  remove: (tx, post) => softDeletePost(tx.sql, post, tx.now),
  data: postData,
}
