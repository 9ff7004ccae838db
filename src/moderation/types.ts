// The closed lists of moderation: what can be reported, what moderators do, and in which state content is.

export const reportTypes = [
  'forum',
  'forumPost',
  'twarrt',
  'userProfile',
  'fez',
  'fezPost',
  'mkSong',
  'mkSongSnippet',
  'streamPhoto',
  'personalEvent',
] as const
export type ReportType = (typeof reportTypes)[number]

/** Reports on one piece of content: one that nobody has taken is open, and what is closed is closed by all. */
export const reportStates = ['open', 'taken', 'closed'] as const
export type ReportState = (typeof reportStates)[number]

export const moderatorActionTypes = [
  'post',
  'edit',
  'delete',
  'move',
  'quarantine',
  'markReviewed',
  'lock',
  'unlock',
  'pin',
  'unpin',
  'accessLevelUnverified',
  'accessLevelBanned',
  'accessLevelQuarantined',
  'accessLevelVerified',
  'accessLevelModerator',
  'accessLevelServiceTeam',
  'accessLevelTHO',
  'tempQuarantine',
  'tempQuarantineCleared',
] as const
export type ModeratorActionType = (typeof moderatorActionTypes)[number]

export const moderationStatuses = ['normal', 'autoQuarantined', 'quarantined', 'modReviewed', 'locked'] as const
export type ContentModerationStatus = (typeof moderationStatuses)[number]

/** True when a text takes the place of an item's own. In statements it is `is_hidden`. */
export const isHidden = (status: ContentModerationStatus): boolean => status === 'quarantined' || status === 'autoQuarantined'

/** True when nobody has closed an item for its owner and for answers. */
export const isOpen = (status: ContentModerationStatus): boolean => status === 'normal' || status === 'modReviewed'

/** The state of an item that was changed: an owner who changes what moderators had reviewed puts it up for review again. */
export const statusAfterChange = (status: ContentModerationStatus, byOwner: boolean): ContentModerationStatus =>
  byOwner && status === 'modReviewed' ? 'normal' : status

/** The words by which moderators set a state, with what each is called in the action log. */
export const settableStates = {
  normal: { status: 'normal', action: 'unlock' },
  quarantined: { status: 'quarantined', action: 'quarantine' },
  reviewed: { status: 'modReviewed', action: 'markReviewed' },
  locked: { status: 'locked', action: 'lock' },
} as const satisfies Record<string, { status: ContentModerationStatus; action: ModeratorActionType }>
export type SettableState = keyof typeof settableStates
export const settableStateNames = Object.keys(settableStates) as SettableState[]
