// Names that look like others: nobody can take one, whatever script, case or invisible mark it is made with.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import { completeLooks } from '../../src/users/queries.ts'
import { looksOf } from '../../src/text/usernames.ts'
import { createAccount, createAccounts, testPassword } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, refused, type Person } from '../support/fez.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1)
})
after(() => nodes.stop())

const create = (username: string) => nodes.client().post('/user/create', { username, password: testPassword })

test('POST /user/create: no name that looks like one of the team or of anybody', async () => {
  for (const name of ['jameson', 'Isabel', 'lisa.marie', 'Müller', 'corn+flake', 'Ольга', 'agent007']) await body(create(name), 201)
  const looksLike = [
    // Letters of other scripts.
    '\u0430dmin',
    'adm\u0456n',
    '\u0430\u0501min',
    'АDMIN',
    'ADM\u0406N',
    '\u13aadmin',
    'm\u043eder\u0430t\u043er',
    'S\u0435rviceTeam',
    'Twit\u0430rrTeam',
    'j\u0430mes\u043en',
    // Other forms of the same letters.
    '\uff41\uff44\uff4d\uff49\uff4e',
    '\u{1d41a}dmin',
    '\u24d0dmin'.replace('\u24d0', '\u1d43'),
    'a\uff44min',
    'ﬁ'.replace('ﬁ', 'adm\u2170n'),
    // The same in one font or another.
    'Iisa.marie',
    '1isa.marie',
    'lsabel',
    'adrnin',
    'com+flake',
    'agentOO7',
    'Mu\u0308ller',
    'Ольгa',
  ]
  for (const name of looksLike) {
    const { status, body: answer } = await create(name)
    assert.deepEqual([status, answer.code], [409, 'username_taken'], `${name} ${JSON.stringify(looksOf(name))}`)
  }
  for (const name of ['jamesons', 'Isabella', 'lisa', 'Muller', 'corn', 'Олег', 'agent07']) await body(create(name), 201)
})

test('POST /user/create: no characters that cannot be seen', async () => {
  for (const mark of ['\ufe0f', '\u034f', '\u115f', '\u3164', '\u{e0100}', '\u180b', '\u17b4']) {
    const { status, body: answer } = await create(`quentin${mark}`)
    assert.equal(status, 400, `U+${mark.codePointAt(0)?.toString(16)}`)
    assert.ok(answer.fieldErrors.username)
  }
})

test('of two that look alike and come at once, one is made', async () => {
  const number = randomInt(1e6)
  const spellings = ['s\u0441ott', '\u0455cott', 'sc\u043ett', 'scott', 'SCOTT'].map((name) => `${name}x${number}`)
  const answers = await Promise.all(spellings.map(create))
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted(),
    [201, ...spellings.slice(1).map(() => 409)],
    JSON.stringify(spellings.map(looksOf)),
  )
})

test('POST /user/username and POST /user/add: as for new accounts; the own name in another case is free', async () => {
  const [person] = (await people(nodes, {})) as [Person]
  assert.match(await refused(person.one.post('/user/username', { username: '\u0430dmin' }), 409), /taken/)
  assert.match(await refused(person.one.post('/user/add', { username: 'm\u043ederator', password: testPassword }), 409), /taken/)
  await refused(person.one.post('/user/username', { username: 'quentin\ufe0f' }), 400)
  const name = `renamed${randomInt(1e9)}`
  await body(person.one.post('/user/username', { username: name }), 201)
  await refused(create(name.replace('e', '\u0435')), 409)
  await body(create(person.username), 201)
})

test('names that there are stay, and are found, recovered and protected', async () => {
  const number = randomInt(1e9)
  const old = await createAccounts(nodes.sql, [
    { username: `old\u0430${number}` },
    { username: `olda${number}` },
    { username: `older\ufe0f${number}` },
    { username: `mod\u0430${number}`, level: 'moderator' },
    { username: `moda${number}` },
  ])
  await completeLooks(nodes.sql)
  await completeLooks(nodes.sql)
  for (const { username } of old)
    assert.equal((await nodes.client().post('/auth/login', undefined, { basic: [username, testPassword] })).status, 200, username)
  const looks = await nodes.sql<{ username: string; look: string | null }[]>`
    select username, look from account where id = any(${old.map(({ id }) => id)}) order by array_position(${old.map(({ id }) => id)}::uuid[], id)`
  const [first, second, ...others] = looks.map(({ look }) => look !== null)
  assert.notEqual(first, second, 'one of two keeps its look to itself')
  assert.deepEqual(others, [true, true, false], 'and before all others the team')
  await refused(create(`0lda${number}`), 409)
  const [hidden] = old.slice(2)
  const recovered = await nodes.client().post('/auth/recovery', {
    username: hidden?.username,
    recoveryKey: testPassword,
    newPassword: testPassword,
  })
  assert.equal(recovered.status, 200)
  await createAccount(nodes.sql)
})
