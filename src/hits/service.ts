// Mentions, alertwords and hashtags of posts, and other things that wait for a user until they look at
// them. Features that hold such content call these functions from their own transactions.
import type { Config } from '../core/base/config.ts'
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import type { Viewer } from '../core/base/viewer.ts'
import type { FeedName } from './hits.ts'
import { inDialect } from '../text/dialect.ts'
import { wordsIn } from '../text/words.ts'
import { userTopic } from '../accounts/events.ts'
import { notificationFrame } from '../notices/frames.ts'
import { freshHits, hitCountsOf, kindsOf, noticeTypes, type HitKind } from './hits.ts'
import { hitsId, hitsTopic, type HitsEvent } from './events.ts'
import {
  deleteHits,
  deleteHitsOfForum,
  insertHashtags,
  insertHits,
  replaceMentions,
  selectStanding,
  updateViewed,
  type HitPost,
  type Mentions,
} from './queries.ts'
import { hashtagsOf, mentionedNames } from '../text/mentions.ts'

type AnyTx = Tx<Viewer | undefined>

/** A post whose text is written in this transaction. */
export interface NotedPost extends HitPost {
  /** Empty when the post is new. */
  before: string
  /** Empty when the post is deleted. */
  after: string
}

/** Takes note of the text of a post that was created, changed or deleted just before, in the same transaction. */
export async function noteText(tx: AnyTx, feed: FeedName, post: NotedPost): Promise<void> {
  const { id, before, after } = post
  if (after === '') return emitChanges(tx, [{ accountIds: await deleteHits(tx.sql, kindsOf[feed].all, id) }])
  await noteMentions(tx, feed, post)
  await noteHashtags(tx, [after])
  if (differ(wordsIn(before), wordsIn(after))) tx.enqueue('alertword-scan', { feed, postIds: [id] })
}

/** As `noteText`, for new posts that one statement wrote with their job. */
export async function noteNewNames(feed: FeedName, posts: readonly { tx: AnyTx; post: NotedPost }[]): Promise<void> {
  const [first] = posts
  if (!first) return
  await Promise.all(posts.map(({ tx, post }) => noteMentions(tx, feed, post)))
  await noteHashtags(
    first.tx,
    posts.map(({ post }) => post.after),
  )
}

/** In one statement and in order: transactions that add the same ones wait for each other, and not in a circle. */
async function noteHashtags(tx: AnyTx, texts: readonly string[]): Promise<void> {
  const tags = new Set(texts.flatMap((text) => hashtagsOf(text)))
  if (tags.size > 0) await insertHashtags(tx.sql, [...tags].sort())
}

/** True when `noteNewNames` has something to write for a new text. */
export const namesAnything = (text: string): boolean => mentionedNames(text).length > 0 || hashtagsOf(text).length > 0

async function noteMentions(tx: AnyTx, feed: FeedName, { before, after, ...post }: NotedPost): Promise<void> {
  const names = mentionedNames(after)
  const namesBefore = mentionedNames(before)
  if (!differ(names, namesBefore)) return
  const mentions: Mentions = { names, added: names.filter((name) => !namesBefore.includes(name)) }
  const rows = await replaceMentions(tx.sql, feed, post, mentions)
  if (rows.length === 0) return
  const author = (await tx.ctx.node.accounts.find(post.authorId))?.username ?? ''
  const added = rows.filter(({ isAdded }) => isAdded)
  tellNow(
    tx,
    post.id,
    [...new Set(added.map(({ kind }) => kind))].map((kind) => ({
      kind,
      accountIds: added.filter((row) => row.kind === kind).map(({ accountId }) => accountId),
      info: `@${author} ${mentionTexts[kind] ?? ''}`,
    })),
  )
  emitChanges(tx, [{ accountIds: rows.filter(({ isAdded }) => !isAdded).map(({ accountId }) => accountId) }])
}

interface NewHits {
  kind: HitKind
  accountIds: string[]
  /** The sentence that sockets of these users are sent. */
  info: string
}

/** Tells these accounts once the transaction has committed. A job does it again, for nodes that events do not reach by then. */
function tellNow(tx: AnyTx, itemId: number, hits: NewHits[]): void {
  const some = hits.filter(({ accountIds }) => accountIds.length > 0)
  if (some.length === 0) return
  const noticeId = tx.ctx.node.random.uuid()
  tx.emitHere(hitsTopic, hitsId, noticeOf(tx.ctx.node.config, noticeId, itemId, some))
  tx.enqueue('hits-notify', { noticeId, itemId, hits: some })
}

