// Photos as they are sent. Pure: their authors are in memory already.
import type { Accounts } from '../accounts/accounts.ts'
import type { EventData } from '../events/schemas.ts'
import { shownSize } from '../image/sizes.ts'
import type { PhotoRow } from './rows.ts'
import type { PhotostreamImageData } from './schemas.ts'
import { anywhere } from './types.ts'

/** A photo with its event, if that is on the schedule. */
export function photoData(
  accounts: Accounts,
  { id, authorId, image, imageSizes, createdAt, location }: PhotoRow,
  event: EventData | undefined,
): PhotostreamImageData {
  return {
    postID: id,
    createdAt,
    author: accounts.get(authorId).header,
    image,
    ...shownSize(imageSizes),
    ...(event ? { event } : { location: location ?? anywhere }),
  }
}
