// What becomes of statements when a connection to Postgres does not come about.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createDb } from '../src/core/db/db.ts'
import { translateDbError } from '../src/core/db/errors.ts'
import { AppError } from '../src/core/errors.ts'

/** Something that takes connections and ends them, as a proxy does whose server is away; counts them. */
async function emptyProxy(t: TestContext): Promise<{ url: string; taken: () => number }> {
  let taken = 0
  const server = createServer((socket) => {
    taken++
    socket.on('error', () => undefined)
    // Once it has read what the client says, so that the end is an orderly one.
    socket.once('data', () => socket.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { url: `postgres://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/nothing`, taken: () => taken }
}

test('a proxy that has no server: every statement fails, with 503, and none is tried for ever', { timeout: 20_000 }, async (t) => {
  const proxy = await emptyProxy(t)
  const db = createDb({ url: proxy.url, readers: 2, writers: 1 })
  t.after(() => db.close())
  const refused = async (work: () => Promise<unknown>) => {
    const refusal = translateDbError(await work().catch((error: unknown) => error))
    assert.ok(refusal instanceof AppError, String(refusal))
    assert.equal(refusal.status, 503)
  }
  for (let time = 0; time < 3; time++) {
    // Two that wait for one connection, of which it takes only the first with it.
    await Promise.all([0, 1, 2, 3].map(() => refused(async () => await db.sql`select 1`)))
    await refused(async () => await db.sql`select 1`)
    await refused(() => db.transaction(async (sql) => await sql`select 1`))
  }
  assert.ok(proxy.taken() <= 18, `${proxy.taken()} connections`)
})
