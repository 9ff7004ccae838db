// Registration codes and recovery keys as people type them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../core/clock.ts'
import { projectRoot } from '../core/config.ts'

/** How a registration code or a recovery key is compared: lower case, no spaces. */
export const normalizeCode = (typed: string): string => typed.toLowerCase().replace(/\s+/g, '')

/** True for a normalised text that can be a registration code. */
export const looksLikeCode = (normalized: string): boolean => /^[\p{L}\p{N}]{6}$/u.test(normalized)

const words = readFileSync(join(projectRoot, 'seeds', 'recovery-words.txt'), 'utf8')
  .split('\n')
  .filter((word) => word !== '')

/** Three words to write down, with spaces between. */
export function newRecoveryKey(random: Random): string {
  return Array.from({ length: 3 }, () => words[random.below(words.length)]).join(' ')
}
