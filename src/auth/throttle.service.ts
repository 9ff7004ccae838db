// Work for callers who have no token yet: how many wrong passwords are checked, for one account, for one account from
// one address, for one address and in all; how many recoveries fail; how many accounts are made without a code.
import { createHmac } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Node } from '../core/work/ctx.ts'
import { attempted, tooManyRequests } from '../core/base/errors.ts'
import type { Count, RateRule } from '../core/work/rate-limit.ts'
import { requireTime } from './passwords.ts'
import { upsertKnownAddress } from './queries.ts'
import type { Claim, Lane } from './turns.ts'

const fromOneAddress: RateRule = { name: 'password-address', points: 10, seconds: 600 }
const ofOneAccount: RateRule = { name: 'password-account', points: 100, seconds: 600 }

/** A password about to be checked. */
export interface Attempt {
  /** Key of the username, whether there is such an account or not. */
  key: string
  /** Empty for a user who is logged in and has to type their password again. */
  address: string
  /** The user is logged in, or tries to where their person has logged in lately. */
  isKnown: boolean
}

/**
 * Checks a password with `judge`. It counts as wrong before it is checked, and is taken back when it was right. Attempts
 * at one account from one address wait for each other: many right ones at once are no wrong ones.
 *
 * @throws AppError 429 after too many failures.
 */
export async function judged(node: Node, { key, address, isKnown }: Attempt, judge: (claim: Claim) => Promise<boolean>): Promise<boolean> {
  const network = networkOf(address)
  const own: Count[] = [[fromOneAddress, `${key}|${network}`]]
  const shared: Count[] = address === '' ? [] : [[ofOneAccount, key], ...countsOf(anonymousWork.login, network)]
  // Failures elsewhere, or at other names, never lock out a recently used address.
  const counts = isKnown ? own : [...own, ...shared]
  const claim: Claim = { lane: isKnown ? 'known' : 'stranger', from: network || key }
  return await oneByOne(`${key}|${network}`, claim, async () => {
    requireNone(await node.rateLimiter.takeAll(counts), 'wrong passwords')
    let isWrong = false
    try {
      const right = await judge(claim)
      isWrong = !right
      return right
    } finally {
      if (!isWrong) await node.rateLimiter.giveBack(counts)
      else if (isKnown && shared.length > 0) await node.rateLimiter.takeAll(shared)
    }
  })
}

/** The place in the queue for work that somebody without a token wants. */
export const claimFrom = (address: string, lane: Lane): Claim => ({ lane, from: networkOf(address) })

/** Work that anybody can ask for without a token: how much of it, for one network and in all. */
const anonymousWork = {
  /** Only wrong passwords count. */
  login: [
    { name: 'password-network', points: 1500, seconds: 600 },
    { name: 'password-all', points: 6000, seconds: 600 },
  ],
  /** Only failures count. */
  recovery: [
    { name: 'recovery-network', points: 500, seconds: 600 },
    { name: 'recovery-all', points: 2000, seconds: 600 },
  ],
  /**
   * Attempts without a free registration code. Whole ships may come on board behind one address; what this bounds is how many
   * accounts that nobody needs fill the disk.
   */
  creation: [
    { name: 'newcomers-network', points: 40_000, seconds: 3600 },
    { name: 'newcomers-all', points: 60_000, seconds: 3600 },
  ],
} as const satisfies Record<string, readonly [RateRule, RateRule]>

const countsOf = ([ofNetwork, ofAll]: readonly [RateRule, RateRule], network: string): Count[] => [
  [ofNetwork, network],
  [ofAll, 'all'],
]

function requireNone(seconds: number, what: string): void {
  if (seconds > 0) throw attempted(tooManyRequests('too_many_attempts', `Too many ${what}. Try again in ${seconds} seconds.`, seconds))
}

/** Counts an account that is to be made without a registration code. @throws AppError 429 when there are too many. */
export async function countNewcomer(node: Node, address: string): Promise<void> {
  requireNone(await node.rateLimiter.takeAll(countsOf(anonymousWork.creation, networkOf(address))), 'new accounts')
}

/** Takes back one of these: nothing was done for it. */
export async function uncountNewcomer(node: Node, address: string): Promise<void> {
  await node.rateLimiter.giveBack(countsOf(anonymousWork.creation, networkOf(address)))
}

/** @throws AppError 429 after too many failed recoveries. */
export async function requireRecoveries(node: Node, address: string): Promise<void> {
  requireNone(await node.rateLimiter.secondsToWait(countsOf(anonymousWork.recovery, networkOf(address))), 'failed recoveries')
}

export async function countFailedRecovery(node: Node, address: string): Promise<void> {
  await node.rateLimiter.takeAll(countsOf(anonymousWork.recovery, networkOf(address)))
}

/** Of IPv6 the part that a provider gives to one customer: nobody is short of the rest. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^(?:0{0,4}:){2,5}ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [front = '', back] = address.split('::')
  const groups = front.split(':').filter((group) => group !== '')
  const after = back?.split(':').filter((group) => group !== '') ?? []
  const missing = back === undefined ? 0 : Math.max(0, 8 - groups.length - after.length)
  return [...groups, ...Array.from({ length: missing }, () => '0'), ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** Remembers where a person has logged in, for a month. */
export async function rememberAddress(node: Node, personId: string, address: string): Promise<void> {
  await upsertKnownAddress(node.db.sql, personId, digestOf(node, address), new Date(node.clock.now()))
}

/** Of an address, as it is remembered. */
export const digestOf = (node: Node, address: string): Buffer =>
  createHmac('sha256', node.tokenSecret).update(`address ${address}`).digest()

interface Row {
  last: Promise<unknown>
  length: number
}

const rows = new Map<string, Row>()

/**
 * Runs `work` when everything under the same key that came before is done.
 *
 * @throws AppError 429 when that would take too long.
 */
export async function oneByOne<T>(key: string, claim: Claim, work: () => Promise<T>): Promise<T> {
  const row = rows.get(key) ?? { last: Promise.resolve(), length: 0 }
  requireTime(claim, row.length)
  const mine = row.last.then(work, work)
  row.last = mine
  row.length++
  rows.set(key, row)
  try {
    return await mine
  } finally {
    row.length--
    if (row.length === 0) rows.delete(key)
  }
}
