// Lists of chats: open ones to join, and those that somebody is in or owns.
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest } from '../core/base/errors.ts'
import { joinedJson } from '../core/base/json-text.ts'
import { pageOf } from '../core/http/paging.ts'
import { Reply } from '../core/http/route.ts'
import { hidesContentOf, isModerator } from '../core/base/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import {
  selectFezPage,
  selectFoundPosts,
  selectLastPosts,
  selectPlanned,
  type FezFilter,
  type FezListRow,
  type FezOrder,
} from './lists.queries.ts'
import { listedJson, unlisted, pageOfHeads, type ListedHead } from './heads.ts'
import { viewContext } from './reading.service.ts'
import { chatReaderOf } from './reader.ts'
import { sharedInbox } from './rules.ts'
import type { FezRow } from './rows.ts'
import type { PersonalEventQuery } from './personal.schemas.ts'
import type { FezData, FezFoundPostData, FezLastPostData, FezListData, FezListQuery, MembersOnlyData } from './schemas.ts'
import { lfgTypes, personalTypes, type FezType } from './types.ts'
import { fezData, foundPostData, lastPostData } from './views.ts'

/** LFG groups to join: not cancelled, not nearly overbooked, the caller not among them. */
export async function listOpen(ctx: Ctx, query: FezListQuery): Promise<FezListData> {
  const { paginator, rows } = await pageOfFezzes(
    ctx,
    query,
    {
      visibleTo: ctx.viewer.id,
      isLfg: true,
      types: includedTypes(query),
      notCancelled: true,
      ...timeFilter(ctx, query, { hidePast: true, byEnd: false }),
      search: searchFilter(ctx, query, false),
    },
    'startTime',
  )
  const open = rows.filter(
    (row) => row.membership === null && (row.maxCapacity === 0 || row.memberCount < Math.floor(row.maxCapacity * 1.5)),
  )
  return {
    paginator,
    fezzes: open.map((row) => (isModerator(ctx.viewer) ? listItem(ctx, row) : fezData(viewContext(ctx), row, row.memberIds, undefined))),
  }
}

/** Chats that the caller, or a shared inbox they may open, is a member of. */
export async function listJoined(ctx: Ctx, query: FezListQuery): Promise<FezListData | Reply<FezListData>> {
  return await listMine(
    ctx,
    query,
    {
      memberId: sharedInbox(ctx.viewer, query.foruser) ?? ctx.viewer.id,
      ...typeFilter(query),
      ...timeFilter(ctx, query, { hidePast: false, byEnd: true }),
      search: searchFilter(ctx, query, true),
      onlyNew: query.onlynew,
      favorite: query.favorite,
      fezId: query.matchID,
    },
    'activity',
  )
}

/** Chats that the caller owns and is still a member of. */
export async function listOwned(ctx: Ctx, query: FezListQuery): Promise<FezListData | Reply<FezListData>> {
  return await listMine(
    ctx,
    query,
    {
      ownerId: ctx.viewer.id,
      ...typeFilter(query),
      ...timeFilter(ctx, query, { hidePast: false, byEnd: false }),
      search: searchFilter(ctx, query, false),
      favorite: query.favorite,
    },
    'creation',
  )
}

/** A page of chats that the caller, or a shared inbox, is a member of: from memory, as far as that goes. */
async function listMine(ctx: Ctx, query: FezListQuery, filter: FezFilter, order: FezOrder): Promise<FezListData | Reply<FezListData>> {
  const range = pageOf(query, settingsOf(ctx.node).values.maximumTwarrts)
  const page = await pageInMemory(ctx, filter, order, range)
  if (!page || ctx.viewer.blockedPersons.size > 0) {
    const { paginator, rows } = await pageOfFezzes(ctx, query, filter, order)
    const [lastPosts, foundPosts] = await Promise.all([lastPostsOf(ctx, query, rows), foundPostsOf(ctx, query, filter, rows)])
    return {
      paginator,
      fezzes: rows.map((row) => listItem(ctx, row, { lastPost: lastPosts.get(row.id), foundPost: foundPosts.get(row.id) })),
    }
  }
  const lastPosts = await lastPostsOf(
    ctx,
    query,
    page.listed.map(({ head }) => head),
  )
  const state = () => [ctx.node.accounts.revision, settingsOf(ctx.node).revision]
  await ctx.node.accounts.load(accountsOf(unlisted(state(), page.listed)))
  const of = state()
  const fezzes = page.listed.map((each) => listedJson(viewContext(ctx), of, each, lastPosts.get(each.head.id)))
  return new Reply(200, joinedJson(`{"paginator":${JSON.stringify({ total: page.total, ...range })},"fezzes":[${fezzes.join()}]}`))
}

