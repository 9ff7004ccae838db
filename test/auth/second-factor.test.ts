// A second factor: set up with the digits of an app, asked for behind the password by whatever signs in, and, where the host wants
// it, needed for the rights of the team. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { URI, type TOTP } from 'otpauth'
import { builtIn } from '../../src/accounts/rows.ts'
import { createAccount, testPassword, testRecoveryKey, type TestAccount } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { browserSocket, cookieOf } from '../support/browser-session.ts'
import type { Answer, Client } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, createSeamail, people, refused, type Person } from '../support/fez.ts'
import { guard, phoneOf, type Guarded } from '../support/second-factor.ts'
import { onlySettings } from '../support/settings.ts'

const stepMs = 30_000
const clock = new LeapingClock()
let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { clock })
})
after(() => nodes.stop())
beforeEach(() => onlySettings(nodes))

const login = (username: string, password: string, node = 0): Promise<Answer> =>
  nodes.client(undefined, node).post('/auth/login', undefined, { basic: [username, password] })

async function guarded(options: Parameters<typeof createAccount>[1] = {}): Promise<Guarded & { account: TestAccount }> {
  const account = await createAccount(nodes.sql, options)
  return { account, ...(await guard(nodes.client(account.token), clock)) }
}

const codeOf = ({ status, body: { code } }: Answer) => [status, code]
const needed = [401, 'second_factor_needed']
const wrong = [401, 'second_factor_wrong']

async function signedIn(username: string, password: string, node = 0): Promise<Client> {
  const { token } = await body(login(username, password, node))
  return nodes.client(token, node)
}

