// Where backups lie, what is one, and when the one of a night is due.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DateTime } from 'luxon'
import type { Config } from '../core/base/config.ts'

/** Those of the night and those that somebody ordered. */
export const backupFolder = ({ backupDir, dataDir }: Config): string => backupDir ?? join(dataDir, 'backups')

const named = /^quarterdeck-[\w-]{1,60}\.tar$/
const ofNight = /^quarterdeck-\d{4}-\d\d-\d\d(-again)?\.tar$/

/** True for a name that leaves the folder by no way. */
export const isBackupName = (name: string): boolean => named.test(name)

/** True for a backup of the night: these are removed by themselves. */
export const isOfNight = (name: string): boolean => ofNight.test(name)

/** `quarterdeck-2026-03-03-140500.tar`: sorts by time, and is none of the night's. */
export const newBackupName = (now: Date): string =>
  `quarterdeck-${now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.tar`

/** A backup that is there. */
export interface BackupFile {
  name: string
  bytes: number
  createdAt: Date
}

/** The backups of a folder, newest first. */
export async function backupsIn(folder: string): Promise<BackupFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter(isBackupName)
  const found = await Promise.all(
    names.map(async (name) => {
      const state = await stat(join(folder, name)).catch(() => undefined)
      return state ? [{ name, bytes: state.size, createdAt: state.mtime }] : []
    }),
  )
  return found.flat().sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
}

/** The last moment at which a clock in this zone showed the hour: a backup made before it is not the one of this night. */
export function lastNightAt(now: Date, zone: string, hour: number): Date {
  const local = DateTime.fromJSDate(now, { zone })
  const today = local.startOf('day').set({ hour })
  return (today <= local ? today : today.minus({ days: 1 })).toJSDate()
}

/** The next one. */
export function nextNightAt(now: Date, zone: string, hour: number): Date {
  return DateTime.fromJSDate(lastNightAt(now, zone, hour), { zone })
    .plus({ days: 1 })
    .toJSDate()
}

/** The name of the backup of a night. A second one of the same day, after the hour was changed, has a name of its own. */
export function nightName(at: Date, zone: string, taken: readonly string[]): string {
  const name = `quarterdeck-${DateTime.fromJSDate(at, { zone }).toISODate()}`
  return taken.includes(`${name}.tar`) ? `${name}-again.tar` : `${name}.tar`
}
