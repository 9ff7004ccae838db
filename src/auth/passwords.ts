// Slow hashes, a few at a time: hashing must neither stall the loop nor be a way to exhaust the server.
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { hash, verify } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { Turns, type Claim } from './turns.ts'

// Argon2id is the library's default algorithm.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashes of people who come from elsewhere may be bcrypt, until they sign in. */
const bcryptForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
/** One more costs twice as much. */
const bcryptCosts = { min: 4, max: 14 }
/** Of this cost, a check takes about as long as one of argon2id with the parameters above. */
const bcryptCostOfOneHash = 7
/** Bcrypt looks at no more bytes of a password. */
const bcryptBytes = 72

const turns = new Turns(Math.max(1, availableParallelism()), () => performance.now())

/** What the last hashes of argon2id took, in milliseconds. */
const lastTookMs: number[] = []
/** What the last checks of bcrypt took. */
const lastBcryptMs: number[] = []
const keptTimes = 32

/** For secrets of the program itself. */
const insider: Claim = { lane: 'known', from: '' }

let made = 0

/** How many hashes this process has computed since its start. */
export const hashesMade = (): number => made

async function timed<T>(times: number[], work: () => Promise<T>): Promise<T> {
  made++
  const startedMs = performance.now()
  try {
    return await work()
  } finally {
    times.push(performance.now() - startedMs)
    if (times.length > keptTimes) times.shift()
  }
}

/** Argon2id of passwords or normalised recovery keys, with salt and parameters in each text; all of them in one turn. */
export async function hashSecrets(secrets: readonly string[], claim: Claim): Promise<string[]> {
  const work = async () => {
    const hashes: string[] = []
    for (const secret of secrets) hashes.push(await timed(lastTookMs, () => hash(secret, parameters)))
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

/** Whether one of these is right; see {@link findRight}. */
export const verifyAny = async (guesses: readonly Guess[], claim: Claim): Promise<boolean> =>
  (await findRight(guesses, claim)) !== undefined

/**
 * Which of these is right, all in one turn. One without a hash takes as long, so that unknown names look like
 * known ones, and is never right. When there is nothing else, it only lasts as long in a crowd, waiting included: a flood of names that nobody has
 * shall not cost the processors a hash each, and keeps nobody waiting. Where there are hashes of bcrypt, which take longer, wrong
 * guesses of all others last as long as one.
 */
export async function findRight(guesses: readonly Guess[], claim: Claim): Promise<Guess | undefined> {
  prepareDecoy()
  const instead = (await decoy) as string
  const isRight = async ([stored, secret]: Guess) => (await check(stored || instead, secret)) && Boolean(stored)
  const work = async () => {
    for (const guess of guesses) if (await isRight(guess)) return guess
    return undefined
  }
  const wait = async (waitMs: number) => {
    await pause(guesses.reduce((sumMs) => sumMs + oneOf(lastTookMs), waitMs))
    return undefined
  }
  const isIdle = guesses.every(([stored]) => !stored)
  const hashes = guesses.reduce((sum, [stored]) => sum + hashesIn(stored), 0)
  const right = await turns.run(claim, work, { hashes, ...(isIdle && { instead: wait }) })
  if (!right) await pauseLikeBcrypt(guesses)
  return right
}

/** Whatever cannot be checked is wrong. */
async function check(stored: string, secret: string): Promise<boolean> {
  if (!bcryptForm.test(stored)) return await timed(lastTookMs, () => verify(stored, secret).catch(() => false))
  const bytes = Buffer.from(secret).subarray(0, bcryptBytes)
  return isCheckable(stored) && (await timed(lastBcryptMs, () => verifyBcrypt(bytes, stored).catch(() => false)))
}

/** Costs no processor, and nobody a turn. */
async function pauseLikeBcrypt(guesses: readonly Guess[]): Promise<void> {
  const others = guesses.filter(([stored]) => !bcryptForm.test(stored ?? ''))
  const pauseMs = others.reduce((sumMs) => sumMs + oneOf(lastBcryptMs) - oneOf(lastTookMs), 0)
  if (lastBcryptMs.length > 0 && pauseMs > 0) await pause(pauseMs)
}

/** Any of these times; none is no time. */
const oneOf = (times: readonly number[]): number => (times.length > 0 ? (times[randomInt(times.length)] as number) : 0)

/** How many hashes of argon2id a check is like. */
function hashesIn(stored: string | null): number {
  return Math.max(1, 2 ** ((bcryptCostOf(stored ?? '') ?? bcryptCostOfOneHash) - bcryptCostOfOneHash))
}

/**
 * Refuses whoever would have to wait too long for a hash, before anything is done for them; `before` others ask for the same.
 *
 * @throws AppError 429 with the time that it would take.
 */
export const requireTime = (claim: Claim, before = 0): void => turns.requireTime(claim, before)

/** True for a hash that can be checked here, and at a bearable price: one from elsewhere may ask for gigabytes. */
export function isCheckable(stored: string): boolean {
  const bcryptCost = bcryptCostOf(stored)
  if (bcryptCost !== undefined) return bcryptCost >= bcryptCosts.min && bcryptCost <= bcryptCosts.max
  const [, memory, time, lanes] = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$[\w+/-]{8,86}\$[\w+/-]{16,86}$/.exec(stored) ?? []
  return Number(memory) <= 4 * parameters.memoryCost && Number(time) <= 4 * parameters.timeCost && Number(lanes) <= 4
}

/** Why a hash cannot be checked, to be said after "the password"; undefined when it can. */
export function whyUncheckable(stored: string): string | undefined {
  if (isCheckable(stored)) return undefined
  const bcryptCost = bcryptCostOf(stored)
  if (bcryptCost === undefined) return 'cannot be checked here'
  return `has a bcrypt cost of ${bcryptCost}, and only ${bcryptCosts.min} to ${bcryptCosts.max} can be checked here`
}

function bcryptCostOf(stored: string): number | undefined {
  const [, cost] = bcryptForm.exec(stored) ?? []
  return cost === undefined ? undefined : Number(cost)
}

/** True when a hash was made in another way than new ones are. */
export function isOutdated(stored: string): boolean {
  return !stored.startsWith(`$argon2id$v=19$m=${parameters.memoryCost},t=${parameters.timeCost},p=${parameters.parallelism}$`)
}
