// The live socket of one chat.
import type { Ctx } from '../core/ctx.ts'
import { badRequest, forbidden } from '../core/errors.ts'
import type { Socket, SocketHandlers } from '../core/route.ts'
import { closeCodes } from '../core/sockets.ts'
import { maxSocketsPerUser, userChannelOf } from '../users/channel.ts'
import { chatOf } from './reading.service.ts'
import { mayReadThread } from './rules.ts'

/** Refuses outsiders before the upgrade; afterwards the channel decides at every frame who gets it. */
export async function openFezSocket(ctx: Ctx, fezId: string): Promise<SocketHandlers> {
  const channel = await chatOf(ctx, fezId)
  if (!mayReadThread(ctx.viewer, channel.row, channel.memberIds)) throw forbidden('Only members can listen to this chat.')
  const user = userChannelOf(ctx.viewer)
  if (user.chatSessions.size >= maxSocketsPerUser) throw badRequest(`There can be at most ${maxSocketsPerUser} open sockets per user.`)
  const detach = new Map<Socket, () => void>()
  return {
    opened(socket) {
      const room = user.chatSessions.size < maxSocketsPerUser
      if (room && user.mayConnect && !channel.closed) detach.set(socket, channel.attach(socket, user))
      else socket.close(closeCodes.goingAway)
    },
    closed: (socket) => detach.get(socket)?.(),
  }
}
