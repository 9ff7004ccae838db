// Feedback on events, straight in the database.
import { randomUUID } from 'node:crypto'
import type { TestNodes } from './app.ts'

/** Feedback by an account on an event of its own, which is on no schedule any more; returns its id. */
export async function givenFeedback(
  { sql }: Pick<TestNodes, 'sql'>,
  { id: authorId }: { id: string },
  { isActionable = false } = {},
): Promise<string> {
  const [id, eventId] = [randomUUID(), randomUUID()]
  await sql`
    insert into event (id, uid, title, description, location, event_type, start_time, end_time, updated_at, deleted_at)
    values (${eventId}, ${eventId}, 'A workshop', '', 'A room', 'workshop', now() - interval '2 hours', now() - interval '1 hour', now(), now())`
  await sql`
    insert into event_feedback (id, author_id, event_id, event_title, event_location, event_time, host_name, attendance, recap, issues, is_actionable, updated_at)
    values (${id}, ${authorId}, ${eventId}, 'A workshop', 'A room', now() - interval '2 hours', 'Somebody', 'Ten', 'Fine', '', ${isActionable}, now())`
  return id
}
