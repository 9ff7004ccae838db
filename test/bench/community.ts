// The content of a community for benchmarks: a million posts of forums, 200,000 of the microblog, and what
// 20,000 accounts have read, marked, muted and blocked. Everything is drawn from hashes of row numbers, so
// that two runs measure the same.
import type postgres from 'postgres'
import { createResidents, type Resident } from './population.ts'

/** How much of everything. */
export interface Size {
  users: number
  forums: number
  forumPosts: number
  microblogPosts: number
  alertwords: number
  /** Posts of the longest forum. */
  longest: number
  /** Forums that each account has read, 20 where nothing else is said. */
  readEach?: number
}

export const fullSize: Size = {
  users: 20_000,
  forums: 5000,
  forumPosts: 1_000_000,
  microblogPosts: 200_000,
  alertwords: 10_000,
  longest: 100_000,
}

/** Who and what benchmarks ask about. */
export interface Community {
  residents: Resident[]
  /** Have read every forum to its end, and hide twenty others. */
  regulars: Resident[]
  categoryIds: string[]
  /** Those that everybody sees. The first is the longest, the second has 800 posts, then the longer come first. */
  forumIds: string[]
  /** The commonest word first. */
  vocabulary: string[]
  /** The commonest hashtag first, with #. */
  hashtags: string[]
}

const eightHundred = 800
const regularCount = 50
const hiddenByRegulars = 20
const halves = 20_000
const categoryCount = 10

const syllables = [...'bdfgklmnprstvz'].flatMap((consonant) => [...'aeiou'].map((vowel) => consonant + vowel))

/** Words of two syllables, then of three. */
const vocabulary = Array.from({ length: 20_000 }, (_, number) => {
  const parts = [
    number % syllables.length,
    Math.floor(number / syllables.length) % syllables.length,
    Math.floor(number / syllables.length ** 2) - 1,
  ]
  return parts.map((part) => syllables[part] ?? '').join('')
})
const hashtags = vocabulary.slice(0, 500).map((word) => `#${word}`)

