// Polls and a viewer to what is sent, and the text of a poll's post. Pure.
import type { Accounts } from '../accounts/accounts.ts'
import { hidesContentOf, type Viewer } from '../core/base/viewer.ts'
import type { PollRow, PostedPoll, VoteRow } from './rows.ts'
import type { PollData } from './schemas.ts'

/** Names of voters that a choice shows. */
const shownVoters = 50

/** Also for clients that know nothing of polls: the address opens the page where they can vote. */
export function textOf({ id, question, choices }: Pick<PollRow, 'id' | 'question' | 'choices'>, serverUrl: string): string {
  return [question, ...choices.map((choice) => `▫ ${choice}`), `${serverUrl}/poll/${id}`].join('\n')
}

/** True when votes count no longer. */
export const hasEnded = ({ endsAt }: Pick<PollRow, 'endsAt'>, nowMs: number): boolean => endsAt !== null && endsAt.getTime() <= nowMs

/** A poll as the viewer gets it. `votes` are its own, in order; all accounts are loaded. */
export function pollData(
  { viewer, accounts, nowMs, serverUrl }: { viewer: Viewer; accounts: Accounts; nowMs: number; serverUrl: string },
  poll: PostedPoll,
  votes: readonly VoteRow[],
): PollData {
  return {
    pollID: poll.id,
    place: poll.place,
    ...(poll.fezId ? { placeID: poll.fezId } : {}),
    postID: poll.postId,
    author: accounts.get(poll.authorId).header,
    question: poll.question,
    choices: poll.choices.map((text, index) => {
      const own = votes.filter(({ choice }) => choice === index)
      const voters = own.map(({ accountId }) => accounts.get(accountId)).filter((account) => !hidesContentOf(viewer, account))
      return {
        text,
        votes: own.length,
        isChosen: own.some(({ personId }) => personId === viewer.personId),
        ...(poll.isAnonymous ? {} : { voters: voters.slice(0, shownVoters).map(({ header }) => header) }),
      }
    }),
    several: poll.isSeveral,
    anonymous: poll.isAnonymous,
    ...(poll.endsAt ? { endsAt: poll.endsAt } : {}),
    hasEnded: hasEnded(poll, nowMs),
    voterCount: new Set(votes.map(({ personId }) => personId)).size,
    text: textOf(poll, serverUrl),
  }
}