/** Chats that the caller, or a shared inbox they may open, has left or was removed from; deleted ones too. */
export async function listFormer(ctx: Ctx, query: FezListQuery): Promise<FezListData> {
  const { paginator, rows } = await pageOfFezzes(
    ctx,
    query,
    {
      memberId: sharedInbox(ctx.viewer, query.foruser) ?? ctx.viewer.id,
      former: true,
      visibleTo: ctx.viewer.id,
      withoutTypes: ['closed', 'personalEvent'],
    },
    'creation',
  )
  return { paginator, fezzes: rows.map((row) => fezData(viewContext(ctx), row, row.memberIds, undefined)) }
}

/** The caller's private and personal events, by start. */
export async function listPersonal(ctx: Ctx, query: PersonalEventQuery): Promise<FezData[]> {
  const { owned, joined, ...rest } = query
  if (owned && joined) throw badRequest('filter_invalid', 'owned and joined exclude each other.')
  const { maximumTwarrts } = settingsOf(ctx.node).values
  const { rows } = await pageOfFezzes(
    ctx,
    { ...rest, limit: rest.limit ?? maximumTwarrts },
    {
      memberId: ctx.viewer.id,
      ownerId: owned ? ctx.viewer.id : undefined,
      notOwnerId: joined ? ctx.viewer.id : undefined,
      types: personalTypes,
      hasStart: true,
      ...timeFilter(ctx, rest, { hidePast: false, byEnd: true }),
      search: searchFilter(ctx, rest, true),
    },
    'startTime',
  )
  return rows.map((row) => listItem(ctx, row))
}

/** Groups and events of the viewer with a start and an end, for calendars: not cancelled ones. */
export async function listPlanned(ctx: Ctx): Promise<FezRow[]> {
  return await selectPlanned(ctx.sql, ctx.viewer.id)
}

/**
 * What stands last in each chat, if it was asked for: from memory, but for chats whose last author the viewer hides; of these, the
 * last one of the recent posts that they may see.
 */
async function lastPostsOf(ctx: Ctx, { lastpost }: FezListQuery, chats: readonly { id: string }[]): Promise<Map<string, FezLastPostData>> {
  if (!lastpost) return new Map()
  const { accounts, chatHeads } = ctx.node
  const heads = [...(await chatHeads.of(chats.map(({ id }) => id))).values()]
  await accounts.load(new Set(heads.flatMap(({ recent }) => recent.map(({ authorId }) => authorId))))
  const shown = new Map(
    heads.flatMap(({ id, recent }) => {
      const post = recent.find(({ authorId }) => !hidesContentOf(ctx.viewer, accounts.get(authorId)))
      return post ? [[id, post.id] as const] : []
    }),
  )
  const known = heads.flatMap(({ id, last }) => (last && shown.get(id) === last.id ? [last] : []))
  const knownIds = new Set(known.map(({ id }) => id))
  const missing = [...shown.values()].filter((id) => !knownIds.has(id))
  const posts = new Map([...known, ...(missing.length > 0 ? await selectLastPosts(ctx.sql, missing) : [])].map((post) => [post.id, post]))
  return new Map(
    [...shown].flatMap(([id, postId]) => {
      const post = posts.get(postId)
      return post ? [[id, lastPostData(post, accounts)] as const] : []
    }),
  )
}

/** The newest post of each chat that has the words of a search in posts, if last posts were asked for. */
async function foundPostsOf(
  ctx: Ctx,
  { lastpost }: FezListQuery,
  { search }: FezFilter,
  chats: readonly { id: string }[],
): Promise<Map<string, FezFoundPostData>> {
  if (!lastpost || !search?.inPosts || chats.length === 0) return new Map()
  const fezIds = chats.map(({ id }) => id)
  const posts = await selectFoundPosts(ctx.sql, search, ctx.viewer.id, fezIds)
  await ctx.node.accounts.load(new Set(posts.map(({ authorId }) => authorId)))
  return new Map(posts.map((post) => [post.fezId, foundPostData(post, ctx.node.accounts)]))
}

