// Reads a thread from one page on to its end.

/** More pages than this are not read in one go: somebody who was away for days starts where they left. */
const maxPages = 5
const firstPage = 50
const largestPage = 200

/** What a page holds of its list. */
export interface Part<Item> {
  items: readonly Item[]
  start: number
  total: number
}

/** The list as far as it is here: all from `firstStart` on. */
export interface Rest<Page, Item> {
  first: Page
  items: Item[]
  firstStart: number
  /** How many come after those that are here. */
  later: number
}

/**
 * @param read gets one page; without a start, the one with the first new item.
 * @param known what is here already: read again, so that deleted items go. Of very much only the end is; the rest stays as it is.
 */
export async function readOn<Page, Item>(
  read: (page: { start?: number; limit: number }) => Promise<Page>,
  part: (page: Page) => Part<Item>,
  known?: { firstStart: number; posts: readonly (Item & { postID: number })[] },
): Promise<Rest<Page, Item>> {
  const skipped = Math.max(0, (known?.posts.length ?? 0) - largestPage * (maxPages - 1))
  const first = await read(known ? { start: known.firstStart + skipped, limit: largestPage } : { limit: firstPage })
  let { start: end, items: last, total } = part(first)
  const firstStart = end
  const items = [...last]
  end += last.length
  for (let pages = 1; pages < maxPages && end < total && last.length > 0; pages++) {
    ;({ items: last, total } = part(await read({ start: end, limit: largestPage })))
    items.push(...last)
    end += last.length
  }
  const later = last.length > 0 ? Math.max(0, total - end) : 0
  if (!known || skipped === 0) return { first, items, firstStart, later }
  const firstRead = (items[0] as { postID: number } | undefined)?.postID ?? Infinity
  return { first, items: [...known.posts.filter(({ postID }) => postID < firstRead), ...items], firstStart: known.firstStart, later }
}
