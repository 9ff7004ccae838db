// Private chats that the server opens by itself, with a message for their members.
import type { Ctx } from '../core/work/ctx.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { userTopic } from '../accounts/events.ts'
import { fezKind } from './channel.ts'
import { writePost } from './posts.service.ts'
import { insertFez } from './queries.ts'

export interface Announced {
  /** Built-in account that owns the chat and writes the post. */
  ownerId: string
  userIds: readonly string[]
  title: string
  text: string
}

/** Opens a private chat with one post in it. Blocks are ignored; members are notified as of any other chat. */
export async function openAnnouncedChat(ctx: Ctx<Viewer | undefined>, { ownerId, userIds, title, text }: Announced): Promise<void> {
  const id = ctx.node.random.uuid()
  const members = [...new Set([ownerId, ...userIds])]
  await ctx.transaction(async (tx) => {
    await insertFez(
      tx.sql,
      {
        id,
        ownerId,
        fezType: 'closed',
        title,
        info: '',
        location: null,
        startTime: null,
        endTime: null,
        minCapacity: 0,
        maxCapacity: 0,
        unlisted: false,
        createdAt: tx.now,
      },
      members,
    )
    for (const accountId of members) tx.emitConfirmed(userTopic, accountId, { type: 'chatsChanged', fezID: id })
  })
  const author = await ctx.node.accounts.find(ownerId)
  if (!author) throw new Error('the owner of a chat just opened is gone')
  // Afterwards: whoever does not know the chat yet would get no notice of the post.
  await writePost(ctx, { author, realAuthorId: ownerId, text }, async () => {
    const channel = await ctx.channel(fezKind, id)
    if (!channel) throw new Error('a chat just opened is gone')
    return channel
  })
}
