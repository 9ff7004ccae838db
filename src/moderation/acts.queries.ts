// Statements about what moderators have done about one thing, as the audit trail has it.
import type { Sql } from '../core/db/db.ts'
import type { ContentModerationStatus, ModeratorAct, ReportType } from './types.ts'
import { moderatorActs } from './types.ts'

/** Something that was or can be reported. */
export interface Thing {
  type: ReportType
  id: string
}

/** Private events are chats: reports and acts on one are about the same thing, under either word. */
const twinOf = (type: ReportType): ReportType => (type === 'fez' ? 'privateEvent' : type === 'privateEvent' ? 'fez' : type)

const wanted = (sql: Sql, things: readonly Thing[]) => sql`
  unnest(${things.map(({ type }) => type)}::text[], ${things.map(({ type }) => twinOf(type))}::text[], ${things.map(({ id }) => id)}::text[])
    as wanted (type, twin, id)`

/** How much has happened to a thing. */
export interface VersionRow extends Thing {
  reports: number
  /** Acts of others than the viewer. */
  others: number
}

export async function selectVersions(sql: Sql, things: readonly Thing[], viewerId: string): Promise<VersionRow[]> {
  return await sql<VersionRow[]>`
    select wanted.type, wanted.id,
      (select count(*)::int from report
        where report.type in (wanted.type::report_type, wanted.twin::report_type) and reported_id = wanted.id) as reports,
      (select count(*)::int from audit
        where subject_type in (wanted.type, wanted.twin) and subject_id = wanted.id and action = any(${moderatorActs as readonly string[] as string[]})
          and actor_id <> ${viewerId}) as others
    from ${wanted(sql, things)}`
}

export interface ActRow extends Thing {
  actorId: string
  action: ModeratorAct
  /** Of `setState`. */
  state: ContentModerationStatus | null
  createdAt: Date
}

/** The newest acts on each thing, newest first. */
export async function selectActs(sql: Sql, things: readonly Thing[], most: number): Promise<ActRow[]> {
  return await sql<ActRow[]>`
    select wanted.type, wanted.id, act.actor_id, act.action, act.state, act.created_at
    from ${wanted(sql, things)}, lateral (
      select audit.id as audit_id, actor_id, action, case when action = 'setState' then details->>'to' end as state, created_at from audit
      where subject_type in (wanted.type, wanted.twin) and subject_id = wanted.id and action = any(${moderatorActs as readonly string[] as string[]})
      order by audit.id desc limit ${most}) as act
    order by act.audit_id desc`
}
