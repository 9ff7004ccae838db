// Photographers of events: their manager says which events need one, they claim and hand back, and only they and the team see it.
import { userTopic } from '../accounts/events.ts'
import { blockedUserHeader } from '../accounts/headers.ts'
import type { UserHeader } from '../accounts/schemas.ts'
import type { Ctx, OpenCtx, Tx } from '../core/work/ctx.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import { blocked, type UserRoleType } from '../core/base/viewer.ts'
import { photographersId, photographersKind } from './photographers.channel.ts'
import { deletePhotographer, deletePhotoWish, insertPhotographer, insertPhotoWish } from './photographers.queries.ts'
import { isPhotoCrew } from './rules.ts'
import type { ShutternautEventData } from './schemas.ts'

/** Refuses callers without a role. */
export function requireRole({ viewer }: Ctx, role: UserRoleType): void {
  if (!viewer.roles.has(role)) throw forbidden('role_missing', `This needs the role ${role}.`)
}

/** For callers who may know of photographers: what they see of each event. */
export async function photographersFor(ctx: OpenCtx): Promise<((eventId: string) => ShutternautEventData) | undefined> {
  const { node, viewer } = ctx
  if (!viewer || !isPhotoCrew(viewer)) return undefined
  const { needed, byEvent } = await node.channels.sole(photographersKind, photographersId)
  // An event is taken whoever has taken it.
  const shown = (id: string): UserHeader => {
    const account = node.accounts.get(id)
    return id !== viewer.id && blocked(viewer, account) ? blockedUserHeader : account.header
  }
  return (eventId) => {
    const photographers = byEvent.get(eventId) ?? []
    return {
      needsPhotographer: needed.has(eventId),
      photographers: photographers.map(shown),
      userIsPhotographer: photographers.includes(viewer.id),
    }
  }
}

/** Notes whether an event needs a photographer. */
export async function setNeedsPhotographer(ctx: Ctx, eventId: string, isNeeded: boolean): Promise<void> {
  await ctx.transaction(async (tx) => {
    const changed = await (isNeeded ? insertPhotoWish : deletePhotoWish)(tx.sql, eventId)
    if (changed === undefined) throw notAvailable('event')
    if (changed) announcePhotographers(tx)
  })
}

/** Makes the caller a photographer of an event; false if they were one. */
export async function claimEvent(ctx: Ctx, eventId: string): Promise<boolean> {
  const { added } = await ctx.transaction(async (tx) => {
    const inserted = await insertPhotographer(tx.sql, ctx.viewer.id, eventId, tx.now)
    if (inserted === undefined) throw notAvailable('event')
    if (inserted) announceClaim(tx)
    return { added: inserted }
  })
  return added
}

/** Hands an event back, also a deleted one; false if the caller was no photographer of it. */
export async function handBackEvent(ctx: Ctx, eventId: string): Promise<boolean> {
  const { removed } = await ctx.transaction(async (tx) => {
    const deleted = await deletePhotographer(tx.sql, ctx.viewer.id, eventId)
    if (deleted) announceClaim(tx)
    return { removed: deleted }
  })
  return removed
}

/** Tells all nodes that photographers, or the events that need one, are others now. */
export function announcePhotographers(tx: Tx): void {
  tx.emitConfirmed(photographersKind, photographersId, { type: 'changed' })
}

function announceClaim(tx: Tx): void {
  announcePhotographers(tx)
  tx.emitConfirmed(userTopic, tx.viewer.id, { type: 'followedEventsChanged' })
}
