// The password of somebody who is signed in, and has to show it again.
import { attempted, badRequest } from '../core/base/errors.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { usernameKey } from '../text/usernames.ts'
import { maxPasswordCodeUnits } from './new-password.service.ts'
import { verifySecret } from './passwords.ts'
import { selectPasswordHash } from './queries.ts'
import { judged } from './throttle.service.ts'

export const passwordWrong = () => attempted(badRequest('password_wrong', 'The current password is wrong.'))

/**
 * The hash of the caller's password, which they have just given.
 *
 * @throws AppError 400 when it is wrong; 429 after too many failures.
 */
export async function requirePassword({ node, viewer, sql }: Ctx, password: string): Promise<string> {
  const stored = await selectPasswordHash(sql, viewer.id)
  if (stored === undefined) throw passwordWrong()
  const isRight = await judged(
    node,
    { key: usernameKey(viewer.username), address: '', isKnown: true },
    async (claim) => password.length <= maxPasswordCodeUnits && (await verifySecret(stored, password, claim)),
  )
  if (!isRight) throw passwordWrong()
  return stored
}
