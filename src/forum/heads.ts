// Forums as lists show them, in memory, and the lists that are made of them: what everybody sees alike, and how the
// viewer stands to it.
import type { Accounts } from '../accounts/accounts.ts'
import type { Node } from '../core/work/ctx.ts'
import { partOf, type Versions } from '../core/live/versions.ts'
import { LiveRows } from '../core/live/live-rows.ts'
import { atLeast, blocked, hidesContentOf, hidesNobody, type Viewer } from '../core/base/viewer.ts'
import {
  selectAllCategories,
  selectCounted,
  selectForumHeads,
  selectForumIds,
  selectReaders,
  type CountedForum,
  type ForumHead,
  type ReaderRow,
  type RecentPost,
} from './heads.queries.ts'
import type { ForumFilter, ForumOrder } from './lists.queries.ts'
import type { CategoryRow } from './rows.ts'
import { mayView } from './rules.ts'

/** The part of the table of forums that a new one changes; further parts are forums and categories, by their ids. */
export const newForums = 'new'

/** A forum in a list, with the numbers of its viewer. */
export interface ListedForum {
  head: ForumHead
  isFavorite: boolean
  isMuted: boolean
  /** Without authors that the viewer hides. */
  visiblePosts: number
  unreadPosts: number
  last: { posterId: string; at: Date } | undefined
}

/** A page of a list, as `selectForumPage` has it. */
export interface ForumsFromMemory {
  total: number
  category: CategoryRow | undefined
  listed: readonly ListedForum[]
  /** The forums that might be in the list; undefined when all might. */
  among: readonly string[] | undefined
}

/** The parts of a filter that need no words. */
type PlainFilter = Omit<ForumFilter, 'words' | 'somePost'>

/** Memory of a head, with its JSON. */
const headBytes = 3000

/** Under this id: all of them. */
const all = 'all'

/** What lists of forums are made of. */
export class ForumHeads {
  readonly #accounts: Accounts
  readonly #versions: Versions
  readonly #maxForums: number
  readonly #ids: LiveRows<readonly string[]>
  readonly #heads: LiveRows<ForumHead>
  readonly #sorted: LiveRows<SortedForums>
  readonly #categories: LiveRows<ReadonlyMap<string, CategoryRow>>
  /** By account. */
  readonly #readers: LiveRows<ReadonlyMap<string, ReaderRow>>
  /** By account and forum: of forums whose latest posts do not say how many the account can see, or has not read. */
  readonly #counted: LiveRows<CountedForum>

