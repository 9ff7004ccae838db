// Changing and deleting posts.
import type { Ctx } from '../core/work/ctx.ts'
import type { PostContentData } from './schemas.ts'
import { archiveImages, holdImages } from '../image/service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { statusAfterChange } from '../moderation/types.ts'
import { noteText } from '../hits/service.ts'
import { visiblePost } from './access.service.ts'
import { contentOf } from './authors.service.ts'
import type { Feed, FeedPost } from './feed.ts'
import { storedImages } from './images.service.ts'
import { insertPostEdit, selectMarks, updatePost } from './queries.ts'
import { asReadBy } from './shown.ts'
import { requireMayModify } from './rules.ts'

type Images = PostContentData['images']

/** Replaces text and images of a post. */
export async function changePost<Row extends FeedPost, Data>(
  ctx: Ctx,
  feed: Feed<Row, Data>,
  postId: number,
  { text, images }: Pick<PostContentData, 'text' | 'images'>,
): Promise<Data> {
  return await change(ctx, feed, postId, images, () => contentOf(text))
}

/** Replaces the images of a post by these; its text stays. */
export async function changeImages<Row extends FeedPost, Data>(
  ctx: Ctx,
  feed: Feed<Row, Data>,
  postId: number,
  images: Images,
): Promise<Data> {
  return await change(ctx, feed, postId, images, ({ text }) => contentOf(text))
}

async function change<Row extends FeedPost, Data>(
  ctx: Ctx,
  feed: Feed<Row, Data>,
  postId: number,
  uploads: Images,
  contentAfter: (before: Row) => ReturnType<typeof contentOf>,
): Promise<Data> {
  const stored = await storedImages(ctx, uploads, async () => {
    const post = await visiblePost(ctx, feed.name, postId)
    requireMayModify(ctx.viewer, { authorId: post.authorId, status: post.moderationStatus }, ctx.nowMs)
  })
  return await ctx.transaction(async (tx) => {
    const before = await feed.lockChangeable(tx, postId)
    await holdImages(tx, uploads)
    const content = { ...contentAfter(before), ...stored }
    const marks = await selectMarks(tx.sql, feed.name, postId, ctx.viewer.id)
    const shown = (post: Row) => feed.data(ctx.node.accounts, feed.moderatorsReadHidden ? asReadBy(ctx.viewer, post) : post, marks)
    if (content.text === before.text && sameNames(stored.images, before.images ?? [])) return shown(before)
    const moderationStatus = statusAfterChange(before.moderationStatus, before.authorId === ctx.viewer.id)
    await insertPostEdit(tx.sql, feed.name, { id: ctx.node.random.uuid(), before, editorId: ctx.viewer.id, now: tx.now })
    await updatePost(tx.sql, feed.name, postId, { ...content, moderationStatus })
    await noteText(tx, feed.name, { ...before, before: before.text, after: content.text })
    await logModeratorAction(tx, { action: 'edit', contentType: feed.contentType, contentId: String(postId), ownerId: before.authorId })
    return shown({ ...before, ...content, moderationStatus })
  })
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

/** Deletes a post. */
export async function deletePost<Row extends FeedPost>(ctx: Ctx, feed: Feed<Row, unknown>, postId: number): Promise<void> {
  const { images } = await ctx.transaction(async (tx) => {
    const post = await feed.lockChangeable(tx, postId)
    await feed.remove(tx, post)
    await noteText(tx, feed.name, { ...post, before: post.text, after: '' })
    await logModeratorAction(tx, { action: 'delete', contentType: feed.contentType, contentId: String(postId), ownerId: post.authorId })
    return { images: post.images ?? [] }
  })
  await archiveImages(ctx, images)
}
