// Accounts among 20,000: reading a header, searching names, logging in. And what an attacker could
// measure: whether a wrong guess takes as long for an unknown name.
import postgres from 'postgres'
import { hashSecret } from '../../src/auth/passwords.ts'
import { countRequests, fetchOnce, getRequest, loginRequest, postRequest, type Answer } from './load.ts'
import { createResidents } from './population.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, median, type Row } from './table.ts'

const users = 20_000
const durationMs = 1500
const pairs = 5
const password = 'a password'
const wrong = 'not the password'

export async function identity({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, users)
  const members = residents.slice(0, 500)
  await sql`update account set password_hash = ${await hashSecret(password)}, recovery_key_hash = ${await hashSecret('a recovery key')} where id = any(${members.map(({ id }) => id)})`
  await sql`vacuum analyze account`
  await sql.end()
  const [product, bareServer, bareHashes, bareSearch] = await Promise.all([
    startMeasured('product-server.js', env),
    startMeasured('bare-server.js', {}),
    startMeasured('bare-hashes.js', {}),
    startMeasured('bare-search.js', env),
  ])
  const usernames = members.map(({ username }) => username)
  const rows = [
    await headers(product, bareServer, residents[0]?.token ?? '', residents[1]?.id ?? ''),
    await searches(
      product,
      bareSearch,
      residents[0]?.token ?? '',
      residents.slice(0, 1000).map(({ username }) => username.slice(8)),
    ),
    await logins(product, bareHashes, usernames.slice(0, 100)),
    await guesses('wrong password', usernames, 401, (username) => fetchOnce(product.port, loginRequest(username, wrong), anotherAddress())),
    await guesses('failed recovery', usernames, 400, (username) =>
      fetchOnce(product.port, postRequest('/api/v3/auth/recovery', { username, recoveryKey: wrong, newPassword: wrong }), anotherAddress()),
    ),
  ]
  await Promise.all([product, bareServer, bareHashes, bareSearch].map((each) => each.stop()))
  return rows
}

async function headers(product: Measured, bare: Measured, token: string, id: string): Promise<Row> {
  const request = getRequest(`/api/v3/users/${id}/header`, token)
  const { status, body } = await fetchOnce(product.port, request)
  if (status !== 200) throw new Error(`a header answered ${status}: ${body.toString()}`)
  await bare.order('answer', { body: body.toString(), token })
  const requests = (server: Measured) => perCpuSecond(server, () => countRequests(server.port, request, 64, durationMs))
  return await compare(
    'GET /users/:id/header',
    'requests per CPU second',
    pairs,
    () => requests(product),
    () => requests(bare),
  )
}

async function searches(product: Measured, bare: Measured, token: string, texts: string[]): Promise<Row> {
  const requests = texts.map((text) => getRequest(`/api/v3/users/match/allnames/${text}`, token))
  const atOnce = 16
  const perSecond = (count: number) => (count / durationMs) * 1000
  return await compare(
    `name search among ${users.toLocaleString('en-US')} users, against its statement`,
    'searches/s',
    pairs,
    async () => perSecond(await countRequests(product.port, requests, atOnce, durationMs)),
    async () => perSecond(await bare.order<number>('search', { texts, atOnce, durationMs })),
  )
}

async function logins(product: Measured, bare: Measured, usernames: string[]): Promise<Row> {
  const requests = usernames.map((username) => loginRequest(username, password))
  return await compare(
    'login, against Argon2 alone',
    'logins per CPU second',
    pairs,
    () => perCpuSecond(product, () => countRequests(product.port, requests, 16, durationMs)),
    () => perCpuSecond(bare, () => bare.order<number>('hash', { durationMs })),
  )
}

let addresses = 0
/** Guesses are bounded for each address. */
const anotherAddress = () => `127.0.2.${(addresses++ % 200) + 1}`

/** A guess at a name's secret that has to be refused. */
type Guess = (username: string) => Promise<Answer>

/** Each name is tried once: nobody is to be asked to wait. Logins have come before, so nothing is cold. */
async function guesses(what: string, usernames: string[], refusedWith: number, guess: Guess): Promise<Row> {
  const perRun = 60
  let tried = 0
  const attempt = async (username: string) => {
    const startedMs = performance.now()
    const { status } = await guess(username)
    if (status !== refusedWith) throw new Error(`${what} answered ${status}`)
    return performance.now() - startedMs
  }
  // One of each in turn: the machine's speed drifts.
  const elapsedMs: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
  const run = async () => {
    elapsedMs.known = []
    elapsedMs.unknown = []
    for (let i = 0; i < perRun; i++, tried++) {
      for (const kind of tried % 2 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const)) {
        elapsedMs[kind].push(await attempt(kind === 'known' ? (usernames[tried % usernames.length] as string) : `nobody${tried}`))
      }
    }
    return median(elapsedMs.known)
  }
  return await compare(`${what}: known name, against unknown`, 'ms, the same is best', 4, run, async () => median(elapsedMs.unknown))
}
