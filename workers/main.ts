// The worker process.
import { endForWipe, wipeIfOrdered } from '../src/backup/ordered-wipe.service.ts'
import { readConfig } from '../src/accounts/config.ts'
import { createLog } from '../src/core/base/log.ts'
import { runProcess } from '../src/core/work/process.ts'
import { startProcess } from '../src/incidents/service.ts'
import { redisPrefixFor } from '../src/core/bus/redis-connection.ts'
import { tables } from '../src/features.ts'
import { startWorker } from './worker.ts'

await runProcess('worker', async () => {
  const config = readConfig()
  const log = createLog(config.logLevel, 'worker')
  await wipeIfOrdered(config, tables)
  const worker = await startWorker({
    config,
    databaseUrl: config.databaseUrl ?? '',
    redisUrl: config.redisUrl ?? '',
    redisPrefix: redisPrefixFor(config.redisUrl),
    source: 'worker',
    log,
    onSilence() {
      log.fatal('jobs are not being delivered; the process ends so that a new one can take over')
      process.exit(1)
    },
  })
  endForWipe(worker.node)
  const endProcess = await startProcess(worker.node, 'worker', 'worker')
  return {
    log,
    ready: {},
    answers: { metrics: async () => (await worker.node.metrics.text()).toString() },
    async stop() {
      await Promise.all([endProcess(), worker.stop()])
    },
  }
})
