// The newest posts, which everybody looks at, in memory: the same for all, with the viewer's marks and hidden
// authors laid over.
import type { Accounts } from '../accounts/accounts.ts'
import type { Node } from '../core/work/ctx.ts'
import { LiveRows } from '../core/live/live-rows.ts'
import { hidesContentOf, hidesNobody, type Viewer } from '../core/base/viewer.ts'
import { joinRefs, writeRef, type PageRefs } from '../post/refs.ts'
import { selectNewest, selectOwnMarks, type NewestPosts, type OwnMarks } from './queries.ts'

/** All of them, under this id. */
const newestId = 'newest'

/** What pages of the newest posts are made of. */
export class NewestPages {
  readonly #accounts: Accounts
  readonly #posts: LiveRows<NewestPosts>
  /** By account. */
  readonly #marks: LiveRows<OwnMarks>

  constructor({ versions, clock, db, accounts, maxBytes }: Pick<Node, 'versions' | 'clock' | 'db' | 'accounts'> & { maxBytes: number }) {
    this.#accounts = accounts
    const common = { versions, clock, maxBytes }
    this.#posts = new LiveRows({
      ...common,
      tables: ['microblog_post', 'microblog_post_mark'],
      bytesOf: ({ posts }) => 300 * posts.length,
      read: async () => new Map([[newestId, await selectNewest(db.sql)]]),
    })
    this.#marks = new LiveRows({
      ...common,
      parts: ['microblog_post_mark'],
      bytesOf: ({ marks }) => 100 * marks.size,
      read: (accountIds) => selectOwnMarks(db.sql, accountIds),
    })
  }

  /** A page as `selectNewestPosts` has it; undefined when some of it is older than what is in memory. */
  async page(viewer: Viewer, start: number, limit: number): Promise<PageRefs | undefined> {
    const [newest, own] = await Promise.all([this.#posts.of([newestId]), this.#marks.of([viewer.id])])
    const { posts, authorIds, isAll } = newest.get(newestId) as NewestPosts
    const { marks, sinceId } = own.get(viewer.id) ?? noMarks
    await this.#accounts.load(authorIds)
    const seen = hidesNobody(viewer) ? posts : posts.filter(({ authorId }) => !hidesContentOf(viewer, this.#accounts.get(authorId)))
    if (!isAll && seen.length < start + limit) return undefined
    const page = seen.slice(start, start + limit)
    if (page.some(({ id }) => id < sinceId)) return undefined
    return joinRefs(
      page.map((post) => {
        const own = marks.get(post.id)
        return own ? writeRef({ ...post, ...own }) : post.unmarked
      }),
    )
  }
}

const noMarks: OwnMarks = { marks: new Map(), sinceId: 0 }

declare module '../core/work/ctx.ts' {
  interface Node {
    readonly newestPages: NewestPages
  }
}
