// Passkeys: made against password and code, used in their place, once for each challenge, and gone when they are removed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PasskeyChallengeData, PasskeyData, PasskeyOptionsData } from '../../src/sdk/client.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { Passkey, type Quirks } from '../support/authenticator.ts'
import type { Answer, Client } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { guard } from '../support/second-factor.ts'

const clock = new LeapingClock()
let nodes: TestNodes
let ann: Person
let bob: Person
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2, { clock })
  ;[ann, bob, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
})
after(() => nodes.stop())

const begin = (client: Client, more: object = {}) =>
  body<PasskeyOptionsData>(client.post('/auth/passkeys/begin', { currentPassword: testPassword, ...more }))
/** Of a refusal. */
const codeOf = async (answer: Promise<Answer>, status: number): Promise<string> => (await body(answer, status)).code
/** Makes one and keeps it. */
async function added(client: Client, passkey = new Passkey(), name = 'A phone'): Promise<{ passkey: Passkey; passkeyID: string }> {
  const options = await begin(client)
  const { passkeyID } = await body<PasskeyData>(
    client.post('/auth/passkeys', { state: options.state, name, credential: passkey.made(options) }),
    201,
  )
  return { passkey, passkeyID }
}
const stranger = (node = 0) => nodes.client(undefined, node)
const challenge = (node = 0) => body<PasskeyChallengeData>(stranger(node).post('/auth/passkeys/challenge'))
const login = async (passkey: Passkey, quirks: Quirks = {}, headers: Record<string, string> = {}) => {
  const asked = await challenge(0)
  return stranger(1).post('/auth/passkeys/login', { state: asked.state, credential: passkey.signed(asked.challenge, quirks) }, { headers })
}
const isWrong = async (answer: ReturnType<typeof login>) => assert.equal(await codeOf(answer, 400), 'passkey_wrong')

test('an app and a browser are signed in with it alone, on any server, and its use is noted', async () => {
  const { passkey, passkeyID } = await added(ann.one)
  const [kept] = (await body(ann.two.get('/auth/passkeys'))).passkeys
  assert.deepEqual([kept.passkeyID, kept.name, kept.host, kept.lastUsedAt], [passkeyID, 'A phone', 'ship.example', undefined])
  clock.leap(60_000)
  const { userID, token } = await body(login(passkey))
  assert.equal(userID, ann.id)
  assert.equal((await body(nodes.client(token).get('/user/whoami'))).username, ann.username)
  const [used] = (await body(ann.one.get('/auth/passkeys'))).passkeys
  assert.equal(Date.parse(used.lastUsedAt) - Date.parse(used.createdAt) >= 60_000, true)
  const answer = await login(passkey, {}, { 'X-Session': 'cookie', Origin: nodes.urls[1] as string })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(answer.body.token, undefined)
  assert.match(String(answer.headers['set-cookie']), /HttpOnly/)
})

test('the second factor is asked for when it is made, and not when it is used', async () => {
  const { codes } = await guard(bob.one, clock)
  const token = (await body(stranger().post('/auth/login', undefined, { basic: [bob.username, testPassword + codes[0]] }))).token
  const mine = nodes.client(token)
  assert.equal(await codeOf(mine.post('/auth/passkeys/begin', { currentPassword: testPassword }), 400), 'second_factor_needed')
  assert.equal(await codeOf(mine.post('/auth/passkeys/begin', { currentPassword: 'wrong', code: codes[1] }), 400), 'password_wrong')
  const options = await begin(mine, { code: codes[1] })
  const passkey = new Passkey()
  await body(mine.post('/auth/passkeys', { state: options.state, name: 'A key', credential: passkey.made(options) }), 201)
  assert.equal((await body(login(passkey))).userID, bob.id)
})

