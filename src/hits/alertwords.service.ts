// Finds alertwords in posts: a job reads each new text, and another notifies the watchers once the
// rows are there. Both may run twice, late, and in any order.
import type { Tx } from '../core/work/ctx.ts'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { isUsable, wordsIn } from '../text/words.ts'
import { notificationFrame } from '../notices/frames.ts'
import { kindsOf, noticeTypes, type FeedName } from './hits.ts'
import { hitsId, hitsTopic, type HitsEvent } from './events.ts'
import {
  deleteHits,
  deleteHitsOfWord,
  lockPostTexts,
  replaceAlertwordHits,
  selectStanding,
  type AlertwordChange,
  type LockedText,
} from './queries.ts'
import { emitChanges, emitHitsChanged } from './service.ts'

/** Scans that wait, as one for each feed. */
export function mergedScans(scans: readonly JobPayloads['alertword-scan'][]): JobPayloads['alertword-scan'][] {
  const feeds = [...new Set(scans.map(({ feed }) => feed))]
  return feeds.map((feed) => ({ feed, postIds: [...new Set(scans.flatMap((scan) => (scan.feed === feed ? scan.postIds : [])))] }))
}

/** Hits that go with one job that notifies: more would hold up what else waits. */
const hitsTogether = 1000

/** Brings the alertword rows of some posts in line with what they say now, if they are still there. */
export async function scanForAlertwords(tx: Tx<undefined>, { feed, postIds }: JobPayloads['alertword-scan']): Promise<void> {
  const texts = await lockPostTexts(tx.sql, feed, postIds)
  const present = new Set(texts.map(({ id }) => id))
  const posts = texts.map((post) => ({ ...post, words: [...new Set(wordsIn(post.text).filter(isUsable))] }))
  // Sent together, and run one after another.
  const [changes, ...gone] = await Promise.all([
    posts.length > 0 ? replaceAlertwordHits(tx.sql, feed, posts) : [],
    ...postIds.filter((id) => !present.has(id)).map((id) => deleteHits(tx.sql, [kindsOf[feed].alertword], id)),
  ])
  for (const notice of noticesOf(posts, changes))
    tx.enqueue('alertword-notify', { noticeId: tx.ctx.node.random.uuid(), feed, posts: notice })
  // Accounts that get a notice get their numbers with it.
  const others = changes.filter(({ isAdded, isNew }) => !(isAdded && isNew)).map(({ accountId }) => accountId)
  emitChanges(tx, [{ accountIds: [...new Set([...others, ...gone.flat()])] }])
}

/** The posts with somebody to notify, in the order in which they were written; divided where there are many. */
function noticesOf(posts: readonly LockedText[], changes: readonly AlertwordChange[]): HitPosts[] {
  const hits = new Map<number, HitPosts[number]['hits']>(posts.map(({ id }) => [id, []]))
  for (const { postId, accountId, word, isAdded, isNew } of changes) if (isAdded && isNew) hits.get(postId)?.push({ accountId, word })
  const notices: HitPosts[] = []
  let room = 0
  for (const { id, authorId } of posts) {
    const found = hits.get(id) ?? []
    if (found.length === 0) continue
    if (notices.length === 0 || room < found.length) {
      notices.push([])
      room = hitsTogether
    }
    notices.at(-1)?.push({ postId: id, authorId, hits: found })
    room -= found.length
  }
  return notices
}

/** Tells the watchers on their notification sockets, except whose rows are gone again. */
export async function notifyOfAlertwords(tx: Tx<undefined>, payload: JobPayloads['alertword-notify']): Promise<void> {
  const { noticeId, feed } = payload
  // Jobs of an earlier version are about one post.
  const posts = 'posts' in payload ? payload.posts : [payload]
  const kind = kindsOf[feed].alertword
  const standing = await selectStanding(
    tx.sql,
    posts.flatMap(({ postId, hits }) => hits.map((hit) => ({ ...hit, itemId: postId, kind }))),
  )
  if (standing.length === 0) return
  const { accounts } = tx.ctx.node
  await accounts.load(new Set(posts.map(({ authorId }) => authorId)))
  const where = feed === 'forum' ? 'a forum post' : 'a post'
  const changes = posts.flatMap(({ postId, authorId }) => {
    const found = standing.filter(({ itemId }) => itemId === postId)
    const author = accounts.has(authorId) ? accounts.get(authorId).username : ''
    return [...new Set(found.map(({ word }) => word))].map((word) => ({
      accountIds: found.filter((hit) => hit.word === word).map(({ accountId }) => accountId),
      frame: notificationFrame(noticeTypes[kind], `@${author} used your alert word "${word}" in ${where}.`, String(postId)),
    }))
  })
  await tx.ctx.node.channels.publishDurably(hitsTopic, hitsId, noticeId, { noticeId, changes } satisfies HitsEvent)
}

/** An account has given up an alertword in this transaction. */
export async function forgetAlertword(tx: Tx<Viewer>, accountId: string, word: string): Promise<void> {
  if (await deleteHitsOfWord(tx.sql, accountId, word)) emitHitsChanged(tx, accountId)
}

/** Posts and whom their words concern. */
type HitPosts = { postId: number; authorId: string; hits: { accountId: string; word: string }[] }[]

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'alertword-scan': { feed: FeedName; postIds: number[] }
    'alertword-notify': { noticeId: string; feed: FeedName } & ({ posts: HitPosts } | HitPosts[number])
  }
}
