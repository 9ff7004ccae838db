// Events as iCalendar files, for the calendars of phones.
import ical, { ICalCalendarMethod } from 'ical-generator'
import { admit } from '../core/http/admission.ts'
import type { Node } from '../core/ctx.ts'
import { AppError, notAvailable, unauthorized } from '../core/errors.ts'
import type { Page } from '../core/http/http.ts'
import { Reply } from '../core/http/route.ts'
import type { Viewer } from '../core/viewer.ts'
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
  return new Reply(200, calendarOf(node, '', [event]), {
    'Content-Type': fileType,
    'Content-Disposition': attachment(`${event.title}.ics`),
  })
}

/** A calendar of events, at the times that clocks on board will show. */
function calendarOf(node: Node, username: string, events: readonly EventRow[]): string {
  const { trip, values } = settingsOf(node)
  const name = `Quarterdeck ${node.config.startDate.slice(0, 4)}`
  const calendar = ical({
    name: `${name}: ${username}`,
    description: 'Event Calendar',
    method: ICalCalendarMethod.PUBLISH,
    prodId: `-//${name}//EN`,
    scale: 'GREGORIAN',
    x: { 'X-WR-TIMEZONE': 'UTC' },
  })
  for (const { uid, title, description, location, eventType, startTime, endTime, updatedAt } of events) {
    calendar.createEvent({
      id: uid,
      sequence: 0,
      stamp: updatedAt,
      start: trip.portToDisplay(startTime),
      end: trip.portToDisplay(endTime),
      summary: title,
      description,
      location,
      categories: [{ name: eventTypeLabels[eventType] }],
      url: sourcePage(values.scheduleUpdateURL, uid),
    })
  }
  return calendar.toString()
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
    async run(node, [eventId = ''], head, address) {
      await admit(node, { access: 'flex', gate: 'preregistration', features: ['schedule'] }, head, address)
      return await eventFile(node, decoded(eventId))
    },
  },
  {
    path: '/events/subscribe/:username/following.ics',
    async run(node, [username = ''], head, address) {
      try {
        const viewer = await admit(node, { access: 'basic', features: ['schedule'] }, head, address)
        if (!viewer || usernameKey(decoded(username)) !== usernameKey(viewer.username)) throw unauthorized()
        return await followedFile(node, viewer)
      } catch (error) {
        if (!(error instanceof AppError) || error.status !== 401) throw error
        // Calendar programs ask for a password when they get this header.
        return new Reply(401, JSON.stringify({ error: true, status: 401, code: error.code, reason: error.message }), {
          'WWW-Authenticate': 'Basic charset="UTF-8"',
        })
      }
    },
  },
]

async function followedFile(node: Node, viewer: Viewer): Promise<Reply> {
  const { followedEvents } = userChannelOf(viewer)
  const { events } = await scheduleOf(node)
  return new Reply(
    200,
    calendarOf(
      node,
      viewer.username,
      events.filter(({ id }) => followedEvents.has(id)),
    ),
    { 'Content-Type': fileType },
  )
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw notAvailable('event')
  }
}
