// Closed lists of posts.

export const reactions = ['laugh', 'like', 'love'] as const
/** What a user says to a post without words. */
export type Reaction = (typeof reactions)[number]

/** Where posts are that everybody may see. */
export type FeedName = 'forum' | 'microblog'
