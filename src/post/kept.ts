// Posts as text: what everybody gets the same of is written as JSON once, as long as the row stays.
import type { Accounts, UserHeader } from '../core/accounts.ts'
import type { FeedPost, PostMarks } from './feed.ts'
import type { Reaction } from './types.ts'

/** A row with the id of the transaction that wrote it last: another one after every change. */
export type Versioned<Row> = Row & { version: string }

/** A post as far as one viewer's page needs it: the rest is the same for everybody, and kept. */
export interface MarkedPost extends PostMarks {
  id: number
  /** See `Versioned`. */
  version: string
}

/** The posts of a page from one text, which is read much faster than rows: divided by commas; of each, divided by spaces, id, version, number of reactions, bookmark, own reaction. */
export function markedPosts(packed: string | null): MarkedPost[] {
  return packed === null ? [] : packed.split(',').map((each) => {
    const [id, version, likeCount, isBookmarked, reaction = null] = each.split(' ') as [string, string, string, 't' | 'f', Reaction?]
    return { id: Number(id), version, likeCount: Number(likeCount), isBookmarked: isBookmarked === 't', reaction }
  })
}

/** A post with what everybody gets the same of it. */
export interface Kept<Row> {
  row: Versioned<Row>
  author: UserHeader
  /** An object that is still open at its end. */
  json: string
}

// Together about 20 MB of short posts.
const maxCodeUnits = 4_000_000
const seenPlaces = 65_536

/** The posts of one feed that were read last. */
export class KeptPosts<Row extends FeedPost> {
  /** What was used since `#older` was full; that one goes when this is. */
  #recent = new Map<number, Kept<Row>>()
  #older = new Map<number, Kept<Row>>()
  /** Of `#recent`. */
  #codeUnits = 0
  /** Ids that were seen lately, each in the place of its last digits: who reads what nobody else reads shall not displace what everybody does. */
  readonly #seen = new Int32Array(seenPlaces)
  readonly #accounts: Accounts
  readonly #shared: (row: Row) => object

  /** `shared` makes what every viewer sees of a post, whose author is loaded. */
  constructor(accounts: Accounts, shared: (row: Row) => object) {
    this.#accounts = accounts
    this.#shared = shared
  }

  /** A post as it is now, if it is here. */
  find({ id, version }: { id: number, version: string }): Kept<Row> | undefined {
    const kept = this.#recent.get(id) ?? this.#older.get(id)
    if (kept?.row.version !== version) return undefined
    if (!this.#recent.has(id)) this.#keep(kept)
    return kept
  }

  /** Takes a post whose author is loaded; it is kept if there is room, or if it was taken not long ago too. */
  put(row: Versioned<Row>): Kept<Row> {
    const kept = { row, author: this.#accounts.get(row.authorId).header, json: JSON.stringify(this.#shared(row)).slice(0, -1) }
    const place = row.id % seenPlaces
    if (this.#older.size === 0 || this.#seen[place] === row.id) this.#keep(kept)
    this.#seen[place] = row.id
    return kept
  }

  /** The JSON of a post, as one viewer gets it. */
  json({ row, author, json }: Kept<Row>, { isBookmarked, reaction, likeCount }: PostMarks): string {
    const shared = author === this.#accounts.get(row.authorId).header ? json : this.put(row).json
    return `${shared},"isBookmarked":${isBookmarked}${reaction ? `,"userLike":"${reaction}"` : ''},"likeCount":${likeCount}}`
  }

  #keep(kept: Kept<Row>): void {
    if (this.#codeUnits > maxCodeUnits) {
      this.#older = this.#recent
      this.#recent = new Map()
      this.#codeUnits = 0
    }
    this.#recent.set(kept.row.id, kept)
    this.#codeUnits += kept.row.text.length + kept.json.length + 200
  }
}
