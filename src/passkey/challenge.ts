// What a passkey is asked to sign: random, for a short while, for one purpose, and once. The browser carries it, sealed, so that
// nothing is kept for those who never come back, and any server can go on with it.
import { sealState, unsealState } from '../auth/seal.ts'
import type { Node } from '../core/work/ctx.ts'
import type { RateRule } from '../core/work/rate-limit.ts'
import type { PasskeyChallengeData } from './schemas.ts'

const challengeBytes = 32
const seconds = 300
const once: RateRule = { name: 'passkey-challenge', points: 1, seconds }

/** `purpose`: signing in, or a passkey for an account. */
export function newChallenge(node: Node, purpose: string): PasskeyChallengeData {
  const challenge = node.random.bytes(challengeBytes).toString('base64url')
  return { challenge, state: sealState(node, 'passkey', purpose, { challenge }, seconds * 1000) }
}

/** The challenge that was given for this purpose, which is used up by that; undefined when there is none. */
export async function useChallenge(node: Node, purpose: string, state: string): Promise<string | undefined> {
  const { challenge } = unsealState<{ challenge: string }>(node, 'passkey', purpose, state) ?? {}
  if (challenge === undefined) return undefined
  return (await node.rateLimiter.takeAll([[once, challenge]])) > 0 ? undefined : challenge
}
