// Calendars as publishers write them, and getting them into the product.
import type { Person } from './fez.ts'
import { body } from './fez.ts'

/** An event in a calendar. Times are the port's, as UTC. */
export interface Listed {
  uid: string
  title: string
  description?: string
  location?: string
  category?: string
  start: string
  end: string
}

const escaped = (text: string) => text.replace(/[\\;,]/g, (char) => `\\${char}`).replaceAll('\n', '\\n')
/** `2025-03-02T13:00:00Z` as calendars write it. */
const stamp = (iso: string): string => iso.replace(/\.\d+/, '').replace(/[-:]/g, '')

/** The lines of one event. */
export function eventLines({ uid, title, description = '', location = '', category = 'GENERAL INFO', start, end }: Listed): string[] {
  return [
    'BEGIN:VEVENT',
    'DTSTAMP:20250101T120000Z',
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(end)}`,
    `SUMMARY:${escaped(title)}`,
    `DESCRIPTION:${escaped(description)}`,
    `CATEGORIES:${escaped(category)}`,
    `LOCATION:${escaped(location)}`,
    'SEQUENCE:0',
    `UID:${uid}`,
    `URL:https://schedule.example/event/${uid}`,
    'END:VEVENT',
  ]
}

/** A whole calendar of events, or of lines. */
export function calendar(events: readonly (Listed | string)[]): string {
  const lines = events.flatMap((event) => (typeof event === 'string' ? [event] : eventLines(event)))
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'METHOD:PUBLISH',
    'PRODID:-//A publisher//EN',
    'X-WR-TIMEZONE:UTC',
    ...lines,
    'END:VCALENDAR',
    '',
  ].join('\n')
}

/** Applies a calendar by hand, in place of the schedule that is there. */
export async function apply(admin: Person, events: readonly Listed[], options: { deletes?: boolean; posts?: boolean } = {}): Promise<void> {
  const { deletes = true, posts = false } = options
  await body(admin.one.post('/admin/schedule/update', { schedule: calendar(events) }))
  await body(admin.one.post(`/admin/schedule/update/apply?processDeletes=${deletes}&forumPosts=${posts}`))
}
