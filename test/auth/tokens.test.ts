// Tokens of one's own, for programs: what they may do, how they end, and what they cannot make.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { refusedSocket, type Client } from '../support/client.ts'
import { body, createSeamail, people, refused, say, type Person } from '../support/fez.ts'
import { write } from '../support/microblog.ts'

const dayMs = 24 * 60 * 60_000
const clock = new LeapingClock()
let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { clock })
})
after(() => nodes.stop())

interface Made {
  token: string
  tokenID: string
  name: string
  scope: string
  expiresAt: string
}
const make = (client: Client, more: object = {}) =>
  body<Made>(client.post('/auth/tokens', { name: 'a bot', scope: 'all', days: 7, ...more }), 201)
const program = (token: string, node: number) => nodes.client(token, node)
const namesOf = async (client: Client) => (await body(client.get('/auth/tokens'))).tokens.map(({ name }: Made) => name)

describe('a token for a program', () => {
  it('is its owner on every node, until it is removed, with its sockets', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const made = await make(owner.one)
    assert.match(made.token, /^qd_[\w-]{43}$/)
    assert.equal(Date.parse(made.expiresAt) - clock.now() <= 7 * dayMs, true)
    for (const node of [0, 1]) assert.equal((await body(program(made.token, node).get('/user/whoami'))).userID, owner.id)
    await write(program(made.token, 1), 'by a program')
    const socket = await program(made.token, 1).socket('/notification/socket')
    assert.equal((await owner.two.delete(`/auth/tokens/${made.tokenID}`)).status, 204)
    assert.equal(await socket.closed(), 1001)
    for (const node of [0, 1]) await refused(program(made.token, node).get('/user/whoami'), 401)
    await refused(owner.one.delete(`/auth/tokens/${made.tokenID}`), 400)
    await body(owner.one.get('/user/whoami'))
  })

  it('is listed without itself, for its owner alone, and is no browser', async () => {
    const [owner, stranger] = (await people(nodes, {}, {})) as [Person, Person]
    const made = await make(owner.one, { name: 'wall display', scope: 'read', days: 30 })
    await make(owner.two, { name: 'second' })
    const { tokens } = await body(owner.two.get('/auth/tokens'))
    assert.deepEqual(
      tokens.map(({ name, scope }: Made) => [name, scope]),
      [
        ['second', 'all'],
        ['wall display', 'read'],
      ],
    )
    assert.ok(!JSON.stringify(tokens).includes(made.token))
    assert.deepEqual(await namesOf(stranger.one), [])
    await refused(stranger.one.delete(`/auth/tokens/${made.tokenID}`), 400)
    assert.deepEqual((await body(owner.one.get('/auth/sessions'))).sessions, [])
    const [row] = await nodes.sql<{ cookieDigest: Buffer }[]>`select cookie_digest from browser_session where id = ${made.tokenID}`
    assert.ok(!JSON.stringify(row).includes(made.token))
  })

  it('that only reads changes nothing', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const { token } = await make(owner.one, { scope: 'read' })
    for (const node of [0, 1]) {
      await body(program(token, node).get('/microblog'))
      assert.match(await refused(program(token, node).post('/microblog/create', { text: 'no', images: [] }), 403), /may only read/)
      await refused(program(token, node).delete('/user/image'), 403)
      assert.equal(await refusedSocket(program(token, node).socket('/notification/socket')), 403)
    }
    assert.equal((await nodes.sql`select from microblog_post where author_id = ${owner.id}`).length, 0)
  })

  it('for everything reads as an app does, with what reading changes; one that only reads leaves all as new as it was', async () => {
    const [owner, friend, admin] = (await people(nodes, {}, {}, { level: 'admin' })) as [Person, Person, Person]
    const fezID = await createSeamail(friend.one, [owner])
    await say(friend.one, fezID, 'roll a die')
    const [reads, all] = await Promise.all([make(owner.one, { scope: 'read' }), make(owner.one)])
    const unread = async (token: string, node: number) => {
      await body(program(token, node).get(`/fez/${fezID}`))
      const { members } = await body(owner.one.get(`/fez/${fezID}?peek=true`))
      return members.postCount - members.readCount
    }
    assert.equal(await unread(reads.token, 0), 1)
    assert.equal(await unread(reads.token, 1), 1)
    assert.equal(await unread(all.token, 1), 0)
    // A look that the audit trail notes is one, too.
    const [adminReads, adminAll] = await Promise.all([make(admin.one, { scope: 'read' }), make(admin.one)])
    await body(program(adminAll.token, 0).get('/admin/regcodes/unused'))
    await refused(program(adminReads.token, 0).get('/admin/regcodes/unused'), 404)
  })

  it('makes no other', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const { token } = await make(owner.one)
    assert.match(
      await refused(program(token, 0).post('/auth/tokens', { name: 'more', scope: 'all', days: 366 }), 403),
      /cannot make a token/,
    )
    assert.deepEqual(await namesOf(owner.one), ['a bot'])
  })

  it('ends at its end, which no use moves, and not with the sessions of browsers', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const { token: short } = await make(owner.one, { days: 2 })
    const { token: long } = await make(owner.one, { days: 366 })
    clock.leap(dayMs)
    await body(program(short, 0).get('/user/whoami'))
    clock.leap(dayMs)
    for (const node of [0, 1]) await refused(program(short, node).get('/user/whoami'), 401)
    clock.leap(200 * dayMs)
    for (const node of [0, 1]) await body(program(long, node).get('/user/whoami'))
    assert.deepEqual(await namesOf(owner.one), ['a bot'])
    clock.leap(200 * dayMs)
    await refused(program(long, 0).get('/user/whoami'), 401)
  })

  it('stays when browsers of its owner come, however many and however old it is', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const { token } = await make(owner.one, { days: 366 })
    const now = new Date(clock.now())
    await nodes.sql`
      insert into browser_session select gen_random_uuid(), ${owner.id}, sha256(number::text::bytea), 'Firefox', ${now}, ${now}::timestamptz + interval '1 minute',
        ${now}::timestamptz + interval '900 days' from generate_series(1, 60) as number`
    const signIn = () =>
      body(
        nodes.client().post('/auth/login', undefined, {
          basic: [owner.username, testPassword],
          headers: { 'x-session': 'cookie', origin: nodes.urls[0] as string },
        }),
      )
    await signIn()
    clock.leap(300 * dayMs)
    await signIn()
    for (const node of [0, 1]) await body(program(token, node).get('/user/whoami'))
    assert.equal((await body(owner.two.get('/auth/sessions'))).sessions.length, 1)
  })

  it('ends when its owner signs out everywhere, sets a new password, or is banned', async () => {
    const [owner, changing, banned, admin] = (await people(nodes, {}, {}, {}, { level: 'admin' })) as [Person, Person, Person, Person]
    const { token } = await make(owner.one)
    await body(program(token, 1).get('/user/whoami'))
    assert.equal((await owner.one.post('/auth/logout/everywhere')).status, 204)
    await refused(program(token, 1).get('/user/whoami'), 401)
    const before = await make(changing.one)
    await body(changing.one.post('/user/password', { currentPassword: testPassword, newPassword: 'another password' }), 201)
    await refused(program(before.token, 1).get('/user/whoami'), 401)
    const other = await make(banned.one)
    await body(admin.one.post(`/mod/user/${banned.id}/setaccesslevel/banned`), 200)
    await refused(program(other.token, 1).get('/user/whoami'), 401)
  })

  it('has a name, a scope and an end, and there are twenty at most, also at once', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    for (const wrong of [{ name: '' }, { name: 'x'.repeat(61) }, { scope: 'write' }, { days: 0 }, { days: 367 }, { days: 1.5 }])
      await refused(owner.one.post('/auth/tokens', { name: 'a bot', scope: 'all', days: 7, ...wrong }), 400)
    const asked = Array.from({ length: 24 }, (_, index) =>
      (index % 2 === 0 ? owner.one : owner.two).post('/auth/tokens', { name: `bot ${index}`, scope: 'read', days: 1 }),
    )
    const answers = await Promise.all(asked)
    assert.equal(answers.filter(({ status }) => status === 201).length, 20)
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201).map(({ body: { code } }) => code),
      Array.from({ length: 4 }, () => 'too_many_tokens'),
    )
  })
})
