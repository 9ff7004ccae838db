// Lists of forums.
import type { Ctx } from '../core/ctx.ts'
import { isUuid } from '../core/decode.ts'
import type { ForumListRow, ForumOrder } from './lists.queries.ts'
import type { ForumListData } from './schemas.ts'
import { forumSorts, type ForumSort } from './types.ts'
import { forumListData } from './views.ts'

/** An id in a query; what is none counts as absent. */
export function uuidIn(typed: string | undefined): string | undefined {
  return typed !== undefined && isUuid(typed) ? typed.toLowerCase() : undefined
}

/** What to sort by: words that mean nothing here count as none. */
export function orderOf({ sort, order }: { sort?: string, order?: string }, fallback: ForumSort): ForumOrder {
  return {
    sort: forumSorts.find((each) => each === sort) ?? fallback,
    direction: order === 'ascending' || order === 'descending' ? order : undefined,
  }
}

/** Rows of a page as they are sent. */
export async function listItems(ctx: Ctx, rows: readonly ForumListRow[]): Promise<ForumListData[]> {
  const { accounts } = ctx.node
  await accounts.load(new Set(rows.flatMap(({ creatorId, lastPosterId }) => (lastPosterId ? [creatorId, lastPosterId] : [creatorId]))))
  return rows.map((row) => forumListData(accounts, row))
}
