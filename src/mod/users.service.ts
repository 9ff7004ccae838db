// Persons as moderators see them.
import type { Ctx } from '../core/ctx.ts'
import { headerOf } from '../core/accounts.ts'
import { personOf } from '../users/levels.service.ts'
import { reportsAgainst } from './report.service.ts'
import type { UserModerationData } from './schemas.ts'

/** The person that an account belongs to, with everything it was reported for. */
export async function getUserModeration(ctx: Ctx, accountId: string): Promise<UserModerationData> {
  const { primary, subAccounts } = await personOf(ctx, accountId)
  const until = primary.tempQuarantineUntil
  return {
    header: headerOf(primary),
    subAccounts: subAccounts.map(headerOf),
    accessLevel: primary.level,
    ...(until && until.getTime() > ctx.nowMs ? { tempQuarantineEndTime: until } : {}),
    reports: await reportsAgainst(
      ctx,
      [primary, ...subAccounts].map(({ id }) => id),
    ),
  }
}
