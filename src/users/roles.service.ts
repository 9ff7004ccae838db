// Roles of accounts: independent of levels, each account's own. Who may manage which is for routes to say.
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest } from '../core/base/errors.ts'
import { blocked, type UserRoleType } from '../core/base/viewer.ts'
import { audit } from '../moderation/audit.service.ts'
import { userTopic } from '../accounts/events.ts'
import { selectWithRole, updateWithoutRole, updateWithRole } from './roles.queries.ts'
import { visibleUser } from './service.ts'

/** Users with a role, without those in a block with the caller. */
export async function listWithRole(ctx: Ctx, role: UserRoleType): Promise<UserHeader[]> {
  return (await selectWithRole(ctx.sql, role)).filter((user) => !blocked(ctx.viewer, user)).map(headerOf)
}

/** Gives an account a role; in force on all nodes when the promise resolves. */
export async function addRole(ctx: Ctx, role: UserRoleType, accountId: string): Promise<void> {
  await visibleUser(ctx, accountId)
  await ctx.transaction(async (tx) => {
    const account = await updateWithRole(tx.sql, accountId, role)
    if (!account) throw badRequest('already_done', `This user has the role ${role} already.`)
    tx.emitConfirmed(userTopic, accountId, { type: 'changed', account })
    await audit(tx, { action: 'addRole', subject: { type: 'user', id: accountId }, userId: accountId, details: { role } })
  })
}

/** Takes a role from an account; one that it does not have changes nothing. */
export async function removeRole(ctx: Ctx, role: UserRoleType, accountId: string): Promise<void> {
  await visibleUser(ctx, accountId)
  await ctx.transaction(async (tx) => {
    const account = await updateWithoutRole(tx.sql, accountId, role)
    if (!account) return
    tx.emitConfirmed(userTopic, accountId, { type: 'changed', account })
    await audit(tx, { action: 'removeRole', subject: { type: 'user', id: accountId }, userId: accountId, details: { role } })
  })
}
