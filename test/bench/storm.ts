// A server restarts, and all phones come back within one second: each opens its notification socket and makes the
// calls of its start, one after the other, on a connection that it keeps. The caches of the server are empty. Meanwhile
// people who are connected already go on asking; with two nodes, half of the phones come to the node that stayed up.
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import type { Bystanders } from './bystanders.ts'
import { Connection, FrameReader, getRequest } from './load.ts'
import { createChat, createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { markdown, percentile, shown, type Row } from './table.ts'

const phones = Number(process.env['BENCH_PHONES'] ?? 3000)
const membersOfChat = 50
/** Phones wait 1, 3, 7 and 15 s after they have lost their server, to the second: they have no jitter. */
const arriveWithinMs = 1000
const others = 50
/** Phones that started on the node that stays up, before the other one ended: it runs warm code, and knows nobody who comes now. */
const startedEarlier = 600
const askEveryMs = 100
const goals = { allMs: 10_000, othersP99Ms: 500 }

/** What a phone asks for when it starts. */
const calls = [
  '/notification/global',
  '/client/settings',
  '/user/whoami',
  '/user/profile',
  '/notification/user',
  '/notification/announcements',
  '/notification/dailythemes',
  '/fez/joined?type=closed&limit=50',
  '/fez/joined?excludetype=closed&excludetype=open&limit=50',
  '/forum/categories',
  '/events/favorites',
  '/users/favorites',
  '/users/mutes',
  '/users/blocks',
]

interface Outcome {
  allMs: number
  phoneP50Ms: number
  phoneP99Ms: number
  othersP50Ms: number
  othersP99Ms: number
  refused: number
  /** Processor time of all servers. */
  serverMsPerPhone: number
}

/** Prints a table; there is no limit to compare with but the goals. */
export async function storm({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, phones)
  for (let at = 0; at < phones; at += membersOfChat) {
    for (let chat = 0; chat < 5; chat++) await createChat(sql, residents.slice(at, at + membersOfChat), 20)
  }
  await sql`vacuum analyze`
  const bystanders = await createResidents(sql, tokenSecret, others)
  const earlier = await createResidents(sql, tokenSecret, startedEarlier)
  const settings = { ...env, WRITES_PER_MINUTE: '0', SEARCHES_PER_MINUTE: '0' }
  const lines: string[][] = []
  for (const nodeCount of [1, 2]) {
    const stayed = nodeCount === 2 ? await startMeasured('product-server.js', settings) : undefined
    if (stayed) await startInTurn(stayed, earlier)
    const restarted = await startMeasured('product-server.js', settings)
    const outcome = await comeBack(stayed ? [restarted, stayed] : [restarted], residents, bystanders)
    lines.push([
      String(nodeCount),
      shown(outcome.allMs / 1000),
      shown(outcome.phoneP50Ms / 1000),
      shown(outcome.phoneP99Ms / 1000),
      String(outcome.refused),
      shown(outcome.othersP50Ms),
      shown(outcome.othersP99Ms),
      shown(outcome.serverMsPerPhone),
    ])
    await Promise.all([restarted.stop(), stayed?.stop()])
  }
  await sql.end()
  process.stdout.write(
    `${markdown(
      ['Nodes', 'All served, s', 'A phone p50, s', 'A phone p99, s', 'Refused', 'Others p50, ms', 'Others p99, ms', 'Servers a phone, ms'],
      lines,
      0,
    )}\n  ${phones} phones within ${arriveWithinMs / 1000} s, ${calls.length} calls and a socket each; ` +
      `goals: all within ${goals.allMs / 1000} s, nobody refused, others below ${goals.othersP99Ms} ms.\n\n`,
  )
  return []
}

/** Opens the socket of a phone, and makes the calls of its start. */
async function startPhone(port: number, { token }: Resident): Promise<FrameReader> {
  const socket = await FrameReader.open(port, '/api/v3/notification/socket', token)
  const connection = await Connection.open(port)
  for (const path of calls) {
    const { status } = await connection.ask(getRequest(`/api/v3${path}`, token))
    if (status !== 200) throw new Error(`${path} was answered ${status}`)
  }
  connection.close()
  return socket
}

/** Ten at a time. */
async function startInTurn({ port }: Measured, residents: readonly Resident[]): Promise<void> {
  const left = [...residents]
  const startOn = async () => {
    for (let resident = left.pop(); resident; resident = left.pop()) (await startPhone(port, resident)).close()
  }
  await Promise.all(Array.from({ length: 10 }, startOn))
}

async function comeBack(nodes: readonly Measured[], residents: readonly Resident[], bystanders: readonly Resident[]): Promise<Outcome> {
  const there = await startMeasured('bystanders.js', {}, 'load')
  const order: Bystanders = { ports: nodes.map(({ port }) => port), tokens: bystanders.map(({ token }) => token), askEveryMs }
  await there.order('ask', order)
  await delay(1000)
  await there.order('begin')
  let refused = 0
  const sockets: FrameReader[] = []
  const cpuSeconds = async () => (await Promise.all(nodes.map((node) => node.order<number>('cpuSeconds')))).reduce((a, b) => a + b)
  const cpuBefore = await cpuSeconds()
  const startedMs = performance.now()
  const took = await Promise.all(
    residents.map(async (resident, at) => {
      await delay((at / residents.length) * arriveWithinMs)
      const arrivedMs = performance.now()
      const { port } = nodeFor(nodes, at)
      try {
        sockets.push(await startPhone(port, resident))
      } catch (error) {
        if (refused++ === 0) process.stdout.write(`  ${String(error)}\n`)
      }
      return performance.now() - arrivedMs
    }),
  )
  const allMs = performance.now() - startedMs
  const serverMsPerPhone = ((await cpuSeconds()) - cpuBefore) * (1000 / residents.length)
  const waits = await there.order<number[]>('end')
  await there.stop()
  for (const socket of sockets) socket.close()
  const phone = took.toSorted((a, b) => a - b)
  const other = waits.toSorted((a, b) => a - b)
  return {
    allMs,
    phoneP50Ms: percentile(phone, 0.5),
    phoneP99Ms: percentile(phone, 0.99),
    othersP50Ms: percentile(other, 0.5),
    othersP99Ms: percentile(other, 0.99),
    refused,
    serverMsPerPhone,
  }
}

const nodeFor = (nodes: readonly Measured[], at: number) => nodes[at % nodes.length] as Measured
