// Posts of a page as their viewer gets them, put together from texts that all viewers share.
import type { Ctx, Node } from '../core/ctx.ts'
import type { FeedPost, PostMarks } from './feed.ts'
import { KeptPosts, markedPosts, type PackedPosts, type PackedRow } from './kept.ts'
import { selectPackedRows } from './queries.ts'
import { hasMuteword } from './rules.ts'
import type { FeedName } from './types.ts'

/** One of the feeds, as far as posts are kept. */
export interface KeptFeed<Row extends FeedPost> {
  readonly name: FeedName
  /** What all viewers get the same of a post, but its author. */
  shared(post: PackedRow<Row>): object
  readonly kept: WeakMap<Node, KeptPosts<Row>>
}

/** The JSON of a page's posts, without those that have one of the caller's mutewords. `thread` is what they are the posts of: its creator is loaded with the authors. */
export async function shownPosts<Row extends FeedPost>(ctx: Ctx, feed: KeptFeed<Row>, { marks, rows }: PackedPosts, thread?: { id: string, creatorId: string }): Promise<string> {
  const { accounts } = ctx.node
  const creators = thread ? [thread.creatorId] : []
  if (marks === null && rows === null) {
    await accounts.load(creators)
    return '[]'
  }
  const kept = keptPostsOf(ctx.node, feed)
  const hidesNothing = ctx.viewer.mutewords.length === 0
  const known = marks !== null && hidesNothing ? await kept.findPage(marks, creators) : undefined
  if (known !== undefined) return known
  const given = rows === null ? undefined : JSON.parse(rows) as (PackedRow<Row> & PostMarks)[]
  const posts = given ?? markedPosts(marks as string)
  // What is found stays in hand: while we wait, others may need its room.
  const found = posts.map((post) => kept.find(post))
  const unknown = posts.filter((_, index) => !found[index])
  if (thread) kept.noteFound(thread.id, posts.length - unknown.length, posts.length)
  // One that is not found was deleted a moment ago.
  const read = given || unknown.length === 0 ? undefined : new Map((await selectPackedRows<Row>(ctx.sql, feed.name, unknown.map(({ id }) => id))).map((row) => [row.id, row]))
  const rowsOf = posts.map((post, index) => found[index]?.row ?? given?.[index] ?? read?.get(post.id))
  const authors = rowsOf.flatMap((row) => row?.authorId ?? [])
  await accounts.load([...creators, ...authors])
  let json = ''
  for (const [index, row] of rowsOf.entries()) {
    if (!row || (!hidesNothing && hasMuteword(ctx.viewer, row.text))) continue
    json += `${json === '' ? '' : ','}${kept.json(found[index] ?? kept.put(row), posts[index] as PostMarks)}`
  }
  json = `[${json}]`
  if (marks !== null && hidesNothing && unknown.length === 0) kept.putPage(marks, json, authors)
  return json
}

/** True when most posts of the thread are likely to be here: their rows need not be read. */
export const isWarm = <Row extends FeedPost>({ node }: Ctx, feed: KeptFeed<Row>, threadId: string): boolean => keptPostsOf(node, feed).isWarm(threadId)

function keptPostsOf<Row extends FeedPost>(node: Node, feed: KeptFeed<Row>): KeptPosts<Row> {
  let kept = feed.kept.get(node)
  if (!kept) feed.kept.set(node, kept = new KeptPosts<Row>(node.accounts, (post) => feed.shared(post)))
  return kept
}
