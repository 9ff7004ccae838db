// Whom a switch for everybody touches, for the question before it.
import type { Ctx } from '../core/work/ctx.ts'
import { inDialect } from '../text/dialect.ts'
import { getFigures } from './figures.service.ts'
import { countByLevel } from './people.queries.ts'
import type { ReachData } from './schemas.ts'

/** Who is there is noted once a minute. */
const presentMs = 2 * 60_000

/** How many people there are by level, and how many of them are here. */
export async function reach(ctx: Ctx): Promise<ReachData> {
  const [rows, { now }] = await Promise.all([
    countByLevel(ctx.sql, new Date(ctx.nowMs - presentMs)),
    // A second of its points: what is asked for is the present.
    getFigures(ctx, { since: ctx.nowMs }),
  ])
  return {
    people: rows.reduce((sum, { people }) => sum + people, 0),
    online: now.online,
    sockets: now.sockets,
    levels: rows.map(({ level, accounts, people, seen }) => ({
      level: inDialect(ctx.node.config, level),
      accounts,
      people,
      present: seen,
    })),
  }
}
