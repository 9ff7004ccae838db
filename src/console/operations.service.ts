// Long work, done by a worker: a row says what is wanted, and how far it is. One at a time.
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backUp } from '../backup/backup.service.ts'
import { restore } from '../backup/restore.service.ts'
import { connected } from '../backup/stores.ts'
import { otherDatabase } from '../core/base/postgres-url.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { backupFolder } from '../operate/backup-files.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { note, noteInWords, type Note } from './notes.ts'
import { removeOldBackups } from './nightly.service.ts'
import { writeEverybody } from './everybody.service.ts'
import { removeOldExports } from './exports.service.ts'
import { writeOwnData } from './own-data.service.ts'
import { createScratch, dropScratch, endOperation, failLost, takeOperation, updateBeat, type OperationRow } from './operations.queries.ts'

const beatEveryMs = 1000
const lostAfterMs = 60_000
const mebibyte = 1024 * 1024

/** Does what waits, if no other worker has taken it. */
export async function workOnOperations(ctx: Ctx<undefined>): Promise<void> {
  const now = () => new Date(ctx.nowMs)
  const take = () => ctx.statement((tx) => takeOperation(tx.sql, now()))
  await ctx.statement((tx) => failLost(tx.sql, lostAfterMs, note('lost'), now()))
  await removeOldExports(ctx)
  for (let work = await take(); work; work = await take()) {
    const { id } = work
    const end = (state: 'done' | 'failed', outcome: Note) => ctx.statement((tx) => endOperation(tx.sql, id, state, outcome, now()))
    let said: Note | undefined
    const progress = progressOf(ctx, work, () => said)
    const stopBeating = ctx.node.clock.every(beatEveryMs, () => {
      progress()
        .then((sofar) => ctx.statement((tx) => updateBeat(tx.sql, id, sofar, now())))
        .catch(() => undefined)
    })
    try {
      const outcome = await run(ctx, work, ctx.node.db.url, (sofar) => (said = sofar))
      stopBeating()
      await end('done', outcome)
    } catch (error) {
      stopBeating()
      ctx.log.warn({ err: error, operation: id, kind: work.kind }, 'long work failed')
      await end('failed', noteOfFailure(error))
    }
  }
}

function noteOfFailure(error: unknown): Note {
  if (error instanceof NoScratchDatabase) return note('no-scratch')
  return error instanceof OperatorError ? noteInWords(error.message) : note('see-log')
}

/** This account of Postgres may not create databases. */
class NoScratchDatabase extends Error {}

/** Does it, and returns how it ended. */
async function run(ctx: Ctx<undefined>, work: OperationRow, url: string, say: (sofar: Note) => void): Promise<Note> {
  if (work.kind === 'own-data') return await writeOwnData(ctx, work)
  if (work.kind === 'everybody') return await writeEverybody(ctx, work, say)
  const { config } = ctx.node
  const { id, kind, input } = work
  const folder = backupFolder(config)
  const file = join(folder, input.file)
  if (kind === 'backup') {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { files } = await connected(config, url, (stores) => backUp(stores, file, () => undefined))
    if (work.askedBy === null) await removeOldBackups(ctx)
    return note('backed-up', { files })
  }
  const scratch = `quarterdeck_check_${id.replaceAll('-', '')}`
  const imagesDir = join(config.dataDir, `checking-${id}`)
  return await connected(config, url, async ({ sql }) => {
    await createScratch(sql, scratch).catch((cause: unknown) => {
      throw new NoScratchDatabase('a backup cannot be tried', { cause })
    })
    try {
      const { rows } = await connected({ ...config, imagesDir, bucket: undefined }, otherDatabase(url, scratch), (stores) =>
        restore(stores, file, () => undefined),
      )
      return note('restored', { rows })
    } finally {
      await dropScratch(sql, scratch)
      await rm(imagesDir, { recursive: true, force: true })
    }
  })
}

/** How much has been written so far, of the file or of what is restored. */
function progressOf(
  { node: { config } }: Ctx<undefined>,
  { id, kind, input }: OperationRow,
  said: () => Note | undefined,
): () => Promise<Note> {
  return async () => {
    if (kind === 'own-data' || kind === 'everybody') return said() ?? noteInWords('')
    if (kind === 'verify') {
      const images = await readdir(join(config.dataDir, `checking-${id}`), { recursive: true }).catch(() => [])
      return note('restoring', { files: images.length })
    }
    const names = await readdir(backupFolder(config)).catch(() => [])
    const sizes = await Promise.all(
      names.filter((name) => name.startsWith(input.file)).map((name) => stat(join(backupFolder(config), name))),
    )
    const written = sizes.reduce((sum, { size }) => sum + size, 0)
    return note('writing', { megabytes: Math.round((written / mebibyte) * 10) / 10 })
  }
}
