// Closed lists of posts.

export const reactions = ['laugh', 'like', 'love'] as const
/** What a user says to a post without words. */
export type Reaction = (typeof reactions)[number]
