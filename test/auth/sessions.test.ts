// Sessions of browsers: the cookie, the pages from which it counts, and how sessions end. Two nodes on one
// database: what one does holds on the other.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { WebSocket } from 'ws'
import { sessionKeyOf } from '../../src/core/http/own-page.ts'
import { createClient } from '../../src/sdk/client.ts'
import { createAccount, testPassword, testRecoveryKey, type TestAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { type Answer, type TestSocket, refusedSocket } from '../support/client.ts'
import { body, createSeamail, people, say, type Person } from '../support/fez.ts'
import { isQuiet } from '../support/statements.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const phone = 'Mozilla/5.0 (Android 14; Mobile; rv:120.0) Gecko/120.0 Firefox/120.0'

/** A page in a browser that is signed in: what it asks of any node carries the cookie and says where it comes from. */
class Browser {
  readonly account: TestAccount
  readonly cookie: string

  constructor(account: TestAccount, cookie: string) {
    this.account = account
    this.cookie = cookie
  }

  headers(node = 0, more: Record<string, string> = {}): Record<string, string> {
    return { cookie: this.cookie, origin: nodes.urls[node] as string, 'x-session': 'cookie', ...more }
  }

  get(path: string, node = 0): Promise<Answer> {
    return nodes.client(undefined, node).get(path, { headers: this.headers(node) })
  }

  post(path: string, content?: unknown, node = 0): Promise<Answer> {
    return nodes.client(undefined, node).post(path, content, { headers: this.headers(node) })
  }

  delete(path: string, node = 0): Promise<Answer> {
    return nodes.client(undefined, node).delete(path, { headers: this.headers(node) })
  }

  socket(path = '/notification/socket', node = 0): Promise<TestSocket> {
    return nodes.client(undefined, node).socket(path, { cookie: this.cookie, origin: nodes.urls[node] as string })
  }

  /** The status of a call on every node. */
  async seen(): Promise<number[]> {
    return await Promise.all(nodes.urls.map(async (_, node) => (await this.get('/user/whoami', node)).status))
  }
}

const signIn = (account: TestAccount, node = 0, headers: Record<string, string> = {}): Promise<Answer> =>
  nodes.client(undefined, node).post('/auth/login', undefined, {
    basic: [account.username, testPassword],
    headers: { origin: nodes.urls[node] as string, 'x-session': 'cookie', 'user-agent': phone, ...headers },
  })

const setCookieOf = ({ headers }: Answer): string => String(headers['set-cookie'])
const cookieOf = (answer: Answer): string => setCookieOf(answer).split(';')[0] as string

async function browserOf(account: TestAccount, node = 0): Promise<Browser> {
  const answer = await signIn(account, node)
  assert.equal(answer.status, 200)
  return new Browser(account, cookieOf(answer))
}

const sessionsOf = async ({ id }: TestAccount): Promise<number> =>
  (await nodes.sql`select from browser_session where account_id = ${id}`).length

describe('signing in from a browser', () => {
  it('gives a cookie that no script can read, and no token; it holds on every node', async () => {
    const account = await createAccount(nodes.sql)
    const answer = await signIn(account)
    assert.deepEqual(answer.body, { userID: account.id, accessLevel: 'verified' })
    assert.match(setCookieOf(answer), /^quarterdeck-\d+=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    const browser = new Browser(account, cookieOf(answer))
    for (const node of [0, 1]) {
      assert.equal((await browser.get('/user/whoami', node)).body.isLoggedIn, true)
      assert.equal((await browser.post('/user/note', { noteID: account.id, note: 'x' }, node)).status, 400)
    }
    assert.equal((await nodes.client(account.token).get('/user/whoami')).status, 200)
  })

  it('ends the session that the browser has, whose ever it is', async () => {
    const [ann, bert] = [await createAccount(nodes.sql), await createAccount(nodes.sql)]
    const first = await browserOf(ann)
    const socket = await first.socket('/notification/socket', 1)
    const second = await signIn(bert, 0, { cookie: first.cookie })
    assert.deepEqual(await first.seen(), [401, 401])
    assert.equal(await socket.closed(), 1001)
    assert.equal(await sessionsOf(ann), 0)
    const third = await signIn(bert, 1, { cookie: cookieOf(second) })
    assert.deepEqual(await new Browser(bert, cookieOf(second)).seen(), [401, 401])
    assert.deepEqual(await new Browser(bert, cookieOf(third)).seen(), [200, 200])
    assert.equal(await sessionsOf(bert), 1)
  })

  it('refuses what a page asks for another account than the session is for', async () => {
    const [ann, bert] = [await createAccount(nodes.sql), await createAccount(nodes.sql)]
    const browser = await browserOf(ann)
    const ask = (user: string, node: number) =>
      nodes.client(undefined, node).get('/user/whoami', { headers: browser.headers(node, { 'x-session-user': user }) })
    for (const node of [0, 1]) {
      for (const own of [ann.id, ann.id.toUpperCase(), '']) assert.equal((await ask(own, node)).body.username, ann.username)
      const { status, body: refusal } = await ask(bert.id, node)
      assert.deepEqual([status, refusal.code], [401, 'session_of_another'])
    }
    const headers = browser.headers(0, { 'x-session-user': bert.id })
    const post = { text: 'In whose name?', images: [] }
    assert.equal((await nodes.client().post('/microblog/create', post, { headers })).status, 401)
    // A token is for one account alone.
    assert.equal((await nodes.client(ann.token).get('/user/whoami', { headers: { 'x-session-user': bert.id } })).status, 200)
  })

  it('is refused to every page but those of this server', async () => {
    const account = await createAccount(nodes.sql)
    const foreign: Record<string, string>[] = [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: (nodes.urls[0] as string).replace('http:', 'https:') },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of foreign) {
      const answer = await signIn(account, 0, headers)
      assert.equal(answer.status, 403, JSON.stringify(headers))
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    assert.equal(await sessionsOf(account), 0)
  })

  it('keeps at most fifty sessions of an account, the latest', async () => {
    const account = await createAccount(nodes.sql)
    await nodes.sql`
      insert into browser_session select gen_random_uuid(), ${account.id}, sha256(number::text::bytea), 'Firefox', now(), now() - number * interval '1 minute', now() + interval '1 day'
      from generate_series(1, 60) as number`
    const browser = await browserOf(account)
    assert.equal(await sessionsOf(account), 50)
    assert.deepEqual(await browser.seen(), [200, 200])
  })
})

describe('what other sites can make a browser do', () => {
  let ann: Person
  let bert: Person
  let browser: Browser
  let fezID: string
  type Headers = Record<string, string>
  const unread = async () => {
    const { addedToSeamailCount, newSeamailMessageCount } = await body(ann.one.get('/notification/user'))
    return (addedToSeamailCount + newSeamailMessageCount) as number
  }

  before(async () => {
    ;[ann, bert] = (await people(nodes, {}, {})) as [Person, Person]
    browser = await browserOf(ann)
    fezID = await createSeamail(bert.one, [ann])
    await say(bert.one, fezID, 'Hello')
  })

  /** Of a site elsewhere, of one beside this server, of a page without an origin. */
  const elsewhere: Record<string, string>[] = [
    {},
    { origin: 'http://evil.example' },
    { origin: 'null' },
    { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-origin' },
  ]
  const beside = (): Record<string, string> => ({ origin: nodes.urls[0] as string, 'sec-fetch-site': 'same-site' })

  it('a form changes nothing', async () => {
    const { cookie } = browser
    for (const headers of [...elsewhere, beside()]) {
      const client = nodes.client()
      const form = { cookie, 'content-type': 'text/plain', ...headers }
      assert.equal((await client.post(`/fez/${fezID}/post`, '{"text": "evil", "images": []}', { headers: form })).status, 403)
      assert.equal((await client.post(`/users/${bert.id}/block`, undefined, { headers: { cookie, ...headers } })).status, 403)
      assert.equal((await client.delete(`/user/image`, { headers: { cookie, ...headers } })).status, 403)
    }
    const { members } = await body(bert.one.get(`/fez/${fezID}`))
    assert.deepEqual(
      members.posts.map(({ text }: { text: string }) => text),
      ['Hello'],
    )
    assert.deepEqual(await body(ann.one.get('/users/blocks')), [])
  })

  it('a picture reads nothing and marks nothing as read', async () => {
    const { cookie } = browser
    const ask = (headers: Record<string, string>) => nodes.client().get(`/fez/${fezID}`, { headers: { cookie, ...headers } })
    const foreign: Headers[] = [
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' },
      { origin: 'http://evil.example', 'x-session': 'cookie' },
    ]
    for (const headers of foreign) assert.equal((await ask(headers)).status, 403, JSON.stringify(headers))
    // In a post on a page of this very server, or typed into the address bar.
    const harmless: Headers[] = [
      {},
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'image' },
      { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' },
    ]
    for (const headers of harmless) assert.equal((await ask(headers)).status, 200, JSON.stringify(headers))
    assert.equal(await unread(), 1)
    assert.equal((await nodes.client().get('/admin/schedule/reload', { headers: { cookie } })).status, 403)
    assert.equal((await ask({ 'x-session': 'cookie' })).status, 200)
    assert.equal(await unread(), 0)
    await say(bert.one, fezID, 'Hello again')
    assert.equal((await ask({ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' })).status, 200)
    assert.equal(await unread(), 0)
  })

  it('a GET that is there to change something does not, for a picture', async () => {
    const admin = await browserOf(await createAccount(nodes.sql, { level: 'admin' }))
    const path = '/admin/schedule/reload'
    assert.equal((await nodes.client().get(path, { headers: { cookie: admin.cookie } })).status, 404)
    assert.equal((await admin.get(path)).status, 200)
  })

  it('a socket is not opened', async () => {
    const { cookie } = browser
    for (const path of ['/notification/socket', `/fez/${fezID}/socket`]) {
      for (const headers of [...elsewhere, beside()])
        assert.equal(await refusedSocket(nodes.client().socket(path, { cookie, ...headers })), 403, JSON.stringify(headers))
      const socket = await browser.socket(path)
      assert.ok(socket.open)
      socket.terminate()
    }
  })

  it('a token beside the cookie needs no page, and is the one that counts', async () => {
    const { cookie } = browser
    const answer = await bert.one.get('/user/whoami', { headers: { cookie, origin: 'http://evil.example' } })
    assert.equal(answer.body.userID, bert.id)
  })
})

describe('a stolen copy of the database', () => {
  it('gives nobody a session', async () => {
    const account = await createAccount(nodes.sql)
    const { cookie } = await browserOf(account)
    const value = cookie.split('=')[1] as string
    const [row] = await nodes.sql<{ text: string; digest: Buffer }[]>`
      select browser_session::text as text, cookie_digest as digest from browser_session where account_id = ${account.id}`
    const bytes = Buffer.from(value, 'base64url')
    for (const form of [value, bytes.toString('base64'), bytes.toString('hex'), Buffer.from(value).toString('hex')])
      assert.ok(!row?.text.includes(form))
    assert.equal(row?.digest.toString('base64'), sessionKeyOf(value))
    for (const stolen of [row?.digest.toString('base64url'), row?.digest.toString('base64'), row?.digest.toString('hex')])
      assert.equal((await new Browser(account, `quarterdeck-${nodes.config.externalPort}=${stolen}`).get('/user/whoami')).status, 401)
  })
})

describe('sessions end', () => {
  /** Two browsers of one account, each with a socket on the node that the other does not use. */
  async function twoBrowsers(): Promise<{
    account: TestAccount
    here: Browser
    there: Browser
    sockets: [TestSocket, TestSocket, TestSocket]
  }> {
    const account = await createAccount(nodes.sql)
    const [here, there] = [await browserOf(account, 0), await browserOf(account, 1)]
    const fezID = (
      await body(
        there.post('/fez/create', { fezType: 'gaming', title: 'A title', info: 'Info', minCapacity: 0, maxCapacity: 0, initialUsers: [] }),
        201,
      )
    ).fezID as string
    const sockets = [await here.socket(), await there.socket('/notification/socket', 1), await there.socket(`/fez/${fezID}/socket`, 0)] as [
      TestSocket,
      TestSocket,
      TestSocket,
    ]
    return { account, here, there, sockets }
  }

  it('POST /auth/logout: here, and nowhere else', async () => {
    const { account, here, there, sockets } = await twoBrowsers()
    const app = await nodes.client(account.token, 1).socket('/notification/socket')
    const answer = await here.post('/auth/logout')
    assert.equal(answer.status, 204)
    assert.match(setCookieOf(answer), /^quarterdeck-\d+=; Path=\/; Max-Age=0; /)
    assert.deepEqual(await here.seen(), [401, 401])
    assert.equal(await sockets[0].closed(), 1001)
    assert.deepEqual(await there.seen(), [200, 200])
    for (const socket of [sockets[1], sockets[2], app]) {
      await socket.flushed()
      assert.ok(socket.open)
    }
    assert.equal((await nodes.client(account.token, 1).get('/user/whoami')).status, 200)
  })

  it('POST /auth/logout with the token leaves browsers signed in', async () => {
    const { account, here, there, sockets } = await twoBrowsers()
    const app = await nodes.client(account.token, 1).socket('/notification/socket')
    assert.equal((await nodes.client(account.token).post('/auth/logout')).status, 204)
    assert.equal(await app.closed(), 1001)
    assert.deepEqual([...(await here.seen()), ...(await there.seen())], [200, 200, 200, 200])
    for (const socket of sockets) {
      await socket.flushed()
      assert.ok(socket.open)
    }
    assert.equal((await there.get('/auth/sessions')).body.appsSignedIn, false)
  })

  it('shows each browser itself as the current one, also when several ask in the same second', async () => {
    const account = await createAccount(nodes.sql)
    const browsers = [await browserOf(account), await browserOf(account)]
    await isQuiet(nodes)
    const currentOf = async (browser: Browser) =>
      (await body(browser.get('/auth/sessions'))).sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).sessionID
    // Several times: a second may pass in between.
    for (let times = 0; times < 5; times++) {
      const together = await Promise.all(browsers.map(currentOf))
      const inTurn = [await currentOf(browsers[0] as Browser), await currentOf(browsers[1] as Browser)]
      assert.equal(new Set(together).size, 2)
      assert.deepEqual(inTurn, together)
    }
  })

  it('GET /auth/sessions: what is known of a browser, be it only its name or its system, or nothing', async () => {
    const account = await createAccount(nodes.sql)
    for (const agent of ['Firefox/130.0', 'Mozilla/5.0 (iPad)', 'a fridge']) await signIn(account, 0, { 'user-agent': agent })
    const own = await browserOf(account)
    const devices = async () => (await body(own.get('/auth/sessions'))).sessions.map(({ device }: { device: string }) => device)
    assert.deepEqual((await devices()).toSorted(), ['Firefox', 'Firefox on Android', 'Unknown browser', 'iPad'])
    for (const [hours, device] of [
      [1, 'Unknown browser'],
      [2, 'Firefox'],
      [3, 'iPad'],
    ] as const)
      await nodes.sql`
        update browser_session set last_seen_at = last_seen_at - make_interval(hours => ${hours})
        where account_id = ${account.id} and device = ${device}`
    assert.deepEqual(await devices(), ['Firefox on Android', 'Unknown browser', 'Firefox', 'iPad'], 'the one that was seen last first')
  })

  it('GET /auth/sessions and DELETE /auth/sessions/:session_id: one of the own, from another node', async () => {
    const { account, here, there, sockets } = await twoBrowsers()
    const list = await body(here.get('/auth/sessions'))
    assert.equal(list.appsSignedIn, true)
    assert.deepEqual(list.sessions.map(({ device, isCurrent }: { device: string; isCurrent: boolean }) => [device, isCurrent]).toSorted(), [
      ['Firefox on Android', false],
      ['Firefox on Android', true],
    ])
    const { sessionID } = list.sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent)
    const stranger = await browserOf(await createAccount(nodes.sql))
    const refusals = [await stranger.delete(`/auth/sessions/${sessionID}`), await stranger.delete(`/auth/sessions/${account.id}`)]
    assert.deepEqual(
      refusals.map(({ status }) => status),
      [400, 400],
    )
    assert.deepEqual(refusals[0]?.body, refusals[1]?.body)
    assert.equal((await here.delete(`/auth/sessions/${sessionID}`)).status, 204)
    assert.deepEqual(await there.seen(), [401, 401])
    assert.equal(await sockets[1].closed(), 1001)
    assert.equal(await sockets[2].closed(), 1001)
    assert.deepEqual(await here.seen(), [200, 200])
    assert.ok(sockets[0].open)
  })

  it('POST /auth/logout/everywhere: all of them, and the token', async () => {
    const { account, here, there, sockets } = await twoBrowsers()
    assert.equal((await here.post('/auth/logout/everywhere')).status, 204)
    assert.deepEqual([...(await here.seen()), ...(await there.seen())], [401, 401, 401, 401])
    for (const socket of sockets) assert.equal(await socket.closed(), 1001)
    assert.equal((await nodes.client(account.token, 1).get('/user/whoami')).status, 401)
    assert.equal(await sessionsOf(account), 0)
  })

  it('POST /user/password: all but the own; the token stays', async () => {
    const { account, here, there, sockets } = await twoBrowsers()
    const change = { currentPassword: testPassword, newPassword: 'another password' }
    assert.equal((await here.post('/user/password', { ...change, currentPassword: 'wrong password' })).status, 400)
    assert.deepEqual(await there.seen(), [200, 200])
    assert.equal((await here.post('/user/password', change)).status, 201)
    assert.deepEqual(await here.seen(), [200, 200])
    assert.deepEqual(await there.seen(), [401, 401])
    assert.equal(await sockets[1].closed(), 1001)
    assert.equal((await nodes.client(account.token).get('/user/whoami')).status, 200)
    const second = { currentPassword: 'another password', newPassword: 'a third password' }
    assert.equal((await nodes.client(account.token).post('/user/password', second)).status, 201)
    assert.deepEqual(await here.seen(), [401, 401])
  })

  it('POST /auth/recovery: all, before the new one begins', async () => {
    const { account, here, there, sockets } = await twoBrowsers()
    const answer = await nodes
      .client()
      .post(
        '/auth/recovery',
        { username: account.username, recoveryKey: testRecoveryKey, newPassword: 'another password' },
        { headers: { origin: nodes.urls[0] as string, 'x-session': 'cookie' } },
      )
    assert.deepEqual(answer.body, { userID: account.id, accessLevel: 'verified' })
    assert.deepEqual([...(await here.seen()), ...(await there.seen())], [401, 401, 401, 401])
    for (const socket of sockets) assert.equal(await socket.closed(), 1001)
    assert.deepEqual(await new Browser(account, cookieOf(answer)).seen(), [200, 200])
  })

  it('a ban: all, of every account of the person', async () => {
    const { account, here, there, sockets } = await twoBrowsers()
    const sub = await createAccount(nodes.sql, { subAccountOf: account })
    const ofSub = await browserOf(sub, 1)
    const { token } = await createAccount(nodes.sql, { level: 'tho' })
    assert.equal((await nodes.client(token, 1).post(`/mod/user/${account.id}/setaccesslevel/banned`)).status, 200)
    for (const browser of [here, there, ofSub]) assert.deepEqual(await browser.seen(), [401, 401])
    for (const socket of sockets) assert.equal(await socket.closed(), 1001)
    assert.equal(await refusedSocket(here.socket()), 401)
    assert.equal((await signIn(account)).status, 403)
    assert.equal((await nodes.client(token).post(`/mod/user/${account.id}/setaccesslevel/verified`)).status, 200)
    assert.deepEqual(await here.seen(), [401, 401])
  })

  it('by themselves, a month after the last use', async () => {
    const [idle, busy] = [await createAccount(nodes.sql), await createAccount(nodes.sql)]
    const cookie = (letter: string) => letter.repeat(43)
    const insert = async ({ id }: TestAccount, value: string, seen: string, expires: string) =>
      await nodes.sql`
        insert into browser_session values (gen_random_uuid(), ${id}, ${Buffer.from(sessionKeyOf(value), 'base64')}, 'Firefox', now(), now() - ${seen}::interval, now() + ${expires}::interval)`
    await insert(idle, cookie('a'), '30 days', '-1 second')
    await insert(busy, cookie('b'), '29 days', '1 day')
    assert.deepEqual(await new Browser(idle, `quarterdeck-${nodes.config.externalPort}=${cookie('a')}`).seen(), [401, 401])
    assert.deepEqual(await new Browser(busy, `quarterdeck-${nodes.config.externalPort}=${cookie('b')}`).seen(), [200, 200])
    await until(async () => {
      const [row] = await nodes.sql<{ prolonged: boolean }[]>`
        select last_seen_at > now() - interval '1 minute' and expires_at > now() + interval '29 days' as prolonged
        from browser_session where account_id = ${busy.id}`
      return row?.prolonged === true
    }, 'the use is noted')
  })
})

describe('GET /auth/sessions/ended', () => {
  /** What a browser whose session counts no more hears of each node. */
  const heard = async (browser: Browser): Promise<boolean[]> => {
    assert.deepEqual(await browser.seen(), [401, 401])
    const [one, two] = await Promise.all([0, 1].map(async (node) => (await body(browser.get('/auth/sessions/ended', node))).isSignedOut))
    return [one, two] as boolean[]
  }
  const yes = [true, true]
  const no = [false, false]

  it('tells a browser that was signed out on purpose, from elsewhere', async () => {
    const account = await createAccount(nodes.sql)
    const [here, there, third] = [await browserOf(account), await browserOf(account), await browserOf(account, 1)]
    assert.equal((await body(here.get('/auth/sessions/ended'))).isSignedOut, false)
    const { sessions } = await body(there.get('/auth/sessions'))
    const { sessionID } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
    assert.equal((await here.delete(`/auth/sessions/${sessionID}`)).status, 204)
    assert.deepEqual(await heard(there), yes)
    assert.equal((await here.post('/auth/logout/everywhere')).status, 204)
    assert.deepEqual(await heard(third), yes)
  })

  it('tells it after a ban and after a moderator has signed the person out, but not after another change of the level', async () => {
    const [banned, lost, raised] = [await createAccount(nodes.sql), await createAccount(nodes.sql), await createAccount(nodes.sql)]
    const browsers = [await browserOf(banned), await browserOf(lost), await browserOf(raised)] as const
    const { token } = await createAccount(nodes.sql, { level: 'admin' })
    const admin = nodes.client(token, 1)
    assert.equal((await admin.post(`/mod/user/${banned.id}/setaccesslevel/banned`)).status, 200)
    assert.equal((await admin.post(`/mod/user/${raised.id}/setaccesslevel/quarantined`)).status, 200)
    assert.equal((await admin.post(`/admin/users/${lost.id}/signout`)).status, 200)
    assert.deepEqual(await heard(browsers[0]), yes)
    assert.deepEqual(await heard(browsers[1]), yes)
    assert.deepEqual(await heard(browsers[2]), no)
  })

  it('tells nothing of a session that has expired, was replaced, or ended with a new password', async () => {
    const [account, other] = [await createAccount(nodes.sql), await createAccount(nodes.sql)]
    const [here, there, own] = [await browserOf(account), await browserOf(account), await browserOf(other)]
    await signIn(other, 0, { cookie: own.cookie })
    assert.deepEqual(await heard(own), no)
    const change = { currentPassword: testPassword, newPassword: 'another password' }
    assert.equal((await here.post('/user/password', change)).status, 201)
    assert.deepEqual(await heard(there), no)
    assert.equal((await here.post('/auth/logout')).status, 204)
    assert.deepEqual(await heard(here), no)
    assert.deepEqual(await heard(new Browser(account, `quarterdeck=${'x'.repeat(43)}`)), no)
  })

  it('tells nothing to other sites', async () => {
    const account = await createAccount(nodes.sql)
    const [here, there] = [await browserOf(account), await browserOf(account)]
    await here.post('/auth/logout/everywhere')
    const ask = (headers: Record<string, string>) =>
      body(nodes.client().get('/auth/sessions/ended', { headers: { cookie: there.cookie, ...headers } }))
    assert.equal((await ask({ origin: 'http://evil.example' })).isSignedOut, false)
    assert.equal((await ask({ 'sec-fetch-site': 'cross-site' })).isSignedOut, false)
    assert.equal((await ask({ 'sec-fetch-site': 'same-origin' })).isSignedOut, true)
  })

  it('remembers five hundred sessions of a person, and none for longer than a cookie lasts', async () => {
    const account = await createAccount(nodes.sql)
    const remember = (count: number, days: number) => nodes.sql`
      insert into ended_session select sha256((${days} || ' ' || number || ${account.id})::bytea), ${account.id}, now() - ${days} * interval '1 day'
      from generate_series(1, ${count}) as number`
    await remember(600, 1)
    await remember(10, 401)
    const browser = await browserOf(account)
    await browser.post('/auth/logout/everywhere')
    const rows = await nodes.sql<{ days: number }[]>`
      select extract(day from now() - ended_at)::int as days from ended_session where account_id = ${account.id}`
    assert.equal(rows.length, 501)
    assert.ok(rows.every(({ days }) => days <= 400))
  })
})

describe('over TLS', () => {
  it('the cookie is bound to it, and to this host', async () => {
    const secure = await startTestNodes(1, { env: { SWIFTARR_EXTERNAL_URL: 'https://ship.example' } })
    try {
      const account = await createAccount(secure.sql)
      const headers = { host: 'ship.example', origin: 'https://ship.example', 'x-session': 'cookie' }
      const ask = (more: Record<string, string>) => secure.client().get('/user/whoami', { headers: { ...headers, ...more } })
      const login = (more: Record<string, string>) =>
        secure.client().post('/auth/login', undefined, { basic: [account.username, testPassword], headers: { ...headers, ...more } })
      const answer = await login({})
      assert.match(setCookieOf(answer), /^__Host-quarterdeck-443=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/)
      const cookie = cookieOf(answer)
      assert.equal((await ask({ cookie })).status, 200)
      assert.equal((await ask({ cookie: cookie.replace('__Host-', '') })).status, 401, 'somebody on the network could have set it')
      assert.equal((await login({ origin: 'http://ship.example' })).status, 403)
      assert.equal((await ask({ cookie, origin: 'http://ship.example' })).status, 403)
    } finally {
      await secure.stop()
    }
  })
})

describe('cookies of several servers', () => {
  it('at one host name lie beside each other: signing in to one signs nobody out of another', async () => {
    const other = await startTestNodes(1, { env: { SWIFTARR_EXTERNAL_URL: 'http://127.0.0.1:8082' } })
    try {
      const [here, there] = [await createAccount(nodes.sql), await createAccount(other.sql)]
      const jar = new Map<string, string>()
      const take = (answer: Answer) => {
        const [name = '', value = ''] = cookieOf(answer).split('=')
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      const headers = (url?: string) => ({
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
        origin: String(url),
        'x-session': 'cookie',
      })
      const signInTo = async ({ client, urls }: TestNodes, { username }: TestAccount) =>
        take(await client().post('/auth/login', undefined, { basic: [username, testPassword], headers: headers(urls[0]) }))
      const nameAt = async ({ client, urls }: TestNodes) =>
        (await client().get('/user/whoami', { headers: headers(urls[0]) })).body.username as string | undefined
      await signInTo(nodes, here)
      await signInTo(other, there)
      assert.deepEqual([await nameAt(nodes), await nameAt(other)], [here.username, there.username])
      take(await other.client().post('/auth/logout', undefined, { headers: headers(other.urls[0]) }))
      assert.deepEqual([await nameAt(nodes), await nameAt(other)], [here.username, undefined])
    } finally {
      await other.stop()
    }
  })

  it('from before their names held the port are good until the session ends', async () => {
    const account = await createAccount(nodes.sql)
    const old = new Browser(account, (await browserOf(account)).cookie.replace(/^[^=]+=/, 'quarterdeck='))
    assert.deepEqual(await old.seen(), [200, 200])
    const answer = await old.post('/auth/logout')
    assert.match(setCookieOf(answer), /^quarterdeck=; Path=\/; Max-Age=0; /)
    assert.deepEqual(await old.seen(), [401, 401])
    // A sign-in replaces the session of the old name.
    const next = new Browser(account, (await browserOf(account)).cookie.replace(/^[^=]+=/, 'quarterdeck='))
    const again = await signIn(account, 0, { cookie: next.cookie })
    assert.match(setCookieOf(again), /^quarterdeck-\d+=/)
    assert.equal(await sessionsOf(account), 1)
    assert.deepEqual(await next.seen(), [401, 401])
    assert.deepEqual(await new Browser(account, `${next.cookie}; ${cookieOf(again)}`).seen(), [200, 200])
  })
})

describe('POST /login', () => {
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    nodes.client().post('//login', new URLSearchParams(fields).toString(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })

  it('begins the session of a browser, for a form of this server or of an app', async () => {
    const account = await createAccount(nodes.sql, { username: 'Jürgen & Söhne'.replaceAll(/[ &]/g, '.') })
    for (const headers of [{}, { origin: nodes.urls[0] as string }] as Record<string, string>[]) {
      const answer = await send({ username: account.username, password: testPassword }, headers)
      assert.equal(answer.status, 303)
      assert.equal(answer.headers['location'], './')
      assert.deepEqual(await new Browser(account, cookieOf(answer)).seen(), [200, 200])
    }
  })

  it('is refused for a wrong password, for a form of another site, and without fields', async () => {
    const account = await createAccount(nodes.sql)
    const right = { username: account.username, password: testPassword }
    assert.equal((await send({ ...right, password: 'wrong password' })).status, 401)
    assert.equal((await send({ username: account.username })).status, 400)
    assert.equal((await send(right, { origin: 'http://evil.example' })).status, 403)
    assert.equal((await send(right, { origin: 'null' })).status, 403)
    assert.equal((await send(right, { 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await send({ ...right, more: 'x'.repeat(20_000) })).status, 413)
    assert.equal(await sessionsOf(account), 0)
  })
})

describe('POST /login with JSON, as an app signs in for its web view', () => {
  const name = 'swiftarr_session'
  const send = (content: unknown, headers: Record<string, string> = {}) => nodes.client().post('//login', content, { headers })

  it('answers 200 with a session under the name that the app reads, good on every node until it ends', async () => {
    const account = await createAccount(nodes.sql)
    const answer = await send({ username: account.username, password: testPassword })
    assert.deepEqual([answer.status, answer.body.userID], [200, account.id])
    assert.match(setCookieOf(answer), new RegExp(`^${name}=[\\w-]{43}; Path=/; Max-Age=\\d+; HttpOnly; SameSite=Lax$`))
    const browser = new Browser(account, cookieOf(answer))
    assert.deepEqual(await browser.seen(), [200, 200])
    const out = await browser.post('/auth/logout')
    assert.deepEqual([out.status, setCookieOf(out).split(';')[0]], [204, `${name}=`])
    assert.deepEqual(await browser.seen(), [401, 401])
  })

  it('begins sessions of its own: a value of one kind is none under the name of the other', async () => {
    const account = await createAccount(nodes.sql)
    const own = await browserOf(account)
    const ofApp = cookieOf(await send({ username: account.username, password: testPassword }))
    const [ownName, ownValue] = own.cookie.split('=')
    for (const cookie of [`${name}=${ownValue}`, `${ownName}=${ofApp.split('=')[1]}`])
      assert.deepEqual(await new Browser(account, cookie).seen(), [401, 401])
    assert.deepEqual(await own.seen(), [200, 200])
    assert.deepEqual(await new Browser(account, ofApp).seen(), [200, 200])
  })

  it('writes for pages of this server alone', async () => {
    const account = await createAccount(nodes.sql)
    const cookie = cookieOf(await send({ username: account.username, password: testPassword }))
    const { status, body: refusal } = await nodes
      .client()
      .post('/user/alertwords/add/lighthouse', undefined, { headers: { cookie, origin: 'http://evil.example' } })
    assert.deepEqual([status, refusal.code], [403, 'origin_foreign'])
  })

  it('gives no cookie for a wrong password, wrong forms and pages of other sites', async () => {
    const account = await createAccount(nodes.sql)
    const right = { username: account.username, password: testPassword }
    const cases: [content: unknown, headers: Record<string, string>, status: number][] = [
      [{ ...right, password: 'wrong password' }, {}, 401],
      [{ username: account.username }, {}, 400],
      [{ ...right, password: 7 }, {}, 400],
      [[], {}, 400],
      [right, { origin: 'http://evil.example' }, 403],
    ]
    for (const [content, headers, status] of cases) {
      const answer = await send(content, headers)
      assert.deepEqual([answer.status, answer.headers['set-cookie']], [status, undefined])
      assert.equal(typeof answer.body.reason, 'string')
    }
    const broken = await nodes.client().post('//login', '{"username"', { headers: { 'content-type': 'application/json' } })
    assert.equal(broken.status, 400)
    assert.equal(await sessionsOf(account), 0)
  })
})

describe('the client package with a cookie', () => {
  it('signs in, reads, writes, listens and signs out', async () => {
    const account = await createAccount(nodes.sql)
    const baseUrl = nodes.urls[0] as string
    let cookie = ''
    // As a browser does it, without the page.
    const browserFetch: typeof fetch = async (address, request) => {
      const answer = await fetch(address, {
        ...request,
        headers: { ...(request?.headers as Record<string, string>), cookie, origin: baseUrl },
      })
      const [given] = answer.headers.getSetCookie()
      if (given !== undefined) cookie = given.split(';')[0] as string
      return answer
    }
    class BrowserSocket extends WebSocket {
      constructor(url: string) {
        super(url, { headers: { cookie }, origin: baseUrl })
      }
    }
    const client = createClient({ baseUrl, credentials: 'cookie', fetch: browserFetch, WebSocket: BrowserSocket })
    const { userID, token } = await client.auth.login({ username: account.username, password: testPassword })
    assert.equal(userID, account.id)
    assert.equal(token, undefined)
    assert.equal(client.token, undefined)
    const { fezID } = await client.fez.create({
      fezType: 'gaming',
      title: 'Cards',
      info: 'Info',
      minCapacity: 0,
      maxCapacity: 0,
      initialUsers: [],
    })
    const first = (async () => {
      for await (const frame of client.fez.socket({ fezID, after: 0 })) if ('postID' in frame) return frame.text
    })()
    await client.fez.post({ fezID, text: 'Hello', images: [] })
    assert.equal(await first, 'Hello')
    assert.equal((await client.auth.sessions()).sessions.length, 1)
    await client.auth.logout()
    await assert.rejects(client.user.whoami(), { status: 401 })
  })
})
