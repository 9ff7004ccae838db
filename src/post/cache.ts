// Live rows of posts: JSON of what everybody gets the same of one, by its id and version; and memos of whole pages.
import { LRUCache } from 'lru-cache'
import type { Accounts } from '../accounts/accounts.ts'
import type { MemoryShares } from '../core/base/memory.ts'
import { narrowJson } from '../core/http/narrow-json.ts'
import { ownText } from '../core/base/own-text.ts'
import type { PostRef } from './refs.ts'

/** Everything about a post that is the same for all viewers, except the header of its author. */
export interface PostContent {
  id: number
  /** See `PostRef`. */
  version: string
  authorId: string
  /** The JSON that the views make of the row. */
  json: string
  /** The text if `json` does not have it, because the post is under review: mutewords count there too. */
  hiddenText: string | undefined
}

/** A page, by its refs. */
interface CachedPage {
  json: string
  authors: readonly string[]
  /** Of the accounts. */
  revision: number
}

/** Memory that an entry takes in addition to its text. */
const entryBytes = 200
/** Of a post whose text is short, together with its entry. */
const leastPostBytes = 512
/** Of a page of fifty posts, about. */
const pageBytes = 20_000

/** The posts of one feed that were read last. */
export class PostCache {
  readonly #posts: LRUCache<number, PostContent>
  readonly #pages: LRUCache<string, CachedPage>
  /** Ids that were seen lately, each in the place of its last digits: one-off reads must not evict popular posts. */
  readonly #seen: Int32Array
  /** The same for pages, by their first posts. */
  readonly #seenPages: Int32Array
  readonly #accounts: Accounts

  /** Texts are counted as one byte for each character: most take no more. */
  constructor(accounts: Accounts, { postsBytes, pagesBytes }: Pick<MemoryShares, 'postsBytes' | 'pagesBytes'>) {
    this.#accounts = accounts
    // About as many as there is room for: older entries would be evicted before reuse.
    this.#seen = new Int32Array(Math.ceil(postsBytes / leastPostBytes))
    this.#seenPages = new Int32Array(Math.ceil(pagesBytes / pageBytes))
    this.#posts = new LRUCache({
      maxSize: postsBytes,
      sizeCalculation: ({ json, hiddenText = '' }) => json.length + hiddenText.length + entryBytes,
    })
    this.#pages = new LRUCache({ maxSize: pagesBytes, sizeCalculation: ({ json }, refs) => refs.length + json.length + entryBytes })
  }

  /** A page as it is now, if it is here: its authors are loaded then, and further accounts with them. */
  async findPage(refs: string, furtherAccounts: readonly string[]): Promise<string | undefined> {
    const page = this.#pages.get(refs)
    if (!page) return undefined
    await this.#accounts.load([...furtherAccounts, ...page.authors])
    return this.page(refs)
  }

  /** The same for somebody who has loaded its authors. */
  page(refs: string): string | undefined {
    const page = this.#pages.get(refs)
    return page?.revision === this.#accounts.revision ? page.json : undefined
  }

  /** Takes a page, if one that begins alike was taken not long ago: others look at it, too. */
  putPage(refs: string, json: string, authorsOf: () => readonly string[]): void {
    const first = Number.parseInt(refs)
    const place = first % this.#seenPages.length
    if (this.#seenPages[place] === first) this.#pages.set(refs, { json, authors: authorsOf(), revision: this.#accounts.revision })
    this.#seenPages[place] = first
  }

  /** A post as it is now, if it is here. */
  find({ id, version }: Pick<PostRef, 'id' | 'version'>): PostContent | undefined {
    const cached = this.#posts.get(id)
    return cached?.version === version ? cached : undefined
  }

  /** Takes a post whose author is loaded; it is cached if there is room, or if it was taken not long ago too. */
  put(content: PostContent): PostContent {
    const { id, json } = content
    const place = id % this.#seen.length
    if (this.#posts.calculatedSize + json.length + entryBytes <= this.#posts.maxSize || this.#seen[place] === id) {
      this.#posts.set(id, { ...content, authorId: this.#accounts.get(content.authorId).id, json: ownText(narrowJson(json)) })
    }
    this.#seen[place] = id
    return content
  }
}

declare module '../core/work/ctx.ts' {
  interface Node {
    readonly postCaches: { readonly forum: PostCache; readonly microblog: PostCache }
  }
}
