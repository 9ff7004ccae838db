// Lists of forums.
import type { Ctx } from '../core/work/ctx.ts'
import { isUuid } from '../core/schema/decode.ts'
import { badRequest, forbidden } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { joinedJson, jsonText, type JsonText } from '../core/base/json-text.ts'
import { isModerator } from '../core/base/viewer.ts'
import { searchesByAuthor } from '../text/dialect.ts'
import { settingsOf } from '../settings/channel.ts'
import { userChannelOf } from '../users/channel.ts'
import { visibleUserNamed } from '../users/service.ts'
import type { ForumsFromMemory } from './heads.ts'
import { selectForumPage, type ForumFilter, type ForumOrder } from './lists.queries.ts'
import type { ForumListData, ForumListQuery, ForumSearchData, ForumSearchQuery } from './schemas.ts'
import { forumSorts, type ForumSort } from './types.ts'
import { forumListData, listedForumJson } from './views.ts'

/** An id in a query; what is none counts as absent. */
export function uuidIn(typed: string | undefined): string | undefined {
  return typed !== undefined && isUuid(typed) ? typed.toLowerCase() : undefined
}

/** The sort order; unknown words are ignored. */
export function orderOf({ sort, order }: { sort?: string; order?: string }, fallback: ForumSort): ForumOrder {
  return {
    sort: forumSorts.find((each) => each === sort) ?? fallback,
    direction: order === 'ascending' || order === 'descending' ? order : undefined,
  }
}

/** A page of forums as it is sent, and what `ForumsFromMemory` knows of it. */
export interface ForumPage extends Omit<ForumsFromMemory, 'listed'> {
  json: JsonText<ForumListData[]>
}

/** A page of the forums that the caller can see: from memory, as far as that goes. */
export async function pageOfForums(
  ctx: Ctx,
  filter: ForumFilter,
  order: ForumOrder,
  { start, limit }: { start: number; limit: number },
): Promise<ForumPage> {
  const { accounts, forumHeads } = ctx.node
  const reader = userChannelOf(ctx.viewer)
  const inMemory = reader.stale ? undefined : await forumHeads.page(ctx.viewer, filter, order, start, limit)
  const { trip, revision } = settingsOf(ctx.node)
  if (inMemory && !reader.stale) {
    const { listed, ...page } = inMemory
    const shown = new Set<string>()
    for (const { head, last } of listed) {
      shown.add(head.creatorId)
      if (last) shown.add(last.posterId)
    }
    await accounts.load(shown)
    const of = [accounts.revision, revision]
    return { ...page, json: joinedJson(`[${listed.map((each) => listedForumJson(accounts, trip, of, each)).join()}]`) }
  }
  const { rows, ...page } = await selectForumPage(ctx.sql, ctx.viewer, filter, order, start, limit)
  await accounts.load(new Set(rows.flatMap(({ creatorId, lastPosterId }) => (lastPosterId ? [creatorId, lastPosterId] : [creatorId]))))
  return { ...page, among: undefined, json: jsonText(rows.map((row) => forumListData(accounts, trip, row))) }
}

async function page(ctx: Ctx, query: ForumListQuery, filter: ForumFilter, order: ForumOrder): Promise<Reply<ForumSearchData>> {
  const range = pageOf(query, settingsOf(ctx.node).values.maximumForums)
  const { total, json, among } = await pageOfForums(ctx, inCategoryOf(query, filter), order, range)
  const paginator = JSON.stringify({ total, ...range })
  return new Reply(200, joinedJson(`{"paginator":${paginator},"forumThreads":${json}}`), {}, { shows: among })
}

function inCategoryOf(query: ForumListQuery, filter: ForumFilter): ForumFilter {
  const cat = uuidIn(query.cat)
  return cat === undefined ? filter : { ...filter, inCategories: [cat] }
}

/** Outside of a category there is no event order. */
function listOrder(query: ForumListQuery, fallback: ForumSort): ForumOrder {
  const order = orderOf(query, fallback)
  return order.sort === 'event' ? { ...order, sort: 'update' } : order
}

