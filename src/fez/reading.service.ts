// Reading one chat, from its channel.
import type { Ctx } from '../core/work/ctx.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import { narrowJson } from '../core/http/narrow-json.ts'
import { jsonBytes, jsonText, type JsonBytes, type JsonText } from '../core/base/json-text.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { blocked, hidesNobody, isModerator } from '../core/base/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import { chatReaderOf } from './reader.ts'
import { userTopic } from '../accounts/events.ts'
import type { FezChannel } from './channel.ts'
import type { PostKey } from './post-keys.ts'
import { fezKind } from './channel.ts'
import { readInboxes } from './inboxes.service.ts'
import { isLookFromOutside, noteLookFromOutside } from './looks.service.ts'
import { markRead, selectMemberships, selectPosts } from './queries.ts'
import type { FezPostRow, FezRow } from './rows.ts'
import { isSecret, mayReadThread, memberFor, membersFor } from './rules.ts'
import type { FezData, FezPostData, FezWithPostData } from './schemas.ts'
import { encodeFrame, fezData, type Thread, type ViewContext } from './views.ts'

/** The channel of a chat that is there for the viewer: at once when it is in memory. */
export function chatOf(ctx: Ctx, fezId: string, what: 'chat' | 'post' = 'chat'): FezChannel | Promise<FezChannel> {
  const channel = ctx.channel(fezKind, fezId)
  return channel instanceof Promise ? channel.then((read) => requireThere(ctx, read, what)) : requireThere(ctx, channel, what)
}

function requireThere(ctx: Ctx, channel: FezChannel | undefined, what: 'chat' | 'post'): FezChannel {
  if (!channel || !isThereFor(ctx, channel)) throw notAvailable(what)
  return channel
}

function isThereFor({ viewer, node }: Ctx, { row, memberIds }: FezChannel): boolean {
  if (row.deletedAt || isSecret(viewer, row, (id) => memberIds.has(id))) return false
  const owner = node.accounts.get(row.ownerId)
  return owner.id === viewer.id || !blocked(viewer, owner)
}

/** A chat after a change that is known to have got `seq`. `firstPosts`: with so many of its posts. */
export async function fezView(ctx: Ctx, fezId: string, options: { seq?: number; firstPosts?: number } = {}): Promise<FezData> {
  const channel = await chatOf(ctx, fezId)
  // An event may have been overtaken on its way here; the answer must show what was asked for.
  if (channel.row.seq < (options.seq ?? 0)) await channel.reload()
  const thread = await threadOf(ctx, channel)
  if (thread && options.firstPosts !== undefined)
    thread.posts = await textsOf(ctx, channel, channel.postsFor(ctx.viewer).slice(0, options.firstPosts))
  return fezData(viewContext(ctx), channel.row, channel.memberIds, thread)
}

/**
 * A chat after a post that is known to have got `seq`, and the fields of the post beside its own: at once from memory. Most
 * posts have a frame, which has them; `post` makes them for the others.
 */
export function fezWithPost(
  ctx: Ctx,
  fezId: string,
  seq: number,
  postId: number,
  post: () => FezPostData,
): JsonBytes<FezWithPostData> | Promise<JsonBytes<FezWithPostData>> {
  const channel = ctx.node.channels.of(fezKind).hot(fezId)
  if (!channel || channel.row.seq < seq) return readWithPost(ctx, fezId, seq, postId, post)
  const thread = threadOf(ctx, channel)
  return thread instanceof Promise
    ? thread.then((read) => withPost(ctx, channel, read, postId, post))
    : withPost(ctx, channel, thread, postId, post)
}

async function readWithPost(
  ctx: Ctx,
  fezId: string,
  seq: number,
  postId: number,
  post: () => FezPostData,
): Promise<JsonBytes<FezWithPostData>> {
  const channel = await chatOf(ctx, fezId)
  if (channel.row.seq < seq) await channel.reload()
  return withPost(ctx, channel, await threadOf(ctx, channel), postId, post)
}

