// The live socket of one chat.
import type { Ctx } from '../core/ctx.ts'
import { badRequest, forbidden } from '../core/errors.ts'
import type { SocketHandlers } from '../core/route.ts'
import { maxSocketsPerUser, userChannelOf } from '../users/channel.ts'
import { FezSession } from './channel.ts'
import { chatOf } from './reading.service.ts'
import { mayReadThread } from './rules.ts'

/** Refuses outsiders before the upgrade; afterwards the channel decides at every frame who gets it. */
export async function openFezSocket(ctx: Ctx, fezId: string): Promise<SocketHandlers> {
  const channel = await chatOf(ctx, fezId)
  if (!mayReadThread(ctx.viewer, channel.row, channel.memberIds)) throw forbidden('Only members can listen to this chat.')
  const user = userChannelOf(ctx.viewer)
  if (user.chatSessions.size >= maxSocketsPerUser) throw badRequest(`There can be at most ${maxSocketsPerUser} open sockets per user.`)
  return new FezSession(channel, user)
}
