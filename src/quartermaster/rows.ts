// Rows of the item board.
import type { Sizes } from '../image/sizes.ts'
import type { ContentModerationStatus } from '../moderation/types.ts'
import type { QuartermasterCategory } from './types.ts'

/** What an item says; a change of it is remembered. */
export interface ItemContent {
  name: string
  description: string | null
  location: string | null
  hidesOwner: boolean
  image: string | null
}

export interface ItemRow extends ItemContent {
  id: string
  ownerId: string
  category: QuartermasterCategory
  imageSizes: Sizes
  moderationStatus: ContentModerationStatus
  changedAt: Date
}

/** One that may be deleted. */
export interface JudgedItemRow extends ItemRow {
  deletedAt: Date | null
}

/** An item as it was before a change. */
export interface ItemEditRow extends ItemContent {
  id: string
  editorId: string
  createdAt: Date
}
