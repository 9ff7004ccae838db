// Chats as lists show them, in memory, and the lists that are made of them: those of the chats that an account is in.
import type { Accounts } from '../accounts/accounts.ts'
import type { Clock } from '../core/base/clock.ts'
import { Memo } from '../core/base/memo.ts'
import type { Db } from '../core/db/db.ts'
import type { Versions } from '../core/live/versions.ts'
import { LiveRows } from '../core/live/live-rows.ts'
import { hidesContentOf, hidesNobody, type Viewer } from '../core/base/viewer.ts'
import { selectHeads, type ChatHead, type FezFilter, type FezOrder } from './lists.queries.ts'
import type { UnreadEntry, UnreadState } from './unread.ts'
import type { FezLastPostData } from './schemas.ts'
import { fezData, type ViewContext } from './views.ts'

/** Chats of which something was shown lately. Each is good until its row is written, with a member, a title, or one of its posts. */
export function chatHeads({ versions, clock, db, maxBytes }: { versions: Versions; clock: Clock; db: Db; maxBytes: number }) {
  return new LiveRows<ChatHead>({
    versions,
    clock,
    parts: ['fez', 'fez_post'],
    maxBytes,
    bytesOf: ({ title, info, memberIds, recent }) => 900 + title.length + info.length + 16 * memberIds.length + 40 * recent.length,
    read: async (ids) => new Map((await selectHeads(db.sql, ids)).map((head) => [head.id, head])),
  })
}

declare module '../core/work/ctx.ts' {
  interface Node {
    readonly chatHeads: LiveRows<ChatHead>
  }
}

/** The parts of a filter that need no words. */
export type PlainFilter = Omit<FezFilter, 'search' | 'visibleTo' | 'former' | 'isLfg'>

/** A chat in a list, with the numbers of one account that is in it. */
export interface ListedHead {
  head: ChatHead
  visiblePosts: number
  unreadPosts: number
  isMuted: boolean
  isFavorite: boolean
}

/**
 * A page of the chats in an unread state, as `selectFezPage` has it. Undefined when it takes more than the heads of
 * chats to count their posts: authors whom the viewer hides, or many unread posts.
 */
export function pageOfHeads(
  viewer: Viewer,
  accounts: Accounts,
  state: UnreadState,
  heads: ReadonlyMap<string, ChatHead>,
  filter: PlainFilter,
  order: FezOrder,
  { start, limit }: { start: number; limit: number },
): { total: number; listed: ListedHead[] } | undefined {
  const matched: { head: ChatHead; entry: Readonly<UnreadEntry> }[] = []
  for (const id of state.chatIds()) {
    const head = heads.get(id)
    const entry = state.get(id)
    // The account came into it a moment ago.
    if (!head || !entry) return undefined
    if (head.deletedAt || !matches(head, filter) || (filter.favorite && !entry.isFavorite)) continue
    if (filter.onlyNew !== undefined) {
      const unread = unreadIn(viewer, accounts, head, entry)
      if (unread === undefined) return undefined
      if (filter.onlyNew !== (entry.added || unread > 0)) continue
    }
    matched.push({ head, entry })
  }
  matched.sort(orders[order])
  const listed: ListedHead[] = []
  for (const { head, entry } of matched.slice(start, start + limit)) {
    const visiblePosts = visibleIn(viewer, accounts, head)
    const unreadPosts = unreadIn(viewer, accounts, head, entry)
    if (visiblePosts === undefined || unreadPosts === undefined) return undefined
    listed.push({ head, visiblePosts, unreadPosts, isMuted: entry.muted, isFavorite: entry.isFavorite })
  }
  return { total: matched.length, listed }
}

/** The part of a chat's JSON that all its members see alike. */
const shared = new WeakMap<ChatHead, Memo<string>>()

/** Of these chats, those whose JSON is still to be made: the accounts in it have to be known. */
export const unlisted = (of: readonly unknown[], listed: readonly ListedHead[]): ChatHead[] =>
  listed.flatMap(({ head }) => (shared.get(head)?.has(of) ? [] : [head]))

