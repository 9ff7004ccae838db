// What to buy for how many people: what a person costs in memory and in processor time, on one server and on several, and from
// that how many servers a community needs, and what is full first. `npm run bench -- sizing`.
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { connectAll, live, multipart, prepareDay, users, type Outcome, type Place } from './day-load.ts'
import { openAll } from './fan-out.ts'
import type { Listening } from './listeners.ts'
import { Connection, FrameReader, postRequest } from './load.ts'
import { createChat, createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { atHalfLoad, costOf, machineFor, shareAtHalfLoad, type Machine, type MeasuredDay, type MeasuredDays } from './sizing-model.ts'
import { markdown, percentile, shown, type Row } from './table.ts'
import { cpuSeconds } from './whole-product.ts'

/** Communities that live on one server; the people of one do what so many have to do, and hold their sockets. */
const communitiesAlone = [1, 2, 3, 4]
/** Beside one community at the first server, how many live at the second. */
const communitiesElsewhere = [1, 3]
const idleSeconds = 5
/** Days that do not count, and days that do. */
const daysBefore = 4
const daysMeasured = 3
const communitiesToPlan = [1000, 3000, 10_000, 30_000, 100_000, 1_000_000]

/** Sockets that each of the processes holds which play the phones; the first of them are there before it is measured. */
const socketsEach = 3000
const phonesProcesses = 5

const membersOfChat = 1000
const atOnce = 32
const warmUpSeconds = 4
const burstSeconds = 5
const steadySeconds = 10
/** Of the sockets, how many look at each frame: the load generator has other things to do. */
const watching = 20

/** Prints tables; there is no limit to compare with. */
export async function sizing(bench: Bench): Promise<Row[]> {
  const person = await memoryOfAPerson(bench)
  const delivery = await deliveryThroughTwo(bench)
  const days = await measureDays(bench)
  const full = atHalfLoad(days.alone)
  const table = markdown(
    ['People', 'Elsewhere', 'Server, us/s a person of its own', 'Postgres, us/s a person', 'Redis', 'Worker', 'Answers p50, ms', 'p99, ms'],
    [...days.alone, ...days.beside].map(({ people, elsewhere, server, postgres: stored, redis, worker, p50Ms, p99Ms }) => [
      ...[people, elsewhere].map((count) => count.toLocaleString('en-US')),
      ...[server, stored, redis, worker].map((seconds) => shown(1e6 * seconds)),
      shown(p50Ms),
      shown(p99Ms),
    ]),
    0,
  )
  const plan = markdown(
    ['People at once', 'Servers, a core each', 'Cores of Postgres', 'Redis', 'Workers', 'Memory of servers, GB', 'Full first'],
    communitiesToPlan.map((people) => [people.toLocaleString('en-US'), ...planned(machineFor(people, days, person))]),
    0,
  )
  process.stdout.write(
    `  A person with a socket: ${shown(person.serverBytes)} bytes of the server and ${shown(person.kernelBytes)} of the system, ` +
      `${shown(1e9 / (person.serverBytes + person.kernelBytes))} people in a gigabyte.\n` +
      `  A delivery through two servers, chat of ${membersOfChat}: ${shown(1e6 * delivery.seconds)} us of both with ${atOnce} posts in flight, ` +
      `${shown(1e6 * delivery.alone)} with one; under way p99 ${shown(delivery.p99Ms)} ms with ${shown(delivery.perSecond)} posts a second, half of a core.\n` +
      `  Active people on a core of all processes, ${full.people} of them on one server: ${shown(1 / costOf(full))}.\n\n${table}\n\n${plan}\n` +
      `  Each process at ${100 * shareAtHalfLoad} % of its cores.\n\n`,
  )
  return []
}

function planned({ needs, fullFirst }: Machine): string[] {
  if (!needs) return ['-', '-', '-', '-', '-', fullFirst]
  const { nodes, postgresCores, redisShare, workerCores, memoryGb } = needs
  return [String(nodes), ...[postgresCores, redisShare, workerCores, memoryGb].map(shown), fullFirst]
}

/** What memory one more person takes who holds a socket, in bytes. */
async function memoryOfAPerson({
  databaseUrl,
  tokenSecret,
  env,
}: Bench): Promise<{ serverBytes: number; kernelBytes: number; restBytes: number }> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, socketsEach * phonesProcesses)
  await sql.end()
  const server = await startMeasured('product-server.js', env)
  const phones = await Promise.all(Array.from({ length: phonesProcesses }, () => startMeasured('listeners.js', {}, 'load')))
  const open = async (at: number) => {
    const tokens = residents.slice(at * socketsEach, (at + 1) * socketsEach).map(({ token }) => token)
    await phones[at]?.order('listen', { port: server.port, tokens, socketsEach: 1, from: `127.0.0.${at + 2}` } satisfies Listening)
  }
  await open(0)
  const before = { ...(await server.usage()), kernel: kernelBytes() }
  for (let at = 1; at < phonesProcesses; at++) await open(at)
  const after = { ...(await server.usage()), kernel: kernelBytes() }
  await Promise.all([...phones, server].map((each) => each.stop()))
  const count = socketsEach * (phonesProcesses - 1)
  return {
    serverBytes: (after.liveBytes - before.liveBytes) / count,
    // Both ends are on this machine.
    kernelBytes: (after.kernel - before.kernel) / count / 2,
    restBytes: before.rssBytes,
  }
}

