// /user: creating and verifying accounts, passwords, names, own profiles.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { createAccount, createAccounts, testPassword, testRecoveryKey, type AccountOptions, type TestAccount } from '../support/accounts.ts'
import { disable } from '../support/settings.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const password = 'secret words'
const inAnHour = () => new Date(Date.now() + 3_600_000)
const anHourAgo = () => new Date(Date.now() - 3_600_000)
let names = 0
const newName = () => `fresh${++names}`

async function caller(options: AccountOptions = {}, node = 0): Promise<TestAccount & { client: Client }> {
  const account = await createAccount(nodes.sql, options)
  return { ...account, client: nodes.client(account.token, node) }
}

async function addCode(code: string): Promise<string> {
  await nodes.sql`insert into registration_code (code) values (${code})`
  return code
}

const ownerOf = async (code: string) =>
  (await nodes.sql<{ owner: string | null }[]>`select person_id as owner from registration_code where code = ${code}`)[0]?.owner
const whoAmI = (username: string, secret = password, node = 0): Promise<Answer> =>
  nodes.client(undefined, node).get('/user/whoami', { basic: [username, secret] })

function assertFields(answer: Answer, ...fields: string[]): void {
  assert.equal(answer.status, 400)
  assert.deepEqual(Object.keys(answer.body.fieldErrors ?? {}).sort(), fields.sort())
}

const badNames: [what: string, username: string][] = [
  ['empty', ''],
  ['one character', 'x'],
  ['51 characters', 'x'.repeat(51)],
  ['a space', 'two words'],
  ['a symbol', 'a$b'],
  ['an @', '@name'],
  ['an emoji', 'smile😀'],
  ['a separator first', '_name'],
  ['a separator last', 'name-'],
  ['a combining mark first', '\u0301name'],
  ['a slash', 'a/b'],
  ['a line break', 'a\nb'],
  ['two characters that hide thousands', `x${'\u0301'.repeat(5000)}y`],
  ['a zero-width character', 'a\u200bb'],
]