/** The same numbers in every run, below 1. */
function drawing(seed: number): () => number {
  let state = seed
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Half of a post: 5 to 15 words, some of them in every second post, most of them seldom. */
function halfTexts(): string[] {
  const draw = drawing(1)
  return Array.from({ length: halves }, () =>
    Array.from({ length: 5 + Math.floor(draw() * 11) }, () => vocabulary[Math.floor(draw() ** 3 * vocabulary.length)]).join(' '),
  )
}

/** Fills the database of `sql`, which has one connection. Secondary indexes are built afterwards, at once. */
export async function createCommunity(sql: postgres.Sql, tokenSecret: string, size: Size = fullSize): Promise<Community> {
  await sql`set maintenance_work_mem = '512MB'`
  await sql`set work_mem = '64MB'`
  // References are right by construction; a million triggers would find out the same.
  await sql`set session_replication_role = replica`
  const indexes = await dropIndexes(sql, filled)
  const residents = await createResidents(sql, tokenSecret, size.users)
  await drawFrom(sql, residents)
  const categoryIds = await createForums(sql, size)
  const forumIds = await createForumPosts(sql, size)
  await createMicroblogPosts(sql, size)
  await createReaders(sql, size)
  await createMarks(sql, size)
  await sql`
    insert into alertword (account_id, word, created_at)
    select resident.id, word, now() from generate_series(0, ${size.alertwords - 1}) n
    join unnest(${vocabulary}::text[]) with ordinality as listed (word, number) on listed.number = 1 + floor(pg_temp.drawn(n, 500) * ${vocabulary.length})
    join bench_resident resident on resident.number = n % ${size.users}
    on conflict do nothing`
  await sql`set session_replication_role = default`
  for (const index of indexes) await sql.unsafe(index)
  await sql`vacuum analyze`
  return { residents, regulars: residents.slice(0, regularCount), categoryIds, forumIds, vocabulary, hashtags }
}

const filled = ['account', 'forum', 'forum_post', 'forum_reader', 'forum_post_mark', 'microblog_post', 'microblog_post_mark']

/** Drops the indexes of tables that hold no constraint; returns what makes them again. */
export async function dropIndexes(sql: postgres.Sql, tables: readonly string[]): Promise<string[]> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select class.relname as name, pg_get_indexdef(indexrelid) as definition from pg_index join pg_class class on class.oid = indexrelid
    where indrelid = any (${tables}::regclass[]) and not indisunique`
  for (const { name } of indexes) await sql`drop index ${sql(name)}`
  return indexes.map(({ definition }) => definition)
}

/** What rows are drawn from: accounts, halves of texts, and numbers that only depend on a row's. */
async function drawFrom(sql: postgres.Sql, residents: readonly Resident[]): Promise<void> {
  await sql`create function pg_temp.drawn(row_number int, salt int) returns float8 language sql immutable as $$
    select (hashint8extended(row_number, salt) & 1125899906842623) / 1125899906842624.0::float8 $$`
  await sql`create temp table bench_resident as
    select number::int - 1 as number, id, username from unnest(${residents.map(({ id }) => id)}::uuid[], ${residents.map(({ username }) => username)}::text[]) with ordinality as resident (id, username, number)`
  await sql`create temp table bench_half as select number::int - 1 as number, text from unnest(${halfTexts()}::text[]) with ordinality as half (text, number)`
  await sql`analyze bench_resident`
  await sql`analyze bench_half`
}

/** Forums in categories of which one is the moderators'. */
async function createForums(sql: postgres.Sql, size: Size): Promise<string[]> {
  const categories = await sql<{ id: string }[]>`
    insert into forum_category (id, title, purpose, view_level, create_level, forum_count)
    select gen_random_uuid(), 'Category ' || number || ' ' || gen_random_uuid(), 'Measuring', case when number = 10 then 'moderator' else 'unverified' end::access_level, 'verified', 0
    from generate_series(1, ${categoryCount}) number returning id`
  await sql`create temp table bench_forum as select number, gen_random_uuid() as id from generate_series(0, ${size.forums - 1}) number`
  await sql`
    insert into forum (id, category_id, creator_id, title, title_key, is_pinned, last_post_time, created_at)
    select forum.id, (${categories.map(({ id }) => id)}::uuid[])[case when forum.number < 2 then 1 else 1 + floor(pg_temp.drawn(forum.number, 1) * ${categoryCount})::int end], resident.id, half.title, half.title, forum.number % 1000 = 999, now(), now() - (${size.forums} - forum.number) * interval '1 minute'
    from bench_forum forum
    join (select number, left(text, 60) as title from bench_half) half using (number)
    join bench_resident resident on resident.number = floor(pg_temp.drawn(forum.number, 2) * ${size.users})`
  await sql`analyze bench_forum`
  return categories.map(({ id }) => id)
}

/** Texts and authors of posts: a few authors write much, some texts have a hashtag or a name in them. */
const drawnPosts = (sql: postgres.Sql, size: Size, count: number, salt: number) => sql`
  select n, author.id as author_id,
    concat_ws(' ', first.text, tag, second.text, '@' || named.username) as text,
    case when tag is null then '{}' else array[tag] end as hashtags, case when named.username is null then '{}' else array[named.username] end as mentions,
    case when pg_temp.drawn(n, ${salt + 1}) < 0.001 then 'quarantined' else 'normal' end::moderation_status as moderation_status,
    now() - (${count} - n) * interval '1 second' as created_at,
    case when pg_temp.drawn(n, ${salt + 2}) < 0.005 then now() end as deleted_at
  from generate_series(1, ${count}::int) n
  join bench_half first on first.number = floor(pg_temp.drawn(n, ${salt + 3}) * ${halves})
  join bench_half second on second.number = floor(pg_temp.drawn(n, ${salt + 4}) * ${halves})
  join bench_resident author on author.number = floor(power(pg_temp.drawn(n, ${salt + 5}), 2) * ${size.users})
  left join bench_resident named on pg_temp.drawn(n, ${salt + 6}) < 0.03 and named.number = floor(pg_temp.drawn(n, ${salt + 7}) * ${size.users})
  left join (select number::int - 1 as number, tag from unnest(${hashtags}::text[]) with ordinality as listed (tag, number)) tagged
    on pg_temp.drawn(n, ${salt + 8}) < 0.05 and tagged.number = floor(power(pg_temp.drawn(n, ${salt + 9}), 2) * ${hashtags.length})`

/** Posts of all forums in turn, as people write them; returns the forums by length. */
async function createForumPosts(sql: postgres.Sql, size: Size): Promise<string[]> {
  const base = await nextId(sql, 'forum_post')
  const perPost = size.longest / size.forumPosts
  // Two forums have a number of posts of their own: every so-manieth post is for them.
  await sql`
    insert into forum_post (id, forum_id, author_id, real_author_id, text, images, hashtags, mentions, moderation_status, created_at, deleted_at) overriding system value
    select ${base} + n, forum.id, author_id, author_id, text, '{}', hashtags, mentions, moderation_status, created_at, case when forum.number > 1 then deleted_at end
    from (${drawnPosts(sql, size, size.forumPosts, 100)}) drawn
    join bench_forum forum on forum.number = case
      when n % ${Math.round(1 / perPost)} = 0 then 0
      when n % ${Math.floor(size.forumPosts / eightHundred)} = 1 then 1
      else 2 + floor(power(pg_temp.drawn(n, 99), 2) * ${size.forums - 2}) end
    order by n`
  await sql`select setval(pg_get_serial_sequence('forum_post', 'id'), ${base + size.forumPosts})`
  await sql`
    update forum set post_count = counted.posts, last_post_id = counted.last_id, last_post_time = counted.last_time
    from (select forum_id, count(*) filter (where deleted_at is null) as posts, max(id) as last_id, max(created_at) as last_time from forum_post group by forum_id) counted
    where forum.id = counted.forum_id`
  await sql`update forum_category set forum_count = (select count(*) from forum where category_id = forum_category.id)`
  const forums = await sql<{ id: string }[]>`
    select forum.id from bench_forum join forum using (id) join forum_category category on category.id = category_id where view_level = 'unverified' order by number`
  return forums.map(({ id }) => id)
}

/** Every tenth post may have been answered: by one in four of those that come soon after it. */
async function createMicroblogPosts(sql: postgres.Sql, size: Size): Promise<void> {
  const base = await nextId(sql, 'microblog_post')
  await sql`
    insert into microblog_post (id, author_id, real_author_id, text, images, reply_group, hashtags, mentions, moderation_status, created_at, deleted_at) overriding system value
    select ${base} + n, author_id, author_id, text, '{}',
      case when n % 10 = 0 then ${base} + n when n > 200 and pg_temp.drawn(n, 98) < 0.25 then ${base} + (n - floor(pg_temp.drawn(n, 97) * 100)::int - 1) / 10 * 10 end,
      hashtags, mentions, moderation_status, created_at, deleted_at
    from (${drawnPosts(sql, size, size.microblogPosts, 200)}) drawn
    order by n`
  await sql`select setval(pg_get_serial_sequence('microblog_post', 'id'), ${base + size.microblogPosts})`
}

async function nextId(sql: postgres.Sql, table: string): Promise<number> {
  const [row] = await sql<[{ id: number }]>`select coalesce(max(id), 0)::int as id from ${sql(table)}`
  return row.id
}

/** How far accounts have read, what they have favorited and muted, and whom they do not want to see. */
async function createReaders(sql: postgres.Sql, size: Size): Promise<void> {
  await sql`
    insert into forum_reader (account_id, forum_id, read_post_id, is_favorite, is_muted, created_at, updated_at)
    select resident.id, forum.id, case when resident.number < ${regularCount} then forum.last_post_id else floor(pg_temp.drawn(n, 300) * forum.last_post_id) end,
      n % 5 = 0, n % 11 = 1 and n % 5 > 0, now(), now() - n * interval '1 millisecond'
    from (
      select number as resident, forum, number * 100 + forum as n from generate_series(0, ${regularCount - 1}) number cross join generate_series(0, ${size.forums - 1}) forum
      union
      select number, floor(power(pg_temp.drawn(number * 20 + turn, 301), 2) * ${size.forums})::int, number * 20 + turn from generate_series(${regularCount}::int, ${size.users - 1}::int) number cross join generate_series(0, ${(size.readEach ?? 20) - 1}::int) turn) drawn
    join bench_resident resident on resident.number = drawn.resident
    join bench_forum on bench_forum.number = drawn.forum
    join forum on forum.id = bench_forum.id
    on conflict do nothing`
  // Half by a mute and half by a block, but whoever has made a forum is not blocked: it would not be there for the other.
  // Everybody else hides one or two.
  const hides = sql`
    select me.id as account_id, other.id as hidden_id, turn
    from generate_series(0, ${size.users - 1}) number cross join generate_series(1, ${hiddenByRegulars}) turn
    join bench_resident me on me.number = number.number
    join bench_resident other on other.number = ${regularCount} + floor(power(pg_temp.drawn(number.number * ${hiddenByRegulars} + turn, 302), 2) * ${size.users - regularCount})
    where (number.number < ${regularCount} or turn < 3) and me.id <> other.id`
  await sql`insert into mute (account_id, muted_id) select account_id, hidden_id from (${hides}) drawn where turn % 2 = 1 on conflict do nothing`
  await sql`insert into block (person_id, blocked_id) select account_id, hidden_id from (${hides}) drawn
    where turn % 2 = 0 and hidden_id not in (select creator_id from forum) on conflict do nothing`
}

/** Reactions and bookmarks: one for every fifth post, more by the regulars. */
async function createMarks(sql: postgres.Sql, size: Size): Promise<void> {
  for (const [table, posts] of [
    ['forum_post', size.forumPosts],
    ['microblog_post', size.microblogPosts],
  ] as const) {
    await sql`
      insert into ${sql(`${table}_mark`)} (account_id, post_id, reaction, is_bookmarked)
      select resident.id, post.id, case when n % 4 > 0 then (enum_range(null::post_reaction))[n % 4] end, n % 4 = 0
      from generate_series(1, ${Math.floor(posts / 5)}) n
      join bench_resident resident on resident.number = floor(power(pg_temp.drawn(n, 400), 3) * ${size.users})
      join ${sql(table)} post on post.id = (select max(id) from ${sql(table)}) - floor(pg_temp.drawn(n, 401) * ${posts})::int
      on conflict do nothing`
  }
}
