// A host who lets only verified people read: what closes to people without a code, what stays open, and how it is said. Two nodes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import { expectations } from '../access-table.ts'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { Refused } from '../support/client.ts'
import { body, people, type Person } from '../support/fez.ts'
import { onlySettings } from '../support/settings.ts'

let nodes: TestNodes
let admin: Person
before(async () => {
  nodes = await startTestNodes(2, { env: { WRITES_PER_MINUTE: '0' } })
  ;[admin] = (await people(nodes, { level: 'admin' })) as [Person]
})
after(() => nodes.stop())
afterEach(() => onlySettings(nodes))

const someone = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const close = (verifiedReading = true) =>
  body(admin.one.post('/admin/serversettings/update', { verifiedReading, enableFeatures: [], disableFeatures: [] }))

/** Of those that need an account and no level: all others close. */
const open = new Set(
  `
POST /auth/login
POST /auth/logout
POST /auth/logout/everywhere
GET /auth/secondfactor
POST /auth/secondfactor
POST /auth/secondfactor/confirm
POST /auth/secondfactor/codes
POST /auth/secondfactor/remove
GET /auth/sessions
GET /auth/tokens
DELETE /auth/tokens/:token_id
DELETE /auth/sessions/:session_id
POST /boardgames/:boardgame_id/favorite
POST /boardgames/:boardgame_id/favorite/remove
DELETE /boardgames/:boardgame_id/favorite
POST /client/clock
GET /client/start
GET /events/favorites
POST /events/:event_id/favorite
POST /events/:event_id/favorite/remove
DELETE /events/:event_id/favorite
POST /events/:event_id/needsphotographer
POST /events/:event_id/needsphotographer/remove
DELETE /events/:event_id/needsphotographer
POST /events/:event_id/photographer
POST /events/:event_id/photographer/remove
DELETE /events/:event_id/photographer
GET /feedback/eventlist
GET /feedback/id/:event_id
GET /feedback/uid/:event_uid
POST /hunts/puzzles/:puzzle_id/callin
GET /karaoke/userIsManager
GET /karaoke/userismanager
POST /karaoke/userIsManager
POST /karaoke/userismanager
POST /karaoke/:song_id/favorite
POST /karaoke/:song_id/favorite/remove
DELETE /karaoke/:song_id/favorite
POST /karaoke/:song_id/logperformance
GET /performer/self
GET /auth/passkeys
POST /auth/passkeys/begin
POST /auth/passkeys
DELETE /auth/passkeys/:passkey_id
POST /oidc/connect
GET /oidc/identities
DELETE /oidc/identities/:identity_id
GET /notification/push
POST /notification/push
DELETE /notification/push
POST /performer/forevent/:event_id
DELETE /performer/forevent/:event_id
POST /performer/self/delete
DELETE /performer/self
GET /user/export
POST /user/export
GET /user/export/file
GET /user/deletion
POST /user/delete
GET /user/whoami
POST /user/verify
POST /user/password
POST /user/username
GET /user/profile
POST /user/profile
POST /user/recoverykey
POST /user/image
POST /user/image/remove
DELETE /user/calendar
DELETE /user/image
GET /user/alertwords
POST /user/alertwords/add/:alert_word
POST /user/alertwords/remove/:alert_word
GET /user/mutewords
POST /user/mutewords/add/:mute_word
POST /user/mutewords/remove/:mute_word
`
    .split('\n')
    .filter((line) => line !== ''),
)
const ofAccounts = expectations.filter(({ who }) => ['token', 'either', 'basic'].includes(who))

describe('reading for verified people only', () => {
  it('is off unless the host wants it, and refuses with a sentence that says what to do', async () => {
    const newcomer = await someone({ level: 'unverified' })
    for (const { two } of [newcomer, await someone()]) await body(two.get('/microblog'))
    await close()
    for (const client of newcomer.clients) {
      const refusal = await body(client.get('/microblog'), 403)
      assert.equal(refusal.code, 'verification_needed')
      assert.match(refusal.reason, /entered their registration code.*Enter yours/)
    }
    for (const options of [{}, { level: 'quarantined' }, { level: 'moderator' }]) await body((await someone(options)).two.get('/microblog'))
    await close(false)
    await body(newcomer.two.get('/microblog'))
  })

  it('closes every route of accounts but those of this list', async () => {
    await close()
    const found: string[] = []
    for (const { method, path } of ofAccounts.filter(({ method }) => method !== 'WS')) {
      // Some of the open ones end accounts.
      const { one, username } = await someone({ level: 'unverified' })
      const address = path.replaceAll(/:\w+/g, randomUUID())
      const answer = await one.request<{ code?: string } | undefined>(method, address, {
        ...(method === 'GET' ? {} : { body: {} }),
        ...(path === '/auth/login' ? { basic: [username, testPassword] as const } : {}),
      })
      if (answer.body?.code !== 'verification_needed') found.push(`${method} ${path}`)
      else assert.equal(answer.status, 403)
    }
    assert.deepEqual(found.toSorted(), [...open].toSorted())
  })

  it('leaves to everybody what can be read without an account, and announcements', async () => {
    await close()
    const newcomer = await someone({ level: 'unverified' })
    for (const client of [newcomer.one, newcomer.two, nodes.client()])
      for (const path of ['/notification/announcements', '/notification/user', '/events', '/client/settings', '/performer/official'])
        await body(client.get(path))
    const start = await body(newcomer.two.get('/client/start'))
    assert.ok(start)
  })

  it('refuses and ends their sockets on every node, and opens all with the code', async () => {
    const code = randomUUID().replaceAll('-', '').slice(0, 6)
    await nodes.sql`insert into registration_code (code) values (${code})`
    const newcomer = await someone({ level: 'unverified' })
    const verified = await someone()
    const sockets = await Promise.all(newcomer.clients.map((client) => client.socket('/notification/socket')))
    const other = await verified.two.socket('/notification/socket')
    await close()
    for (const socket of sockets) assert.equal(await socket.closed(), 1001)
    await assert.rejects(newcomer.two.socket('/notification/socket'), (error) => error instanceof Refused && error.status === 403)
    await body(newcomer.one.post('/user/verify', { verification: code }))
    for (const client of newcomer.clients) {
      await body(client.get('/forum/recent'))
      await client.socket('/notification/socket').then((socket) => socket.terminate())
    }
    await other.flushed()
    other.terminate()
  })
})
