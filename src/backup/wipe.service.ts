// Removes everything personal when an event is over.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetKeys } from '../core/realtime/redis-keys.ts'
import {
  countRows,
  deleteAll,
  deleteStatistics,
  forgetPersons,
  isSuperuser,
  leaveLogFile,
  recycleLog,
  rewriteTables,
  selectTables,
  selectUsernames,
  withoutForeignKeys,
  type WipeProof,
} from './queries.ts'
import { removeEmbeddedRedis, type Stores } from './stores.ts'

/** Tables that stay, and what in them does. Every other table is emptied, so that a new one is until somebody has thought about it. */
const kept: Readonly<Record<string, string>> = {
  account: 'built-in and client accounts, without profiles and tokens',
  boardgame: 'the board games',
  daily_theme: 'the themes of the days, without pictures',
  event: 'the schedule, without forums and followers',
  forum_category: 'the categories of forums',
  karaoke_song: 'the karaoke songs',
  public_text: 'the texts of the host, without their authors',
  registration_code: 'the registration codes, as if never used',
  schedule_log: 'what changed in the schedule',
  setting: 'the settings',
  time_zone_change: 'the changes of time zones',
}

/** For each of: older transactions, the write-ahead log. */
const cleanWithinMs = 60_000

/** What may be decided about a wipe. */
export interface WipeWishes {
  /** Registration codes stay, as if never used. Without this nobody makes an account with a code of this event again. */
  keepCodes?: boolean
}

/** Removes it from Postgres, the images, files made for users, and Redis. */
export async function wipe({ config, sql }: Stores, redisPrefix: string, { keepCodes = false }: WipeWishes = {}): Promise<WipeProof> {
  const stays = (name: string) => Object.hasOwn(kept, name) && (keepCodes || name !== 'registration_code')
  const tables = await selectTables(sql)
  await sql.begin(async (tx) => {
    await withoutForeignKeys(tx, async () => {
      await deleteAll(
        tx,
        tables.map(({ name }) => name).filter((name) => !stays(name)),
      )
      await forgetPersons(tx)
    })
  })
  const mayClean = await isSuperuser(sql)
  if (mayClean) await deleteStatistics(sql)
  const isRewritten = await rewriteTables(sql, cleanWithinMs)
  const isClean = mayClean && (await renewLog(sql)) && isRewritten
  for (const name of await readdir(config.imagesDir).catch(() => []))
    await rm(join(config.imagesDir, name), { recursive: true, force: true })
  for (const name of await readdir(config.dataDir).catch(() => []))
    if (name === 'exports' || name.startsWith('checking-')) await rm(join(config.dataDir, name), { recursive: true, force: true })
  if (config.redisUrl === undefined) await removeEmbeddedRedis(config)
  else await forgetKeys(config.redisUrl, redisPrefix)

  const left = Object.entries(await countRows(sql, tables)).map(([name, rows]) => ({ what: kept[name] ?? name, rows }))
  return { left, accounts: await selectUsernames(sql), isClean }
}

/** Says what is left. */
export function sayProof({ left, accounts, isClean }: WipeProof, say: (line: string) => void): void {
  say('Removed all users with everything they have written, all images, and everything in Redis. What is left:')
  for (const { what, rows } of left) say(`  ${String(rows).padStart(7)}  ${what}`)
  say(`  Accounts: ${accounts.join(', ')}`)
  if (!isClean)
    say(
      'The files of Postgres may still hold words of users: this program is not its superuser, or another transaction on the same ' +
        'database server did not end in time. Remove the whole database server to be sure.',
    )
  say('Backups and logs that lie elsewhere are not touched.')
}

/** Leaves every file of the write-ahead log that something was written to before; false when one stays. */
async function renewLog(sql: Stores['sql']): Promise<boolean> {
  const deadlineMs = performance.now() + cleanWithinMs
  await recycleLog(sql, false)
  try {
    // Files that were prepared before hold what was in them earlier, until they are used up and left.
    for (let clean = 0; clean < 2;) {
      if (performance.now() > deadlineMs) return false
      const { older, prepared } = await leaveLogFile(sql)
      // Once more: the current one may have been prepared before, too.
      clean = older + prepared === 0 ? clean + 1 : 0
    }
    return true
  } finally {
    await recycleLog(sql, true)
  }
}
