// Numbers that show how much a server is used.
import type { Ctx } from '../core/work/ctx.ts'
import { countRows } from './queries.ts'
import type { ServerRollupData } from './schemas.ts'

/** How many rows there are of what. */
export async function rollUp(ctx: Ctx): Promise<ServerRollupData> {
  return { counts: await ctx.readLong(countRows) }
}
