// Tokens of one's own, for programs: each has a name, an end, and what it may do. To the product they are sessions, as those of
// browsers are: they end with them, and on their own.
import { userTopic } from '../accounts/events.ts'
import { requireNotTempQuarantined } from '../core/base/viewer.ts'
import { badRequest, forbidden } from '../core/base/errors.ts'
import { programTokenStart, sessionKeyOf } from '../core/http/own-page.ts'
import type { Ctx } from '../core/work/ctx.ts'
import type { NewTokenData, ProgramTokenData, ProgramTokenListData, TokenRequestData } from './schemas.ts'
import { digestOf } from './sessions.service.ts'
import { lockToken } from './queries.ts'
import { insertSession, selectPrograms, type ProgramRow } from './sessions.queries.ts'

const dayMs = 24 * 60 * 60_000
/** Of one account. */
const maxTokens = 20
const randomBytes = 32

/** The caller's tokens for programs that have not ended, the latest first. */
export async function listTokens(ctx: Ctx): Promise<ProgramTokenListData> {
  return { tokens: (await selectPrograms(ctx.sql, ctx.viewer.id, new Date(ctx.nowMs))).map(dataOf) }
}

/** Makes a token, which is shown this once. */
export async function makeToken(ctx: Ctx, { name, scope, days }: TokenRequestData): Promise<NewTokenData> {
  requireNotTempQuarantined(ctx.viewer, ctx.nowMs)
  // One that was stolen would make itself another, which nobody knows of.
  if (ctx.head?.isProgram) throw forbidden('program_refused', 'A program cannot make a token. Make it in the browser, or in an app.')
  const token = `${programTokenStart}${ctx.node.random.bytes(randomBytes).toString('base64url')}`
  return await ctx.transaction(async (tx) => {
    // One request after the other: they count.
    await lockToken(tx.sql, ctx.viewer.id)
    const present = await selectPrograms(tx.sql, ctx.viewer.id, tx.now)
    if (present.length >= maxTokens)
      throw badRequest('too_many_tokens', `You have ${maxTokens} tokens, which is the maximum. Remove one first.`)
    const row = {
      id: ctx.node.random.uuid(),
      device: name,
      scope,
      createdAt: tx.now,
      lastSeenAt: tx.now,
      expiresAt: new Date(tx.now.getTime() + days * dayMs),
    }
    const digest = digestOf(sessionKeyOf(token, 'program'))
    await insertSession(tx.sql, { ...row, accountId: ctx.viewer.id, digest, now: tx.now })
    tx.emitConfirmed(userTopic, ctx.viewer.id, { type: 'sessionsChanged' })
    return { ...dataOf(row), token }
  })
}

const dataOf = ({ id, device, scope, createdAt, lastSeenAt, expiresAt }: ProgramRow): ProgramTokenData => ({
  tokenID: id,
  name: device,
  scope,
  createdAt,
  lastSeenAt,
  expiresAt,
})
