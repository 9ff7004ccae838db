// From profile rows to what a viewer gets to see. Pure.
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import { isModerator, type Viewer } from '../core/base/viewer.ts'
import { isHidden } from '../moderation/types.ts'
import type { ProfileRow } from './profile.queries.ts'
import type { ProfilePublicData, UserProfileUploadData } from './schemas.ts'

const underReview = 'This profile is under review by the moderators.'

/** True when the texts and the picture of a profile are not to be shown to the viewer, its owner included. */
export function isWithheld(viewer: Viewer, { moderationStatus }: Pick<ProfileRow, 'moderationStatus'>): boolean {
  return isHidden(moderationStatus) && !isModerator(viewer)
}

/** A profile as the viewer may see it, with the viewer's private note and marks. */
export function profilePublicData(viewer: Viewer, row: ProfileRow & { note?: string | null; isFavorite?: boolean }): ProfilePublicData {
  const { id: userID, username, preferredPronoun, isFavorite = false } = row
  const own = { ...(row.note ? { note: row.note } : {}), isFavorite }
  if (isWithheld(viewer, row)) {
    const header: UserHeader = { userID, username, ...(preferredPronoun ? { preferredPronoun } : {}) }
    return { header, realName: '', homeLocation: '', roomNumber: '', email: '', about: '', message: underReview, ...own }
  }
  return {
    header: headerOf(row),
    realName: row.realName ?? '',
    homeLocation: row.homeLocation ?? '',
    roomNumber: row.roomNumber ?? '',
    email: row.email ?? '',
    about: row.about ?? '',
    message: row.message ?? '',
    ...(row.dinnerTeam ? { dinnerTeam: row.dinnerTeam } : {}),
    ...own,
    ...(row.discordUsername ? { discordUsername: row.discordUsername } : {}),
  }
}

/** A profile in the form in which it is logged. */
export function profileUploadData(row: ProfileRow): UserProfileUploadData {
  const { displayName, realName, preferredPronoun, homeLocation, roomNumber, email, message, about, dinnerTeam, discordUsername } = row
  const fields = { displayName, realName, preferredPronoun, homeLocation, roomNumber, email, message, about, dinnerTeam, discordUsername }
  return { header: headerOf(row), ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) }
}
