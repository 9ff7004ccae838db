// Posts of a page as their viewer gets them, put together from texts that all viewers share.
import type { Ctx, Node } from '../core/ctx.ts'
import type { PostMarks } from './feed.ts'
import { KeptPosts, postJson, readPosts, textOf, type PackedPosts } from './kept.ts'
import { selectContents } from './queries.ts'
import { hasMuteword } from './rules.ts'
import type { FeedName } from '../hits/hits.ts'

/** The JSON of a page's posts, without those that have one of the caller's mutewords. `thread` is what they are the posts of: its creator is loaded with the authors. */
export async function shownPosts(
  ctx: Ctx,
  feed: FeedName,
  packed: PackedPosts,
  thread?: { id: string; creatorId: string },
): Promise<string> {
  const { accounts } = ctx.node
  const creators = thread ? [thread.creatorId] : []
  if (packed === null) {
    await accounts.load(creators)
    return '[]'
  }
  const kept = keptPostsOf(ctx.node, feed)
  const hidesNothing = ctx.viewer.mutewords.length === 0
  // With its contents it is one that hardly anybody else looks at.
  const isShared = hidesNothing && !packed.includes('{')
  const known = isShared ? await kept.findPage(packed, creators) : undefined
  if (known !== undefined) return known
  const posts = readPosts(packed)
  // What is found stays in hand: while we wait, others may need its room.
  const found = posts.map((post) => kept.find(post))
  const unknown = posts.filter((_, index) => !found[index])
  if (thread) kept.noteFound(thread.id, posts.length - unknown.length, posts.length)
  const missing = unknown.filter(({ content }) => !content).map(({ id }) => id)
  const read = missing.length === 0 ? [] : await selectContents(ctx.sql, feed, missing)
  const readById = new Map(read.map((content) => [content.id, content]))
  // One that is not found was deleted a moment ago.
  const contents = posts.map((post, index) => found[index] ?? post.content ?? readById.get(post.id))
  const authors = contents.flatMap((content) => content?.authorId ?? [])
  await accounts.load([...creators, ...authors])
  let json = ''
  for (const [index, content] of contents.entries()) {
    if (!content) continue
    if (!found[index]) kept.put(content)
    if (!hidesNothing && hasMuteword(ctx.viewer, textOf(content))) continue
    json += `${json === '' ? '' : ','}${postJson(accounts, content, posts[index] as PostMarks)}`
  }
  json = `[${json}]`
  if (isShared && unknown.length === 0) kept.putPage(packed, json, authors)
  return json
}

/** True when most posts of the thread are likely to be here: their contents need not be read. */
export const isWarm = ({ node }: Ctx, feed: FeedName, threadId: string): boolean => keptPostsOf(node, feed).isWarm(threadId)

const nodes: Record<FeedName, WeakMap<Node, KeptPosts>> = { forum: new WeakMap(), microblog: new WeakMap() }

function keptPostsOf(node: Node, feed: FeedName): KeptPosts {
  let kept = nodes[feed].get(node)
  if (!kept) nodes[feed].set(node, (kept = new KeptPosts(node.accounts)))
  return kept
}
