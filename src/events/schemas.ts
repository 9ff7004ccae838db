// The wire forms of the schedule.
import { UserHeader } from '../accounts/schemas.ts'
import { Paginator } from '../core/http/paging.ts'
import { PerformerHeaderData } from '../lineup/schemas.ts'
import { SettingsUpdateData } from '../settings/schemas.ts'
import { DateTime, Dto, Int, OneOf, rulesOf, Text, Type, Uuid, type SchemaNode, type Static } from '../core/schema/schema.ts'

/** The photographers of an event, for themselves and the team. */
export type ShutternautEventData = Static<typeof ShutternautEventData>
export const ShutternautEventData = Dto('ShutternautEventData', {
  needsPhotographer: Type.Boolean(),
  photographers: Type.Array(UserHeader),
  /** The caller is one of them. */
  userIsPhotographer: Type.Boolean(),
})

/** An event. Times are as clocks on board will show them. */
export type EventData = Static<typeof EventData>
export const EventData = Dto('EventData', {
  eventID: Uuid,
  /** The uid of the calendar: the same in every version of the schedule. */
  uid: Type.String(),
  title: Type.String(),
  description: Type.String(),
  startTime: DateTime,
  endTime: DateTime,
  /** Abbreviation of the zone in force at the start. */
  timeZone: Type.String(),
  timeZoneID: Type.String(),
  location: Type.String(),
  /** A label for people; in what is read from a calendar, the name of the type. */
  eventType: Type.String(),
  lastUpdateTime: DateTime,
  /** Its forum. */
  forum: Type.Optional(Uuid),
  isFavorite: Type.Boolean(),
  /** Empty while the feature is switched off, and in what is read from a calendar. */
  performers: Type.Array(PerformerHeaderData),
  /** Only for photographers, their managers and the team. */
  shutternautData: Type.Optional(ShutternautEventData),
})

/** An event that needs a photographer or has one. */
export type ShutternautScheduleReportData = Static<typeof ShutternautScheduleReportData>
export const ShutternautScheduleReportData = Dto('ShutternautScheduleReportData', {
  eventID: Uuid,
  title: Type.String(),
  startTime: DateTime,
  endTime: DateTime,
  /** Abbreviation of the zone in force at the start. */
  timeZone: Type.String(),
  location: Type.String(),
  needsPhotographer: Type.Boolean(),
  photographers: Type.Array(UserHeader),
})

export type PhotographerReportData = Static<typeof PhotographerReportData>
export const PhotographerReportData = Dto('PhotographerReportData', {
  items: Type.Array(ShutternautScheduleReportData),
  paginator: Paginator,
})

/** The whole of a calendar. */
export type EventsUpdateData = Static<typeof EventsUpdateData>
export const EventsUpdateData = Dto('EventsUpdateData', { schedule: Text() })

const { enableFeatures, disableFeatures, ...settings } = SettingsUpdateData.properties

/** A calendar, or settings: apps send both to one address. */
export type EventsOrSettingsUpdateData = Static<typeof EventsOrSettingsUpdateData>
export const EventsOrSettingsUpdateData = Dto(
  'EventsOrSettingsUpdateData',
  {
    schedule: Type.Optional(Text()),
    ...settings,
    enableFeatures: Type.Optional(enableFeatures),
    disableFeatures: Type.Optional(disableFeatures),
  },
  (update, fail, nowMs) => {
    rulesOf(SettingsUpdateData as SchemaNode)?.(update, fail, nowMs)
    if (update.schedule === undefined && !(update.enableFeatures && update.disableFeatures))
      fail('schedule is needed, or enableFeatures and disableFeatures')
  },
)

const events = Type.Array(EventData)

/** The changes that a calendar makes or has made. */
export type EventUpdateDifferenceData = Static<typeof EventUpdateDifferenceData>
export const EventUpdateDifferenceData = Dto('EventUpdateDifferenceData', {
  /** As they are stored. All others are as the calendar has them. */
  deletedEvents: events,
  createdEvents: events,
  timeChangeEvents: events,
  locationChangeEvents: events,
  minorChangeEvents: events,
})

