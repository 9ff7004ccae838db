// Events as iCalendar files, for the calendars of phones.
import ical, { escape, ICalCalendarMethod } from 'ical-generator'
import { admit, type Admission } from '../core/http/admission.ts'
import { Ctx, type Node } from '../core/work/ctx.ts'
import type { RequestHead } from '../core/work/request-head.ts'
import { isUuid } from '../core/schema/decode.ts'
import { listPlanned } from '../fez/lists.service.ts'
import { personalEventRow } from '../fez/personal.service.ts'
import type { FezRow } from '../fez/rows.ts'
import { fezTypeLabels } from '../fez/types.ts'
import { isHidden } from '../moderation/types.ts'
import { AppError, notAvailable, unauthorized } from '../core/base/errors.ts'
import type { Page } from '../core/http/http.ts'
import { Reply } from '../core/http/route.ts'
import { settingsOf } from '../settings/channel.ts'
import { userChannelOf } from '../users/channel.ts'
import { usernameKey } from '../text/usernames.ts'
import { scheduleOf } from './channel.ts'
import type { EventRow } from './rows.ts'
import { eventTypeLabels } from './types.ts'

const fileType = 'text/calendar; charset=utf-8'

/** One event as a file to keep, by its id or uid. */
export async function eventFile(node: Node, idOrUid: string): Promise<Reply> {
  const event = (await scheduleOf(node)).find(idOrUid)
  if (!event) throw notAvailable('event')
  return new Reply(200, calendarOf(node, { username: '', about: `One event of the schedule: ${event.title}` }, [entryOf(node, event)]), {
    'Content-Type': fileType,
    'Content-Disposition': attachment(`${event.title}.ics`),
  })
}

/** One appointment in a calendar. Times are floating. */
interface Entry {
  uid: string
  title: string
  description: string
  location: string
  startTime: Date
  endTime: Date
  updatedAt: Date
  category: string
  url: string | null
}

function entryOf(node: Node, { eventType, ...event }: EventRow): Entry {
  return { ...event, category: eventTypeLabels[eventType], url: sourcePage(settingsOf(node).values.scheduleUpdateURL, event.uid) }
}

/** A group, or a private or personal event; undefined without a start and an end. */
function plannedEntry({ id, title, info, location, startTime, endTime, updatedAt, fezType, moderationStatus }: FezRow): Entry | undefined {
  if (!startTime || !endTime) return undefined
  const category = fezTypeLabels[fezType]
  const texts = isHidden(moderationStatus)
    ? { title: category, description: '', location: '' }
    : { title, description: info, location: location ?? '' }
  return { uid: id, ...texts, startTime, endTime, updatedAt, category, url: null }
}

/** A calendar of appointments, at the times that clocks on board will show. */
function calendarOf(node: Node, { username, about }: { username: string; about: string }, entries: readonly Entry[]): Buffer {
  const { trip } = settingsOf(node)
  const name = `Quarterdeck ${trip.startDate.slice(0, 4)}`
  const calendar = ical({
    name: `${name}: ${username}`,
    description: 'Event Calendar',
    method: ICalCalendarMethod.PUBLISH,
    // The library puts a hyphen before it.
    prodId: `//${name}//EN`,
    scale: 'GREGORIAN',
  })
  const events = entries.map(({ uid, title, description, location, category, startTime, endTime, updatedAt, url }) =>
    calendar.createEvent({
      id: uid,
      sequence: 0,
      stamp: updatedAt,
      start: trip.portToDisplay(startTime),
      end: trip.portToDisplay(endTime),
      summary: title,
      description,
      location,
      categories: [{ name: category }],
      url,
    }),
  )
  const body = events.map((event) => event.toString()).join('')
  // Put together here: the library takes a third of a millisecond to fold the lines of one event.
  calendar.clear()
  const head = calendar.toString()
  const end = head.lastIndexOf('END:VCALENDAR')
  const properties = `DESCRIPTION:${escape(about, false)}\r\nX-WR-TIMEZONE:UTC\r\n`
  return Buffer.from(`${head.slice(0, end)}${folded(properties + body)}${head.slice(end)}\r\n`)
}

const lineBytes = 75

/** Lines of at most 75 bytes: RFC 5545, section 3.1. */
const folded = (lines: string): string =>
  lines
    .split('\r\n')
    .map((line) => (line.length * 3 < lineBytes ? line : foldedLine(line)))
    .join('\r\n')

function foldedLine(line: string): string {
  let [out, from, bytes] = ['', 0, 0]
  for (let at = 0; at < line.length; at++) {
    const code = line.codePointAt(at) as number
    const more = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (bytes + more > lineBytes) {
      out += `${line.slice(from, at)}\r\n `
      // The blank counts.
      ;[from, bytes] = [at, 1]
    }
    bytes += more
    if (code >= 0x10000) at++
  }
  return out + line.slice(from)
}