/** What the system holds for itself, and what waits in its sockets. */
function kernelBytes(): number {
  const slabKb = Number(/^Slab:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1])
  const pages = Number(/^TCP: .* mem (\d+)/m.exec(readFileSync('/proc/net/sockstat', 'utf8'))?.[1])
  return slabKb * 1024 + pages * 4096
}

/** Days of more and more people on one server, and of the same people while others live at a second one. */
async function measureDays(bench: Bench): Promise<MeasuredDays> {
  const [postgresPid, redisPid] = bench.stores as [number, number]
  const day = await prepareDay(bench)
  const worker = await startMeasured('product-worker.js', day.env, 'load')
  const servers = (await Promise.all([1, 2].map(() => startMeasured('product-server.js', day.env)))) as [Measured, Measured]
  const places: [Place, Place] = [day, day.others]
  const readers = (await Promise.all(places.map((place, at) => connectAll(servers[at] as Measured, place)))).flat()
  const used = async () => [
    ...(await Promise.all(servers.map((server) => server.order<number>('cpuSeconds')))),
    ...[postgresPid, redisPid, worker.pid].map(cpuSeconds),
  ]
  const liveAt = (at: 0 | 1, communities: number) =>
    live(
      servers[at],
      places[at],
      multipart(day.picture),
      communities,
      async () => undefined,
      async () => (at === 0 ? await used() : []),
    )
  await delay(2000)
  const before = (await used())[0] as number
  await delay(1000 * idleSeconds)
  const idle = ((await used())[0] as number) / idleSeconds - before / idleSeconds
  // Code is fast when it has run often.
  for (let round = 0; round < daysBefore; round++) await Promise.all([liveAt(0, 2), liveAt(1, 1)])
  const measure = async (here: number, elsewhere: number): Promise<MeasuredDay> => {
    const outcomes: Outcome[] = []
    for (let round = 0; round < daysMeasured; round++) {
      const [own, others] = await Promise.all([liveAt(0, here), elsewhere === 0 ? undefined : liveAt(1, elsewhere)])
      const failed = own.failed + (others?.failed ?? 0)
      if (failed > 0) throw new Error(`${failed} requests failed with ${here} communities, ${elsewhere} elsewhere`)
      outcomes.push(own)
    }
    const mean = (of: (outcome: Outcome) => number) => sum(outcomes.map(of)) / outcomes.length
    const [people, everybody] = [users * here, users * (here + elsewhere)]
    return {
      people,
      elsewhere: users * elsewhere,
      idle,
      server: (mean(({ cpu }) => cpu[0] as number) - idle) / people,
      postgres: mean(({ cpu }) => cpu[2] as number) / everybody,
      redis: mean(({ cpu }) => cpu[3] as number) / everybody,
      worker: mean(({ cpu }) => cpu[4] as number) / everybody,
      p50Ms: mean((each) => each.p50Ms),
      p99Ms: mean((each) => each.p99Ms),
    }
  }
  const days: MeasuredDays = { alone: [], beside: [] }
  for (const here of communitiesAlone) days.alone.push(await measure(here, 0))
  for (const elsewhere of communitiesElsewhere) days.beside.push(await measure(1, elsewhere))
  for (const reader of readers) reader.close()
  await Promise.all([...servers, worker].map((each) => each.stop()))
  await day.close()
  return days
}

