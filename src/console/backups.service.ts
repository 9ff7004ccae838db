// Backups from the console: made, listed, tried, downloaded by somebody who has just shown their password.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ctx } from '../core/ctx.ts'
import { AppError, badRequest, conflict, notAvailable } from '../core/errors.ts'
import { FilePart } from '../core/files/files.ts'
import { Reply } from '../core/http/route.ts'
import { audit } from '../moderation/audit.service.ts'
import { backupFolder, isBackupName, newBackupName } from './backup-files.ts'
import { insertOperation, selectOperations, selectUnended, type OperationRow } from './operations.queries.ts'
import type { BackupListData, BackupTicketData, OperationData } from './schemas.ts'

const shownWork = 20
const ticketMs = 60_000

/** The backups that are there, newest first, and the work on them. */
export async function listBackups(ctx: Ctx): Promise<BackupListData> {
  const { config, accounts } = ctx.node
  const folder = backupFolder(config)
  const names = (await readdir(folder).catch(() => [])).filter(isBackupName)
  const found = await Promise.all(
    names.map(async (name) => {
      const state = await stat(join(folder, name)).catch(() => undefined)
      return state && { name, bytes: state.size, createdAt: state.mtime }
    }),
  )
  const work = await selectOperations(ctx.sql, ['backup', 'verify'], shownWork)
  await accounts.load(new Set(work.map(({ askedBy }) => askedBy)))
  const verified = new Map(
    work.filter(({ kind, state }) => kind === 'verify' && state === 'done').map(({ input, endedAt }) => [input.file, endedAt]),
  )
  return {
    nightly: config.backupDir !== undefined,
    backups: found
      .flatMap((each) => each ?? [])
      .map((each) => ({ ...each, ...(verified.get(each.name) ? { verifiedAt: verified.get(each.name) as Date } : {}) }))
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime()),
    work: work.map((row) => operationData(ctx, row)),
  }
}

/** Orders a backup of everything as it is. */
export async function makeBackup(ctx: Ctx): Promise<OperationData> {
  return await order(ctx, 'backup', newBackupName(new Date(ctx.nowMs)))
}

/** Orders a try: the backup is restored into a database of its own, which goes again. */
export async function verifyBackup(ctx: Ctx, name: string): Promise<OperationData> {
  await sizeOf(ctx, name)
  return await order(ctx, 'verify', name)
}

async function order(ctx: Ctx, kind: 'backup' | 'verify', file: string): Promise<OperationData> {
  const row = await ctx.transaction(async (tx) => {
    if (await selectUnended(tx.sql, kind)) throw conflict('already_done', 'This is being done already.')
    await audit(tx, { action: kind === 'backup' ? 'makeBackup' : 'verifyBackup', subject: { type: 'backup', id: file } })
    return await insertOperation(tx.sql, { id: ctx.node.random.uuid(), kind, input: { file }, askedBy: ctx.viewer.id, now: tx.now })
  })
  return operationData(ctx, row)
}

/** For a minute the caller may download a backup, having shown their password once more. */
export async function backupTicket(ctx: Ctx, name: string, password: string): Promise<BackupTicketData> {
  await sizeOf(ctx, name)
  await ctx.node.authenticator.basic(ctx.node, ctx.viewer.username, password, ctx.address).catch((error: unknown) => {
    // A 401 would mean that the caller is not signed in.
    if (error instanceof AppError && error.status === 401) throw badRequest('password_wrong', 'The password is wrong.')
    throw error
  })
  const expiresMs = ctx.nowMs + ticketMs
  await ctx.transaction((tx) => audit(tx, { action: 'downloadBackup', subject: { type: 'backup', id: name } }))
  return { ticket: `${expiresMs}.${signatureOf(ctx, name, expiresMs)}` }
}

/** The file of a backup. */
export async function downloadBackup(ctx: Ctx, name: string, ticket: string): Promise<Reply> {
  const size = await sizeOf(ctx, name)
  const [expires = '', signature = ''] = ticket.split('.')
  const expected = Buffer.from(signatureOf(ctx, name, Number(expires)))
  const given = Buffer.from(signature)
  if (Number(expires) < ctx.nowMs || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw badRequest('password_wrong', 'Show your password again: the permission to download has run out.')
  return new Reply(200, new FilePart(join(backupFolder(ctx.node.config), name), 0, size), {
    'Content-Type': 'application/x-tar',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  })
}

const signatureOf = ({ node, viewer }: Ctx, name: string, expiresMs: number): string =>
  createHmac('sha256', node.tokenSecret).update(`backup ${name} ${viewer.id} ${expiresMs}`).digest('base64url')

async function sizeOf({ node: { config } }: Ctx, name: string): Promise<number> {
  const found = isBackupName(name) ? await stat(join(backupFolder(config), name)).catch(() => undefined) : undefined
  if (!found) throw notAvailable('backup')
  return found.size
}

function operationData(
  { node: { accounts } }: Ctx,
  { id, kind, input, state, note, askedBy, createdAt, endedAt }: OperationRow,
): OperationData {
  return {
    operationID: id,
    kind: kind as OperationData['kind'],
    file: input.file,
    state,
    note,
    askedBy: accounts.get(askedBy).header,
    createdAt,
    ...(endedAt ? { endedAt } : {}),
  }
}
