// What the server knows about somebody, as one file for them: made by a worker, kept for a day.
import type { Ctx } from '../core/work/ctx.ts'
import { conflict, notAvailable, tooManyRequests } from '../core/base/errors.ts'
import { addStoredFile } from '../core/files/zip-entry.ts'
import { tablesOf } from '../core/http/feature.ts'
import type { Reply } from '../core/http/route.ts'
import { storedImage } from '../image/service.ts'
import { requireRoomForCopy } from '../image/room.service.ts'
import { exportSize, removeExports, sendExport, writeExport } from './exports.service.ts'
import { note, type Note } from './notes.ts'
import { insertOwnData, lockOwnData, selectOwnData, type OperationRow } from './operations.queries.ts'
import { selectAccountIds, selectOwnRows } from './own-data.queries.ts'
import type { OwnDataState } from './schemas.ts'

const hourMs = 60 * 60_000
const keptMs = 24 * hourMs
/** More files than a person can have had made in the time that one is kept. */
const mostKept = keptMs / hourMs + 1
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
  await removeExports(ctx, before)
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
  const bytes = newest.state === 'done' ? await exportSize(ctx, newest.input.file) : undefined
  if (newest.state === 'done' && bytes === undefined) return { state: 'none' }
  return { state: newest.state, createdAt: newest.createdAt, ...(bytes === undefined ? {} : { bytes }) }
}

/** The file, for the person who has ordered it. */
export async function downloadOwnData(ctx: Ctx): Promise<Reply> {
  const newest = await newestOf(ctx)
  const file = newest?.state === 'done' ? await sendExport(ctx, newest.input.file, 'quarterdeck-my-data.zip') : undefined
  if (!file) throw notAvailable('file')
  return file
}

/** Writes the file: one JSON of everything, and the pictures. */
export async function writeOwnData(ctx: Ctx<undefined>, { askedBy, input }: OperationRow): Promise<Note> {
  const data = await ownDataOf(ctx, askedBy === null ? [] : await selectAccountIds(ctx.sql, askedBy))
  const pictures = await picturesOf(ctx, data)
  await writeExport(ctx.node, input.file, async (zip) => {
    zip.addBuffer(Buffer.from(JSON.stringify(data, null, 2)), 'data.json')
    for (const picture of pictures) addStoredFile(zip, ctx.node.files.store, picture, `pictures/${picture.name}`)
    zip.end()
  })
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
