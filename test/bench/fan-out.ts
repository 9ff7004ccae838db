// One post to all sockets of a chat, against native topic publish of the same frame.
import postgres from 'postgres'
import { FrameReader } from './load.ts'
import { createChat, createResidents } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, type Row } from './table.ts'

const sockets = 1000
const pairs = 5
const text = 'Dinner is at eight, and whoever comes late washes up.'

export async function fanOut({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const members = await createResidents(sql, tokenSecret, sockets)
  const fezID = await createChat(sql, members, 0)
  await sql.end()
  const author = members[0]
  if (!author) throw new Error('no members')
  const [product, bare] = await Promise.all([startMeasured('product-server.js', env), startMeasured('bare-server.js', {})])
  const ours = await openAll(members.map(({ token }) => token), (token) => FrameReader.open(product.port, `/api/v3/fez/${fezID}/socket`, token))
  const theirs = await openAll(members.map(({ token }) => token), (token) => FrameReader.open(bare.port, '/socket', token))
  const frame = JSON.stringify({ postID: 1000, author: { userID: author.id, username: author.username }, text, timestamp: new Date().toISOString() })

  const rows: Row[] = []
  for (const { work, turns, perTurn } of [
    { work: `post to ${sockets} sockets, one at a time`, turns: 200, perTurn: 1 },
    { work: `post to ${sockets} sockets, bursts of 20`, turns: 20, perTurn: 20 },
  ]) {
    rows.push(await compare(work, 'deliveries per CPU second', pairs,
      () => delivered(product, ours, turns * perTurn, () => product.order('posts', { fezID, authorID: author.id, text, turns, perTurn })),
      () => delivered(bare, theirs, turns * perTurn, () => bare.order('publish', { frame, turns, perTurn }))))
  }
  for (const reader of [...ours, ...theirs]) reader.close()
  await Promise.all([product.stop(), bare.stop()])
  return rows
}

/** Opens sockets some at a time. */
export async function openAll(tokens: readonly string[], open: (token: string) => Promise<FrameReader>): Promise<FrameReader[]> {
  const readers: FrameReader[] = []
  for (let at = 0; at < tokens.length; at += 50) readers.push(...await Promise.all(tokens.slice(at, at + 50).map(open)))
  return readers
}

/** Deliveries per second of the server's processor time, until every reader has its `frames`. */
export async function delivered(server: Measured, readers: readonly FrameReader[], frames: number, send: () => Promise<unknown>): Promise<number> {
  const goal = readers.map((reader) => reader.frames + frames)
  const before = await server.usage()
  await send()
  while (readers.some((reader, index) => reader.frames < (goal[index] as number))) await new Promise((resolve) => setImmediate(resolve))
  const after = await server.usage()
  return readers.length * frames / (after.cpuSeconds - before.cpuSeconds)
}
