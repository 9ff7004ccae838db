// What a host may let go when it is old, and how soon.

/** Kinds of what grows old. What each of them is stands in the manifests of the features (`oldRows`). */
export const retentionKinds = ['deleted', 'versions', 'reports', 'trails', 'chats'] as const
export type RetentionKind = (typeof retentionKinds)[number]

/** For so many days each kind stays; 0: for good. */
export type RetentionDays = Readonly<Record<RetentionKind, number>>

export const keptForGood: RetentionDays = { deleted: 0, versions: 0, reports: 0, trails: 0, chats: 0 }

/** The fewest days: what a team has done stays long enough for others to look at it. */
export const leastDays: RetentionDays = { deleted: 1, versions: 1, reports: 30, trails: 30, chats: 7 }

export const mostDays = 3650
