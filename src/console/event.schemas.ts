// The wire forms of an event's life: what is to do before, during and after it, and its report by the day.
import { DateTime, Dto, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { OperationData } from './schemas.ts'

const tripFields = {
  /** Empty: it has none. */
  eventName: Text({ max: 100 }),
  /** The first day, such as 2026-03-01, in the time zone of the port. */
  startDate: Text({ min: 10, max: 10 }),
  /** Days of the trip, both ends counted: from 1 to 366. */
  lengthInDays: Int,
}

/** The trip as the host has set it. */
export type TripData = Static<typeof TripData>
export const TripData = Dto('TripData', tripFields)

/** Sets name and dates. */
export type TripUploadData = Static<typeof TripUploadData>
export const TripUploadData = Dto(
  'TripUploadData',
  {
    ...tripFields,
    /** As the caller has seen them. The change is refused when somebody else was faster. */
    basedOn: Type.Optional(TripData),
  },
  ({ startDate, lengthInDays }, fail) => {
    if (!/^\d{4}-\d\d-\d\d$/.test(startDate) || Number.isNaN(Date.parse(startDate)))
      fail('startDate must be a day such as 2026-03-01', 'startDate')
    if (lengthInDays < 1 || lengthInDays > 366)
      fail({ text: 'lengthInDays must be from 1 to 366', rule: 'out_of_range', min: 1, max: 366 }, 'lengthInDays')
  },
)

export const phases = ['before', 'during', 'after'] as const
export const stepNames = ['trip', 'schedule', 'games', 'songs', 'codes', 'team', 'texts', 'passwords', 'backup'] as const

/** One thing that has to be ready before an event. */
export type StepData = Static<typeof StepData>
export const StepData = Dto('StepData', {
  name: OneOf(stepNames),
  isDone: Type.Boolean(),
  /** How many there are; of passwords, how many anybody can guess. */
  count: Int,
})

/** Something of the day: an event that starts, or an announcement that ends. */
export const DayEntryData = Dto('DayEntryData', {
  /** Of an event. */
  eventID: Type.Optional(Uuid),
  text: Type.String(),
  location: Type.Optional(Type.String()),
  at: DateTime,
})

/** What a host looks at every day. */
export const EventDayData = Dto('EventDayData', {
  openReports: Int,
  failedJobs: Int,
  /** The backup of the last night. */
  lastNight: Type.Optional(OperationData),
  /** True when one is made every night. */
  nightly: Type.Boolean(),
  /** How many events start today; the next of them are named. */
  eventsToday: Int,
  nextEvents: Type.Array(DayEntryData),
  announcementsEnding: Type.Array(DayEntryData),
})

/** What is left to do when an event is over. */
export const EventEndData = Dto('EventEndData', {
  /** Announcements in force that were written on the last day or later, or are shown beyond the end. */
  farewells: Int,
  /** The newest file with what belongs to each user. */
  everybody: Type.Optional(OperationData),
  /** Bytes of that file, while it is there. */
  everybodyBytes: Type.Optional(Type.Number()),
  /** The newest backup that was made after the end. */
  finalBackup: Type.Optional(Type.String()),
  /** When that one was restored into a scratch database. */
  finalBackupVerifiedAt: Type.Optional(DateTime),
})

/** An event from its preparation to its end. */
export type EventLifeData = Static<typeof EventLifeData>
export const EventLifeData = Dto('EventLifeData', {
  trip: TripData,
  startsAt: DateTime,
  endsAt: DateTime,
  phase: OneOf(phases),
  /** The day of the trip, from 1; absent before and after. */
  day: Type.Optional(Int),
  steps: Type.Array(StepData),
  today: EventDayData,
  end: EventEndData,
})

/** An hour of the report. */
export const ReportHourData = Dto('ReportHourData', { at: DateTime, online: Int, posts: Int, requests: Int, errors: Int })

/** A day aboard in figures. */
export type DayReportData = Static<typeof DayReportData>
export const DayReportData = Dto('DayReportData', {
  eventName: Type.String(),
  /** Such as 2026-03-01. */
  date: Type.String(),
  /** The day of the trip, from 1; absent before and after. */
  day: Type.Optional(Int),
  from: DateTime,
  to: DateTime,
  hours: Type.Array(ReportHourData),
  mostOnline: Int,
  posts: Int,
  requests: Int,
  errors: Int,
  newPeople: Int,
  reportsFiled: Int,
  /** Closed on this day. */
  reportsHandled: Int,
  reportsOpen: Int,
  bans: Int,
  backups: Type.Array(OperationData),
  /** Least room on the disk, in megabytes. */
  diskFreeMb: Type.Optional(Int),
  p99: Type.Optional(Type.Number()),
})

/** What a wipe has left. */
export const WipeProofData = Dto('WipeProofData', {
  /** What the tables hold that stay. */
  left: Type.Array(Dto('WipeLeftData', { what: Type.String(), rows: Int })),
  /** Names of the accounts that stay: built-in ones and those of clients. */
  accounts: Type.Array(Type.String()),
  /** False when files of Postgres may still hold words of users. */
  isClean: Type.Boolean(),
})

/** The last wipe. */
export type WipeStateData = Static<typeof WipeStateData>
export const WipeStateData = Dto('WipeStateData', {
  state: OneOf(['none', 'ordered', 'done', 'failed']),
  /** How many backups lie in the folder of backups: a wipe leaves them. */
  backups: Int,
  orderedAt: Type.Optional(DateTime),
  endedAt: Type.Optional(DateTime),
  /** Why it failed. */
  reason: Type.Optional(Type.String()),
  proof: Type.Optional(WipeProofData),
})

/** Orders a wipe: the name of the event as it is written, and the caller's password. */
export type WipeOrderData = Static<typeof WipeOrderData>
export const WipeOrderData = Dto('WipeOrderData', {
  eventName: Text({ min: 1, max: 100 }),
  currentPassword: Text({ min: 1, max: 200 }),
  /** Registration codes stay, as if never used; else they end with the event. */
  keepCodes: Type.Optional(Type.Boolean()),
})
