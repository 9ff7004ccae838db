// The log at the level of production: who signed in, who was refused, from where; never a secret, never without end.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { AccessLog } from '../../src/core/base/access-log.ts'
import type { Log } from '../../src/core/base/log.ts'
import { testPassword, testRecoveryKey } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Refused } from '../support/client.ts'
import { people, type Person } from '../support/fez.ts'
import { FakeClock } from '../support/fake-clock.ts'

type Line = Record<string, unknown>

const written: string[] = []
/** As production logs, into memory. */
const logInto = (lines: string[]): Log =>
  pino({ level: 'notice', customLevels: { notice: 35 }, base: {} }, { write: (line) => void lines.push(line) }) as unknown as Log
/** What these tests send and no line may hold, nor a token or a cookie. */
const secrets = [
  ...[testPassword, testRecoveryKey, 'a wrong password', 'a password after it', 'three wrong words', 'a token that is wrong'],
  ...['typed-by-mistake', 'quarterdeck='],
]
const linesOf = (requestId: string): Line[] =>
  written.map((line) => JSON.parse(line) as Line).filter((line) => line['requestId'] === requestId)

let nodes: TestNodes
let user: Person
let admin: Person
let team: Person
before(async () => {
  nodes = await startTestNodes(2, { log: logInto(written) })
  ;[user, admin, team] = (await people(nodes, {}, { level: 'admin' }, { level: 'serviceteam' })) as [Person, Person, Person]
})
after(() => nodes.stop())

let requests = 0
/** The only line that a request leaves, without its time and level; there is no secret in it. */
async function lineOf(call: (headers: Record<string, string>) => Promise<Answer>, status: number): Promise<Line> {
  const requestId = `access-${++requests}`
  const answer = await call({ 'x-request-id': requestId })
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  const lines = linesOf(requestId)
  assert.equal(lines.length, 1, JSON.stringify(lines))
  const text = JSON.stringify(lines[0])
  for (const secret of [...secrets, user.token, admin.token, team.token]) assert.ok(!text.includes(secret), secret)
  const { level, time, ...line } = lines[0] as Line
  assert.deepEqual([level, typeof time], [35, 'number'])
  return line
}
const requestId = () => `access-${requests}`
const address = '127.0.0.1'
const accountOf = ({ id, username }: Person) => ({ accountID: id, username })

describe('a refusal', () => {
  const refusal = (method: string, path: string, status: number, code: string, of?: Person) => ({
    requestId: requestId(),
    method,
    path: `/api/v3${path}`,
    status,
    code,
    ...(of ? accountOf(of) : {}),
    address,
    msg: 'access refused',
  })
  const login = (name: string, password: string) => (headers: Record<string, string>) =>
    nodes.client().post('/auth/login', undefined, { basic: [name, password], headers })

  it('of a wrong password names the account and the address; a name that nobody has is left out: it may be a password', async () => {
    assert.deepEqual(
      await lineOf(login(user.username.toUpperCase(), 'a wrong password'), 401),
      refusal('POST', '/auth/login', 401, 'credentials_wrong', user),
    )
    assert.deepEqual(await lineOf(login('typed-by-mistake', 'x'), 401), refusal('POST', '/auth/login', 401, 'credentials_wrong'))
  })

  it('of a token that nobody has, and of no token', async () => {
    for (const token of ['a token that is wrong', undefined])
      assert.deepEqual(
        await lineOf((headers) => nodes.client(token, 1).get('/user/notes', { headers }), 401),
        refusal('GET', '/user/notes', 401, 'unauthenticated'),
      )
  })

  it('of a right that the caller does not have, and of a thing that is not theirs', async () => {
    assert.deepEqual(
      await lineOf((headers) => user.two.get(`/mod/user/${admin.id}`, { headers }), 403),
      refusal('GET', '/mod/user/:user_id', 403, 'level_too_low', user),
    )
    assert.deepEqual(
      await lineOf((headers) => team.one.post(`/user/${admin.id}/profile`, { about: 'About them' }, { headers }), 403),
      refusal('POST', '/user/:user_id/profile', 403, 'not_owner', team),
    )
  })

  it('of a page and of a socket', async () => {
    const ask = (headers: Record<string, string>) =>
      nodes.client().post('//login', `username=${user.username}&password=wrong`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      })
    const { path, ...line } = refusal('POST', '', 401, 'credentials_wrong', user)
    assert.deepEqual(await lineOf(ask, 401), { ...line, path: '/login', requestId: requestId() }, path)
    const refusedSocket = await lineOf(async (headers) => {
      const error = (await nodes
        .client('no token')
        .socket('/notification/socket', headers)
        .catch((reason: unknown) => reason)) as Refused
      return { status: error.status, headers: {}, body: error.body }
    }, 401)
    assert.deepEqual(refusedSocket, refusal('GET', '/notification/socket', 401, 'unauthenticated'))
  })

  it('of a recovery, and of a password that has to be shown again', async () => {
    const recover = (recoveryKey: string) => (headers: Record<string, string>) =>
      nodes.client().post('/auth/recovery', { username: user.username, recoveryKey, newPassword: 'another password' }, { headers })
    assert.deepEqual(await lineOf(recover('three wrong words'), 400), refusal('POST', '/auth/recovery', 400, 'recovery_failed', user))
    assert.deepEqual(
      await lineOf((headers) => admin.one.post('/admin/wipe', { eventName: 'x', currentPassword: 'a wrong password' }, { headers }), 400),
      refusal('POST', '/admin/wipe', 400, 'password_wrong', admin),
    )
    assert.deepEqual(
      await lineOf(
        (headers) => user.two.post('/user/password', { currentPassword: 'a wrong password', newPassword: 'another one' }, { headers }),
        400,
      ),
      refusal('POST', '/user/password', 400, 'password_wrong', user),
    )
  })

  it('of nothing else', async () => {
    for (const [call, status] of [
      [(headers: Record<string, string>) => user.one.get('/user/whoami', { headers }), 200],
      [(headers: Record<string, string>) => user.one.get('/users/x/profile', { headers }), 400],
      [(headers: Record<string, string>) => user.one.get('/nothing', { headers }), 404],
    ] as const) {
      const id = `access-${++requests}`
      assert.equal((await call({ 'x-request-id': id })).status, status)
      assert.deepEqual(linesOf(id), [])
    }
  })
})

