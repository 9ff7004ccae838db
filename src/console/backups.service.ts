// Backups from the console: made, listed, tried, downloaded by somebody who has just shown their password.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ctx } from '../core/work/ctx.ts'
import { conflict, notAvailable } from '../core/base/errors.ts'
import { FilePart } from '../core/files/files.ts'
import { Reply } from '../core/http/route.ts'
import { audit } from '../moderation/audit.service.ts'
import { backupFolder, backupsIn, isBackupName, newBackupName } from '../operate/backup-files.ts'
import { backupSchedule, nextBackupAt, setBackupSchedule } from './nightly.service.ts'
import {
  insertOperation,
  lockBackupOrders,
  selectLastNight,
  selectOperations,
  selectUnended,
  type OperationRow,
} from './operations.queries.ts'
import type { BackupListData, BackupScheduleChangeData, BackupTicketData, OperationData } from './schemas.ts'
import { requireCredentials, requireTicket, ticketFor } from './tickets.ts'

const shownWork = 20

/** The backups that are there, newest first, and the work on them. */
export async function listBackups(ctx: Ctx): Promise<BackupListData> {
  const { config } = ctx.node
  const [found, work, lastNight] = await Promise.all([
    backupsIn(backupFolder(config)),
    selectOperations(ctx.sql, ['backup', 'verify'], shownWork),
    selectLastNight(ctx.sql),
  ])
  const schedule = backupSchedule(ctx.node)
  const verified = new Map(
    work.filter(({ kind, state }) => kind === 'verify' && state === 'done').map(({ input, endedAt }) => [input.file, endedAt]),
  )
  return {
    schedule,
    ...(schedule.nightly ? { nextAt: nextBackupAt(ctx.node, ctx.nowMs) } : {}),
    ...(lastNight ? { lastNight: operationData(ctx, lastNight) } : {}),
    backups: found.map((each) => ({ ...each, ...(verified.get(each.name) ? { verifiedAt: verified.get(each.name) as Date } : {}) })),
    work: await operationsData(ctx, work),
  }
}

/** Has a backup made every night, or none; refused when it is no longer as the caller has seen it. */
export async function scheduleBackups(ctx: Ctx, schedule: BackupScheduleChangeData): Promise<BackupListData> {
  await setBackupSchedule(ctx, schedule)
  return await listBackups(ctx)
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
    await lockBackupOrders(tx.sql)
    if (await selectUnended(tx.sql, kind)) throw conflict('already_done', 'This is being done already.')
    await audit(tx, { action: kind === 'backup' ? 'makeBackup' : 'verifyBackup', subject: { type: 'backup', id: file } })
    return await insertOperation(tx.sql, { id: ctx.node.random.uuid(), kind, input: { file }, askedBy: ctx.viewer.id, now: tx.now })
  })
  return operationData(ctx, row)
}

/** For a minute the caller may download a backup, having shown their password once more. */
export async function backupTicket(ctx: Ctx, name: string, password: string): Promise<BackupTicketData> {
  await sizeOf(ctx, name)
  await requireCredentials(ctx, password)
  await ctx.transaction((tx) => audit(tx, { action: 'downloadBackup', subject: { type: 'backup', id: name } }))
  return { ticket: ticketFor(ctx, `backup ${name}`) }
}

/** The file of a backup. */
export async function downloadBackup(ctx: Ctx, name: string, ticket: string): Promise<Reply> {
  const size = await sizeOf(ctx, name)
  requireTicket(ctx, `backup ${name}`, ticket)
  return new Reply(200, new FilePart(join(backupFolder(ctx.node.config), name), 0, size), {
    'Content-Type': 'application/x-tar',
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  })
}

async function sizeOf({ node: { config } }: Ctx, name: string): Promise<number> {
  const found = isBackupName(name) ? await stat(join(backupFolder(config), name)).catch(() => undefined) : undefined
  if (!found) throw notAvailable('backup')
  return found.size
}

/** Long work as the console shows it. */
export async function operationsData(ctx: Ctx, rows: readonly OperationRow[]): Promise<OperationData[]> {
  await ctx.node.accounts.load(new Set(rows.flatMap(({ askedBy }) => askedBy ?? [])))
  return rows.map((row) => operationData(ctx, row))
}

function operationData(
  { node: { accounts } }: Ctx,
  { id, kind, input, state, note, noteCode, noteValues, askedBy, createdAt, endedAt }: OperationRow,
): OperationData {
  return {
    operationID: id,
    kind: kind as OperationData['kind'],
    file: input.file,
    state,
    note,
    ...(noteCode === null ? {} : { noteCode, noteValues: noteValues ?? {} }),
    ...(askedBy === null ? {} : { askedBy: accounts.get(askedBy).header }),
    createdAt,
    ...(endedAt ? { endedAt } : {}),
  }
}
