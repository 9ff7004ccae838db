// The schedule, from a file or an address.
import { readFile } from 'node:fs/promises'
import { ConfigError } from '../core/base/config.ts'
import type { Client } from '../sdk/client.ts'
import { done, wordOf, type Given, type Outcome } from './command.ts'
import { shownTime } from './times.ts'

/** Of a file, or of an address, which this program asks for and not the server. */
async function readCalendar(given: Given): Promise<{ schedule: string }> {
  const from = wordOf(given)
  const text = /^https?:\/\//.test(from) ? fetchText(from) : readFile(from, 'utf8')
  return { schedule: await text.catch(() => Promise.reject(new ConfigError(`${from} cannot be read.`))) }
}

async function fetchText(url: string): Promise<string> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${answer.status}`)
  return await answer.text()
}

/** What it would change. */
export async function checkSchedule(client: Client, given: Given): Promise<Outcome> {
  const raw = await client.admin.setScheduleVerify(await readCalendar(given))
  const kinds = {
    new: raw.createdEvents,
    gone: raw.deletedEvents,
    time: raw.timeChangeEvents,
    place: raw.locationChangeEvents,
    text: raw.minorChangeEvents,
  }
  const rows = Object.entries(kinds).flatMap(([change, events]) =>
    events.map(({ title, startTime, location }) => ({ change, starts: shownTime(startTime), title, place: location })),
  )
  return { raw, table: rows, lines: rows.length === 0 ? ['It changes nothing.'] : [] }
}

const sayApplied = ({ created, changed, deleted, entryID }: { created: number; changed: number; deleted: number; entryID: number }) => [
  `${created} new, ${changed} changed, ${deleted} deleted. The way back: schedule undo ${entryID}`,
]

/** Puts it in place of what is there. */
export async function applySchedule(client: Client, given: Given): Promise<Outcome> {
  const flag = (name: string) => String(given.options[name] === true)
  await client.admin.scheduleUpdate(await readCalendar(given))
  const raw = await client.admin.scheduleUpdateApply({
    processDeletes: flag('delete'),
    forumPosts: flag('posts'),
    otherDays: given.options['other-days'] === true,
  })
  return { raw, lines: sayApplied(raw) }
}

/** From the address in the settings, by the server. */
export async function fetchSchedule(client: Client): Promise<Outcome> {
  await client.admin.scheduleReload()
  return { raw: done.raw, lines: ['It is ordered. The log says what came of it: schedule log'] }
}

/** The updates, newest first. */
export async function scheduleLog(client: Client): Promise<Outcome> {
  const raw = await client.admin.scheduleViewlog()
  const rows = raw.map(({ entryID, timestamp, changeCount, automaticUpdate, by, undoable, error }) => ({
    number: entryID,
    at: shownTime(timestamp),
    by: automaticUpdate ? 'automatic' : by?.username,
    changes: changeCount,
    undo: undoable ? 'yes' : 'no',
    error,
  }))
  return { raw, table: rows }
}

/** Takes one update back, by its number. */
export async function undoSchedule(client: Client, given: Given): Promise<Outcome> {
  const raw = await client.admin.scheduleViewlogUndo({ schedule_log_id: Number(wordOf(given)) })
  return { raw, lines: sayApplied(raw) }
}
