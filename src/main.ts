// The server process: one node, stopped by a signal or by its parent.
import { figuresOf, startApp } from './app.ts'
import { endForWipe, wipeIfOrdered } from './backup/ordered-wipe.service.ts'
import { readConfig } from './accounts/config.ts'
import { createLog } from './core/base/log.ts'
import { runProcess } from './core/work/process.ts'
import { startProcess, startWatch } from './incidents/service.ts'
import { requireNativeUws } from './core/http/uws.ts'
import { tables } from './features.ts'

await runProcess('server', async () => {
  requireNativeUws()
  const config = readConfig()
  // Several of one machine have numbers.
  const name = config.serverNumber === undefined ? 'server' : `server${config.serverNumber}`
  const log = createLog(config.logLevel, name)
  await wipeIfOrdered(config, tables)
  const app = await startApp({ config, databaseUrl: config.databaseUrl ?? '', redisUrl: config.redisUrl ?? '', source: name, log })
  endForWipe(app.node)
  const endProcess = await startProcess(app.node, 'server', name)
  const stopWatch = startWatch(app.node)
  return {
    log,
    ready: { port: app.port },
    answers: {
      figures: () => figuresOf(app.node),
      metrics: async () => (await app.node.metrics.text()).toString(),
    },
    async stop() {
      stopWatch()
      // Both at once: a Postgres that is away keeps nobody waiting.
      await Promise.all([endProcess(), app.stop()])
    },
  }
})
