// Limits of wrong passwords, for one account and for one account from one address. Not for
// one address alone, since a whole ship may share one.
import { createHmac } from 'node:crypto'
import type { Node } from '../core/ctx.ts'
import { tooManyRequests } from '../core/errors.ts'
import type { RateRule } from '../core/http/rate-limit.ts'
import { isKnownAddress, upsertKnownAddress } from './queries.ts'

const fromOneAddress: RateRule = { name: 'password-address', points: 10, seconds: 600 }
const ofOneAccount: RateRule = { name: 'password-account', points: 100, seconds: 600 }

/** A password about to be checked. */
export interface Attempt {
  /** Key of the username, whether there is such an account or not. */
  key: string
  /** Empty for a user who is logged in and has to type their password again. */
  address: string
  personId: string | undefined
}

/**
 * Checks a password with `judge`. Attempts at one account from one address wait
 * for each other, or many at once would be more guesses than are counted.
 *
 * @throws AppError 429 after too many failures.
 */
export async function judged(node: Node, attempt: Attempt, judge: () => Promise<boolean>): Promise<boolean> {
  const { key, address } = attempt
  return await oneByOne(`${key}|${address}`, async () => {
    await refuseGuessing(node, attempt)
    const right = await judge()
    if (!right)
      await Promise.all([
        node.rateLimiter.take(fromOneAddress, `${key}|${address}`),
        ...(address === '' ? [] : [node.rateLimiter.take(ofOneAccount, key)]),
      ])
    return right
  })
}

async function refuseGuessing(node: Node, { key, address, personId }: Attempt): Promise<void> {
  const [here, everywhere] = await Promise.all([
    node.rateLimiter.secondsToWait(fromOneAddress, `${key}|${address}`),
    address === '' ? 0 : node.rateLimiter.secondsToWait(ofOneAccount, key),
  ])
  const seconds =
    everywhere > here && (await isKnownAddress(node.db.sql, personId, digestOf(node, address))) ? here : Math.max(here, everywhere)
  if (seconds > 0)
    throw tooManyRequests('too_many_attempts', `Too many wrong passwords for this account. Try again in ${seconds} seconds.`, seconds)
}

/** Remembers where a person has logged in, for a month. */
export async function rememberAddress(node: Node, personId: string, address: string): Promise<void> {
  await upsertKnownAddress(node.db.sql, personId, digestOf(node, address), new Date(node.clock.now()))
}

const digestOf = (node: Node, address: string): Buffer => createHmac('sha256', node.tokenSecret).update(`address ${address}`).digest()

const lines = new Map<string, Promise<unknown>>()

/** Runs `work` when everything under the same key that came before is done. */
async function oneByOne<T>(key: string, work: () => Promise<T>): Promise<T> {
  const mine = (lines.get(key) ?? Promise.resolve()).then(work, work)
  lines.set(key, mine)
  try {
    return await mine
  } finally {
    if (lines.get(key) === mine) lines.delete(key)
  }
}
