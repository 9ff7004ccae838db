// Records made about new posts of a feed in the transaction that writes them.
import type { Tx } from '../core/work/ctx.ts'
import type { Outcome } from '../core/db/batcher.ts'
import type { FeedName } from '../hits/hits.ts'
import { namesAnything, noteNewNames } from '../hits/service.ts'
import { logModeratorAction } from '../moderation/log.service.ts'
import type { Feed, FeedPost } from './feed.ts'

interface NewPost {
  authorId: string
  realAuthorId: string
  text: string
}

/** Notes mentions and hashtags of those posts that were written, and whose power was used; resolves with what each request is answered. */
export async function withNotes<Written extends { tx: Tx; post: NewPost; outcome: Outcome<number> }, Data>(
  { feed, contentType }: { feed: FeedName; contentType: Feed<FeedPost, unknown>['contentType'] },
  posts: readonly Written[],
  dataOf: (post: Written, id: number) => Data,
): Promise<Outcome<Data>[]> {
  const written = posts.flatMap(({ tx, post, outcome }) => {
    if (typeof outcome !== 'object' || !('answer' in outcome)) return []
    return [{ tx, post: { ...post, id: outcome.answer, before: '', after: post.text } }]
  })
  await noteNewNames(
    feed,
    written.filter(({ post }) => namesAnything(post.text)),
  )
  await Promise.all(
    written.map(({ tx, post }) =>
      logModeratorAction(tx, { action: 'post', contentType, contentId: String(post.id), ownerId: post.authorId }),
    ),
  )
  return posts.map((each) => {
    const { outcome } = each
    return typeof outcome === 'object' && 'answer' in outcome ? { answer: dataOf(each, outcome.answer) } : outcome
  })
}
