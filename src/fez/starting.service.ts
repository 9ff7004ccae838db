// Notifies members that a group they joined is about to start: a sweep finds the groups, a job sends the notices.
import type { Ctx, Tx } from '../core/ctx.ts'
import type { JobPayloads } from '../core/jobs/jobs.ts'
import { unavailable } from '../core/errors.ts'
import { isHidden } from '../moderation/types.ts'
import { notificationFrame } from '../notices/frames.ts'
import { settingsOf } from '../settings/channel.ts'
import { referenceOf } from '../settings/reference.ts'
import { fezTopic, type FezEvent } from './events.ts'
import { insertDueNotices, selectFezSnapshot } from './queries.ts'
import { chatGroup } from './types.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * Notes a job for every group whose start has come near; each group and start time once. One that was
 * made or moved when its start was near already counts too, and so does one whose moment no worker saw.
 */
export async function noteStartingFezzes(ctx: Ctx<undefined>): Promise<void> {
  const { values } = settingsOf(ctx.node)
  if (values.upcomingLFGNotificationSetting === 'disabled') return
  const { reference, shiftDays } = referenceOf(ctx.node, 'lfgs')
  const nearMs = reference.getTime() + values.upcomingEventNotificationSeconds * 1000
  const until = new Date(nearMs + minuteMs)
  await ctx.transaction(async (tx) => {
    for (const { id, startTime } of await insertDueNotices(tx.sql, { after: reference, until, shiftHours: shiftDays * 24 }, tx.now)) {
      const inMs = startTime.getTime() - nearMs
      tx.enqueue('fez-starting', { fezID: id, startTime: startTime.toISOString() }, new Date(tx.now.getTime() + Math.max(0, inMs)))
    }
  })
}

/** Tells the members on their notification sockets, unless the group was called off or moved meanwhile. */
export async function announceStart(tx: Tx<undefined>, { fezID, startTime }: JobPayloads['fez-starting']): Promise<void> {
  const fez = await selectFezSnapshot(tx.sql, fezID)
  if (!fez || fez.deletedAt || fez.cancelled || fez.startTime?.toISOString() !== startTime) return
  const masked = isHidden(fez.moderationStatus)
  const info = `${masked ? 'A group you joined' : fez.title} is starting soon${fez.location && !masked ? `, ${fez.location}` : ''}.`
  const type = chatGroup(fez.fezType) === 'lfg' ? 'joinedLFGStarting' : 'personalEventStarting'
  const announced = new Date(fez.startTime.getTime() + referenceOf(tx.ctx.node, 'lfgs').shiftDays * dayMs)
  const event: FezEvent = { type: 'starting', seq: 0, startTime: announced.toISOString(), notice: notificationFrame(type, info, fezID) }
  // Before the job's row is gone: a node that was not reached gets it by the next attempt.
  if (!(await tx.ctx.node.channels.publishDurably(fezTopic.name, fezID, `${fezID} ${event.startTime}`, event)))
    throw unavailable('server_unreachable', 'Not every server could be reached. It will be tried again.')
}

declare module '../core/jobs/jobs.ts' {
  interface JobPayloads {
    'fez-starting': { fezID: string; startTime: string }
  }
}
