// Statements about polls and votes.
import type { Sql } from '../core/db/db.ts'
import type { PollRow, PostedPoll, VoteRow } from './rows.ts'

const pollColumns = (sql: Sql) =>
  sql`id, author_id, place, fez_id, post_id, question, choices, is_several, is_anonymous, ends_at, created_at`

/** Writes a poll that has no post yet. False when it is there: the request was sent before. */
export async function insertPoll(sql: Sql, poll: Omit<PollRow, 'postId'>): Promise<boolean> {
  const rows = await sql`
    insert into poll (id, author_id, place, fez_id, question, choices, is_several, is_anonymous, ends_at, created_at)
    values (${poll.id}, ${poll.authorId}, ${poll.place}, ${poll.fezId}, ${poll.question}, ${poll.choices}::text[], ${poll.isSeveral},
      ${poll.isAnonymous}, ${poll.endsAt}, ${poll.createdAt})
    on conflict (id) do nothing returning 1`
  return rows.length > 0
}

/** Gives a poll its post. */
export async function updatePostOfPoll(sql: Sql, pollId: string, postId: number): Promise<void> {
  await sql`update poll set post_id = ${postId} where id = ${pollId}`
}

/** Deletes a poll that has no post. */
export async function deleteLostPoll(sql: Sql, pollId: string): Promise<void> {
  await sql`delete from poll where id = ${pollId} and post_id is null`
}

/** Deletes polls that were begun before `before` and have no post. */
export async function deleteLostPolls(sql: Sql, before: Date): Promise<void> {
  await sql`delete from poll where post_id is null and created_at < ${before}`
}

/** Polls that have their post, in any order. */
export async function selectPolls(sql: Sql, ids: readonly string[]): Promise<PostedPoll[]> {
  return await sql<PostedPoll[]>`select ${pollColumns(sql)} from poll where id = any (${ids}::uuid[]) and post_id is not null`
}

/** Locks a poll: votes come one after another, and none comes after its end. */
export async function lockPoll(sql: Sql, id: string): Promise<PostedPoll | undefined> {
  const [row] = await sql<PostedPoll[]>`select ${pollColumns(sql)} from poll where id = ${id} and post_id is not null for no key update`
  return row
}

/** All votes of these polls; those of one in the order in which they came. */
export async function selectVotes(sql: Sql, pollIds: readonly string[]): Promise<VoteRow[]> {
  return await sql<VoteRow[]>`
    select poll_id, person_id, account_id, choice from poll_vote where poll_id = any (${pollIds}::uuid[])
    order by poll_id, voted_at, person_id, choice`
}

/** Replaces the votes of a person in a locked poll. */
export async function replaceVotes(
  sql: Sql,
  { pollId, personId, accountId }: Omit<VoteRow, 'choice'>,
  choices: readonly number[],
  now: Date,
): Promise<void> {
  await sql`
    with gone as (delete from poll_vote where poll_id = ${pollId} and person_id = ${personId} and choice <> all (${choices}::smallint[]))
    insert into poll_vote (poll_id, person_id, choice, account_id, voted_at)
    select ${pollId}, ${personId}, choice, ${accountId}, ${now} from unnest(${choices}::smallint[]) as choice
    on conflict (poll_id, person_id, choice) do update set account_id = excluded.account_id`
}

/** Ends a poll. */
export async function updateEnd(sql: Sql, pollId: string, now: Date): Promise<void> {
  await sql`update poll set ends_at = ${now} where id = ${pollId}`
}
