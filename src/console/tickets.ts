// Permission to download one file for a minute, given to somebody who has just shown their password.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '../core/work/ctx.ts'
import { AppError, attempted, badRequest } from '../core/base/errors.ts'

const ticketMs = 60_000

/** @throws AppError 400 unless this is the caller's password, with the code of their second factor behind it. */
export async function requireCredentials(ctx: Ctx, password: string): Promise<void> {
  await ctx.node.authenticator.basic(ctx.node, ctx.viewer.username, password, ctx.address).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.status !== 401) throw error
    // A 401 would mean that the caller is not signed in.
    throw attempted(
      error.code === 'credentials_wrong' ? badRequest('password_wrong', 'The password is wrong.') : badRequest(error.code, error.message),
    )
  })
}

/** A permission for this caller alone. */
export function ticketFor(ctx: Ctx, what: string): string {
  const expiresMs = ctx.nowMs + ticketMs
  return `${expiresMs}.${signatureOf(ctx, what, expiresMs)}`
}

/** @throws AppError 400 unless the ticket is the caller's, for this, and not older than a minute. */
export function requireTicket(ctx: Ctx, what: string, ticket: string): void {
  const [expires = '', signature = ''] = ticket.split('.')
  const expected = Buffer.from(signatureOf(ctx, what, Number(expires)))
  const given = Buffer.from(signature)
  if (Number(expires) < ctx.nowMs || given.length !== expected.length || !timingSafeEqual(given, expected))
    throw badRequest('password_wrong', 'Show your password again: the permission to download has run out.')
}

const signatureOf = ({ node, viewer }: Ctx, what: string, expiresMs: number): string =>
  createHmac('sha256', node.tokenSecret).update(`${what} ${viewer.id} ${expiresMs}`).digest('base64url')
