// Closed lists of the microblog.
import { reactions } from '../post/types.ts'

/** Reactions that posts can be looked for by; `all` stands for any. */
export const likeTypes = [...reactions, 'all'] as const

/** The end from which posts are counted. */
export const ends = ['first', 'last'] as const
