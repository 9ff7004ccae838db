// Rules of new passwords. The reference lets apps set any of 6 to 50 characters. The browser's forms ask for more, and so can
// the host of everybody.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '../core/base/config.ts'
import type { OpenCtx } from '../core/work/ctx.ts'
import { validationFailed, type FieldFailure } from '../core/base/errors.ts'
import { graphemes } from '../core/schema/decode.ts'
import { settingsOf } from '../settings/channel.ts'

const maxOfReference = 50
const strictMin = 8
/** Credentials go in a header, which has a bound: families of emojis reach it before the 256 characters do. */
const maxBytes = 1400
/** No password that is to be checked has more: not even with a code behind it. */
export const maxPasswordCodeUnits = 1600

/** Pages of the app, and everybody where the host wants it. Apps send no `X-Session`. */
function isStrict({ node, head }: OpenCtx): boolean {
  return head?.session === 'cookie' || (head?.sessionKey ?? '') !== '' || settingsOf(node).values.strictPasswords
}

let common: Promise<string> | undefined

/** True for the commonest passwords, in any case. The list is read when it is first needed. */
async function isCommon(password: string): Promise<boolean> {
  // The comment at the top has blanks in each line.
  common ??= readFile(join(projectRoot, 'seeds', 'common-passwords.txt'), 'utf8')
  const lower = password.toLowerCase()
  return !lower.includes('\n') && (await common).includes(`\n${lower}\n`)
}

/**
 * Looks at a new password after its shape was checked.
 *
 * @param field where it stands in the request.
 * @throws AppError 400 with the field when it is too short, too long, or one of the commonest.
 */
export async function requireGoodPassword(ctx: OpenCtx, field: 'password' | 'newPassword', password: string): Promise<void> {
  const problem = await problemOf(ctx, field, password)
  if (problem !== undefined) throw validationFailed(new Map([[field, [problem]]]))
}

async function problemOf(ctx: OpenCtx, field: string, password: string): Promise<FieldFailure | undefined> {
  const length = graphemes(password)
  if (Buffer.byteLength(password) > maxBytes)
    return { text: `${field} must have at most ${maxBytes} bytes`, rule: 'too_long', max: maxBytes }
  if (!isStrict(ctx))
    return length > maxOfReference
      ? { text: `${field} must have at most ${maxOfReference} characters, it has ${length}`, rule: 'too_long', max: maxOfReference }
      : undefined
  if (length < strictMin) return { text: `${field} must have at least ${strictMin} characters`, rule: 'too_short', min: strictMin }
  if (await isCommon(password)) return { text: `${field} is one of the 10,000 that are tried first. Choose another one`, rule: 'common' }
  return undefined
}
