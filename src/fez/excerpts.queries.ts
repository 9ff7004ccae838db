// Statements about messages that members have handed to the moderators.
import type { Sql } from '../core/db/db.ts'
import { postColumns, type FezPostRow } from './rows.ts'

/** A message as it was when it was handed over. */
export type ExcerptPost = Pick<FezPostRow, 'id' | 'authorId' | 'text' | 'image'> & { createdAt: string }

export interface ExcerptRow {
  reportId: string
  title: string
  memberIds: string[]
  posts: ExcerptPost[]
}

/** Those of these posts that are in the chat and not deleted, in order. */
export async function selectPostsOf(sql: Sql, fezId: string, ids: readonly number[]): Promise<FezPostRow[]> {
  return await sql<FezPostRow[]>`
    select ${sql(postColumns)} from fez_post where fez_id = ${fezId} and id = any (${ids}::int[]) and deleted_at is null order by id`
}

export async function insertExcerpt(sql: Sql, { reportId, title, memberIds, posts }: ExcerptRow): Promise<void> {
  await sql`
    insert into report_excerpt (report_id, title, member_ids, posts)
    values (${reportId}, ${title}, ${memberIds}::uuid[], ${sql.json(posts)})`
}

/** What was handed over with these reports, the newest first. */
export async function selectExcerpts(sql: Sql, reportIds: readonly string[]): Promise<ExcerptRow[]> {
  return await sql<ExcerptRow[]>`
    select report_id, excerpt.title, member_ids, posts from report_excerpt excerpt join report on report.id = report_id
    where report_id = any (${reportIds}::uuid[]) order by report.created_at desc, report.id`
}
