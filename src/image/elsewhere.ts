// Processing where the files of people are no files of this machine: what it needs is brought here, and what it makes is brought there.
import { rm } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { incoming } from '../core/files/files.ts'
import type { FileStore } from '../core/files/store.ts'
import { imagePath, type ImageSize } from './names.ts'
import type { ImageOrder, ImageOutcome } from './queue.ts'

/** Thumbnails first: an image counts as stored when it is there in full. */
const sizes: readonly ImageSize[] = ['thumb', 'full']

/** Carries an order out by `work`, which knows files below `folder` alone. */
export async function processElsewhere(
  store: FileStore,
  folder: string,
  order: ImageOrder,
  work: (order: ImageOrder) => Promise<ImageOutcome>,
): Promise<ImageOutcome> {
  const gone: ImageOutcome = { refused: 'Nobody waits for this picture any more.' }
  // Not where images lie: somebody may be moving those.
  const into = `${incoming}/${order.name}`
  try {
    const outcome = await store.use(order.source, (file) => work({ ...order, source: relative(folder, file), into }))
    if (!outcome || 'refused' in outcome) return outcome ?? gone
    if (!(await store.stat(order.source))) return gone
    for (const path of sizes.map((size) => imagePath(size, outcome.filename)))
      await store.put(path, join(folder, into, path), { forGood: true })
    return outcome
  } finally {
    // What is left here: that of a picture for which nobody waits, or of a place that is away.
    await rm(join(folder, into), { recursive: true, force: true })
  }
}
