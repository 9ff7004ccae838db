// The forums of events: made, renamed and posted in by the server as the schedule changes, and found by their event.
import type { Ctx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import type { Reply } from '../core/http/route.ts'
import { scheduleOf } from './channel.ts'
import {
  insertEventForums,
  insertSystemPosts,
  lockCategories,
  lockForums,
  recountForums,
  restoreForums,
  selectEventCategories,
  softDeleteUnwrittenForums,
  updateEventForums,
  type NewSystemPost,
} from './forums.queries.ts'
import type { ForumData, ForumQuery } from '../forum/schemas.ts'
import { getForum } from '../forum/threads.service.ts'

/** A forum to be made. */
export interface NewEventForum {
  id: string
  /** Of an event that people of the community run. */
  isShadow: boolean
  title: string
  /** The first post describes the event, later ones its changes. */
  texts: readonly string[]
}

/** A forum whose event has changed. */
export interface EventForumChange {
  forumId: string
  /** Title and first post; absent when the event is gone. */
  now?: { title: string; description: string }
  /** Posted when it is there. */
  notice?: string
}

export interface EventForumChanges {
  opened: readonly NewEventForum[]
  changed: readonly EventForumChange[]
  /** Forums that nobody needs any more; those in which somebody has written stay. */
  left?: readonly string[]
  authorId: string
  now: Date
}

/**
 * Keeps forums in step with their events, in a few statements. Returns the ids of the forums that were made: without a
 * category there is none.
 */
export async function keepEventForums(sql: Sql, { opened, changed, left = [], authorId, now }: EventForumChanges): Promise<Set<string>> {
  const made = await openForums(sql, opened, authorId, now)
  await lockForums(sql, [...changed.map(({ forumId }) => forumId), ...left])
  if (left.length > 0) await softDeleteUnwrittenForums(sql, left, now)
  const kept = changed.flatMap((change) => (change.now ? [{ forumId: change.forumId, ...change.now }] : []))
  if (kept.length > 0) {
    await restoreForums(
      sql,
      kept.map(({ forumId }) => forumId),
    )
    await updateEventForums(sql, kept)
  }
  const notices = changed.flatMap(({ forumId, notice }): NewSystemPost[] => (notice === undefined ? [] : [{ forumId, text: notice }]))
  if (notices.length > 0) await insertSystemPosts(sql, notices, authorId, now)
  await lockCategories(sql)
  await recountForums(sql)
  return made
}

async function openForums(sql: Sql, opened: readonly NewEventForum[], authorId: string, now: Date): Promise<Set<string>> {
  if (opened.length === 0) return new Set()
  const categories = await selectEventCategories(sql)
  const [official, shadow] = ['event', 'shadow'].map((word) => categories.find(({ title }) => title.toLowerCase().startsWith(word)))
  const forums = opened.flatMap(({ id, isShadow, title, texts }) => {
    const category = isShadow ? shadow : official
    return category ? [{ id, categoryId: category.id, title, texts }] : []
  })
  if (forums.length === 0) return new Set()
  await insertEventForums(
    sql,
    forums,
    forums.flatMap(({ id, texts }) => texts.map((text) => ({ forumId: id, text }))),
    authorId,
    now,
  )
  return new Set(forums.map(({ id }) => id))
}

/** The forum of an event, by the event's id or uid. */
export async function getEventForum(ctx: Ctx, idOrUid: string, query: ForumQuery): Promise<Reply<ForumData>> {
  const event = (await scheduleOf(ctx.node)).find(idOrUid)
  if (!event) throw notAvailable('event')
  if (event.forumId === null) throw badRequest('no_forum', 'This event has no forum.')
  return await getForum(ctx, event.forumId, query)
}
