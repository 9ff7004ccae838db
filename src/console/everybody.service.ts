// What belongs to each user as one file for the host, who hands it out when an event is over: made by a worker, kept for a day.
import { Readable } from 'node:stream'
import type { Ctx } from '../core/work/ctx.ts'
import { conflict, notAvailable } from '../core/base/errors.ts'
import { addStoredFile } from '../core/files/zip-entry.ts'
import type { Reply } from '../core/http/route.ts'
import { audit } from '../moderation/audit.service.ts'
import { operationsData } from './backups.service.ts'
import type { EventLifeData } from './event.schemas.ts'
import { exportSize, sendExport, writeExport } from './exports.service.ts'
import { insertOperation, selectOperations, selectUnended, type OperationRow } from './operations.queries.ts'
import { selectPersons } from './own-data.queries.ts'
import { ownDataOf, picturesOf } from './own-data.service.ts'
import { note, type Note } from './notes.ts'
import type { BackupTicketData, OperationData } from './schemas.ts'
import { requireCredentials, requireTicket, ticketFor } from './tickets.ts'

const kind = 'everybody'
const subject = (file: string) => ({ type: 'everybody' as const, id: file })

/** Orders the file; one at a time. */
export async function orderEverybody(ctx: Ctx): Promise<OperationData> {
  const row = await ctx.transaction(async (tx) => {
    if (await selectUnended(tx.sql, kind)) throw conflict('already_done', 'This is being done already.')
    const id = ctx.node.random.uuid()
    const file = `${id}.zip`
    await audit(tx, { action: 'exportEverybody', subject: subject(file) })
    return await insertOperation(tx.sql, { id, kind, input: { file }, askedBy: ctx.viewer.id, now: tx.now })
  })
  return (await operationsData(ctx, [row]))[0]!
}

/** How far the newest file is. */
export async function everybodyState(ctx: Ctx): Promise<Pick<EventLifeData['end'], 'everybody' | 'everybodyBytes'>> {
  const [newest] = await selectOperations(ctx.sql, [kind], 1)
  if (!newest) return {}
  const bytes = newest.state === 'done' ? await exportSize(ctx, newest.input.file) : undefined
  return { everybody: (await operationsData(ctx, [newest]))[0]!, ...(bytes === undefined ? {} : { everybodyBytes: bytes }) }
}

/** For a minute the caller may download the file, having shown their password once more. */
export async function everybodyTicket(ctx: Ctx, password: string): Promise<BackupTicketData> {
  const file = await newestFile(ctx)
  await requireCredentials(ctx, password)
  await ctx.transaction((tx) => audit(tx, { action: 'downloadEverybody', subject: subject(file) }))
  return { ticket: ticketFor(ctx, `everybody ${file}`) }
}

/** The file. */
export async function downloadEverybody(ctx: Ctx, ticket: string): Promise<Reply> {
  const file = await newestFile(ctx)
  requireTicket(ctx, `everybody ${file}`, ticket)
  const reply = await sendExport(ctx, file, 'quarterdeck-everybody.zip')
  if (!reply) throw notAvailable('file')
  return reply
}

async function newestFile(ctx: Ctx): Promise<string> {
  const [newest] = await selectOperations(ctx.sql, [kind], 1)
  const bytes = newest?.state === 'done' ? await exportSize(ctx, newest.input.file) : undefined
  if (!newest || bytes === undefined) throw notAvailable('file')
  return newest.input.file
}

/** Writes the file: a folder for each person, by the name of their first account. One person at a time is in memory. */
export async function writeEverybody(ctx: Ctx<undefined>, { input }: OperationRow, say: (said: Note) => void): Promise<Note> {
  const persons = await selectPersons(ctx.sql)
  let done = 0
  await writeExport(ctx.node, input.file, async (zip, written) => {
    // The next person is read when the one before has been written.
    const add = async ({ username, accountIds }: (typeof persons)[number]): Promise<void> => {
      const data = await ownDataOf(ctx, accountIds)
      const text = Readable.from([Buffer.from(JSON.stringify(data, null, 2))])
      const ended = new Promise((resolve) => text.once('close', resolve))
      zip.addReadStream(text, `${username}/data.json`)
      for (const picture of await picturesOf(ctx, data))
        addStoredFile(zip, ctx.node.files.store, picture, `${username}/pictures/${picture.name}`)
      await ended
      say(note('people', { done: ++done, all: persons.length }))
    }
    try {
      for (const person of persons) await Promise.race([add(person), written])
    } finally {
      zip.end()
      await written.catch(() => undefined)
    }
  })
  return note('people', { done, all: persons.length })
}
