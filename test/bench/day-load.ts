// The work of a day at sea: 3,000 users look for news every ten seconds, hold a socket each, write in
// chats, forums and the microblog, read them, and send pictures; the schedule is reloaded, and somebody makes an announcement.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'
import sharp from 'sharp'
import { Pool } from 'undici'
import { builtIn } from '../../src/accounts/rows.ts'
import { calendar } from '../support/schedule.ts'
import { openAll } from './fan-out.ts'
import { fetchOnce, FrameReader, postRequest } from './load.ts'
import { createChat, createForum, createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { percentile } from './table.ts'

/** People of one community. */
export const users = 3000
const membersOfChat = 100
const forumCount = 50
const eventCount = 500
/** Of them, in every edition of the schedule. */
const movedEvents = 10
/** For how long a day is measured. */
export const seconds = 12
/**
 * Before it is measured, a server has had the same work for so long: a day is not what happens while code is compiled
 * and caches are empty.
 */
const warmUpSeconds = 4

export interface Place {
  residents: Resident[]
  admin: Resident
  chats: { id: string; members: Resident[] }[]
  forums: string[]
  picture: Buffer
}

/** How a day went. */
export interface Outcome {
  answered: number
  failed: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  delayMs: number
  /** Share of a core that each of the measured processes took. */
  cpu: number[]
}

/** A place with people, chats, forums and a schedule, and what is needed for a day there. */
export interface Day extends Place {
  /** People with chats and forums of their own, of the same community. */
  others: Place
  /** Of the servers. */
  env: Record<string, string>
  /** An announcement is made, as one of the servers of the product hears of it. */
  announce(server: Measured): Promise<void>
  /** What `work` says; fails unless the schedule was reloaded meanwhile. */
  reloading<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export async function prepareDay({ databaseUrl, tokenSecret, env: given }: Bench): Promise<Day> {
  const sql = postgres(databaseUrl, { max: 1 })
  const [place, others] = [await settle(sql, tokenSecret), await settle(sql, tokenSecret)]
  const publisher = await publishSchedule()
  // The schedule is reloaded only when that is ordered.
  const env = { ...given, WRITES_PER_MINUTE: '0', SERVICE_ENABLE_UPDATE_SCHEDULE_JOB: 'false', SCHEDULE_ADDRESS: publisher.address }
  await introduceSchedule(env, place.admin, publisher.address)
  return {
    ...place,
    others,
    env,
    async announce(server) {
      await sql`insert into announcement (author_id, text, display_until, created_at, updated_at) values (${place.residents[0]?.id ?? ''}, 'Land ahead', now() + interval '1 day', now(), now())`
      await server.order('announced')
    },
    async reloading(work) {
      const before = publisher.edition
      const answer = await work()
      const [moved] = await sql<{ location: string }[]>`select location from event where uid = 'event0'`
      if (!(Number(moved?.location.slice(newPlace.length)) > before))
        throw new Error(`the schedule was not reloaded: ${moved?.location} after edition ${before}`)
      return answer
    },
    async close() {
      publisher.close()
      await sql.end()
    },
  }
}

async function settle(sql: postgres.Sql, tokenSecret: string): Promise<Place> {
  const residents = await createResidents(sql, tokenSecret, users)
  const [admin, author] = (await createResidents(sql, tokenSecret, 2)) as [Resident, Resident]
  await sql`update account set level = 'admin' where id = ${admin.id}`
  // Whom the server itself writes as.
  await sql`update account set id = ${builtIn.admin}, person_id = ${builtIn.admin} where id = ${author.id} and not exists (select from account where id = ${builtIn.admin})`
  await sql`
    insert into forum_category (id, title, purpose, view_level, create_level, is_event) values (gen_random_uuid(), 'Event Forums', '', 'unverified', 'moderator', true)
    on conflict do nothing`
  const chats: Place['chats'] = []
  for (let at = 0; at < users; at += membersOfChat) {
    const members = residents.slice(at, at + membersOfChat)
    chats.push({ id: await createChat(sql, members, 60), members })
  }
  const forums: string[] = []
  for (let index = 0; index < forumCount; index++) forums.push(await createForum(sql, residents[index] as Resident))
  await sql`
    insert into forum_post (forum_id, author_id, real_author_id, text, images, created_at)
    select forum_id, author_id, author_id, 'A few words about the weather and the food, number ' || number, '{}', now()
    from unnest(${forums}::uuid[], ${residents.slice(0, forumCount).map(({ id }) => id)}::uuid[]) as forum (forum_id, author_id), generate_series(1, 200) as number`
  await sql`update forum set post_count = 201, last_post_id = (select max(id) from forum_post where forum_id = forum.id)`
  await sql`
    insert into microblog_post (author_id, real_author_id, text, images, hashtags, mentions, created_at)
    select ${residents[0]?.id ?? ''}, ${residents[0]?.id ?? ''}, 'Something short about the sea, number ' || number, '{}', '{}', '{}', now() from generate_series(1, 2000) as number`
  await sql`analyze`
  const picture = await sharp({
    create: { width: 1280, height: 960, channels: 3, background: '#48a', noise: { type: 'gaussian', mean: 128, sigma: 20 } },
  })
    .jpeg({ quality: 70 })
    .toBuffer()
  return { residents, admin, chats, forums, picture }
}

const newPlace = 'New place '
const firstEventMs = Date.now()

/** The calendar that is published, in editions: each moves some events. */
function edition(number: number): string {
  const at = (index: number) => new Date(firstEventMs + index * 20 * 60_000).toISOString()
  return calendar(
    Array.from({ length: eventCount }, (_, index) => ({
      uid: `event${index}`,
      title: `Event number ${index}`,
      description: 'What it is about, in two or three ordinary sentences.',
      start: at(index + 1),
      end: at(index + 4),
      location: number > 0 && index < movedEvents ? `${newPlace}${number}` : `Deck ${index % 10}`,
    })),
  )
}

/** Serves every edition once. */
async function publishSchedule(): Promise<{ address: string; readonly edition: number; close(): void }> {
  let number = 0
  const server = createServer((_request, response) => response.setHeader('Content-Type', 'text/calendar').end(edition(++number)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/schedule.ics`,
    get edition() {
      return number
    },
    close: () => server.close(),
  }
}

/** The schedule as it is at first, and where the others are. */
async function introduceSchedule(env: Record<string, string>, admin: Resident, scheduleUpdateURL: string): Promise<void> {
  const server = await startMeasured('product-server.js', env)
  for (const body of [{ schedule: edition(0) }, { scheduleUpdateURL, enableFeatures: [], disableFeatures: [] }]) {
    const { status, body: answer } = await fetchOnce(server.port, postRequest('/api/v3/events/update', body, admin.token))
    if (status !== 200) throw new Error(`the schedule was refused with ${status}: ${answer.toString()}`)
  }
  await server.stop()
}

export interface Upload {
  type: string
  body: Buffer
}

/** A picture as apps send it. */
export function multipart(picture: Buffer): Upload {
  const boundary = randomUUID()
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="x.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

interface Ask {
  path: string
  by: Resident
  method: 'GET' | 'POST'
  type?: string
  body?: string | Buffer
}

/** What is asked for in a second of one community, and how often; the first time at once, or `fromSecond`. */
function requestsOf(
  { residents, admin, chats, forums }: Place,
  upload: Upload,
): { perSecond: number; fromSecond?: number; make: (count: number) => Ask }[] {
  const anybody = (count: number) => residents[(count * 7) % users] as Resident
  const chat = (count: number) => chats[count % chats.length] as Place['chats'][number]
  const member = (count: number) => chat(count).members[(count * 13) % membersOfChat] as Resident
  const forum = (count: number) => forums[count % forumCount] as string
  const text = (count: number) => JSON.stringify({ text: `Something was said about dinner, for the ${count}th time.`, images: [] })
  const get =
    (path: (count: number) => string, by = anybody) =>
    (count: number): Ask => ({ path: path(count), by: by(count), method: 'GET' })
  const post =
    (path: (count: number) => string, by = anybody) =>
    (count: number): Ask => ({ path: path(count), by: by(count), method: 'POST', type: 'application/json', body: text(count) })
  return [
    { perSecond: users / 10, make: get(() => '/api/v3/notification/user') },
    { perSecond: 30, make: get((count) => `/api/v3/fez/${chat(count).id}`, member) },
    { perSecond: 20, make: get((count) => `/api/v3/forum/${forum(count)}`) },
    { perSecond: 20, make: get(() => '/api/v3/microblog') },
    { perSecond: 20, make: get(() => '/api/v3/events') },
    { perSecond: 8, make: post((count) => `/api/v3/fez/${chat(count).id}/post`, member) },
    { perSecond: 6, make: post((count) => `/api/v3/forum/${forum(count)}/create`) },
    { perSecond: 6, make: post(() => '/api/v3/microblog/create') },
    {
      perSecond: 1 / 60,
      fromSecond: warmUpSeconds + 1,
      make: () => ({ path: '/api/v3/admin/schedule/reload', by: admin, method: 'POST' }),
    },
    { perSecond: 2, make: (count) => ({ path: '/api/v3/user/image', by: anybody(count), method: 'POST', ...upload }) },
  ]
}

/** Everybody opens a socket. */
export function connectAll({ port }: Measured, { residents }: Place): Promise<FrameReader[]> {
  return openAll(residents, ({ token }) => FrameReader.open(port, '/api/v3/notification/socket', token))
}

/** A day of so many communities, and what it took: `cpuSeconds` says how much processor time each measured process has used so far. */
export async function live(
  server: Measured,
  place: Place,
  upload: Upload,
  count: number,
  announce: () => Promise<void>,
  cpuSeconds: () => Promise<number[]>,
): Promise<Outcome> {
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: 256 })
  const took: number[] = []
  let measuredFromMs = Infinity
  let failed = 0
  const underWay = new Set<Promise<void>>()
  const ask = async ({ path, by, method, type, body }: Ask) => {
    const startedMs = performance.now()
    const answer = await pool.request({
      path,
      method,
      headers: { authorization: `Bearer ${by.token}`, ...(type ? { 'content-type': type } : {}) },
      ...(body ? { body } : {}),
    })
    await answer.body.dump()
    if (startedMs >= measuredFromMs) took.push(performance.now() - startedMs)
    if (answer.statusCode >= 300) failed++
  }
  const kinds = requestsOf(place, upload).map((kind) => ({ ...kind, sent: 0 }))
  const startedMs = performance.now()
  let before: number[] | undefined
  let announced: Promise<void> | undefined
  for (let elapsed = 0; elapsed < warmUpSeconds + seconds; elapsed = (performance.now() - startedMs) / 1000) {
    for (const kind of kinds) {
      // A request that is late was late for its user too: nothing waits for the answers before.
      for (const due = (elapsed - (kind.fromSecond ?? 0)) * kind.perSecond * count; kind.sent < due; kind.sent++) {
        const asked = ask(kind.make(kind.sent)).catch(() => {
          failed++
        })
        underWay.add(asked)
        void asked.then(() => underWay.delete(asked))
      }
    }
    if (!before && elapsed > warmUpSeconds) {
      await server.order('loopDelay')
      before = await cpuSeconds()
      measuredFromMs = performance.now()
    }
    if (elapsed > warmUpSeconds + seconds / 2) announced ??= announce()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all([...underWay, announced])
  const lastedSeconds = (performance.now() - measuredFromMs) / 1000
  const after = await cpuSeconds()
  const delayMs = await server.order<number>('loopDelay')
  await pool.close()
  const sorted = took.toSorted((a, b) => a - b)
  return {
    answered: took.length,
    failed,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    maxMs: percentile(sorted, 1),
    delayMs,
    cpu: after.map((each, at) => (each - (before?.[at] ?? NaN)) / lastedSeconds),
  }
}
