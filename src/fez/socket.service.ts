// The live socket of one chat.
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest, forbidden } from '../core/base/errors.ts'
import type { SocketHandlers } from '../core/http/route.ts'
import { maxSocketsPerUser } from '../core/http/sockets.ts'
import { chatReaderOf } from './reader.ts'
import type { FezChannel } from './channel.ts'
import { noteLookFromOutside } from './looks.service.ts'
import { chatOf } from './reading.service.ts'
import { mayReadThread } from './rules.ts'
import { WatchingSession, watchingOf } from './watching.ts'

/** Posts that a socket catches up with; a client that missed more reads the chat again. */
const maxMissedPosts = 500

/**
 * Refuses outsiders before the upgrade; afterwards the channel decides at every frame who gets it. With
 * `after`, the posts after that one come first.
 */
export async function openFezSocket(
  ctx: Ctx,
  fezId: string,
  { after, watching = false }: { after?: number; watching?: boolean },
): Promise<SocketHandlers> {
  const channel = await chatOf(ctx, fezId)
  if (!mayReadThread(ctx.viewer, channel.row, channel.memberIds)) throw forbidden('not_member', 'Only members can listen to this chat.')
  await noteLookFromOutside(ctx, channel, { socket: true })
  const user = chatReaderOf(ctx.viewer)
  if (user.chatSessions.length >= maxSocketsPerUser)
    throw badRequest('too_many_sockets', `You have ${maxSocketsPerUser} open sockets, which is the maximum. Close one first.`)
  const from = after === undefined ? {} : { after: await lastSeen(ctx, channel, after) }
  return new WatchingSession(watchingOf(ctx.node), channel, user, ctx.sessionKey, { ...from, wants: watching })
}

/** The last post that the client has, as far as this chat can have had it. */
export async function lastSeen(ctx: Ctx, channel: FezChannel, after: number): Promise<number> {
  // The client may have got it from a node that received the event earlier.
  if (after > channel.row.lastPostId) await channel.reload()
  const seen = Math.min(after, channel.row.lastPostId)
  const missed = channel.postsFor(ctx.viewer).filter(({ id }) => id > seen).length
  if (missed > maxMissedPosts)
    throw badRequest(
      'too_much_missed',
      `More than ${maxMissedPosts} posts were missed. Read the chat again, then listen from its last post.`,
    )
  return seen
}
