// Looks of moderators into private chats: allowed, and in the audit trail, each of them.
import type { Ctx } from '../core/work/ctx.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { auditLook } from '../moderation/audit.service.ts'
import { memberFor } from './rules.ts'
import { isLfg, type FezType } from './types.ts'

interface Look {
  fezID: string
  fezType: FezType
  /** Where one post is looked at. */
  postID?: number
  /** Owner of the chat, or author of the post. */
  whose: string
  /** How many reports there are on it; absent where nobody counts them. */
  reports?: number
  /** It is not one look: a socket brings all that comes. */
  socket?: true
}

/** Notes a look into a chat that only its members are meant to read; of other chats nothing. To be awaited before anything is shown. */
export async function noteLook(ctx: Ctx, { fezID, postID, whose, ...details }: Look): Promise<void> {
  if (isLfg(details.fezType)) return
  await auditLook(ctx, {
    action: 'readPrivate',
    subject: postID === undefined ? { type: 'fez', id: fezID } : { type: 'fezPost', id: String(postID) },
    userId: whose,
    details: postID === undefined ? details : { fezID, ...details },
  })
}

interface Chat {
  readonly row: { id: string; fezType: FezType; ownerId: string }
  readonly memberIds: ReadonlySet<string>
}

/** True when a viewer who may read this thread may do so as a moderator only, and its members do not expect it. */
export const isLookFromOutside = (viewer: Viewer, { row, memberIds }: Chat): boolean =>
  !isLfg(row.fezType) && row.ownerId !== viewer.id && memberFor(viewer, (id) => memberIds.has(id)) === undefined

/** Notes it when a viewer who may read this thread does so from outside. */
export async function noteLookFromOutside(ctx: Ctx, chat: Chat, how: { socket?: true } = {}): Promise<void> {
  const { id, fezType, ownerId } = chat.row
  if (isLookFromOutside(ctx.viewer, chat)) await noteLook(ctx, { fezID: id, fezType, whose: ownerId, ...how })
}