/** How one event changes: with what it was before, and how many follow it. */
export type ScheduleChangeData = Static<typeof ScheduleChangeData>
export const ScheduleChangeData = Dto('ScheduleChangeData', {
  uid: Type.String(),
  /** What is different. `new` and `gone` stand alone. */
  kinds: Type.Array(OneOf(['new', 'gone', 'time', 'place', 'text'])),
  /** As it is stored; absent for a new one. */
  before: Type.Optional(EventData),
  /** As the calendar has it; absent for one that is gone. */
  after: Type.Optional(EventData),
  followers: Int,
})

/** Everything that the uploaded calendar would change, in order of time. */
export type ScheduleChangesData = Static<typeof ScheduleChangesData>
export const ScheduleChangesData = Dto('ScheduleChangesData', {
  changes: Type.Array(ScheduleChangeData),
  /** Events that stay as they are. */
  unchanged: Int,
  /** Events on the schedule now. */
  scheduled: Int,
  /** Events in the calendar. */
  events: Int,
  /** Those of them that begin on none of the trip's days. */
  elsewhere: Int,
  /** No event or few are in the trip: somebody should say that this calendar is meant. */
  ofAnotherTrip: Type.Boolean(),
  /** Of the calendar and of the schedule: to apply this and nothing else. */
  version: Type.String(),
})

/** How many events an update changed, and how; an event may count in several of the last three. */
export const ScheduleCountsData = Dto('ScheduleCountsData', { new: Int, gone: Int, time: Int, place: Int, text: Int })

/** A run of the update. */
export type EventUpdateLogData = Static<typeof EventUpdateLogData>
export const EventUpdateLogData = Dto('EventUpdateLogData', {
  entryID: Int,
  automaticUpdate: Type.Boolean(),
  changeCount: Int,
  timestamp: DateTime,
  /** Why an automatic run changed nothing although it should have. */
  error: Type.Optional(Type.String()),
  counts: ScheduleCountsData,
  /** It can be undone now: all later ones that changed something are undone. */
  undoable: Type.Boolean(),
  /** The entry that this one undid. */
  undoes: Type.Optional(Int),
  /** It undid an update. False for an update, and for one that was applied again. */
  isUndo: Type.Boolean(),
  /** Whoever did it by hand. */
  by: Type.Optional(UserHeader),
})

/** A calendar that was taken. */
export type ScheduleUploadData = Static<typeof ScheduleUploadData>
export const ScheduleUploadData = Dto('ScheduleUploadData', {
  /** In the calendar. */
  events: Int,
  /** Those of them that begin on none of the trip's days. */
  elsewhere: Int,
})

/** How many events an update touched. */
export type ScheduleApplyData = Static<typeof ScheduleApplyData>
export const ScheduleApplyData = Dto('ScheduleApplyData', {
  created: Int,
  changed: Int,
  deleted: Int,
  /** Of the log, to undo it. */
  entryID: Int,
})

const word = Type.Optional(Text({ max: 200 }))

/** Query of the list of events. */
export const eventQuery = {
  cruiseday: Type.Optional(Type.Number()),
  day: word,
  date: Type.Optional(DateTime),
  time: Type.Optional(DateTime),
  type: word,
  search: word,
  location: word,
  following: Type.Optional(Type.Boolean()),
  dayplanner: Type.Optional(Type.Boolean()),
  needsPhotographer: Type.Optional(Type.Boolean()),
  hasPhotographer: Type.Optional(Type.Boolean()),
}

export interface EventQuery {
  /** 1 is embarkation day. */
  cruiseday?: number
  day?: string
  date?: Date
  time?: Date
  type?: string
  search?: string
  location?: string
  following?: boolean
  /** What the caller follows or photographs. */
  dayplanner?: boolean
  needsPhotographer?: boolean
  /** False: one is needed, and nobody has come. */
  hasPhotographer?: boolean
}

/** Whether the caller has an address for calendar programs, and since when. */
export type CalendarSubscriptionData = Static<typeof CalendarSubscriptionData>
export const CalendarSubscriptionData = Dto('CalendarSubscriptionData', { createdAt: Type.Optional(DateTime) })

/** A new one, which is said only here. */
export type NewCalendarSubscriptionData = Static<typeof NewCalendarSubscriptionData>
export const NewCalendarSubscriptionData = Dto('NewCalendarSubscriptionData', {
  /** On this server. */
  path: Type.String(),
  createdAt: DateTime,
})
