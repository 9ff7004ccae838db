// Looking for alertwords in new posts when 10 are watched and when 10,000 are: the same posts, the same hits.
import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { createResidents } from './population.ts'
import { startMeasured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, type Row } from './table.ts'

const posts = 3000
const wordsPerPost = 40
const vocabulary = 5000
const manyWatched = 10_000
const atOnce = 8
const pairs = 5

/** A number as a word of letters. */
const wordOf = (number: number): string => `word${[...String(number)].map((digit) => String.fromCharCode(97 + Number(digit))).join('')}`

export async function words({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, 1000)
  const postIds = await createPosts(sql, residents[0]?.id ?? '')
  const scanner = await startMeasured('scanner.js', env)
  const scan = async (watched: number) => {
    await sql`delete from hit`
    await sql`delete from outbox`
    await sql`delete from alertword`
    // The first ten are said now and then, the others never.
    const list = Array.from({ length: watched }, (_, index) => wordOf(index < 10 ? index : vocabulary + index))
    await sql`
      insert into alertword (account_id, word, created_at)
      select (${residents.map(({ id }) => id)}::uuid[])[1 + number % ${residents.length}], word, now() from unnest(${list}::text[]) with ordinality as list (word, number)`
    await sql`vacuum analyze alertword, hit`
    const rate = await scanner.order<number>('scan', { postIds, atOnce })
    const [found] = await sql<[{ count: number }]>`select count(*)::int as count from hit`
    if (found.count === 0) throw new Error('nothing was found')
    return rate
  }
  const row = await compare(
    `alertwords: ${manyWatched.toLocaleString('en-US')} words watched, against 10`,
    'posts scanned per second',
    pairs,
    () => scan(manyWatched),
    () => scan(10),
  )
  await scanner.stop()
  await sql`delete from outbox`
  await sql.end()
  return [row]
}

async function createPosts(sql: postgres.Sql, authorId: string): Promise<number[]> {
  const [category, forum] = [randomUUID(), randomUUID()]
  await sql`insert into forum_category (id, title, purpose, view_level, create_level) values (${category}, ${category}, '', 'unverified', 'verified')`
  await sql`
    insert into forum (id, category_id, creator_id, title, title_key, post_count, last_post_time, created_at)
    values (${forum}, ${category}, ${authorId}, 'Bench', 'bench', ${posts}, now(), now())`
  const texts = Array.from({ length: posts }, (_, post) =>
    Array.from({ length: wordsPerPost }, (_each, word) => wordOf((post * 7919 + word * 104_729) % vocabulary)).join(' '),
  )
  const rows = await sql<{ id: number }[]>`
    insert into forum_post (forum_id, author_id, real_author_id, text, images, created_at) select ${forum}, ${authorId}, ${authorId}, text, '{}', now() from unnest(${texts}::text[]) as text returning id`
  return rows.map(({ id }) => id)
}
