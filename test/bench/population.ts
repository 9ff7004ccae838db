// Accounts and chats for benchmarks, straight into Postgres.
import { randomBytes, randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { deriveToken, tokenDigest } from '../../src/auth/tokens.ts'

export interface Resident {
  id: string
  username: string
  token: string
}

/** Accounts in a statement. */
const atOnce = 1000

/** Makes verified accounts that are logged in. */
export async function createResidents(sql: postgres.Sql, tokenSecret: string, count: number): Promise<Resident[]> {
  const run = randomBytes(4).toString('hex')
  const residents: Resident[] = []
  while (residents.length < count) {
    const from = residents.length
    const part = Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => {
      const id = randomUUID()
      const nonce = randomBytes(16)
      const token = deriveToken(tokenSecret, id, nonce)
      const username = `resident${run}n${from + index}`
      residents.push({ id, username, token })
      return {
        id,
        person_id: id,
        username,
        username_key: username,
        level: 'verified',
        password_hash: '!',
        user_search: `@${username}`,
        profile_updated_at: new Date(),
        created_at: new Date(),
        token_nonce: nonce,
        token_digest: tokenDigest(token),
      }
    })
    await sql`insert into account ${sql(part)}`
  }
  return residents
}

/** Makes an open-ended LFG of these members with some posts; returns its id. */
export async function createChat(sql: postgres.Sql, members: readonly Resident[], posts: number): Promise<string> {
  const id = randomUUID()
  const owner = members[0]?.id ?? ''
  await sql`
    insert into fez (id, owner_id, fez_type, title, info, search, min_capacity, max_capacity, member_count, seq, created_at, updated_at)
    select ${id}, ${owner}, 'meetup', title, info, to_tsvector('english', title || ' ' || info), 0, 0, ${members.length}, ${members.length}, now(), now()
    from (values ('Bench meetup', 'A chat for measuring')) as given (title, info)`
  await sql`
    insert into fez_member (fez_id, account_id, position, joined_at)
    select ${id}, account_id, position, now() from unnest(${members.map((member) => member.id)}::uuid[]) with ordinality as member (account_id, position)`
  if (posts > 0) {
    await sql`
      insert into fez_post (fez_id, author_id, real_author_id, text, created_at)
      select ${id}, (${members.map((member) => member.id)}::uuid[])[1 + number % ${members.length}], ${owner}, 'This is post number ' || number || ' and it says a few ordinary words about dinner.', now()
      from generate_series(1, ${posts}) as number`
    await sql`update fez set post_count = ${posts}, last_post_id = (select max(id) from fez_post where fez_id = ${id}) where id = ${id}`
    await sql`update fez_member set read_post_id = (select max(id) from fez_post where fez_id = ${id}) where fez_id = ${id}`
  }
  return id
}

/** Starts a forum with one post in a category that everybody sees; returns its id. */
export async function createForum(sql: postgres.Sql, author: Resident, category = 'Bench'): Promise<string> {
  const id = randomUUID()
  await sql`
    with category as (
      insert into forum_category (id, title, purpose, view_level, create_level) values (gen_random_uuid(), ${category}, 'For measuring', 'unverified', 'verified')
      on conflict (title) do update set title = excluded.title returning id),
    first_post as (
      insert into forum_post (forum_id, author_id, real_author_id, text, images, created_at) values (${id}, ${author.id}, ${author.id}, 'The first post', '{}', now()) returning id)
    insert into forum (id, category_id, creator_id, title, title_key, post_count, last_post_id, last_post_time, created_at)
    select ${id}, category.id, ${author.id}, 'Bench forum', 'bench forum', 1, first_post.id, now(), now() from category, first_post`
  return id
}
