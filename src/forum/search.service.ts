// Lists and searches of posts, in the query form of today's apps and in paths.
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest, forbidden, notAvailable } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { atLeast, isModerator } from '../core/base/viewer.ts'
import { markViewed } from '../hits/service.ts'
import { findPosts, type PostFilter } from '../post/search.service.ts'
import { mentionKey, tagKey } from '../text/tags.ts'
import { settingsOf } from '../settings/channel.ts'
import { uuidIn } from './lists.service.ts'
import { forumPosts } from './posts.service.ts'
import type { PostData, PostSearchData, PostSearchQuery } from './schemas.ts'
import { selectVisibleForum } from './threads.queries.ts'

/** Posts that match all of the filters, newest first, with their number. */
export async function searchPosts(ctx: Ctx, query: PostSearchQuery): Promise<PostSearchData> {
  const { posts, total, start, limit } = await page(ctx, query, true)
  return { queryString: ctx.head?.query ?? '', posts, paginator: { total, start, limit }, totalPosts: total, start, limit }
}

/** The same without their number; `only` wins over the query. */
export async function listPosts(ctx: Ctx, query: PostSearchQuery, only: PostSearchQuery): Promise<PostData[]> {
  return (await page(ctx, { ...query, ...only }, false)).posts
}

/** Posts with exactly this hashtag, which begins with #. */
export async function listTaggedPosts(ctx: Ctx, query: PostSearchQuery, hashtag: string): Promise<PostData[]> {
  if (!hashtag.startsWith('#')) throw badRequest('hashtag_invalid', 'A hashtag begins with #.')
  return await listPosts(ctx, query, { hashtag })
}

/** Posts of one forum with these words. */
export async function searchInForum(ctx: Ctx, forumId: string, query: PostSearchQuery, search: string): Promise<PostData[]> {
  if (!(await selectVisibleForum(ctx.sql, forumId, ctx.viewer))) throw notAvailable('forum')
  const { category: _, ...rest } = query
  return await listPosts(ctx, rest, { search, forum: forumId })
}

async function page(ctx: Ctx, query: PostSearchQuery, counted: boolean) {
  const { start, limit } = pageOf(query, settingsOf(ctx.node).values.maximumForumPosts)
  const filter = await filterOf(ctx, query)
  await markFound(ctx, filter, start)
  const { total, posts } = await findPosts(ctx, forumPosts, filter, { start, limit, from: 'newest', counted })
  return { posts, total, start, limit }
}

/** Reading the list of mentions, or of posts with an alertword, marks all of them as seen. Later ones stay new. */
async function markFound(ctx: Ctx, { mentions = [], words }: PostFilter, start: number): Promise<void> {
  const [mention] = mentions
  const { level, username } = ctx.viewer
  if (mention === mentionKey(username)) await markViewed(ctx, 'forumMention')
  if (mention === 'moderator' && isModerator(ctx.viewer)) await markViewed(ctx, 'moderatorForumMention')
  if (mention === 'serviceteam' && atLeast(level, 'serviceteam')) await markViewed(ctx, 'serviceTeamForumMention')
  if (words !== undefined && start === 0) await markViewed(ctx, { feed: 'forum', word: words })
}

async function filterOf(ctx: Ctx, query: PostSearchQuery): Promise<PostFilter> {
  const { search, hashtag, bookmarked, ownreacts, byself, category, forum } = query
  const categoryId = uuidIn(category)
  if (category !== undefined && categoryId === undefined) throw badRequest('id_invalid', 'category is not a UUID.')
  const authors = [...(byself ? [[ctx.viewer.id]] : []), ...(await authorIn(ctx, query.creatorid))]
  const [first, ...others] = authors
  const mention = await mentionIn(ctx, query)
  return {
    words: search?.trim() || undefined,
    hashtags: hashtag ? [tagKey(`#${hashtag.replace(/^#/, '')}`)] : [],
    mentions: mention === undefined ? [] : [mention],
    isBookmarked: bookmarked,
    reaction: ownreacts ? 'any' : undefined,
    authorIds: first?.filter((id) => others.every((each) => each.includes(id))),
    categoryId,
    forumId: categoryId === undefined ? uuidIn(forum) : undefined,
  }
}

/** The author that moderators have asked for, if they exist. */
async function authorIn(ctx: Ctx, creatorid: string | undefined): Promise<string[][]> {
  if (creatorid === undefined) return []
  if (!isModerator(ctx.viewer)) throw forbidden('moderators_only', 'Only moderators can search by creatorid.')
  const id = uuidIn(creatorid)
  return id !== undefined && (await ctx.node.accounts.find(id)) ? [[id]] : []
}

async function mentionIn(ctx: Ctx, { mentionid, mentionname, mentionself }: PostSearchQuery): Promise<string | undefined> {
  const id = uuidIn(mentionid)
  const account = id === undefined ? undefined : await ctx.node.accounts.find(id)
  const name = account?.username ?? (mentionname || (mentionself ? ctx.viewer.username : undefined))
  return name === undefined ? undefined : mentionKey(name)
}
