// Posts as text: what everybody gets the same of is written as JSON once, as long as the row stays.
import type { Accounts, UserHeader } from '../core/accounts.ts'
import type { FeedPost, PostMarks } from './feed.ts'

/** A row with the id of the transaction that wrote it last: another one after every change. */
export type Versioned<Row> = Row & { version: string }

interface Kept<Row> {
  row: Versioned<Row>
  author: UserHeader
  /** An object that is still open at its end. */
  json: string
}

// About 20 MB of short posts.
const maxCodeUnits = 8_000_000

/** The posts of one feed that were read last. */
export class KeptPosts<Row extends FeedPost> {
  /** The one used last is last. */
  readonly #kept = new Map<number, Kept<Row>>()
  readonly #accounts: Accounts
  readonly #shared: (row: Row) => object
  #codeUnits = 0

  /** `shared` makes what every viewer sees of a post, whose author is loaded. */
  constructor(accounts: Accounts, shared: (row: Row) => object) {
    this.#accounts = accounts
    this.#shared = shared
  }

  /** Which of these are not here as they are now. */
  missing(posts: readonly { id: number, version: string }[]): number[] {
    return posts.flatMap(({ id, version }) => (this.#kept.get(id)?.row.version === version ? [] : [id]))
  }

  put(row: Versioned<Row>): void {
    this.#drop(row.id)
    const kept = { row, author: this.#accounts.get(row.authorId).header, json: JSON.stringify(this.#shared(row)).slice(0, -1) }
    this.#kept.set(row.id, kept)
    this.#codeUnits += sizeOf(kept)
    for (const id of this.#kept.keys()) {
      if (this.#codeUnits <= maxCodeUnits) return
      this.#drop(id)
    }
  }

  /** A post that is here. */
  row(id: number): Row | undefined {
    return this.#kept.get(id)?.row
  }

  /** The JSON of a post that is here, as one viewer gets it. */
  json(id: number, { isBookmarked, reaction, likeCount }: PostMarks): string {
    let kept = this.#kept.get(id)
    if (!kept) throw new Error('post used before it was loaded')
    if (kept.author !== this.#accounts.get(kept.row.authorId).header) {
      this.put(kept.row)
      kept = this.#kept.get(id) as Kept<Row>
    }
    this.#kept.delete(id)
    this.#kept.set(id, kept)
    return `${kept.json},"isBookmarked":${isBookmarked}${reaction ? `,"userLike":"${reaction}"` : ''},"likeCount":${likeCount}}`
  }

  #drop(id: number): void {
    const kept = this.#kept.get(id)
    if (!kept) return
    this.#kept.delete(id)
    this.#codeUnits -= sizeOf(kept)
  }
}

const sizeOf = ({ row, json }: Kept<FeedPost>): number => row.text.length + json.length + 200
