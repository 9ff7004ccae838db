// Slow hashes, a few at a time: hashing must neither stall the loop nor be a way to exhaust the server.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { tooManyRequests, unavailable, type AppError } from '../core/errors.ts'

// Argon2id is the library's default algorithm.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const maxRunning = Math.max(1, availableParallelism())
const maxWaiting = 500
const maxStrangersWaiting = 100

/**
 * Somebody `known` is logged in, or tries to where they have logged in before; everybody else is a `stranger`.
 * The known come first, in order. Of strangers the newest comes first, and the oldest gives way when there are too
 * many: in a flood one more request is still answered at once.
 */
export type Lane = 'known' | 'stranger'

interface Waiting {
  go(): void
  giveUp(error: AppError): void
}

const known: Waiting[] = []
const strangers: Waiting[] = []
let running = 0

async function inTurn<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
  if (running >= maxRunning) await waitIn(lane)
  running++
  try {
    return await work()
  } finally {
    running--
    ;(known.shift() ?? strangers.pop())?.go()
  }
}

async function waitIn(lane: Lane): Promise<void> {
  if (lane === 'known' && known.length >= maxWaiting) throw unavailable('busy', 'Too many logins at once. Try again in a moment.')
  if (lane === 'stranger' && strangers.length >= maxStrangersWaiting)
    strangers.shift()?.giveUp(tooManyRequests('busy', 'Too many logins at once. Try again in a moment.', 2))
  await new Promise<void>((go, giveUp) => (lane === 'known' ? known : strangers).push({ go, giveUp }))
}

/** Argon2id of a password or a normalised recovery key, with salt and parameters in the text. */
export async function hashSecret(secret: string, lane: Lane = 'known'): Promise<string> {
  return await inTurn(lane, () => hash(secret, parameters))
}

/** True when the secret gave this hash. Anything that is not a hash matches nothing. */
export async function verifySecret(stored: string, secret: string, lane: Lane = 'known'): Promise<boolean> {
  return await inTurn(lane, () => verify(stored, secret).catch(() => false))
}

let decoy: Promise<string> | undefined

/** Lets the first unknown name take no longer than the others. */
export function prepareDecoy(): void {
  decoy ??= hashSecret('nobody has this password')
}

/** Takes as long as a real check, so that unknown names cannot be told from known ones. Always false. */
export async function verifyNothing(secret: string, lane: Lane = 'known'): Promise<false> {
  prepareDecoy()
  await verifySecret((await decoy) as string, secret, lane)
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