/** JSON of a chat in a list, for a viewer from whom no block hides anybody. `of`: versions of the accounts and settings. */
export function listedJson(
  view: ViewContext,
  of: readonly unknown[],
  { head, visiblePosts, unreadPosts, isMuted, isFavorite }: ListedHead,
  lastPost: FezLastPostData | undefined,
): string {
  let memo = shared.get(head)
  if (!memo) shared.set(head, (memo = new Memo()))
  const beginning = memo.get(of, () => {
    const json = JSON.stringify(fezData(view, head, head.memberIds, { postCount: 0, readCount: 0, isMuted: false, isFavorite: false }))
    return json.slice(0, -noNumbers.length)
  })
  return `${beginning}"postCount":${visiblePosts},"readCount":${visiblePosts - unreadPosts},"isMuted":${isMuted},"isFavorite":${isFavorite}${lastPost ? `,"lastPost":${JSON.stringify(lastPost)}` : ''}}}`
}

/** The end of such a JSON. */
const noNumbers = '"postCount":0,"readCount":0,"isMuted":false,"isFavorite":false}}'

function matches(head: ChatHead, filter: PlainFilter): boolean {
  const { ownerId, notOwnerId, hasStart, types, withoutTypes, notCancelled, startsAfter, day, fezId } = filter
  const { startTime } = head
  if (ownerId !== undefined && head.ownerId !== ownerId) return false
  if (notOwnerId !== undefined && head.ownerId === notOwnerId) return false
  if (hasStart && !startTime) return false
  if (types && !types.includes(head.fezType)) return false
  if (withoutTypes?.includes(head.fezType)) return false
  if (notCancelled && head.cancelled) return false
  if (startsAfter && !(startTime && startTime > startsAfter)) return false
  if (fezId !== undefined && head.id !== fezId) return false
  return day === undefined || isOn(day, head)
}

function isOn({ from, to, byEnd }: NonNullable<FezFilter['day']>, { startTime, endTime }: ChatHead): boolean {
  const begins = byEnd ? (endTime ?? startTime) : startTime
  return begins !== null && startTime !== null && begins >= from && startTime < to
}

type Listed = { head: ChatHead; entry: Readonly<UnreadEntry> }

const byId = (a: Listed, b: Listed) => (a.head.id < b.head.id ? -1 : 1)
/** As Postgres sorts texts here. */
const byTitle = (a: Listed, b: Listed) => Buffer.compare(Buffer.from(a.head.title), Buffer.from(b.head.title))

const orders: Record<FezOrder, (a: Listed, b: Listed) => number> = {
  startTime: (a, b) => (a.head.startTime?.getTime() ?? Infinity) - (b.head.startTime?.getTime() ?? Infinity) || byTitle(a, b) || byId(a, b),
  activity: (a, b) =>
    Number(a.entry.muted) - Number(b.entry.muted) || b.head.updatedAt.getTime() - a.head.updatedAt.getTime() || byId(a, b),
  creation: (a, b) => b.head.createdAt.getTime() - a.head.createdAt.getTime() || byId(a, b),
}

/** How many of the recent posts are by somebody whom the viewer does not hide. */
function count(viewer: Viewer, accounts: Accounts, { recent }: ChatHead, afterId: number): number | undefined {
  let number = 0
  for (const { id, authorId } of recent) {
    if (id <= afterId) break
    if (!accounts.has(authorId)) return undefined
    if (!hidesContentOf(viewer, accounts.get(authorId))) number++
  }
  return number
}

const hasAll = ({ recent, postCount }: ChatHead) => recent.length >= postCount

/** Posts that the viewer may see; undefined when only Postgres knows. */
function visibleIn(viewer: Viewer, accounts: Accounts, head: ChatHead): number | undefined {
  if (hidesNobody(viewer)) return head.postCount
  return hasAll(head) ? count(viewer, accounts, head, 0) : undefined
}

function unreadIn(viewer: Viewer, accounts: Accounts, head: ChatHead, { readPostID }: Readonly<UnreadEntry>): number | undefined {
  if (readPostID >= head.lastPostId) return 0
  if (readPostID === 0) return visibleIn(viewer, accounts, head)
  if (!hasAll(head) && (head.recent.at(-1)?.id ?? Infinity) > readPostID) return undefined
  return count(viewer, accounts, head, readPostID)
}
