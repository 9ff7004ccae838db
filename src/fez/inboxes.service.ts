// Shared inboxes: the chats of an account that a whole team reads. Everybody of the team has a read
// position of their own in each.
import type { Tx } from '../core/work/ctx.ts'
import type { UserAccessLevel } from '../core/base/viewer.ts'
import { userTopic } from '../accounts/events.ts'
import { insertInboxReader, markInboxesRead } from './inboxes.queries.ts'
import { inboxesOf } from './rules.ts'

/** Marks a chat as read up to a post in all inboxes that contain it and that the caller may open. False when it was in all. */
export async function readInboxes(tx: Tx, fezId: string, has: (accountId: string) => boolean, postId: number): Promise<boolean> {
  const inboxIds = inboxesOf(tx.viewer.level).filter(has)
  if (inboxIds.length === 0) return false
  const moved = await markInboxesRead(tx.sql, fezId, tx.viewer.id, inboxIds, postId)
  for (const { inboxId, position } of moved) {
    tx.emitConfirmed(userTopic, tx.viewer.id, { type: 'chatRead', fezID: fezId, postID: postId, position, inboxID: inboxId })
  }
  return moved.length > 0
}

/** An account was given another level: what is already in the inboxes that it may open now does not count as new. */
export async function openInboxes(tx: Tx, accountId: string, before: UserAccessLevel, level: UserAccessLevel): Promise<void> {
  const opened = inboxesOf(level).filter((id) => !inboxesOf(before).includes(id))
  if (opened.length > 0) await insertInboxReader(tx.sql, accountId, opened)
}
