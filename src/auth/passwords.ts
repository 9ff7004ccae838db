// Slow hashes, a few at a time: hashing must neither stall the loop nor be a way to exhaust the server.
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { Turns, type Claim } from './turns.ts'

// Argon2id is the library's default algorithm.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const turns = new Turns(Math.max(1, availableParallelism()))

/** What the last hashes took, in milliseconds. */
const lastTookMs: number[] = []
const keptTimes = 32

/** For secrets of somebody who has been let in already. */
const insider: Claim = { lane: 'known', from: '' }

let made = 0

/** How many hashes this process has computed since its start. */
export const hashesMade = (): number => made

async function timed<T>(work: () => Promise<T>): Promise<T> {
  made++
  const startedMs = performance.now()
  try {
    return await work()
  } finally {
    lastTookMs.push(performance.now() - startedMs)
    if (lastTookMs.length > keptTimes) lastTookMs.shift()
  }
}

/** Argon2id of a password or a normalised recovery key, with salt and parameters in the text. */
export async function hashSecret(secret: string, claim: Claim = insider): Promise<string> {
  return await turns.run(claim, () => timed(() => hash(secret, parameters)))
}

/** True when the secret gave this hash. Anything that is not a hash matches nothing. */
export async function verifySecret(stored: string, secret: string, claim: Claim = insider): Promise<boolean> {
  return await turns.run(claim, () => timed(() => verify(stored, secret).catch(() => false)))
}

let decoy: Promise<string> | undefined

/** Lets the first unknown name take no longer than the others. */
export function prepareDecoy(): void {
  decoy ??= hashSecret('nobody has this password')
}

/**
 * Takes as long as a real check, so that unknown names look like known ones. Always false. In a crowd it only
 * lasts as long as one of the last checks did: a flood of names that nobody has shall not cost the processors a hash each.
 */
export async function verifyNothing(secret: string, claim: Claim): Promise<false> {
  prepareDecoy()
  const stored = (await decoy) as string
  const check = () => timed(() => verify(stored, secret))
  await turns.run(claim, check, async () => {
    await pause(lastTookMs[randomInt(lastTookMs.length)])
    return false
  })
  return false
}

/** True for a hash that can be checked here, and at a bearable price: one from elsewhere may ask for gigabytes. */
export function isCheckable(stored: string): boolean {
  const [, memory, time, lanes] = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$[\w+/-]{8,86}\$[\w+/-]{16,86}$/.exec(stored) ?? []
  return Number(memory) <= 4 * parameters.memoryCost && Number(time) <= 4 * parameters.timeCost && Number(lanes) <= 4
}

/** True when a hash was made with other parameters than those in force now. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`)
}
