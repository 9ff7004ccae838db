// Chats that somebody has muted or made a favorite: for themselves, in shared inboxes too.
import { userTopic } from '../accounts/events.ts'
import { badRequest, forbidden, notAvailable } from '../core/base/errors.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { selectMarks, updateMarks, type Marks } from './marks.queries.ts'
import { chatOf } from './reading.service.ts'
import { memberFor } from './rules.ts'
import { lockChat } from './service.ts'

/** Mutes or unmutes the chat for the caller. Returns whether anything changed. */
export async function muteFez(ctx: Ctx, fezId: string, muted: boolean): Promise<boolean> {
  return await mark(ctx, fezId, 'isMuted', muted)
}

/** Makes the chat a favorite of the caller, or no longer. Returns whether anything changed. */
export async function favoriteFez(ctx: Ctx, fezId: string, favorite: boolean): Promise<boolean> {
  return await mark(ctx, fezId, 'isFavorite', favorite)
}

const refusals = { isMuted: 'A favorite chat cannot be muted.', isFavorite: 'A muted chat cannot be a favorite.' } as const
const others = { isMuted: 'isFavorite', isFavorite: 'isMuted' } as const

async function mark(ctx: Ctx, fezId: string, name: keyof Marks, value: boolean): Promise<boolean> {
  const { memberIds } = await chatOf(ctx, fezId)
  const memberId = memberFor(ctx.viewer, (id) => memberIds.has(id))
  if (memberId === undefined) throw forbidden('not_member', 'Only members can mute a chat or make it a favorite.')
  const marker = { fezId, memberId, readerId: ctx.viewer.id }
  const { changed } = await ctx.transaction(async (tx) => {
    const fez = await lockChat(tx, fezId)
    if (!fez || fez.deletedAt) throw notAvailable('chat')
    const marks = await selectMarks(tx.sql, marker)
    if (!marks) throw forbidden('not_member', 'Only members can mute a chat or make it a favorite.')
    if (marks[name] === value) return { changed: false }
    if (value && marks[others[name]]) throw badRequest('favorite_and_mute', refusals[name])
    await updateMarks(tx.sql, marker, { ...marks, [name]: value })
    tx.emitConfirmed(userTopic, ctx.viewer.id, { type: 'chatMarked', fezID: fezId })
    return { changed: true }
  })
  return changed
}