/**
 * A chat whose members are at two servers, and write at both: processor time of both servers for a delivery, with many posts in
 * flight and with one, and how long a post is under way to those at the other server when so many are written, one by one, as take
 * half of the core that both share.
 */
async function deliveryThroughTwo({
  databaseUrl,
  tokenSecret,
  env,
}: Bench): Promise<{ seconds: number; alone: number; perSecond: number; p99Ms: number }> {
  const sql = postgres(databaseUrl, { max: 1 })
  const members = await createResidents(sql, tokenSecret, membersOfChat)
  const fezID = await createChat(sql, members, 0)
  await sql.end()
  const servers = await Promise.all([1, 2].map(() => startMeasured('product-server.js', { ...env, WRITES_PER_MINUTE: '0' })))
  const serverAt = (at: number) => servers[at % 2] as Measured
  const sentMs = new Map<string, { at: number; ms: number }>()
  let tookMs: number[] = []
  const readers = await openAll(
    members.map((member, at) => ({ member, at })),
    ({ member, at }) =>
      FrameReader.open(serverAt(at).port, `/api/v3/fez/${fezID}/socket`, member.token, (data, from, to) => {
        if (at >= watching) return
        const sent = sentMs.get(/"text":"Number (\d+) /.exec(data.toString('latin1', from, to))?.[1] ?? '')
        if (sent && sent.at % 2 !== at % 2) tookMs.push(performance.now() - sent.ms)
      }),
  )
  const openConnections = (length: number) => Promise.all(Array.from({ length }, (_, at) => Connection.open(serverAt(at).port)))
  let count = 0
  const post = async (connection: Connection, at: number) => {
    const number = count++
    const author = members[watching + (at % 2) + 2 * (number % 100)] as Resident
    const request = postRequest(
      `/api/v3/fez/${fezID}/post`,
      { text: `Number ${number} says that dinner is ready.`, images: [] },
      author.token,
    )
    sentMs.set(String(number), { at, ms: performance.now() })
    const { status } = await connection.ask(request)
    if (status !== 201) throw new Error(`a post was answered ${status}`)
  }
  const arrived = () => sum(readers.map(({ frames }) => frames))
  const allArrived = async () => {
    while (arrived() < count * membersOfChat) await delay(5)
  }
  const used = async () => sum(await Promise.all(servers.map((server) => server.order<number>('cpuSeconds'))))
  /** Processor time of a delivery with so many posts in flight. */
  const withInFlight = async (inFlight: number, seconds: number) => {
    const connections = await openConnections(inFlight)
    const before = { used: await used(), count }
    const untilMs = performance.now() + 1000 * seconds
    await Promise.all(
      connections.map(async (connection, at) => {
        while (performance.now() < untilMs) await post(connection, at)
      }),
    )
    await allArrived()
    for (const connection of connections) connection.close()
    return ((await used()) - before.used) / ((count - before.count) * membersOfChat)
  }
  await withInFlight(atOnce, warmUpSeconds)
  const seconds = await withInFlight(atOnce, burstSeconds)
  const alone = await withInFlight(1, burstSeconds)
  const perSecond = shareAtHalfLoad / (alone * membersOfChat)
  tookMs = []
  // A post that is late was late for its author too: it does not wait for those before.
  const connections = await openConnections(4 * atOnce)
  const free = connections.map((connection, at) => ({ connection, at }))
  const startedMs = performance.now()
  const underWay: Promise<void>[] = []
  for (let sent = 0; sent < perSecond * steadySeconds;) {
    for (; sent < Math.min(perSecond * steadySeconds, ((performance.now() - startedMs) / 1000) * perSecond); sent++) {
      const next = free.shift()
      if (!next) throw new Error('half of a core was too much')
      underWay.push(post(next.connection, next.at).then(() => void free.push(next)))
    }
    await delay(2)
  }
  await Promise.all(underWay)
  await allArrived()
  for (const reader of readers) reader.close()
  for (const connection of connections) connection.close()
  await Promise.all(servers.map((server) => server.stop()))
  const took = tookMs.toSorted((a, b) => a - b)
  return { seconds, alone, perSecond, p99Ms: percentile(took, 0.99) }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
