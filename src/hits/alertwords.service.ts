// Finds alertwords in posts: a job reads each new text, and another notifies the watchers once the
// rows are there. Both may run twice, late, and in any order.
import type { Tx } from '../core/ctx.ts'
import type { JobPayloads } from '../core/jobs/jobs.ts'
import type { Viewer } from '../core/viewer.ts'
import { isUsable, wordsIn } from '../text/words.ts'
import { notificationFrame } from '../notices/frames.ts'
import { kindsOf, noticeTypes, type FeedName } from './hits.ts'
import { hitsId, hitsTopic, type HitsEvent } from './events.ts'
import { deleteHits, deleteHitsOfWord, lockPostTexts, replaceAlertwordHits, selectStanding, type LockedText } from './queries.ts'
import { emitChanges, emitHitsChanged } from './service.ts'

/** Brings the alertword rows of some posts in line with what they say now, if they are still there. */
export async function scanForAlertwords(tx: Tx<undefined>, { feed, postIds }: JobPayloads['alertword-scan']): Promise<void> {
  const posts = new Map((await lockPostTexts(tx.sql, feed, postIds)).map((post) => [post.id, post]))
  // Sent together, and run one after another.
  await Promise.all(postIds.map((postId) => scan(tx, feed, postId, posts.get(postId))))
}

async function scan(tx: Tx<undefined>, feed: FeedName, postId: number, post: LockedText | undefined): Promise<void> {
  if (!post) return emitChanges(tx, [{ accountIds: await deleteHits(tx.sql, [kindsOf[feed].alertword], postId) }])
  const words = [...new Set(wordsIn(post.text).filter(isUsable))]
  const changes = await replaceAlertwordHits(tx.sql, feed, post, words)
  const hits = changes.filter(({ isAdded, isNew }) => isAdded && isNew).map(({ accountId, word }) => ({ accountId, word }))
  if (hits.length > 0) tx.enqueue('alertword-notify', { noticeId: tx.ctx.node.random.uuid(), feed, postId, authorId: post.authorId, hits })
  // Accounts that get a notice get their numbers with it.
  emitChanges(tx, [{ accountIds: changes.filter(({ isAdded, isNew }) => !(isAdded && isNew)).map(({ accountId }) => accountId) }])
}

/** Tells the watchers on their notification sockets, except whose rows are gone again. */
export async function notifyOfAlertwords(
  tx: Tx<undefined>,
  { noticeId, feed, postId, authorId, hits }: JobPayloads['alertword-notify'],
): Promise<void> {
  const kind = kindsOf[feed].alertword
  const standing = await selectStanding(
    tx.sql,
    postId,
    hits.map((hit) => ({ ...hit, kind })),
  )
  if (standing.length === 0) return
  const author = (await tx.ctx.node.accounts.find(authorId))?.username ?? ''
  const where = feed === 'forum' ? 'a forum post' : 'a post'
  const event: HitsEvent = {
    noticeId,
    changes: [...new Set(standing.map(({ word }) => word))].map((word) => ({
      accountIds: standing.filter((hit) => hit.word === word).map(({ accountId }) => accountId),
      frame: notificationFrame(noticeTypes[kind], `@${author} used your alert word "${word}" in ${where}.`, String(postId)),
    })),
  }
  await tx.ctx.node.channels.publishDurably(hitsTopic, hitsId, noticeId, event)
}

/** An account has given up an alertword in this transaction. */
export async function forgetAlertword(tx: Tx<Viewer>, accountId: string, word: string): Promise<void> {
  if (await deleteHitsOfWord(tx.sql, accountId, word)) emitHitsChanged(tx, accountId)
}

declare module '../core/jobs/jobs.ts' {
  interface JobPayloads {
    'alertword-scan': { feed: FeedName; postIds: number[] }
    'alertword-notify': { noticeId: string; feed: FeedName; postId: number; authorId: string; hits: { accountId: string; word: string }[] }
  }
}
