// Room for files: what one person may have on this server, and everybody together. Rows say how much there is; a file is noted
// before it is written, with as many bytes as it arrives with.
import { statfs } from 'node:fs/promises'
import type { Ctx, Node } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import { mapSome } from '../core/base/batches.ts'
import { AppError } from '../core/base/errors.ts'
import { isModerator, type Viewer } from '../core/base/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import { imagesMissing, requireFolder } from './folder.service.ts'
import { imagePath } from './names.ts'
import {
  deleteFiles,
  insertFiles,
  lockRoom,
  selectBytesOf,
  selectBytesOfAll,
  selectNotedBefore,
  selectOwners,
  selectUnnoted,
  updateFile,
  updateSizes,
  type StoredFile,
} from './room.queries.ts'

const mebibyte = 1_048_576

/**
 * Refuses somebody for whom nothing more is kept, before anything of a request is written. `bytes`: of its body, as far as known.
 *
 * @throws AppError 413 when the person has all that one may have, 507 when the server keeps nothing more.
 */
export async function requireRoom({ sql, node, viewer }: Ctx<Viewer | undefined>, bytes: number): Promise<void> {
  await requireFolder(node)
  await requireDisk(node, bytes)
  if (viewer) await requireRows(node, sql, viewer, 1)
}

/** Refuses to copy all files of the caller's person where the disk has no room for that. Throws as `requireRoom`. */
export async function requireRoomForCopy({ sql, node, viewer }: Ctx): Promise<void> {
  await requireDisk(node, await selectBytesOf(sql, viewer.personId))
}

/** Notes a file of the caller's person that is to be written, in a transaction: it counts until that is rolled back. Throws as `requireRoom`. */
export async function takeRoom(node: Node, sql: Sql, viewer: Viewer, { name, bytes }: Omit<StoredFile, 'personId'>): Promise<void> {
  await requireDisk(node, bytes)
  await lockRoom(sql, viewer.personId)
  await requireRows(node, sql, viewer, bytes)
  await insertFiles(sql, [{ name, personId: viewer.personId, bytes }], new Date(node.clock.now()))
}

async function requireDisk(node: Node, bytes: number): Promise<void> {
  const least = settingsOf(node).values.minFreeDiskMegabytes * mebibyte
  if (least === 0) return
  const { config } = node
  const disk = await statfs(config.imagesDir).catch(() => statfs(config.dataDir).catch(() => undefined))
  if (disk && disk.bavail * disk.bsize - bytes < least) throw full()
}

async function requireRows(node: Node, sql: Sql, viewer: Viewer, bytes: number): Promise<void> {
  const { maxPersonMegabytes, maxStoredMegabytes } = settingsOf(node).values
  // Without a bound nothing is counted.
  if (maxPersonMegabytes > 0 && !isModerator(viewer)) {
    const used = await selectBytesOf(sql, viewer.personId)
    if (used + bytes > maxPersonMegabytes * mebibyte)
      throw new AppError(
        413,
        'quota_used',
        `This server keeps ${maxPersonMegabytes} MB of pictures and recordings for one person, and yours have ${Math.ceil(used / mebibyte)} MB. ` +
          'Delete some of them, or ask the hosts for more.',
      )
  }
  if (maxStoredMegabytes > 0 && (await selectBytesOfAll(sql)) + bytes > maxStoredMegabytes * mebibyte) throw full()
}

const full = (): AppError =>
  new AppError(507, 'storage_full', 'This server has no room for more pictures and recordings. Tell the hosts: they can make some.', {
    retryAfterSeconds: 60,
  })

