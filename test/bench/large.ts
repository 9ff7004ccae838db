// A place with a million accounts beside a small one: how long a server takes to start there, what it holds in memory, and how long
// everyday lists and pages take for those who ask for the first time, and again. `npm run bench -- large` takes half an hour, most of it
// to fill the large place.
import postgres from 'postgres'
import { migrate } from '../../src/core/db/migrate.ts'
import { createCommunity, dropIndexes, type Community, type Size } from './community.ts'
import { getRequest, timeRequests } from './load.ts'
import type { Resident } from './population.ts'
import { startMeasured } from './processes.ts'
import type { Bench } from './run.ts'
import { markdown, percentile, shown, type Row } from './table.ts'

interface PlaceSize extends Size {
  chats: number
  chatPosts: number
}

/** A ship, and what five hundred of them would be together. */
const small: PlaceSize = {
  users: 2000,
  forums: 1000,
  forumPosts: 20_000,
  microblogPosts: 4000,
  alertwords: 1000,
  longest: 800,
  readEach: 3,
  chats: 800,
  chatPosts: 10_000,
}
const large: PlaceSize = {
  users: 1_000_000,
  forums: 20_000,
  forumPosts: 2_000_000,
  microblogPosts: 1_000_000,
  alertwords: 500_000,
  longest: 100_000,
  readEach: 3,
  chats: 400_000,
  chatPosts: 5_000_000,
}

const events = 500
/** Those who ask. */
const askerCount = 100

interface Place {
  community: Community
  askers: { asker: Resident; chatId: string }[]
  /** All of them are in it. */
  longestChatId: string
}

/** What is asked for at a place, by an asker. */
const everyday: Record<string, (place: Place, at: number) => string> = {
  '/notification/user': () => '/notification/user',
  '/fez/joined': () => '/fez/joined',
  '/fez/:fez_id': ({ askers }, at) => `/fez/${askers[at]?.chatId}`,
  '/fez/:fez_id, the longest': ({ longestChatId }) => `/fez/${longestChatId}`,
  '/fez/open': () => '/fez/open',
  '/forum/categories': () => '/forum/categories',
  '/forum/categories/:category_id': ({ community: { categoryIds } }, at) => `/forum/categories/${categoryIds[at % 9]}`,
  '/forum/:forum_id': ({ community: { forumIds } }, at) => `/forum/${forumIds[1 + at]}`,
  '/forum/:forum_id, the longest': ({ community: { forumIds } }) => `/forum/${forumIds[0]}`,
  '/forum/unread': () => '/forum/unread',
  '/forum/favorites': () => '/forum/favorites',
  '/forum/recent': () => '/forum/recent',
  '/forum/search': ({ community: { vocabulary } }, at) => `/forum/search?search=${vocabulary[8000 + at]}`,
  '/microblog': () => '/microblog',
  '/microblog?mentionSelf': () => '/microblog?mentionSelf=true',
  '/events': () => '/events',
  '/events/favorites': () => '/events/favorites',
  '/users/find/:username': ({ askers }, at) => `/users/find/${askers[askers.length - 1 - at]?.asker.username}`,
  '/users/:user_id/profile': ({ askers }, at) => `/users/${askers[askers.length - 1 - at]?.asker.id}/profile`,
  '/users/match/allnames': (_place, at) => `/users/match/allnames/n${100 + at}`,
}

/** Prints tables; there is no limit to compare with. */
export async function largePlace(bench: Bench): Promise<Row[]> {
  const [atSmall, atLarge] = [await measured(bench, 'small', small), await measured(bench, 'large', large)]
  const lines = Object.keys(everyday).map((path) => {
    const [few, many] = [atSmall.tookMs.get(path) ?? [], atLarge.tookMs.get(path) ?? []]
    return [path, ...few.map(shown), ...many.map(shown), ...few.map((ms, at) => shown((many[at] ?? NaN) / ms))]
  })
  const columns = ['first, ms', 'again, ms']
  const table = markdown(
    [
      'GET, p50',
      ...['Small', 'Large', 'Large / small'].flatMap((of) =>
        columns.map((column) => `${of}, ${of.includes('/') ? column.slice(0, -4) : column}`),
      ),
    ],
    lines,
  )
  const machine = markdown(
    ['Place', 'Start, s', 'Server after it, MB', 'After the requests, MB', 'Of it without what V8 keeps free'],
    [atSmall, atLarge].map(({ size, startSeconds, startMb, endMb, liveMb }) => [
      `${size.users.toLocaleString('en-US')} accounts`,
      ...[startSeconds, startMb, endMb, liveMb].map(shown),
    ]),
  )
  process.stdout.write(`\n${machine}\n\n${table}\n\n`)
  return []
}

