// A day at sea: 3,000 users look for news every ten seconds, hold a socket each, write in chats, forums
// and the microblog, read them, and send pictures; once a minute the schedule is reloaded; meanwhile an
// announcement. Several such communities at once until the server cannot keep up, and the same with a
// server written the straightforward way.
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
import { startWorker } from './images.ts'
import { fetchOnce, FrameReader, postRequest } from './load.ts'
import { createChat, createForum, createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured, type Usage } from './processes.ts'
import type { Bench } from './run.ts'
import type { Row } from './table.ts'

const users = 3000
const membersOfChat = 100
const forumCount = 50
const eventCount = 500
/** Of them, in every edition of the schedule. */
const movedEvents = 10
const seconds = 12
/**
 * Before it is measured, a server has had the same work for so long: a day is not what happens while code is compiled
 * and caches are empty.
 */
const warmUpSeconds = 4
/** How many such communities are tried at once; a part of one has as many sockets, and asks for as much less. */
const communities = [0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 16]
/** What a server does not keep up with in so many is too much for it: a shared machine is slow at times by itself. */
const tries = 2
/** What counts as keeping up. */
const slowestAnswerMs = 1000
const loopDelayMs = 20

interface Place {
  residents: Resident[]
  admin: Resident
  chats: { id: string; members: Resident[] }[]
  forums: string[]
  picture: Buffer
}

interface Outcome {
  keepsUp: boolean
  answered: number
  failed: number
  p50Ms: number
  p99Ms: number
  maxMs: number
  delayMs: number
  /** Of the serving process, per second. */
  cpu: number
}

