// Asks an account that has a second factor for its digits, or for a code in their place.
import { attempted, tooManyRequests, unauthorized, type AppError, type ErrorCode } from '../core/base/errors.ts'
import type { Sql } from '../core/db/db.ts'
import { Ctx, type Node } from '../core/work/ctx.ts'
import type { Count, RateRule } from '../core/work/rate-limit.ts'
import { areDigits, codeDigest, stepOf, unsealSecret } from './second-factor.ts'
import { useRecoveryCode, useStep } from './second-factor.queries.ts'

/** Of one account, wherever they come from: a guess is right once in 300,000. */
const wrongCodes: RateRule = { name: 'second-factor', points: 10, seconds: 3600 }

/** An account, with the secret of its second factor as it is stored; null without one. */
export interface WithFactor {
  id: string
  username: string
  factor: Buffer | null
}

/**
 * Uses up the code of an account whose password was right; nothing where it has no second factor.
 *
 * @param refusal what refusals are: 401 unless the caller is signed in, or was asked for something else.
 * @throws AppError when the code is missing, wrong, or was used before; 429 after too many wrong ones.
 */
export async function requireCode(
  node: Node,
  { id, username, factor }: WithFactor,
  code: string | undefined,
  refusal: (code: ErrorCode, reason: string) => AppError = unauthorized,
): Promise<void> {
  if (!factor) return
  const account = { id, username }
  if (code === undefined)
    throw attempted(
      refusal(
        'second_factor_needed',
        'This account has a second factor. Type the six digits that your app shows now directly behind the password, without a space.',
      ),
      account,
    )
  const counts: Count[] = [[wrongCodes, id]]
  const seconds = await node.rateLimiter.takeAll(counts)
  if (seconds > 0)
    throw attempted(tooManyRequests('too_many_attempts', `Too many wrong codes. Try again in ${seconds} seconds.`, seconds), account)
  if (!(await isRight(node, id, factor, code)))
    throw attempted(refusal('second_factor_wrong', 'The digits are wrong, or were used before. Wait for the next ones.'), account)
  await node.rateLimiter.giveBack(counts)
}

async function isRight(node: Node, accountId: string, factor: Buffer, code: string): Promise<boolean> {
  const use = (work: (sql: Sql) => Promise<boolean>) =>
    new Ctx(node, undefined, { requestId: 'second-factor', log: node.log }).statement((tx) => {
      // No answer shows it.
      tx.changesUnshown('second_factor')
      return work(tx.sql)
    })
  if (!areDigits(code)) return await use((sql) => useRecoveryCode(sql, accountId, codeDigest(node.tokenSecret, accountId, code)))
  const step = stepOf(unsealSecret(node.tokenSecret, accountId, factor), code, node.clock.now())
  return step !== undefined && (await use((sql) => useStep(sql, accountId, step)))
}
