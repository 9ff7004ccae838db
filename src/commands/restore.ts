// `npm run restore -- <file>`: see src/backup.
import { resolve } from 'node:path'
import { restore } from '../backup/restore.service.ts'
import { runTool, withIdleDatabase } from '../backup/stores.ts'
import { ConfigError } from '../core/base/config.ts'

await runTool(async ([file, ...more], config, say) => {
  if (file === undefined || file.startsWith('-') || more.length > 0)
    throw new ConfigError('Say which backup to restore: npm run restore -- <file>')
  await withIdleDatabase(config, say, (stores) => restore(stores, resolve(file), say))
})
