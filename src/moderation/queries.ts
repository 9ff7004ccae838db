// Statements about moderation: reports, the moderator action log, the audit trail.
import { advisoryLock } from '../core/db/advisory-lock.ts'
import type { Sql } from '../core/db/db.ts'
import type { ModeratorActionType, ReportType } from './types.ts'

export interface ModeratorActionEntry {
  id: string
  action: ModeratorActionType
  contentType: ReportType
  contentId: string
  moderatorId: string
  targetUserId: string
  now: Date
}

export async function insertModeratorAction(sql: Sql, entry: ModeratorActionEntry): Promise<void> {
  await sql`
    insert into moderator_action (id, action_type, content_type, content_id, moderator_id, target_user_id, action_group, created_at)
    values (${entry.id}, ${entry.action}, ${entry.contentType}, ${entry.contentId}, ${entry.moderatorId}, ${entry.targetUserId},
      (select action_group from moderator_work where moderator_id = ${entry.moderatorId}), ${entry.now})`
}

export interface ModeratorActionRow {
  id: string
  actionType: ModeratorActionType
  contentType: ReportType
  contentId: string
  moderatorId: string
  targetUserId: string
  createdAt: Date
}

/** A page of the action log, newest first, and the number of all entries. */
export async function selectModeratorActions(
  sql: Sql,
  start: number,
  limit: number,
): Promise<{ total: number; rows: ModeratorActionRow[] }> {
  const rows = await sql<(ModeratorActionRow & { total: number })[]>`
    select total.number as total, page.*
    from (select count(*)::int as number from moderator_action) as total
    left join (
      select id, action_type, content_type, content_id, moderator_id, target_user_id, created_at from moderator_action
        order by created_at desc, id limit ${limit} offset ${start}) as page on true
    order by page.created_at desc, page.id`
  return { total: rows[0]?.total ?? 0, rows: rows.filter(({ id }) => id !== null) }
}

/** Sets the group that a moderator's next actions belong to; null: none. */
export async function setActionGroup(sql: Sql, moderatorId: string, actionGroup: string | null): Promise<void> {
  if (actionGroup === null) await sql`delete from moderator_work where moderator_id = ${moderatorId}`
  else
    await sql`
    insert into moderator_work (moderator_id, action_group) values (${moderatorId}, ${actionGroup})
    on conflict (moderator_id) do update set action_group = excluded.action_group`
}

export interface AuditEntry {
  actorId: string
  action: string
  subjectType: string
  subjectId: string
  userId: string | null
  details: object
  requestId: string
  now: Date
}

export async function insertAuditEntry(sql: Sql, entry: AuditEntry): Promise<void> {
  await sql`
    insert into audit (actor_id, action, subject_type, subject_id, user_id, details, request_id, created_at)
    values (${entry.actorId}, ${entry.action}, ${entry.subjectType}, ${entry.subjectId}, ${entry.userId},
      ${sql.json(entry.details as never)}, ${entry.requestId}, ${entry.now})`
}

/** Stores a report; false when this person has reported the same thing before. */
export async function insertReport(
  sql: Sql,
  report: { id: string; type: string; reportedId: string; reportedUserId: string; authorId: string; message: string; now: Date },
): Promise<boolean> {
  const result = await sql`
    insert into report (id, type, reported_id, reported_user_id, author_id, message, created_at, updated_at)
    values (${report.id}, ${report.type}, ${report.reportedId}, ${report.reportedUserId}, ${report.authorId}, ${report.message},
      ${report.now}, ${report.now})
    on conflict on constraint report_once do nothing`
  return result.count > 0
}

export interface ReportRow {
  id: string
  type: ReportType
  reportedId: string
  reportedUserId: string
  authorId: string
  message: string
  handledBy: string | null
  isClosed: boolean
  createdAt: Date
  updatedAt: Date
}

/**
 * Whether reports alone hide something, now that `reporterId` has reported it: the number of verified persons who have done so is a
 * multiple of `threshold`, and its owner is no member of the team, with whichever account. Others' reports are for moderators.
 */
export async function selectIsReportedOften(
  sql: Sql,
  {
    type,
    reportedId,
    ownerId,
    reporterId,
    threshold,
  }: { type: string; reportedId: string; ownerId: string; reporterId: string; threshold: number },
): Promise<boolean> {
  const [row] = await sql<[{ often: boolean }]>`
    select coalesce(bool_or(report.author_id = ${reporterId}), false) and count(*) % greatest(${threshold}::int, 1) = 0
      and not exists (
        select from account owned join account any_of on any_of.person_id = owned.person_id
        where owned.id = ${ownerId} and any_of.level > 'verified') as often
    from report join account reporter on reporter.id = report.author_id
    where report.type = ${type} and report.reported_id = ${reportedId} and reporter.level >= 'verified' and ${threshold}::int > 0`
  return row.often
}

