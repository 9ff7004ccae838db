// Loads the seeds in order; safe to repeat.
import { createHash, randomInt, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { DateTime } from 'luxon'
import { looksLikeCode, normalizeCode } from '../src/auth/codes.ts'
import { catalogueFileName, readCatalogue } from '../src/boardgames/catalogue.ts'
import { hasNoGames, lockGames, replaceGames } from '../src/boardgames/queries.ts'
import { builtIn } from '../src/accounts/rows.ts'
import type { Config } from '../src/core/base/config.ts'
import { createDb, type Sql } from '../src/core/db/db.ts'
import { findSeedFile, seedFileName } from '../src/core/files/seed-file.ts'
import { hasNoSongs, lockSongs, replaceSongs } from '../src/karaoke/queries.ts'
import { readSongs, songFileName } from '../src/karaoke/song-file.ts'
import { applyCalendar } from '../src/events/apply.service.ts'
import { readCalendar } from '../src/events/calendar.ts'
import type { ScheduledEvent } from '../src/events/rows.ts'
import { tripDates } from '../src/settings/in-force.ts'
import { storedSettings } from '../src/settings/stored.service.ts'
import { selectZoneChanges } from '../src/settings/queries.ts'
import { Trip, type ZoneChange } from '../src/settings/trip.ts'
import { readZoneChanges } from '../src/settings/zone-file.ts'
import { zoneFileName } from '../src/settings/zones.service.ts'
import { OperatorError } from '../src/supervisor/operator-error.ts'
import { insertAccount } from '../src/user/queries.ts'
import { completeLooks } from '../src/users/queries.ts'
import { teamAccount } from '../src/text/dialect.ts'
import { missingAccounts, type ClientLine } from './accounts.ts'
import { seedDemo } from './demo.ts'
import { defaultCategories } from './forum-categories.ts'
import {
  insertCategories,
  insertChatCodes,
  insertCodes,
  insertInstallationId,
  insertZoneChanges,
  lockSeeds,
  selectEventUids,
  selectWhatIsThere,
  updateTeamName,
} from './queries.ts'

/** Hears what the seeds do. */
export interface SeedReport {
  /** What was loaded, such as "14 board games". */
  loaded(what: string): void
  /** A sentence that the operator should read. */
  notice(sentence: string): void
}

type Loaded = SeedReport['loaded']

/**
 * Brings built-in accounts, client accounts, registration codes, zone changes, forum categories, board games, karaoke songs, the schedule
 * and demo content into the database, as far as they are missing. Several processes may do so at once.
 *
 * Sample people and what they write only go into a database that has no accounts yet: they do not come back after a wipe.
 *
 * @throws OperatorError when a file is missing or malformed.
 */
export async function seed(config: Config, databaseUrl: string, { loaded, notice }: SeedReport): Promise<void> {
  const clients = readClients(seedFile(config, 'registered-clients.txt'))
  const codes = readCodes(seedFile(config, 'registration-codes.txt'))
  const changes = await readChanges(config)
  const db = createDb({ url: databaseUrl, readers: 1, writers: 1 })
  try {
    const { accounts, refused, isFirst } = await missingAccounts(db.sql, config, clients)
    for (const username of refused) notice(`The client account "${username}" was not made: a user has this name.`)
    await db.transaction(async (sql) => {
      await lockSeeds(sql)
      await insertInstallationId(sql)
      if (await updateTeamName(sql, teamAccount(config)))
        notice(
          `The account of the team is now called ${teamAccount(config)}. Restart servers that run with another DIALECT: all need the same.`,
        )
      for (const account of accounts) await insertAccount(sql, account)
      const newCodes = await insertCodes(sql, codes, digestOf(codes))
      if (newCodes > 0) loaded(`${newCodes} registration codes`)
      if (!config.production) await insertChatCodes(sql, Array.from({ length: 100 }, newCode))
      await insertZoneChanges(sql, changes)
      await insertCategories(sql, defaultCategories)
      await seedGames(sql, config, loaded)
      await seedSongs(sql, config, loaded)
      await seedSchedule(sql, config, loaded)
      if (isFirst && config.demoContent) loaded('sample people')
      if (isFirst && config.environment === 'development') await seedDemo(sql, config, new Date())
      const missing = await missingContent(sql)
      if (config.production && missing.length > 0) {
        notice(
          `Nothing is loaded yet of: ${missing.join(', ')}. Put these files into ${config.privateSeedsDir} and start again. An administrator can upload the schedule too.`,
        )
      }
      await completeLooks(sql)
    })
  } finally {
    await db.close()
  }
}

/** The text of a seed file: the operator's own in `seeds/private`, or the one that came with the program. */
function seedFile(config: Config, name: string): string {
  const text = contentFile(config, seedFileName(config, name))
  if (text === undefined) throw new OperatorError(`The file seeds/${seedFileName(config, name)} is missing.`)
  return text
}

/** The text of a file that production can do without; undefined when there is none. */
function contentFile(config: Config, file: string): string | undefined {
  const path = findSeedFile(config, file)
  return path === undefined ? undefined : readFileSync(path, 'utf8')
}

/** Names of what a server is usually filled with and this one is not, with the files that hold it. */
async function missingContent(sql: Sql): Promise<string[]> {
  const is = await selectWhatIsThere(sql)
  return [
    ...(is.events ? [] : ['schedule (schedule.ics)']),
    ...(is.codes ? [] : ['registration codes (registration-codes.txt)']),
    ...(is.games ? [] : [`board games (${catalogueFileName})`]),
    ...(is.songs ? [] : [`karaoke songs (${songFileName})`]),
  ]
}

function readCodes(text: string): string[] {
  return text.split(/\r?\n/).map(normalizeCode).filter(looksLikeCode)
}

/** Letters and digits that nobody mistakes for each other. */
/** The same for the same list, in whatever order. */
const digestOf = (codes: readonly string[]): string =>
  createHash('sha256')
    .update([...new Set(codes)].toSorted().join())
    .digest('base64url')

const codeCharacters = 'abcdefghjkmnpqrstuvwxyz23456789'

function newCode(): string {
  return Array.from({ length: 6 }, () => codeCharacters[randomInt(codeCharacters.length)]).join('')
}

/** `name:password:recovery key` per line; a client named `client` is only an example. */
function readClients(text: string): ClientLine[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .flatMap((line, index) => {
      const fields = line.split(':').map((field) => field.trim())
      const [username = '', password = '', recoveryKey = ''] = fields
      if (fields.length !== 3 || username === '' || password === '' || recoveryKey === '') {
        // The line itself holds a password.
        throw new OperatorError(`Entry ${index + 1} of the file of client accounts must look like name:password:recovery key.`)
      }
      return username === 'client' ? [] : [{ username, password, recoveryKey }]
    })
}

/**
 * Only the first time: later ones are uploaded, or come from where the schedule is published. In development the sample moves
 * with the trip, which begins on the day of each start, until there is another schedule.
 */
async function seedSchedule(sql: Sql, config: Config, loaded: Loaded): Promise<void> {
  const file = seedFileName(config, 'schedule.ics')
  const text = contentFile(config, file)
  if (text === undefined) return
  const stored = await selectEventUids(sql)
  const moves = config.environment === 'development'
  if (stored.length > 0 && !moves) return
  const portZone = config.portTimeZone
  const { startDate, lengthInDays } = tripDates(config, await storedSettings(sql))
  const calendar = await readOrStop(() => readCalendar(text, portZone), file)
  if (stored.some((uid) => !calendar.some((event) => event.uid === uid))) return
  const trip = new Trip({ portZone, startDate, lengthInDays, changes: await selectZoneChanges(sql) })
  const dated = moves ? movedTo(startDate, calendar, portZone) : calendar
  await applyCalendar(sql, {
    calendar: dated,
    processDeletes: false,
    forumPosts: false,
    authorId: builtIn.admin,
    trip,
    now: new Date(),
    newId: randomUUID,
  })
  if (stored.length === 0) loaded(`${calendar.length} events`)
}

/** The events with the day of the first one on `startDate`, at the same time of day. */
function movedTo(startDate: string, calendar: readonly ScheduledEvent[], zone: string): ScheduledEvent[] {
  const local = (time: Date) => DateTime.fromJSDate(time, { zone })
  const first = DateTime.min(...calendar.map(({ startTime }) => local(startTime)))
  if (!first?.isValid) return [...calendar]
  const days = Math.round(DateTime.fromISO(startDate, { zone }).diff(first.startOf('day'), 'days').days)
  const moved = (time: Date) => local(time).plus({ days }).toJSDate()
  return calendar.map((event) => ({ ...event, startTime: moved(event.startTime), endTime: moved(event.endTime) }))
}

async function readChanges(config: Config): Promise<ZoneChange[]> {
  const text = contentFile(config, zoneFileName)
  return text === undefined ? [] : await readOrStop(() => readZoneChanges(text, config.portTimeZone))
}

/** Only the first time: from then on the file is read when an admin says so, and may be wrong until then. */
async function seedGames(sql: Sql, config: Config, loaded: Loaded): Promise<void> {
  const file = seedFileName(config, catalogueFileName)
  const text = contentFile(config, file)
  if (text === undefined || !(await hasNoGames(sql))) return
  const games = await readOrStop(() => readCatalogue(text), file)
  await lockGames(sql)
  await replaceGames(sql, games, new Date())
  loaded(`${games.length} board games`)
}

/** As games. */
async function seedSongs(sql: Sql, config: Config, loaded: Loaded): Promise<void> {
  const file = seedFileName(config, songFileName)
  const text = contentFile(config, file)
  if (text === undefined || !(await hasNoSongs(sql))) return
  const songs = await readOrStop(() => readSongs(text), file)
  await lockSongs(sql)
  await replaceSongs(sql, songs, new Date())
  loaded(`${songs.length} karaoke songs`)
}

/** A bad file ends the start; what is wrong with it is a sentence for people. */
async function readOrStop<T>(read: () => T | Promise<T>, file?: string): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw new OperatorError(`${file === undefined ? '' : `The file seeds/${file} cannot be used. `}${(cause as Error).message}`, { cause })
  }
}