function withPost(
  ctx: Ctx,
  channel: FezChannel,
  thread: Thread | undefined,
  postId: number,
  post: () => FezPostData,
): JsonBytes<FezWithPostData> {
  const view = viewContext(ctx)
  if (!thread || ctx.viewer.blockedPersons.size > 0)
    return jsonBytes({ ...fezData(view, channel.row, channel.memberIds, thread), ...post() })
  const frame = channel.newFrameOf(postId) ?? encodeFrame(post())
  return channel.shown.withPost(view, settingsOf(ctx.node).revision, channel.row, channel.memberIds, thread, frame)
}

/** Those of these posts of a chat that are there for the viewer; none where they may not read it. Looks from outside are noted. */
export async function visiblePostsIn(ctx: Ctx, fezId: string, postIds: ReadonlySet<number>): Promise<FezPostRow[]> {
  const channel = await ctx.channel(fezKind, fezId)
  if (!channel) return []
  // One of them may have been written on another node, and its event be on the way: whoever has its id sees it.
  if (Math.max(...postIds) > channel.row.lastPostId) await channel.reload()
  if (!isThereFor(ctx, channel) || !mayReadThread(ctx.viewer, channel.row, channel.memberIds)) return []
  await noteLookFromOutside(ctx, channel)
  return await textsOf(
    ctx,
    channel,
    channel.postsFor(ctx.viewer).filter(({ id }) => postIds.has(id)),
  )
}

/** A chat that the viewer has just left: also one that is there for them no longer. */
export async function fezLeft(ctx: Ctx, fezId: string, seq: number): Promise<FezData> {
  const channel = await ctx.channel(fezKind, fezId)
  if (!channel) throw notAvailable('chat')
  if (channel.row.seq < seq) await channel.reload()
  const thread = isModerator(ctx.viewer) ? await threadOf(ctx, channel) : undefined
  return fezData(viewContext(ctx), channel.row, channel.memberIds, thread)
}

/** The viewer's numbers in the chat; undefined when they may not see the thread. At once when their place is in memory. */
function threadOf(ctx: Ctx, channel: FezChannel): Thread | undefined | Promise<Thread | undefined> {
  if (!mayReadThread(ctx.viewer, channel.row, channel.memberIds)) return undefined
  const place = placeIn(ctx, channel)
  return place instanceof Promise ? place.then((read) => threadAt(ctx, channel, read)) : threadAt(ctx, channel, place)
}

function threadAt({ viewer }: Ctx, channel: FezChannel, place: Place | undefined): Thread {
  const posts = channel.postsFor(viewer)
  return {
    postCount: posts.length,
    readCount: place ? countUpTo(posts, place.readPostID) : posts.length,
    isMuted: place?.muted ?? false,
    isFavorite: place?.favorite ?? false,
  }
}

interface Place {
  accountId: string
  readPostID: number
  muted: boolean
  favorite: boolean
  added: boolean
}

/** The read position that counts for the viewer: as a member, or else in a shared inbox. */
function placeIn(ctx: Ctx, channel: FezChannel): Place | undefined | Promise<Place | undefined> {
  const accountId = memberFor(ctx.viewer, (id) => channel.memberIds.has(id))
  if (accountId === undefined) return undefined
  return knownPlaceIn(ctx, channel, accountId) ?? (accountId === ctx.viewer.id ? readPlaceIn(ctx, channel) : undefined)
}

async function readPlaceIn({ sql, viewer }: Ctx, channel: FezChannel): Promise<Place | undefined> {
  const [row] = await selectMemberships(sql, channel.id, [viewer.id])
  return row && { accountId: viewer.id, readPostID: row.readPostId, muted: row.isMuted, favorite: row.isFavorite, added: row.added }
}

/** The viewer's place, as a member or in a shared inbox, from their channel. */
function knownPlaceIn({ viewer }: Ctx, channel: FezChannel, accountId: string): Place | undefined {
  const user = chatReaderOf(viewer)
  const entry = (accountId === viewer.id ? user.unread : user.inboxes.get(accountId))?.get(channel.id)
  return entry && { accountId, readPostID: entry.readPostID, muted: entry.muted, favorite: entry.isFavorite, added: entry.added }
}

/** How many of the posts, which are in order, have an id up to `postID`. */
function countUpTo(posts: readonly PostKey[], postID: number): number {
  let low = 0
  let high = posts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((posts[middle] as PostKey).id <= postID) low = middle + 1
    else high = middle
  }
  return low
}

