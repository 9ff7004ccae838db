// The wire forms of announcements.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, Int, Text, Type, type Static } from '../core/schema/schema.ts'

/** An announcement to everybody. */
export type AnnouncementData = Static<typeof AnnouncementData>
export const AnnouncementData = Dto('AnnouncementData', {
  id: Int,
  author: UserHeader,
  text: Type.String(),
  /** Last edit. */
  updatedAt: DateTime,
  displayUntil: DateTime,
  isDeleted: Type.Boolean(),
})

/** Creates or replaces an announcement. */
export type AnnouncementCreateData = Static<typeof AnnouncementCreateData>
export const AnnouncementCreateData = Dto(
  'AnnouncementCreateData',
  {
    text: Text({ min: 1, max: 1999 }),
    displayUntil: DateTime,
  },
  ({ displayUntil }, fail, nowMs) => {
    if (displayUntil.getTime() <= nowMs) fail('displayUntil must be in the future', 'displayUntil')
  },
)
