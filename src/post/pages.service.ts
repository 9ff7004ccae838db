// Pages of posts as their viewer gets them, put together from texts that all viewers share.
import type { Ctx } from '../core/ctx.ts'
import { joinedJson, type JsonText } from '../core/json-text.ts'
import type { FeedName } from '../hits/hits.ts'
import { isHidden } from '../moderation/types.ts'
import type { PostContent } from './cache.ts'
import type { FeedPost } from './feed.ts'
import { selectPostVersions } from './queries.ts'
import { readRefs, type PageRefs, type PostRef } from './refs.ts'
import { hasMuteword } from './rules.ts'
import { shownForJson, type ShownPost } from './shown.ts'

/** A feed, and the view of what its posts show to everybody. */
export interface FeedContents<Row extends FeedPost, Content extends object> {
  readonly name: FeedName
  contentOf(post: Row): Content
}

/**
 * The JSON of a page's posts, without those that have one of the caller's mutewords. `creatorId` is of what they
 * are the posts of: that account is loaded with the authors.
 */
export async function shownPosts<Row extends FeedPost, Content extends object>(
  ctx: Ctx,
  feed: FeedContents<Row, Content>,
  refs: PageRefs,
  creatorId?: string,
): Promise<JsonText<ShownPost<Content>[]>> {
  const { accounts } = ctx.node
  const creators = creatorId === undefined ? [] : [creatorId]
  if (refs === null) {
    await accounts.load(creators)
    return joinedJson('[]')
  }
  const cache = ctx.node.postCaches[feed.name]
  const hidesNothing = ctx.viewer.mutewords.length === 0
  const known = hidesNothing ? await cache.findPage(refs, creators) : undefined
  if (known !== undefined) return joinedJson(known)
  const posts = readRefs(refs)
  // Keeps the contents found so far: the cache may evict them while we wait.
  const found = posts.map((post) => cache.find(post))
  const missing = posts.filter((_, index) => !found[index]).map(({ id }) => id)
  const read = missing.length === 0 ? [] : await selectPostVersions<Row>(ctx.sql, feed.name, missing)
  const readById = new Map(read.map((row) => [row.id, contentFrom(feed, row)]))
  // One that is not found was deleted a moment ago.
  const contents = posts.map(({ id }, index) => found[index] ?? readById.get(id))
  const authors = contents.flatMap((content) => content?.authorId ?? [])
  await accounts.load([...creators, ...authors])
  for (const content of readById.values()) cache.put(content)
  const shown = contents.flatMap((content, index) => {
    if (!content || (!hidesNothing && hasMuteword(ctx.viewer, textOf(content)))) return []
    return [shownForJson(accounts, content.json, content.authorId, posts[index] as PostRef)]
  })
  const json = `[${shown.join()}]`
  if (hidesNothing && missing.length === 0) cache.putPage(refs, json, authors)
  return joinedJson(json)
}

function contentFrom<Row extends FeedPost>({ contentOf }: FeedContents<Row, object>, row: Row & { version: string }): PostContent {
  const { id, version, authorId } = row
  return { id, version, authorId, json: JSON.stringify(contentOf(row)), hiddenText: isHidden(row.moderationStatus) ? row.text : undefined }
}

/** The text of a post, hidden or not. */
const textOf = ({ json, hiddenText }: PostContent): string => hiddenText ?? (JSON.parse(json) as { text: string }).text
