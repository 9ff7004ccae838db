// Loads the seeds in order; safe to repeat.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { looksLikeCode, normalizeCode } from '../src/auth/codes.ts'
import { catalogueFileName, readCatalogue } from '../src/boardgames/catalogue.ts'
import { hasNoGames, lockGames, replaceGames } from '../src/boardgames/queries.ts'
import { builtIn } from '../src/accounts/rows.ts'
import type { Config } from '../src/core/config.ts'
import { createDb, type Sql } from '../src/core/db/db.ts'
import { findSeedFile, seedFileName } from '../src/core/files/seed-file.ts'
import { hasNoSongs, lockSongs, replaceSongs } from '../src/karaoke/queries.ts'
import { readSongs, songFileName } from '../src/karaoke/song-file.ts'
import { applyCalendar } from '../src/events/apply.service.ts'
import { readCalendar } from '../src/events/calendar.ts'
import { selectZoneChanges } from '../src/settings/queries.ts'
import { Trip, type ZoneChange } from '../src/settings/trip.ts'
import { readZoneChanges } from '../src/settings/zone-file.ts'
import { zoneFileName } from '../src/settings/zones.service.ts'
import { OperatorError } from '../src/supervisor/operator-error.ts'
import { insertAccount } from '../src/user/queries.ts'
import { missingAccounts, type ClientLine } from './accounts.ts'
import { seedDemo } from './demo.ts'
import { defaultCategories } from './forum-categories.ts'
import { insertCategories, insertCodes, insertInstallationId, insertZoneChanges, lockSeeds, selectHasEvents } from './queries.ts'

/**
 * Brings built-in accounts, client accounts, registration codes, zone changes, forum categories, board games, karaoke songs, the schedule
 * and demo content into the database, as far as they are missing. Several processes may do so at once.
 *
 * @throws OperatorError when a file is missing or malformed.
 */
export async function seed(config: Config, databaseUrl: string, log: (line: string) => void): Promise<void> {
  const clients = readClients(seedFile(config, 'registered-clients.txt'))
  const codes = readCodes(seedFile(config, 'registration-codes.txt'))
  const changes = await readChanges(config)
  const db = createDb({ url: databaseUrl, readers: 1, writers: 1 })
  try {
    const { accounts, refused } = await missingAccounts(db.sql, config, clients)
    for (const username of refused) log(`The client account "${username}" was not made: a user has this name.`)
    await db.transaction(async (sql) => {
      await lockSeeds(sql)
      await insertInstallationId(sql)
      for (const account of accounts) await insertAccount(sql, account)
      const newCodes = await insertCodes(sql, codes)
      if (newCodes > 0) log(`Loaded ${newCodes} registration codes`)
      await insertZoneChanges(sql, changes)
      await insertCategories(sql, defaultCategories)
      await seedGames(sql, config, log)
      await seedSongs(sql, config, log)
      await seedSchedule(sql, config, log)
      if (config.environment === 'development') await seedDemo(sql, config, new Date())
    })
  } finally {
    await db.close()
  }
}

/** The text of a seed file: the operator's own in `seeds/private`, or the one that came with the program. */
function seedFile(config: Config, name: string, ofEveryEnvironment = false): string {
  const file = ofEveryEnvironment ? name : seedFileName(config, name)
  const path = findSeedFile(config, file)
  if (path === undefined) throw new OperatorError(`The file seeds/${file} is missing.`)
  return readFileSync(path, 'utf8')
}

function readCodes(text: string): string[] {
  return text.split(/\r?\n/).map(normalizeCode).filter(looksLikeCode)
}

/** `name:password:recovery key` per line; a client named `client` is only an example. */
function readClients(text: string): ClientLine[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '').flatMap((line, index) => {
    const fields = line.split(':').map((field) => field.trim())
    const [username = '', password = '', recoveryKey = ''] = fields
    if (fields.length !== 3 || username === '' || password === '' || recoveryKey === '') {
      // The line itself holds a password.
      throw new OperatorError(`Entry ${index + 1} of the file of client accounts must look like name:password:recovery key.`)
    }
    return username === 'client' ? [] : [{ username, password, recoveryKey }]
  })
}

/** Only the first time: later ones are uploaded, or come from where the schedule is published. */
async function seedSchedule(sql: Sql, config: Config, log: (line: string) => void): Promise<void> {
  if (await selectHasEvents(sql)) return
  const text = seedFile(config, 'schedule.ics')
  const { portTimeZone: portZone, startDate, lengthInDays } = config
  const calendar = await readOrStop(() => readCalendar(text, portZone), seedFileName(config, 'schedule.ics'))
  const trip = new Trip({ portZone, startDate, lengthInDays, changes: await selectZoneChanges(sql) })
  await applyCalendar(sql, { calendar, processDeletes: false, forumPosts: false, authorId: builtIn.admin, trip, now: new Date(), newId: randomUUID })
  log(`Loaded a schedule of ${calendar.length} events`)
}

async function readChanges(config: Config): Promise<ZoneChange[]> {
  const text = seedFile(config, zoneFileName, true)
  return await readOrStop(() => readZoneChanges(text, config.portTimeZone))
}

/** Only the first time: from then on the file is read when an admin says so, and may be wrong until then. */
async function seedGames(sql: Sql, config: Config, log: (line: string) => void): Promise<void> {
  if (!await hasNoGames(sql)) return
  const text = seedFile(config, catalogueFileName)
  const games = await readOrStop(() => readCatalogue(text), seedFileName(config, catalogueFileName))
  await lockGames(sql)
  await replaceGames(sql, games, new Date())
  log(`Loaded ${games.length} board games`)
}

/** As games. */
async function seedSongs(sql: Sql, config: Config, log: (line: string) => void): Promise<void> {
  if (!await hasNoSongs(sql)) return
  const text = seedFile(config, songFileName)
  const songs = await readOrStop(() => readSongs(text), seedFileName(config, songFileName))
  await lockSongs(sql)
  await replaceSongs(sql, songs, new Date())
  log(`Loaded ${songs.length} karaoke songs`)
}

/** A bad file ends the start; what is wrong with it is a sentence for people. */
async function readOrStop<T>(read: () => T | Promise<T>, file?: string): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw new OperatorError(`${file === undefined ? '' : `The file seeds/${file} cannot be used. `}${(cause as Error).message}`, { cause })
  }
}
