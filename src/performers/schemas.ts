// The wire forms of performers.
import { UserHeader } from '../accounts/schemas.ts'
import { Bytes, DateTime, Dto, Int, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { pageQuery, Paginator } from '../core/http/paging.ts'
import { EventData } from '../events/schemas.ts'
import { ImageUploadData } from '../image/schemas.ts'
import { PerformerHeaderData } from '../lineup/schemas.ts'

export { PerformerHeaderData }

/** An event that a performer appears at, as a web page names it. */
export type ScrapedPerformerEventReferenceData = Static<typeof ScrapedPerformerEventReferenceData>
export const ScrapedPerformerEventReferenceData = Dto('ScrapedPerformerEventReferenceData', {
  uid: Type.Optional(Text({ max: 500 })),
  title: Text({ max: 500 }),
  /** Floating, as the schedule stores it. */
  startTime: DateTime,
})

const url = () => Type.Optional(Text({ max: 2000 }))
const short = () => Type.Optional(Text({ max: 500 }))
const profile = {
  pronouns: short(),
  /** Markdown. */
  bio: Type.Optional(Text({ max: 20_000 })),
  organization: short(),
  title: short(),
  /** Addresses are whole URLs. */
  website: url(),
  facebookURL: url(),
  xURL: url(),
  instagramURL: url(),
  youtubeURL: url(),
}
const years = () => Type.Array(Int, { maxItems: 200 })
const names = () => Type.Array(Text({ max: 500 }), { maxItems: 200 })
const references = () => Type.Array(ScrapedPerformerEventReferenceData, { maxItems: 500 })

/** A performer with everything about them. */
export type PerformerData = Static<typeof PerformerData>
export const PerformerData = Dto('PerformerData', {
  header: PerformerHeaderData,
  ...profile,
  yearsAttended: Type.Array(Int),
  alternativeNames: Type.Optional(names()),
  /** Always empty. */
  scrapedEventRefs: references(),
  events: Type.Array(EventData),
  /** The user whose page it is, for moderators and that user. */
  user: Type.Optional(UserHeader),
})

/** A page of performers. */
/** Query of the lists. */
export const performerQuery = { ...pageQuery, search: Type.Optional(Text({ max: 200 })) }

export type PerformerResponseData = Static<typeof PerformerResponseData>
export const PerformerResponseData = Dto('PerformerResponseData', { performers: Type.Array(PerformerHeaderData), paginator: Paginator })

/** What a user says of themselves, or the team of a performer. */
export type PerformerUploadData = Static<typeof PerformerUploadData>
export const PerformerUploadData = Dto(
  'PerformerUploadData',
  {
    /** Only for the team: the performer to change. */
    performerID: Type.Optional(Uuid),
    name: Text({ max: 200 }),
    photo: ImageUploadData,
    /** Only for the team. */
    isOfficialPerformer: Type.Boolean(),
    ...profile,
    yearsAttended: years(),
    alternativeNames: Type.Optional(names()),
    /** Only for files of users. */
    eventUIDs: Type.Array(Text({ max: 500 }), { maxItems: 500 }),
  },
  ({ name }, fail) => {
    if (name.trim() === '') fail({ text: 'name must not be empty', rule: 'empty' }, 'name')
  },
)

/** An .xlsx file in base64. */
export const PerformerLinksUpload = Bytes

/** What a sheet of performers at events would do. */
export type EventPerformerValidationData = Static<typeof EventPerformerValidationData>
export const EventPerformerValidationData = Dto('EventPerformerValidationData', {
  /** Official performers that are stored. */
  oldPerformerCount: Int,
  /** Names in the sheet. */
  newPerformerCount: Int,
  /** In the sheet, not stored. */
  missingPerformerCount: Int,
  /** Stored, not in the sheet. */
  noEventsPerformerCount: Int,
  /** Rows of the sheet whose event was found. */
  eventsWithPerformerCount: Int,
  unmatchedEventCount: Int,
  errors: Type.Array(Type.String()),
})

/** A performer as a web page shows them. Its header's photo is the address of a picture. */
export type PerformerImportData = Static<typeof PerformerImportData>
export const PerformerImportData = Dto(
  'PerformerImportData',
  {
    header: Type.Object({
      name: Text({ max: 200 }),
      photo: Type.Optional(Text({ max: 2000 })),
      isOfficialPerformer: Type.Boolean(),
    }),
    ...profile,
    yearsAttended: years(),
    alternativeNames: Type.Optional(names()),
    scrapedEventRefs: references(),
  },
  ({ header: { name } }, fail) => {
    if (name.trim() === '') fail({ text: 'name must not be empty', rule: 'empty' }, 'header.name')
  },
)

/** All official performers, as web pages show them. */
export type PerformerImportList = Static<typeof PerformerImportList>
export const PerformerImportList = Type.Array(PerformerImportData, { maxItems: 2000 })

/** A field of a profile that an import changes. */
export type PerformerProfileFieldChangeData = Static<typeof PerformerProfileFieldChangeData>
export const PerformerProfileFieldChangeData = Dto('PerformerProfileFieldChangeData', {
  fieldName: Type.String(),
  /** `(none)` when absent, `(blank)` when empty. */
  oldValue: Type.String(),
  newValue: Type.String(),
})

export type UpdatedPerformerData = Static<typeof UpdatedPerformerData>
export const UpdatedPerformerData = Dto('UpdatedPerformerData', {
  header: PerformerHeaderData,
  changedFields: Type.Array(PerformerProfileFieldChangeData),
})

/** A performer at an event, for people to read. */
export type PerformerEventLinkPreviewData = Static<typeof PerformerEventLinkPreviewData>
export const PerformerEventLinkPreviewData = Dto('PerformerEventLinkPreviewData', {
  performerName: Type.String(),
  eventTitle: Type.String(),
  eventStartTime: Type.String(),
  eventLocation: Type.Optional(Type.String()),
})

/** What an import would change. */
export type PerformerUpdateDifferenceData = Static<typeof PerformerUpdateDifferenceData>
export const PerformerUpdateDifferenceData = Dto('PerformerUpdateDifferenceData', {
  newPerformers: Type.Array(PerformerData),
  updatedPerformers: Type.Array(UpdatedPerformerData),
  unchangedCount: Int,
  eventLinksToAdd: Type.Array(PerformerEventLinkPreviewData),
  unmatchedScrapedEvents: Type.Array(PerformerEventLinkPreviewData),
  notInSourcePerformers: Type.Array(PerformerHeaderData),
})
