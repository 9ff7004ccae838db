// Files that a worker makes of people's data, where all servers find them, for a day.
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ZipFile } from 'yazl'
import type { Ctx, Node } from '../core/work/ctx.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { exported, incoming } from '../core/files/files.ts'
import { Reply } from '../core/http/route.ts'
import { zipAt } from './zip-file.ts'

const keptMs = 24 * 60 * 60_000

/** Where such a file is kept. */
export const exportPath = (file: string): string => `${exported}/${file}`

/** Writes a zip, which `fill` fills and ends, and keeps it. What fails leaves nothing. */
export async function writeExport(
  { files, config }: Node,
  file: string,
  fill: (zip: ZipFile, written: Promise<void>) => Promise<void>,
): Promise<void> {
  const scratch = join(config.imagesDir, incoming)
  await mkdir(scratch, { recursive: true })
  const path = join(scratch, `${file}.part`)
  try {
    const { zip, written } = zipAt(path)
    await fill(zip, written)
    await written
    await files.store.put(exportPath(file), path, { forGood: true })
  } catch (error) {
    // Or a full disk would stay full.
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Bytes of a file; undefined when it is not there. */
export async function exportSize({ node: { files } }: Ctx, file: string): Promise<number | undefined> {
  return (await files.store.stat(exportPath(file)).catch(() => undefined))?.size
}

/** The answer with a file; undefined when it is not there. */
export async function sendExport({ node: { files } }: Ctx, file: string, name: string): Promise<Reply | undefined> {
  // Past the memory for files, which is for those that many want.
  const found = await files.store.find(exportPath(file))
  return (
    found &&
    new Reply(200, found.part(0, found.size), {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    })
  )
}

/** Removes some of them. What cannot be removed now is, when it is old. */
export async function removeExports({ node: { files } }: Ctx<Viewer | undefined>, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => files.store.remove(exportPath(name)).catch(() => undefined)))
}

/** Removes files of yesterday. */
export async function removeOldExports({ node: { config, files }, nowMs }: Ctx<undefined>): Promise<void> {
  for await (const { path, modifiedMs } of files.store.list(exported)) if (nowMs - modifiedMs > keptMs) await files.store.remove(path)
  // Versions before kept them beside the images.
  const before = join(config.dataDir, exported)
  for (const name of await readdir(before).catch(() => [])) {
    const state = await stat(join(before, name)).catch(() => undefined)
    if (state && nowMs - state.mtimeMs > keptMs) await rm(join(before, name), { force: true })
  }
}
