// The backup of the night: when it is made, how many stay, and the order that a worker follows.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ctx, Node } from '../core/work/ctx.ts'
import { backupFolder, backupsIn, isOfNight, lastNightAt, nextNightAt, nightName } from '../operate/backup-files.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import { settingsOf } from '../settings/channel.ts'
import { makesNightlyBackups } from '../settings/in-force.ts'
import { changeSettings } from '../settings/update.service.ts'
import type { Settings } from '../settings/values.ts'
import { insertOperation, lockBackupOrders, selectNight } from './operations.queries.ts'
import type { BackupScheduleChangeData, BackupScheduleData } from './schemas.ts'

/** A night is given up after so many. */
const maxTries = 5
const tryAgainAfterMs = 2 * 60_000
const dayMs = 24 * 60 * 60_000

/** Whether a backup is made every night, when, and how many stay. Without a word of the host's the operator's folder decides. */
export function backupSchedule(node: Node, values: Settings = settingsOf(node).values): BackupScheduleData {
  return { nightly: makesNightlyBackups(node.config, values), hour: values.nightlyBackupHour, keep: values.nightlyBackupsKept }
}

/** In force on all nodes when the promise resolves. */
export async function setBackupSchedule(ctx: Ctx, { nightly, hour, keep, basedOn }: BackupScheduleChangeData): Promise<void> {
  await changeSettings(ctx, {
    values: { nightlyBackups: nightly, nightlyBackupHour: hour, nightlyBackupsKept: keep },
    enable: [],
    disable: [],
    check: (before) => {
      const now = backupSchedule(ctx.node, before)
      for (const name of ['nightly', 'hour', 'keep'] as const) requireSame(basedOn?.[name], now[name], 'the backup of the night')
    },
  })
}

/** When the next one is made. */
export function nextBackupAt(node: Node, nowMs: number): Date {
  return nextNightAt(new Date(nowMs), settingsOf(node).shipTimeAt(nowMs).zone.id, backupSchedule(node).hour)
}

/** Orders the backup of the last night if nobody has: once over all workers, and again after a failure. */
export async function orderNightlyBackup(ctx: Ctx<undefined>): Promise<void> {
  const { node, nowMs } = ctx
  const { nightly, hour } = backupSchedule(node)
  if (!nightly) return
  const zone = settingsOf(node).shipTimeAt(nowMs).zone.id
  const due = lastNightAt(new Date(nowMs), zone, hour)
  const isOpen = async (sql = ctx.sql) => {
    const { busy, failures, lastEndedAt } = await selectNight(sql, due)
    return !busy && failures < maxTries && (lastEndedAt === null || nowMs - lastEndedAt.getTime() > tryAgainAfterMs)
  }
  if (!(await isOpen())) return
  const files = await backupsIn(backupFolder(node.config))
  // One of an earlier version of the product, or of before a wipe.
  if (files.some(({ name, createdAt }) => isOfNight(name) && createdAt >= due)) return
  const taken = files.map(({ name }) => name)
  await ctx.transaction(async (tx) => {
    await lockBackupOrders(tx.sql)
    if (!(await isOpen(tx.sql))) return
    const input = { file: nightName(due, zone, taken) }
    await insertOperation(tx.sql, { id: node.random.uuid(), kind: 'backup', input, askedBy: null, now: tx.now })
  })
}

/** Removes backups of nights beyond those that are kept, and what was never finished. */
export async function removeOldBackups({ node, nowMs }: Ctx<undefined>): Promise<void> {
  const folder = backupFolder(node.config)
  const ofNights = (await backupsIn(folder)).filter(({ name }) => isOfNight(name))
  for (const { name } of ofNights.slice(backupSchedule(node).keep)) await rm(join(folder, name), { force: true })
  for (const name of await readdir(folder)) {
    const state = name.endsWith('.tar.part') ? await stat(join(folder, name)).catch(() => undefined) : undefined
    if (state && nowMs - state.mtimeMs > dayMs) await rm(join(folder, name), { force: true })
  }
}