const reportColumns = (sql: Sql) =>
  sql`id, type, reported_id, reported_user_id, author_id, message, handled_by, is_closed, created_at, updated_at`

/** All reports, newest first. */
export async function selectReports(sql: Sql): Promise<ReportRow[]> {
  return await sql<ReportRow[]>`select ${reportColumns(sql)} from report order by created_at desc, id`
}

/** Reports on several pieces of content, newest first. */
export async function selectReportsOnAll(sql: Sql, of: readonly { type: ReportType; id: string }[]): Promise<ReportRow[]> {
  return await sql<ReportRow[]>`
    select ${reportColumns(sql)} from report
    where (type::text, reported_id) in (select * from unnest(${of.map(({ type }) => type as string)}::text[],
      ${of.map(({ id }) => id)}::text[]))
    order by created_at desc, id`
}

/** The newest actions of moderators on what any of these accounts owns, or on the accounts. */
export async function selectActionsAgainst(sql: Sql, accountIds: readonly string[], limit: number): Promise<ModeratorActionRow[]> {
  return await sql<ModeratorActionRow[]>`
    select id, action_type, content_type, content_id, moderator_id, target_user_id, created_at from moderator_action
    where target_user_id = any(${accountIds}) order by created_at desc, id limit ${limit}`
}

/** How many reports these accounts have filed. */
export async function countReportsBy(sql: Sql, accountIds: readonly string[]): Promise<number> {
  const [row] = await sql<[{ filed: number }]>`select count(*)::int as filed from report where author_id = any(${accountIds})`
  return row.filed
}

/** Reports on one piece of content, newest first. */
export async function selectReportsOn(sql: Sql, type: ReportType, reportedId: string): Promise<ReportRow[]> {
  return await sql<
    ReportRow[]
  >`select ${reportColumns(sql)} from report where type = ${type} and reported_id = ${reportedId} order by created_at desc, id`
}

export async function selectReport(sql: Sql, reportId: string): Promise<ReportRow | undefined> {
  const [row] = await sql<ReportRow[]>`select ${reportColumns(sql)} from report where id = ${reportId}`
  return row
}

/** Locks the reports on one piece of content that are not closed; returns their ids. */
export async function lockUnclosedReports(sql: Sql, type: ReportType, reportedId: string): Promise<string[]> {
  const rows = await sql<
    { id: string }[]
  >`select id from report where type = ${type} and reported_id = ${reportedId} and not is_closed order by id for update`
  return rows.map(({ id }) => id)
}

export async function updateReportsHandled(
  sql: Sql,
  reportIds: readonly string[],
  handledBy: string,
  actionGroup: string,
  now: Date,
): Promise<void> {
  await sql`update report set handled_by = ${handledBy}, action_group = ${actionGroup}, updated_at = ${now} where id = any(${reportIds})`
}

export async function updateReportsClosed(sql: Sql, reportIds: readonly string[], now: Date): Promise<void> {
  await sql`update report set is_closed = true, updated_at = ${now} where id = any(${reportIds})`
}

/** Reports on what any of these accounts owns, newest first. */
export async function selectReportsAgainst(sql: Sql, accountIds: readonly string[]): Promise<ReportRow[]> {
  return await sql<
    ReportRow[]
  >`select ${reportColumns(sql)} from report where reported_user_id = any(${accountIds}) order by created_at desc, id`
}

/** Reports that are neither closed nor being handled. */
export async function countOpenReports(sql: Sql): Promise<number> {
  const [row] = await sql<[{ open: number }]>`select count(*)::int as open from report where not is_closed and handled_by is null`
  return row.open
}

/** A letter to be written again. */
export interface TemplateRow {
  id: string
  title: string
  content: string
  authorId: string
  updatedAt: Date
}

export async function selectTemplates(sql: Sql): Promise<TemplateRow[]> {
  return await sql<TemplateRow[]>`select id, title, content, author_id, updated_at from seamail_template order by title, id`
}

/** A template as far as changes of others are told by it. */
export type KnownTemplate = Pick<TemplateRow, 'id' | 'updatedAt'>

/** All templates, which nobody else changes until the transaction ends. */
export async function lockTemplates(sql: Sql): Promise<KnownTemplate[]> {
  await sql`select pg_advisory_xact_lock(${advisoryLock('templates')})`
  return await sql<KnownTemplate[]>`select id, updated_at from seamail_template`
}

export async function upsertTemplate(sql: Sql, { id, title, content, authorId, updatedAt }: TemplateRow): Promise<void> {
  await sql`
    insert into seamail_template (id, title, content, author_id, updated_at) values (${id}, ${title}, ${content}, ${authorId}, ${updatedAt})
    on conflict (id) do update set title = excluded.title, content = excluded.content, author_id = excluded.author_id,
      updated_at = excluded.updated_at`
}

export async function deleteTemplate(sql: Sql, id: string): Promise<void> {
  await sql`delete from seamail_template where id = ${id}`
}
