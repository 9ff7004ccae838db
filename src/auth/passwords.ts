// Slow hashes, a few at a time: hashing must neither stall the loop nor be a way to exhaust the server.
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { Turns, type Claim } from './turns.ts'

// Argon2id is the library's default algorithm.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const turns = new Turns(Math.max(1, availableParallelism()), () => performance.now())

/** What the last hashes took, in milliseconds. */
const lastTookMs: number[] = []
const keptTimes = 32

/** For secrets of the program itself. */
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

/** Argon2id of passwords or normalised recovery keys, with salt and parameters in each text; all of them in one turn. */
export async function hashSecrets(secrets: readonly string[], claim: Claim): Promise<string[]> {
  const work = async () => {
    const hashes: string[] = []
    for (const secret of secrets) hashes.push(await timed(() => hash(secret, parameters)))
    return hashes
  }
  return await turns.run(claim, work, { hashes: secrets.length })
}

/** Argon2id of one secret. */
export async function hashSecret(secret: string, claim: Claim = insider): Promise<string> {
  const [hashed] = await hashSecrets([secret], claim)
  return hashed as string
}

/** A secret, and the hash that it should have given; null or empty for a name that nobody has. */
export type Guess = readonly [stored: string | null, secret: string]

/** True when the secret gave this hash. Anything that is not a hash matches nothing. */
export const verifySecret = (stored: string, secret: string, claim: Claim = insider): Promise<boolean> =>
  verifyAny([[stored, secret]], claim)

let decoy: Promise<string> | undefined

/** Lets the first unknown name take no longer than the others. */
export function prepareDecoy(): void {
  decoy ??= hashSecret('nobody has this password')
}

/**
 * Whether one of these is right, all in one turn. One without a hash takes as long, so that unknown names look like
 * known ones, and is never right. When there is nothing else, it only lasts as long in a crowd, waiting included: a flood of names that nobody has
 * shall not cost the processors a hash each, and keeps nobody waiting.
 */
export async function verifyAny(guesses: readonly Guess[], claim: Claim): Promise<boolean> {
  prepareDecoy()
  const instead = (await decoy) as string
  const isRight = async ([stored, secret]: Guess) =>
    (await timed(() => verify(stored || instead, secret).catch(() => false))) && Boolean(stored)
  const work = async () => {
    for (const guess of guesses) if (await isRight(guess)) return true
    return false
  }
  const wait = async (waitMs: number) => {
    await pause(guesses.reduce((sumMs) => sumMs + (lastTookMs[randomInt(lastTookMs.length)] ?? 0), waitMs))
    return false
  }
  const isIdle = guesses.every(([stored]) => !stored)
  return await turns.run(claim, work, { hashes: guesses.length, ...(isIdle && { instead: wait }) })
}

/**
 * Refuses whoever would have to wait too long for a hash, before anything is done for them; `before` others ask for the same.
 *
 * @throws AppError 429 with the time that it would take.
 */
export const requireTime = (claim: Claim, before = 0): void => turns.requireTime(claim, before)

/** True for a hash that can be checked here, and at a bearable price: one from elsewhere may ask for gigabytes. */
export function isCheckable(stored: string): boolean {
  const [, memory, time, lanes] = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$[\w+/-]{8,86}\$[\w+/-]{16,86}$/.exec(stored) ?? []
  return Number(memory) <= 4 * parameters.memoryCost && Number(time) <= 4 * parameters.timeCost && Number(lanes) <= 4
}

/** True when a hash was made with other parameters than those in force now. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`)
}
