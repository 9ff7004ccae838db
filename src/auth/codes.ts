// Registration codes and recovery keys as people type them.
import { createHmac, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../core/base/config.ts'

/** How a registration code or a recovery key is compared: lower case, no spaces. */
export const normalizeCode = (typed: string): string => typed.toLowerCase().replace(/\s+/g, '')

/** True for a normalised text that can be a registration code. */
export const looksLikeCode = (normalized: string): boolean => /^[\p{L}\p{N}]{6}$/u.test(normalized)

const words = readFileSync(join(projectRoot, 'seeds', 'recovery-words.txt'), 'utf8')
  .split('\n')
  .filter((word) => word !== '')

/**
 * Three words to write down, with spaces between. Made of the account and its first password, or of what a later key was `madeOf`:
 * whoever did not get the answer with them gets the same ones once more, although nobody has kept them.
 */
export function recoveryKeyOf(secret: string, accountId: string, madeOf: string): string {
  const digest = createHmac('sha256', secret)
    .update(JSON.stringify(['recovery key', accountId, madeOf]))
    .digest()
  return Array.from({ length: 3 }, (_, index) => words[digest.readUIntBE(index * 6, 6) % words.length]).join(' ')
}

/** So many of the words that recovery keys are made of. */
export const randomWords = (count: number): string[] => Array.from({ length: count }, () => words[randomInt(words.length)] as string)
