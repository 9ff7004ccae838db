// Posts in chats: writing, deleting, reporting.
import type { AccountRecord } from '../accounts/accounts.ts'
import { builtIn, type AccountRow } from '../accounts/rows.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import { hasAnswer, type Outcome } from '../core/db/batcher.ts'
import type { Sql } from '../core/db/db.ts'
import { badRequest, forbidden, notAvailable, unavailable } from '../core/base/errors.ts'
import { Replay, selectReplay, type IdempotencyKey } from '../core/db/idempotency.ts'
import { Reply } from '../core/http/route.ts'
import { isModerator, requireCreator, requireNotTempQuarantined, type Viewer } from '../core/base/viewer.ts'
import type { Write, WriterKind } from '../core/work/writers.ts'
import { archiveImages, whileImagesHeld, storeUpload, type StoredImage } from '../image/service.ts'
import { sizesOf } from '../image/sizes.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import { isHidden } from '../moderation/types.ts'
import { fileReport } from '../moderation/report.service.ts'
import { fezTopic } from './events.ts'
import { withLineFeeds } from '../text/line-ends.ts'
import { readInboxes } from './inboxes.service.ts'
import type { FezChannel } from './channel.ts'
import { insertPosts, selectMemberships, selectPost, softDeletePost, type InsertedPost, type NewPost } from './queries.ts'
import { versionOf, type FezPostRow, type FezRow } from './rows.ts'
import { chatOf, fezView, fezWithPost } from './reading.service.ts'
import { inboxesOf, isSecret, mayModify, mayReadThread, memberFor } from './rules.ts'
import type { FezData, FezWithPostData } from './schemas.ts'
import { isExempt, withPace } from '../post/pace.service.ts'
import type { PostContentData } from '../post/schemas.ts'
import type { ReportData } from '../moderation/schemas.ts'
import { lockUnblockedFez } from './service.ts'
import { isSeamail, type FezType } from './types.ts'
import { fezPostData } from './views.ts'

/** Writes a post. Answers with the chat and, beside its fields, those of the post. */
export async function addPost(ctx: Ctx, fezId: string, content: PostContentData): Promise<Reply<FezWithPostData>> {
  const { author, post, seq } = await writePostIn(ctx, fezId, content)
  const chat = fezWithPost(ctx, fezId, seq, post.id, () => fezPostData({ ...post, createdAt: new Date(post.createdAt) }, author.header))
  return new Reply(201, chat instanceof Promise ? await chat : chat)
}

/** Writes a post of the caller. A repetition of the request gets what was written then. */
export async function writePostIn(ctx: Ctx, fezId: string, content: PostContentData): Promise<Posted & { author: AccountRecord }> {
  requireCreator(ctx.viewer, ctx.nowMs)
  const authorId = effectiveAuthor(ctx.viewer, content)
  // What is in memory is not waited for: many posts are written at once, and each `await` makes half a dozen objects.
  const known = ctx.node.accounts.find(authorId)
  const author = known instanceof Promise ? await known : known
  if (!author) throw notAvailable('user')
  const image = content.images.length > 0 ? await storedImage(ctx, fezId, content) : undefined
  const posted = await whileImagesHeld(ctx, content.images, () =>
    writePost(ctx, { author, realAuthorId: ctx.viewer.id, text: content.text, image }, () => postableChat(ctx, fezId, content)),
  )
  return { ...posted, author }
}

/** The chat, at once when it is in memory. Refuses unless the post may be written there. */
function postableChat(ctx: Ctx, fezId: string, content: PostContentData): FezChannel | Promise<FezChannel> {
  const channel = chatOf(ctx, fezId)
  return channel instanceof Promise ? channel.then((read) => postableIn(ctx, read, content)) : postableIn(ctx, channel, content)
}

function postableIn(ctx: Ctx, channel: FezChannel, content: PostContentData): FezChannel | Promise<FezChannel> {
  try {
    // The picture took its time.
    requireCreator(ctx.viewer, ctx.nowMs)
    requirePostable(ctx.viewer, channel.row, channel.memberIds, content)
    return channel
  } catch (error) {
    if (!ctx.idempotencyKey) throw error
    return replayOr(ctx, ctx.idempotencyKey, error)
  }
}