describe('a sign-in', () => {
  it('of an app, a browser, a web view and by a recovery leaves a line with account and address', async () => {
    const line = () => ({ requestId: requestId(), ...accountOf(user), address, msg: 'signed in' })
    const basic: [string, string] = [user.username, testPassword]
    assert.deepEqual(await lineOf((headers) => nodes.client().post('/auth/login', undefined, { basic, headers }), 200), line())
    const page = { origin: nodes.urls[1] as string, 'x-session': 'cookie' }
    assert.deepEqual(
      await lineOf(
        (headers) => nodes.client(undefined, 1).post('/auth/login', undefined, { basic, headers: { ...page, ...headers } }),
        200,
      ),
      line(),
    )
    const form = new URLSearchParams({ username: user.username, password: testPassword }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.deepEqual(await lineOf((headers) => nodes.client().post('//login', form, { headers: { ...type, ...headers } }), 303), line())
    const content = { username: user.username, recoveryKey: testRecoveryKey, newPassword: 'a password after it' }
    assert.deepEqual(await lineOf((headers) => nodes.client().post('/auth/recovery', content, { headers }), 200), line())
  })
})

describe('a flood', () => {
  let lines: string[]
  let clock: FakeClock
  let log: AccessLog
  beforeEach(() => {
    lines = []
    clock = new FakeClock()
    log = new AccessLog(logInto(lines), clock)
  })
  const refuse = (more: { accountID?: string; address?: string }) => log.note('refused', { requestId: 'x', address, ...more })

  it('of refusals at one account or from one address fills no disk, hides no other, and is counted', () => {
    for (let time = 0; time < 10_000; time++) {
      refuse({ accountID: 'a' })
      refuse({})
    }
    assert.equal(lines.length, 40)
    refuse({ accountID: 'b' })
    refuse({ address: '10.0.0.1' })
    assert.equal(lines.length, 42)
    clock.advance(60_000)
    assert.equal(lines.length, 43)
    assert.deepEqual((JSON.parse(lines.at(-1) as string) as Line)['left'], 20_000 - 40)
    refuse({ accountID: 'a' })
    assert.equal(lines.length, 44)
  })

  it('from everywhere leaves a few hundred lines a minute, and those of sign-ins as before', () => {
    for (let time = 0; time < 5000; time++) refuse({ address: `10.0.${time >> 8}.${time & 255}` })
    assert.equal(lines.length, 300)
    log.note('signedIn', { requestId: 'x', accountID: 'a', username: 'a', address })
    assert.equal(lines.length, 301)
    clock.advance(60_000)
    assert.equal(lines.length, 302)
    clock.advance(600_000)
    assert.equal(lines.length, 302)
  })
})
