// Announcements of the service team to everybody, and how far each user has read them.
import type { Ctx, OpenCtx, Tx } from '../core/work/ctx.ts'
import { builtIn } from '../accounts/rows.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import { atLeast, type Viewer } from '../core/base/viewer.ts'
import { audit } from '../moderation/audit.service.ts'
import { laterThan, requireSame } from '../moderation/meanwhile.ts'
import { settingsOf } from '../settings/channel.ts'
import { userChannelOf } from '../users/channel.ts'
import { userTopic } from '../accounts/events.ts'
import { announcementsId, announcementsKind, announcementsOf } from './channel.ts'
import {
  insertAnnouncement,
  lockAnnouncement,
  lockAnnouncements,
  raiseReadMark,
  selectAnnouncement,
  selectAnnouncements,
  softDeleteAnnouncement,
  updateAnnouncement,
} from './queries.ts'
import { type AnnouncementRow } from './rows.ts'
import type { AnnouncementCreateData, AnnouncementData } from './schemas.ts'

/**
 * Announcements to show now, newest first; this marks them as read by a caller with a token. `inactives`: for the
 * service team, all of them.
 */
export async function listAnnouncements(ctx: OpenCtx, { inactives = false }: { inactives?: boolean }): Promise<AnnouncementData[]> {
  if (inactives && ctx.viewer && atLeast(ctx.viewer.level, 'serviceteam')) {
    const rows = await selectAnnouncements(ctx.sql, { deleted: true })
    await ctx.node.accounts.load(new Set(rows.map(({ authorId }) => authorId)))
    return rows.map((row) => announcementData(ctx, row))
  }
  const active = (await announcementsOf(ctx.node)).active()
  if (isLoggedIn(ctx)) await markRead(ctx, active[0]?.id ?? 0)
  return active.map((row) => announcementData(ctx, row))
}

function isLoggedIn(ctx: OpenCtx): ctx is Ctx {
  return ctx.viewer !== undefined
}

async function markRead(ctx: Ctx, announcementID: number): Promise<void> {
  if (announcementID <= userChannelOf(ctx.viewer).readAnnouncementID) return
  await ctx.markSeen({ topic: userTopic, id: ctx.viewer.id }, async (tx) => {
    // Everybody reads it within minutes: answers that show accounts stay. Who shows this mark has it from the user's channel.
    tx.changesUnshown('account')
    if (await raiseReadMark(tx.sql, tx.viewer.id, announcementID))
      tx.emitConfirmed(userTopic, tx.viewer.id, { type: 'announcementsRead', announcementID })
  })
}

/** One announcement, whether or not it is shown. */
export async function getAnnouncement(ctx: Ctx, id: number): Promise<AnnouncementData> {
  const row = await selectAnnouncement(ctx.sql, id)
  if (!row) throw notAvailable('announcement')
  await ctx.node.accounts.load([row.authorId])
  return announcementData(ctx, row)
}

/** Tells everybody: at once who is connected, and when they ask who is not. */
export async function createAnnouncement(ctx: Ctx, content: AnnouncementCreateData): Promise<void> {
  await ctx.transaction(async (tx) => {
    await lockAnnouncements(tx.sql)
    const fields = fieldsOf(tx, content)
    const id = await insertAnnouncement(tx.sql, { authorId: authorOf(tx.viewer, content.postAsUser), ...fields, now: tx.now })
    tx.enqueue('webhook-event', { kind: 'announcement.created', at: tx.now, data: { announcementID: id, text: fields.text } })
    await audit(tx, { action: 'create', subject: { type: 'announcement', id: String(id) }, details: { to: fields } })
    tx.emitConfirmed(announcementsKind, announcementsId, { type: 'changed' })
  })
}

/** Replaces text and time, without telling anybody; brings a deleted announcement back. */
export async function editAnnouncement(ctx: Ctx, id: number, content: AnnouncementCreateData): Promise<AnnouncementData> {
  await ctx.transaction(async (tx) => {
    authorOf(tx.viewer, content.postAsUser)
    const before = await lockAnnouncement(tx.sql, id)
    if (!before) throw notAvailable('announcement')
    requireSame(content.basedOn, before.updatedAt, 'this announcement')
    const fields = fieldsOf(tx, content)
    await updateAnnouncement(tx.sql, id, { ...fields, now: laterThan(before.updatedAt, tx.now) })
    await auditChange(tx, 'edit', before, fields)
    tx.emitConfirmed(announcementsKind, announcementsId, { type: 'changed' })
  })
  return await getAnnouncement(ctx, id)
}

/** The account in whose name the caller announces. @throws AppError 403 when they may not speak for it. */
export function authorOf(viewer: Viewer, postAsUser = ''): string {
  const name = postAsUser.trim().toLowerCase()
  const { level } = viewer
  if (name === '' || name === 'self' || name === viewer.username.toLowerCase()) return viewer.id
  if (teamNames.has(name) && (level === 'serviceteam' || level === 'admin')) return builtIn.ServiceTeam
  if (name === 'tho' && atLeast(level, 'tho')) return builtIn.THO
  if (name === 'admin' && atLeast(level, 'serviceteam')) return builtIn.admin
  throw forbidden('level_too_low', 'You cannot announce in this name.')
}

/** Of the team's shared account, in both dialects. */
const teamNames: ReadonlySet<string> = new Set(['serviceteam', 'twitarrteam'])

/** Takes an announcement back. */
export async function deleteAnnouncement(ctx: Ctx, id: number, basedOn?: Date): Promise<void> {
  await ctx.transaction(async (tx) => {
    const before = await lockAnnouncement(tx.sql, id)
    if (!before || before.deletedAt) throw notAvailable('announcement')
    requireSame(basedOn, before.updatedAt, 'this announcement')
    await softDeleteAnnouncement(tx.sql, id, laterThan(before.updatedAt, tx.now))
    await auditChange(tx, 'delete', before)
    tx.emitConfirmed(announcementsKind, announcementsId, { type: 'changed' })
  })
}

/** Records each version of an announcement in the audit trail. */
async function auditChange(
  tx: Tx,
  action: 'edit' | 'delete',
  { id, authorId, text, displayUntil }: AnnouncementRow,
  to?: object,
): Promise<void> {
  await audit(tx, {
    action,
    subject: { type: 'announcement', id: String(id) },
    userId: authorId,
    details: { from: { text, displayUntil }, ...(to ? { to } : {}) },
  })
}

/** Request fields as they are stored: times floating. */
function fieldsOf(tx: Tx, { text, displayUntil }: AnnouncementCreateData): { text: string; displayUntil: Date } {
  return { text, displayUntil: settingsOf(tx.ctx.node).trip.clientToPort(displayUntil, tx.now) }
}

function announcementData(ctx: OpenCtx, row: AnnouncementRow): AnnouncementData {
  const { trip } = settingsOf(ctx.node)
  const { id, authorId, text, updatedAt, displayUntil, deletedAt } = row
  return {
    id,
    author: ctx.node.accounts.get(authorId).header,
    text,
    updatedAt,
    displayUntil: trip.portToDisplay(displayUntil),
    isDeleted: deletedAt !== null,
  }
}
