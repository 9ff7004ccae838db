// A wipe that was ordered in the console. Every process ends itself, and the first that starts again does it while nobody else
// uses the database; the others wait for it. So nothing of the old event stays in the memory of any of them.
import { setTimeout as sleep } from 'node:timers/promises'
import { builtIn } from '../accounts/rows.ts'
import type { Config } from '../core/base/config.ts'
import type { Node, Tx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import type { DeclaredTable } from '../core/db/tables.ts'
import { restartProcess } from '../core/work/process.ts'
import { redisPrefixFor } from '../core/bus/redis-connection.ts'
import type { Topic } from '../core/live/registry.ts'
import { auditByProcess } from '../moderation/audit.service.ts'
import { countUsers, lockWipe, selectWipe, upsertWipe, type WipeOrder } from './queries.ts'
import { connected, type Stores } from './stores.ts'
import { wipe, type WipeWishes } from './wipe.service.ts'

/** Published once, when a wipe has been ordered. */
const wipeTopic: Topic<{ type: 'ordered' }> = { name: 'wipe' }

const lookEveryMs = 200
/** The others need a moment to finish what they do. */
const othersEndWithinMs = 40_000
/** Long enough for the answer to whoever ordered it. */
const endAfterMs = 500

/** The last one that was ordered. */
export const lastWipe = (sql: Sql): Promise<WipeOrder | undefined> => selectWipe(sql)

/** Orders one: it is done when the processes have started again. */
export async function orderWipeIn(tx: Tx, { keepCodes = false }: WipeWishes): Promise<void> {
  await upsertWipe(tx.sql, { state: 'ordered', orderedAt: tx.now.toISOString(), requestID: tx.ctx.requestId, keepCodes })
  tx.emitConfirmed(wipeTopic, 'all', { type: 'ordered' })
}

/** Ends this process when a wipe is ordered; whoever keeps it up starts it again. */
export function endForWipe({ channels, log }: Node): void {
  channels.listen(wipeTopic, () => {
    log.notice('a wipe was ordered: this process ends, and starts again')
    restartProcess('a wipe was ordered in the console', endAfterMs)
  })
}

/** Before anything else of a process starts: does the wipe that was ordered, or waits until another process has done it. */
export async function wipeIfOrdered(config: Config, tables: readonly DeclaredTable[]): Promise<void> {
  await connected(config, config.databaseUrl ?? '', async (stores) => {
    for (;;) {
      const order = await selectWipe(stores.sql)
      if (order?.state !== 'ordered') return
      if (await lockWipe(stores.sql)) return await carryOut(stores, order, tables)
      await sleep(lookEveryMs)
    }
  })
}

async function carryOut(stores: Stores, order: WipeOrder, tables: readonly DeclaredTable[]): Promise<void> {
  const { sql } = stores
  const deadlineMs = performance.now() + othersEndWithinMs
  while ((await countUsers(sql)) > 0) {
    if (performance.now() > deadlineMs) {
      const reason = 'Nothing was removed: a server or worker went on using the database. Restart all of them, and try again.'
      return await upsertWipe(sql, { ...order, state: 'failed', endedAt: new Date().toISOString(), reason })
    }
    await sleep(lookEveryMs)
  }
  const proof = await wipe(stores, redisPrefixFor(stores.config.redisUrl), tables, order)
  const now = new Date()
  await sql.begin(async (tx) => {
    await upsertWipe(tx, { ...order, state: 'done', endedAt: now.toISOString(), proof })
    // Whoever ordered it may be gone with everybody else.
    const by = { actorId: builtIn.admin, requestId: order.requestID, now }
    const details = { orderedAt: order.orderedAt, isClean: proof.isClean, keptCodes: order.keepCodes ?? false }
    await auditByProcess(tx as unknown as Sql, by, { action: 'wipe', subject: { type: 'server', id: 'all' }, details })
  })
}
