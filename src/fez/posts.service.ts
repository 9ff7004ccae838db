// Posts in chats: writing, deleting, reporting.
import { builtIn, type AccountRow } from '../accounts/rows.ts'
import type { Ctx, Tx } from '../core/ctx.ts'
import { badRequest, forbidden, notAvailable } from '../core/errors.ts'
import { isModerator, requireCreator, requireNotTempQuarantined, type Viewer } from '../core/viewer.ts'
import { archiveImages, holdImages, isReuse, storeUpload } from '../image/service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { isHidden } from '../moderation/types.ts'
import { fileReport } from '../moderation/report.service.ts'
import { fezTopic } from './events.ts'
import { withLineFeeds } from '../text/line-ends.ts'
import { readInboxes } from './inboxes.service.ts'
import { insertPost, selectMemberships, selectPost, softDeletePost } from './queries.ts'
import type { FezPostRow, FezRow } from './rows.ts'
import { chatOf, fezView } from './reading.service.ts'
import { isSecret, mayModify, mayReadThread, memberFor } from './rules.ts'
import type { FezData, FezWithPostData } from './schemas.ts'
import type { PostContentData } from '../post/schemas.ts'
import type { ReportData } from '../moderation/schemas.ts'
import { lockUnblockedFez } from './service.ts'
import { isSeamail } from './types.ts'
import { fezPostData } from './views.ts'

/** Writes a post. Answers with the chat and, beside its fields, those of the post. */
export async function addPost(ctx: Ctx, fezId: string, content: PostContentData): Promise<FezWithPostData> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const authorId = effectiveAuthor(ctx.viewer, content)
  const author = await ctx.node.accounts.find(authorId)
  if (!author) throw notAvailable('user')
  const image = await storedImage(ctx, fezId, content)
  const toWrite = { author, realAuthorId: ctx.viewer.id, text: content.text, image }
  const { post, seq } = (await postAtOnce(ctx, fezId, content, toWrite)) ?? (await postLocked(ctx, fezId, content, toWrite))
  const fez = await fezView(ctx, fezId, { seq })
  return { ...fez, ...fezPostData({ ...post, createdAt: new Date(post.createdAt) }, author.header) }
}

/** Stored for repetitions of the request, which get the same answer. */
interface Posted {
  post: Omit<FezPostRow, 'createdAt'> & { createdAt: string }
  seq: number
}

/**
 * The way of nearly all posts: the chat's channel is asked whether it may be, and one statement writes
 * it if the chat is still as the channel knows it. Undefined, and nothing is written, when it is not.
 */
async function postAtOnce(ctx: Ctx, fezId: string, content: PostContentData, toWrite: PostToWrite): Promise<Posted | undefined> {
  // Moderators leave entries, and read in shared inboxes.
  if (isModerator(ctx.viewer) || ctx.idempotencyKey || content.images.some(isReuse)) return undefined
  const { row, memberIds } = await chatOf(ctx, fezId)
  requirePostable(ctx.viewer, row, memberIds, content)
  return await ctx.transaction(
    async (tx) => {
      const result = await writePost(tx, row, toWrite)
      return result && posted(result)
    },
    { alone: true },
  )
}

/** The way that always works: nothing happens in the chat between looking and writing. */
async function postLocked(ctx: Ctx, fezId: string, content: PostContentData, toWrite: PostToWrite): Promise<Posted> {
  return await ctx.transaction(async (tx) => {
    const [fez, members] = await Promise.all([lockUnblockedFez(tx, fezId), sharedMembers(tx, fezId)])
    requirePostable(ctx.viewer, fez, members, content)
    await holdImages(tx, content.images)
    const result = await writeLocked(tx, fez, toWrite)
    await readInboxes(tx, fezId, (id) => members.has(id), result.written.id)
    await logModeratorAction(tx, {
      action: 'post',
      contentType: 'fezPost',
      contentId: String(result.written.id),
      ownerId: toWrite.author.id,
    })
    return posted(result)
  })
}

const posted = ({ written, seq }: WrittenPost): Posted => ({ post: { ...written, createdAt: written.createdAt.toISOString() }, seq })

interface PostToWrite {
  /** The author shown. */
  author: AccountRow
  /** Whose read position moves if they are a member. */
  realAuthorId: string
  text: string
  image?: string | null
}

interface WrittenPost {
  written: FezPostRow
  seq: number
}

/** Writes a post into a locked chat and publishes it. */
export async function writeLocked(tx: Tx<Viewer | undefined>, fez: FezRow, post: PostToWrite): Promise<WrittenPost> {
  const result = await writePost(tx, fez, post)
  if (!result) throw new Error('a locked chat has changed')
  return result
}

/** The same for a chat that may not be as it was when it was read: undefined when something has happened in it since. */
async function writePost(tx: Tx<Viewer | undefined>, fez: FezRow, post: PostToWrite): Promise<WrittenPost | undefined> {
  const { author, realAuthorId, image = null } = post
  const text = withLineFeeds(post.text)
  tx.concerns(fezTopic, fez.id)
  const inserted = await insertPost(tx.sql, fez.seq, { fezId: fez.id, authorId: author.id, realAuthorId, text, image, now: tx.now })
  if (!inserted) return undefined
  const { id, seq } = inserted
  const written: FezPostRow = {
    id,
    fezId: fez.id,
    authorId: author.id,
    realAuthorId,
    text,
    image,
    moderationStatus: 'normal',
    createdAt: tx.now,
  }
  tx.emit(fezTopic, fez.id, {
    type: 'posted',
    seq,
    postID: id,
    post: written,
    author,
    realAuthorID: realAuthorId,
    updatedAt: tx.now,
    chat: { fezType: fez.fezType, title: isHidden(fez.moderationStatus) ? undefined : fez.title },
  })
  return { written, seq }
}

