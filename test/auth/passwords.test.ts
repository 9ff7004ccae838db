// New passwords: what apps may set by the reference, what the browser's forms and strict hosts ask for, and what a new one ends.
// New recovery keys. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { recoveryKeyOf } from '../../src/auth/codes.ts'
import { createAccount, testPassword, testRecoveryKey, type TestAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { body, refused } from '../support/fez.ts'
import { onlySettings } from '../support/settings.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())
beforeEach(() => onlySettings(nodes))

let made = 0
const newName = () => `chooser${++made}`

/** As a page of the app sends it; without a cookie nobody is signed in. */
const asPage = (cookie = '', node = 0) => ({
  headers: { origin: nodes.urls[node] as string, 'x-session': 'cookie', ...(cookie && { cookie }) },
})

async function cookieOf({ username }: TestAccount, password = testPassword): Promise<string> {
  const answer = await nodes.client().post('/auth/login', undefined, { ...asPage(), basic: [username, password] })
  assert.equal(answer.status, 200)
  return String(answer.headers['set-cookie']).split(';')[0] as string
}

const login = (username: string, password: string, node = 0) =>
  nodes.client(undefined, node).post('/auth/login', undefined, { basic: [username, password] })

/** The four requests that set a password: as an app sends them, or a page. */
type Setter = (password: string, from: 'app' | 'page') => Promise<Answer>

async function setters(): Promise<[name: string, field: string, set: Setter][]> {
  const account = await createAccount(nodes.sql)
  const cookie = await cookieOf(account)
  const more = (from: 'app' | 'page') => (from === 'page' ? asPage(cookie) : undefined)
  const client = (from: 'app' | 'page') => nodes.client(from === 'page' ? undefined : account.token)
  return [
    ['create', 'password', (password, from) => nodes.client().post('/user/create', { username: newName(), password }, more(from))],
    ['add', 'password', (password, from) => client(from).post('/user/add', { username: newName(), password }, more(from))],
    [
      'change',
      'newPassword',
      (newPassword, from) => client(from).post('/user/password', { currentPassword: 'not the one', newPassword }, more(from)),
    ],
    [
      'recovery',
      'newPassword',
      (newPassword, from) =>
        nodes.client().post('/auth/recovery', { username: 'nobody-has-this', recoveryKey: 'three words here', newPassword }, more(from)),
    ],
  ]
}

/** Whether the password was the reason of a refusal. */
const refusesPassword = async (field: string, answer: Promise<Answer>): Promise<string | undefined> =>
  (await answer).body?.fieldErrors?.[field]

describe('a new password', () => {
  const allowedByReference = ['sixsix', '123456', 'password', 'x'.repeat(50)]
  const refusedByReference = ['short', 'x'.repeat(51), 'x'.repeat(257)]
  const strictlyAllowed = ['eight-8-', 'a sentence that nobody else has', 'x'.repeat(256), '🙂'.repeat(200)]
  const strictlyRefused: [string, RegExp][] = [
    ['short', /at least/],
    ['sevense', /at least 8/],
    ['12345678', /tried first/],
    ['password', /tried first/],
    ['PassWord', /tried first/],
    ['qwerty123', /tried first/],
    ['dalmatio', /tried first/],
    ['x'.repeat(257), /at most 256/],
    ['👨‍👩‍👧‍👦'.repeat(60), /at most 1400 bytes/],
  ]

  it('of an app has 6 to 50 characters, as the reference says', async () => {
    for (const [name, field, set] of await setters()) {
      for (const password of allowedByReference)
        assert.equal(await refusesPassword(field, set(password, 'app')), undefined, `${name} ${password}`)
      for (const password of refusedByReference) {
        const answer = await set(password, 'app')
        assert.deepEqual([answer.status, Object.keys(answer.body.fieldErrors)], [400, [field]], `${name} ${password}`)
      }
    }
  })

  it('of a page has 8 to 256 characters and is not among the commonest', async () => {
    for (const [name, field, set] of await setters()) {
      for (const password of strictlyAllowed)
        assert.equal(await refusesPassword(field, set(password, 'page')), undefined, `${name} ${password}`)
      for (const [password, why] of strictlyRefused)
        assert.match((await refusesPassword(field, set(password, 'page'))) ?? '', why, `${name} ${password}`)
    }
  })

  it('of an app has to be as good where the host wants it', async () => {
    await onlySettings(nodes, { strictPasswords: true })
    for (const [name, field, set] of await setters()) {
      for (const password of strictlyAllowed)
        assert.equal(await refusesPassword(field, set(password, 'app')), undefined, `${name} ${password}`)
      for (const [password, why] of strictlyRefused)
        assert.match((await refusesPassword(field, set(password, 'app'))) ?? '', why, `${name} ${password}`)
    }
  })

  it('is looked at before the credential that allows it, and the longest one opens the account', async () => {
    const account = await createAccount(nodes.sql)
    const cookie = await cookieOf(account)
    const longest = '🙂'.repeat(256)
    const change = (newPassword: string) =>
      nodes.client().post('/user/password', { currentPassword: testPassword, newPassword }, asPage(cookie))
    await refused(change('12345678'), 400)
    await body(login(account.username, testPassword))
    await body(change(longest), 201)
    await body(login(account.username, longest, 1))
    await body(login(account.username, '🙂'.repeat(255), 1), 401)
  })
})

describe('a new password and the apps', () => {
  const second = 'another password'
  const change = (account: TestAccount, more: object = {}, cookie?: string) =>
    nodes
      .client(cookie === undefined ? account.token : undefined, 0)
      .post('/user/password', { currentPassword: testPassword, newPassword: second, ...more }, cookie === undefined ? {} : asPage(cookie))
  const recover = ({ username }: TestAccount, more: object = {}, options: object = {}) =>
    nodes.client().post('/auth/recovery', { username, recoveryKey: testRecoveryKey, newPassword: second, ...more }, options)
  /** Whether the token opens anything, on both nodes. */
  const tokenCounts = async (token: string) =>
    await Promise.all([0, 1].map(async (node) => (await nodes.client(token, node).get('/user/whoami')).status === 200))

  it('leaves them signed in, as the reference says', async () => {
    const [changer, forgetter] = [await createAccount(nodes.sql), await createAccount(nodes.sql)]
    await body(change(changer), 201)
    assert.equal((await body(recover(forgetter, { signOutApps: false }))).token, forgetter.token)
    assert.deepEqual([...(await tokenCounts(changer.token)), ...(await tokenCounts(forgetter.token))], [true, true, true, true])
  })

  it('signs them out when that was chosen, on all nodes, with their sockets; the page stays', async () => {
    const account = await createAccount(nodes.sql)
    const cookie = await cookieOf(account)
    const socket = await nodes.client(account.token, 1).socket('/notification/socket')
    assert.deepEqual(await tokenCounts(account.token), [true, true])
    await refused(change(account, { currentPassword: 'not the one', signOutApps: true }, cookie), 400)
    assert.deepEqual(await tokenCounts(account.token), [true, true])
    await body(change(account, { signOutApps: true }, cookie), 201)
    assert.deepEqual(await tokenCounts(account.token), [false, false])
    assert.equal(await socket.closed(), 1001)
    assert.equal((await nodes.client().get('/user/whoami', asPage(cookie))).status, 200)
    const { token } = await body(login(account.username, second))
    assert.notEqual(token, account.token)
  })

  it('signs them out at a recovery when that was chosen; an app that recovers gets another token', async () => {
    const [inPage, inApp] = [await createAccount(nodes.sql), await createAccount(nodes.sql)]
    await tokenCounts(inPage.token)
    await body(recover(inPage, { signOutApps: true }, asPage()))
    assert.deepEqual(await tokenCounts(inPage.token), [false, false])
    await refused(recover(inApp, { signOutApps: true, recoveryKey: 'three wrong words' }), 400)
    assert.deepEqual(await tokenCounts(inApp.token), [true, true])
    const { token } = await body(recover(inApp, { signOutApps: true }))
    assert.deepEqual(await tokenCounts(inApp.token), [false, false])
    assert.deepEqual(await tokenCounts(token), [true, true])
  })

  it('signs them out always where the host wants it, and the settings for clients say so', async () => {
    assert.ok(!('newPasswordSignsOutApps' in (await body(nodes.client().get('/client/settings')))))
    await onlySettings(nodes, { newPasswordSignsOutApps: true })
    assert.equal((await body(nodes.client(undefined, 1).get('/client/settings'))).newPasswordSignsOutApps, true)
    const [changer, forgetter] = [await createAccount(nodes.sql), await createAccount(nodes.sql)]
    await body(change(changer, { signOutApps: false }), 201)
    assert.deepEqual(await tokenCounts(changer.token), [false, false])
    const { token } = await body(recover(forgetter))
    assert.deepEqual([...(await tokenCounts(forgetter.token)), ...(await tokenCounts(token))], [false, false, true, true])
  })
})

describe('POST /user/recoverykey', () => {
  const replace = ({ token }: TestAccount, currentPassword = testPassword, headers: Record<string, string> = {}, node = 0) =>
    nodes.client(token, node).post('/user/recoverykey', { currentPassword }, { headers })
  const recover = (username: string, recoveryKey: string, node = 0) =>
    nodes.client(undefined, node).post('/auth/recovery', { username, recoveryKey, newPassword: 'another password' })

  it('makes a key for all accounts of the person, which ends the one before', async () => {
    const account = await createAccount(nodes.sql)
    const sub = await createAccount(nodes.sql, { subAccountOf: account })
    const { recoveryKey } = await body(replace(account), 201)
    assert.match(recoveryKey, /^[a-z]+ [a-z]+ [a-z]+$/)
    for (const { username } of [account, sub]) await refused(recover(username, testRecoveryKey), 400)
    await body(recover(sub.username, recoveryKey.toUpperCase(), 1))
    await body(recover(account.username, recoveryKey))
    // An app has shown no other one: the key stays good.
    await body(recover(account.username, recoveryKey))
    const { recoveryKey: next } = await body(replace(account, 'another password', {}, 1), 201)
    assert.notEqual(next, recoveryKey)
    await refused(recover(account.username, recoveryKey), 400)
    await body(recover(account.username, next))
  })

  it('opens a sub-account that is added later', async () => {
    const account = await createAccount(nodes.sql)
    const { recoveryKey } = await body(replace(account), 201)
    const username = newName()
    await body(nodes.client(account.token).post('/user/add', { username, password: 'a third password' }), 201)
    await body(recover(username, recoveryKey))
  })

  it('gives the same words once more when the answer was lost, and nothing else', async () => {
    const account = await createAccount(nodes.sql)
    const key = { 'idempotency-key': 'the-answer-was-lost' }
    const first = await body(replace(account, testPassword, key), 201)
    assert.deepEqual(await body(replace(account, testPassword, key, 1), 201), first)
    await body(recover(account.username, first.recoveryKey))
    const [row] = await nodes.sql<{ text: string }[]>`select string_agg(idempotency_key::text, ' ') as text from idempotency_key`
    for (const word of first.recoveryKey.split(' ')) assert.ok(!row?.text.includes(word), 'nobody has kept it')
  })

  it('refuses a wrong password, which cannot be guessed, sub-accounts, client accounts, and whoever is not signed in', async () => {
    const account = await createAccount(nodes.sql)
    const sub = await createAccount(nodes.sql, { subAccountOf: account })
    const bot = await createAccount(nodes.sql, { level: 'client' })
    assert.match(await refused(replace(account, 'wrong password'), 400), /wrong/)
    assert.match(await refused(replace(sub), 403), /first account/)
    await refused(replace(bot), 403)
    await refused(nodes.client().post('/user/recoverykey', { currentPassword: testPassword }), 401)
    await refused(
      nodes.client().post('/user/recoverykey', { currentPassword: testPassword }, { basic: [account.username, testPassword] }),
      401,
    )
    await refused(nodes.client(account.token).post('/user/recoverykey', {}), 400)
    let last = await replace(account, 'wrong password')
    for (let attempt = 0; attempt < 10; attempt++) last = await replace(account, 'wrong password', {}, attempt % 2)
    assert.equal(last.status, 429)
    await body(recover(account.username, testRecoveryKey))
    assert.equal((await body(nodes.client(sub.token).get('/user/whoami'))).isSubAccount, true)
    assert.ok(!('isSubAccount' in (await body(nodes.client(account.token).get('/user/whoami')))))
  })

  it('is no way from an account to one of a higher level', async () => {
    const account = await createAccount(nodes.sql)
    const moderator = await createAccount(nodes.sql, { subAccountOf: account, level: 'moderator' })
    assert.match(await refused(replace(account), 403), /higher access level/)
    await body(recover(moderator.username, testRecoveryKey))
  })
})

it('a recovery key is three words, whatever it is made of', () => {
  for (let seed = 0; seed < 5000; seed++) assert.match(recoveryKeyOf('secret', 'account', String(seed)), /^\p{L}+ \p{L}+ \p{L}+$/u)
})
