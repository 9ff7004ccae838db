// The dashboard: what the figures cost a node while ten admins watch, and what that takes from everybody else.
import postgres from 'postgres'
import { hashSecret } from '../../src/auth/passwords.ts'
import { countRequests, fetchOnce, FrameReader, getRequest } from './load.ts'
import { createResidents, type Resident } from './population.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, rowOf, type Row } from './table.ts'

const watchers = 10
const pollers = 1000
const connections = 64
const durationMs = 2500
const pairs = 5
const password = 'a password'
const pushes = 200
const secondsBetween = 5

export async function dashboard({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, pollers)
  const admins = residents.slice(0, watchers)
  await sql`
    update account set level = 'admin', password_hash = ${await hashSecret(password)} where id = any(${admins.map(({ id }) => id)})`
  const product = await startMeasured('product-server.js', env)
  // As after an hour of running.
  await product.order('sample', { count: 720 })
  const open = await Promise.all(admins.map((admin) => watch(product, admin)))
  const cost: { ours: number; limit: number }[] = []
  for (let pair = 0; pair <= pairs; pair++) {
    const before = await product.order<number>('cpuSeconds')
    await product.order('pushFigures', { count: pushes })
    const seconds = ((await product.order<number>('cpuSeconds')) - before) / pushes
    // The first one warms up, and sends the whole hour.
    if (pair > 0) cost.push({ ours: (seconds / secondsBetween) * 100, limit: 1 })
  }
  const requests = residents.slice(watchers).map(({ token }) => getRequest('/api/v3/notification/user', token))
  const answered = () => perCpuSecond(product, () => countRequests(product.port, requests, connections, durationMs))
  let readers = open
  const besides = await compare(
    `GET /notification/user while ${watchers} admins watch, beside nobody watching`,
    'requests per CPU second',
    pairs,
    async () => {
      if (readers.length === 0) readers = await Promise.all(admins.map((admin) => watch(product, admin)))
      return await answered()
    },
    async () => {
      for (const reader of readers) reader.close()
      readers = []
      return await answered()
    },
  )
  for (const reader of readers) reader.close()
  await product.stop()
  await sql.end()
  return [rowOf(`figures every ${secondsBetween} s for ${watchers} admins, beside 1 % of a core`, '% of a core', cost), besides]
}

/** A browser that shows the dashboard. */
async function watch({ port }: Measured, { token, username }: Resident): Promise<FrameReader> {
  const origin = `http://localhost:${port}`
  const response = await fetch(`${origin}/api/v3/auth/login`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`, 'X-Session': 'cookie', Origin: origin },
  })
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  if (response.status !== 200 || cookie === '') throw new Error(`no session: ${response.status} ${await response.text()}`)
  const { status } = await fetchOnce(port, getRequest('/api/v3/admin/figures', token))
  if (status !== 200) throw new Error(`figures were answered with ${status}`)
  return await FrameReader.open(port, '/api/v3/notification/socket', `Cookie: ${cookie}\r\nOrigin: http://localhost`)
}
