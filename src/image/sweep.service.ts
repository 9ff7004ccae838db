// Finds stored images that nothing shows.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ctx } from '../core/work/ctx.ts'
import { adminUploads, incoming } from '../core/files/files.ts'
import { imageNameOf, imagePath } from './names.ts'
import { mayRemoveImages } from './removals.service.ts'
import { selectRememberedImages, selectUsedImages } from './queries.ts'
import { noteUncounted, recountRemoved, sweepRoom } from './room.service.ts'
import { putAwayUnused } from './service.ts'

/** Younger files may belong to a request that is still under way. */
const minAgeMs = 24 * 60 * 60_000

/**
 * Removes what no row refers to, from the archive, too; archives what only the past of a row refers to; clears up after broken off
 * work.
 */
export async function sweepImages(ctx: Ctx<undefined>): Promise<void> {
  const root = ctx.node.config.imagesDir
  // Uploads of admins may hold digests of passwords.
  for (const folder of [incoming, adminUploads]) {
    for (const name of await namesIn(join(root, folder))) await removeOld(ctx, join(root, folder, name))
  }
  for (const size of ['full', 'thumb'] as const) {
    for (const folder of await namesIn(join(root, size))) {
      if (/^[0-9A-F]{2}$/.test(folder)) await sweepFolder(ctx, join(root, size, folder))
    }
  }
  if (await mayRemoveImages(ctx))
    for (const folder of await namesIn(join(root, 'archive'))) await sweepArchive(ctx, join(root, 'archive', folder))
  await sweepRoom(ctx)
}

/** Removes what no row remembers any more. */
async function sweepArchive(ctx: Ctx<undefined>, folder: string): Promise<void> {
  const names = (await namesIn(folder)).filter((name) => imageNameOf(name) === name)
  if (names.length === 0) return
  const [used, remembered] = await Promise.all([selectUsedImages(ctx.sql, names), selectRememberedImages(ctx.sql, names)])
  const forgotten: string[] = []
  for (const name of names) if (!used.has(name) && !remembered.has(name) && (await isOld(ctx, join(folder, name)))) forgotten.push(name)
  for (const name of forgotten) await rm(join(folder, name), { force: true })
  await recountRemoved(ctx, forgotten)
}

async function sweepFolder(ctx: Ctx<undefined>, folder: string): Promise<void> {
  const all = await namesIn(folder)
  for (const name of all) if (name.endsWith('.part')) await removeOld(ctx, join(folder, name))
  const names = all.filter((name) => imageNameOf(name) === name)
  if (names.length === 0) return
  const used = await selectUsedImages(ctx.sql, names)
  if (used.size > 0) await noteUncounted(ctx, [...used])
  const candidates: string[] = []
  for (const name of names) if (!used.has(name) && (await isOld(ctx, join(folder, name)))) candidates.push(name)
  const unused = await putAwayUnused(ctx, candidates)
  if (unused.length === 0) return
  const remembered = await selectRememberedImages(ctx.sql, unused)
  const forgotten = unused.filter((name) => !remembered.has(name))
  for (const name of forgotten) await rm(join(ctx.node.config.imagesDir, imagePath('archive', name)), { force: true })
  await recountRemoved(ctx, forgotten)
  ctx.log.info({ images: unused.length }, 'images that nothing shows were removed')
}

async function removeOld(ctx: Ctx<undefined>, path: string): Promise<void> {
  if (await isOld(ctx, path)) await rm(path, { force: true })
}

async function isOld(ctx: Ctx<undefined>, path: string): Promise<boolean> {
  const modifiedMs = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => undefined,
  )
  return modifiedMs !== undefined && modifiedMs < ctx.nowMs - minAgeMs
}

async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
}