test('what it has signed counts once, for a short while, and for nothing else', async () => {
  const { passkey } = await added(ann.one)
  const asked = await challenge()
  const credential = passkey.signed(asked.challenge)
  await body(stranger(0).post('/auth/passkeys/login', { state: asked.state, credential }))
  await isWrong(stranger(1).post('/auth/passkeys/login', { state: asked.state, credential: passkey.signed(asked.challenge) }))
  const late = await challenge()
  clock.leap(5 * 60_000 + 1)
  await isWrong(stranger().post('/auth/passkeys/login', { state: late.state, credential: passkey.signed(late.challenge) }))
  const other = await challenge()
  await isWrong(stranger().post('/auth/passkeys/login', { state: other.state, credential: passkey.signed((await challenge()).challenge) }))
  const options = await begin(ann.one)
  await isWrong(stranger().post('/auth/passkeys/login', { state: options.state, credential: passkey.signed(options.challenge) }))
  await isWrong(stranger().post('/auth/passkeys/login', { state: 'made up', credential: passkey.signed('made up') }))
})

test('a page elsewhere, a device that did not ask who holds it, a copy, and the key of somebody else are refused', async () => {
  const { passkey } = await added(ann.one)
  await body(login(passkey, { counter: 7 }))
  await isWrong(login(passkey, { counter: 7 }))
  await isWrong(login(passkey, { counter: 3 }))
  await isWrong(login(passkey, { origin: 'https://evil.example', counter: 20 }))
  await isWrong(login(passkey, { origin: 'http://ship.example', counter: 21 }))
  await isWrong(login(passkey, { unverified: true, counter: 22 }))
  const bobs = Buffer.from(bob.id.replaceAll('-', ''), 'hex').toString('base64url')
  await isWrong(login(passkey, { userHandle: bobs, counter: 23 }))
  await isWrong(login(new Passkey()))
  const thief = new Passkey()
  const asked = await challenge()
  const credential = { ...thief.signed(asked.challenge), id: passkey.id }
  await isWrong(stranger().post('/auth/passkeys/login', { state: asked.state, credential }))
  await body(login(passkey, { counter: 24 }))
})

test('devices that do not count may sign again and again', async () => {
  const { passkey } = await added(ann.one)
  for (let turn = 0; turn < 2; turn++) await body(login(passkey, { counter: 0 }))
})

test('one is made for the account that asked, on a page that is safe, by a device that asks who holds it, and once', async () => {
  const add = (client: Client, options: PasskeyOptionsData, credential: object) =>
    client.post('/auth/passkeys', { state: options.state, name: 'A phone', credential })
  const wrong = async (answer: ReturnType<typeof add>) => assert.equal(await codeOf(answer, 400), 'passkey_wrong')
  const passkey = new Passkey()
  const theirs = await begin(moderator.one)
  await wrong(add(ann.one, theirs, passkey.made(theirs)))
  for (const quirks of [{ unverified: true }, { origin: 'http://ship.example' }, { origin: 'https://evil.example' }]) {
    const options = await begin(ann.one)
    await wrong(add(ann.one, options, passkey.made(options, quirks)))
  }
  const options = await begin(ann.one)
  await wrong(add(ann.one, options, { ...passkey.made(options), id: new Passkey().id }))
  const good = await begin(ann.one)
  await body(add(ann.one, good, passkey.made(good)), 201)
  await wrong(add(ann.one, good, new Passkey().made(good)))
  const twice = await begin(moderator.one)
  assert.ok(!twice.known.includes(passkey.id))
  assert.equal(await codeOf(add(moderator.one, twice, passkey.made(twice)), 409), 'passkey_known')
  assert.ok((await begin(ann.one)).known.includes(passkey.id))
})

test('a removed one signs nobody in, and the trail says so', async () => {
  const { passkey, passkeyID } = await added(moderator.one)
  const asked = await challenge()
  await body(moderator.two.delete(`/auth/passkeys/${passkeyID}`), 204)
  await isWrong(stranger(1).post('/auth/passkeys/login', { state: asked.state, credential: passkey.signed(asked.challenge) }))
  const trail = await nodes.sql<{ action: string }[]>`
    select action from audit where actor_id = ${moderator.id} and action like '%Passkey' order by id`
  assert.deepEqual(
    trail.map(({ action }) => action),
    ['addPasskey', 'removePasskey'],
  )
  const { passkey: another } = await added(moderator.one)
  await body(login(another))
  const [signIn] = await nodes.sql<{ details: { with: string } }[]>`
    select details from audit where actor_id = ${moderator.id} and action = 'signIn' order by id desc limit 1`
  assert.equal(signIn?.details.with, 'passkey')
})