describe('POST /user/create', () => {
  const create = (body: unknown, node = 0): Promise<Answer> => nodes.client(undefined, node).post('/user/create', body)
  /** By a client that does not know whether it has done so before. */
  const createOnce = (body: unknown, node = 0): Promise<Answer> =>
    nodes.client(undefined, node).post('/user/create', body, { headers: { 'idempotency-key': 'the same' } })

  it('makes an unverified account, shows the recovery key once, and does not log in', async () => {
    const username = newName()
    const { status, body } = await create({ username, password, verification: '' })
    assert.equal(status, 201)
    assert.match(body.recoveryKey, /^[a-z]+ [a-z]+ [a-z]+$/)
    assert.deepEqual(Object.keys(body).sort(), ['recoveryKey', 'userID', 'username'])
    const me = await whoAmI(username, password, 1)
    assert.deepEqual(me.body, { userID: body.userID, username, isLoggedIn: false, accessLevel: 'unverified', roles: [] })
    const [row] = await nodes.sql`select token_digest, user_search, person_id from account where id = ${body.userID}`
    assert.deepEqual(row, { tokenDigest: null, userSearch: `@${username}`, personId: body.userID })
    const recovered = await nodes
      .client()
      .post('/auth/recovery', { username, recoveryKey: body.recoveryKey.toUpperCase(), newPassword: password })
    assert.equal(recovered.status, 200)
  })

  it('makes a verified account with a code, in the form people type it', async () => {
    await addCode('cr8001')
    const username = newName()
    const { status, body } = await create({ username, password, verification: 'CR8 001' })
    assert.equal(status, 201)
    assert.equal((await whoAmI(username)).body.accessLevel, 'verified')
    assert.equal(await ownerOf('cr8001'), body.userID)
  })

  it('gives a code to one of two who try at once', async () => {
    await addCode('cr8002')
    const answers = await Promise.all([0, 1].map((node) => create({ username: newName(), password, verification: 'cr8002' }, node)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  })

  it('gives a name to one of two who try at once', async () => {
    const username = newName()
    const answers = await Promise.all([create({ username, password }, 0), create({ username: username.toUpperCase(), password }, 1)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  })

  it('answers once more to the same attempt, whose answer was lost; to nobody else, and not for ever', async () => {
    await addCode('cr8011')
    for (const verification of ['cr8011', undefined]) {
      const wanted = { username: newName(), password, verification }
      const first = await create(wanted)
      assert.equal(first.status, 201)
      assert.equal((await create(wanted)).status, 409, 'without a key')
      const again = await createOnce(wanted, 1)
      assert.deepEqual([again.status, again.body], [201, first.body])
      for (const other of [{ password: 'another password' }, { verification: 'cr8012' }, { username: wanted.username.toUpperCase() }])
        assert.equal((await createOnce({ ...wanted, ...other })).status, 409, JSON.stringify(other))
      await nodes.sql`update account set created_at = created_at - interval '1 hour' where id = ${first.body.userID}`
      assert.equal((await createOnce(wanted)).status, 409)
      const { username } = wanted
      const recovery = { username, recoveryKey: again.body.recoveryKey, newPassword: 'a later password' }
      assert.equal((await nodes.client().post('/auth/recovery', recovery)).status, 200, 'the key is the right one')
    }
  })

  it('answers the same to one who asks twice at once', async () => {
    await addCode('cr8013')
    const wanted = { username: newName(), password, verification: 'cr8013' }
    const answers = await Promise.all([createOnce(wanted, 0), createOnce(wanted, 1), createOnce(wanted, 0)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201],
    )
    for (const answer of answers) assert.deepEqual(answer.body, answers[0]?.body)
  })

  it('does not show the recovery key to who changes the password afterwards', async () => {
    const username = newName()
    await create({ username, password })
    const { token } = (await nodes.client().post('/auth/login', undefined, { basic: [username, password] })).body
    await nodes.client(token).post('/user/password', { currentPassword: password, newPassword: 'a later password' })
    for (const each of [password, 'a later password']) assert.equal((await createOnce({ username, password: each })).status, 409)
  })

  it('checks the content, then the name, then whether the code exists, then whether it is free', async () => {
    const { username } = await caller()
    await addCode('cr8003')
    assert.equal((await create({ username: newName(), password, verification: 'cr8003' })).status, 201)
    assertFields(await create({ username, password: 'short', verification: 'cr8003' }), 'password')
    assert.equal((await create({ username: username.toUpperCase(), password, verification: 'nocode' })).status, 409)
    const fresh = newName()
    const unknown = await create({ username: fresh, password, verification: 'nocode' })
    assert.equal(unknown.status, 400)
    assert.equal(unknown.body.fieldErrors, undefined)
    assert.equal((await create({ username: fresh, password, verification: 'cr8003' })).status, 409)
    assert.equal((await whoAmI(fresh)).status, 401, 'nothing is left of the refused ones')
  })

  it('refuses the names of built-in accounts in any case', async () => {
    for (const username of ['Admin', 'tho', 'MODERATOR', 'serviceteam', 'prometheus', 'microkaraoke'])
      assert.equal((await create({ username, password })).status, 409)
  })

  for (const [what, username] of badNames) {
    it(`refuses a name with ${what}`, async () => assertFields(await create({ username, password }), 'username'))
  }

  for (const username of ['ab', 'x'.repeat(50), '1st', 'a.b+c_d-e', 'Zoë', 'Ζωή', '船長', 'e\u0301t\u0301']) {
    it(`takes the name ${username}`, async () =>
      assert.equal((await create({ username: username + (username.length < 40 ? ++names : ''), password })).status, 201))
  }

  it('treats two spellings of one accented name as one', async () => {
    assert.equal((await create({ username: 'Ren\u00e9e', password })).status, 201)
    assert.equal((await create({ username: 'Rene\u0301e', password })).status, 409)
  })

  it('lists everything that is wrong', async () => {
    const answer = await create({ username: '-', password: '12345', verification: 'abc12!' })
    assertFields(answer, 'username', 'password', 'verification')
    assert.ok(answer.body.fieldErrors.username.includes(' and '))
    assert.ok(answer.body.reason.includes('; '))
  })

  it('counts characters as people do in passwords', async () => {
    const family = '👨‍👩‍👧‍👦'
    assertFields(await create({ username: newName(), password: family.repeat(5) }), 'password')
    assertFields(await create({ username: newName(), password: family.repeat(51) }), 'password')
    const username = newName()
    assert.equal((await create({ username, password: family.repeat(50) })).status, 201)
    assert.equal((await whoAmI(username, family.repeat(50))).status, 200)
  })

  it('reports a wrong shape alone', async () => {
    for (const body of [
      { password },
      { username: newName() },
      { username: 7, password },
      { username: null, password },
      [],
      'text',
      { username: 'a\0b', password },
      { username: 'a\ud800b', password },
      { username: newName(), password, verification: 3 },
    ]) {
      const answer = await create(body)
      assert.equal(answer.status, 400, JSON.stringify(body))
      assert.equal(answer.body.fieldErrors, undefined)
    }
    assert.equal((await nodes.client().post('/user/create')).status, 422)
  })

  it('is switched off with the feature registration', async () => {
    await disable(nodes, 'registration')
    try {
      assert.equal((await create({ username: newName(), password })).status, 451)
    } finally {
      await disable(nodes)
    }
  })
})

describe('GET /user/whoami', () => {
  it('tells token from password, and shows roles', async () => {
    const me = await caller({ roles: ['karaokemanager', 'shutternaut'] })
    const expected = { userID: me.id, username: me.username, accessLevel: 'verified', roles: ['karaokemanager', 'shutternaut'] }
    assert.deepEqual((await me.client.get('/user/whoami')).body, { ...expected, isLoggedIn: true })
    assert.deepEqual((await whoAmI(me.username, testPassword)).body, { ...expected, isLoggedIn: false })
  })
  it('refuses strangers with 401 and banned accounts with 401 or, by password, 403', async () => {
    const banned = await caller({ level: 'banned' })
    assert.equal((await nodes.client().get('/user/whoami')).status, 401)
    assert.equal((await banned.client.get('/user/whoami')).status, 401)
    assert.equal((await whoAmI(banned.username, testPassword)).status, 403)
  })
})

describe('POST /user/verify', () => {
  const verify = (client: Client, verification: string) => client.post('/user/verify', { verification })

  it('makes the account verified on all nodes at once, by token or by password', async () => {
    const me = await caller({ level: 'unverified' })
    const elsewhere = nodes.client(me.token, 1)
    assert.equal((await elsewhere.get('/user/whoami')).body.accessLevel, 'unverified')
    await addCode('ve7001')
    const answer = await verify(me.client, 'VE7 001')
    assert.deepEqual([answer.status, answer.body], [200, undefined])
    assert.equal((await elsewhere.get('/user/whoami')).body.accessLevel, 'verified')
    assert.equal(await ownerOf('ve7001'), me.id)

    await addCode('ve7002')
    const byPassword = await createAccount(nodes.sql, { level: 'unverified' })
    assert.equal(
      (await nodes.client().post('/user/verify', { verification: 've7002' }, { basic: [byPassword.username, testPassword] })).status,
      200,
    )
  })

  it('refuses wrong lengths, unknown codes, codes in use, and who is verified already', async () => {
    await addCode('ve7003')
    await addCode('ve7004')
    const me = await caller({ level: 'unverified' })
    assertFields(await verify(me.client, '12345'), 'verification')
    assertFields(await verify(me.client, '12345678'), 'verification')
    assert.equal((await verify(me.client, 'nocode')).status, 400)
    assert.equal((await verify((await caller({ level: 'unverified' })).client, 've7003')).status, 200)
    assert.equal((await verify(me.client, 've7003')).status, 409)
    assert.equal((await verify(me.client, 've7004')).status, 200)
    assert.equal((await verify(me.client, 've7004')).status, 400)
  })

  for (const level of ['quarantined', 'verified', 'client', 'moderator'] as const) {
    it(`refuses ${level} accounts without a code, and leaves their level`, async () => {
      const code = await addCode(`le${names++}`.padEnd(6, 'x'))
      const me = await caller({ level })
      assert.equal((await verify(me.client, code)).status, 400)
      assert.equal((await me.client.get('/user/whoami')).body.accessLevel, level)
      assert.equal(await ownerOf(code), null)
    })
  }

  it('binds one code to one person when several try at once', async () => {
    await addCode('ve7005')
    await addCode('ve7006')
    const people = await Promise.all([caller({ level: 'unverified' }), caller({ level: 'unverified' }, 1)])
    assert.deepEqual(
      (await Promise.all(people.map(({ client }) => verify(client, 've7005')))).map(({ status }) => status).sort(),
      [200, 409],
    )
    const me = await caller({ level: 'unverified' })
    await addCode('ve7007')
    const mine = await Promise.all([verify(me.client, 've7006'), verify(nodes.client(me.token, 1), 've7007')])
    assert.deepEqual(mine.map(({ status }) => status).sort(), [200, 400])
  })

  it('asks for a pause after many wrong codes', async () => {
    const me = await caller({ level: 'unverified' })
    const answers = await Promise.all(Array.from({ length: 310 }, () => verify(me.client, 'nocode')))
    assert.ok(answers.some(({ status, headers }) => status === 429 && Number(headers['retry-after']) > 0))
    assert.ok(answers.every(({ status }) => status === 429 || status === 400))
  })
})

describe('POST /user/password', () => {
  const change = (client: Client, currentPassword: string, newPassword: string) =>
    client.post('/user/password', { currentPassword, newPassword })

  it('changes the password; the token stays', async () => {
    const me = await caller()
    const answer = await change(me.client, testPassword, 'another one')
    assert.deepEqual([answer.status, answer.body], [201, undefined])
    assert.equal((await whoAmI(me.username, testPassword)).status, 401)
    assert.equal((await whoAmI(me.username, 'another one', 1)).status, 200)
    assert.equal((await nodes.client(me.token, 1).get('/user/whoami')).status, 200)
  })
  it('refuses a wrong current password, bad new ones, and clients once their body is right', async () => {
    const me = await caller()
    assert.equal((await change(me.client, 'wrong one', 'another one')).status, 400)
    assertFields(await change(me.client, 'wrong one', 'short'), 'newPassword')
    const bot = await caller({ level: 'client' })
    assert.equal((await bot.client.post('/user/password', 'not json')).status, 400)
    assert.equal((await change(bot.client, testPassword, 'another one')).status, 403)
    assert.equal(
      (
        await nodes
          .client()
          .post('/user/password', { currentPassword: testPassword, newPassword: 'another one' }, { basic: [me.username, testPassword] })
      ).status,
      401,
    )
  })
  it('does not let the password be guessed', async () => {
    const me = await caller()
    let last = await change(me.client, 'wrong one', 'another one')
    for (let attempt = 0; attempt < 10; attempt++) last = await change(me.client, 'wrong one', 'another one')
    assert.equal(last.status, 429)
  })
  it('lets one of two changes at once win', async () => {
    const me = await caller()
    const answers = await Promise.all([
      change(me.client, testPassword, 'winner one'),
      change(nodes.client(me.token, 1), testPassword, 'winner two'),
    ])
    const winners = ['winner one', 'winner two'].filter((_name, index) => answers[index]?.status === 201)
    assert.equal((await whoAmI(me.username, winners.at(-1))).status, 200)
  })
})

describe('POST /user/add', () => {
  const add = (client: Client, username = newName(), extra: object = {}): Promise<Answer> =>
    client.post('/user/add', { username, password, ...extra })

  it('adds a sub-account that shares code, recovery key and blocks, and is not logged in', async () => {
    const me = await caller()
    const enemy = await caller({}, 1)
    assert.equal((await me.client.post(`/users/${enemy.id}/block`)).status, 201)
    const { status, body } = await add(me.client, undefined, { verification: 'ignored, whatever it is'.slice(0, 6) })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body).sort(), ['userID', 'username'])
    const login = await nodes.client(undefined, 1).post('/auth/login', undefined, { basic: [body.username, password] })
    assert.equal(login.body.accessLevel, 'verified')
    assert.equal((await enemy.client.get(`/users/${body.userID}`)).status, 400, 'hidden from whom the person blocks')
    assert.equal((await nodes.client(login.body.token).get(`/users/${enemy.id}`)).status, 400)
    assert.equal(
      (await nodes.client().post('/auth/recovery', { username: body.username, recoveryKey: testRecoveryKey, newPassword: password }))
        .status,
      200,
    )
    const nested = await add(nodes.client(login.body.token))
    assert.equal(
      (await nodes.sql`select person_id from account where id = ${nested.body.userID}`)[0]?.['personId'],
      me.id,
      'there are no sub-accounts of sub-accounts',
    )
  })

  it('allows six, also when they are added at once', async () => {
    const me = await caller()
    const answers = await Promise.all(Array.from({ length: 9 }, (_, index) => add(nodes.client(me.token, index % 2))))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 201, 201, 201, 201, 400, 400, 400])
  })

  it('gives moderators ordinary sub-accounts', async () => {
    const me = await caller({ level: 'moderator' })
    const { body } = await add(me.client)
    assert.equal((await whoAmI(body.username)).body.accessLevel, 'verified')
  })

  it('refuses taken names, bad content, and who may not create', async () => {
    const me = await caller()
    assert.equal((await add(me.client, me.username.toUpperCase())).status, 409)
    assertFields(await me.client.post('/user/add', { username: '_', password: 'short' }), 'username', 'password')
    for (const level of ['unverified', 'quarantined'] as const) assert.equal((await add((await caller({ level })).client)).status, 403)
    assert.equal((await add((await caller({ tempQuarantineUntil: inAnHour() })).client)).status, 403)
    assert.equal((await add((await caller({ level: 'moderator', tempQuarantineUntil: inAnHour() })).client)).status, 403)
    assert.equal((await add((await caller({ tempQuarantineUntil: anHourAgo() })).client)).status, 201)
    assert.equal((await add(nodes.client())).status, 401)
  })

  it('is safe to repeat with an Idempotency-Key', async () => {
    const me = await caller()
    const username = newName()
    const send = () => me.client.post('/user/add', { username, password }, { headers: { 'idempotency-key': 'add-1' } })
    const first = await send()
    assert.deepEqual((await send()).body, first.body)
    assert.equal(first.status, 201)
  })
})

