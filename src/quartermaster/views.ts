// Items as they are sent. Pure: their owners are in memory already.
import type { Accounts } from '../accounts/accounts.ts'
import { shownSize } from '../image/sizes.ts'
import { isHidden } from '../moderation/types.ts'
import type { ItemEditRow, ItemRow } from './rows.ts'
import type { QuartermasterData, QuartermasterEditLogData } from './schemas.ts'

const underReview = 'This item is under moderator review.'

interface Shown {
  /** Although others do not see whose it is. */
  owner: boolean
  /** Although it is under review. */
  hidden?: boolean
}

/** An item for one viewer. What is under review has a text of ours in each place, also where there was none. */
export function itemData(accounts: Accounts, row: ItemRow, shows: Shown): QuartermasterData {
  const { id, ownerId, category, name, description, location, hidesOwner, image, imageSizes, moderationStatus, changedAt } = row
  const content =
    isHidden(moderationStatus) && !shows.hidden
      ? { itemName: underReview, itemDescription: underReview, location: underReview }
      : {
          itemName: name,
          ...(description === null ? {} : { itemDescription: description }),
          ...(location === null ? {} : { location }),
          ...(image === null ? {} : { image, ...shownSize(imageSizes) }),
        }
  return {
    itemID: id,
    category,
    ...content,
    ...(shows.owner || !hidesOwner ? { owner: accounts.get(ownerId).header } : {}),
    hideOwnerName: hidesOwner,
    moderationStatus,
    lastModificationTime: changedAt,
  }
}

/** An item before a change; empty texts stand for what it did not have. */
export function itemEditData(accounts: Accounts, itemID: string, row: ItemEditRow): QuartermasterEditLogData {
  const { id, editorId, createdAt, name, description, location, hidesOwner, image } = row
  return {
    itemID,
    editID: id,
    createdAt,
    author: accounts.get(editorId).header,
    itemName: name,
    itemDescription: description ?? '',
    location: location ?? '',
    image: image ?? '',
    hideOwnerName: hidesOwner,
  }
}
