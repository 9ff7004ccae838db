// Closed lists of posts.

export const reactions = ['laugh', 'like', 'love'] as const
/** A reaction of a user to a post. */
export type Reaction = (typeof reactions)[number]
