// One worker of the product, as a process that is measured.
import { readConfig } from '../../src/accounts/config.ts'
import { redisPrefixFor } from '../../src/core/bus/redis-connection.ts'
import { startWorker } from '../../workers/worker.ts'
import { takeOrders } from './processes.ts'

const config = readConfig([])
await startWorker({
  config,
  databaseUrl: config.databaseUrl ?? '',
  redisUrl: config.redisUrl ?? '',
  redisPrefix: redisPrefixFor(config.redisUrl),
  source: 'worker',
  onSilence: () => process.exit(1),
})
takeOrders(0, {})
