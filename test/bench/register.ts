// Embarkation: crowds that register and sign in from one address, alone and beside a flood of wrong logins from there; and one
// login beside a flood of wrong passwords of people who exist.
import { randomInt } from 'node:crypto'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { hashSecret } from '../../src/auth/passwords.ts'
import { Connection, loginRequest, postRequest, type Answer } from './load.ts'
import { createResidents } from './population.ts'
import { startMeasured } from './processes.ts'
import type { Bench } from './run.ts'
import { percentile, rowOf, shown, type Row } from './table.ts'

/** How many register at a time. */
const crowds = [64, 256]
/** Of one crowd. */
const secondsOfCrowd = Number(process.env['BENCH_SECONDS'] ?? 120)
const floodSize = 1000
const password = 'a password'
const address = '127.0.2.1'
const elsewhere = '127.0.2.2'
/** So many times the fair wait is the longest that one in a hundred may take. */
const longestWaits = 4

export async function register({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, floodSize + 3)
  await sql`update account set password_hash = ${await hashSecret(password)} where id = any(${residents.map(({ id }) => id)})`
  await sql.end()
  const usernames = residents.map(({ username }) => username)
  const product = await startMeasured('product-server.js', env)
  const redis = new Redis(env['REDIS_URL'] ?? '')
  const rows: Row[] = []
  for (const size of crowds)
    for (const isFlooded of [false, true]) {
      // What was counted by then.
      await redis.flushall()
      const crowd = beginCrowd(product.port, size)
      const flooding = isFlooded ? flood(product.port, floodSize, () => `nobody${randomInt(1e12)}`) : undefined
      const label = `${size} at a time register and sign in${isFlooded ? `, among ${floodSize} random logins` : ''}`
      rows.push(rowOfCrowd(label, await crowd))
      await flooding
    }
  for (const [where, from] of [
    ['from the same address', address],
    ['from elsewhere', elsewhere],
  ] as const) {
    await redis.flushall()
    const names = [...usernames]
    const own = usernames.pop() as string
    const flooding = flood(product.port, floodSize, (index) => names[index] as string)
    const connection = await Connection.open(product.port, from)
    await flooding.isSent
    const tookMs = await loggedIn(connection, own, product.port, from)
    const floodMs = await flooding
    rows.push(
      rowOf(`login among ${floodSize} wrong passwords of people who exist, ${where}, against all of them`, 'ms', [
        { ours: tookMs, limit: floodMs },
      ]),
    )
  }
  redis.disconnect()
  await product.stop()
  return rows
}

/** How long it takes somebody to get in who comes again when they are told to. */
async function loggedIn(first: Connection, username: string, port: number, from: string): Promise<number> {
  const startedMs = performance.now()
  for (let connection = first; ; connection = await Connection.open(port, from)) {
    const answer = await connection.ask(loginRequest(username, password))
    connection.close()
    if (answer.status === 200) return performance.now() - startedMs
    if (answer.status !== 429) throw new Error(`a login among wrong passwords answered ${answer.status}`)
    await toldTime(answer)
  }
}

/** Waits for as long as a refusal says: the server closes the connection meanwhile. */
async function toldTime({ body }: Answer): Promise<void> {
  const seconds = Number(/in (\d+) second/.exec(body.toString())?.[1])
  if (!(seconds > 0)) throw new Error(`a refusal without a time: ${body.toString()}`)
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
}

interface Crowd {
  size: number
  /** Of each registration with its sign-in. */
  tookMs: number[]
  /** Answers that were not as they should be, by status. */
  refused: Map<number, number>
}

/** Everybody registers and signs in, and then the next one on the same connection, for as long as the crowd lasts. */
async function beginCrowd(port: number, size: number): Promise<Crowd> {
  const crowd: Crowd = { size, tookMs: [], refused: new Map() }
  const connections = await Promise.all(Array.from({ length: size }, () => Connection.open(port, address)))
  const untilMs = performance.now() + secondsOfCrowd * 1000
  await Promise.all(
    connections.map(async (first) => {
      let connection = first
      while (performance.now() < untilMs) {
        const username = `new${randomInt(2 ** 47)}`
        const startedMs = performance.now()
        const created = await connection.ask(postRequest('/api/v3/user/create', { username, password }))
        const answer = created.status === 201 ? await connection.ask(loginRequest(username, password)) : created
        if (answer.status === 200) crowd.tookMs.push(performance.now() - startedMs)
        else crowd.refused.set(answer.status, (crowd.refused.get(answer.status) ?? 0) + 1)
        if (answer.status !== 429) continue
        connection.close()
        await toldTime(answer)
        connection = await Connection.open(port, address)
      }
      connection.close()
    }),
  )
  return crowd
}

function rowOfCrowd(label: string, { size, tookMs, refused }: Crowd): Row {
  const sorted = tookMs.toSorted((a, b) => a - b)
  const fairMs = (size / tookMs.length) * secondsOfCrowd * 1000
  const p99 = percentile(sorted, 0.99)
  const others =
    refused.size === 0 ? 'nobody refused' : `refused: ${[...refused].map(([status, times]) => `${times} with ${status}`).join(', ')}`
  process.stdout.write(
    `${label}: ${shown(tookMs.length / secondsOfCrowd)} a second, p50 ${shown(percentile(sorted, 0.5))} ms, p99 ${shown(p99)} ms, ` +
      `slowest ${shown(sorted.at(-1) ?? NaN)} ms, fair wait ${shown(fairMs)} ms (p99 at most ${longestWaits} times that), ${others}\n`,
  )
  return rowOf(`${label}: p99, against the fair wait`, 'ms', [{ ours: p99, limit: fairMs }])
}

/** Wrong logins, all at once; resolves with how long it took until the last was answered. */
function flood(port: number, size: number, nameOf: (index: number) => string): Promise<number> & { isSent: Promise<unknown> } {
  const opened = Promise.all(Array.from({ length: size }, () => Connection.open(port, address)))
  let startedMs = 0
  const sent = opened.then((connections) => {
    startedMs = performance.now()
    return connections.map((each, index) => each.ask(loginRequest(nameOf(index), 'not the password')))
  })
  const done = sent.then(async (answers) => {
    for (const { status } of await Promise.all(answers))
      if (status !== 401 && status !== 429) throw new Error(`a wrong login answered ${status}`)
    for (const connection of await opened) connection.close()
    return performance.now() - startedMs
  })
  return Object.assign(done, { isSent: sent.then(() => undefined) })
}