  constructor({ versions, clock, db, accounts, maxBytes }: Pick<Node, 'versions' | 'clock' | 'db' | 'accounts'> & { maxBytes: number }) {
    this.#accounts = accounts
    this.#versions = versions
    this.#maxForums = Math.floor(maxBytes / headBytes)
    const common = { versions, clock, maxBytes }
    this.#ids = new LiveRows<readonly string[]>({
      ...common,
      parts: ['forum'],
      partsOf: () => [partOf('forum', newForums)],
      bytesOf: ({ length }) => 60 * length,
      read: async () => new Map([[all, await selectForumIds(db.sql)]]),
    })
    this.#heads = new LiveRows({
      ...common,
      // As many forums as there may be: none is evicted for another.
      maxBytes: 2 * maxBytes,
      tables: ['event'],
      parts: ['forum'],
      bytesOf: () => headBytes,
      read: async (ids) => new Map((await selectForumHeads(db.sql, ids)).map((head) => [head.id, head])),
    })
    this.#sorted = new LiveRows({
      ...common,
      tables: ['forum', 'event'],
      bytesOf: ({ size }) => 60 * size,
      read: async () => new Map([[all, await this.#sort()]]),
    })
    this.#categories = new LiveRows<ReadonlyMap<string, CategoryRow>>({
      ...common,
      tables: ['forum_category'],
      bytesOf: ({ size }) => 1000 * size,
      read: async () => new Map([[all, new Map((await selectAllCategories(db.sql)).map((row) => [row.id, row]))]]),
    })
    this.#readers = new LiveRows({
      ...common,
      maxBytes: Math.floor(maxBytes / 2),
      parts: ['forum_reader'],
      bytesOf: ({ size }) => 150 * size,
      read: (accountIds) => selectReaders(db.sql, accountIds),
    })
    this.#counted = new LiveRows({
      ...common,
      maxBytes: Math.floor(maxBytes / 2),
      // An account that is new has written nothing.
      parts: ['account', 'block', 'forum_reader', 'mute'],
      partsOf: (id) => ['block', 'forum_reader', 'mute'].map((table) => partOf(table, id.slice(0, uuidLength))),
      bytesOf: () => 300,
      // Those of one account: a list has one viewer.
      read: async (ids) => {
        const viewerId = (ids[0] as string).slice(0, uuidLength)
        const counted = await selectCounted(
          db.sql,
          viewerId,
          ids.map((id) => id.slice(uuidLength)),
        )
        return new Map([...counted].map(([forumId, row]) => [viewerId + forumId, row]))
      },
    })
  }

  async #sort(): Promise<SortedForums> {
    const ids = (await this.#ids.of([all])).get(all) ?? []
    if (ids.length > this.#maxForums) return new SortedForums([], false)
    const heads = [...(await this.#heads.of(ids)).values()]
    const accountIds = new Set<string>()
    for (const { creatorId, recent } of heads) {
      accountIds.add(creatorId)
      for (const { authorId } of recent) accountIds.add(authorId)
    }
    await this.#accounts.load(accountIds)
    return new SortedForums(heads, true)
  }

  /** A page as `selectForumPage` has it; undefined when it takes Postgres to find it. */
  async page(viewer: Viewer, filter: ForumFilter, order: ForumOrder, start: number, limit: number): Promise<ForumsFromMemory | undefined> {
    if (filter.words !== undefined || filter.somePost || this.#versions.of([]) === undefined) return undefined
    const [sorted, categories, readers] = await Promise.all([
      this.#sorted.of([all]).then((rows) => rows.get(all)),
      this.#categories.of([all]).then((rows) => rows.get(all)),
      this.#readers.of([viewer.id]).then((rows) => rows.get(viewer.id)),
    ])
    if (!sorted?.isAll || !categories) return undefined
    const look = new Look(viewer, this.#accounts, categories, readers ?? noReaders)
    const matched = look.matches(sorted, filter, order)
    if (!matched) return undefined
    const shown = matched.slice(start, start + limit)
    const said = shown.map((head) => look.numbersOf(head, undefined))
    const counted = await this.#count(
      look,
      shown.filter((_, index) => !said[index]),
    )
    const listed: ListedForum[] = []
    for (const [index, head] of shown.entries()) {
      const numbers = said[index] ?? look.numbersOf(head, counted.get(viewer.id + head.id))
      if (!numbers) return undefined
      const { isFavorite = false, isMuted = false } = look.readers.get(head.id) ?? {}
      listed.push({ head, isFavorite, isMuted, ...numbers })
    }
    const category = filter.withinCategory === undefined ? undefined : categories.get(filter.withinCategory)
    return { total: matched.length, category, listed, among: amongOf(viewer, filter, sorted, look.readers) }
  }

  /** The numbers of forums whose heads do not say them. */
  async #count(look: Look, heads: readonly ForumHead[]): Promise<ReadonlyMap<string, CountedForum>> {
    if (heads.length === 0) return noCounts
    const unknown = new Map(heads.map((head) => [look.viewer.id + head.id, head]))
    return await this.#counted.of([...unknown.keys()], (row, id) => look.numbersOf(unknown.get(id) as ForumHead, row) !== undefined)
  }
}

const uuidLength = 36
const noReaders: ReadonlyMap<string, ReaderRow> = new Map()
const noCounts: ReadonlyMap<string, CountedForum> = new Map()

/** Forums that a change of may bring into the list, or take out of it: for lists that most forums have nothing to do with. */
function amongOf(viewer: Viewer, filter: PlainFilter, sorted: SortedForums, readers: ReadonlyMap<string, ReaderRow>): string[] | undefined {
  if (filter.own) return [newForums, ...sorted.heads.flatMap(({ id, creatorId }) => (creatorId === viewer.id ? [id] : []))]
  if (!filter.hasRead && !filter.isFavorite && !filter.isMuted) return undefined
  return [...readers].flatMap(([id, { isFavorite, isMuted }]) =>
    (!filter.isFavorite || isFavorite) && (!filter.isMuted || isMuted) ? [id] : [],
  )
}

/** How one viewer sees forums. */
class Look {
  readonly viewer: Viewer
  readonly readers: ReadonlyMap<string, ReaderRow>
  readonly #accounts: Accounts
  readonly #hidesNobody: boolean
  readonly #categories: ReadonlyMap<string, CategoryRow>

  constructor(viewer: Viewer, accounts: Accounts, categories: ReadonlyMap<string, CategoryRow>, readers: ReadonlyMap<string, ReaderRow>) {
    this.viewer = viewer
    this.readers = readers
    this.#accounts = accounts
    this.#hidesNobody = hidesNobody(viewer)
    this.#categories = categories
  }

  /** All forums that are in the list, in order; undefined when their heads do not say whether there are unread posts. */
  matches(sorted: SortedForums, filter: PlainFilter, order: ForumOrder): ForumHead[] | undefined {
    const { withinCategory, own, creatorIds, inCategories, hasRead, isFavorite, isMuted, isUnread, dates } = filter
    const { viewer, readers } = this
    const category = withinCategory === undefined ? undefined : this.#categories.get(withinCategory)
    if (withinCategory !== undefined && !category) return []
    const isVisible = new Map([...this.#categories].map(([id, each]) => [id, mayView(viewer, each)]))
    const matched: ForumHead[] = []
    for (const head of sorted.in(order, category)) {
      const { id, creatorId, categoryId } = head
      if (!isVisible.get(categoryId)) continue
      if (own && !category ? creatorId !== viewer.id : !this.#showsCreator(head, category)) continue
      if (creatorIds && !creatorIds.includes(creatorId)) continue
      if (inCategories && !inCategories.includes(categoryId)) continue
      const reader = readers.get(id)
      if (hasRead && !reader) continue
      if (isFavorite && !reader?.isFavorite) continue
      if (isMuted !== undefined && isMuted !== (reader?.isMuted ?? false)) continue
      if (dates) {
        const at = dateOf(order, head, reader, this.#categories.get(categoryId))
        if (dates.before && !(at < dates.before.getTime())) continue
        if (dates.after && !(at > dates.after.getTime())) continue
      }
      if (isUnread) {
        const unread = this.#hasUnread(head, reader?.readPostId ?? 0)
        if (unread === undefined) return undefined
        if (!unread) continue
      }
      matched.push(head)
    }
    if (order.sort === 'recent') matched.sort(this.#byTouch(order.direction))
    return order.grouped ? this.#grouped(matched) : matched
  }

  /** Forums of people in a block with the viewer are hidden, except in the page of an official category. */
  #showsCreator({ creatorId }: ForumHead, within: CategoryRow | undefined): boolean {
    if (this.viewer.blockedPersons.size === 0 || (within && atLeast(within.createLevel, 'moderator'))) return true
    return !blocked(this.viewer, this.#accounts.get(creatorId))
  }

  #isHidden({ authorId }: RecentPost): boolean {
    return !this.#hidesNobody && hidesContentOf(this.viewer, this.#accounts.get(authorId))
  }

  #hasUnread({ recent, postCount }: ForumHead, readPostId: number): boolean | undefined {
    for (const post of recent) {
      if (post.id <= readPostId) return false
      if (!this.#isHidden(post)) return true
    }
    return recent.length >= postCount ? false : undefined
  }

  #byTouch(direction: 'ascending' | 'descending' = 'descending') {
    const sign = direction === 'ascending' ? 1 : -1
    const touched = ({ id }: ForumHead) => (this.readers.get(id) as ReaderRow).touchedMs
    return (a: ForumHead, b: ForumHead) => sign * (touched(a) - touched(b) || byId(a, b))
  }

  /** Muted forums last, then pinned ones first. */
  #grouped(heads: readonly ForumHead[]): ForumHead[] {
    const groups: [ForumHead[], ForumHead[], ForumHead[], ForumHead[]] = [[], [], [], []]
    for (const head of heads) {
      const group = (this.readers.get(head.id)?.isMuted ? 2 : 0) + (head.isPinned ? 0 : 1)
      groups[group as 0 | 1 | 2 | 3].push(head)
    }
    return groups.flat()
  }

  /**
   * What the viewer sees of a forum's posts, by its latest ones, and by its numbers from when there were fewer; undefined
   * when they do not say.
   */
  numbersOf(head: ForumHead, counted: CountedForum | undefined): Pick<ListedForum, 'visiblePosts' | 'unreadPosts' | 'last'> | undefined {
    const { recent, postCount } = head
    const hasAll = recent.length >= postCount
    const readPostId = this.readers.get(head.id)?.readPostId ?? 0
    if (hasAll || this.#hidesNobody) {
      const isInRecent = hasAll || (recent.at(-1)?.id ?? Infinity) <= readPostId
      if (readPostId === 0 || isInRecent) {
        const seen = hasAll ? recent.filter((post) => !this.#isHidden(post)) : recent
        const visiblePosts = this.#hidesNobody ? postCount : seen.length
        const unreadPosts = readPostId === 0 ? visiblePosts : seen.filter(({ id }) => id > readPostId).length
        return { visiblePosts, unreadPosts, last: lastOf(seen[0]) }
      }
    }
    if (!counted) return undefined
    const { lastPosterId, lastPostAt } = counted
    const since = recent.filter(({ id }) => id > counted.lastPostId)
    // Otherwise some post before is gone, or too many have come since.
    if (since.length !== postCount - counted.postCount || (since.length === recent.length && !hasAll)) return undefined
    const seen = since.filter((post) => !this.#isHidden(post))
    const last = lastOf(seen[0]) ?? (lastPosterId !== null && lastPostAt ? { posterId: lastPosterId, at: lastPostAt } : undefined)
    return { visiblePosts: counted.visible + seen.length, unreadPosts: counted.unread + seen.length, last }
  }
}

const lastOf = (post: RecentPost | undefined) => post && { posterId: post.authorId, at: new Date(post.createdMs) }

/** What a filter by dates looks at. */
function dateOf({ sort }: ForumOrder, head: ForumHead, reader: ReaderRow | undefined, category: CategoryRow | undefined): number {
  if (sort === 'recent') return reader?.touchedMs ?? NaN
  return (sort === 'update' || (sort === 'event' && !category?.isEvent) ? head.lastPostTime : head.createdAt).getTime()
}

/** All forums, in every order that somebody has asked for. */
class SortedForums {
  readonly heads: readonly ForumHead[]
  /** There are none that are too many to be in memory. */
  readonly isAll: boolean
  readonly #orders = new Map<string, readonly ForumHead[]>()

  constructor(heads: readonly ForumHead[], isAll: boolean) {
    this.heads = heads
    this.isAll = isAll
  }

  get size(): number {
    return this.heads.length
  }

  /** Those of a category, or all, in an order that is the same for everybody. */
  in({ sort, direction }: ForumOrder, category: CategoryRow | undefined): readonly ForumHead[] {
    if (sort === 'recent') return this.heads
    const key = `${sort} ${direction ?? ''} ${category?.id ?? ''} ${category?.isEvent ?? ''}`
    let sorted = this.#orders.get(key)
    if (!sorted) {
      const within = category ? this.heads.filter(({ categoryId }) => categoryId === category.id) : this.heads
      sorted = within.toSorted(comparing(sort, direction, category?.isEvent === true))
      this.#orders.set(key, sorted)
    }
    return sorted
  }
}

type Comparison = (a: ForumHead, b: ForumHead) => number

const byId: Comparison = (a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
const byCreation: Comparison = (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || byId(a, b)
const byLastPost: Comparison = (a, b) => a.lastPostTime.getTime() - b.lastPostTime.getTime() || byId(a, b)
const byTitle: Comparison = (a, b) => byText(a.titleKey, b.titleKey) || byId(a, b)

const beyondTwoBytes = /[\ud800-\udfff]/

/** As Postgres sorts texts here, by their bytes: of most texts it is the order of their characters. */
function byText(a: string, b: string): number {
  if (beyondTwoBytes.test(a) || beyondTwoBytes.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : a > b ? 1 : 0
}

function comparing(sort: Exclude<ForumOrder['sort'], 'recent'>, direction: ForumOrder['direction'], inEvents: boolean): Comparison {
  const up = direction === 'descending' ? -1 : 1
  const down = direction === 'ascending' ? 1 : -1
  if (sort === 'create') return (a, b) => down * byCreation(a, b)
  if (sort === 'update') return (a, b) => down * byLastPost(a, b)
  if (sort === 'title') return (a, b) => up * byTitle(a, b)
  return (a, b) => {
    if (a.eventStart === null || b.eventStart === null) {
      if (a.eventStart !== b.eventStart) return a.eventStart === null ? 1 : -1
    } else if (a.eventStart.getTime() !== b.eventStart.getTime()) return up * (a.eventStart.getTime() - b.eventStart.getTime())
    return (inEvents ? up * byText(a.eventKey, b.eventKey) : 0) || down * byLastPost(a, b)
  }
}

declare module '../core/work/ctx.ts' {
  interface Node {
    readonly forumHeads: ForumHeads
  }
}
