// Posts: writing, changing and deleting them.
import type { Ctx, Tx } from '../core/ctx.ts'
import { forbidden, notAvailable } from '../core/errors.ts'
import { blocked, requireCreator } from '../core/viewer.ts'
import type { PostContentData } from '../fez/schemas.ts'
import { archiveImages } from '../image/service.ts'
import { logModeratorAction } from '../mod/log.service.ts'
import { noteText } from '../notification/hits.service.ts'
import { authorFor, contentOf } from './authors.service.ts'
import { requireImageCount, storedImages } from './images.service.ts'
import { insertPost, insertPostEdit, lockPost, selectForumOfPost, selectMarks, selectVisiblePost, softDeletePost, updatePost, type LockedPostRow } from './posts.queries.ts'
import type { ForumRow, PostRow } from './rows.ts'
import { requireMayModify, requireOpenForum, statusAfterChange } from './rules.ts'
import type { PostData } from './schemas.ts'
import { selectVisibleForum } from './threads.queries.ts'
import { lockVisibleForum } from './threads.service.ts'
import { noMarks, postData } from './views.ts'

/** Writes a post in a forum. */
export async function addPost(ctx: Ctx, forumId: string, content: PostContentData): Promise<PostData> {
  requireImageCount(ctx, content.images)
  const author = await authorFor(ctx, content)
  const images = await storedImages(ctx, content.images, async () => {
    const forum = await selectVisibleForum(ctx.sql, forumId, ctx.viewer)
    if (!forum) throw notAvailable('forum')
    requirePostable(ctx, forum)
  })
  return await ctx.transaction(async (tx) => {
    const forum = await lockVisibleForum(tx, forumId)
    requirePostable(ctx, forum)
    if (forum.creatorBlocked) throw forbidden('You cannot post in this forum.')
    const post = { forumId, authorId: author.id, realAuthorId: ctx.viewer.id, ...contentOf(content.text), images, createdAt: tx.now }
    const id = await insertPost(tx.sql, post)
    await noteText(tx, 'forum', { ...post, id, before: '', after: post.text })
    await logModeratorAction(tx, { action: 'post', contentType: 'forumPost', contentId: String(id), ownerId: author.id })
    return postData(ctx.node.accounts, { ...post, id, moderationStatus: 'normal', isPinned: false }, noMarks)
  })
}

function requirePostable({ viewer, nowMs }: Ctx, { moderationStatus }: ForumRow): void {
  requireCreator(viewer, nowMs)
  requireOpenForum(viewer, moderationStatus)
}

/** A post that is there for the viewer, locked with its forum for this transaction. */
export async function lockVisiblePost(tx: Tx, postId: number): Promise<{ post: LockedPostRow, forum: Awaited<ReturnType<typeof lockVisibleForum>> }> {
  const forumId = await selectForumOfPost(tx.sql, postId)
  if (forumId === undefined) throw notAvailable('post')
  const forum = await lockVisibleForum(tx, forumId, 'post')
  const post = await lockPost(tx.sql, postId)
  const author = post && await tx.ctx.node.accounts.find(post.authorId)
  if (!post || !author || (author.id !== tx.viewer.id && blocked(tx.viewer, author))) throw notAvailable('post')
  return { post, forum }
}

/** A locked post that the viewer may change or delete now. */
async function lockChangeablePost(tx: Tx, postId: number): Promise<LockedPostRow> {
  const { post, forum } = await lockVisiblePost(tx, postId)
  requireMayModify(tx.viewer, { authorId: post.authorId, status: post.moderationStatus }, tx.ctx.nowMs)
  requireOpenForum(tx.viewer, forum.moderationStatus)
  return post
}

/** Replaces text and images of a post. */
export async function changePost(ctx: Ctx, postId: number, { text, images }: Pick<PostContentData, 'text' | 'images'>): Promise<PostData> {
  const names = await imagesFor(ctx, postId, images)
  return await change(ctx, postId, () => ({ ...contentOf(text), images: names }))
}

/** Replaces the images of a post by these; its text stays. */
export async function changeImages(ctx: Ctx, postId: number, images: PostContentData['images']): Promise<PostData> {
  const names = await imagesFor(ctx, postId, images)
  return await change(ctx, postId, ({ text }) => ({ ...contentOf(text), images: names }))
}

async function imagesFor(ctx: Ctx, postId: number, images: PostContentData['images']): Promise<string[]> {
  requireImageCount(ctx, images)
  return await storedImages(ctx, images, async () => {
    const post = await selectVisiblePost(ctx.sql, postId, ctx.viewer)
    if (!post) throw notAvailable('post')
    requireMayModify(ctx.viewer, { authorId: post.authorId, status: post.moderationStatus }, ctx.nowMs)
  })
}

type Content = ReturnType<typeof contentOf> & { images: string[] }

async function change(ctx: Ctx, postId: number, changed: (before: PostRow) => Content): Promise<PostData> {
  return await ctx.transaction(async (tx) => {
    const before = await lockChangeablePost(tx, postId)
    const content = changed(before)
    const marks = await selectMarks(tx.sql, postId, ctx.viewer.id)
    if (content.text === before.text && sameNames(content.images, before.images ?? [])) return postData(ctx.node.accounts, before, marks)
    const moderationStatus = statusAfterChange(ctx.viewer, { authorId: before.authorId, status: before.moderationStatus })
    await insertPostEdit(tx.sql, { id: ctx.node.random.uuid(), before, editorId: ctx.viewer.id, now: tx.now })
    await updatePost(tx.sql, postId, { ...content, moderationStatus })
    await noteText(tx, 'forum', { ...before, before: before.text, after: content.text })
    await logModeratorAction(tx, { action: 'edit', contentType: 'forumPost', contentId: String(postId), ownerId: before.authorId })
    return postData(ctx.node.accounts, { ...before, ...content, moderationStatus }, marks)
  })
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, index) => name === b[index])
}

/** Deletes a post. */
export async function deletePost(ctx: Ctx, postId: number): Promise<void> {
  const { images } = await ctx.transaction(async (tx) => {
    const post = await lockChangeablePost(tx, postId)
    await softDeletePost(tx.sql, post, tx.now)
    await noteText(tx, 'forum', { ...post, before: post.text, after: '' })
    await logModeratorAction(tx, { action: 'delete', contentType: 'forumPost', contentId: String(postId), ownerId: post.authorId })
    return { images: post.images ?? [] }
  })
  await archiveImages(ctx, images)
}
