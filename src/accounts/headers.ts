// From rows of accounts to headers. Pure.
import type { AccountRow } from './rows.ts'
import type { UserHeader } from './schemas.ts'

/** The header of a row that is not in the cache. */
export function headerOf(row: AccountRow): UserHeader {
  return {
    userID: row.id,
    username: row.username,
    ...(row.displayName ? { displayName: row.displayName } : {}),
    ...(row.userImage ? { userImage: row.userImage } : {}),
    ...(row.preferredPronoun ? { preferredPronoun: row.preferredPronoun } : {}),
  }
}

/** The header shown in place of a participant hidden by a block. */
export const blockedUserHeader: UserHeader = {
  userID: '00000000-0000-4000-8000-0000000000ff',
  username: 'BlockedUser',
  displayName: 'BlockedUser',
  userImage: '',
  preferredPronoun: '',
}