/** A repetition of what was written before is answered whatever has happened since. */
async function replayOr(ctx: Ctx, key: IdempotencyKey, error: unknown): Promise<never> {
  throw (await selectReplay(ctx.sql, key)) ?? error
}

/** Stored as JSON for repetitions of the request, which get the same answer. */
interface Posted {
  post: Omit<FezPostRow, 'createdAt'> & { createdAt: Date | string }
  seq: number
}

interface PostToWrite {
  /** The author shown. */
  author: AccountRow
  /** The account whose read position moves, if it is a member. */
  realAuthorId: string
  text: string
  image?: StoredImage | undefined
}

/** Nobody changes a chat more often than this while somebody posts in it. */
const maxLooks = 10

/**
 * Writes a post into the chat that `look` finds, and refuses if it may not be. When the chat turns out to
 * have changed since, `look` is asked again.
 */
export async function writePost(
  ctx: Ctx<Viewer | undefined>,
  post: PostToWrite,
  look: () => FezChannel | Promise<FezChannel>,
): Promise<Posted> {
  try {
    for (let looks = 1; looks <= maxLooks; looks++) {
      const looked = look()
      const channel = looked instanceof Promise ? await looked : looked
      const { row, memberIds } = channel
      // Posts of the server itself have no author who has read them.
      const writer = ctx.viewer?.id === post.realAuthorId ? ctx.viewer : undefined
      const inboxIds = writer ? inboxesOf(writer.level).filter((id) => memberIds.has(id)) : []
      const { author, realAuthorId, text, image } = post
      try {
        return await ctx.write(chatPosts, { author, realAuthorId, text, image, fez: row, inboxIds })
      } catch (error) {
        if (!(error instanceof ChatChanged)) throw error
      }
      await channel.reload()
    }
  } catch (error) {
    if (error instanceof Replay) return error.answer as Posted
    throw error
  }
  throw unavailable('busy', 'The chat is changing too fast, please try again.')
}

interface ChatPostItem extends PostToWrite {
  /** As it was when it was asked whether there may be a post. */
  fez: FezRow
  /** Of the shared accounts that are members, those whose inboxes the writer reads. */
  inboxIds: readonly string[]
}

/** Written in the name of a shared account, or into a chat of one. */
const isForTeam = ({ author, realAuthorId, inboxIds }: ChatPostItem): boolean => author.id !== realAuthorId || inboxIds.length > 0

const writtenTables = ['fez', 'fez_post', 'fez_member'] as const

/** A chat has changed since it was looked at. */
class ChatChanged extends Error {}

/** Posts in chats. */
const chatPosts: WriterKind<ChatPostItem, Posted, Viewer | undefined> = {
  name: 'chat posts',
  writesJob: () => false,
  keyOf: ({ fez }) => fez.id,
  affected: ({ fez }) => ({ topic: fezTopic, id: fez.id }),
  isOneStatement: ({ viewer }, item) => !isForTeam(item) && (item.fez.slowSeconds === 0 || isExempt(viewer)),
  write: (sql, writes, wait) =>
    withPace(
      sql,
      writes,
      ({ item: { fez } }) => (fez.slowSeconds > 0 ? { place: `fez ${fez.id}`, seconds: fez.slowSeconds } : undefined),
      (accepted) => writeTogether(sql, accepted, wait),
    ),
}

async function writeTogether(
  sql: Sql,
  writes: readonly Write<ChatPostItem, Viewer | undefined>[],
  wait: boolean,
): Promise<Outcome<Posted>[]> {
  const posts = writes.map(({ tx, item: { fez, author, realAuthorId, text, image } }) => ({
    fezId: fez.id,
    version: versionOf(fez),
    authorId: author.id,
    realAuthorId,
    text: withLineFeeds(text),
    image: image?.name ?? null,
    imageSizes: image ? sizesOf([image.size]) : null,
    now: tx.now,
  }))
  // What members see of it, their channels know by the event.
  for (const { tx, item } of writes) tx.changesPart(writtenTables, item.fez.id, { confirmed: false })
  const inserted = await insertPosts(sql, posts, wait)
  const outcomes = writes.map((_, index): Outcome<WrittenPost> => {
    const { isBusy, id, seq } = inserted[index] as InsertedPost
    if (isBusy && !wait) return 'busy'
    if (id === null || seq === null) return { refusal: new ChatChanged() }
    const { fezId, authorId, realAuthorId, text, image, imageSizes, now } = posts[index] as NewPost
    return {
      answer: { seq, post: { id, fezId, authorId, realAuthorId, text, image, imageSizes, moderationStatus: 'normal', createdAt: now } },
    }
  })
  const written = writes.flatMap(({ tx, item }, index): WrittenWrite[] => {
    const outcome = outcomes[index] as Outcome<WrittenPost>
    return hasAnswer(outcome) ? [{ tx, item, post: outcome.answer.post, seq: outcome.answer.seq }] : []
  })
  emitPosted(written)
  await Promise.all(written.filter(({ item }) => isForTeam(item)).map(noteForTeams))
  return outcomes
}