/** The publisher's page about an event, derived from the feed's address. */
function sourcePage(feed: string, uid: string): string | null {
  return /^https?:\/\/.+\/all\.ics$/.test(feed) ? `${feed.slice(0, -'all.ics'.length)}event/${encodeURIComponent(uid)}` : null
}

/** Names of files go into a header: nothing but plain characters in the one form, everything escaped in the other. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\/]/g, '')
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name.replaceAll('"', '')).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`
}

/** The addresses that real clients open, outside of the API. */
export const calendarPages: Page[] = [
  {
    path: '/events/:event_id/calendarevent.ics',
    about: {
      summary: 'One event of the schedule as a calendar file, by its id or uid.',
      type: 'text/calendar',
      file: true,
      refusals: [400, 401, 451],
    },
    async run(node, [eventId = ''], head, address) {
      await admit(node, { access: 'flex', gate: 'preregistration', features: ['schedule'] }, head, address)
      return await eventFile(node, decoded(eventId))
    },
  },
  {
    path: '/events/personal/:personal_event_id/calendarevent.ics',
    run: async (node, [eventId = ''], head, address) =>
      await personalFile(await contextOf(node, { access: 'token', features: ['personalevents'] }, head, address), decoded(eventId)),
  },
  userCalendar(
    '/events/subscribe/:username/following.ics',
    'The events that one follows as a calendar, for calendar programs.',
    (username) => `Events that ${username} follows`,
    (ctx) => scheduleEntries(ctx, userChannelOf(ctx.viewer).followedEvents),
  ),
  // Apps of today ask for the second.
  ...['/dayplanner/:username/dayPlanner.ics', '/dayplanner/:username/jocoDayPlanner.ics'].map((path) =>
    userCalendar(path, 'Everything that one has planned as a calendar, for calendar programs.', aboutPlan, planEntries),
  ),
]

/** A calendar of a user, for programs that ask with name and password. */
function userCalendar(path: string, summary: string, about: (username: string) => string, entries: (ctx: Ctx) => Promise<Entry[]>): Page {
  return {
    path,
    about: { summary, type: 'text/calendar', basic: true, file: true, refusals: [400, 401, 403, 429, 451] },
    async run(node, [username = ''], head, address) {
      try {
        const ctx = await contextOf(node, { access: 'basic', features: ['schedule'] }, head, address)
        if (usernameKey(decoded(username)) !== usernameKey(ctx.viewer.username)) throw unauthorized()
        return new Reply(200, calendarOf(node, { username: ctx.viewer.username, about: about(ctx.viewer.username) }, await entries(ctx)), {
          'Content-Type': fileType,
        })
      } catch (error) {
        if (!(error instanceof AppError) || error.status !== 401) throw error
        // Calendar programs ask for a password when they get this header.
        return new Reply(401, Buffer.from(JSON.stringify({ error: true, status: 401, code: error.code, reason: error.message })), {
          'WWW-Authenticate': 'Basic charset="UTF-8"',
        })
      }
    },
  }
}

/** A caller of a page who was let in. */
async function contextOf(node: Node, admission: Admission, head: RequestHead, address: string): Promise<Ctx> {
  const viewer = await admit(node, admission, head, address)
  if (!viewer) throw unauthorized()
  return new Ctx(node, viewer, { requestId: head.requestId, log: node.log, address, head })
}

async function scheduleEntries({ node }: Ctx, wanted: ReadonlySet<string>): Promise<Entry[]> {
  const { events } = await scheduleOf(node)
  return events.filter(({ id }) => wanted.has(id)).map((event) => entryOf(node, event))
}

function aboutPlan(username: string): string {
  return `Everything that ${username} has planned`
}

async function planEntries(ctx: Ctx): Promise<Entry[]> {
  return [...(await scheduleEntries(ctx, userChannelOf(ctx.viewer).plannedEvents)), ...(await plannedEntries(ctx))]
}

/** Everything that the viewer has planned. */
export async function plannedFile(ctx: Ctx): Promise<Reply> {
  const { username } = ctx.viewer
  return new Reply(200, calendarOf(ctx.node, { username, about: aboutPlan(username) }, await planEntries(ctx)), {
    'Content-Type': fileType,
  })
}

async function plannedEntries(ctx: Ctx): Promise<Entry[]> {
  return (await listPlanned(ctx)).flatMap((row) => plannedEntry(row) ?? [])
}

async function personalFile(ctx: Ctx, fezId: string): Promise<Reply> {
  if (!isUuid(fezId)) throw notAvailable('event')
  const entry = plannedEntry(await personalEventRow(ctx, fezId.toLowerCase()))
  if (!entry) throw notAvailable('event')
  return new Reply(200, calendarOf(ctx.node, { username: ctx.viewer.username, about: entry.title }, [entry]), {
    'Content-Type': fileType,
    'Content-Disposition': attachment(`${entry.title}.ics`),
  })
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw notAvailable('event')
  }
}
