// Two who change the same thing: the second learns of the first before theirs is written.
import { AppError } from '../core/base/errors.ts'

/** What tells two versions of a thing apart. */
type Seen = Date | string | number | boolean | null

/**
 * Refuses a change of `what` when it is no longer as the caller has seen it. Absent: the caller does not say, as the apps of today,
 * and the last one wins. @throws AppError 409
 */
export function requireSame(seen: Seen | undefined, now: Seen, what: string): void {
  if (seen === undefined || seen?.valueOf() === now?.valueOf()) return
  throw new AppError(409, 'changed_meanwhile', `Somebody else has changed ${what} in the meantime. Look at it again.`)
}

/** A time is the version of a row: two changes within one millisecond are two. */
export const laterThan = (before: Date | null | undefined, now: Date): Date =>
  before && before >= now ? new Date(before.getTime() + 1) : now
