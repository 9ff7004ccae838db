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
  'privateEvent',
  'quartermasterItem',
] as const
export type ReportType = (typeof reportTypes)[number]

/** What holds reported content: of chats, their kind. */
export const placeKinds = ['forum', 'lfg', 'open', 'closed', 'privateEvent', 'personalEvent', 'event', 'location', 'song'] as const
export type PlaceKind = (typeof placeKinds)[number]

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

/** Of the queue: first what waits longest, the newest report, or the most reports. */
export const queueOrders = ['waiting', 'newest', 'reports'] as const
export type QueueOrder = (typeof queueOrders)[number]

/** What moderators do about one thing that the next of them has to know. */
export const moderatorActs = ['setState', 'handleReports', 'closeReports', 'setSlowMode', 'edit', 'delete', 'move'] as const
export type ModeratorAct = (typeof moderatorActs)[number]

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
