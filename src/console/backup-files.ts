// Where backups lie, and what is one.
import { join } from 'node:path'
import type { Config } from '../core/config.ts'

/** Those of the night and those that somebody ordered. */
export const backupFolder = ({ backupDir, dataDir }: Config): string => backupDir ?? join(dataDir, 'backups')

const named = /^quarterdeck-[\w-]{1,60}\.tar$/

/** True for a name that leaves the folder by no way. */
export const isBackupName = (name: string): boolean => named.test(name)

/** `quarterdeck-2026-03-03-140500.tar`: sorts by time. Its name differs from nightly backups, which are removed automatically. */
export const newBackupName = (now: Date): string =>
  `quarterdeck-${now.toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}.tar`
