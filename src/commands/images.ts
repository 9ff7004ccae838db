// `npm run images`: says where images lie, and moves them to where new ones go.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tryMoving } from '../backup/queries.ts'
import { runTool, withDatabase } from '../backup/stores.ts'
import { ConfigError } from '../core/base/config.ts'
import { incoming } from '../core/files/files.ts'
import { openBoth } from '../core/files/open-store.ts'
import type { FileStore } from '../core/files/store.ts'
import { gather } from '../core/files/two-stores.ts'
import { OperatorError } from '../supervisor/operator-error.ts'

const sayEvery = 1000

await runTool(async (args, config, say) => {
  if (args.some((arg) => arg !== '--move')) throw new ConfigError('Say nothing, or --move: npm run images -- --move')
  const stores = await openBoth(config)
  if (!stores) throw new OperatorError(`All images are in ${config.imagesDir}: no bucket is set (S3_BUCKET).`)
  const scratch = join(config.imagesDir, incoming)
  try {
    await stores.check()
    if (args.includes('--move'))
      await withDatabase(config, say, async ({ sql }) => {
        if (!(await tryMoving(sql))) throw new OperatorError('Somebody else is moving them already.')
        await mkdir(scratch, { recursive: true })
        const moved = await gather(stores, scratch, (sofar) => {
          if (sofar % sayEvery === 0) say(`${sofar} moved ...`)
        })
        say(`Moved ${moved} files to ${stores.main.name}.`)
      })
    say(`New files go to ${stores.main.name}: ${await count(stores.main)} are there.`)
    say(`In ${stores.other.name} are ${await count(stores.other)}.`)
  } finally {
    stores.close()
  }
})

async function count(store: FileStore): Promise<number> {
  let files = 0
  for await (const { path } of store.list()) if (!path.startsWith(`${incoming}/`)) files++
  return files
}
