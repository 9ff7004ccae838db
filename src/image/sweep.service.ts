// Finds stored images that nothing shows.
import type { Ctx } from '../core/work/ctx.ts'
import { batchesOf, mapSome } from '../core/base/batches.ts'
import { adminUploads, incoming } from '../core/files/files.ts'
import { imageNameOf, imagePath, type ImageSize } from './names.ts'
import { mayRemoveImages } from './removals.service.ts'
import { selectRememberedImages, selectUsedImages } from './queries.ts'
import { noteUncounted, recountRemoved, sweepRoom } from './room.service.ts'
import { putAwayUnused } from './service.ts'

/** Younger files may belong to a request that is still under way. */
const minAgeMs = 24 * 60 * 60_000
const namesAtOnce = 500
const removedAtOnce = 20

/**
 * Removes what no row refers to, from the archive, too; archives what only the past of a row refers to; clears up after broken off
 * work.
 */
export async function sweepImages(ctx: Ctx<undefined>): Promise<void> {
  const { store } = ctx.node.files
  // Uploads of admins may hold digests of passwords.
  for (const folder of [incoming, adminUploads])
    for await (const { path, modifiedMs } of store.list(folder)) if (isOld(ctx, modifiedMs)) await store.remove(path)
  for (const size of ['full', 'thumb'] as const) for await (const images of imagesIn(ctx, size)) await sweepSome(ctx, images)
  if (await mayRemoveImages(ctx)) for await (const images of imagesIn(ctx, 'archive')) await sweepArchived(ctx, images)
  await sweepRoom(ctx)
}

/** When each of some images was written, by its name. */
type Images = ReadonlyMap<string, number>

/** All images of a size, some at a time. What was left behind by broken off work is removed on the way. */
async function* imagesIn(ctx: Ctx<undefined>, size: ImageSize): AsyncGenerator<Images, void> {
  const { store } = ctx.node.files
  for await (const files of batchesOf(store.list(size), namesAtOnce)) {
    const images = new Map<string, number>()
    for (const { path, modifiedMs } of files) {
      const name = path.slice(path.lastIndexOf('/') + 1)
      if (name.endsWith('.part') && isOld(ctx, modifiedMs)) await store.remove(path)
      // Nothing else has come there by the product.
      if (imageNameOf(name) === name && path === imagePath(size, name)) images.set(name, modifiedMs)
    }
    yield images
  }
}

/** Removes what no row remembers any more. */
async function sweepArchived(ctx: Ctx<undefined>, images: Images): Promise<void> {
  const names = [...images.keys()]
  const [used, remembered] = await Promise.all([selectUsedImages(ctx.sql, names), selectRememberedImages(ctx.sql, names)])
  await removeArchived(
    ctx,
    names.filter((name) => !used.has(name) && !remembered.has(name) && isOld(ctx, images.get(name))),
  )
}

async function sweepSome(ctx: Ctx<undefined>, images: Images): Promise<void> {
  const names = [...images.keys()]
  const used = await selectUsedImages(ctx.sql, names)
  if (used.size > 0) await noteUncounted(ctx, [...used])
  const unused = await putAwayUnused(
    ctx,
    names.filter((name) => !used.has(name) && isOld(ctx, images.get(name))),
  )
  if (unused.length === 0) return
  const remembered = await selectRememberedImages(ctx.sql, unused)
  await removeArchived(
    ctx,
    unused.filter((name) => !remembered.has(name)),
  )
  ctx.log.info({ images: unused.length }, 'images that nothing shows were removed')
}

async function removeArchived(ctx: Ctx<undefined>, names: readonly string[]): Promise<void> {
  await mapSome(names, removedAtOnce, (name) => ctx.node.files.store.remove(imagePath('archive', name)))
  await recountRemoved(ctx, names)
}

const isOld = (ctx: Ctx<undefined>, modifiedMs = Infinity): boolean => modifiedMs < ctx.nowMs - minAgeMs
