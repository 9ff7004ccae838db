// Pages of posts as their viewer gets them, put together from texts that all viewers share.
import type { Ctx, Node } from '../core/work/ctx.ts'
import type { Db, Sql } from '../core/db/db.ts'
import { gathered } from '../core/db/gathered.ts'
import { joinedJson, type JsonText } from '../core/base/json-text.ts'
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
  const missing = posts.filter((_, index) => !found[index])
  const read = missing.length === 0 ? undefined : await readContents(ctx.node, feed, missing)
  // One that is not found was deleted a moment ago.
  const contents = read ? posts.map(({ id }, index) => found[index] ?? read.get(id)) : found
  // Authors of what was read are loaded.
  const authors = [...creators]
  for (const content of found) if (content) authors.push(content.authorId)
  await accounts.load(authors)
  // Others wanted the same page, and one of them was first.
  const made = read && hidesNothing ? cache.page(refs) : undefined
  if (made !== undefined) return joinedJson(made)
  const shown: string[] = []
  for (const [index, content] of contents.entries())
    if (content && (hidesNothing || !hasMuteword(ctx.viewer, textOf(content))))
      shown.push(shownForJson(accounts, content.json, content.authorId, posts[index] as PostRef))
  const json = `[${shown.join()}]`
  // Some of what was read may be newer.
  if (hidesNothing && contents.every((content, index) => content?.version === posts[index]?.version))
    cache.putPage(refs, json, () => [...new Set(contents.flatMap((content) => content?.authorId ?? []))])
  return joinedJson(json)
}

/** Many viewers of the same page count as one. */
const pagesInStatement = 8

type VersionRow = FeedPost & { version: string }

/** Rows of the posts of a page, by their ids with commas between them. */
const readRows: Record<FeedName, (db: Db, ids: string) => Promise<readonly VersionRow[] | undefined>> = {
  forum: gathered((sql, pages) => selectPages(sql, 'forum', pages), pagesInStatement),
  microblog: gathered((sql, pages) => selectPages(sql, 'microblog', pages), pagesInStatement),
}

async function selectPages(sql: Sql, feed: FeedName, pages: readonly string[]): Promise<ReadonlyMap<string, readonly VersionRow[]>> {
  const idsOf = new Map(pages.map((page) => [page, page.split(',').map(Number)]))
  const rows = await selectPostVersions(sql, feed, [...new Set([...idsOf.values()].flat())])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return new Map(pages.map((page) => [page, (idsOf.get(page) ?? []).flatMap((id) => byId.get(id) ?? [])]))
}

/** Posts as they are, at least in these versions; those of pages that are wanted at once are read together. */
async function readContents<Row extends FeedPost>(
  { accounts, db, postCaches }: Node,
  feed: FeedContents<Row, object>,
  wanted: readonly PostRef[],
): Promise<ReadonlyMap<number, PostContent>> {
  const cache = postCaches[feed.name]
  const rows = (await readRows[feed.name](db, wanted.map(({ id }) => id).join())) as readonly (Row & VersionRow)[]
  await accounts.load(new Set(rows.map(({ authorId }) => authorId)))
  const contents = rows.map((row) => cache.find(row) ?? cache.put(contentFrom(feed, row)))
  return new Map(contents.map((content) => [content.id, content]))
}

function contentFrom<Row extends FeedPost>({ contentOf }: FeedContents<Row, object>, row: Row & { version: string }): PostContent {
  const { id, version, authorId } = row
  return { id, version, authorId, json: JSON.stringify(contentOf(row)), hiddenText: isHidden(row.moderationStatus) ? row.text : undefined }
}

/** The text of a post, hidden or not. */
const textOf = ({ json, hiddenText }: PostContent): string => hiddenText ?? (JSON.parse(json) as { text: string }).text
