// What a rehearsal needs of its own copy of the database.
import type { Sql } from '../core/db/db.ts'

/** An account to ask as. */
export interface Asker {
  id: string
  username: string
}

/** One account of each level, that with the most posts: what it sees has the most in it. */
export async function selectAskers(sql: Sql): Promise<Asker[]> {
  return await sql<Asker[]>`
    select distinct on (level) id, username from account
    where deleted_at is null and level >= 'verified'
    order by level, (select count(*) from microblog_post where author_id = account.id)
      + (select count(*) from forum_post where author_id = account.id) desc, username`
}

/** Gives an account of the copy a token, by what is stored of one. */
export async function writeToken(sql: Sql, accountId: string, nonce: Uint8Array, digest: Uint8Array): Promise<void> {
  await sql`update account set token_nonce = ${nonce}, token_digest = ${digest} where id = ${accountId}`
}
