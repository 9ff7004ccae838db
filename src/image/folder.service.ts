// Whether the place of images is the one that they are in. Where a disk is not there, its folder is, and empty: what is written then
// is lost, or hidden, as soon as the disk comes back.
import { storageFailed } from '../core/base/errors.ts'
import type { Sql } from '../core/db/db.ts'
import type { FileStore } from '../core/files/store.ts'
import type { Node } from '../core/work/ctx.ts'
import { imagePath } from './names.ts'
import { selectSomeNoted } from './room.queries.ts'

const lookEveryMs = 10_000
/** Until then a file may still be under way. */
const youngMs = 60 * 60_000
const sampleSize = 20
/** One or two may be gone for another reason. */
const leastNames = 3
/** An operator who has lost all images for good makes a file of this name there. */
const lostMark = 'lost'

/** True when none of the images that rows know is in the place for them. */
export async function lacksImages(sql: Sql, store: FileStore, now: Date): Promise<boolean> {
  const names = await selectSomeNoted(sql, new Date(now.getTime() - youngMs), sampleSize)
  if (names.length < leastNames) return false
  const paths = [...(['full', 'archive'] as const).flatMap((size) => names.map((name) => imagePath(size, name))), lostMark]
  // Nearly always the first one is there.
  for (const path of paths) if (await isThere(store, path)) return false
  return true
}

/** A place that cannot be read says nothing about what is in it: others notice that. */
const isThere = (store: FileStore, path: string): Promise<boolean> =>
  store.stat(path).then(
    (facts) => facts !== undefined,
    () => true,
  )

interface Look {
  atMs: number
  isMissing: Promise<boolean>
}

const looks = new WeakMap<Node, Look>()

/** The same for a server, which looks every few seconds; false while the database cannot be asked. */
export function imagesMissing(node: Node): Promise<boolean> {
  const nowMs = node.clock.elapsed()
  const last = looks.get(node)
  if (last && nowMs - last.atMs < lookEveryMs) return last.isMissing
  const isMissing = lacksImages(node.db.sql, node.files.store, new Date(node.clock.now())).catch(() => false)
  looks.set(node, { atMs: nowMs, isMissing })
  return isMissing
}

/** @throws AppError 503 while they are missing: nothing is taken that would be lost. */
export async function requireFolder(node: Node): Promise<void> {
  if (await imagesMissing(node)) throw storageFailed(new Error('the folder of images has none of those that are known'))
}
