// The worker process: every job and sweep of the product.
import { buildNode } from '../src/app.ts'
import { readConfig } from '../src/core/config.ts'
import { startJobRunner } from '../src/core/job-runner.ts'
import { createLog } from '../src/core/log.ts'
import { runProcess } from '../src/core/process.ts'
import { fezStarting, fezStartingSweep } from './fez-starting.ts'
import { forgetAnswersSweep } from './forget-answers.ts'

const redisPrefix = 'qd'

await runProcess('worker', async () => {
  const config = readConfig()
  const log = createLog(config.logLevel, 'worker')
  const redisUrl = config.redisUrl ?? ''
  const parts = await buildNode({ config, databaseUrl: config.databaseUrl ?? '', redisUrl, redisPrefix, source: 'worker', log })
  const runner = await startJobRunner(parts.node, {
    redisUrl,
    redisPrefix,
    handlers: { 'fez-starting': fezStarting },
    sweeps: [fezStartingSweep, forgetAnswersSweep],
    onSilence: () => {
      log.fatal('jobs are not being delivered; the process ends so that a new one can take over')
      process.exit(1)
    },
  })
  return {
    log,
    ready: {},
    async stop() {
      await runner.stop()
      await parts.close()
    },
  }
})