describe('setting a second factor up', () => {
  it('takes the password, then the digits, and signs the account out everywhere else', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const { token: program } = await body(owner.one.post('/auth/tokens', { name: 'a bot', scope: 'all', days: 7 }), 201)
    assert.equal(
      await refused(owner.one.post('/auth/secondfactor', { currentPassword: 'not this' }), 400),
      'The current password is wrong.',
    )
    await refused(owner.one.post('/auth/secondfactor/confirm', { code: '123456' }), 400)
    assert.deepEqual(await body(owner.two.get('/auth/secondfactor')), { isOn: false, isNeeded: false, recoveryCodesLeft: 0 })

    const { secret, address } = await body(owner.one.post('/auth/secondfactor', { currentPassword: testPassword }), 201)
    assert.equal(new URL(address).searchParams.get('secret'), secret)
    assert.match(decodeURIComponent(address), new RegExp(`^otpauth://totp/Quarterdeck:${owner.username}\\?`))
    // It counts for nothing yet.
    await body(login(owner.username, testPassword))
    const newPassword = testPassword
    await body(nodes.client().post('/auth/recovery', { username: owner.username, recoveryKey: testRecoveryKey, newPassword }))
    const phone = phoneOf(address, clock)
    const mistyped = phone.at(0) === '000000' ? '111111' : '000000'
    for (const code of [mistyped, phone.at(-5), phone.at(5), 'abcd-efgh-jkmn'])
      assert.deepEqual(codeOf(await owner.one.post('/auth/secondfactor/confirm', { code })), [400, 'second_factor_wrong'])

    const socket = await owner.two.socket('/notification/socket')
    const { recoveryCodes } = await body(owner.two.post('/auth/secondfactor/confirm', { code: phone.next() }), 201)
    assert.equal(new Set(recoveryCodes).size, 10)
    for (const code of recoveryCodes) assert.match(code, /^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/)
    await socket.closed()
    for (const node of [0, 1]) {
      await refused(nodes.client(owner.token, node).get('/user/whoami'), 401)
      await refused(nodes.client(program, node).get('/user/whoami'), 401)
    }
    const back = await signedIn(owner.username, testPassword + phone.next(), 1)
    const { confirmedAt, ...now } = await body(back.get('/auth/secondfactor'))
    assert.deepEqual(now, { isOn: true, isNeeded: false, recoveryCodesLeft: 10 })
    assert.ok(Math.abs(Date.parse(confirmedAt) - clock.now()) < 2 * stepMs)
    for (const path of ['/auth/secondfactor', '/auth/secondfactor/confirm'])
      assert.deepEqual(codeOf(await back.post(path, { currentPassword: testPassword, code: phone.next() })), [409, 'second_factor_on'])
  })

  it('keeps the browser that asks signed in, and gives a repetition the same codes', async () => {
    const account = await createAccount(nodes.sql)
    const asPage = (cookie = '', more = {}) => ({ headers: { origin: nodes.urls[0] as string, 'x-session': 'cookie', cookie, ...more } })
    const browser = async () => {
      const answer = await nodes.client().post('/auth/login', undefined, { ...asPage(), basic: [account.username, testPassword] })
      return String(answer.headers['set-cookie']).split(';')[0] as string
    }
    const [here, there] = [await browser(), await browser()]
    const { address } = await body(nodes.client().post('/auth/secondfactor', { currentPassword: testPassword }, asPage(here)), 201)
    const code = phoneOf(address, clock).next()
    const confirm = () =>
      body(nodes.client().post('/auth/secondfactor/confirm', { code }, asPage(here, { 'idempotency-key': 'set-up-once-1' })), 201)
    const first = await confirm()
    assert.deepEqual(await confirm(), first)
    await body(nodes.client().get('/user/whoami', asPage(here)))
    await refused(nodes.client().get('/user/whoami', asPage(there)), 401)
  })

  it('is not for programs, and not for clients', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const { token } = await body(owner.one.post('/auth/tokens', { name: 'a bot', scope: 'all', days: 7 }), 201)
    const client = await createAccount(nodes.sql, { level: 'client' })
    for (const [path, sent] of [
      ['', { currentPassword: testPassword }],
      ['/confirm', { code: '123456' }],
      ['/codes', { currentPassword: testPassword, code: '123456' }],
      ['/remove', { currentPassword: testPassword, code: '123456' }],
    ] as const) {
      assert.deepEqual(codeOf(await nodes.client(token).post(`/auth/secondfactor${path}`, sent)), [403, 'program_refused'])
      assert.deepEqual(codeOf(await nodes.client(client.token).post(`/auth/secondfactor${path}`, sent)), [403, 'account_fixed'])
    }
  })

  it('leaves neither the secret nor a code in the database', async () => {
    const { account, phone, codes } = await guarded()
    const [row] = await nodes.sql<{ whole: string }[]>`
      select row_to_json(second_factor)::text as whole from second_factor where account_id = ${account.id}`
    for (const code of codes) for (const form of ['hex', 'utf8'] as const) assert.ok(!row?.whole.includes(Buffer.from(code).toString(form)))
    const second = await createAccount(nodes.sql)
    const { secret } = await body(nodes.client(second.token).post('/auth/secondfactor', { currentPassword: testPassword }), 201)
    const [stored] = await nodes.sql<{ secret: Buffer }[]>`select secret from second_factor where account_id = ${second.id}`
    const plain = (URI.parse(`otpauth://totp/x?secret=${secret}`) as TOTP).secret.bytes
    assert.equal(stored?.secret.includes(Buffer.from(plain)), false)
    // What was sealed for one account opens nothing in the row of another.
    await nodes.sql`update second_factor set secret = ${(stored as { secret: Buffer }).secret} where account_id = ${account.id}`
    assert.equal((await login(account.username, testPassword + phone.next())).status, 500)
  })
})

