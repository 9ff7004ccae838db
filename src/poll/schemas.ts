// The wire forms of polls.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, FlagWithAlias, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { pollPlaces } from './rows.ts'

const choiceCount = { min: 2, max: 10 }

/** Asks a question in a chat, a forum or the microblog. */
export type PollContentData = Static<typeof PollContentData>
export const PollContentData = Dto(
  'PollContentData',
  {
    place: OneOf(pollPlaces),
    /** The chat or forum; absent for the microblog. */
    placeID: Type.Optional(Uuid),
    question: Text({ min: 1, max: 500, lines: 5 }),
    /** 2 to 10, no two alike. */
    choices: Type.Array(Text({ min: 1, max: 100, lines: 1 }), { maxItems: 50 }),
    /** Somebody may vote for more than one. */
    several: Type.Optional(Type.Boolean()),
    /** Nobody, the author included, sees who voted for what. */
    anonymous: Type.Optional(Type.Boolean()),
    /** Votes count until then. Absent: until the author ends it. */
    endsAt: Type.Optional(DateTime),
    postAsModerator: Type.Optional(Type.Boolean()),
    postAsServiceTeam: Type.Optional(FlagWithAlias('postAsTwitarrTeam')),
  },
  ({ place, placeID, choices, question }, fail) => {
    if ((place === 'microblog') !== (placeID === undefined))
      fail(place === 'microblog' ? 'placeID must be left out' : 'placeID must name the chat or forum', 'placeID')
    if (question.trim() === '') fail({ text: 'question must not be empty', rule: 'empty' }, 'question')
    if (choices.length < choiceCount.min || choices.length > choiceCount.max)
      fail(`There must be ${choiceCount.min} to ${choiceCount.max} choices`, 'choices')
    if (choices.some((choice) => choice.trim() === '')) fail({ text: 'No choice may be empty', rule: 'empty' }, 'choices')
    const different = new Set(choices.map((choice) => choice.trim().toLowerCase()))
    if (different.size < choices.length) fail({ text: 'No two choices may be alike', rule: 'alike' }, 'choices')
  },
)

/** A choice and its votes. */
export type PollChoiceData = Static<typeof PollChoiceData>
export const PollChoiceData = Dto('PollChoiceData', {
  text: Type.String(),
  /** Of persons. */
  votes: Int,
  /** The caller has voted for it. */
  isChosen: Type.Boolean(),
  /** Who voted for it, the first of them, without those whom the caller hides. Absent from anonymous polls. */
  voters: Type.Optional(Type.Array(UserHeader)),
})

/** A poll as its viewer sees it. */
export type PollData = Static<typeof PollData>
export const PollData = Dto('PollData', {
  pollID: Uuid,
  place: OneOf(pollPlaces),
  /** The chat; absent elsewhere. */
  placeID: Type.Optional(Uuid),
  /** The post that has the poll in its text. */
  postID: Int,
  author: UserHeader,
  question: Type.String(),
  choices: Type.Array(PollChoiceData),
  several: Type.Boolean(),
  anonymous: Type.Boolean(),
  endsAt: Type.Optional(DateTime),
  hasEnded: Type.Boolean(),
  /** Persons who have voted. */
  voterCount: Int,
  /** The text of the post as it was written: clients that show the poll show it in place of this. */
  text: Type.String(),
})

/** The caller's votes, in place of earlier ones. */
export type PollVoteData = Static<typeof PollVoteData>
export const PollVoteData = Dto('PollVoteData', {
  /** Indexes of choices; none takes the vote back. */
  choices: Type.Array(Int, { maxItems: 10 }),
})