test('the team sees those of others, and a host takes one away: of members of the team an admin alone', async () => {
  const [team, tho, admin, ship] = (await people(nodes, { level: 'serviceteam' }, { level: 'tho' }, { level: 'admin' }, {})) as Person[]
  const { passkey, passkeyID } = await added(ship!.one, new Passkey(), 'Lost in the pool')
  const ofTeam = await added(moderator.one)
  const { passkeys } = await body(team!.two.get(`/admin/users/${ship!.username}/passkeys`))
  assert.deepEqual(passkeys, (await body(ship!.one.get('/auth/passkeys'))).passkeys)
  await refused(team!.one.delete(`/admin/passkeys/${passkeyID}`), 403)
  assert.equal(await codeOf(tho!.one.delete(`/admin/passkeys/${ofTeam.passkeyID}`), 403), 'level_too_low')
  await body(login(passkey))
  await body(tho!.two.delete(`/admin/passkeys/${passkeyID}`), 204)
  await refused(tho!.one.delete(`/admin/passkeys/${passkeyID}`), 400)
  await isWrong(login(passkey))
  await body(login(ofTeam.passkey))
  await body(admin!.one.delete(`/admin/passkeys/${ofTeam.passkeyID}`), 204)
  await isWrong(login(ofTeam.passkey))
  const trail = await nodes.sql`select actor_id, user_id from audit where action = 'removePasskey' order by id desc limit 2`
  assert.deepEqual(
    trail.map(({ actorId, userId }) => [actorId, userId]),
    [
      [admin!.id, moderator.id],
      [tho!.id, ship!.id],
    ],
  )
})

test('twenty are enough, also when two are added at once', async () => {
  const [many] = (await people(nodes, {})) as [Person]
  for (let count = 0; count < 19; count++) await added(many.one)
  const orders = [await begin(many.one), await begin(many.two)]
  const lock = await hold(nodes.database.url, 'lock table passkey in share row exclusive mode')
  const adding = Promise.all(
    orders.map((options, node) =>
      many.clients[node]!.post('/auth/passkeys', { state: options.state, name: 'A phone', credential: new Passkey().made(options) }),
    ),
  )
  await lock.awaited(2)
  await lock.release()
  const answers = await adding
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400])
  const code = await codeOf(many.one.post('/auth/passkeys/begin', { currentPassword: testPassword }), 400)
  assert.equal(code, 'too_many_passkeys')
})

test('one signature of a device that counts signs in once, also for two challenges at once', async () => {
  const { passkey } = await added(ann.one)
  const [one, other] = [await challenge(), await challenge()]
  const lock = await hold(nodes.database.url, 'lock table passkey in share row exclusive mode')
  const answers = Promise.all(
    [one, other].map(({ state, challenge: asked }, node) =>
      stranger(node).post('/auth/passkeys/login', { state, credential: passkey.signed(asked, { counter: 5 }) }),
    ),
  )
  await lock.awaited(2)
  await lock.release()
  assert.deepEqual((await answers).map(({ status }) => status).toSorted(), [200, 400])
})

test('who is banned is not signed in, and programs add none', async () => {
  const [banned] = (await people(nodes, {})) as [Person]
  const { passkey, passkeyID } = await added(banned.one)
  const { token } = await body(banned.one.post('/auth/tokens', { name: 'Program', scope: 'all', days: 1 }), 201)
  const program = nodes.client(token)
  await refused(program.post('/auth/passkeys/begin', { currentPassword: testPassword }), 403)
  const options = await begin(banned.one)
  await refused(program.post('/auth/passkeys', { state: options.state, name: 'A phone', credential: new Passkey().made(options) }), 403)
  await refused(program.delete(`/auth/passkeys/${passkeyID}`), 403)
  await nodes.sql`update account set level = 'banned' where id = ${banned.id}`
  assert.equal(await codeOf(login(passkey), 403), 'banned')
})