/** Writes an image while it counts for the caller; `write` resolves with the name that it has got, and how many bytes it takes. */
export async function withRoom<T extends { filename: string }>(
  { node, viewer }: Ctx<Viewer | undefined>,
  reserved: Omit<StoredFile, 'personId'>,
  write: () => Promise<T>,
): Promise<T> {
  // Not in the transaction: it may have to ask on a connection of its own.
  await requireFolder(node)
  if (!viewer) return await write()
  const { db } = node
  await db.transaction((sql) => takeRoom(node, sql, viewer, reserved))
  try {
    const written = await write()
    const bytes = await bytesOf(node, written.filename)
    await db.transaction((sql) => updateFile(sql, reserved.name, { name: written.filename, bytes }))
    return written
  } catch (error) {
    // One that stays noted is looked for by the sweep.
    await db.transaction((sql) => deleteFiles(sql, [reserved.name])).catch(() => undefined)
    throw error
  }
}

/** Questions about files that are under way at once. */
const filesAtOnce = 20

/** Of what is noted under a name. */
const pathsOf = (name: string): string[] =>
  name.includes('/') ? [name] : (['full', 'thumb', 'archive'] as const).map((size) => imagePath(size, name))

/** Bytes that a stored file takes: of an image with its thumbnail, or with that alone once it is archived. */
async function bytesOf({ files }: Pick<Node, 'files'>, name: string): Promise<number> {
  const facts = await Promise.all(pathsOf(name).map((path) => files.store.stat(path)))
  return facts.reduce((sum, each) => sum + (each?.size ?? 0), 0)
}

/** Counts files again that were put away or removed, in a transaction. */
export async function recount(node: Node, sql: Sql, names: readonly string[]): Promise<void> {
  const sizes = await mapSome(names, filesAtOnce, async (name) => ({ name, bytes: await bytesOf(node, name) }))
  const [there, gone] = [sizes.filter(({ bytes }) => bytes > 0), sizes.filter(({ bytes }) => bytes === 0)]
  if (there.length > 0) await updateSizes(sql, there)
  if (gone.length > 0)
    await deleteFiles(
      sql,
      gone.map(({ name }) => name),
    )
}

/** The same for files that were removed, in a transaction of its own. */
export async function recountRemoved({ node }: Pick<Ctx<Viewer | undefined>, 'node'>, names: readonly string[]): Promise<void> {
  if (names.length > 0) await node.db.transaction((sql) => recount(node, sql, names))
}

/** Notes images that are shown and were stored before files were counted, or came from elsewhere. */
export async function noteUncounted({ sql, node, nowMs }: Ctx<undefined>, names: readonly string[]): Promise<void> {
  const unnoted = await selectUnnoted(sql, names)
  if (unnoted.length === 0) return
  await noteFiles({ node, nowMs }, await selectOwners(sql, unnoted))
}

/** Notes files of people that nobody has noted yet. */
export async function noteFiles(
  { node, nowMs }: Pick<Ctx<undefined>, 'node' | 'nowMs'>,
  files: readonly Omit<StoredFile, 'bytes'>[],
): Promise<void> {
  if (files.length === 0) return
  const counted = await mapSome(files, filesAtOnce, async (file) => ({ ...file, bytes: await bytesOf(node, file.name) }))
  await node.db.transaction((sql) => insertFiles(sql, counted, new Date(nowMs)))
}

/** Any of what is noted under a name: in a bucket each look costs something, and nearly always the first one finds it. */
async function isThere({ files }: Node, name: string): Promise<boolean> {
  for (const path of pathsOf(name)) if (await files.store.stat(path)) return true
  return false
}

const namesAtOnce = 500
const minAgeMs = 24 * 60 * 60_000

/** Forgets files that are not there any more, and reservations whose request was broken off. */
export async function sweepRoom({ sql, node, nowMs }: Ctx<undefined>): Promise<void> {
  // They may come back with their disk.
  if (await imagesMissing(node)) return
  const until = new Date(nowMs - minAgeMs)
  for (let names = await selectNotedBefore(sql, until, '', namesAtOnce); names.length > 0;) {
    const found = await mapSome(names, filesAtOnce, (name) => isThere(node, name))
    const gone = names.filter((_, index) => !found[index])
    if (gone.length > 0) await node.db.transaction((tx) => deleteFiles(tx, gone))
    names = await selectNotedBefore(sql, until, names.at(-1) as string, namesAtOnce)
  }
}
