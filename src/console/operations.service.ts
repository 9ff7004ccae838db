// Long work, done by a worker: a row says what is wanted, and how far it is. One at a time.
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backUp } from '../backup/backup.service.ts'
import { restore } from '../backup/restore.service.ts'
import { connected } from '../backup/stores.ts'
import type { Ctx } from '../core/ctx.ts'
import { backupFolder } from '../operate/backup-files.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { removeOldBackups } from './nightly.service.ts'
import { writeEverybody } from './everybody.service.ts'
import { removeOldOwnData, writeOwnData } from './own-data.service.ts'
import { createScratch, dropScratch, endOperation, failLost, takeOperation, updateBeat, type OperationRow } from './operations.queries.ts'

const beatEveryMs = 1000
const lostAfterMs = 60_000
const mebibyte = 1024 * 1024

/** Does what waits, if no other worker has taken it. */
export async function workOnOperations(ctx: Ctx<undefined>, databaseUrl: string): Promise<void> {
  const now = () => new Date(ctx.nowMs)
  await failLost(ctx.sql, new Date(ctx.nowMs - lostAfterMs), 'The worker that did it has gone.', now())
  await removeOldOwnData(ctx)
  for (let work = await takeOperation(ctx.sql, now()); work; work = await takeOperation(ctx.sql, now())) {
    const { id } = work
    let said = ''
    const progress = progressOf(ctx, work, () => said)
    const stopBeating = ctx.node.clock.every(beatEveryMs, () => {
      progress()
        .then((note) => updateBeat(ctx.sql, id, note, now()))
        .catch(() => undefined)
    })
    try {
      await run(ctx, work, databaseUrl, (line) => (said = line))
      stopBeating()
      await endOperation(ctx.sql, id, 'done', said, now())
    } catch (error) {
      stopBeating()
      ctx.log.warn({ err: error, operation: id, kind: work.kind }, 'long work failed')
      const reason = error instanceof OperatorError ? error.message : 'It failed; the log of the worker has the reason.'
      await endOperation(ctx.sql, id, 'failed', reason, now())
    }
  }
}

async function run(ctx: Ctx<undefined>, work: OperationRow, url: string, say: (line: string) => void): Promise<void> {
  if (work.kind === 'own-data') return await writeOwnData(ctx, work, say)
  if (work.kind === 'everybody') return await writeEverybody(ctx, work, say)
  const { config } = ctx.node
  const { id, kind, input } = work
  const folder = backupFolder(config)
  const file = join(folder, input.file)
  if (kind === 'backup') {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await connected(config, url, (stores) => backUp(stores, file, say))
    if (work.askedBy === null) await removeOldBackups(ctx)
    return
  }
  const scratch = `quarterdeck_check_${id.replaceAll('-', '')}`
  const imagesDir = join(config.dataDir, `checking-${id}`)
  await connected(config, url, async ({ sql }) => {
    await createScratch(sql, scratch).catch((cause: unknown) => {
      throw new OperatorError('This account of Postgres may not create databases, so a backup cannot be tried.', { cause })
    })
    try {
      const scratchUrl = new URL(url)
      scratchUrl.pathname = `/${scratch}`
      await connected({ ...config, imagesDir }, scratchUrl.href, (stores) => restore(stores, file, say))
    } finally {
      await dropScratch(sql, scratch)
      await rm(imagesDir, { recursive: true, force: true })
    }
  })
}

/** How many bytes have been written so far, of the file or of what is restored. */
function progressOf({ node: { config } }: Ctx<undefined>, { id, kind, input }: OperationRow, said: () => string): () => Promise<string> {
  return async () => {
    if (kind === 'own-data') return ''
    if (kind === 'everybody') return said()
    if (kind === 'verify') {
      const images = await readdir(join(config.dataDir, `checking-${id}`), { recursive: true }).catch(() => [])
      return `Restoring into a scratch database, ${images.length} files so far`
    }
    const names = await readdir(backupFolder(config)).catch(() => [])
    const sizes = await Promise.all(
      names.filter((name) => name.startsWith(input.file)).map((name) => stat(join(backupFolder(config), name))),
    )
    const written = sizes.reduce((sum, { size }) => sum + size, 0)
    return `${(written / mebibyte).toFixed(1)} MB written`
  }
}