/** Forums that the caller has started, by title. */
export async function listOwnForums(ctx: Ctx, query: ForumListQuery): Promise<Reply<ForumSearchData>> {
  return await page(ctx, query, { own: true }, listOrder(query, 'title'))
}

/** The same without their number. */
export async function listOwnForumsAlone(ctx: Ctx, query: ForumListQuery): Promise<Reply<ForumListData[]>> {
  const range = pageOf(query, settingsOf(ctx.node).values.maximumForums)
  const { json, among } = await pageOfForums(ctx, inCategoryOf(query, { own: true }), listOrder(query, 'title'), range)
  return new Reply(200, json, {}, { shows: among })
}

/** The caller's favorites. */
export async function listFavoriteForums(ctx: Ctx, query: ForumListQuery): Promise<Reply<ForumSearchData>> {
  return await page(ctx, query, { isFavorite: true }, listOrder(query, 'update'))
}

/** Forums that the caller has muted. */
export async function listMutedForums(ctx: Ctx, query: ForumListQuery): Promise<Reply<ForumSearchData>> {
  return await page(ctx, query, { isMuted: true }, listOrder(query, 'update'))
}

/** Forums with posts that the caller has not read, without muted ones. */
export async function listUnreadForums(ctx: Ctx, query: ForumListQuery): Promise<Reply<ForumSearchData>> {
  return await page(ctx, query, { isUnread: true, isMuted: false }, listOrder(query, 'update'))
}

/** Forums that the caller has had to do with, the latest first. */
export async function listRecentForums(ctx: Ctx, query: ForumListQuery): Promise<Reply<ForumSearchData>> {
  return await page(ctx, query, { hasRead: true }, { sort: 'recent' })
}

/** Forums that match all of the filters; at least one is needed. */
export async function searchForums(ctx: Ctx, query: ForumSearchQuery): Promise<Reply<ForumSearchData>> {
  const { creatorself: own, favorite: isFavorite, mute, posted, unread: isUnread } = query
  const creators = parts(query.creator)
  const creatorIds = parts(query.creatorid).map(idIn)
  const inCategories = parts(query.category).map(idIn)
  const words = wordsIn(query.search)
  const searchedPosts = wordsIn(query.searchposts)
  const narrows =
    own ||
    isFavorite ||
    mute ||
    posted ||
    isUnread ||
    words !== undefined ||
    searchedPosts !== undefined ||
    [creators, creatorIds, inCategories].some(({ length }) => length > 0)
  if (!narrows) throw badRequest('filter_missing', 'At least one filter is needed.')
  const mayName = isModerator(ctx.viewer) || searchesByAuthor(ctx.node.config)
  if (!mayName && creatorIds.some((id) => id !== ctx.viewer.id))
    throw forbidden('moderators_only', 'Only moderators can search by creatorid.')
  const named = await Promise.all(creators.map(async (name) => (await visibleUserNamed(ctx, name)).id))
  return await page(
    ctx,
    query,
    {
      own,
      isFavorite,
      isUnread,
      words,
      isMuted: mute || undefined,
      creatorIds: creators.length + creatorIds.length > 0 ? [...named, ...creatorIds] : undefined,
      inCategories: inCategories.length > 0 ? inCategories : undefined,
      somePost: posted || searchedPosts !== undefined ? { own: posted, words: searchedPosts } : undefined,
    },
    listOrder(query, 'update'),
  )
}

/** A list's values may be divided by | too. */
const parts = (values: readonly string[] = []): string[] => values.flatMap((value) => value.split('|')).filter((value) => value !== '')

function idIn(typed: string): string {
  const id = uuidIn(typed)
  if (id === undefined) throw badRequest('id_invalid', `${typed} is not a UUID.`)
  return id
}

function wordsIn(typed: string | undefined): string | undefined {
  const words = typed?.trim()
  if (words === '') throw badRequest('search_too_short', 'The text to search for must not be empty.')
  return words
}
