// Posts as text: what everybody gets the same of is kept as JSON as long as the row stays.
import type { Accounts } from '../accounts/accounts.ts'
import { narrowJson } from '../core/http/narrow-json.ts'
import { ownText } from '../core/own-text.ts'
import { Recent } from '../core/recent.ts'
import type { PostMarks } from './feed.ts'
import { underReview } from './shown.ts'
import type { Reaction } from './types.ts'

/** The posts of a page as Postgres packs them: what `readPosts` reads. Null when there are none. */
export type PackedPosts = string | null

/** What everybody gets the same of a post. */
export interface PostContent {
  id: number
  /** The id of the transaction that wrote the row last: another one after every change. */
  version: string
  authorId: string
  /** True while it is under review. */
  isHidden: boolean
  /** JSON of what all see of it but its author: an object that is still open at its end. */
  json: string
}

/** A post as one viewer's page needs it: the rest is the same for everybody, and may be here. */
export interface PagePost extends PostMarks {
  id: number
  /** See `PostContent`. */
  version: string
  content: PostContent | undefined
}

/** A line each; of it, divided by spaces, id, version, number of reactions, bookmark, own reaction, and if it has a content, whether it is hidden, the author and the JSON. */
export function readPosts(packed: string): PagePost[] {
  return packed.split('\n').map((line) => {
    const [id, version, likeCount, isBookmarked, reaction, isHidden, authorId] = line.split(' ', 7) as [
      string,
      string,
      string,
      't' | 'f',
      Reaction | '-',
      ('t' | 'f')?,
      string?,
    ]
    return {
      id: Number(id),
      version,
      likeCount: Number(likeCount),
      isBookmarked: isBookmarked === 't',
      reaction: reaction === '-' ? null : reaction,
      content: authorId === undefined ? undefined : contentOf(line, id, version, isHidden, authorId),
    }
  })
}

/** A line each; of it, divided by spaces, id, version, whether it is hidden, the author and the JSON. */
export function readContents(packed: string): PostContent[] {
  return packed.split('\n').map((line) => {
    const [id, version, isHidden, authorId] = line.split(' ', 4) as [string, string, 't' | 'f', string]
    return contentOf(line, id, version, isHidden, authorId)
  })
}

/** The JSON is all that is left of the line: nothing before it has a brace. */
const contentOf = (line: string, id: string, version: string, isHidden: string | undefined, authorId: string): PostContent => ({
  id: Number(id),
  version,
  authorId,
  isHidden: isHidden === 't',
  json: line.slice(line.indexOf('{')),
})

/** The text of a post, hidden or not. */
export const textOf = ({ json }: PostContent): string => (JSON.parse(`${json}}`) as { text: string }).text

/** With a text of ours, and without images. */
function masked(json: string): string {
  const { images: _none, ...content } = JSON.parse(`${json}}`) as { text: string; images?: string[] }
  return JSON.stringify({ ...content, text: underReview('post') }).slice(0, -1)
}

/** The JSON of a post, as one viewer gets it. Its author is loaded. */
export function postJson(
  accounts: Accounts,
  { authorId, isHidden, json }: PostContent,
  { isBookmarked, reaction, likeCount }: PostMarks,
): string {
  return `${isHidden ? masked(json) : json},"author":${accounts.get(authorId).headerJson},"isBookmarked":${isBookmarked}${reaction ? `,"userLike":"${reaction}"` : ''},"likeCount":${likeCount}}`
}

/** A page, by its packed text, with what else it was made of. */
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
export class KeptPosts {
  readonly #posts = new Recent<number, PostContent>(maxCodeUnits)
  readonly #pages = new Recent<string, KeptPage>(maxPageCodeUnits)
  /** Ids that were seen lately, each in the place of its last digits: who reads what nobody else reads shall not displace what everybody does. */
  readonly #seen = new Int32Array(seenPlaces)
  readonly #warmThreads = new Set<string>()
  readonly #accounts: Accounts

  constructor(accounts: Accounts) {
    this.#accounts = accounts
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
  async findPage(packed: string, furtherAccounts: readonly string[]): Promise<string | undefined> {
    const page = this.#pages.get(packed)
    if (!page) return undefined
    await this.#accounts.load([...furtherAccounts, ...page.authors])
    return page.revision === this.#accounts.revision ? page.json : undefined
  }

  putPage(packed: string, json: string, authors: readonly string[]): void {
    this.#pages.set(packed, { json, authors, revision: this.#accounts.revision }, packed.length + json.length + 200)
  }

  /** A post as it is now, if it is here. */
  find({ id, version }: PagePost): PostContent | undefined {
    const kept = this.#posts.get(id)
    return kept?.version === version ? kept : undefined
  }

  /** Takes a post whose author is loaded; it is kept if there is room, or if it was taken not long ago too. */
  put(content: PostContent): void {
    const { id } = content
    const place = id % seenPlaces
    if (this.#posts.hasRoom || this.#seen[place] === id) {
      const kept = { ...content, authorId: this.#accounts.get(content.authorId).id, json: ownText(narrowJson(content.json)) }
      this.#posts.set(id, kept, kept.json.length + 200)
    }
    this.#seen[place] = id
  }
}
