// More nodes: what a post costs when all who read the chat are at one node, and when they are at as many as there are, and what it
// costs to open a forum with something new. All nodes share one core; what is counted is the processor time of each process.
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { openAll } from './fan-out.ts'
import { Connection, FrameReader, getRequest, postRequest } from './load.ts'
import { createChat, createForum, createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { cpuSeconds } from './whole-product.ts'
import { markdown, shown, type Row } from './table.ts'

const nodeCounts = process.env['BENCH_NODES']?.split(',').map(Number) ?? [1, 2, 4, 8]
const chatCount = 32
const membersOfChat = 10
const posts = 4000
const openings = 16_000
const atOnce = 16
const restSeconds = 10
const text = 'Dinner is at eight, and whoever comes late washes up.'

/** Prints a table; there is no limit to compare with. */
export async function nodes({ databaseUrl, tokenSecret, env, stores }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const [postgresPid, redisPid] = stores as [number, number]
  const pids = { postgres: postgresPid, redis: redisPid }
  const lines: string[][] = []
  for (const count of nodeCounts) {
    const residents = await createResidents(sql, tokenSecret, chatCount * membersOfChat)
    const chats: Chat[] = []
    for (let at = 0; at < chatCount; at++) {
      const members = residents.slice(at * membersOfChat, (at + 1) * membersOfChat)
      chats.push({ id: await createChat(sql, members, 0), members })
    }
    for (const isSpread of count === 1 ? [false] : [false, true]) {
      const servers = await Promise.all(
        Array.from({ length: count }, () => startMeasured('product-server.js', { ...env, WRITES_PER_MINUTE: '0' })),
      )
      /** Where a member is: with all others, or at the next node. */
      const serverOf = (member: number) => servers[isSpread ? member % count : 0] as Measured
      const readers: FrameReader[] = []
      for (const { id, members } of chats)
        readers.push(
          ...(await openAll(
            members.map(({ token }, at) => ({ token, port: serverOf(at).port })),
            ({ token, port }) => FrameReader.open(port, `/api/v3/fez/${id}/socket`, token),
          )),
        )
      await write(serverOf, chats, posts / 10)
      const idle = await usedBy(servers, pids, () => delay(restSeconds * 1000))
      const busy = await usedBy(servers, pids, () => write(serverOf, chats, posts))
      const [author] = residents as [Resident]
      const forums: string[] = []
      for (let at = 0; at < (1.25 * openings) / residents.length; at++) forums.push(await createForum(sql, author))
      await open(serverOf, residents, forums.splice(openings / residents.length), openings / 4)
      const opening = await usedBy(servers, pids, () => open(serverOf, residents, forums, openings))
      const microseconds = (seconds: number, count = posts) => shown((seconds * 1e6) / count)
      const all = busy.servers.reduce((sum, each) => sum + each, 0)
      lines.push([
        String(count),
        isSpread ? 'all' : 'one',
        shown((1000 * Math.max(...idle.servers)) / restSeconds),
        microseconds(isSpread ? all / count : (busy.servers[0] as number)),
        isSpread || count === 1 ? '-' : microseconds((all - (busy.servers[0] as number)) / (count - 1)),
        microseconds(all),
        microseconds(busy.redis),
        microseconds(busy.postgres),
        microseconds(
          opening.servers.reduce((sum, each) => sum + each, 0),
          openings,
        ),
        microseconds(opening.redis, openings),
      ])
      for (const reader of readers) reader.close()
      await Promise.all(servers.map((server) => server.stop()))
    }
  }
  await sql.end()
  process.stdout.write(
    `${markdown(
      [
        'Nodes',
        'Members at',
        'Idle node, ms a second',
        'Post at a node of theirs, us',
        'Post at another node, us',
        'Post in all, us',
        'Post in Redis, us',
        'Post in Postgres, us',
        'Forum opened, us',
        'Forum opened in Redis, us',
      ],
      lines,
      0,
    )}\n  ${posts} posts, ${atOnce} in flight, into ${chatCount} chats of ${membersOfChat} sockets; ${openings} forums opened.\n\n`,
  )
  return []
}

interface Chat {
  id: string
  members: Resident[]
}

interface Stores {
  postgres: number
  redis: number
}

/** Processor time of each server, and of the stores, while something happens, in seconds. */
async function usedBy(servers: readonly Measured[], pids: Stores, work: () => Promise<unknown>): Promise<Stores & { servers: number[] }> {
  const used = async () => ({
    servers: await Promise.all(servers.map((server) => server.order<number>('cpuSeconds'))),
    redis: cpuSeconds(pids.redis),
    postgres: cpuSeconds(pids.postgres),
  })
  const before = await used()
  await work()
  const after = await used()
  return {
    servers: after.servers.map((seconds, at) => seconds - (before.servers[at] as number)),
    redis: after.redis - before.redis,
    postgres: after.postgres - before.postgres,
  }
}

/** Every member writes at the node where they read. */
function write(serverOf: ServerOf, chats: readonly Chat[], count: number): Promise<void> {
  return send(count, (sent) => {
    const { id, members } = chats[sent % chats.length] as Chat
    const member = Math.floor(sent / chats.length) % members.length
    const { token } = members[member] as Resident
    return { port: serverOf(member).port, request: postRequest(`/api/v3/fez/${id}/post`, { text, images: [] }, token), expected: 201 }
  })
}

/** Everybody opens forums that they have not read. */
function open(serverOf: ServerOf, residents: readonly Resident[], forums: readonly string[], count: number): Promise<void> {
  return send(count, (sent) => {
    const at = sent % residents.length
    const forum = forums[Math.floor(sent / residents.length)] as string
    const { token } = residents[at] as Resident
    return { port: serverOf(at % membersOfChat).port, request: getRequest(`/api/v3/forum/${forum}`, token), expected: 200 }
  })
}

type ServerOf = (member: number) => Measured

/** Sends so many requests, `atOnce` in flight. */
async function send(count: number, requestAt: (sent: number) => { port: number; request: Buffer; expected: number }): Promise<void> {
  let sent = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const connections = new Map<number, Connection>()
      while (sent < count) {
        const { port, request, expected } = requestAt(sent++)
        const connection = connections.get(port) ?? (await Connection.open(port))
        connections.set(port, connection)
        const { status } = await connection.ask(request)
        if (status !== expected) throw new Error(`a request was answered ${status}`)
      }
      for (const connection of connections.values()) connection.close()
    }),
  )
}
