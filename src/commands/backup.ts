// `npm run backup -- <file>`: see src/backup.
import { resolve } from 'node:path'
import { backUp } from '../backup/backup.service.ts'
import { runTool, withDatabase } from '../backup/stores.ts'
import { ConfigError } from '../core/base/config.ts'

await runTool(async ([file, ...more], config, say) => {
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw new ConfigError('Say where to write the backup: npm run backup -- <file>')
  await withDatabase(config, say, (stores) => backUp(stores, resolve(file), say))
})