interface MeasuredPlace {
  size: PlaceSize
  startSeconds: number
  startMb: number
  endMb: number
  liveMb: number
  /** By what is asked for: the median when each asker asks for the first time, and when they ask again. */
  tookMs: Map<string, [first: number, again: number]>
}

/** A place in a database of its own, and a server there. */
async function measured({ databaseUrl, tokenSecret, env }: Bench, name: string, size: PlaceSize): Promise<MeasuredPlace> {
  const url = new URL(databaseUrl)
  url.pathname = `/${name}_place`
  const admin = postgres(databaseUrl, { max: 1 })
  await admin`create database ${admin(url.pathname.slice(1))}`
  await migrate(url.href, () => undefined)
  const filledMs = performance.now()
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined })
  const place = await fill(sql, tokenSecret, size)
  await sql.end()
  process.stdout.write(`  ${size.users.toLocaleString('en-US')} accounts after ${((performance.now() - filledMs) / 1000).toFixed(0)} s\n`)
  const startedMs = performance.now()
  const server = await startMeasured('product-server.js', { ...env, DATABASE_URL: url.href })
  const startSeconds = (performance.now() - startedMs) / 1000
  const started = await server.usage()
  const tookMs: MeasuredPlace['tookMs'] = new Map()
  for (const [path, of] of Object.entries(everyday)) {
    const requests = place.askers.map(({ asker }, at) => getRequest(`/api/v3${of(place, at)}`, asker.token))
    const medians: number[] = []
    for (let turn = 0; turn < 2; turn++) {
      const took = await timeRequests(server.port, requests, 1, requests.length)
      medians.push(
        percentile(
          took.toSorted((a, b) => a - b),
          0.5,
        ),
      )
    }
    tookMs.set(path, medians as [number, number])
  }
  const { rssBytes, liveBytes } = await server.usage()
  await server.stop()
  await admin`drop database ${admin(url.pathname.slice(1))} with (force)`
  await admin.end()
  return { size, startSeconds, startMb: started.rssBytes / 1e6, endMb: rssBytes / 1e6, liveMb: liveBytes / 1e6, tookMs }
}

/** Fills a database. `sql` has one connection. */
async function fill(sql: postgres.Sql, tokenSecret: string, size: PlaceSize): Promise<Place> {
  const community = await createCommunity(sql, tokenSecret, size)
  await sql`set session_replication_role = replica`
  const indexes = await dropIndexes(sql, ['fez', 'fez_member', 'fez_post', 'hit', 'favorite', 'event_follower'])
  const longestChatId = await createChats(sql, size)
  await createOthers(sql, size)
  await sql`set session_replication_role = default`
  for (const index of indexes) await sql.unsafe(index)
  await sql`vacuum analyze`
  const askers = await askersOf(sql, community, longestChatId)
  return { community, askers, longestChatId }
}

/** The place in a chat's row of members, of whom each chat has others. */
const memberNumber = (sql: postgres.Sql, size: PlaceSize) =>
  sql`((chat.number::bigint * 7919 + place::bigint * 104729) % ${size.users}::int)::int`