interface WrittenPost {
  post: FezPostRow
  seq: number
}

type WrittenWrite = WrittenPost & Write<ChatPostItem, Viewer | undefined>

/** One event for each chat. */
function emitPosted(written: readonly WrittenWrite[]): void {
  const byChat = new Map<string, WrittenWrite[]>()
  for (const each of written) {
    const others = byChat.get(each.item.fez.id)
    if (others) others.push(each)
    else byChat.set(each.item.fez.id, [each])
  }
  for (const [fezId, posts] of byChat) {
    const [first] = posts as [WrittenWrite]
    const { fez } = first.item
    first.tx.emit(fezTopic, fezId, {
      type: 'posted',
      seq: first.seq,
      posts: posts.map(({ post, item }) => ({ post, author: item.author })),
      updatedAt: posts.map(({ post }) => post.createdAt).reduce((one, other) => (one > other ? one : other)),
      chat: { fezType: fez.fezType, title: isHidden(fez.moderationStatus) ? undefined : fez.title },
    })
  }
}

/** Moderators leave entries in the log, and have read what they have written in shared inboxes. */
async function noteForTeams({ tx, item: { fez, author, realAuthorId, inboxIds }, post }: WrittenWrite): Promise<void> {
  if (!isOfViewer(tx) || tx.viewer.id !== realAuthorId) return
  if (inboxIds.length > 0) await readInboxes(tx, fez.id, (id) => inboxIds.includes(id), post.id)
  await logModeratorAction(tx, { action: 'post', contentType: 'fezPost', contentId: String(post.id), ownerId: author.id })
}

const isOfViewer = (tx: Tx<Viewer | undefined>): tx is Tx => tx.viewer !== undefined

/** Moderators may post as one of the shared accounts; the wish is ignored from others. */
export function effectiveAuthor(viewer: Viewer, content: PostContentData): string {
  if (isModerator(viewer) && content.postAsModerator) return builtIn.moderator
  if (isModerator(viewer) && content.postAsServiceTeam) return builtIn.ServiceTeam
  return viewer.id
}

/** The image of a post; no work is spent on one that could not be posted anyway. */
async function storedImage(ctx: Ctx, fezId: string, content: PostContentData): Promise<StoredImage | undefined> {
  const [upload] = content.images
  // That of a repetition was stored before.
  if (!upload || (await ctx.isRepetition())) return undefined
  const { row, memberIds } = await chatOf(ctx, fezId)
  requirePostable(ctx.viewer, row, memberIds, content)
  return await storeUpload(ctx, upload, 'content')
}

/**
 * Refuses unless the viewer may post this here: 400 for the kind of chat or a locked one, 403 for outsiders of one that
 * they may know of.
 */
function requirePostable(viewer: Viewer, fez: FezRow, members: ReadonlySet<string>, content: PostContentData): void {
  if (isSecret(viewer, fez, (id) => members.has(id))) throw notAvailable('chat')
  requirePostAllowed(fez.fezType, content)
  if (memberFor(viewer, (id) => members.has(id)) === undefined && (fez.fezType === 'closed' || !isModerator(viewer)))
    throw forbidden('not_member', 'Only members can post in this chat.')
  if (fez.moderationStatus === 'locked') throw badRequest('locked', 'Moderators have locked this chat.')
}

/** @throws AppError 400 unless there are posts like this in chats of this kind. */
export function requirePostAllowed(fezType: FezType, { images }: PostContentData): void {
  if (fezType === 'personalEvent') throw badRequest('posts_not_allowed', 'A personal event has no posts.')
  if (isSeamail(fezType) && images.length > 0) throw badRequest('too_many_images', 'A post in a private chat cannot have images.')
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
