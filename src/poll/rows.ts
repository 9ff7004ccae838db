// Rows of polls.

/** Where posts are that have polls. */
export const pollPlaces = ['fez', 'forum', 'microblog'] as const
export type PollPlace = (typeof pollPlaces)[number]

export interface PollRow {
  id: string
  authorId: string
  place: PollPlace
  /** Of the chat; null elsewhere. */
  fezId: string | null
  /** Null until the post is written. */
  postId: number | null
  question: string
  choices: string[]
  isSeveral: boolean
  isAnonymous: boolean
  endsAt: Date | null
  createdAt: Date
}

/** A poll that has its post. */
export type PostedPoll = PollRow & { postId: number }

export interface VoteRow {
  pollId: string
  personId: string
  /** The account that the person voted with. */
  accountId: string
  /** Index in the choices. */
  choice: number
}
