// Posts of the microblog: writing and answering them, one with everything.
import type { Ctx, Tx } from '../core/ctx.ts'
import { badRequest } from '../core/errors.ts'
import { requireCreator } from '../core/viewer.ts'
import type { PostContentData } from '../post/schemas.ts'
import { holdImages, isReuse } from '../image/service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { isHidden } from '../moderation/types.ts'
import { namesAnything, noteNames, scanOf } from '../hits/service.ts'
import { lockUnblockedPost, postDetail, visiblePost } from '../post/access.service.ts'
import { authorFor, contentOf } from '../post/authors.service.ts'
import { noMarks, type Feed, type LockedPost } from '../post/feed.ts'
import { storedImages } from '../post/images.service.ts'
import { requireMayModify } from '../post/rules.ts'
import { beginReplyGroup, insertPost, softDeletePost } from './queries.ts'
import type { PostRow } from './rows.ts'
import type { MicroblogPostData, MicroblogPostDetailData } from './schemas.ts'
import { postData, postDetailData } from './views.ts'

/** Images in one post. */
export const maxImages = 4

/** Writes a post. */
export async function createPost(ctx: Ctx, content: PostContentData): Promise<MicroblogPostData> {
  return await write(ctx, content)
}

/** Answers a post: the two are in one group from then on, with all other answers and answers to those. */
export async function replyTo(ctx: Ctx, postId: number, content: PostContentData): Promise<MicroblogPostData> {
  const requireAnswerable = (post: PostRow) => {
    if (isHidden(post.moderationStatus)) throw badRequest('under_review', 'A post that is under moderator review cannot be answered.')
    requireCreator(ctx.viewer, ctx.nowMs)
  }
  return await write(ctx, content, {
    mayWrite: async () => requireAnswerable(await visiblePost<PostRow>(ctx, 'microblog', postId)),
    async groupOf(tx) {
      const answered = await lockUnblockedPost<PostRow>(tx, 'microblog', postId)
      requireAnswerable(answered)
      if (answered.replyGroup === null) await beginReplyGroup(tx.sql, postId)
      return answered.replyGroup ?? postId
    },
  })
}

/** What is answered. */
interface Answered {
  /** Refuses before images are stored. */
  mayWrite: () => Promise<void>
  /** Refuses as well, and finds the group that the answer is to be in. */
  groupOf: (tx: Tx) => Promise<number>
}

async function write(ctx: Ctx, content: PostContentData, answered?: Answered): Promise<MicroblogPostData> {
  if (!answered) requireCreator(ctx.viewer, ctx.nowMs)
  const author = await authorFor(ctx, content)
  const images = await storedImages(ctx, content.images, async () => answered?.mayWrite())
  const written = contentOf(content.text)
  const named = namesAnything(written.text)
  return await ctx.transaction(
    async (tx) => {
      const replyGroup = answered ? await answered.groupOf(tx) : null
      await holdImages(tx, content.images)
      const post = { ...written, authorId: author.id, realAuthorId: ctx.viewer.id, images, replyGroup, createdAt: tx.now }
      const id = await insertPost(tx.sql, post, scanOf(tx, post.text))
      if (named) await noteNames(tx, 'microblog', { ...post, id, before: '', after: post.text })
      await logModeratorAction(tx, { action: 'post', contentType: 'twarrt', contentId: String(id), ownerId: author.id })
      return postData(ctx.node.accounts, { ...post, id, moderationStatus: 'normal' }, noMarks)
    },
    { alone: !answered && author.id === ctx.viewer.id && !named && !content.images.some(isReuse) },
  )
}

/** One post with everybody who has reacted to it. */
export async function getPost(ctx: Ctx, postId: number): Promise<MicroblogPostDetailData> {
  return postDetailData(ctx.node.accounts, await postDetail(ctx, microblogPosts, postId))
}

/** Posts of the microblog, for what they have in common with those of forums. */
export const microblogPosts: Feed<PostRow, MicroblogPostData> = {
  name: 'microblog',
  contentType: 'twarrt',
  lock: (tx, postId) => lockUnblockedPost(tx, 'microblog', postId),
  lockChangeable,
  remove: (tx, post) => softDeletePost(tx.sql, post.id, tx.now),
  data: postData,
}

async function lockChangeable(tx: Tx, postId: number): Promise<LockedPost<PostRow>> {
  const post = await lockUnblockedPost<PostRow>(tx, 'microblog', postId)
  requireMayModify(tx.viewer, { authorId: post.authorId, status: post.moderationStatus }, tx.ctx.nowMs)
  return post
}
