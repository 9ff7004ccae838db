// What the server knows about somebody, as one file for them: made by a worker, kept for a day.
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../core/base/config.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { conflict, notAvailable, tooManyRequests } from '../core/base/errors.ts'
import { FilePart } from '../core/files/files.ts'
import { addStoredFile } from '../core/files/zip-entry.ts'
import { tablesOf } from '../core/http/feature.ts'
import { Reply } from '../core/http/route.ts'
import { storedImage } from '../image/service.ts'
import { requireRoomForCopy } from '../image/room.service.ts'
import { note, type Note } from './notes.ts'
import { insertOwnData, lockOwnData, selectOwnData, type OperationRow } from './operations.queries.ts'
import { selectAccountIds, selectOwnRows } from './own-data.queries.ts'
import type { OwnDataState } from './schemas.ts'
import { zipAt } from './zip-file.ts'

const hourMs = 60 * 60_000
const keptMs = 24 * hourMs
/** More files than a person can have had made in the time that one is kept. */
const mostKept = keptMs / hourMs + 1
/** Where files with people's data lie. */
export const folderOfExports = ({ dataDir }: Config): string => join(dataDir, 'exports')

/** Where a file with somebody's data lies. */
export const ownDataPath = (config: Config, file: string): string => join(folderOfExports(config), file)

/** Orders the file in place of the one before: for a person one at a time, and once an hour. */
export async function orderOwnData(ctx: Ctx): Promise<OwnDataState> {
  const { id: askedBy, personId } = ctx.viewer
  await requireRoomForCopy(ctx)
  const { before } = await ctx.transaction(async (tx) => {
    await lockOwnData(tx.sql, personId)
    const files = await selectOwnData(tx.sql, personId, mostKept)
    requireWaited(tx.now, files[0])
    const id = ctx.node.random.uuid()
    const ordered = await insertOwnData(tx.sql, { id, file: `${id}.zip`, askedBy, personId, now: tx.now })
    if (!ordered) throw conflict('already_done', 'This is being done already.')
    return { before: files.map(({ input }) => input.file) }
  })
  // The sweep removes what cannot be removed now.
  await Promise.all(before.map((file) => rm(ownDataPath(ctx.node.config, file), { force: true }).catch(() => undefined)))
  return await ownDataState(ctx)
}

/** An order that failed is no reason to wait, nor one from before the clock was set back. */
function requireWaited(now: Date, newest: OperationRow | undefined): void {
  if (!newest || newest.state === 'failed') return
  if (!newest.endedAt) throw conflict('already_done', 'This is being done already.')
  const waitMs = newest.createdAt.getTime() + hourMs - now.getTime()
  if (waitMs <= 0 || waitMs > hourMs) return
  const minutes = Math.ceil(waitMs / 60_000)
  const reason = `This file is made once an hour. You can order the next one in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
  throw tooManyRequests('too_many_requests', reason, Math.ceil(waitMs / 1000))
}

const newestOf = async ({ sql, viewer }: Ctx): Promise<OperationRow | undefined> => (await selectOwnData(sql, viewer.personId, 1))[0]

/** How far the newest file is. */
export async function ownDataState(ctx: Ctx): Promise<OwnDataState> {
  const newest = await newestOf(ctx)
  if (!newest) return { state: 'none' }
  const bytes = newest.state === 'done' ? await sizeOf(ctx, newest) : undefined
  if (newest.state === 'done' && bytes === undefined) return { state: 'none' }
  return { state: newest.state, createdAt: newest.createdAt, ...(bytes === undefined ? {} : { bytes }) }
}

/** The file, for the person who has ordered it. */
export async function downloadOwnData(ctx: Ctx): Promise<Reply> {
  const newest = await newestOf(ctx)
  const bytes = newest?.state === 'done' ? await sizeOf(ctx, newest) : undefined
  if (!newest || bytes === undefined) throw notAvailable('file')
  return new Reply(200, new FilePart(join(folderOfExports(ctx.node.config), newest.input.file), 0, bytes), {
    'Content-Type': 'application/zip',
    'Content-Disposition': 'attachment; filename="quarterdeck-my-data.zip"',
    'Cache-Control': 'no-store',
  })
}

async function sizeOf({ node: { config } }: Ctx, { input }: OperationRow): Promise<number | undefined> {
  return (await stat(join(folderOfExports(config), input.file)).catch(() => undefined))?.size
}

/** Writes the file: one JSON of everything, and the pictures. */
export async function writeOwnData(ctx: Ctx<undefined>, { askedBy, input }: OperationRow): Promise<Note> {
  const { config } = ctx.node
  const folder = folderOfExports(config)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const data = await ownDataOf(ctx, askedBy === null ? [] : await selectAccountIds(ctx.sql, askedBy))
  const path = join(folder, `${input.file}.part`)
  const pictures = await picturesOf(ctx, data)
  try {
    const { zip, written } = zipAt(path)
    zip.addBuffer(Buffer.from(JSON.stringify(data, null, 2)), 'data.json')
    for (const picture of pictures) addStoredFile(zip, ctx.node.files.store, picture, `pictures/${picture.name}`)
    zip.end()
    await written
    await rename(path, join(folder, input.file))
  } catch (error) {
    // Or a full disk would stay full.
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
  return note('pictures', { files: pictures.length })
}

export type OwnData = Readonly<Record<string, readonly Record<string, unknown>[]>>

/** Everything that belongs to the accounts of one person, without what others wrote about them, and who wrote it. */
export async function ownDataOf(ctx: Ctx<undefined>, accountIds: readonly string[]): Promise<OwnData> {
  const data: Record<string, Record<string, unknown>[]> = {}
  for (const { name, ownData } of tablesOf(ctx.node))
    if (ownData) data[ownData.as] = await selectOwnRows(ctx.sql, name, ownData, accountIds)
  return data
}

/** The pictures named in it that are still there. */
export async function picturesOf(ctx: Ctx<undefined>, data: OwnData): Promise<{ name: string; path: string; size: number }[]> {
  const found: { name: string; path: string; size: number }[] = []
  for (const name of picturesIn(data)) {
    const stored = await storedImage(ctx, name)
    if (stored) found.push({ name, ...stored })
  }
  return found
}

const pictureColumns = ['user_image', 'image', 'images', 'photo'] as const

function picturesIn(data: OwnData): Set<string> {
  const names = Object.values(data).flatMap((rows) => rows.flatMap((row) => pictureColumns.flatMap((column) => row[column] ?? [])))
  // Only names that the product has given: nothing of a row becomes a path.
  return new Set(names.filter((name): name is string => typeof name === 'string' && /^[\w-]+\.\w+$/.test(name)))
}

/** Removes files of yesterday, and those of workers that have gone. */
export async function removeOldOwnData({ node: { config }, nowMs }: Ctx<undefined>): Promise<void> {
  const folder = folderOfExports(config)
  for (const name of await readdir(folder).catch(() => [])) {
    const state = await stat(join(folder, name)).catch(() => undefined)
    if (state && nowMs - state.mtimeMs > keptMs) await rm(join(folder, name), { force: true })
  }
}
