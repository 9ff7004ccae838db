// Planned announcements: a job publishes each one at its time.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { JobPayloads } from '../core/outbox/jobs.ts'
import { badRequest, notAvailable } from '../core/base/errors.ts'
import { audit } from '../moderation/audit.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { announcementsId, announcementsKind } from './channel.ts'
import { deletePlanned, insertAnnouncement, insertPlanned, lockAnnouncements, selectPlanned, type PlannedRow } from './queries.ts'
import type { AnnouncementPlanData, PlannedAnnouncementData } from './schemas.ts'
import { authorOf } from './service.ts'

declare module '../core/outbox/jobs.ts' {
  interface JobPayloads {
    'announcement-due': { plannedID: string }
  }
}

const most = 200

/** The planned announcements, the next first. */
export async function listPlannedAnnouncements(ctx: Ctx): Promise<PlannedAnnouncementData[]> {
  const rows = await selectPlanned(ctx.sql)
  await ctx.node.accounts.load(new Set(rows.flatMap(({ authorId, plannedBy }) => [authorId, plannedBy])))
  return rows.map((row) => plannedData(ctx, row))
}

function plannedData({ node }: Ctx, { id, authorId, plannedBy, text, showAt, displayUntil }: PlannedRow): PlannedAnnouncementData {
  const { trip } = settingsOf(node)
  return {
    plannedID: id,
    author: node.accounts.get(authorId).header,
    plannedBy: node.accounts.get(plannedBy).header,
    text,
    showAt: trip.portToDisplay(showAt),
    displayUntil: trip.portToDisplay(displayUntil),
  }
}

/** Plans an announcement for a later time. */
export async function planAnnouncement(ctx: Ctx, plan: AnnouncementPlanData): Promise<PlannedAnnouncementData> {
  const { trip } = settingsOf(ctx.node)
  const authorId = authorOf(ctx.viewer, plan.postAsUser)
  const now = new Date(ctx.nowMs)
  const row = {
    id: ctx.node.random.uuid(),
    authorId,
    plannedBy: ctx.viewer.id,
    text: plan.text,
    showAt: trip.clientToPort(plan.showAt, now),
    displayUntil: trip.clientToPort(plan.displayUntil, now),
  }
  await ctx.node.accounts.load([authorId, ctx.viewer.id])
  return await ctx.transaction(async (tx) => {
    if (!(await insertPlanned(tx.sql, row, tx.now, most)))
      throw badRequest('too_many_planned', `There are ${most} planned announcements already. Delete one first.`)
    // By the clocks aboard at that time.
    tx.enqueue('announcement-due', { plannedID: row.id }, trip.portToDisplay(row.showAt))
    await audit(tx, {
      action: 'planAnnouncement',
      subject: { type: 'announcement', id: row.id },
      details: { to: { text: row.text, showAt: row.showAt } },
    })
    return plannedData(ctx, row)
  })
}

/** Deletes a planned announcement: nobody hears of it. */
export async function unplanAnnouncement(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const row = await deletePlanned(tx.sql, id)
    if (!row) throw notAvailable('announcement')
    await audit(tx, {
      action: 'delete',
      subject: { type: 'announcement', id },
      userId: row.authorId,
      details: { from: { text: row.text, showAt: row.showAt } },
    })
  })
}

/** Publishes a planned announcement, unless it was deleted; one that would have ended already is dropped. */
export async function announcePlanned(tx: Tx<undefined>, { plannedID }: JobPayloads['announcement-due']): Promise<void> {
  const row = await deletePlanned(tx.sql, plannedID)
  if (!row || row.displayUntil <= settingsOf(tx.ctx.node).shipTimeAt(tx.now.getTime()).floatingNow) return
  await lockAnnouncements(tx.sql)
  const id = await insertAnnouncement(tx.sql, { ...row, now: tx.now })
  tx.enqueue('webhook-event', { kind: 'announcement.created', at: tx.now, data: { announcementID: id, text: row.text } })
  tx.emitConfirmed(announcementsKind, announcementsId, { type: 'changed' })
}
