// `npm run refresh`: has running servers and workers read again what they keep in memory of the database.
import { orderReadAgain } from '../backup/read-again.service.ts'
import { runTool, withDatabase } from '../backup/stores.ts'
import { ConfigError } from '../core/base/config.ts'

await runTool(async (args, config, say) => {
  if (args.length > 0) throw new ConfigError('This takes no more than --env: npm run refresh -- --env <name>')
  await withDatabase(config, say, (stores) => orderReadAgain(stores, say))
})
