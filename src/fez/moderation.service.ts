// Chats and their posts as moderators see them.
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { audit } from '../moderation/audit.service.ts'
import { slowModeTopic, type SlowModeData } from '../post/pace.service.ts'
import { caseOf } from '../moderation/acts.service.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import type { FezModerationData, FezPostModerationData } from './moderation.schemas.ts'
import { recordState } from '../moderation/state.service.ts'
import { settableStates, type SettableState } from '../moderation/types.ts'
import { selectMemberIds } from './lists.queries.ts'
import type { PersonalEventModerationData } from './personal.schemas.ts'
import { personalEventData } from './personal.service.ts'
import { fezTopic } from './events.ts'
import { listExcerpts } from './excerpts.service.ts'
import { noteLook } from './looks.service.ts'
import { selectAnyPost, selectFez, selectFezEdits, selectPost, updateFezState, updatePostState, updateSlowMode } from './queries.ts'
import { viewContext } from './reading.service.ts'
import { lockChat } from './service.ts'
import { reportTypeOf } from './types.ts'
import { fezPostData, judgedFezData } from './views.ts'

/** A chat with nothing hidden, deleted or not; without members and posts. */
export async function getFezModeration(ctx: Ctx, fezId: string): Promise<FezModerationData> {
  const fez = await selectFez(ctx.sql, fezId)
  if (!fez) throw notAvailable('chat')
  const { accounts } = ctx.node
  const [edits, about] = await Promise.all([
    selectFezEdits(ctx.sql, fezId),
    caseOf(ctx, ['fez', 'privateEvent'], fezId, fez.moderationStatus),
  ])
  await noteLook(ctx, { fezID: fezId, fezType: fez.fezType, whose: fez.ownerId, reports: about.reports.length })
  await accounts.load(new Set([fez.ownerId, ...edits.map(({ editorId }) => editorId)]))
  return {
    fez: judgedFezData(viewContext(ctx), fez),
    isDeleted: fez.deletedAt !== null,
    edits: edits.map(({ id, editorId, createdAt, title, info, location }) => ({
      fezID: fezId,
      editID: id,
      createdAt,
      author: accounts.get(editorId).header,
      title,
      info,
      location,
    })),
    ...about,
  }
}

/** Any chat as an entry of a calendar with nothing hidden, deleted or not. */
export async function getPersonalEventModeration(ctx: Ctx, fezId: string): Promise<PersonalEventModerationData> {
  const fez = await selectFez(ctx.sql, fezId)
  if (!fez) throw notAvailable('chat')
  const { accounts } = ctx.node
  const memberIds = await selectMemberIds(ctx.sql, fezId)
  await accounts.load(new Set([fez.ownerId, ...memberIds]))
  const members = memberIds.map((id) => accounts.get(id).header)
  const about = await caseOf(ctx, ['privateEvent', 'fez'], fezId, fez.moderationStatus)
  await noteLook(ctx, { fezID: fezId, fezType: fez.fezType, whose: fez.ownerId, reports: about.reports.length })
  return {
    personalEvent: personalEventData(judgedFezData(viewContext(ctx), fez), members),
    isDeleted: fez.deletedAt !== null,
    ...about,
  }
}

/** A post with nothing hidden, deleted or not. */
export async function getPostModeration(ctx: Ctx, postId: number): Promise<FezPostModerationData> {
  const post = await selectAnyPost(ctx.sql, postId)
  if (!post) throw notAvailable('post')
  const about = await caseOf(ctx, ['fezPost'], String(postId), post.moderationStatus)
  await noteLook(ctx, { fezID: post.fezId, fezType: post.fezType, postID: postId, whose: post.authorId, reports: about.reports.length })
  await ctx.node.accounts.load([post.authorId])
  const excerpts = await listExcerpts(
    ctx,
    about.reports.map(({ id }) => id),
  )
  return {
    fezPost: fezPostData({ ...post, moderationStatus: 'normal' }, ctx.node.accounts.get(post.authorId).header),
    fezID: post.fezId,
    fezType: post.fezType,
    fezTitle: post.fezTitle,
    isDeleted: post.deletedAt !== null,
    ...(excerpts.length > 0 ? { excerpts } : {}),
    ...about,
  }
}

/** Sets the state of a chat; in force on all nodes when the promise resolves. */
export async function setFezState(ctx: Ctx, fezId: string, state: SettableState, basedOn?: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const fez = await lockChat(tx, fezId)
    if (!fez || fez.deletedAt) throw notAvailable('chat')
    const seq = await updateFezState(tx.sql, fezId, settableStates[state].status)
    await recordState(tx, {
      contentType: reportTypeOf(fez.fezType),
      contentId: fezId,
      ownerId: fez.ownerId,
      before: fez.moderationStatus,
      state,
      basedOn,
    })
    tx.emitConfirmed(fezTopic, fezId, { type: 'changed', seq })
  })
}

/** Lets each person post once in so many seconds in a chat that everybody may join; in force on all nodes when the promise resolves. */
export async function setFezSlowMode(ctx: Ctx, fezId: string, { seconds }: SlowModeData, basedOn?: number): Promise<void> {
  await ctx.transaction(async (tx) => {
    const fez = await lockChat(tx, fezId)
    if (!fez || fez.deletedAt) throw notAvailable('chat')
    if (fez.fezType === 'closed' || fez.fezType === 'personalEvent' || fez.fezType === 'privateEvent')
      throw badRequest('slow_mode_not_allowed', 'Slow mode is for chats that people may join, not for private ones.')
    requireSame(basedOn, fez.slowSeconds, 'slow mode')
    if (fez.slowSeconds === seconds) return
    const seq = await updateSlowMode(tx.sql, fezId, seconds)
    await audit(tx, {
      action: 'setSlowMode',
      subject: { type: 'fez', id: fezId },
      userId: fez.ownerId,
      details: { from: fez.slowSeconds, to: seconds },
    })
    tx.emitConfirmed(fezTopic, fezId, { type: 'changed', seq })
    tx.emitConfirmed(slowModeTopic, `fez ${fezId}`, { type: 'changed' })
  })
}

/** Sets the state of a post, unless it or its chat is deleted; in force on all nodes when the promise resolves. */
export async function setPostState(ctx: Ctx, postId: number, state: SettableState, basedOn?: string): Promise<void> {
  const found = await selectPost(ctx.sql, postId)
  if (!found) throw notAvailable('post')
  const { fezId } = found
  await ctx.transaction(async (tx) => {
    const fez = await lockChat(tx, fezId)
    const post = await selectPost(tx.sql, postId)
    if (!fez || fez.deletedAt || !post) throw notAvailable('post')
    const seq = await updatePostState(tx.sql, fezId, postId, settableStates[state].status)
    await recordState(tx, {
      contentType: 'fezPost',
      contentId: String(postId),
      ownerId: post.authorId,
      before: post.moderationStatus,
      state,
      basedOn,
    })
    tx.emitConfirmed(fezTopic, fezId, { type: 'changed', seq })
  })
}
