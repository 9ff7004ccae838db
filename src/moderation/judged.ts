// What people write and moderators judge: each kind is declared by the manifest of its feature.
import type { Sql } from '../core/db/db.ts'
import { notAvailable } from '../core/base/errors.ts'
import { isUuid } from '../core/schema/decode.ts'
import type { Viewer } from '../core/base/viewer.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { ContentModerationStatus, ReportType, SettableState } from './types.ts'

/** Something that was written and not deleted. */
export interface WrittenRow {
  id: string
  authorId: string
  /** The beginning of its words: at most 300 characters. */
  text: string
  images: string[]
  /** What it stands in: the title of a forum, a chat, a song. */
  place: string | null
  moderationStatus: ContentModerationStatus
  createdAt: Date
}

export interface WrittenFilter {
  accountIds: readonly string[]
  /** Only what is not newer. */
  before: Date
  /** Of LIKE, in small letters, for all its words; undefined: everything. */
  pattern: string | undefined
  limit: number
  /** Who asks: nobody sees what stands where they may not look. */
  viewer: Viewer
}

/** One kind of content. */
export interface Judged {
  readonly type: ReportType
  /** What accounts have written, newest first. */
  readonly written: (sql: Sql, filter: WrittenFilter) => Promise<WrittenRow[]>
  /** Absent where it cannot be hidden. */
  readonly setState?: (ctx: Ctx, id: string, state: SettableState) => Promise<unknown>
  readonly remove: (ctx: Ctx, id: string) => Promise<unknown>
}

declare module '../core/http/feature.ts' {
  interface Feature {
    readonly judged?: readonly Judged[]
  }
}

/** For content whose ids are numbers. */
export const byNumber =
  <Rest extends unknown[]>(run: (ctx: Ctx, id: number, ...rest: Rest) => Promise<unknown>) =>
  async (ctx: Ctx, id: string, ...rest: Rest): Promise<unknown> => {
    if (!/^\d{1,9}$/.test(id)) throw notAvailable('content')
    return await run(ctx, Number(id), ...rest)
  }

/** For content whose ids are UUIDs. */
export const byUuid =
  <Rest extends unknown[]>(run: (ctx: Ctx, id: string, ...rest: Rest) => Promise<unknown>) =>
  async (ctx: Ctx, id: string, ...rest: Rest): Promise<unknown> => {
    if (!isUuid(id)) throw notAvailable('content')
    return await run(ctx, id.toLowerCase(), ...rest)
  }
