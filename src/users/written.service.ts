// All that a person has written where others see it, for moderators: as one list, to be hidden or deleted together.
import { AppError, badRequest } from '../core/base/errors.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { Judged, WrittenRow } from '../moderation/judged.ts'
import type { SettableState } from '../moderation/types.ts'
import { personOf } from './levels.service.ts'
import type { ContentListData, ContentOutcomeData, WrittenListData } from './moderation.schemas.ts'

interface WrittenQuery {
  /** `next` of the page before. */
  before?: string
  search?: string
  limit?: number
}

const pageSize = 50
const judgedKinds = (ctx: Ctx): Judged[] => ctx.node.features.flatMap(({ judged = [] }) => judged)

/** A page of what the person of an account has written in public, newest first, deleted content left out. */
export async function listWritten(
  ctx: Ctx,
  accountId: string,
  { before, search = '', limit = pageSize }: WrittenQuery,
): Promise<WrittenListData> {
  const { primary, subAccounts } = await personOf(ctx, accountId)
  const from = before === undefined ? { ms: ctx.nowMs, skipped: 0 } : placeOf(before)
  const filter = {
    accountIds: [primary, ...subAccounts].map(({ id }) => id),
    before: new Date(from.ms),
    pattern:
      search.trim() === ''
        ? undefined
        : `%${search
            .trim()
            .toLowerCase()
            .replace(/[\\%_]/g, '\\$&')}%`,
    limit: from.skipped + limit + 1,
    viewer: ctx.viewer,
  }
  const found = await Promise.all(
    judgedKinds(ctx).map(async ({ type, written }) => (await written(ctx.sql, filter)).map((row) => ({ type, ...row }))),
  )
  const all = found.flat().sort(newestFirst)
  // Several things may be of one moment: the page before says how many of these it has shown.
  const ofThatMoment = all.filter(({ createdAt }) => createdAt.getTime() === from.ms).length
  const rest = all.slice(Math.min(from.skipped, ofThatMoment))
  const page = rest.slice(0, limit)
  const { accounts } = ctx.node
  await accounts.load(page.map(({ authorId }) => authorId))
  const last = page.at(-1)
  return {
    items: page.map(({ type, id, authorId, text, images, place, moderationStatus, createdAt }) => ({
      type,
      id,
      author: accounts.get(authorId).header,
      text,
      images,
      ...(place ? { place } : {}),
      moderationStatus,
      createdAt,
    })),
    ...(last && rest.length > limit ? { next: nextPlace(last, page, from) } : {}),
  }
}

type Written = WrittenRow & Pick<Judged, 'type'>

/** As each kind sorts its own, which are then put together. */
const newestFirst = (a: Written, b: Written) =>
  b.createdAt.getTime() - a.createdAt.getTime() || kindOrder(a.type, b.type) || (a.id < b.id ? 1 : -1)

const kindOrder = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** The moment of the last item, and how many of that moment have been shown. */
function nextPlace({ createdAt }: Written, page: readonly Written[], from: { ms: number; skipped: number }): string {
  const ms = createdAt.getTime()
  const shown = page.filter((each) => each.createdAt.getTime() === ms).length
  return `${ms}.${shown + (ms === from.ms ? from.skipped : 0)}`
}

function placeOf(before: string): { ms: number; skipped: number } {
  const [, ms, skipped] = /^(\d{1,14})\.(\d{1,4})$/.exec(before) ?? []
  if (ms === undefined) throw badRequest('filter_invalid', 'before is the `next` of the page before.')
  return { ms: Number(ms), skipped: Number(skipped) }
}

/** Hides, locks or opens several things, each by the rules of its kind; what cannot be done is said of each. */
export const setStateOfAll = (ctx: Ctx, { items }: ContentListData, state: SettableState): Promise<ContentOutcomeData> =>
  eachOf(ctx, items, ({ setState }, id) => setState?.(ctx, id, state) ?? cannot())

/** Deletes several things, each by the rules of its kind; what cannot be done is said of each. */
export const removeAll = (ctx: Ctx, { items }: ContentListData): Promise<ContentOutcomeData> =>
  eachOf(ctx, items, ({ remove }, id) => remove(ctx, id))

function cannot(): never {
  throw badRequest('not_available', 'This kind of content cannot be hidden, only deleted.')
}

/** One after the other: what is in one forum or chat would only wait for each other. */
async function eachOf(
  ctx: Ctx,
  items: ContentListData['items'],
  act: (judged: Judged, id: string) => Promise<unknown>,
): Promise<ContentOutcomeData> {
  const outcome: ContentOutcomeData = { done: [], refused: [] }
  const kinds = new Map(judgedKinds(ctx).map((judged) => [judged.type, judged]))
  for (const { type, id } of items) {
    try {
      const judged = kinds.get(type)
      if (!judged) cannot()
      await act(judged, id)
      outcome.done.push({ type, id })
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      outcome.refused.push({ type, id, code: error.code, reason: error.message })
    }
  }
  return outcome
}