/** Most chats are small, twenty large, and one is larger, with every fiftieth post: as many members at every place. Returns the id of that one. */
async function createChats(sql: postgres.Sql, size: PlaceSize): Promise<string> {
  await sql`
    create temp table bench_chat as select number, gen_random_uuid() as id,
      case when number = 0 then 500 when number <= 20 then 200 else 2 + floor(power(pg_temp.drawn(number, 600), 4) * 30)::int end as members
    from generate_series(0, ${size.chats - 1}) number`
  await sql`analyze bench_chat`
  await sql`
    insert into fez_member (fez_id, account_id, position, joined_at)
    select chat.id, resident.id, place + 1, now() - interval '2 days' from bench_chat chat cross join lateral generate_series(0, chat.members - 1) place
    join bench_resident resident on resident.number = ${memberNumber(sql, size)}`
  await sql`
    insert into fez_post (id, fez_id, author_id, real_author_id, text, created_at) overriding system value
    select n, chat.id, resident.id, resident.id, half.text, now() - (${size.chatPosts} - n) * interval '50 milliseconds'
    from generate_series(1, ${size.chatPosts}::int) n
    join bench_chat chat on chat.number = case when n % 50 = 0 then 0 else 1 + floor(power(pg_temp.drawn(n, 601), 1.5) * ${size.chats - 1})::int end
    cross join lateral (select floor(pg_temp.drawn(n, 602) * chat.members)::int as place) drawn
    join bench_resident resident on resident.number = ${memberNumber(sql, size)}
    join bench_half half on half.number = floor(pg_temp.drawn(n, 603) * (select count(*) from bench_half))::int`
  await sql`select setval(pg_get_serial_sequence('fez_post', 'id'), ${size.chatPosts}::int)`
  await sql`
    insert into fez (id, owner_id, fez_type, title, info, search, start_time, min_capacity, max_capacity, member_count, seq, post_count, post_events, last_post_id, created_at, updated_at)
    select chat.id, owner.id, (array['closed', 'closed', 'closed', 'closed', 'closed', 'closed', 'open', 'open', 'open', 'gaming'])[1 + chat.number % 10]::fez_type,
      left(half.text, 50), half.text, to_tsvector('english', left(half.text, 50) || ' ' || half.text),
      case when chat.number % 10 = 9 then now() + pg_temp.drawn(chat.number, 604) * interval '7 days' end, 0, 0, chat.members,
      chat.members + coalesce(posts, 0), coalesce(posts, 0), coalesce(posts, 0), coalesce(last_id, 0), now() - interval '2 days', coalesce(last_at, now() - interval '2 days')
    from bench_chat chat cross join lateral (select 0 as place) first_place
    join bench_resident owner on owner.number = ${memberNumber(sql, size)}
    join bench_half half on half.number = chat.number % 20000
    left join (select fez_id, count(*) as posts, max(id) as last_id, max(created_at) as last_at from fez_post group by fez_id) counted on counted.fez_id = chat.id`
  // Most have read to the end.
  await sql`update fez_member member set read_post_id = fez.last_post_id from fez where fez.id = fez_id and position % 4 > 0`
  const [longest] = await sql<[{ id: string }]>`select id from bench_chat where number = 0`
  return longest.id
}

/** A schedule, and what accounts follow, favor and were mentioned in. */
async function createOthers(sql: postgres.Sql, size: PlaceSize): Promise<void> {
  await sql`
    insert into event (id, uid, title, description, location, event_type, start_time, end_time, updated_at)
    select gen_random_uuid(), 'event' || number, left(text, 50), text, 'Room ' || number % 20, 'general',
      date_trunc('hour', now()) + number / 4 * interval '1 hour', date_trunc('hour', now()) + (number / 4 + 1) * interval '1 hour', now()
    from bench_half where number < ${events}`
  await sql`
    insert into event_follower (account_id, event_id, created_at)
    select resident.id, event.id, now() from bench_resident resident cross join generate_series(0, 2) turn
    join event on event.uid = 'event' || (resident.number * 3 + turn * 167) % ${events} on conflict do nothing`
  await sql`
    insert into favorite (account_id, favorite_id, created_at)
    select resident.id, other.id, now() from bench_resident resident join bench_resident other on other.number = floor(pg_temp.drawn(resident.number, 700) * ${size.users})::int
    where other.id <> resident.id`
  await sql`
    insert into hit (account_id, kind, word, item_id, is_new)
    select id, 'forumMention', '', 1 + floor(pg_temp.drawn(number, 701) * ${size.forumPosts - 1})::int, number % 3 = 0 from bench_resident`
  await sql`insert into account_seen (account_id, seen_at) select id, now() - pg_temp.drawn(number, 702) * interval '3 days' from bench_resident`
}

/** Of those in the longest chat, with another chat of theirs. */
async function askersOf(sql: postgres.Sql, { residents, regulars }: Community, longestChatId: string): Promise<Place['askers']> {
  const chats = await sql<{ accountId: string; fezId: string }[]>`
    select distinct on (other.account_id) other.account_id as "accountId", other.fez_id as "fezId" from fez_member member join fez_member other using (account_id)
    where member.fez_id = ${longestChatId} and other.fez_id <> ${longestChatId} and not member.account_id = any (${regulars.map(({ id }) => id)}::uuid[])
    order by other.account_id, other.fez_id limit ${askerCount}`
  const byId = new Map(residents.map((resident) => [resident.id, resident]))
  return chats.flatMap(({ accountId, fezId }) => {
    const asker = byId.get(accountId)
    return asker ? { asker, chatId: fezId } : []
  })
}