export async function day({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const place = await settle(sql, tokenSecret)
  const publisher = await publishSchedule()
  // Only when it is ordered.
  const serverEnv = { ...env, WRITES_PER_MINUTE: '0', SERVICE_ENABLE_UPDATE_SCHEDULE_JOB: 'false', SCHEDULE_ADDRESS: publisher.address }
  await introduceSchedule(serverEnv, place.admin, publisher.address)
  const announce = async (server: Measured) => {
    await sql`insert into announcement (author_id, text, display_until, created_at, updated_at) values (${place.residents[0]?.id ?? ''}, 'Land ahead', now() + interval '1 day', now(), now())`
    await server.order('announced')
  }
  /** What `work` says, if the schedule was reloaded meanwhile. */
  const reloading = async (work: () => Promise<number>) => {
    const before = publisher.edition
    const answer = await work()
    const [moved] = await sql<{ location: string }[]>`select location from event where uid = 'event0'`
    if (!(Number(moved?.location.slice(newPlace.length)) > before))
      throw new Error(`the schedule was not reloaded: ${moved?.location} after edition ${before}`)
    return answer
  }
  const stopWorker = await startWorker(serverEnv)
  const ours = await reloading(() => rush('product-server.js', serverEnv, place, multipart(place.picture), announce))
  await stopWorker()
  const theirs = await reloading(() =>
    rush('straightforward-server.js', serverEnv, place, { type: 'image/jpeg', body: place.picture }, async (server) => {
      await server.order('announce', { text: 'Land ahead' })
    }),
  )
  publisher.close()
  await sql.end()
  const ratio = ours / theirs
  return [
    {
      work: `a day at sea, against Fastify, ws and the same SQL`,
      unit: `communities of ${users} users`,
      ours,
      limit: theirs,
      ratio,
      spread: [ratio, ratio],
    },
  ]
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

interface Upload {
  type: string
  body: Buffer
}

function multipart(picture: Buffer): Upload {
  const boundary = randomUUID()
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="x.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}

/** The greatest number of communities that the server keeps up with; 0 for none. */
async function rush(
  script: string,
  env: Record<string, string>,
  place: Place,
  upload: Upload,
  announce: (server: Measured) => Promise<void>,
): Promise<number> {
  let best = 0
  for (const count of communities) {
    let keepsUp = false
    for (let left = tries; left > 0 && !keepsUp; left--) keepsUp = await keepsUpWith(count, script, env, place, upload, announce)
    if (!keepsUp) break
    best = count
  }
  return best
}

async function keepsUpWith(
  count: number,
  script: string,
  env: Record<string, string>,
  place: Place,
  upload: Upload,
  announce: (server: Measured) => Promise<void>,
): Promise<boolean> {
  const server = await startMeasured(script, env)
  const readers = await openAll(
    place.residents.map(({ token }) => token),
    (token) => FrameReader.open(server.port, '/api/v3/notification/socket', token),
  )
  const outcome = await live(server, place, upload, count, () => announce(server))
  for (const reader of readers) reader.close()
  await server.stop()
  process.stdout.write(
    `  ${script}, ${count} communities: ${Math.round(outcome.answered / seconds)} answers/s, ${outcome.failed} failed, ` +
      `median ${outcome.p50Ms.toFixed(1)} ms, p99 ${outcome.p99Ms.toFixed(0)} ms, slowest ${outcome.maxMs.toFixed(0)} ms, loop delay p99 ${outcome.delayMs.toFixed(1)} ms, processor ${(outcome.cpu * 100).toFixed(0)} %\n`,
  )
  return outcome.keepsUp
}

/** What is asked for in a second of one community, and how often; the first time at once, or `fromSecond`. */
function requestsOf(
  { residents, admin, chats, forums }: Place,
  upload: Upload,
): {
  perSecond: number
  fromSecond?: number
  make: (count: number) => { path: string; token: string; method: 'GET' | 'POST'; type?: string; body?: string | Buffer }
}[] {
  const token = (count: number) => (residents[(count * 7) % users] as Resident).token
  const chat = (count: number) => chats[count % chats.length] as Place['chats'][number]
  const member = (count: number) => (chat(count).members[(count * 13) % membersOfChat] as Resident).token
  const forum = (count: number) => forums[count % forumCount] as string
  const text = (count: number) => JSON.stringify({ text: `Something was said about dinner, for the ${count}th time.`, images: [] })
  const get =
    (path: (count: number) => string, by = token) =>
    (count: number) => ({ path: path(count), token: by(count), method: 'GET' as const })
  const post =
    (path: (count: number) => string, by = token) =>
    (count: number) => ({ path: path(count), token: by(count), method: 'POST' as const, type: 'application/json', body: text(count) })
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
      make: () => ({ path: '/api/v3/admin/schedule/reload', token: admin.token, method: 'POST' }),
    },
    { perSecond: 2, make: (count) => ({ path: '/api/v3/user/image', token: token(count), method: 'POST', ...upload }) },
  ]
}

async function live(server: Measured, place: Place, upload: Upload, count: number, announce: () => Promise<void>): Promise<Outcome> {
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: 256 })
  const took: number[] = []
  let measuredFromMs = Infinity
  let failed = 0
  const underWay = new Set<Promise<void>>()
  const ask = async ({ path, token, method, type, body }: ReturnType<ReturnType<typeof requestsOf>[number]['make']>) => {
    const startedMs = performance.now()
    const answer = await pool.request({
      path,
      method,
      headers: { authorization: `Bearer ${token}`, ...(type ? { 'content-type': type } : {}) },
      ...(body ? { body } : {}),
    })
    await answer.body.dump()
    if (startedMs >= measuredFromMs) took.push(performance.now() - startedMs)
    if (answer.statusCode >= 300) failed++
  }
  const kinds = requestsOf(place, upload).map((kind) => ({ ...kind, sent: 0 }))
  const startedMs = performance.now()
  let before: Usage | undefined
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
      before = await server.usage()
      measuredFromMs = performance.now()
    }
    if (elapsed > warmUpSeconds + seconds / 2) announced ??= announce()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all([...underWay, announced])
  const lastedSeconds = (performance.now() - measuredFromMs) / 1000
  const after = await server.usage()
  const delayMs = await server.order<number>('loopDelay')
  await pool.close()
  const sorted = took.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN
  const maxMs = at(1)
  return {
    keepsUp: failed === 0 && maxMs < slowestAnswerMs && delayMs < loopDelayMs,
    answered: took.length,
    failed,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    maxMs,
    delayMs,
    cpu: (after.cpuSeconds - (before?.cpuSeconds ?? NaN)) / lastedSeconds,
  }
}
