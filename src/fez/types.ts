// The kinds of group chat and what follows from the kind alone.

export const fezTypes = [
  'closed',
  'open',
  'activity',
  'dining',
  'gaming',
  'meetup',
  'music',
  'other',
  'shore',
  'personalEvent',
  'privateEvent',
] as const
export type FezType = (typeof fezTypes)[number]

/** Users may join these by themselves. */
export const lfgTypes: readonly FezType[] = ['activity', 'dining', 'gaming', 'meetup', 'music', 'other', 'shore']

/** Entries of users' own calendars: with others, or alone. */
export const personalTypes: readonly FezType[] = ['personalEvent', 'privateEvent']

/** Shown to people; same order as `fezTypes`. */
export const fezTypeLabels: Readonly<Record<FezType, string>> = {
  closed: 'Private Chat',
  open: 'Open Chat',
  activity: 'Activity',
  dining: 'Dining',
  gaming: 'Gaming',
  meetup: 'Meetup',
  music: 'Music',
  other: 'Other',
  shore: 'Shore',
  personalEvent: 'Personal Event',
  privateEvent: 'Private Event',
}

/** The three groups of a user's chats. */
export type ChatGroup = 'seamail' | 'lfg' | 'privateEvent'

export const isLfg = (type: FezType): boolean => lfgTypes.includes(type)
export const isSeamail = (type: FezType): boolean => type === 'closed' || type === 'open'

/** Who may see a chat: everybody, whoever has its address, or its members. */
export const fezVisibilities = ['private', 'public', 'unlisted'] as const
export type FezVisibility = (typeof fezVisibilities)[number]

export const visibilityOf = ({ fezType, unlisted }: { fezType: FezType; unlisted: boolean }): FezVisibility =>
  isLfg(fezType) ? 'public' : unlisted ? 'unlisted' : 'private'

/** True when chats of a kind may have this visibility. */
export const mayBe = (type: FezType, visibility: FezVisibility): boolean =>
  type === 'privateEvent' ? visibility !== 'public' : visibility === visibilityOf({ fezType: type, unlisted: false })

/** The type under which a chat is reported, and in the log of moderators. */
export const reportTypeOf = (type: FezType): 'fez' | 'privateEvent' => (personalTypes.includes(type) ? 'privateEvent' : 'fez')

/** The group that a chat is counted in. */
export function chatGroup(type: FezType): ChatGroup {
  if (isSeamail(type)) return 'seamail'
  return isLfg(type) ? 'lfg' : 'privateEvent'
}

/** How a chat is called in texts for people. */
export function chatLabel(type: FezType): string {
  return { seamail: 'Seamail', lfg: 'LFG', privateEvent: 'Private Event' }[chatGroup(type)]
}
