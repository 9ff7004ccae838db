// Bulk data for client accounts on behalf of a user, whose blocks apply.
import type { UserHeader } from '../accounts/schemas.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { isUuid, parseDate } from '../core/schema/decode.ts'
import { badRequest, forbidden, unauthorized } from '../core/base/errors.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { userKind } from '../users/channel.ts'
import type { UserSearch } from '../users/schemas.ts'
import { listUpdatedSince, listUserSearches } from '../users/service.ts'

/** Users whose profile has changed since a date. It is parsed here, so that the refusal of the caller comes first. */
export async function headersSince(ctx: Ctx, date: string): Promise<UserHeader[]> {
  const user = await servedUser(ctx)
  const since = parseDate(date)
  if (!since) throw badRequest('date_invalid', 'The date must be in ISO 8601 with a time zone, or seconds since 1970.')
  return await listUpdatedSince(ctx.node, user, since)
}

/** The names of all users. */
export async function userSearches(ctx: Ctx): Promise<UserSearch[]> {
  return await listUserSearches(ctx.node, await servedUser(ctx))
}

/** The user whom a client account says it acts for. */
async function servedUser(ctx: Ctx): Promise<Viewer> {
  if (ctx.viewer.level !== 'client') throw forbidden('clients_only', 'This is only for client accounts.')
  const id = ctx.head?.serviceUser ?? ''
  const user = isUuid(id) ? await ctx.channel(userKind, id.toLowerCase()) : undefined
  if (!user || user.level === 'client')
    throw unauthorized('service_user_missing', 'The header x-service-user must hold the id of the user that the client acts for.')
  return user
}