/** One chat with a page of its posts; marks them read. */
export function getFez(ctx: Ctx, fezId: string, query: PageQuery): Reply<FezData> | Promise<Reply<FezData>> {
  const channel = ctx.node.channels.of(fezKind).hot(fezId)
  return (channel && readAtOnce(ctx, channel, query)) ?? readFez(ctx, fezId, query)
}

/** The answer if all it takes is in memory and there is nothing to mark: what phones that look again get. */
function readAtOnce(ctx: Ctx, channel: FezChannel, query: PageQuery): Reply<FezData> | undefined {
  if (!isThereFor(ctx, channel) || !mayReadThread(ctx.viewer, channel.row, channel.memberIds)) return undefined
  const accountId = memberFor(ctx.viewer, (id) => channel.memberIds.has(id))
  if (accountId === undefined && isLookFromOutside(ctx.viewer, channel)) return undefined
  const place = accountId === undefined ? undefined : knownPlaceIn(ctx, channel, accountId)
  if (accountId !== undefined && !place) return undefined
  const page = postPage(ctx, channel, place, query)
  if (place && !query.peek && needsMarking(ctx, channel, place, page.lastSeen)) return undefined
  const shared = sharedTexts(ctx, channel)?.get(keyOf(page))
  if (shared !== undefined) return new Reply(200, shared)
  const posts = postsInMemory(channel, page.keys)
  return posts && new Reply(200, pageText(ctx, channel, page, posts))
}

async function readFez(ctx: Ctx, fezId: string, query: PageQuery): Promise<Reply<FezData>> {
  const channel = await chatOf(ctx, fezId)
  if (!mayReadThread(ctx.viewer, channel.row, channel.memberIds)) {
    // Also for moderators, whose endpoints for private chats are others.
    if (channel.row.fezType === 'closed') throw notAvailable('chat')
    return new Reply(200, jsonText(fezData(viewContext(ctx), channel.row, channel.memberIds, undefined)))
  }
  await noteLookFromOutside(ctx, channel)
  const place = await placeIn(ctx, channel)
  const page = postPage(ctx, channel, place, query)
  const posts = await textsOf(ctx, channel, page.keys)
  if (place && !query.peek && needsMarking(ctx, channel, place, page.lastSeen)) await markSeen(ctx, channel, place, page.lastSeen)
  return new Reply(200, pageText(ctx, channel, page, posts))
}

/** `peek`: what is sent does not count as read. */
type PageQuery = { start?: number; limit?: number; peek?: boolean }

interface PostPage {
  start: number
  limit: number
  total: number
  readCount: number
  isMuted: boolean
  isFavorite: boolean
  keys: readonly PostKey[]
  /** The last post of the page if it is a new one; else 0. */
  lastSeen: number
  /** The chat as the page has it, for a viewer who hides nobody: as long as it is that, others see the same. */
  sharedAs: FezRow | undefined
}

/** The page asked for, or the one with the first new post. */
function postPage(ctx: Ctx, channel: FezChannel, place: Place | undefined, query: PageQuery): PostPage {
  const visible = channel.postsFor(ctx.viewer)
  const total = visible.length
  const readCount = place ? countUpTo(visible, place.readPostID) : total
  const { limit } = pageOf(query, settingsOf(ctx.node).values.maximumTwarrts)
  const wanted = query.start ?? (limit === 0 ? 0 : Math.floor((readCount - 1) / limit) * limit)
  const start = Math.max(0, Math.min(wanted, total))
  const end = Math.min(start + limit, total)
  return {
    start,
    limit,
    total,
    readCount,
    isMuted: place?.muted ?? false,
    isFavorite: place?.favorite ?? false,
    keys: visible.slice(start, end),
    lastSeen: end > readCount ? (visible[end - 1]?.id ?? 0) : 0,
    sharedAs: hidesNobody(ctx.viewer) ? channel.row : undefined,
  }
}

/** Of one chat, a few: readers whose read positions differ, and pages other than the last. */
const maxSharedTexts = 16

