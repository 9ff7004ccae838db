// What every app does all the time, and what reaches all of them at once: polls of many users, and an
// announcement to everybody's socket.
import postgres from 'postgres'
import { delivered, openAll } from './fan-out.ts'
import { countRequests, fetchOnce, FrameReader, getRequest } from './load.ts'
import { createChat, createResidents, type Resident } from './population.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, type Row } from './table.ts'

const pollers = 3000
const listeners = 5000
const connections = 64
const durationMs = 1500
const pairs = 5
const turns = 20
const text = 'The captain invites everybody to the top deck at noon.'

export async function polling({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, listeners)
  await createChat(sql, residents.slice(0, pollers), 20)
  const [product, bare] = await Promise.all([startMeasured('product-server.js', env), startMeasured('bare-server.js', {})])
  const rows = [await polls(product, bare, residents.slice(0, pollers)), await announcements(sql, product, bare, residents)]
  await Promise.all([product.stop(), bare.stop()])
  await sql.end()
  return rows
}

async function polls(product: Measured, bare: Measured, users: readonly Resident[]): Promise<Row> {
  const requests = users.map(({ token }) => getRequest('/api/v3/notification/user', token))
  for (const [index, request] of requests.entries()) {
    const { status, body } = await fetchOnce(product.port, request)
    if (status !== 200) throw new Error(`a poll was answered with ${status}: ${body.toString()}`)
    await bare.order('answer', { body: body.toString(), token: users[index]?.token })
  }
  const answered = (server: Measured) => perCpuSecond(server, () => countRequests(server.port, requests, connections, durationMs))
  return await compare(
    `GET /notification/user of ${users.length} users in turn`,
    'requests per CPU second',
    pairs,
    () => answered(product),
    () => answered(bare),
  )
}

async function announcements(sql: postgres.Sql, product: Measured, bare: Measured, users: readonly Resident[]): Promise<Row> {
  const tokens = users.map(({ token }) => token)
  const ours = await openAll(tokens, (token) => FrameReader.open(product.port, '/api/v3/notification/socket', token))
  const theirs = await openAll(tokens, (token) => FrameReader.open(bare.port, '/socket', token))
  const frame = JSON.stringify({ type: { announcement: {} }, info: text, contentID: '1000' })
  const announce = async () => {
    for (let turn = 0; turn < turns; turn++) {
      await sql`insert into announcement (author_id, text, display_until, created_at, updated_at) values (${users[0]?.id ?? ''}, ${text}, now() + interval '1 day', now(), now())`
      await product.order('announced')
    }
  }
  const row = await compare(
    `announcement to ${users.length} sockets, one at a time`,
    'deliveries per CPU second',
    pairs,
    () => delivered(product, ours, turns, announce),
    () => delivered(bare, theirs, turns, () => bare.order('publish', { frame, turns, perTurn: 1 })),
  )
  for (const reader of [...ours, ...theirs]) reader.close()
  return row
}
