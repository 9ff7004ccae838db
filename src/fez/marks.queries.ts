// Statements about what somebody has made of a chat for themselves: a favorite, or a muted one.
import type { Sql } from '../core/db/db.ts'

export interface Marks {
  isMuted: boolean
  isFavorite: boolean
}

/** Whose marks: a member's own, or those of one who reads the chat in the shared inbox of a member. */
export interface Marker {
  fezId: string
  memberId: string
  readerId: string
}

/** The marks in a chat whose row is locked; undefined when the member is not in it. */
export async function selectMarks(sql: Sql, { fezId, memberId, readerId }: Marker): Promise<Marks | undefined> {
  const [row] =
    memberId === readerId
      ? await sql<Marks[]>`
        select is_muted, is_favorite from fez_member where fez_id = ${fezId} and account_id = ${memberId} and left_at is null`
      : await sql<Marks[]>`
        select coalesce(seen.is_muted, false) as is_muted, coalesce(seen.is_favorite, false) as is_favorite
        from fez_member member left join fez_inbox_reader seen on seen.fez_id = member.fez_id and seen.inbox_id = member.account_id
          and seen.account_id = ${readerId}
        where member.fez_id = ${fezId} and member.account_id = ${memberId} and left_at is null`
  return row
}

export async function updateMarks(sql: Sql, { fezId, memberId, readerId }: Marker, { isMuted, isFavorite }: Marks): Promise<void> {
  if (memberId === readerId)
    await sql`
      update fez_member set is_muted = ${isMuted}, is_favorite = ${isFavorite}
      where fez_id = ${fezId} and account_id = ${memberId} and left_at is null`
  else
    await sql`
      insert into fez_inbox_reader (account_id, inbox_id, fez_id, is_muted, is_favorite)
      values (${readerId}, ${memberId}, ${fezId}, ${isMuted}, ${isFavorite})
      on conflict (account_id, inbox_id, fez_id) do update set is_muted = excluded.is_muted, is_favorite = excluded.is_favorite`
}
