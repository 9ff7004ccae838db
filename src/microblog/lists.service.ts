// Lists and searches of posts, in the query form of today's apps and in paths.
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest } from '../core/base/errors.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { markViewed } from '../hits/service.ts'
import { shownPosts } from '../post/pages.service.ts'
import { findPosts, type PostFilter } from '../post/search.service.ts'
import { mentionKey, tagKey } from '../text/tags.ts'
import { settingsOf } from '../settings/channel.ts'
import { requireUserList } from '../user/barrels.service.ts'
import { userChannelOf } from '../users/channel.ts'
import { visibleUser, visibleUserNamed } from '../users/service.ts'
import { microblogPosts } from './posts.service.ts'
import { selectNewestPosts } from './queries.ts'
import { postContent } from './views.ts'
import type { MicroblogPostData, MicroblogQuery } from './schemas.ts'

/** Posts that match all of the filters, newest first; a group of answers oldest first. `only` wins over the query. */
export async function listPosts(
  ctx: Ctx,
  query: MicroblogQuery,
  only: MicroblogQuery = {},
): Promise<MicroblogPostData[] | Reply<MicroblogPostData[]>> {
  return await page(ctx, { ...query, ...only }, {})
}

/** Posts by one user. */
export async function listPostsOf(
  ctx: Ctx,
  query: MicroblogQuery,
  userId: string,
): Promise<MicroblogPostData[] | Reply<MicroblogPostData[]>> {
  const { id } = await visibleUser(ctx, userId)
  return await listPosts(ctx, query, { byUser: id })
}

/** Posts with exactly this hashtag, which begins with #. */
export async function listTaggedPosts(
  ctx: Ctx,
  query: MicroblogQuery,
  hashtag: string,
): Promise<MicroblogPostData[] | Reply<MicroblogPostData[]>> {
  if (!hashtag.startsWith('#')) throw badRequest('hashtag_invalid', 'A hashtag begins with #.')
  return await listPosts(ctx, query, { hashtag })
}

/** Posts by the users of a list, without those of them whom the caller has muted. */
export async function listPostsOfBarrel(
  ctx: Ctx,
  query: MicroblogQuery,
  barrelId: string,
): Promise<MicroblogPostData[] | Reply<MicroblogPostData[]>> {
  await requireUserList(ctx, barrelId)
  return await page(ctx, { ...query, inBarrel: undefined }, { barrelId })
}

async function page(ctx: Ctx, query: MicroblogQuery, more: PostFilter): Promise<MicroblogPostData[] | Reply<MicroblogPostData[]>> {
  const { start, limit } = pageOf(query, settingsOf(ctx.node).values.maximumTwarrts)
  const { anchor, from } = anchorOf(query)
  const filter = { ...(await filterOf(ctx, query)), ...anchor, ...more }
  if (from === 'newest' && isEmpty(filter)) return await newestPosts(ctx, start, limit)
  await markFound(ctx, filter, start)
  const { posts } = await findPosts(ctx, microblogPosts, filter, { start, limit, from, counted: false })
  const wanted = query.replyGroup === undefined ? 'newest' : 'oldest'
  return from === wanted ? posts : posts.reverse()
}

/** The newest posts, which every app asks for all the time. */
async function newestPosts(ctx: Ctx, start: number, limit: number): Promise<Reply<MicroblogPostData[]>> {
  const inMemory = userChannelOf(ctx.viewer).stale ? undefined : await ctx.node.newestPages.page(ctx.viewer, start, limit)
  const refs = inMemory === undefined ? await selectNewestPosts(ctx.sql, ctx.viewer.id, start, limit) : inMemory
  return new Reply(200, await shownPosts(ctx, { name: 'microblog', contentOf: postContent }, refs))
}

/** True when all posts match; an empty list of authors matches none. */
const isEmpty = ({ authorIds, ...filter }: PostFilter): boolean =>
  authorIds === undefined &&
  Object.values(filter).every((value) => value === undefined || value === false || (Array.isArray(value) && value.length === 0))

/** Where counting begins and which way it goes; of several anchors the first in this order. */
function anchorOf({ after, before, afterDate, beforeDate, from }: MicroblogQuery): { anchor: PostFilter; from: 'newest' | 'oldest' } {
  if (after !== undefined) return { anchor: { afterId: after }, from: 'oldest' }
  if (before !== undefined) return { anchor: { upToId: before }, from: 'newest' }
  if (afterDate) return { anchor: { createdAfter: afterDate }, from: 'oldest' }
  if (beforeDate) return { anchor: { createdBefore: beforeDate }, from: 'newest' }
  return { anchor: {}, from: from === 'first' ? 'oldest' : 'newest' }
}

async function filterOf(ctx: Ctx, query: MicroblogQuery): Promise<PostFilter> {
  const { bookmarked, likeType, inBarrel, replyGroup, byUser, byUsername } = query
  const { words, hashtag, mention } = textsIn(query)
  const authors = [...(byUser === undefined ? [] : [byUser]), ...(byUsername ? [(await visibleUserNamed(ctx, byUsername)).id] : [])]
  if (inBarrel !== undefined) await requireUserList(ctx, inBarrel)
  const names = [...(mention === undefined ? [] : [mention]), ...(query.mentionSelf ? [ctx.viewer.username] : [])]
  return {
    words,
    hashtags: hashtag === undefined ? [] : [tagKey(`#${hashtag.replace(/^#/, '')}`)],
    mentions: [...new Set(names.map(mentionKey))],
    isBookmarked: bookmarked,
    reaction: likeType === 'all' ? 'any' : likeType,
    authorIds: authors.length === 0 ? undefined : authors.every((id) => id === authors[0]) ? authors.slice(0, 1) : [],
    barrelId: inBarrel,
    // Lists of certain people, or of the viewer's own marks, are complete.
    withMuted: authors.length > 0 || likeType !== undefined || bookmarked === true || inBarrel !== undefined,
    replyGroup,
    hideReplies: query.hideReplies === true && replyGroup === undefined,
  }
}

/** A search for something that begins with # or @ is one for a hashtag or a name, unless the query names another. */
function textsIn({ search = '', hashtag, mentions }: MicroblogQuery): {
  words?: string | undefined
  hashtag?: string | undefined
  mention?: string | undefined
} {
  const words = search.trim()
  const others = { hashtag: hashtag || undefined, mention: mentions || undefined }
  if (words.startsWith('#') && !hashtag) return { ...others, hashtag: words }
  if (words.startsWith('@') && !mentions) return { ...others, mention: words }
  return { ...others, words: words || undefined }
}

/** Reading the list of mentions, or of posts with an alertword, marks all of them as seen. Later ones stay new. */
async function markFound(ctx: Ctx, { mentions = [], words }: PostFilter, start: number): Promise<void> {
  if (mentions.length === 1 && mentions[0] === mentionKey(ctx.viewer.username)) await markViewed(ctx, 'microblogMention')
  if (words !== undefined && start === 0) await markViewed(ctx, { feed: 'microblog', word: words })
}
