// Somebody logs in while a thousand random logins are under way: from elsewhere or from their own address, sent together
// with the first of them or a moment later.
import { Redis } from 'ioredis'
import postgres from 'postgres'
import { hashSecret } from '../../src/auth/passwords.ts'
import { Connection, loginRequest } from './load.ts'
import { createResidents } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { rowOf, type Row } from './table.ts'

const attackers = 1000
const rounds = 5
const longestLoginMs = 500
const password = 'a password'
const home = '127.0.0.1'

/** When, and from where, the login comes that must get through. */
interface Case {
  label: string
  /** The person has logged in before at the address that they use. */
  isKnown: boolean
  /** The attack comes from the same address. */
  isShared: boolean
  /** Its request is the first that is sent, or the last. */
  comes: 'first' | 'last'
}

const cases: Case[] = [
  { label: 'by somebody who was there before', isKnown: true, isShared: false, comes: 'last' },
  { label: 'by somebody who is new there', isKnown: false, isShared: false, comes: 'last' },
  { label: 'from the same address, by somebody who was there before', isKnown: true, isShared: true, comes: 'last' },
  { label: 'from the same address, by somebody who is new there', isKnown: false, isShared: true, comes: 'last' },
  {
    label: 'with the first of them, from the same address, by somebody who was there before',
    isKnown: true,
    isShared: true,
    comes: 'first',
  },
  { label: 'with the first of them, from the same address, by somebody who is new there', isKnown: false, isShared: true, comes: 'first' },
]

export async function logins({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, cases.length * rounds + 1)
  await sql`update account set password_hash = ${await hashSecret(password)} where id = any(${residents.map(({ id }) => id)})`
  await sql.end()
  const product = await startMeasured('product-server.js', env)
  const redis = new Redis(env['REDIS_URL'] ?? '')
  const usernames = residents.map(({ username }) => username)
  // So that nothing is cold.
  await login(product.port, usernames.pop() ?? '', home)
  const costs: { ours: number; limit: number }[] = []
  const rows: Row[] = []
  for (const each of cases) {
    const taken: number[] = []
    for (let round = 0; round < rounds; round++) {
      // What was counted: all of these attacks are more than the bound of all addresses together.
      await redis.flushall()
      const before = await product.order<number>('cpuSeconds')
      taken.push(await underAttack(product, usernames.pop() ?? '', each))
      costs.push({ ours: ((await product.order<number>('cpuSeconds')) - before) * 1000, limit: attackers })
    }
    rows.push(
      rowOf(
        `login among ${attackers} random ones, ${each.label}, against the bound`,
        'ms',
        taken.map((ours) => ({ ours, limit: longestLoginMs })),
      ),
    )
  }
  rows.push(rowOf(`${attackers} random logins, processor time of the server, against a millisecond each`, 'ms', costs))
  redis.disconnect()
  await product.stop()
  return rows
}

let attacks = 0

async function underAttack({ port }: Measured, username: string, { isKnown, isShared, comes }: Case): Promise<number> {
  const source = `127.0.1.${++attacks}`
  const own = isShared ? source : isKnown ? home : '127.0.0.2'
  if (isKnown) await login(port, username, own)
  const crowd = await Promise.all(Array.from({ length: attackers }, () => Connection.open(port, source)))
  const connection = await Connection.open(port, own)
  const attack = () => crowd.map((each, index) => each.ask(loginRequest(`nobody${attacks}x${index}`, 'not the password')))
  const last = comes === 'last' ? attack() : []
  const startedMs = performance.now()
  const answer = connection.ask(loginRequest(username, password))
  const first = comes === 'first' ? attack() : []
  const { status } = await answer
  const tookMs = performance.now() - startedMs
  if (status !== 200) throw new Error(`a login under attack answered ${status}`)
  for (const refused of await Promise.all([...last, ...first])) if (refused.status === 200) throw new Error('nobody has logged in')
  for (const each of [connection, ...crowd]) each.close()
  return tookMs
}

async function login(port: number, username: string, from: string): Promise<void> {
  const connection = await Connection.open(port, from)
  const { status } = await connection.ask(loginRequest(username, password))
  connection.close()
  if (status !== 200) throw new Error(`a login answered ${status}`)
}
