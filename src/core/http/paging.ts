// Lists in pages of `start` and `limit`, as every list of the API has them.
import { Dto, Int, StrictInt, Type, type Static } from '../schema/schema.ts'

/** The query parameters of a page. */
export const pageQuery = { start: Type.Optional(Int), limit: Type.Optional(Int) }

/** The same, where something other than an integer is refused. */
export const strictPageQuery = { start: Type.Optional(StrictInt), limit: Type.Optional(StrictInt) }

/** The total and the requested page. The next page begins at `start + limit`. */
export type Paginator = Static<typeof Paginator>
export const Paginator = Dto('Paginator', {
  /** Items that match, before any are left out of a page. */
  total: Int,
  start: Int,
  limit: Int,
})

/** The page to use: a negative start is 0, the limit is clamped to 1...`max`, or to 1 where `max` is less. */
export function pageOf(query: { start?: number; limit?: number }, max: number, defaultLimit = 50): { start: number; limit: number } {
  return { start: Math.max(0, query.start ?? 0), limit: Math.max(1, Math.min(max, query.limit ?? defaultLimit)) }
}
