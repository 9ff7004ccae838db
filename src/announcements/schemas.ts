// The wire forms of announcements.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, Int, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'

/** An announcement to everybody. */
export type AnnouncementData = Static<typeof AnnouncementData>
export const AnnouncementData = Dto('AnnouncementData', {
  id: Int,
  author: UserHeader,
  text: Type.String(),
  /** Last edit, or when it was taken back. */
  updatedAt: DateTime,
  displayUntil: DateTime,
  isDeleted: Type.Boolean(),
})

/** An announcement that is planned for a later time. */
export type PlannedAnnouncementData = Static<typeof PlannedAnnouncementData>
export const PlannedAnnouncementData = Dto('PlannedAnnouncementData', {
  plannedID: Uuid,
  author: UserHeader,
  plannedBy: UserHeader,
  text: Type.String(),
  /** When it is published. */
  showAt: DateTime,
  displayUntil: DateTime,
})

/** Plans an announcement. */
export type AnnouncementPlanData = Static<typeof AnnouncementPlanData>
export const AnnouncementPlanData = Dto(
  'AnnouncementPlanData',
  {
    text: Text({ min: 1, max: 1999 }),
    showAt: DateTime,
    displayUntil: DateTime,
    /** As in AnnouncementCreateData. */
    postAsUser: Type.Optional(Text({ max: 50 })),
  },
  ({ showAt, displayUntil }, fail, nowMs) => {
    if (showAt.getTime() <= nowMs) fail({ text: 'showAt must be in the future', rule: 'not_in_future' }, 'showAt')
    if (displayUntil <= showAt) fail({ text: 'displayUntil must be later than showAt', rule: 'not_in_future' }, 'displayUntil')
  },
)

/** Creates or replaces an announcement. */
export type AnnouncementCreateData = Static<typeof AnnouncementCreateData>
export const AnnouncementCreateData = Dto(
  'AnnouncementCreateData',
  {
    text: Text({ min: 1, max: 1999 }),
    displayUntil: DateTime,
    /**
     * In whose name: `self` (also when absent), or a shared account that the caller may speak for: the team's, `tho` or `admin`. An
     * edit keeps the author.
     */
    postAsUser: Type.Optional(Text({ max: 50 })),
    /** Of an edit: `updatedAt` as the caller has seen it. The edit is refused when somebody else was faster. */
    basedOn: Type.Optional(DateTime),
  },
  ({ displayUntil }, fail, nowMs) => {
    if (displayUntil.getTime() <= nowMs) fail({ text: 'displayUntil must be in the future', rule: 'not_in_future' }, 'displayUntil')
  },
)
