// Performers as they are sent. Pure.
import { DateTime } from 'luxon'
import type { UserHeader } from '../accounts/schemas.ts'
import type { EventData } from '../events/schemas.ts'
import type { PerformerHeaderData } from '../lineup/schemas.ts'
import type { Trip } from '../settings/trip.ts'
import { profileFields, type MatchableEvent, type PerformerRow, type Profile } from './rows.ts'
import type { PerformerData, PerformerEventLinkPreviewData, PerformerUploadData } from './schemas.ts'

/** A performer in a list. */
export function performerHeader({ id, name, photo, isOfficial }: PerformerRow): PerformerHeaderData {
  return { id, name, ...(photo === null ? {} : { photo }), isOfficialPerformer: isOfficial }
}

/** A performer with their events; `user` for those who may know whose page it is. */
export function performerData(row: PerformerRow, events: EventData[], user?: UserHeader): PerformerData {
  const { yearsAttended, alternativeNames } = row
  return {
    header: performerHeader(row),
    ...filledFields(row),
    yearsAttended,
    ...(alternativeNames.length > 0 ? { alternativeNames } : {}),
    scrapedEventRefs: [],
    events,
    ...(user ? { user } : {}),
  }
}

/** The fields of a profile that are there. */
export const filledFields = (profile: Profile): Partial<Record<keyof Profile, string>> =>
  Object.fromEntries(profileFields.flatMap((field) => (profile[field] === null ? [] : [[field, profile[field]]])))

/** A performer as another server takes them. */
export function travellingPerformer(row: PerformerRow & { eventUids: string[] }): PerformerUploadData {
  const { name, photo, isOfficial, yearsAttended, alternativeNames, eventUids } = row
  return {
    name,
    photo: photo === null ? {} : { filename: photo },
    isOfficialPerformer: isOfficial,
    ...filledFields(row),
    yearsAttended,
    ...(alternativeNames.length > 0 ? { alternativeNames } : {}),
    eventUIDs: eventUids,
  }
}

/** For a caller who has no page of their own. */
export const nobody: PerformerData = {
  header: { name: '', isOfficialPerformer: false },
  yearsAttended: [],
  scrapedEventRefs: [],
  events: [],
}

/** A performer at an event, which need not exist, for people to read. */
export function linkPreview(
  trip: Trip,
  performerName: string,
  { title, startTime, location }: Pick<MatchableEvent, 'title' | 'startTime'> & { location?: string },
): PerformerEventLinkPreviewData {
  const start = DateTime.fromJSDate(startTime, { zone: trip.portZone }).setLocale('en-US')
  // Newer tables of locales have a narrow space before AM.
  const text = start.toLocaleString({ dateStyle: 'short', timeStyle: 'short' }).replace(/\s/g, ' ')
  return {
    performerName,
    eventTitle: title,
    eventStartTime: `${text} ${trip.portZoneAt(startTime).abbreviation}`,
    ...(location ? { eventLocation: location } : {}),
  }
}
