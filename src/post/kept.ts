// Posts as text: what everybody gets the same of is written as JSON once, as long as the row stays.
import type { AccountRecord, Accounts } from '../core/accounts.ts'
import { Recent } from '../core/recent.ts'
import type { FeedPost, PostMarks } from './feed.ts'
import type { Reaction } from './types.ts'

/** A row as Postgres packs it: with its time as it is sent, and the id of the transaction that wrote it last, which is another one after every change. */
export type PackedRow<Row extends FeedPost> = Omit<Row, 'createdAt' | 'forumId'> & { createdAt: string, version: string }

/** A post as far as one viewer's page needs it: the rest is the same for everybody, and kept. */
export interface MarkedPost extends PostMarks {
  id: number
  /** See `PackedRow`. */
  version: string
}

/** The posts of a page in one text, which is read much faster than rows. Null when there are none. */
export interface PackedPosts {
  /** What `markedPosts` reads. */
  marks: string | null
  /** In place of the marks: rows that have them as well, as JSON. */
  rows: string | null
}

/** Divided by commas; of each, divided by spaces, id, version, number of reactions, bookmark, own reaction. */
export function markedPosts(marks: string): MarkedPost[] {
  return marks.split(',').map((each) => {
    const [id, version, likeCount, isBookmarked, reaction = null] = each.split(' ') as [string, string, string, 't' | 'f', Reaction?]
    return { id: Number(id), version, likeCount: Number(likeCount), isBookmarked: isBookmarked === 't', reaction }
  })
}

/** A post with what everybody gets the same of it. */
export interface Kept<Row extends FeedPost> {
  row: PackedRow<Row>
  author: AccountRecord
  /** An object that is still open at its end. */
  json: string
}

/** A page, by its marks, with what else it was made of. */
interface KeptPage {
  json: string
  authors: readonly string[]
  /** Of the accounts. */
  revision: number
}

// Together about 20 MB of short posts, and 8 MB of pages.
const maxCodeUnits = 4_000_000
const maxPageCodeUnits = 2_000_000
/** About as many as there is room for: what comes back later would be displaced before it came again. */
const seenPlaces = 16_384
const maxWarmThreads = 10_000

/** The posts of one feed that were read last. */
export class KeptPosts<Row extends FeedPost> {
  readonly #posts = new Recent<number, Kept<Row>>(maxCodeUnits)
  readonly #pages = new Recent<string, KeptPage>(maxPageCodeUnits)
  /** Ids that were seen lately, each in the place of its last digits: who reads what nobody else reads shall not displace what everybody does. */
  readonly #seen = new Int32Array(seenPlaces)
  readonly #warmThreads = new Set<string>()
  readonly #accounts: Accounts
  readonly #shared: (row: PackedRow<Row>) => object

  /** `shared` makes what every viewer sees of a post, but its author. */
  constructor(accounts: Accounts, shared: (row: PackedRow<Row>) => object) {
    this.#accounts = accounts
    this.#shared = shared
  }

  /** True for a thread most of whose posts were here when it was last read. */
  isWarm(threadId: string): boolean {
    return this.#warmThreads.has(threadId)
  }

  /** Takes note of how many posts of a thread's page were here. */
  noteFound(threadId: string, found: number, all: number): void {
    if (found * 2 < all) return void this.#warmThreads.delete(threadId)
    if (this.#warmThreads.size >= maxWarmThreads) this.#warmThreads.clear()
    this.#warmThreads.add(threadId)
  }

  /** A page as it is now, if it is here: its authors are loaded then, and further accounts with them. */
  async findPage(marks: string, furtherAccounts: readonly string[]): Promise<string | undefined> {
    const page = this.#pages.get(marks)
    if (!page) return undefined
    await this.#accounts.load([...furtherAccounts, ...page.authors])
    return page.revision === this.#accounts.revision ? page.json : undefined
  }

  putPage(marks: string, json: string, authors: readonly string[]): void {
    this.#pages.set(marks, { json, authors, revision: this.#accounts.revision }, marks.length + json.length + 200)
  }

  /** A post as it is now, if it is here. */
  find({ id, version }: { id: number, version: string }): Kept<Row> | undefined {
    const kept = this.#posts.get(id)
    return kept?.row.version === version ? kept : undefined
  }

  /** Takes a post whose author is loaded; it is kept if there is room, or if it was taken not long ago too. */
  put(row: PackedRow<Row>): Kept<Row> {
    const author = this.#accounts.get(row.authorId)
    const kept = { row, author, json: `${JSON.stringify(this.#shared(row)).slice(0, -1)},"author":${author.headerJson}` }
    const place = row.id % seenPlaces
    if (this.#posts.hasRoom || this.#seen[place] === row.id) this.#posts.set(row.id, kept, row.text.length + kept.json.length + 200)
    this.#seen[place] = row.id
    return kept
  }

  /** The JSON of a post, as one viewer gets it. */
  json({ row, author, json }: Kept<Row>, { isBookmarked, reaction, likeCount }: PostMarks): string {
    const shared = author === this.#accounts.get(row.authorId) ? json : this.put(row).json
    return `${shared},"isBookmarked":${isBookmarked}${reaction ? `,"userLike":"${reaction}"` : ''},"likeCount":${likeCount}}`
  }
}
