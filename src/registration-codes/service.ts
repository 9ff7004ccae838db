// Registration codes: which are used, and by whom.
import { looksLikeCode, normalizeCode } from '../auth/codes.ts'
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx } from '../core/ctx.ts'
import { badRequest } from '../core/errors.ts'
import { emptyCodeForNone } from '../text/dialect.ts'
import { personOf } from '../users/levels.service.ts'
import { countCodes, selectCodeOfPerson, selectPersonWithCode } from './queries.ts'
import type { RegistrationCodeStatsData, RegistrationCodeUserData } from './schemas.ts'

/** Numbers of codes. */
export async function codeStats(ctx: Ctx): Promise<RegistrationCodeStatsData> {
  const { allocated, used } = await countCodes(ctx.sql)
  return {
    allocatedCodes: allocated,
    usedCodes: used,
    unusedCodes: allocated - used,
    adminCodes: 0,
    allocatedDiscordCodes: 0,
    assignedDiscordCodes: 0,
    usedDiscordCodes: 0,
  }
}

/** The accounts of the person with a code, primary one first; none while it is unused. */
export async function usersWithCode(ctx: Ctx, typed: string): Promise<UserHeader[]> {
  const code = normalizeCode(typed)
  if (!looksLikeCode(code)) throw badRequest('code_invalid', 'A registration code has 6 letters and digits.')
  const personId = await selectPersonWithCode(ctx.sql, code)
  if (personId === undefined) throw badRequest('code_unknown', 'This registration code does not exist.')
  return personId === null ? [] : (await accountsOf(ctx, personId)).users
}

/** The code of the person that an account belongs to. */
export async function codeOfUser(ctx: Ctx, accountId: string): Promise<RegistrationCodeUserData> {
  const { personId, users } = await accountsOf(ctx, accountId)
  const regCode = await selectCodeOfPerson(ctx.sql, personId)
  if (regCode === undefined && !emptyCodeForNone(ctx.node.config)) throw badRequest('code_unknown', 'This user has no registration code.')
  return { users, regCode: regCode ?? '', isForDiscordUser: false }
}

async function accountsOf(ctx: Ctx, accountId: string): Promise<{ personId: string; users: UserHeader[] }> {
  const { primary, subAccounts } = await personOf(ctx, accountId)
  return { personId: primary.id, users: [primary, ...subAccounts].map(headerOf) }
}