describe('signing in with a second factor', () => {
  it('asks for the digits once the password is right, and for no longer than a minute and a half', async () => {
    const { account, phone } = await guarded()
    const { username } = account
    for (const node of [0, 1]) assert.deepEqual(codeOf(await login(username, testPassword, node)), needed)
    for (const password of ['not this', `not this${phone.at(0)}`, phone.at(0)])
      assert.deepEqual(codeOf(await login(username, password)), [401, 'credentials_wrong'])
    clock.leap(10 * stepMs)
    for (const steps of [-2, 2]) assert.deepEqual(codeOf(await login(username, testPassword + phone.at(steps))), wrong)
    await body(login(username, testPassword + phone.at(-1)))
    await body(login(username, testPassword + phone.at(0)))
    await body(login(username, testPassword + phone.at(1)))
  })

  it('takes digits once, also when both nodes are asked at the same time, and none that come before', async () => {
    const { account, phone } = await guarded()
    const digits = phone.next()
    const answers = await Promise.all([0, 1, 0, 1].map((node) => login(account.username, testPassword + digits, node)))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401, 401, 401])
    assert.deepEqual(codeOf(await login(account.username, testPassword + digits)), wrong)
    assert.deepEqual(codeOf(await login(account.username, testPassword + phone.at(-1))), wrong)
    await body(login(account.username, testPassword + phone.next()))
  })

  it('takes each recovery code once, in any case', async () => {
    const { account, codes } = await guarded()
    const [first, second] = codes as [string, string]
    const client = await signedIn(account.username, testPassword + first)
    assert.deepEqual(codeOf(await login(account.username, testPassword + first, 1)), wrong)
    await body(login(account.username, testPassword + second.toUpperCase(), 1))
    assert.equal((await body(client.get('/auth/secondfactor'))).recoveryCodesLeft, 8)
    const { codes: others } = await guarded()
    assert.deepEqual(codeOf(await login(account.username, testPassword + others[0])), wrong)
  })

  it('does not take the digits again that turned it on', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const { phone } = await guard(owner.one, clock)
    assert.deepEqual(codeOf(await login(owner.username, testPassword + phone.at(0), 1)), wrong)
    await body(login(owner.username, testPassword + phone.at(1), 1))
  })

  it('makes a hash as new ones have of a password from elsewhere, without the code behind it', async () => {
    const { account, phone } = await guarded()
    await nodes.sql`update account set password_hash = ${await bcrypt(testPassword, 4)} where id = ${account.id}`
    for (let turn = 0; turn < 2; turn++) await body(login(account.username, testPassword + phone.next(), turn))
    const [row] = await nodes.sql<{ passwordHash: string }[]>`select password_hash from account where id = ${account.id}`
    assert.match(row?.passwordHash ?? '', /^\$argon2id\$/)
  })

  it('knows a password that ends with digits itself', async () => {
    const [owner] = (await people(nodes, {})) as [Person]
    const newPassword = 'harbour 202611'
    await body(owner.one.post('/user/password', { currentPassword: testPassword, newPassword }), 201)
    const { address } = await body(owner.one.post('/auth/secondfactor', { currentPassword: newPassword }), 201)
    const phone = phoneOf(address, clock)
    await body(owner.one.post('/auth/secondfactor/confirm', { code: phone.next() }), 201)
    assert.deepEqual(codeOf(await login(owner.username, newPassword)), needed)
    await body(login(owner.username, newPassword + phone.next()))
  })

  it('refuses after ten wrong codes for an hour, the right one too, and does not count right ones', async () => {
    const { account, phone } = await guarded()
    for (let i = 0; i < 12; i++) await body(login(account.username, testPassword + phone.next()))
    for (let i = 0; i < 10; i++) assert.deepEqual(codeOf(await login(account.username, testPassword + phone.at(-4), i % 2)), wrong)
    const late = await login(account.username, testPassword + phone.next(), 1)
    assert.deepEqual(codeOf(late), [429, 'too_many_attempts'])
    assert.ok(Number(late.headers['retry-after']) > 3000)
    // Asking for the code is no guess.
    assert.deepEqual(codeOf(await login(account.username, testPassword)), needed)
    const [other] = [await guarded()]
    await body(login(other.account.username, testPassword + other.phone.next()))
  })

  it('is asked for in web views, too', async () => {
    const { account, phone } = await guarded()
    const view = (password: string) =>
      fetch(`${nodes.urls[0]}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: account.username, password }),
      })
    assert.equal((await view(testPassword)).status, 401)
    const answer = await view(testPassword + phone.next())
    assert.equal(answer.status, 200)
    assert.ok(answer.headers.get('set-cookie'))
  })

  it('is asked for with every recovery', async () => {
    const { account, phone, codes } = await guarded()
    await nodes.sql`insert into registration_code (code, person_id) values ('qq7777', ${account.personId})`
    const recover = (recoveryKey: string, node = 0) =>
      nodes.client(undefined, node).post('/auth/recovery', { username: account.username, recoveryKey, newPassword: 'a new password' })
    for (const credential of [testPassword, testRecoveryKey, 'qq7777']) {
      assert.deepEqual(codeOf(await recover(credential)), [400, 'second_factor_needed'], credential)
      assert.deepEqual(codeOf(await recover(credential + phone.at(7), 1)), [400, 'second_factor_wrong'], credential)
    }
    assert.deepEqual(codeOf(await recover(`not this${phone.next()}`)), [400, 'recovery_failed'])
    await body(recover(`three test words${phone.at(0)}`, 1))
    await body(recover(`a new password${codes[3]}`))
    await body(recover(`QQ7 777${phone.next()}`))
    await body(login(account.username, `a new password${phone.next()}`))
  })

  it('is asked for where the password is, before an account is deleted', async () => {
    await onlySettings(nodes, { allowAccountDeletion: true })
    const { account, phone } = await guarded()
    const client = await signedIn(account.username, testPassword + phone.next())
    const remove = (currentPassword: string) => client.post('/user/delete', { username: account.username, currentPassword })
    assert.deepEqual(codeOf(await remove(testPassword)), [400, 'second_factor_needed'])
    assert.deepEqual(codeOf(await remove('not this')), [400, 'password_wrong'])
    await body(remove(testPassword + phone.next()))
    assert.equal((await nodes.sql`select from second_factor where account_id = ${account.id}`).length, 0)
  })

  it('opens nothing without the password: the code alone, or that of another account', async () => {
    const [one, two] = [await guarded(), await guarded()]
    const digits = two.phone.next()
    if (one.phone.at(0) !== digits && one.phone.at(-1) !== digits && one.phone.at(1) !== digits)
      assert.deepEqual(codeOf(await login(one.account.username, testPassword + digits)), wrong)
    assert.deepEqual(codeOf(await login(one.account.username, one.codes[0] as string)), [401, 'credentials_wrong'])
  })
})

describe('ending a second factor', () => {
  it('takes password and code; then the password alone signs in', async () => {
    const { account, phone, codes } = await guarded()
    const client = await signedIn(account.username, testPassword + phone.next())
    const remove = (sent: object) => client.post('/auth/secondfactor/remove', { currentPassword: testPassword, ...sent })
    assert.deepEqual(codeOf(await remove({ currentPassword: 'not this', code: phone.next() })), [400, 'password_wrong'])
    assert.deepEqual(codeOf(await remove({ code: phone.at(5) })), [400, 'second_factor_wrong'])
    await refused(remove({}), 400)
    await body(remove({ code: codes[0] }), 204)
    for (const node of [0, 1]) await body(login(account.username, testPassword, node))
    await refused(remove({ code: phone.next() }), 400)
    assert.equal((await body(client.get('/auth/secondfactor'))).isOn, false)
  })

  it('new codes end the old ones', async () => {
    const { account, phone, codes } = await guarded()
    const client = await signedIn(account.username, testPassword + codes[0])
    const renew = (code: string) => client.post('/auth/secondfactor/codes', { currentPassword: testPassword, code })
    assert.deepEqual(codeOf(await renew(codes[0] as string)), [400, 'second_factor_wrong'])
    const once = { headers: { 'idempotency-key': 'new-codes-1' } }
    const sent = { currentPassword: testPassword, code: phone.next() }
    const { recoveryCodes } = await body(client.post('/auth/secondfactor/codes', sent, once), 201)
    assert.deepEqual((await body(client.post('/auth/secondfactor/codes', sent, once), 201)).recoveryCodes, recoveryCodes)
    assert.deepEqual(codeOf(await login(account.username, testPassword + codes[1])), wrong)
    await body(login(account.username, testPassword + recoveryCodes[1], 1))
    assert.equal((await body(client.get('/auth/secondfactor'))).recoveryCodesLeft, 9)
  })

  it('a host removes one of a person, an admin one of the team; all is in the audit', async () => {
    const [tho, admin] = (await people(nodes, { level: 'tho' }, { level: 'admin' })) as [Person, Person]
    const [person, moderator] = [await guarded(), await guarded({ level: 'moderator' })]
    const remove = (by: Person, { id }: TestAccount) => by.two.post(`/admin/users/${id}/secondfactor/remove`)
    assert.equal((await body(admin.one.get(`/admin/users/${person.account.id}`))).hasSecondFactor, true)
    await refused(remove(tho, moderator.account), 403)
    await body(remove(tho, person.account), 204)
    await refused(remove(tho, person.account), 400)
    await body(remove(admin, moderator.account), 204)
    await body(login(person.account.username, testPassword))
    await body(login(moderator.account.username, testPassword, 1))
    assert.equal((await body(admin.one.get(`/admin/users/${person.account.id}`))).hasSecondFactor, false)
    const actions = await nodes.sql<{ action: string; actorId: string }[]>`
      select action, actor_id from audit where user_id = ${person.account.id} order by id`
    assert.deepEqual(
      actions.map(({ action, actorId }) => [action, actorId]),
      [
        ['setSecondFactor', person.account.id],
        ['removeSecondFactor', tho.id],
      ],
    )
  })
})

describe('a host that wants a second factor of the team', () => {
  const want = async (by: Client) =>
    body(by.post('/admin/serversettings/update', { teamSecondFactor: true, enableFeatures: [], disableFeatures: [] }))

  /** An admin with a second factor, signed in. */
  async function host(): Promise<Client> {
    const { account, phone } = await guarded({ level: 'admin' })
    return await signedIn(account.username, testPassword + phone.next())
  }

  it('has one themselves', async () => {
    const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
    const answer = await admin.one.post('/admin/serversettings/update', { teamSecondFactor: true, enableFeatures: [], disableFeatures: [] })
    assert.equal(answer.status, 400)
    assert.ok(answer.body.fieldErrors.teamSecondFactor)
    await want(await host())
  })

  it('takes the rights of the team from those without one at once, on all nodes, and gives them back with it', async () => {
    const [moderator, author] = (await people(nodes, { level: 'moderator' }, {})) as [Person, Person]
    const admin = await host()
    const { twarrtID, postID = twarrtID } = await body(author.one.post('/microblog/create', { text: 'fine', images: [] }), 201)
    await body(moderator.two.get('/mod/reports'))
    await want(admin)
    for (const client of [moderator.one, moderator.two]) {
      assert.deepEqual(codeOf(await client.get('/mod/reports')), [403, 'second_factor_required'])
      // Also where a service decides, not the route.
      await refused(client.post(`/microblog/${postID}/delete`), 403)
      const { accessLevel, needsSecondFactor } = await body(client.get('/user/whoami'))
      assert.deepEqual([accessLevel, needsSecondFactor], ['verified', true])
    }
    // An admin's rights are an admin's.
    assert.deepEqual(codeOf(await moderator.one.get('/admin/serversettings')), [403, 'level_too_low'])
    assert.equal((await body(moderator.one.get('/auth/secondfactor'))).isNeeded, true)
    assert.equal((await body(author.one.get('/auth/secondfactor'))).isNeeded, false)
    // To others they are still of the team.
    assert.equal((await body(admin.get(`/admin/users/${moderator.id}`))).accessLevel, 'moderator')
    await body(admin.get('/mod/reports'))

    const { phone } = await guard(moderator.one, clock)
    const back = await signedIn(moderator.username, testPassword + phone.next(), 1)
    await body(back.get('/mod/reports'))
    assert.equal((await body(back.get('/user/whoami'))).needsSecondFactor, undefined)
    await body(back.post('/auth/secondfactor/remove', { currentPassword: testPassword, code: phone.next() }), 204)
    for (const node of [0, 1])
      assert.deepEqual(codeOf(await nodes.client(back.token, node).get('/mod/reports')), [403, 'second_factor_required'])
  })

  it('leaves nothing of the team in the sockets of those without one, and a factor that waits is none', async () => {
    const [moderator, user, other] = (await people(nodes, { level: 'moderator' }, {}, {})) as [Person, Person, Person]
    const admin = await host()
    const report = (by: Person) => body(by.two.post(`/users/${moderator.id}/report`, { message: 'rude' }), 201)
    const hears = await browserSocket(nodes, moderator)
    await report(user)
    await hears.until(({ type }) => 'reportsChanged' in type)
    const { address } = await body(moderator.one.post('/auth/secondfactor', { currentPassword: testPassword }), 201)
    await want(admin)
    assert.deepEqual(codeOf(await moderator.two.get('/mod/reports')), [403, 'second_factor_required'])
    const before = hears.frames.length
    await report(other)
    await createSeamail(user.one, [{ id: builtIn.moderator } as Person])
    await hears.flushed()
    assert.deepEqual(hears.frames.slice(before), [])
    assert.equal((await body(moderator.one.get('/notification/global'))).moderatorData, undefined)

    // In a browser, which stays signed in, the rights are back with it, on every node.
    const cookie = await cookieOf(nodes, moderator)
    const asPage = (node = 0) => ({ headers: { origin: nodes.urls[node] as string, 'x-session': 'cookie', cookie } })
    await nodes.sql`update account set token_nonce = null, token_digest = null where id = ${moderator.id}`
    const read = (node: number) => nodes.client(undefined, node).get('/mod/reports', asPage(node))
    for (const node of [0, 1]) assert.deepEqual(codeOf(await read(node)), [403, 'second_factor_required'])
    await body(nodes.client().post('/auth/secondfactor/confirm', { code: phoneOf(address, clock).next() }, asPage()), 201)
    for (const node of [0, 1]) await body(read(node))
  })

  it('gives the rights back to all when it does not want it any more, also by a reset', async () => {
    const [moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
    const admin = await host()
    await want(admin)
    await refused(moderator.two.get('/mod/reports'), 403)
    await body(admin.post('/admin/serversettings/update', { teamSecondFactor: false, enableFeatures: [], disableFeatures: [] }))
    for (const client of [moderator.one, moderator.two]) await body(client.get('/mod/reports'))
    await want(admin)
    await refused(moderator.two.get('/mod/reports'), 403)
    await body(admin.post('/admin/settings/teamSecondFactor/reset'))
    for (const client of [moderator.one, moderator.two]) await body(client.get('/mod/reports'))
  })

  it('lets the team into a server that is closed to all others, to set it up', async () => {
    const [moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
    const admin = await host()
    await want(admin)
    await body(admin.post('/admin/serversettings/update', { minUserAccessLevel: 'moderator', enableFeatures: [], disableFeatures: [] }))
    const client = await signedIn(moderator.username, testPassword)
    const { phone } = await guard(client, clock)
    await body((await signedIn(moderator.username, testPassword + phone.next())).get('/mod/reports'))
  })

  it('asks it of one who becomes a moderator', async () => {
    const [user] = (await people(nodes, {})) as [Person]
    const admin = await host()
    await want(admin)
    await body(admin.post(`/admin/moderator/promote/${user.id}`))
    const client = await signedIn(user.username, testPassword)
    assert.deepEqual(codeOf(await client.get('/mod/reports')), [403, 'second_factor_required'])
    assert.equal((await body(client.get('/user/whoami'))).needsSecondFactor, true)
  })
})