describe('POST /user/username', () => {
  const rename = (client: Client, username: string, id?: string) =>
    client.post(id === undefined ? '/user/username' : `/user/${id}/username`, { username })
  const edits = async ({ id }: TestAccount) =>
    await nodes.sql<
      { username: string; editorId: string }[]
    >`select username, editor_id from profile_edit where account_id = ${id} order by created_at`
  /** As if the last change were 21 hours old. */
  const waitADay = async ({ id }: TestAccount) => {
    await nodes.sql`update profile_edit set created_at = created_at - interval '21 hours' where account_id = ${id}`
  }

  it('changes the name on all nodes at once, and what searches look at', async () => {
    const me = await caller({ displayName: 'Captain', realName: 'Jo Doe' })
    const [viewer, elsewhere] = [nodes.client((await caller()).token, 1), nodes.client(me.token, 1)]
    await viewer.get(`/users/${me.id}`)
    await elsewhere.get('/user/whoami')
    const username = newName()
    const answer = await rename(me.client, username)
    assert.deepEqual([answer.status, answer.body], [201, undefined])
    assert.equal((await viewer.get(`/users/${me.id}`)).body.username, username)
    assert.equal((await elsewhere.get('/user/whoami')).body.username, username)
    assert.equal((await viewer.get(`/users/find/${me.username}`)).status, 400)
    assert.equal((await viewer.get(`/users/find/${username.toUpperCase()}`)).body.userID, me.id)
    const [row] = await nodes.sql`select user_search from account where id = ${me.id}`
    assert.equal(row?.['userSearch'], `Captain (@${username}) - Jo Doe`)
    assert.deepEqual([...(await edits(me))], [{ username: me.username, editorId: me.id }])
  })

  it('is allowed once in 20 hours', async () => {
    const me = await caller()
    assert.equal((await rename(me.client, newName())).status, 201)
    assert.equal((await rename(me.client, newName())).status, 403)
    assert.equal((await rename(nodes.client(me.token, 1), me.username)).status, 403)
    assert.equal((await edits(me)).length, 1, 'a refused change leaves no log entry')
    await waitADay(me)
    assert.equal((await rename(me.client, newName())).status, 201)
  })

  it('is not limited by profile changes, nor for moderators who change others', async () => {
    const me = await caller()
    await me.client.post('/user/profile', { displayName: 'Somebody' })
    assert.equal((await rename(me.client, newName())).status, 201)
    const moderator = await caller({ level: 'moderator' })
    for (let time = 0; time < 2; time++) assert.equal((await rename(moderator.client, newName(), me.id)).status, 201)
    const log =
      await nodes.sql`select action_type, content_type, content_id, moderator_id, target_user_id from moderator_action where target_user_id = ${me.id}`
    assert.equal(log.length, 2)
    assert.deepEqual(log[0], {
      actionType: 'edit',
      contentType: 'userProfile',
      contentId: me.id,
      moderatorId: moderator.id,
      targetUserId: me.id,
    })
    assert.equal((await rename(moderator.client, newName())).status, 201)
    assert.equal((await rename(moderator.client, newName(), moderator.id)).status, 403, 'moderators are limited for themselves')
    assert.equal((await nodes.sql`select from moderator_action where target_user_id = ${moderator.id}`).length, 0)
  })

  it('allows another case of the own name', async () => {
    const me = await caller()
    assert.equal((await rename(me.client, me.username.toUpperCase())).status, 201)
  })

  it('refuses names of others in any case, also of two at once', async () => {
    const [me, other] = [await caller(), await caller({}, 1)]
    assert.equal((await rename(me.client, other.username.toUpperCase())).status, 409)
    const username = newName()
    assert.deepEqual(
      (await Promise.all([rename(me.client, username), rename(other.client, username.toUpperCase())])).map(({ status }) => status).sort(),
      [201, 409],
    )
  })

  it('answers 409 for a taken name before 403 for changing too often', async () => {
    const [me, other] = [await caller(), await caller()]
    await rename(me.client, newName())
    assert.equal((await rename(me.client, other.username)).status, 409)
  })

  it('refuses built-in and client accounts with 400', async () => {
    const login = await nodes.client().post('/auth/login', undefined, { basic: ['admin', 'password'] })
    const admin = nodes.client(login.body.token)
    assert.match((await rename(admin, newName())).body.reason, /cannot be changed/)
    const bot = await caller({ level: 'client' })
    assert.equal((await rename(bot.client, newName())).status, 400)
    for (const { id } of await nodes.sql<{ id: string }[]>`select id from account where special`)
      assert.equal((await rename(admin, newName(), id)).status, 400)
  })

  it('refuses callers who may not change the profile with 403, once their body is right', async () => {
    for (const options of [
      { level: 'quarantined' },
      { tempQuarantineUntil: inAnHour() },
      { level: 'moderator', tempQuarantineUntil: inAnHour() },
    ] as const) {
      const { client } = await caller(options)
      assert.equal((await client.post('/user/username', 'not json')).status, 400)
      assert.equal((await rename(client, newName())).status, 403)
    }
    for (const status of ['quarantined', 'autoQuarantined', 'locked'] as const) {
      const me = await caller()
      await nodes.sql`update account set moderation_status = ${status} where id = ${me.id}`
      assert.equal((await rename(me.client, newName())).status, 403)
      assert.equal((await rename((await caller({ level: 'moderator' })).client, newName(), me.id)).status, 201)
    }
    const [me, other] = [await caller(), await caller()]
    assert.equal((await rename(me.client, newName(), other.id)).status, 403)
    assert.equal((await rename(me.client, newName(), me.id)).status, 201, 'the own id is allowed')
    assert.equal((await rename((await caller({ level: 'unverified' })).client, newName())).status, 201, 'before being verified')
  })

  it('answers an unknown user as a hidden one', async () => {
    const [me, enemy] = [await caller(), await caller()]
    await enemy.client.post(`/users/${me.id}/block`)
    const [unknown, hidden, malformed] = [
      await rename(me.client, newName(), '7c9e6679-7425-40de-944b-e07fc1f90ae7'),
      await rename(me.client, newName(), enemy.id),
      await rename(me.client, newName(), 'nonsense'),
    ]
    assert.equal(unknown.status, 400)
    assert.deepEqual(unknown.body, hidden.body)
    assert.equal(malformed.status, 400)
  })

  for (const [what, username] of badNames) {
    it(`refuses a name with ${what}`, async () => assertFields(await rename((await caller()).client, username), 'username'))
  }
})

