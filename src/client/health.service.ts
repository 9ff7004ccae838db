// Whether this node can do its work: for load balancers, containers and the apps.
import type { Node } from '../core/work/ctx.ts'
import type { Page } from '../core/http/http.ts'
import { Reply, type ReplyStatus } from '../core/http/route.ts'
import { isRefusal, storageFaultOf, type StorageFault } from '../core/db/errors.ts'
import { imagesMissing } from '../image/folder.service.ts'
import { jsonBytes } from '../core/base/json-text.ts'
import { probeCommit, probeDatabase, probeStorage } from './queries.ts'

export interface Health {
  database: 'up' | 'down'
  redis: 'up' | 'down'
}

const answerWithinMs = 3000

/** Asks both stores. */
export async function healthOf(node: Node): Promise<Health> {
  const late = new Promise<'down'>((resolve) => node.clock.after(answerWithinMs, () => resolve('down')))
  const database = await Promise.race([
    probeDatabase(node.db.sql).then(
      () => 'up' as const,
      () => 'down' as const,
    ),
    late,
  ])
  return { database, redis: node.bus.up ? 'up' : 'down' }
}

const probeEveryMs = 5000

/** Why nothing can be written. `not committing`: a standby that has to confirm every commit does not. */
type WriteFault = StorageFault | 'not committing'

/** Says why Postgres cannot write, from what has failed lately and from tries of its own every few seconds. */
class StorageProbe {
  #probedMs = -Infinity
  #probe: Promise<StorageFault | undefined> = Promise.resolve(undefined)
  /** One at a time: while none is confirmed, each takes a connection. */
  #commit: { sinceMs: number; done: Promise<void> } | undefined

  async fault(node: Node): Promise<WriteFault | undefined> {
    const now = node.clock.elapsed()
    if (now - this.#probedMs >= probeEveryMs) {
      this.#probedMs = now
      this.#commit ??= this.#tryCommit(node)
      this.#probe = probeStorage(node.db.sql).then((readOnly) => {
        if (readOnly) node.db.renew()
        return readOnly ? 'read only' : undefined
      }, storageFaultOf)
    }
    const lately = node.db.storageFault
    return lately ?? (await this.#probe) ?? ((await this.#commits(node)) ? undefined : 'not committing')
  }

  /** Whatever else is wrong with the database, others say; some do not allow this. */
  #tryCommit({ clock, db, log }: Node): { sinceMs: number; done: Promise<void> } {
    const done = probeCommit(db.sql)
      .catch((error: unknown) => {
        if (!isRefusal(error)) log.debug({ err: error }, 'nothing could be committed')
      })
      .finally(() => (this.#commit = undefined))
    return { sinceMs: clock.elapsed(), done }
  }

  async #commits({ clock }: Node): Promise<boolean> {
    const commit = this.#commit
    if (!commit) return true
    const leftMs = commit.sinceMs + answerWithinMs - clock.elapsed()
    if (leftMs <= 0) return false
    const late = new Promise<false>((resolve) => clock.after(leftMs, () => resolve(false)))
    return await Promise.race([commit.done.then(() => true), late])
  }
}

/**
 * `/health/live`: the loop turns. `/health/ready`: send this node requests. Without Redis it still serves, degraded;
 * with a database that cannot write it refuses nearly everything, and without the images' disk it could lose some.
 */
export function healthPages(isStopping: () => boolean): Page[] {
  const storage = new StorageProbe()
  const json = (status: ReplyStatus, value: object) => new Reply(status, jsonBytes(value))
  return [
    {
      path: '/health/live',
      about: { summary: 'Whether the process answers.', type: 'application/json' },
      run: () => json(200, { status: 'live' }),
    },
    {
      path: '/health/ready',
      about: { summary: 'Whether requests should be sent to this node; 503 when not.', type: 'application/json', refusals: [503] },
      async run(node) {
        const health = await healthOf(node)
        const database = health.database === 'up' ? ((await storage.fault(node)) ?? 'up') : 'down'
        const images = (await imagesMissing(node)) ? 'missing' : 'up'
        const ready = database === 'up' && images === 'up' && !isStopping()
        const status = !ready ? 'not ready' : health.redis === 'up' ? 'ready' : 'degraded'
        return json(ready ? 200 : 503, { status, ...health, database, images })
      },
    },
  ]
}