/** Texts of answers about the chat as it is now: those who hide nobody see the same, and share them. */
function sharedTexts({ viewer, node }: Ctx, channel: FezChannel): Map<string, JsonText<FezData>> | undefined {
  if (!hidesNobody(viewer)) return undefined
  return channel.pages.get([channel.row, settingsOf(node).trip, node.accounts.revision], () => new Map())
}

const keyOf = ({ start, limit, readCount, isMuted, isFavorite }: PostPage): string =>
  `${start} ${limit} ${readCount} ${isMuted} ${isFavorite}`

function pageText(ctx: Ctx, channel: FezChannel, page: PostPage, posts: FezPostRow[]): JsonText<FezData> {
  const { start, limit, total, readCount, isMuted, isFavorite } = page
  const text = jsonText(
    fezData(viewContext(ctx), channel.row, channel.memberIds, {
      postCount: total,
      readCount,
      isMuted,
      isFavorite,
      posts,
      paginator: { total, start, limit },
    }),
  )
  // It may have changed while its texts were read, or while it was marked.
  const shared = page.sharedAs === channel.row ? sharedTexts(ctx, channel) : undefined
  if (!shared) return text
  const narrow = narrowJson(text)
  if (shared.size >= maxSharedTexts) shared.clear()
  shared.set(keyOf(page), narrow)
  return narrow
}

async function textsOf(ctx: Ctx, channel: FezChannel, keys: readonly PostKey[]): Promise<FezPostRow[]> {
  return (
    postsInMemory(channel, keys) ??
    (await selectPosts(
      ctx.sql,
      keys.map(({ id }) => id),
    ))
  )
}

function postsInMemory(channel: FezChannel, keys: readonly PostKey[]): FezPostRow[] | undefined {
  const posts = keys.map(({ id }) => channel.textOf(id))
  return posts.every((post) => post !== undefined) ? posts : undefined
}

/**
 * Whether the last post that was just sent is new to the viewer in any of their places; `last` is 0 when it is not new
 * in the one shown.
 */
function needsMarking(ctx: Ctx, channel: FezChannel, { readPostID }: Place, last: number): boolean {
  const upTo = Math.max(last, readPostID)
  return membersFor(ctx.viewer, (id) => channel.memberIds.has(id)).some((id) => {
    const place = knownPlaceIn(ctx, channel, id)
    return !place || place.added || place.readPostID < upTo
  })
}

/** The caller has read all posts that they may see, or those up to this one. False when none of them was new to them. */
export async function markFezRead(ctx: Ctx, fezId: string, upTo = Infinity): Promise<boolean> {
  const channel = await chatOf(ctx, fezId)
  const place = await placeIn(ctx, channel)
  if (!place) throw forbidden('not_member', 'Only members can mark a chat as read.')
  const last = channel.postsFor(ctx.viewer).findLast(({ id }) => id <= upTo)?.id ?? 0
  return needsMarking(ctx, channel, place, last) && (await markSeen(ctx, channel, place, last))
}

/** Moves the read position to the last post that was just sent, in the shared inboxes too. False when it was there. */
async function markSeen(ctx: Ctx, channel: FezChannel, place: Place, last: number): Promise<boolean> {
  // A HEAD shows nothing.
  if (ctx.readOnly) return false
  const postID = Math.max(last, place.readPostID)
  const { moved } = await ctx.transaction(async (tx) => {
    // Only the caller sees it, whose channel is told on every node before the answer: nobody waits for the rest.
    tx.changesPart(['fez_member', 'fez_inbox_reader'], channel.id, { confirmed: false })
    const has = (id: string) => channel.memberIds.has(id)
    const position = has(ctx.viewer.id) ? await markRead(tx.sql, channel.id, ctx.viewer.id, postID) : undefined
    if (position !== undefined) tx.emitConfirmed(userTopic, ctx.viewer.id, { type: 'chatRead', fezID: channel.id, postID, position })
    const inInboxes = await readInboxes(tx, channel.id, has, postID)
    return { moved: position !== undefined || inInboxes }
  })
  return moved
}

/** The lookups of this request's views. */
export function viewContext(ctx: Ctx): ViewContext {
  return { viewer: ctx.viewer, accounts: ctx.node.accounts, trip: settingsOf(ctx.node).trip }
}
