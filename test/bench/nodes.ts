// More nodes: what an event costs where it is needed, and on the nodes that only hear of it. All nodes share one core;
// what is counted is the processor time of each process.
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { openAll } from './fan-out.ts'
import { Connection, FrameReader, postRequest } from './load.ts'
import { createChat, createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { markdown, shown, type Row } from './table.ts'

const nodeCounts = process.env['BENCH_NODES']?.split(',').map(Number) ?? [1, 2, 4, 8]
const chatCount = 32
const membersOfChat = 10
const posts = 4000
const atOnce = 16
const restSeconds = 10
const text = 'Dinner is at eight, and whoever comes late washes up.'

/** Prints a table; there is no limit to compare with. */
export async function nodes({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const lines: string[][] = []
  for (const count of nodeCounts) {
    const residents = await createResidents(sql, tokenSecret, chatCount * membersOfChat)
    const chats: { id: string; members: Resident[] }[] = []
    for (let at = 0; at < chatCount; at++) {
      const members = residents.slice(at * membersOfChat, (at + 1) * membersOfChat)
      chats.push({ id: await createChat(sql, members, 0), members })
    }
    const servers = await Promise.all(
      Array.from({ length: count }, () => startMeasured('product-server.js', { ...env, WRITES_PER_MINUTE: '0' })),
    )
    // All sockets are at the first node: the others have no use for any of the events.
    const [first] = servers as [Measured]
    const readers: FrameReader[] = []
    for (const { id, members } of chats)
      readers.push(
        ...(await openAll(
          members.map(({ token }) => token),
          (token) => FrameReader.open(first.port, `/api/v3/fez/${id}/socket`, token),
        )),
      )
    await write(first, chats, posts / 10)
    const idle = await usedBy(servers, () => delay(restSeconds * 1000))
    const busy = await usedBy(servers, () => write(first, chats, posts))
    const microseconds = (seconds: number) => (seconds * 1e6) / posts
    const heard = busy.slice(1).map(microseconds)
    lines.push([
      String(count),
      shown((1000 * Math.max(...idle)) / restSeconds),
      shown(microseconds(busy[0] as number)),
      heard.length === 0 ? '-' : shown(heard.reduce((sum, each) => sum + each, 0) / heard.length),
      shown(microseconds(busy.reduce((sum, each) => sum + each, 0))),
    ])
    for (const reader of readers) reader.close()
    await Promise.all(servers.map((server) => server.stop()))
  }
  await sql.end()
  process.stdout.write(
    `${markdown(
      ['Nodes', 'Idle node, ms a second', 'Post at its node, us', 'Post at another node, us', 'Post in all, us'],
      lines,
      0,
    )}\n  ${posts} posts, ${atOnce} in flight, into ${chatCount} chats of ${membersOfChat} sockets, all of them at one node.\n\n`,
  )
  return []
}

/** Processor time of each server while something happens, in seconds. */
async function usedBy(servers: readonly Measured[], work: () => Promise<unknown>): Promise<number[]> {
  const used = () => Promise.all(servers.map((server) => server.order<number>('cpuSeconds')))
  const before = await used()
  await work()
  return (await used()).map((seconds, at) => seconds - (before[at] as number))
}

async function write({ port }: Measured, chats: readonly { id: string; members: Resident[] }[], count: number): Promise<void> {
  let sent = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const connection = await Connection.open(port)
      while (sent < count) {
        const { id, members } = chats[sent % chats.length] as (typeof chats)[number]
        const { token } = members[sent % members.length] as Resident
        sent++
        const { status } = await connection.ask(postRequest(`/api/v3/fez/${id}/post`, { text, images: [] }, token))
        if (status !== 201) throw new Error(`a post was answered ${status}`)
      }
      connection.close()
    }),
  )
}
