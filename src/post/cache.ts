// The post cache: JSON of what everybody gets the same of a post, by its id and version.
import { LRUCache } from 'lru-cache'
import type { Accounts } from '../accounts/accounts.ts'
import { narrowJson } from '../core/http/narrow-json.ts'
import { ownText } from '../core/own-text.ts'
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

// Together about 20 MB of short posts, and 8 MB of pages.
const maxCodeUnits = 8_000_000
const maxPageCodeUnits = 4_000_000
/** Memory that an entry takes in addition to its text. */
const entryCodeUnits = 200
/** About as many as there is room for: older entries would be evicted before reuse. */
const seenPlaces = 16_384

/** The posts of one feed that were read last. */
export class PostCache {
  readonly #posts = new LRUCache<number, PostContent>({
    maxSize: maxCodeUnits,
    sizeCalculation: ({ json, hiddenText = '' }) => json.length + hiddenText.length + entryCodeUnits,
  })
  readonly #pages = new LRUCache<string, CachedPage>({
    maxSize: maxPageCodeUnits,
    sizeCalculation: ({ json }, refs) => refs.length + json.length + entryCodeUnits,
  })
  /** Ids that were seen lately, each in the place of its last digits: one-off reads must not evict popular posts. */
  readonly #seen = new Int32Array(seenPlaces)
  readonly #accounts: Accounts

  constructor(accounts: Accounts) {
    this.#accounts = accounts
  }

  /** A page as it is now, if it is here: its authors are loaded then, and further accounts with them. */
  async findPage(refs: string, furtherAccounts: readonly string[]): Promise<string | undefined> {
    const page = this.#pages.get(refs)
    if (!page) return undefined
    await this.#accounts.load([...furtherAccounts, ...page.authors])
    return page.revision === this.#accounts.revision ? page.json : undefined
  }

  putPage(refs: string, json: string, authors: readonly string[]): void {
    this.#pages.set(refs, { json, authors, revision: this.#accounts.revision })
  }

  /** A post as it is now, if it is here. */
  find({ id, version }: PostRef): PostContent | undefined {
    const cached = this.#posts.get(id)
    return cached?.version === version ? cached : undefined
  }

  /** Takes a post whose author is loaded; it is cached if there is room, or if it was taken not long ago too. */
  put(content: PostContent): void {
    const { id, json } = content
    const place = id % seenPlaces
    if (this.#posts.calculatedSize + json.length + entryCodeUnits <= maxCodeUnits || this.#seen[place] === id) {
      this.#posts.set(id, { ...content, authorId: this.#accounts.get(content.authorId).id, json: ownText(narrowJson(json)) })
    }
    this.#seen[place] = id
  }
}

declare module '../core/ctx.ts' {
  interface Node {
    readonly postCaches: { readonly forum: PostCache; readonly microblog: PostCache }
  }
}
