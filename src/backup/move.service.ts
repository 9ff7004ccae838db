// Moves images to where new ones go, while servers go on.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { incoming } from '../core/files/files.ts'
import { gather, type TwoStores } from '../core/files/two-stores.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { tryMoving } from './queries.ts'
import type { Stores } from './stores.ts'

const sayEvery = 1000

/** Resolves with how many there were. @throws OperatorError while somebody else moves them. */
export async function moveImages({ config, sql }: Stores, places: TwoStores, say: (line: string) => void): Promise<number> {
  if (!(await tryMoving(sql))) throw new OperatorError('Somebody else is moving them already.')
  const scratch = join(config.imagesDir, incoming)
  await mkdir(scratch, { recursive: true })
  return await gather(places, scratch, (moved) => {
    if (moved % sayEvery === 0) say(`${moved} moved ...`)
  })
}
