// How costs grow: of sockets with their number, and of pages, lists and searches with the number of posts.
import { spawnSync } from 'node:child_process'
import postgres from 'postgres'
import { migrate } from '../../src/core/db/migrate.ts'
import { createCommunity, fullSize, type Community } from './community.ts'
import type { Listening } from './listeners.ts'
import { Connection, FrameReader, getRequest, postRequest, timeRequests } from './load.ts'
import { createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { markdown, median, percentile, shown, shownSpread, type Row } from './table.ts'

const socketCounts = [1000, 10_000, 50_000]
const socketsEach = 5
const announcements = 5
/** A process that listens has so many sockets at most. */
const socketsPerListener = 17_000
/** By so much a server's memory is more or less for reasons of its own. */
const noiseBytes = 10 * 1024 * 1024
/** Files of a server that are no sockets of these users, generously. */
const otherFiles = 1000

const postCounts = [10_000, 100_000, 1_000_000]
/** The same however much is in them: so every list has a full page. */
const forumCount = 1000
const requestCount = 500

export async function curves(bench: Bench): Promise<Row[]> {
  await sockets(bench)
  await posts(bench)
  return []
}

async function sockets({ databaseUrl, tokenSecret, env }: Bench): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, Math.max(...socketCounts) / socketsEach)
  const [announcer] = (await createResidents(sql, tokenSecret, 1)) as [Resident]
  await sql`update account set level = 'serviceteam' where id = ${announcer.id}`
  await sql`vacuum analyze account`
  await sql.end()
  const lines: string[][] = []
  for (const count of socketCounts) lines.push(await withSockets(env, residents.slice(0, count / socketsEach), announcer, count))
  process.stdout.write(
    `${markdown(['Sockets', 'Users', 'Servers', 'Memory per socket, kB', 'After announcements, kB', 'Servers in all, MB', 'Announcement at all of them, ms', 'Processor time of it, ms', 'Of it per 1,000 sockets, ms'], lines, 0)}\n\n`,
  )
}

/** A line of the table. One server has all sockets if the system lets it open so many files. */
async function withSockets(env: Bench['env'], users: readonly Resident[], announcer: Resident, count: number): Promise<string[]> {
  process.stdout.write(`  ${count.toLocaleString('en-US')} sockets ...\n`)
  const serverCount = Math.ceil(count / (fileLimit() - otherFiles))
  const servers = await Promise.all(Array.from({ length: serverCount }, () => startMeasured('product-server.js', env)))
  const listenerCount = serverCount * Math.ceil(count / serverCount / socketsPerListener)
  const listeners = await Promise.all(Array.from({ length: listenerCount }, () => startMeasured('listeners.js', {}, 'load')))
  for (const { port } of servers) await warmUp(port, users)
  const memory = async (of: 'rssBytes' | 'liveBytes') =>
    (await Promise.all(servers.map((server) => server.usage()))).reduce((sum, usage) => sum + usage[of], 0)
  const processor = async () =>
    (await Promise.all(servers.map((server) => server.order<number>('cpuSeconds')))).reduce((sum, seconds) => sum + seconds, 0)
  const before = await memory('liveBytes')
  const perListener = Math.ceil(users.length / listenerCount)
  const shares = listeners.map((listener, index) => ({
    listener,
    server: servers[index % serverCount] as Measured,
    users: users.slice(index * perListener, (index + 1) * perListener),
    from: sourceAddress(Math.floor(index / serverCount)),
  }))
  await Promise.all(
    shares.map(({ listener, server, users: own, from }) =>
      listener.order('listen', { port: server.port, tokens: own.map(({ token }) => token), socketsEach, ...from } satisfies Listening),
    ),
  )
  const idle = await memory('liveBytes')

  const connection = await Connection.open((servers[0] as Measured).port)
  const [elapsedMs, cpuMs]: [number[], number[]] = [[], []]
  for (let turn = 1; turn <= announcements; turn++) {
    const allHave = Promise.all(shares.map(({ listener, users: own }) => listener.order('frames', own.length * socketsEach * turn)))
    const cpuBefore = await processor()
    const startedMs = performance.now()
    const { status, body } = await connection.ask(
      postRequest(
        '/api/v3/notification/announcement/create',
        { text: 'The captain invites everybody to the top deck at noon.', displayUntil: new Date(Date.now() + 86_400_000).toISOString() },
        announcer.token,
      ),
    )
    if (status !== 201) throw new Error(`an announcement was answered with ${status}: ${body.toString()}`)
    await allHave
    elapsedMs.push(performance.now() - startedMs)
    cpuMs.push(1000 * ((await processor()) - cpuBefore))
  }
  const [busy, whole] = [await memory('liveBytes'), await memory('rssBytes')]
  connection.close()
  await Promise.all([...listeners, ...servers].map((each) => each.stop()))
  const kilobytes = (bytes: number) => (bytes - before < noiseBytes ? 'too few to tell' : shown((bytes - before) / count / 1000))
  return [
    count.toLocaleString('en-US'),
    users.length.toLocaleString('en-US'),
    String(serverCount),
    kilobytes(idle),
    kilobytes(busy),
    shown(whole / 1e6),
    shownSpread(elapsedMs),
    shownSpread(cpuMs),
    shown((median(cpuMs) / count) * 1000),
  ]
}

