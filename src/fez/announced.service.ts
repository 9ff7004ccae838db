// Private chats that the server opens by itself, with a message for their members.
import type { Ctx } from '../core/ctx.ts'
import type { Viewer } from '../core/viewer.ts'
import { userTopic } from '../accounts/events.ts'
import { writeLocked } from './posts.service.ts'
import { insertFez, lockFez } from './queries.ts'

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
        createdAt: tx.now,
      },
      members,
    )
    for (const accountId of members) tx.emitConfirmed(userTopic, accountId, { type: 'chatsChanged', fezID: id })
  })
  // Afterwards: whoever does not know the chat yet would get no notice of the post.
  await ctx.transaction(async (tx) => {
    const [fez, author] = [await lockFez(tx.sql, id), await ctx.node.accounts.find(ownerId)]
    if (!fez || !author) throw new Error('a chat just opened, or its owner, is gone')
    await writeLocked(tx, fez, { author, realAuthorId: ownerId, text })
  })
}
