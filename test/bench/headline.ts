// 1,000 members on two nodes, 2,000 posts by 50 authors at the same time: every socket gets every post
// exactly once, in order, except those whose user hides the author.
import assert from 'node:assert/strict'
import postgres from 'postgres'
import { Agent, request } from 'undici'
import { FrameReader } from './load.ts'
import { createChat, createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import type { Row } from './table.ts'
import { median } from './table.ts'

const memberCount = 1000
const authorCount = 50
const postsPerAuthor = 40

interface Listener {
  member: Resident
  reader: FrameReader
  ids: number[]
}

export async function headline({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const members = await createResidents(sql, tokenSecret, memberCount)
  const fezID = await createChat(sql, members, 0)
  const authors = members.slice(0, authorCount)
  // Every hundredth member mutes an author, others are in a block with one.
  const hidden = new Map<string, string>()
  for (let index = authorCount; index < memberCount; index += 50) {
    const member = members[index] as Resident
    const author = authors[(index / 50) % authorCount] as Resident
    hidden.set(member.id, author.id)
    if (index % 100 === 0) await sql`insert into mute (account_id, muted_id) values (${member.id}, ${author.id})`
    else await sql`insert into block (person_id, blocked_id) values (${author.id}, ${member.id})`
  }
  const nodes = await Promise.all([startMeasured('product-server.js', env), startMeasured('product-server.js', env)])
  const listeners: Listener[] = []
  for (let at = 0; at < members.length; at += 50) {
    listeners.push(
      ...(await Promise.all(members.slice(at, at + 50).map((member, index) => listen(member, nodes[index % 2] as Measured, fezID)))),
    )
  }

  const authorOf = new Map<number, string>()
  const latencies: number[] = []
  const startedMs = performance.now()
  await Promise.all(
    authors.map(async (author, index) => {
      const agent = new Agent({ connections: 1 })
      for (let post = 0; post < postsPerAuthor; post++) {
        const sentMs = performance.now()
        const { port } = nodes[(index + post) % 2] as Measured
        const answer = await request(`http://127.0.0.1:${port}/api/v3/fez/${fezID}/post`, {
          method: 'POST',
          dispatcher: agent,
          headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ text: `Post ${post} of author ${index}`, images: [] }),
        })
        const body = (await answer.body.json()) as { postID: number }
        assert.equal(answer.statusCode, 201, JSON.stringify(body))
        authorOf.set(body.postID, author.id)
        latencies.push(performance.now() - sentMs)
      }
      await agent.close()
    }),
  )
  const postedMs = performance.now() - startedMs
  const owed = ({ member }: Listener) =>
    [...authorOf]
      .filter(([, author]) => hidden.get(member.id) !== author)
      .map(([id]) => id)
      .toSorted((a, b) => a - b)
  const deadline = performance.now() + 30_000
  while (listeners.some((listener) => listener.ids.length < owed(listener).length)) {
    if (performance.now() > deadline) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const deliveredMs = performance.now() - startedMs
  for (const listener of listeners)
    assert.deepEqual(listener.ids, owed(listener), `${listener.member.username} got something else than it was owed`)

  for (const { reader } of listeners) reader.close()
  await Promise.all(nodes.map((node) => node.stop()))
  await sql.end()
  const posts = authorCount * postsPerAuthor
  process.stdout.write(
    `  ${posts} posts to ${memberCount} sockets on two nodes: exactly once, in order; ${Math.round((posts / postedMs) * 1000)} posts/s, ` +
      `${Math.round(((posts * memberCount) / deliveredMs) * 1000).toLocaleString('en-US')} deliveries/s, answer median ${median(latencies).toFixed(1)} ms\n`,
  )
  return []
}

async function listen(member: Resident, node: Measured, fezID: string): Promise<Listener> {
  const ids: number[] = []
  const reader = await FrameReader.open(node.port, `/api/v3/fez/${fezID}/socket`, member.token, (data, from) => {
    // Two million frames: the id comes first, and parsing the rest would measure the load generator.
    ids.push(Number(/^\{"postID":(\d+),/.exec(data.toString('latin1', from, from + 30))?.[1]))
  })
  return { member, reader, ids }
}