function listItem(ctx: Ctx, row: FezListRow, posts: Pick<MembersOnlyData, 'lastPost' | 'foundPost'> = {}): FezData {
  // Nothing is unread for a moderator who is not a member.
  const { unreadPosts = 0, isMuted = false, isFavorite = false } = row.membership ?? {}
  return fezData(viewContext(ctx), row, row.memberIds, {
    postCount: row.visiblePosts,
    readCount: row.visiblePosts - unreadPosts,
    isMuted,
    isFavorite,
    ...posts,
  })
}

async function pageOfFezzes(ctx: Ctx, query: FezListQuery, filter: FezFilter, order: FezOrder) {
  const { start, limit } = pageOf(query, settingsOf(ctx.node).values.maximumTwarrts)
  const page = await pageInMemory(ctx, filter, order, { start, limit })
  const { total, rows } = page
    ? { total: page.total, rows: page.listed.map(rowOf) }
    : await selectFezPage(ctx.sql, filter, ctx.viewer.id, order, start, limit)
  await ctx.node.accounts.load(accountsOf(rows))
  return { paginator: { total, start, limit }, rows }
}

const accountsOf = (rows: readonly Pick<FezListRow, 'ownerId' | 'memberIds'>[]): Set<string> =>
  new Set(rows.flatMap(({ ownerId, memberIds }) => [ownerId, ...memberIds]))

const rowOf = ({ head, visiblePosts, unreadPosts, isMuted, isFavorite }: ListedHead): FezListRow => ({
  ...head,
  visiblePosts,
  membership: { isMuted, isFavorite, unreadPosts },
})

/** A page of the chats that the caller, or a shared inbox, is a member of; undefined when it takes Postgres to find it. */
async function pageInMemory(ctx: Ctx, filter: FezFilter, order: FezOrder, page: { start: number; limit: number }) {
  const { memberId, ownerId, former, visibleTo, search } = filter
  const { viewer } = ctx
  if (former || search || visibleTo !== undefined || (memberId ?? ownerId) === undefined) return undefined
  const reader = chatReaderOf(viewer)
  const state = memberId === undefined || memberId === viewer.id ? reader.unread : reader.inboxes.get(memberId)
  if (!state) return undefined
  const heads = await ctx.node.chatHeads.of([...state.chatIds()])
  return reader.stale ? undefined : pageOfHeads(viewer, ctx.node.accounts, state, heads, filter, order, page)
}

const realType = (word: FezType | 'private'): FezType => (word === 'private' ? 'closed' : word)

/** The types asked for; undefined when the query does not say. */
function includedTypes(query: FezListQuery): FezType[] | undefined {
  const named = query.type?.map(realType)
  if (query.lfgtypes) return [...new Set([...(named ?? []), ...lfgTypes])]
  return named && named.length > 0 ? named : undefined
}

function typeFilter(query: FezListQuery): Pick<FezFilter, 'types' | 'withoutTypes'> {
  const types = includedTypes(query)
  const without = [...(types ? [] : (query.excludetype?.map(realType) ?? [])), ...(query.lfgtypes === false ? lfgTypes : [])]
  return { types, withoutTypes: without.length > 0 ? without : undefined }
}

const hourMs = 60 * 60_000

function timeFilter(
  ctx: Ctx,
  query: FezListQuery,
  defaults: { hidePast: boolean; byEnd: boolean },
): Pick<FezFilter, 'startsAfter' | 'day'> {
  const { trip } = settingsOf(ctx.node)
  if (query.cruiseday !== undefined && Math.abs(query.cruiseday) > 10_000)
    throw badRequest('day_invalid', 'cruiseday is not a day of the trip.')
  return {
    startsAfter: (query.hidePast ?? defaults.hidePast) ? new Date(trip.displayToPort(new Date(ctx.nowMs)).getTime() - hourMs) : undefined,
    day: query.cruiseday === undefined ? undefined : { ...trip.dayWindow(query.cruiseday, defaults.byEnd ? 0 : 3), byEnd: defaults.byEnd },
  }
}

function searchFilter({ viewer }: Ctx, { search }: FezListQuery, inPosts: boolean): FezFilter['search'] {
  return search === undefined || search.trim() === '' ? undefined : { words: search, inPosts, hiddenToo: isModerator(viewer) }
}
