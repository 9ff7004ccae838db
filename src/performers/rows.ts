// Performers as they are stored.

/** What a performer says of themselves, under the names of the API; in the order in which changes are listed. */
export const profileFields = [
  'pronouns',
  'bio',
  'organization',
  'title',
  'website',
  'facebookURL',
  'xURL',
  'instagramURL',
  'youtubeURL',
] as const
export type ProfileField = (typeof profileFields)[number]
export type Profile = Record<ProfileField, string | null>

export interface PerformerRow extends Profile {
  id: string
  /** The user whose page it is. */
  accountId: string | null
  isOfficial: boolean
  name: string
  /** Name of a stored image. */
  photo: string | null
  /** Ascending. */
  yearsAttended: number[]
  alternativeNames: string[]
}

/** An event that is not deleted, as performers are matched with it. */
export interface MatchableEvent {
  id: string
  uid: string
  title: string
  location: string
  /** Floating. */
  startTime: Date
}

/** A performer at an event. */
export interface Link {
  performerId: string
  eventId: string
}