/** What loading the code and the first connections cost is not a socket's. */
async function warmUp(port: number, users: readonly Resident[]): Promise<void> {
  for (const { token } of users.slice(0, 200)) (await FrameReader.open(port, '/api/v3/notification/socket', token)).close()
}

/** Files that a process may open; Node has raised its own limit as far as it goes. */
function fileLimit(): number {
  return Number(spawnSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).stdout.trim()) || Infinity
}

/** The first process that listens at a server has the usual address, which is quicker; each other one another. */
function sourceAddress(index: number): { from?: string } {
  return index > 0 ? { from: `127.0.0.${index + 1}` } : {}
}

async function posts(bench: Bench): Promise<void> {
  const columns: Map<string, string>[] = []
  for (const count of postCounts) columns.push(await withPosts(bench, count))
  const works = [...(columns[0]?.keys() ?? [])]
  process.stdout.write(
    `${markdown(
      ['Posts of forums: p50 / p99 / processor time of the server, ms', ...postCounts.map((count) => count.toLocaleString('en-US'))],
      works.map((work) => [work, ...columns.map((column) => column.get(work) ?? '')]),
    )}\n\n`,
  )
}

/** A column of the table, from a database of its own. */
async function withPosts({ databaseUrl, tokenSecret, env }: Bench, count: number): Promise<Map<string, string>> {
  process.stdout.write(`  ${count.toLocaleString('en-US')} posts ...\n`)
  const url = new URL(databaseUrl)
  url.pathname = `/curve_${count}`
  const admin = postgres(databaseUrl, { max: 1 })
  await admin`create database ${admin(url.pathname.slice(1))}`
  await migrate(url.href, () => undefined)
  const sql = postgres(url.href, { max: 1, onnotice: () => undefined })
  const community = await createCommunity(sql, tokenSecret, {
    ...fullSize,
    forums: forumCount,
    forumPosts: count,
    microblogPosts: count / 5,
    longest: count / 10,
  })
  await sql.end()
  const server = await startMeasured('product-server.js', { ...env, DATABASE_URL: url.href })
  const column = new Map<string, string>()
  for (const [work, paths] of Object.entries(questions(community))) column.set(work, await asked(server, community, paths))
  await server.stop()
  await admin`drop database ${admin(url.pathname.slice(1))} with (force)`
  await admin.end()
  return column
}

/** What is asked, in so many forms. */
function questions({ forumIds: [longest, eightHundred], categoryIds: [category], vocabulary }: Community): Record<string, string[]> {
  const words = (from: number) => Array.from({ length: 20 }, (_, number) => `/forum/post/search?search=${vocabulary[from + number]}`)
  return {
    'Page of 50 posts, in a forum of 800': [`/forum/${eightHundred}?start=400&limit=50`],
    'Page of 50 posts, the last of the longest forum': [`/forum/${longest}?limit=50`],
    'The forums of a category': [`/forum/categories/${category}`],
    'Forums with something new': ['/forum/unread'],
    'Posts with a word in one of 1,600': words(8000),
    'Posts with a word in one of a hundred': words(100),
  }
}

async function asked(server: Measured, { regulars }: Community, paths: readonly string[]): Promise<string> {
  const requests = Array.from({ length: requestCount }, (_, number) =>
    getRequest(`/api/v3${paths[number % paths.length]}`, (regulars[number % regulars.length] as Resident).token),
  )
  await timeRequests(server.port, requests, 1, requestCount / 5)
  const before = await server.order<number>('cpuSeconds')
  const sorted = (await timeRequests(server.port, requests, 1, requestCount)).toSorted((a, b) => a - b)
  const cpuMs = (1000 * ((await server.order<number>('cpuSeconds')) - before)) / requestCount
  return [percentile(sorted, 0.5), percentile(sorted, 0.99), cpuMs].map(shown).join(' / ')
}
