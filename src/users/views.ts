// From profile rows to what a viewer gets to see. Pure.
import { headerOf, type UserHeader } from '../core/accounts.ts'
import { isModerator, type Viewer } from '../core/viewer.ts'
import type { ProfileRow } from './profile.queries.ts'
import type { ProfilePublicData } from './schemas.ts'

const underReview = 'This profile is under review by the moderators.'

/** True when the texts and the picture of a profile are not to be shown to the viewer, its owner included. */
export function isWithheld(viewer: Viewer, { moderationStatus }: Pick<ProfileRow, 'moderationStatus'>): boolean {
  return (moderationStatus === 'quarantined' || moderationStatus === 'autoQuarantined') && !isModerator(viewer)
}

/** A profile as the viewer may see it. */
export function profilePublicData(viewer: Viewer, row: ProfileRow): ProfilePublicData {
  const { id: userID, username, preferredPronoun } = row
  if (isWithheld(viewer, row)) {
    const header: UserHeader = { userID, username, ...preferredPronoun ? { preferredPronoun } : {} }
    return { header, realName: '', homeLocation: '', roomNumber: '', email: '', about: '', message: underReview, isFavorite: false }
  }
  return {
    header: headerOf(row),
    realName: row.realName ?? '',
    homeLocation: row.homeLocation ?? '',
    roomNumber: row.roomNumber ?? '',
    email: row.email ?? '',
    about: row.about ?? '',
    message: row.message ?? '',
    ...row.dinnerTeam ? { dinnerTeam: row.dinnerTeam } : {},
    isFavorite: false,
    ...row.discordUsername ? { discordUsername: row.discordUsername } : {},
  }
}
