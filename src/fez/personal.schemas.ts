// The wire forms of private and personal events: chats, as entries of a calendar.
import { UserHeader } from '../accounts/schemas.ts'
import { pageQuery } from '../core/http/paging.ts'
import { DateTime, Dto, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { moderatedFields } from '../moderation/schemas.ts'
import { fezVisibilities, mayBe } from './types.ts'

const dayMs = 24 * 60 * 60_000

export type PersonalEventData = Static<typeof PersonalEventData>
export const PersonalEventData = Dto('PersonalEventData', {
  /** The id of the chat. */
  personalEventID: Uuid,
  title: Type.String(),
  description: Type.Optional(Type.String()),
  startTime: DateTime,
  endTime: DateTime,
  timeZone: Type.String(),
  timeZoneID: Type.String(),
  location: Type.Optional(Type.String()),
  lastUpdateTime: DateTime,
  owner: UserHeader,
  /** Without the owner. */
  participants: Type.Array(UserHeader),
  visibility: OneOf(fezVisibilities),
})

/** Creates or replaces an event. */
export type PersonalEventContentData = Static<typeof PersonalEventContentData>
export const PersonalEventContentData = Dto(
  'PersonalEventContentData',
  {
    title: Text({ min: 2, max: 100 }),
    description: Type.Optional(Text({ max: 2048 })),
    startTime: DateTime,
    endTime: DateTime,
    location: Type.Optional(Text({ max: 2048 })),
    /** Without the owner; ignored by an update. */
    participants: Type.Array(Uuid, { maxItems: 1000 }),
    /** Private or unlisted; without it a new event is private, and another stays as it is. */
    visibility: Type.Optional(OneOf(fezVisibilities)),
  },
  ({ startTime, endTime, visibility }, fail) => {
    if (visibility && !mayBe('privateEvent', visibility))
      fail({ text: 'visibility must be private or unlisted', rule: 'not_allowed' }, 'visibility')
    if (endTime < startTime) fail({ text: 'endTime must not be before startTime', rule: 'before_start' }, 'endTime')
    if (endTime.getTime() - startTime.getTime() > dayMs)
      fail({ text: 'endTime must be at most 24 hours after startTime', rule: 'over_a_day' }, 'endTime')
  },
)

/** An event with nothing hidden. */
export type PersonalEventModerationData = Static<typeof PersonalEventModerationData>
export const PersonalEventModerationData = Dto('PersonalEventModerationData', {
  personalEvent: PersonalEventData,
  isDeleted: Type.Boolean(),
  ...moderatedFields,
})

/** Filters of the list of events. */
export const personalEventQuery = {
  ...pageQuery,
  cruiseday: Type.Optional(Int),
  search: Type.Optional(Text({ max: 200 })),
  hidePast: Type.Optional(Type.Boolean()),
  owned: Type.Optional(Type.Boolean()),
  joined: Type.Optional(Type.Boolean()),
}

export interface PersonalEventQuery {
  start?: number
  limit?: number
  cruiseday?: number
  search?: string
  hidePast?: boolean
  owned?: boolean
  joined?: boolean
}
