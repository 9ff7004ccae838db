// Rows of photos.
import type { Sizes } from '../image/sizes.ts'
import type { ContentModerationStatus } from '../moderation/types.ts'
import type { PhotoStreamBoatLocation } from './types.ts'

export interface PhotoRow {
  id: number
  authorId: string
  image: string
  imageSizes: Sizes
  /** When it was taken. */
  createdAt: Date
  /** Either an event or a location. */
  eventId: string | null
  location: PhotoStreamBoatLocation | null
}

export interface JudgedPhotoRow extends PhotoRow {
  moderationStatus: ContentModerationStatus
  deletedAt: Date | null
}
