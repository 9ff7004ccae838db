// Notifies members that a group they joined is about to start.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import { isHidden } from '../moderation/types.ts'
import { notificationFrame } from '../notices/frames.ts'
import { announcedStart, noteStarts } from '../settings/starting.ts'
import { fezTopic, type FezEvent } from './events.ts'
import { groupsOn, selectFezSnapshot } from './queries.ts'
import { chatGroup } from './types.ts'

/** Notes a job for every group whose start has come near. */
export const noteStartingFezzes = (ctx: Ctx<undefined>): Promise<void> =>
  noteStarts(ctx, {
    of: 'lfgs',
    kind: 'fez',
    candidates: groupsOn,
    enqueue: (tx, fezID, startTime, due) => tx.enqueue('fez-starting', { fezID, startTime }, due),
  })

/** Tells the members on their notification sockets, unless the group was called off or moved meanwhile. */
export async function announceStart(tx: Tx<undefined>, { fezID, startTime }: JobPayloads['fez-starting']): Promise<void> {
  const fez = await selectFezSnapshot(tx.sql, fezID)
  if (!fez || fez.deletedAt || fez.cancelled || fez.startTime?.toISOString() !== startTime) return
  const masked = isHidden(fez.moderationStatus)
  const info = `${masked ? 'A group you joined' : fez.title} is starting soon${fez.location && !masked ? `, ${fez.location}` : ''}.`
  const type = chatGroup(fez.fezType) === 'lfg' ? 'joinedLFGStarting' : 'personalEventStarting'
  const starting: FezEvent = {
    type: 'starting',
    seq: 0,
    startTime: announcedStart(tx.ctx.node, 'lfgs', fez.startTime),
    notice: notificationFrame(type, info, fezID),
  }
  await tx.ctx.node.channels.publishDurably(fezTopic, fezID, `${fezID} ${starting.startTime}`, starting)
}

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'fez-starting': { fezID: string; startTime: string }
  }
}
