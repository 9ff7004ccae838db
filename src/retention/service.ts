// What grows old: for how long the host keeps it, what would go, and its removal.
import { builtIn } from '../accounts/rows.ts'
import { validationFailed, type FieldFailures } from '../core/base/errors.ts'
import type { Ctx, Node } from '../core/work/ctx.ts'
import type { OldRowsRule } from '../core/work/old-rows.ts'
import { auditByProcess } from '../moderation/audit.service.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import { settingsOf } from '../settings/channel.ts'
import { leastDays, retentionKinds, type RetentionDays, type RetentionKind } from '../settings/retention-kinds.ts'
import { changeSettings } from '../settings/update.service.ts'
import { notUnderReport } from './queries.ts'
import { checkDays, type RetentionChangeData, type RetentionData } from './schemas.ts'

const dayMs = 24 * 60 * 60_000
/** A transaction holds its locks for some milliseconds. */
const rowsAtOnce = 500
/** What a rule removes in one run; the rest goes with the next ones. */
const mostBatches = 200

/** The days in force, and how much would go with them, or with the days that are asked about. @throws AppError 400 */
export async function getRetention(ctx: Ctx, wanted: Partial<Record<RetentionKind, number>>): Promise<RetentionData> {
  const failures: FieldFailures = new Map()
  checkDays(wanted, (failure, field) => failures.set(field, [failure]))
  if (failures.size > 0) throw validationFailed(failures)
  const { retention } = settingsOf(ctx.node).values
  const kinds = retentionKinds.map(async (kind) => {
    const days = wanted[kind] ?? retention[kind]
    return { kind, days: retention[kind], leastDays: leastDays[kind], old: days === 0 ? 0 : await countOld(ctx, kind, days) }
  })
  return { kinds: await Promise.all(kinds) }
}

async function countOld({ node, sql, nowMs }: Ctx, kind: RetentionKind, days: number): Promise<number> {
  const counts = await Promise.all(rulesOf(node, kind).map((rule) => rule.count(sql, daysAgo(nowMs, days), notUnderReport)))
  return counts.reduce((sum, n) => sum + n, 0)
}

const daysAgo = (nowMs: number, days: number): Date => new Date(nowMs - days * dayMs)

const rulesOf = ({ features }: Pick<Node, 'features'>, kind: RetentionKind): OldRowsRule[] =>
  features.flatMap((each) => each.oldRows ?? []).filter((rule) => rule.kind === kind)

/** In force on all nodes when the promise resolves; what is too old by then goes within minutes. */
export async function setRetention(ctx: Ctx, { basedOn, ...retention }: RetentionChangeData): Promise<RetentionData> {
  await changeSettings(ctx, {
    values: { retention },
    enable: [],
    disable: [],
    check: (before) => {
      for (const kind of retentionKinds) requireSame(basedOn?.[kind], before.retention[kind], 'how long this server keeps what is old')
    },
  })
  return await getRetention(ctx, {})
}

/** Removes what is older than the host keeps it. Several workers may do it at once. @throws what rules failed with, after all others */
export async function removeOld(ctx: Ctx<undefined>): Promise<void> {
  const { retention } = settingsOf(ctx.node).values
  const failures: unknown[] = []
  for (const kind of retentionKinds) if (retention[kind] > 0) failures.push(...(await removeOldOf(ctx, kind, retention)))
  if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'what is old could not be removed')
}

/** Returns what rules failed with: what one cannot remove is no reason for the others to wait. */
async function removeOldOf(ctx: Ctx<undefined>, kind: RetentionKind, { [kind]: days }: RetentionDays): Promise<unknown[]> {
  const { node, nowMs, requestId } = ctx
  const failures: unknown[] = []
  let removed = 0
  const removeBatch = async (rule: OldRowsRule) => {
    const { n } = await ctx.transaction(async (tx) => ({ n: await rule.remove(tx, daysAgo(nowMs, days), rowsAtOnce, notUnderReport) }))
    removed += n
    return n
  }
  for (const rule of rulesOf(node, kind))
    try {
      // Until none is left, not until there were fewer than asked for: what goes may set others free.
      for (let batch = 0; batch < mostBatches; batch++) if ((await removeBatch(rule)) === 0) break
    } catch (error) {
      failures.push(error)
    }
  if (removed === 0) return failures
  const subject = { type: 'retention', id: kind } as const
  await ctx.transaction((tx) =>
    auditByProcess(
      tx.sql,
      { actorId: builtIn.admin, requestId, now: tx.now },
      { action: 'removeOld', subject, details: { removed, days } },
    ),
  )
  node.log.info({ kind, removed, days }, 'what had grown old was removed')
  return failures
}
