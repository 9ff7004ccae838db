// A new password for somebody who has neither the old one nor a recovery key: by whoever runs the machine, and can read and write
// everything anyway.
import { randomUUID } from 'node:crypto'
import type { Sql } from '../core/db/db.ts'
import { auditByProcess } from '../moderation/audit.service.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { usernameKey } from '../text/usernames.ts'
import { randomWords } from './codes.ts'
import { hashSecret } from './passwords.ts'
import { selectIdOfName, updateForgotten } from './queries.ts'

const words = 4

/**
 * Sets a new password for an account, removes its second factor, signs it out everywhere, and returns the password. To be run in a
 * transaction; servers know of it once they have read everything again.
 *
 * @throws OperatorError when nobody has that name.
 */
export async function setForgottenPassword(sql: Sql, username: string): Promise<string> {
  const account = await selectIdOfName(sql, usernameKey(username.replace(/^@/, '')))
  if (!account) throw new OperatorError(`Nobody is called ${username}.`)
  const password = randomWords(words).join('-')
  await updateForgotten(sql, account.id, await hashSecret(password))
  const by = { actorId: account.id, requestId: randomUUID(), now: new Date() }
  await auditByProcess(sql, by, {
    action: 'recover',
    subject: { type: 'user', id: account.id },
    userId: account.id,
    details: { with: 'command' },
  })
  return password
}