describe('GET and POST /user/profile', () => {
  const full = {
    displayName: 'Captain',
    realName: 'Jo Doe',
    preferredPronoun: 'they/them',
    homeLocation: 'At sea',
    roomNumber: '10234',
    email: 'jo@sea.example',
    message: 'Ahoy there',
    about: 'Likes long voyages.',
    dinnerTeam: 'red',
    discordUsername: 'jo',
  }

  it('replaces the whole profile, for everybody on all nodes at once', async () => {
    const me = await caller()
    const viewer = (await caller({}, 1)).client
    await viewer.get(`/users/${me.id}`)
    const answer = await me.client.post('/user/profile', full)
    const header = { userID: me.id, username: me.username, displayName: 'Captain', preferredPronoun: 'they/them' }
    const { displayName, preferredPronoun, ...rest } = full
    assert.deepEqual([answer.status, answer.body], [200, { ...rest, header, isFavorite: false, displayName, preferredPronoun }])
    assert.deepEqual((await me.client.get('/user/profile')).body, answer.body)
    assert.deepEqual((await viewer.get(`/users/${me.id}/header`)).body, header)
    assert.deepEqual((await viewer.get(`/users/${me.id}/profile`)).body, { ...rest, header, isFavorite: false })
    assert.equal(
      (await viewer.get('/users/match/allnames/jo%20doe')).body.some(
        (found: { userSearch: string }) => found.userSearch === `Captain (@${me.username}) - Jo Doe`,
      ),
      true,
    )

    const cleared = await me.client.post('/user/profile', {
      displayName: '',
      realName: null,
      header: { userID: me.id, username: 'Ignored' },
    })
    const empty = {
      header: { userID: me.id, username: me.username },
      realName: '',
      homeLocation: '',
      roomNumber: '',
      email: '',
      about: '',
      message: '',
      isFavorite: false,
    }
    assert.deepEqual(cleared.body, empty)
    const log = await nodes.sql<
      { profile: object; username: string }[]
    >`select profile, username from profile_edit where account_id = ${me.id} order by created_at, id`
    assert.equal(log.length, 2)
    assert.ok(log.some(({ profile }) => JSON.stringify(profile) === JSON.stringify({ header: { userID: me.id, username: me.username } })))
    assert.ok(log.some(({ profile }) => 'about' in profile && profile.about === full.about))
  })

  it('needs no token yet', async () => {
    const me = await createAccount(nodes.sql, { level: 'unverified' })
    const basic: [string, string] = [me.username, testPassword]
    assert.equal((await nodes.client().post('/user/profile', { displayName: 'New here' }, { basic })).status, 200)
    assert.equal((await nodes.client(undefined, 1).get('/user/profile', { basic })).body.displayName, 'New here')
    assert.equal((await nodes.client().get('/user/profile')).status, 401)
  })

  it('refuses every field that is too short or too long', async () => {
    const { client } = await caller()
    const fields = {
      displayName: [2, 50],
      realName: [2, 50],
      preferredPronoun: [2, 50],
      homeLocation: [2, 50],
      roomNumber: [4, 20],
      email: [4, 50],
      message: [4, 80],
      about: [4, 400],
    }
    const of = (length: (limits: number[]) => number) =>
      Object.fromEntries(Object.entries(fields).map(([field, limits]) => [field, 'x'.repeat(length(limits))]))
    assertFields(
      await client.post(
        '/user/profile',
        of(([min]) => min! - 1),
      ),
      ...Object.keys(fields),
    )
    assertFields(
      await client.post(
        '/user/profile',
        of(([, max]) => max! + 1),
      ),
      ...Object.keys(fields),
    )
    assert.equal(
      (
        await client.post(
          '/user/profile',
          of(([min]) => min!),
        )
      ).status,
      200,
    )
    assert.equal(
      (
        await client.post(
          '/user/profile',
          of(([, max]) => max!),
        )
      ).status,
      200,
    )
    assert.equal((await client.post('/user/profile', { dinnerTeam: 'blue' })).status, 400)
  })

  it('refuses callers who may not change it with 403, once their body is right', async () => {
    for (const options of [{ level: 'quarantined' }, { tempQuarantineUntil: inAnHour() }] as const) {
      const { client } = await caller(options)
      assert.equal((await client.post('/user/profile', 'not json')).status, 400)
      assert.equal((await client.post('/user/profile', full)).status, 403)
    }
    const [me, other] = [await caller(), await caller()]
    assert.equal((await me.client.post(`/user/${other.id}/profile`, full)).status, 403)
    assert.equal((await me.client.post(`/user/${me.id}/profile`, full)).status, 200)
    assert.equal((await me.client.post('/user/7c9e6679-7425-40de-944b-e07fc1f90ae7/profile', full)).status, 400)
  })

  it('lets moderators change the profiles of others, and logs it', async () => {
    const [me, moderator] = [await caller(), await caller({ level: 'moderator' }, 1)]
    const answer = await moderator.client.post(`/user/${me.id}/profile`, { about: 'Edited' })
    assert.deepEqual([answer.status, answer.body.header.userID, answer.body.about], [200, me.id, 'Edited'])
    assert.equal(
      (
        await nodes.sql`select from moderator_action where moderator_id = ${moderator.id} and target_user_id = ${me.id} and action_type = 'edit'`
      ).length,
      1,
    )
    assert.equal((await nodes.sql`select from profile_edit where account_id = ${me.id} and editor_id = ${moderator.id}`).length, 1)
  })

  it('withholds a quarantined profile from everybody but moderators, its owner included', async () => {
    const me = await caller({ displayName: 'Captain' })
    await me.client.post('/user/profile', full)
    await nodes.sql`update account set moderation_status = 'quarantined' where id = ${me.id}`
    const own = (await me.client.get('/user/profile')).body
    const { displayName: _name, ...header } = { userID: me.id, username: me.username, displayName: '', preferredPronoun: 'they/them' }
    assert.deepEqual(own, {
      header,
      realName: '',
      homeLocation: '',
      roomNumber: '',
      email: '',
      about: '',
      message: own.message,
      isFavorite: false,
    })
    assert.match(own.message, /review/)
    const moderator = (await caller({ level: 'moderator' })).client
    assert.equal((await moderator.get(`/users/${me.id}/profile`)).body.about, full.about)
  })

  it('puts a reviewed profile that its owner changes up for review again', async () => {
    const me = await caller()
    await nodes.sql`update account set moderation_status = 'modReviewed' where id = ${me.id}`
    await me.client.post('/user/profile', full)
    assert.equal((await nodes.sql`select moderation_status from account where id = ${me.id}`)[0]?.['moderationStatus'], 'normal')
  })
})

