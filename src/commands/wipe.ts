// `npm run wipe -- --yes`: see src/backup.
import { runTool, withIdleDatabase } from '../backup/stores.ts'
import { sayProof, wipe } from '../backup/wipe.service.ts'
import { ConfigError } from '../core/base/config.ts'
import { redisPrefixFor } from '../core/bus/redis-connection.ts'
import { tables } from '../features.ts'

await runTool(async (args, config, say) => {
  const keepCodes = args.includes('--keep-codes')
  if (args.filter((arg) => arg !== '--keep-codes').join() !== '--yes')
    throw new ConfigError(
      'This removes all users and everything they have written, and all registration codes unless --keep-codes is given. To do so: npm run wipe -- --yes',
    )
  sayProof(await withIdleDatabase(config, say, (stores) => wipe(stores, redisPrefixFor(config.redisUrl), tables, { keepCodes })), say)
})