/** Moderators may post as one of the shared accounts; the wish is ignored from others. */
function effectiveAuthor(viewer: Viewer, content: PostContentData): string {
  if (isModerator(viewer) && content.postAsModerator) return builtIn.moderator
  if (isModerator(viewer) && content.postAsServiceTeam) return builtIn.ServiceTeam
  return viewer.id
}

/** The name of the image of a post; no work is spent on one that could not be posted anyway. */
async function storedImage(ctx: Ctx, fezId: string, content: PostContentData): Promise<string | null> {
  const [upload] = content.images
  if (!upload) return null
  const { row, memberIds } = await chatOf(ctx, fezId)
  requirePostable(ctx.viewer, row, memberIds, content)
  return (await storeUpload(ctx, upload, 'content')) ?? null
}

/**
 * Refuses unless the viewer may post this here: 400 for the kind of chat or a locked one, 403 for outsiders of one that
 * they may know of.
 */
function requirePostable(viewer: Viewer, fez: FezRow, members: ReadonlySet<string>, { images }: PostContentData): void {
  if (isSecret(viewer, fez, (id) => members.has(id))) throw notAvailable('chat')
  if (fez.fezType === 'personalEvent') throw badRequest('posts_not_allowed', 'A personal event has no posts.')
  if (isSeamail(fez.fezType) && images.length > 0) throw badRequest('too_many_images', 'A post in a private chat cannot have images.')
  if (memberFor(viewer, (id) => members.has(id)) === undefined && (fez.fezType === 'closed' || !isModerator(viewer)))
    throw forbidden('not_member', 'Only members can post in this chat.')
  if (fez.moderationStatus === 'locked') throw badRequest('locked', 'Moderators have locked this chat.')
}

/** Members among the caller and the shared accounts. */
async function sharedMembers(tx: Tx, fezId: string): Promise<ReadonlySet<string>> {
  const memberships = await selectMemberships(tx.sql, fezId, [tx.viewer.id, builtIn.moderator, builtIn.ServiceTeam])
  return new Set(memberships.map(({ accountId }) => accountId))
}

/** Deletes a post by its id alone. */
export async function deletePost(ctx: Ctx, postId: number): Promise<void> {
  const post = await selectPost(ctx.sql, postId)
  if (!post) throw notAvailable('post')
  await deletePostOf(ctx, post.fezId, postId, 'post')
}

/** Deletes a post of a chat; answers with the chat. */
export async function deletePostIn(ctx: Ctx, fezId: string, postId: number): Promise<FezData> {
  const seq = await deletePostOf(ctx, fezId, postId, 'chat')
  return await fezView(ctx, fezId, { seq })
}

/** `what` the caller named: the error names it when the chat is hidden from them. */
async function deletePostOf(ctx: Ctx, fezId: string, postId: number, what: 'post' | 'chat'): Promise<number> {
  const { seq, image } = await ctx.transaction(async (tx) => {
    const fez = await lockUnblockedFez(tx, fezId, what)
    const members = await sharedMembers(tx, fezId)
    if (isSecret(ctx.viewer, fez, (id) => members.has(id))) throw notAvailable(what)
    const post = await selectPost(tx.sql, postId)
    // A post of a thread that the caller may not read looks like none.
    if (!post || post.fezId !== fezId || (post.authorId !== ctx.viewer.id && !mayReadThread(ctx.viewer, fez, members)))
      throw notAvailable('post')
    requireNotTempQuarantined(ctx.viewer, ctx.nowMs)
    if (!mayModify(ctx.viewer, post.authorId, post.moderationStatus, ctx.nowMs))
      throw forbidden('not_owner', 'You cannot delete this post.')
    const next = await softDeletePost(tx.sql, fezId, postId, tx.now)
    if (next === undefined) throw notAvailable('post')
    await logModeratorAction(tx, { action: 'delete', contentType: 'fezPost', contentId: String(postId), ownerId: post.authorId })
    tx.emitConfirmed(fezTopic, fezId, { type: 'postDeleted', seq: next, postID: postId, updatedAt: tx.now })
    return { seq: next, image: post.image }
  })
  if (image !== null) await archiveImages(ctx, [image])
  return seq
}

/** Files a report on a post, in the name of the person. */
export async function reportPost(ctx: Ctx, postId: number, report: ReportData): Promise<void> {
  const post = await selectPost(ctx.sql, postId)
  if (!post) throw notAvailable('post')
  const { row, memberIds } = await chatOf(ctx, post.fezId, 'post')
  if (row.fezType === 'closed' && !mayReadThread(ctx.viewer, row, memberIds)) throw notAvailable('post')
  if (row.fezType === 'closed') throw badRequest('not_reportable', 'Posts in private chats cannot be reported.')
  await ctx.transaction((tx) =>
    fileReport(tx, { type: 'fezPost', reportedId: String(postId), reportedUserId: post.authorId, message: report.message }),
  )
}
