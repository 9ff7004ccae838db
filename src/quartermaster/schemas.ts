// The wire forms of the item board.
import { UserHeader } from '../accounts/schemas.ts'
import { pageQuery, Paginator } from '../core/http/paging.ts'
import { DateTime, Dto, OneOf, Text, Type, Uuid, type Fail, type Static } from '../core/schema/schema.ts'
import { ImageSizeData, ImageUploadData } from '../image/schemas.ts'
import { moderatedFields } from '../moderation/schemas.ts'
import { moderationStatuses } from '../moderation/types.ts'
import { quartermasterCategories } from './types.ts'

/** User-perceived characters that a name may have. */
export const nameLength = { min: 2, max: 100 }
export const maxDescription = 2048

/** One of several items that are posted together. Its texts are looked at with its number, see `requireEntries`. */
export type QuartermasterItemEntry = Static<typeof QuartermasterItemEntry>
export const QuartermasterItemEntry = Dto('QuartermasterItemEntry', {
  /** 2 to 100 characters. */
  itemName: Type.String(),
  /** At most 2,048 characters. */
  itemDescription: Type.Optional(Type.String()),
  image: Type.Optional(ImageUploadData),
})

const location = Type.Optional(Text({ min: 3, max: 100 }))
/** Others cannot see whose it is: it has to be found at its location. Absent: they can. */
const hideOwnerName = Type.Optional(Type.Boolean())

function requireLocation({ hideOwnerName, location }: { hideOwnerName?: boolean; location?: string }, fail: Fail): void {
  if (hideOwnerName && location === undefined)
    fail({ text: 'location must be set when the name of the owner is hidden', rule: 'empty' }, 'location')
}

/** Up to ten items that are at one place. */
export type QuartermasterCreateData = Static<typeof QuartermasterCreateData>
export const QuartermasterCreateData = Dto(
  'QuartermasterCreateData',
  { category: OneOf(quartermasterCategories), location, hideOwnerName, items: Type.Array(QuartermasterItemEntry) },
  (data, fail) => {
    if (data.items.length < 1 || data.items.length > 10) fail('items must have 1 to 10 entries', 'items')
    requireLocation(data, fail)
  },
)

/** What takes the place of an item. Without an image, or with neither data nor a name in it, its photo is removed. */
export type QuartermasterContentData = Static<typeof QuartermasterContentData>
export const QuartermasterContentData = Dto(
  'QuartermasterContentData',
  {
    category: OneOf(quartermasterCategories),
    itemName: Text(nameLength),
    itemDescription: Type.Optional(Text({ max: maxDescription })),
    location,
    hideOwnerName,
    image: Type.Optional(ImageUploadData),
  },
  requireLocation,
)

/** An item. While it is under review, a text of ours stands for each of its own, and its image is left out. */
export type QuartermasterData = Static<typeof QuartermasterData>
export const QuartermasterData = Dto('QuartermasterData', {
  itemID: Uuid,
  category: OneOf(quartermasterCategories),
  itemName: Type.String(),
  itemDescription: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
  /** Name of the stored image. */
  image: Type.Optional(Type.String()),
  /** Absent while it is not known. */
  imageSize: Type.Optional(ImageSizeData),
  /** Absent for others when the owner hides it. */
  owner: Type.Optional(UserHeader),
  hideOwnerName: Type.Boolean(),
  moderationStatus: OneOf(moderationStatuses),
  lastModificationTime: DateTime,
})

export type QuartermasterListData = Static<typeof QuartermasterListData>
export const QuartermasterListData = Dto('QuartermasterListData', { paginator: Paginator, items: Type.Array(QuartermasterData) })

/** An item as it was before a change, whose author is `author`. Empty texts stand for what it did not have. */
export type QuartermasterEditLogData = Static<typeof QuartermasterEditLogData>
export const QuartermasterEditLogData = Dto('QuartermasterEditLogData', {
  itemID: Uuid,
  editID: Uuid,
  createdAt: DateTime,
  author: UserHeader,
  itemName: Type.String(),
  itemDescription: Type.String(),
  location: Type.String(),
  image: Type.String(),
  hideOwnerName: Type.Boolean(),
})

/** An item with nothing hidden. */
export type QuartermasterModerationData = Static<typeof QuartermasterModerationData>
export const QuartermasterModerationData = Dto('QuartermasterModerationData', {
  item: QuartermasterData,
  isDeleted: Type.Boolean(),
  /** Oldest first. */
  edits: Type.Array(QuartermasterEditLogData),
  ...moderatedFields,
})

/** Query of the list. */
export const itemQuery = {
  ...pageQuery,
  category: Type.Optional(OneOf(quartermasterCategories, { ignoreCase: true })),
  search: Type.Optional(Text({ max: 200 })),
  mine: Type.Optional(Type.Boolean()),
}

export interface ItemQuery {
  start?: number
  limit?: number
  category?: (typeof quartermasterCategories)[number]
  search?: string
  /** Only the caller's own. */
  mine?: boolean
}
