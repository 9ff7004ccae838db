// Removes everything personal when an event is over.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DeclaredTable } from '../core/db/tables.ts'
import { forgetKeys } from '../core/bus/redis-keys.ts'
import {
  countRows,
  deleteAll,
  deleteStatistics,
  forgetPersons,
  isSuperuser,
  leaveLogFile,
  recycleLog,
  resetColumns,
  rewriteTables,
  selectTables,
  selectUsernames,
  withoutKeysAndIndexes,
  type WipeProof,
} from './queries.ts'
import { removeEmbeddedRedis, type Stores } from './stores.ts'

/** For each of: older transactions, the write-ahead log. */
const cleanWithinMs = 60_000

/** What may be decided about a wipe. */
export interface WipeWishes {
  /** Registration codes stay, as if never used. Without this nobody makes an account with a code of this event again. */
  keepCodes?: boolean
}

/**
 * Removes it from Postgres, the images, files made for users, and Redis. Every table is emptied that does not declare what of
 * it stays, those that nobody has declared, too.
 */
export async function wipe(
  { config, sql, files }: Stores,
  redisPrefix: string,
  declared: readonly DeclaredTable[],
  { keepCodes = false }: WipeWishes = {},
): Promise<WipeProof> {
  const staying = new Map(declared.flatMap(({ name, staysAfterWipe }) => (staysAfterWipe ? [[name, staysAfterWipe] as const] : [])))
  if (!keepCodes) staying.delete('registration_code')
  const tables = await selectTables(sql)
  await sql.begin(async (tx) => {
    await withoutKeysAndIndexes(tx, async () => {
      await deleteAll(
        tx,
        tables.map(({ name }) => name).filter((name) => !staying.has(name)),
      )
      await forgetPersons(tx)
      for (const [name, { reset }] of staying) if (reset) await resetColumns(tx, name, reset)
    })
  })
  const mayClean = await isSuperuser(sql)
  if (mayClean) await deleteStatistics(sql)
  const isRewritten = await rewriteTables(sql, cleanWithinMs)
  const isClean = mayClean && (await renewLog(sql)) && isRewritten
  await files.removeAll()
  for (const name of await readdir(config.dataDir).catch(() => []))
    if (name === 'exports' || name.startsWith('checking-')) await rm(join(config.dataDir, name), { recursive: true, force: true })
  if (config.redisUrl === undefined) await removeEmbeddedRedis(config)
  else await forgetKeys(config.redisUrl, redisPrefix)

  const left = Object.entries(await countRows(sql, tables)).map(([name, rows]) => ({ what: staying.get(name)?.what ?? name, rows }))
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