describe('two accounts made in one go', () => {
  it('can both be used at once', async () => {
    const made = await createAccounts(
      nodes.sql,
      Array.from({ length: 50 }, () => ({})),
    )
    const answers = await Promise.all(made.map(({ token }, index) => nodes.client(token, index % 2).get('/user/whoami')))
    assert.deepEqual(
      answers.map(({ body }) => body.userID),
      made.map(({ id }) => id),
    )
  })
})

describe('whatever is sent', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '\0', '\ud800', 'a'.repeat(100_000), '%', "'", '\u0301'.repeat(3000), 'james', 'abcabc'),
  )
  const value = fc.oneof(text, fc.jsonValue(), fc.constantFrom(null, -0, 1e308, 2 ** 53))
  const fields = [
    'username',
    'password',
    'verification',
    'currentPassword',
    'newPassword',
    'recoveryKey',
    'displayName',
    'realName',
    'about',
    'dinnerTeam',
    'header',
    'message',
  ] as const
  const body = fc.oneof(value, fc.record(Object.fromEntries(fields.map((field) => [field, value])), { requiredKeys: [] }))
  const posts = [
    '/user/create',
    '/user/add',
    '/user/verify',
    '/user/password',
    '/user/username',
    '/user/profile',
    '/auth/recovery',
    '/auth/login',
  ]
  const paths = ['/users/find/', '/users/match/allnames/', '/users/match/username/', '/users/']

  it('is refused or taken, but never a failure of the server', async () => {
    const me = await caller()
    const send = async (path: string, what: unknown, segment: string) => {
      const answers = await Promise.all([
        me.client.post(path, typeof what === 'string' && what.isWellFormed() ? what : JSON.stringify(what)),
        ...paths.map((prefix) => me.client.get(prefix + encodeURIComponent(segment.toWellFormed()))),
      ])
      for (const { status } of answers) assert.ok(status < 500, `${path} answered ${status}`)
    }
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...posts),
        body,
        fc.oneof(
          text.map((long) => long.slice(0, 500)),
          fc.constant('ab'),
        ),
        send,
      ),
      { numRuns: 150 },
    )
  })
})