/** A node that knows a notice ignores its repetition. */
const noticeOf = (config: Config, noticeId: string, itemId: number, hits: readonly NewHits[]): HitsEvent => ({
  noticeId,
  changes: hits.map(({ kind, accountIds, info }) => ({
    accountIds,
    frame: notificationFrame(inDialect(config, noticeTypes[kind]), info, String(itemId)),
  })),
})

/** Tells on every node of hits that are still there. */
export async function notifyOfHits(tx: Tx<undefined>, { noticeId, itemId, hits }: JobPayloads['hits-notify']): Promise<void> {
  const told = hits.flatMap(({ kind, accountIds, info }) =>
    accountIds.map((accountId) => ({ itemId, accountId, kind: kind as HitKind, word: '', info })),
  )
  const standing = await selectStanding(tx.sql, told)
  if (standing.length === 0) return
  const event = noticeOf(
    tx.ctx.node.config,
    noticeId,
    itemId,
    hits.map(({ kind, info }) => ({
      kind: kind as HitKind,
      info,
      accountIds: standing.filter((hit) => hit.kind === kind).map(({ accountId }) => accountId),
    })),
  )
  await tx.ctx.node.channels.publishDurably(hitsTopic, hitsId, noticeId, event)
}

const mentionTexts: Partial<Record<HitKind, string>> = {
  microblogMention: 'mentioned you in a post.',
  forumMention: 'mentioned you in a forum post.',
  moderatorForumMention: 'mentioned the moderators in a forum post.',
  serviceTeamForumMention: 'mentioned the team in a forum post.',
}

function differ(some: readonly string[], others: readonly string[]): boolean {
  const set = new Set(some)
  return set.size !== new Set(others).size || others.some((each) => !set.has(each))
}

/** A whole forum was deleted just before, in this transaction: as if each of its posts had been. */
export async function forgetForum(tx: AnyTx, forumId: string): Promise<void> {
  emitChanges(tx, [{ accountIds: await deleteHitsOfForum(tx.sql, forumId) }])
}

/** Puts an item before these accounts until they look at it; `info` is the sentence that their sockets are sent, once. */
export async function addHits(tx: AnyTx, kind: HitKind, itemId: number, accountIds: readonly string[], info: string): Promise<void> {
  tellNow(tx, itemId, [{ kind, accountIds: await insertHits(tx.sql, kind, itemId, accountIds), info }])
}

/** The item is gone. */
export async function removeHits(tx: AnyTx, kind: HitKind, itemId: number): Promise<void> {
  emitChanges(tx, [{ accountIds: await deleteHits(tx.sql, [kind], itemId) }])
}

/** Marks everything of one kind as seen, or a feed's posts with a word as the caller typed it; several words are none. */
export async function markViewed(ctx: Ctx, what: HitKind | { feed: FeedName; word: string }): Promise<void> {
  const words = typeof what === 'string' ? [''] : wordsIn(what.word)
  const [word] = words
  if (word === undefined || words.length > 1) return
  const kind = typeof what === 'string' ? what : kindsOf[what.feed].alertword
  if (freshHits(hitCountsOf(ctx.viewer), kind, word) === 0) return
  await ctx.markSeen({ topic: userTopic, id: ctx.viewer.id }, async (tx) => {
    if (await updateViewed(tx.sql, ctx.viewer.id, kind, word)) emitHitsChanged(tx, ctx.viewer.id)
  })
}

/** The numbers of an account have changed, and it shall see that at once. */
export function emitHitsChanged(tx: AnyTx, accountId: string): void {
  tx.emitConfirmed(hitsTopic, hitsId, { changes: [{ accountIds: [accountId] }] })
}

/** Tells every node whose numbers have changed, and what their sockets are to be sent. */
export function emitChanges(tx: AnyTx, changes: HitsEvent['changes']): void {
  const some = changes.filter(({ accountIds }) => accountIds.length > 0)
  if (some.length > 0) tx.emitHere(hitsTopic, hitsId, { changes: some })
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'hits-notify': { noticeId: string; itemId: number; hits: { kind: string; accountIds: string[]; info: string }[] }
  }
}
