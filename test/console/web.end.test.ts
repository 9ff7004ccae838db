// The end of an event, from the page: two servers and a worker are wiped while they run, and no word of anybody is left, neither in
// their memory nor in the database, in Redis or in files.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Redis } from 'ioredis'
import postgres from 'postgres'
import type { Browser } from 'playwright-core'
import { startRedis } from '../../src/embedded/redis.ts'
import { openBrowser, patienceMs, signIn, untroubled, visit } from '../support/browser.ts'
import { Client } from '../support/client.ts'
import { createTestDatabase } from '../support/db.ts'
import { body } from '../support/fez.ts'
import { content } from '../support/forum.ts'
import { ownPort } from '../support/port.ts'
import { healthy, newPlace, startProduct } from '../support/product.ts'
import { until } from '../support/until.ts'

let browser: Browser | undefined
after(() => browser?.close())

const eventName = 'The last cruise'
const login = async (client: Client, username: string) =>
  new Client(client.url, (await body(client.post('/auth/login', undefined, { basic: [username, 'password'] }))).token)

test('a wipe from the page leaves nothing on any server', { timeout: 280_000 }, async (t) => {
  const redis = await startRedis()
  t.after(() => redis.stop())
  const database = await createTestDatabase()
  t.after(() => database.drop())
  const place = await newPlace(t)
  const env = { DATABASE_URL: database.url, REDIS_URL: redis.url, EVENT_NAME: eventName, SERVICE_START_DATE: '2025-03-02' }
  const places = [place, { ...place, port: await ownPort() }]
  const servers = places.map((each) => startProduct(t, each, ['server'], env))
  const worker = startProduct(t, { ...place, port: await ownPort() }, ['worker'], env)
  await Promise.all([...places.map(healthy), worker.says('worker ready')])
  const [one, two] = places.map(({ port }) => new Client(`http://127.0.0.1:${port}`)) as [Client, Client]

  const words = Array.from({ length: 6 }, () =>
    `marker${randomBytes(8).toString('hex')}`.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? ''),
  )
  const [username, post, title, profile, word, message] = words as [string, string, string, string, string, string]
  const james = await login(one, 'james')
  const there = new Client(two.url, james.token)
  await body(one.post('/user/create', { username, password: 'a password' }), 201)
  await body(james.post('/microblog/create', content(post)), 201)
  const { fezID } = await body(
    james.post('/fez/create', { fezType: 'gaming', title, info: 'Some cards', minCapacity: 0, maxCapacity: 0, initialUsers: [] }),
    201,
  )
  await body(james.post(`/fez/${fezID}/post`, content(message)), 201)
  await body(james.post('/user/profile', { about: profile }))
  await body(james.post(`/user/alertwords/add/${word}`))
  // Files with people's data, and the memory of both servers.
  await body(james.post('/user/export'))
  await until(async () => (await body(there.get('/user/export'))).state === 'done', 'the export', patienceMs)
  const paths = ['/microblog', `/fez/${fezID}`, '/fez/joined', '/user/profile', '/user/alertwords']
  const seen = JSON.stringify(await Promise.all([james, there].flatMap((client) => paths.map((path) => body(client.get(path))))))
  assert.deepEqual(
    [post, title, message, profile, word].filter((each) => !seen.includes(each)),
    [],
  )
  const socket = await there.socket('/notification/socket')

  browser = await openBrowser()
  // While the servers are away the page asks for them.
  const host = await visit(browser, one.url, { viewport: { width: 1280, height: 860 }, expected: /Failed to load resource|WebSocket/ })
  const { page } = host
  await signIn(page, 'admin', 'password')
  await page.goto('/admin/event')
  await page.getByRole('heading', { name: eventName }).waitFor()
  await page.getByRole('button', { name: 'After' }).click()
  await page.getByRole('link', { name: 'Look: Remove everything' }).click()
  const button = page.getByRole('button', { name: 'Remove everything' })
  await page.getByLabel('Write the name of the event').fill('The last cruis')
  await page.getByLabel('Your password').fill('password')
  assert.equal(await button.isDisabled(), true)
  await page.getByLabel('Write the name of the event').fill(eventName)
  assert.equal(await page.getByLabel('Registration codes end, too').isChecked(), true)
  await button.click()
  await page.getByText('Everything is being removed').waitFor()
  await socket.closed
  await page.getByLabel('Username').fill('admin', { timeout: 120_000 })
  await Promise.all(places.map(healthy))
  for (const product of [...servers, worker]) {
    await product.says('stopped: a wipe was ordered in the console; starting again')
    assert.doesNotMatch(product.output(), /unexpectedly/)
  }
  await page.getByLabel('Password').fill('password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'The proof' }).waitFor()
  await page.getByText('no word of anybody is in them').waitFor()
  assert.equal(await page.getByText('james').count(), 0)

  const admins = await Promise.all([one, two].map((client) => login(client, 'admin')))
  for (const client of [james, there]) assert.equal((await client.get('/user/whoami')).status, 401)
  for (const admin of admins) {
    const { state, proof } = await body(admin.get('/admin/wipe'))
    assert.equal(state, 'done')
    assert.equal(proof.isClean, true)
    assert.ok(!proof.accounts.includes('james'))
    // Nor does the list that the servers loaded at their first start bring them back.
    assert.equal((await body(admin.get('/admin/regcodes/stats'))).allocatedCodes, 0)
    const asked = [
      '/microblog',
      '/admin/users',
      '/admin/audit',
      '/admin/jobs',
      '/admin/errors',
      '/notification/announcements',
      '/users/match/allnames/marker',
    ]
    const answers = await Promise.all(asked.map(async (path) => JSON.stringify((await admin.get(path)).body)))
    for (const each of words) assert.ok(!answers.some((answer) => answer.includes(each)), each)
    assert.equal((await admin.get(`/fez/${fezID}`)).status, 400)
    const { entries } = await body(admin.get('/admin/audit'))
    assert.deepEqual(
      entries
        .map(({ action, actor }: { action: string; actor: { username: string } }) => [action, actor.username])
        // Who looks has signed in since.
        .filter(([action]: string[]) => action !== 'signIn'),
      [['wipe', 'admin']],
    )
  }
  // Whatever was asked above is not in these.
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
  t.after(() => sql.end())
  for (const { name } of await sql<
    { name: string }[]
  >`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`)
    for (const { line } of await sql<{ line: string }[]>`select row(each)::text as line from ${sql(name)} each`)
      for (const each of words) assert.ok(!line.includes(each), `${each} in ${name}`)
  const stored = new Redis(redis.url)
  for (const key of await stored.keys('*')) {
    const bytes = await stored.dump(key)
    for (const each of words) assert.ok(!key.includes(each) && !String(bytes).includes(each), `${each} in ${key}`)
  }
  stored.disconnect()
  assert.deepEqual(found(place.dataDir, words), [])
  untroubled(host)
  for (const product of [...servers, worker]) assert.equal(await product.stop(), 0)
})

/** Which of the words stand in which files. */
function found(directory: string, words: readonly string[]): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(directory, path)).isFile())
    .flatMap((path) => words.filter((word) => readFileSync(join(directory, path)).includes(word)).map((word) => `${word} in ${path}`))
}
