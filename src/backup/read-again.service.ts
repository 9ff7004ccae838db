// Orders that what is in memory is read again, from outside of the processes that keep it: by a job that a worker takes.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { builtIn } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import { auditByProcess } from '../moderation/audit.service.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { countUsers, insertReadAgain, isJobThere, selectSecondsSinceReadAgain } from './queries.ts'
import type { Stores } from './stores.ts'

const pauseMs = 250
const patienceMs = 60_000
const restSeconds = 60

/** Resolves when every server and worker has read everything again, or will before it uses it. */
export async function orderReadAgain({ sql }: Pick<Stores, 'sql'>, say: (line: string) => void): Promise<void> {
  if ((await countUsers(sql)) === 0) return say('No server uses this database. Whatever starts next reads everything.')
  const seconds = await selectSecondsSinceReadAgain(sql)
  if (seconds !== undefined && seconds < restSeconds)
    throw new OperatorError(`Everything was read again a moment ago. Try again in ${Math.ceil(restSeconds - seconds)} seconds.`)
  const id = await sql.begin(async (tx) => {
    const requestId = randomUUID()
    const by = { actorId: builtIn.admin, requestId, now: new Date() }
    const details = { command: 'npm run refresh' }
    await auditByProcess(tx as unknown as Sql, by, { action: 'readAgain', subject: { type: 'server', id: 'all' }, details })
    return await insertReadAgain(tx as unknown as Sql, requestId)
  })
  const began = performance.now()
  while (await isJobThere(sql, id)) {
    if (performance.now() - began > patienceMs)
      throw new OperatorError('No worker has done it within a minute. It will be done as soon as one runs and reaches all servers.')
    await pause(pauseMs)
  }
  say('All servers and workers read everything again.')
}
