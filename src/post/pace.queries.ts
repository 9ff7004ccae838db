// Statements about when people last posted where slow mode is on.
import type { Sql } from '../core/db/db.ts'

/** A person in a place where slow mode is on. */
export interface Pacer {
  place: string
  personId: string
}

/** Locks these rows until the transaction ends, always in the same order, and says when each person last posted there. */
export async function lockPaces(sql: Sql, pacers: readonly Pacer[]): Promise<(Pacer & { postedAt: Date | null })[]> {
  const given = sql`unnest(${pacers.map(({ place }) => place)}::text[], ${pacers.map(({ personId }) => personId)}::uuid[])`
  await sql`
    insert into slow_post (place, person_id) select distinct place, person_id from ${given} as given (place, person_id)
    order by place, person_id on conflict do nothing`
  return await sql<(Pacer & { postedAt: Date | null })[]>`
    select place, person_id, posted_at from slow_post
    where (place, person_id) in (select place, person_id from ${given} as given (place, person_id))
    order by place, person_id for update`
}

/** Notes posts of people whose rows are locked. */
export async function updatePaces(sql: Sql, pacers: readonly (Pacer & { postedAt: Date })[]): Promise<void> {
  await sql`
    update slow_post set posted_at = given.posted_at
    from unnest(${pacers.map(({ place }) => place)}::text[], ${pacers.map(({ personId }) => personId)}::uuid[],
      ${pacers.map(({ postedAt }) => postedAt.toISOString())}::text[]::timestamptz[]) as given (place, person_id, posted_at)
    where slow_post.place = given.place and slow_post.person_id = given.person_id`
}
