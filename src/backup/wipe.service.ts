// Removes everything personal when an event is over.
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { forgetKeys } from '../core/realtime/redis-keys.ts'
import { countRows, deleteAll, forgetPersons, rewriteTables, selectTables, selectUsernames, withoutForeignKeys } from './queries.ts'
import { removeEmbeddedRedis, type Stores } from './stores.ts'

/** Tables that stay, and what in them does. Every other table is emptied, so that a new one is until somebody has thought about it. */
const kept: Readonly<Record<string, string>> = {
  account: 'built-in and client accounts, without profiles and tokens',
  boardgame: 'the board games',
  daily_theme: 'the themes of the days, without pictures',
  event: 'the schedule, without forums and followers',
  forum_category: 'the categories of forums',
  karaoke_song: 'the karaoke songs',
  registration_code: 'the registration codes, as if never used',
  schedule_log: 'what changed in the schedule',
  setting: 'the settings',
  time_zone_change: 'the changes of time zones',
}

/** Removes it from Postgres, the images and Redis, and says what is left. */
export async function wipe({ config, sql }: Stores, redisPrefix: string, say: (line: string) => void): Promise<void> {
  const tables = await selectTables(sql)
  await sql.begin(async (tx) => {
    await withoutForeignKeys(tx, async () => {
      await deleteAll(
        tx,
        tables.map(({ name }) => name).filter((name) => !Object.hasOwn(kept, name)),
      )
      await forgetPersons(tx)
    })
  })
  await rewriteTables(sql)
  for (const name of await readdir(config.imagesDir).catch(() => []))
    await rm(join(config.imagesDir, name), { recursive: true, force: true })
  if (config.redisUrl === undefined) await removeEmbeddedRedis(config)
  else await forgetKeys(config.redisUrl, redisPrefix)

  const left = await countRows(sql, tables)
  say('Removed all users with everything they have written, all images, and everything in Redis. What is left:')
  for (const [name, rows] of Object.entries(left)) say(`  ${String(rows).padStart(7)}  ${kept[name] ?? name}`)
  say(`  Accounts: ${(await selectUsernames(sql)).join(', ')}`)
  say('Backups and logs that lie elsewhere are not touched.')
}
