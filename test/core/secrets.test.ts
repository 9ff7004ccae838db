// A copy of the database gives nobody access: everything in it is read as text and searched for
// whatever users have typed or been given in secret.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { tokenSecretFor } from '../../src/auth/secret.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { createDb } from '../../src/core/db/db.ts'
import { startTestNodes, testTokenSecret, type TestNodes } from '../support/app.ts'
import { createEmptyDatabase } from '../support/db.ts'
import { body } from '../support/fez.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1)
})
after(() => nodes.stop())

/** Every row of every table. */
async function dump(): Promise<string> {
  const tables = await nodes.sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
  assert.ok(tables.length > 10)
  const texts = await Promise.all(
    tables.map(
      async ({ name }) =>
        (await nodes.sql<{ text: string | null }[]>`select string_agg(each::text, E'\n') as text from ${nodes.sql(name)} as each`)[0]
          ?.text ?? '',
    ),
  )
  return texts.join('\n')
}

/** A secret in the forms in which it could be stored, and digests that are fast enough for guessing it. */
function formsOf(secret: string): string[] {
  const bytes = [Buffer.from(secret), Buffer.from(secret.toLowerCase().replaceAll(' ', '')), Buffer.from(secret, 'base64')].filter(
    ({ length }) => length >= 6,
  )
  const digests = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) =>
    bytes.slice(0, 2).map((each) => createHash(name).update(each).digest()),
  )
  return [
    secret,
    ...bytes.slice(0, 2).map(String),
    ...[...bytes, ...digests].flatMap((each) => [each.toString('hex'), each.toString('base64'), each.toString('base64url')]),
  ]
}

it('a dump of the database holds no password, no token and no recovery key', async () => {
  const names = ['dump-one', 'dump-two', 'dump-three']
  const passwords = ['first secret', 'second secret', 'third secret', 'sub account secret', 'wrong secret', 'wrong recovery key']
  const [first = '', second = '', third = '', ofSub = '', wrong = '', wrongKey = ''] = passwords
  const client = nodes.client()
  const recoveryKeys = []
  for (const username of names.slice(0, 2))
    recoveryKeys.push((await body(client.post('/user/create', { username, password: first, verification: '' }), 201)).recoveryKey as string)
  const basic: [string, string] = ['dump-one', first]
  await body(client.post('/user/profile', { displayName: 'Dump' }, { basic }))
  const { token } = await body(client.post('/auth/login', undefined, { basic }))
  const me = nodes.client(token)
  await nodes.sql`update account set level = 'verified' where username = 'dump-two'`
  const { token: other } = await body(client.post('/auth/login', undefined, { basic: ['dump-two', first] }))
  const add = { username: 'dump-three', password: ofSub }
  await body(nodes.client(other).post('/user/add', add, { headers: { 'idempotency-key': 'the-key-of-this-request' } }), 201)
  await body(me.post('/user/password', { currentPassword: first, newPassword: second }), 201)
  await body(me.post('/user/password', { currentPassword: wrong, newPassword: second }), 400)
  await body(client.post('/auth/login', undefined, { basic: ['dump-one', wrong] }), 401)
  await body(client.post('/auth/recovery', { username: 'dump-one', recoveryKey: wrongKey, newPassword: third }), 400)
  const recovered = await body(client.post('/auth/recovery', { username: 'dump-one', recoveryKey: recoveryKeys[0], newPassword: third }))
  assert.equal(recovered.token, token)
  const newKey = { headers: { 'idempotency-key': 'the-key-of-the-new-key' } }
  recoveryKeys.push((await body(me.post('/user/recoverykey', { currentPassword: third }, newKey), 201)).recoveryKey as string)
  await body(me.post('/auth/logout'), 204)
  const { token: newToken } = await body(client.post('/auth/login', undefined, { basic: ['dump-one', third] }))

  const text = (await dump()).toLowerCase()
  assert.ok(
    names.every((name) => text.includes(name)),
    'the dump is one',
  )
  const requests = [JSON.stringify(add)].flatMap((request) => formsOf(request))
  for (const secret of [...passwords, token, other, newToken, ...recoveryKeys, testTokenSecret]) {
    const found = formsOf(secret).filter((form) => text.includes(form.toLowerCase()) && !isDigestOfToken(secret, form))
    assert.deepEqual(found, [], `of ${secret}`)
  }
  assert.deepEqual(
    requests.filter((form) => text.includes(form.toLowerCase())),
    [],
  )

  /** 128 random bits cannot be guessed: their digest is what tokens are looked up by. */
  function isDigestOfToken(secret: string, form: string): boolean {
    return [token, other, newToken].includes(secret) && form === createHash('sha256').update(secret).digest('hex')
  }
})

it('what a dump holds instead of a token opens nothing', async () => {
  const { token } = await body(nodes.client().post('/auth/login', undefined, { basic: ['james', 'password'] }))
  const [row] = await nodes.sql<
    { tokenNonce: Buffer; tokenDigest: Buffer; passwordHash: string }[]
  >`select token_nonce, token_digest, password_hash from account where username = 'james'`
  assert.ok(row)
  const stored = [row.tokenNonce, row.tokenDigest].flatMap((bytes) => [
    bytes.toString('base64'),
    bytes.toString('hex'),
    bytes.subarray(0, 16).toString('base64'),
    bytes.toString('latin1').replace(/[^\x21-\x7e]/g, 'x'),
  ])
  for (const guess of [...stored, row.passwordHash]) await body(nodes.client(guess).get('/user/whoami'), 401)
  await body(nodes.client().get('/user/whoami', { basic: ['james', row.passwordHash] }), 401)
  await body(nodes.client(token).get('/user/whoami'))
})

it('a secret that is made is never seen half, and all that start at the same time have the same', async (t) => {
  const database = await createEmptyDatabase()
  const db = createDb({ url: database.url })
  const directory = await mkdtemp(join(tmpdir(), 'quarterdeck-secret-'))
  t.after(async () => {
    await db.close()
    await Promise.all([database.drop(), rm(directory, { recursive: true })])
  })
  await db.sql`create table setting (name text primary key, value jsonb)`
  for (let round = 0; round < 20; round++) {
    const config = { ...readConfig([]), tokenSecret: '', dataDir: join(directory, String(round)) }
    const path = join(config.dataDir, 'token-secret')
    const started = Promise.all(Array.from({ length: 4 }, () => tokenSecretFor(config, db.sql)))
    while ((await Promise.race([started, nextTurn('making it')])) === 'making it') {
      if (existsSync(path)) assert.equal(readFileSync(path, 'utf8').length, 43)
    }
    const secrets = await started
    assert.deepEqual(new Set(secrets), new Set([readFileSync(path, 'utf8')]))
    assert.deepEqual(readdirSync(config.dataDir), ['token-secret'])
    await db.sql`delete from setting`
  }
})
