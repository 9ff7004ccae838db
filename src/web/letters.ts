// Posts on their way, as pages show them: loaded with the pages.
import { newKey } from './client.ts'
import { change, deliver, letters, mine, paceKey, taken, type Letter, type Place } from './outbox.ts'
import { me } from './session.ts'

/** Letters on their way to one place, oldest first. */
export function lettersTo(place: Place, id: string): readonly Letter[] {
  return mine.value.filter((letter) => letter.place === place && letter.id === id)
}

/** Posts without those that are still shown as letters: nobody sees the same words twice. */
export function withoutSent<P extends { postID: number; text: string; author: { userID: string } }>(
  posts: readonly P[],
  toPlace: readonly Letter[],
): readonly P[] {
  const sent = toPlace.filter((letter) => letter.sentAt !== undefined)
  if (sent.length === 0) return posts
  return posts.filter(
    ({ postID, text, author }) =>
      !sent.some(
        (letter) =>
          (letter.as !== undefined || letter.authorID === author.userID) &&
          letter.after < postID &&
          (letter.kind ? text.startsWith(`${letter.text}\n`) : letter.text === text),
      ),
  )
}

/** Slow mode for whoever writes somewhere. */
export interface Slow {
  /** Between two posts; 0 without it. */
  seconds: number
  /** When the last one was taken, in milliseconds since 1970. */
  since: number
}

/** A post that is on the page, and when it was written. */
type Written = { author: { userID: string } } & ({ createdAt: string } | { timestamp: string })

/** `posts`: those that are here; the viewer may have written some elsewhere. */
export function slowIn(place: Place, id: string, seconds = 0, posts: readonly Written[] = []): Slow {
  const last = seconds > 0 ? posts.findLast(({ author }) => author.userID === me.value?.userID) : undefined
  const writtenAt = last ? Date.parse('createdAt' in last ? last.createdAt : last.timestamp) : 0
  // The clock of this device may be behind.
  return { seconds, since: Math.min(Date.now(), Math.max(taken.value[paceKey(place, id)] ?? 0, writtenAt)) }
}

/** Forgets a letter that was refused, or that its writer no longer wants. */
export function discard(key: string): void {
  change(letters.value.filter((letter) => letter.key !== key))
}

/** Sends a refused letter once more, as a new one. */
export function sendAgain(key: string): void {
  change(letters.value.map((letter) => (letter.key === key ? { ...letter, key: newKey(), refused: undefined, sentAt: undefined } : letter)))
  void deliver()
}
