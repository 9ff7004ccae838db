// Statements about feedback on events.
import { builtIn } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'
import type { FeedbackContent, FeedbackRow, JudgedFeedbackRow } from './rows.ts'

const feedbackColumns = (sql: Sql) => sql`
  feedback.id, feedback.author_id, feedback.event_id, event_title, event_location, event_time, host_name, attendance, recap, issues,
    feedback.updated_at`

/** The feedback of an account on an event. */
export async function selectFeedback(sql: Sql, authorId: string, eventId: string): Promise<FeedbackRow | undefined> {
  const [row] = await sql<
    FeedbackRow[]
  >`select ${feedbackColumns(sql)} from event_feedback feedback where author_id = ${authorId} and event_id = ${eventId}`
  return row
}

/** Ids of the events that an account has given feedback on. */
export async function selectEventsWithFeedback(sql: Sql, authorId: string): Promise<Set<string>> {
  const rows = await sql<{ eventId: string }[]>`select event_id from event_feedback where author_id = ${authorId}`
  return new Set(rows.map(({ eventId }) => eventId))
}

/** Ids of the events at which the performer of an account appears. */
export async function selectEventsPerformed(sql: Sql, accountId: string): Promise<Set<string>> {
  const rows = await sql<{ eventId: string }[]>`
    select event_id from performer_event join performer on performer.id = performer_id where account_id = ${accountId}
      and deleted_at is null`
  return new Set(rows.map(({ eventId }) => eventId))
}

/** Writes feedback, in place of what its author gave on the same event before. */
export async function upsertFeedback(
  sql: Sql,
  { id, authorId, eventId, ...content }: { id: string; authorId: string; eventId: string } & FeedbackContent,
  now: Date,
): Promise<void> {
  const { eventTitle, eventLocation, eventTime, hostName, attendance, recap, issues } = content
  await sql`
    insert into event_feedback (id, author_id, event_id, event_title, event_location, event_time, host_name, attendance, recap, issues,
      updated_at)
    values (${id}, ${authorId}, ${eventId}, ${eventTitle}, ${eventLocation}, ${eventTime}, ${hostName}, ${attendance}, ${recap}, ${issues},
      ${now})
    on conflict on constraint event_feedback_once do update set
      event_title = excluded.event_title, event_location = excluded.event_location, event_time = excluded.event_time,
        host_name = excluded.host_name,
      attendance = excluded.attendance, recap = excluded.recap, issues = excluded.issues, updated_at = excluded.updated_at`
}

const judged = (sql: Sql) => sql`
  select ${feedbackColumns(sql)}, is_actionable, event.forum_id,
    (select count(*)::int from event_follower where event_id = event.id) as followers,
    (select count(*)::int from forum_post where forum_id = event.forum_id and author_id <> ${builtIn.admin} and deleted_at is null) as posts
  from event_feedback feedback join event on event.id = feedback.event_id`

/** All feedback, last changed first. */
export async function selectAllFeedback(sql: Sql): Promise<JudgedFeedbackRow[]> {
  return await sql<JudgedFeedbackRow[]>`${judged(sql)} order by feedback.updated_at desc, feedback.id`
}

/** One feedback as the team sees it. */
export async function selectJudgedFeedback(sql: Sql, feedbackId: string): Promise<JudgedFeedbackRow | undefined> {
  const [row] = await sql<JudgedFeedbackRow[]>`${judged(sql)} where feedback.id = ${feedbackId}`
  return row
}

/** How much feedback there is, and on how many events. */
export async function countFeedback(sql: Sql): Promise<{ reports: number; events: number }> {
  const [row] = await sql<
    [{ reports: number; events: number }]
  >`select count(*)::int as reports, count(distinct event_id)::int as events from event_feedback`
  return row
}

/** Locks feedback. */
export async function lockFeedback(sql: Sql, feedbackId: string): Promise<{ authorId: string; isActionable: boolean } | undefined> {
  const [row] = await sql<
    { authorId: string; isActionable: boolean }[]
  >`select author_id, is_actionable from event_feedback where id = ${feedbackId} for no key update`
  return row
}

export async function updateActionable(sql: Sql, feedbackId: string, isActionable: boolean): Promise<void> {
  await sql`update event_feedback set is_actionable = ${isActionable} where id = ${feedbackId}`
}
