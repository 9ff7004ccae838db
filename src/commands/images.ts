// `npm run images`: says where images lie, and moves them to where new ones go.
import { moveImages } from '../backup/move.service.ts'
import { runTool, withDatabase } from '../backup/stores.ts'
import { ConfigError } from '../core/base/config.ts'
import { incoming } from '../core/files/files.ts'
import { openBoth } from '../core/files/open-store.ts'
import type { FileStore } from '../core/files/store.ts'
import { OperatorError } from '../supervisor/operator-error.ts'

await runTool(async (args, config, say) => {
  if (args.some((arg) => arg !== '--move')) throw new ConfigError('Say nothing, or --move: npm run images -- --move')
  const places = await openBoth(config)
  if (!places) throw new OperatorError(`All images are in ${config.imagesDir}: no bucket is set (S3_BUCKET).`)
  try {
    await places.check()
    if (args.includes('--move')) {
      const moved = await withDatabase(config, say, (stores) => moveImages(stores, places, say))
      say(`Moved ${moved} files to ${places.main.name}.`)
    }
    say(`New files go to ${places.main.name}: ${await count(places.main)} are there.`)
    say(`In ${places.other.name} are ${await count(places.other)}.`)
  } finally {
    places.close()
  }
})

async function count(store: FileStore): Promise<number> {
  let files = 0
  for await (const { path } of store.list()) if (!path.startsWith(`${incoming}/`)) files++
  return files
}
