// Posts of a page as their viewer gets them, put together from texts that all viewers share.
import type { Accounts } from '../core/accounts.ts'
import type { Ctx, Node } from '../core/ctx.ts'
import type { FeedPost } from './feed.ts'
import { KeptPosts, type Kept, type MarkedPost } from './kept.ts'
import { selectVersionedPosts } from './queries.ts'
import { hasMuteword } from './rules.ts'
import type { FeedName } from './types.ts'

/** One of the feeds, as far as posts are kept. */
export interface KeptFeed<Row extends FeedPost> {
  readonly name: FeedName
  /** What all viewers get the same of a post, whose author is loaded. */
  shared(accounts: Accounts, post: Row): object
  readonly kept: WeakMap<Node, KeptPosts<Row>>
}

/** The JSON of each post, in order, without those that have one of the caller's mutewords. Further accounts are loaded with the authors. */
export async function shownPosts<Row extends FeedPost>(ctx: Ctx, feed: KeptFeed<Row>, posts: readonly MarkedPost[], furtherAccounts: readonly string[] = []): Promise<string[]> {
  const { accounts } = ctx.node
  const kept = keptPostsOf(ctx.node, feed)
  // What is found stays in hand: while we wait, others may need its room.
  const found = new Map<number, Kept<Row>>()
  const unknown: number[] = []
  for (const post of posts) {
    const each = kept.find(post)
    if (each) found.set(post.id, each)
    else unknown.push(post.id)
  }
  const rows = unknown.length > 0 ? await selectVersionedPosts<Row>(ctx.sql, feed.name, unknown) : []
  const authors = new Set(furtherAccounts)
  for (const { row } of found.values()) authors.add(row.authorId)
  for (const { authorId } of rows) authors.add(authorId)
  await accounts.load(authors)
  for (const row of rows) found.set(row.id, kept.put(row))
  // One that was not found was deleted a moment ago.
  return posts.flatMap((post) => {
    const each = found.get(post.id)
    return each && !hasMuteword(ctx.viewer, each.row.text) ? [kept.json(each, post)] : []
  })
}

function keptPostsOf<Row extends FeedPost>(node: Node, feed: KeptFeed<Row>): KeptPosts<Row> {
  let kept = feed.kept.get(node)
  if (!kept) feed.kept.set(node, kept = new KeptPosts(node.accounts, (post: Row) => feed.shared(node.accounts, post)))
  return kept
}
