// /admin/regcodes: registration codes and who has used them. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { body, names, people, refused, type Person } from '../support/fez.ts'

let nodes: TestNodes
let team: Person
before(async () => {
  nodes = await startTestNodes(2)
  team = (await people(nodes, { level: 'serviceteam' }))[0] as Person
})
after(() => nodes.stop())
beforeEach(async () => {
  await nodes.sql`delete from registration_code`
})

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const stats = (client: Client): Promise<Answer> => client.get('/admin/regcodes/stats')
const find = (client: Client, code: string): Promise<Answer> => client.get(`/admin/regcodes/find/${encodeURIComponent(code)}`)
const findByUser = (client: Client, id: string): Promise<Answer> => client.get(`/admin/regcodes/findbyuser/${id}`)
const addCodes = (...codes: string[]) => nodes.sql`insert into registration_code (code) select unnest(${codes}::text[])`

describe('GET /admin/regcodes/stats', () => {
  it('counts codes, and those that belong to a person', async () => {
    const none = {
      allocatedCodes: 0,
      usedCodes: 0,
      unusedCodes: 0,
      adminCodes: 0,
      allocatedDiscordCodes: 0,
      assignedDiscordCodes: 0,
      usedDiscordCodes: 0,
    }
    assert.deepEqual(await body(stats(team.one)), none)
    await addCodes('aaa111', 'bbb222', 'ccc333')
    const [user] = (await people(nodes, { level: 'unverified' })) as [Person]
    await body(user.one.post('/user/verify', { verification: 'AAA 111' }))
    assert.deepEqual(await body(stats(team.two)), { ...none, allocatedCodes: 3, usedCodes: 1, unusedCodes: 2 })
  })
})

describe('GET /admin/regcodes/find/:search_string', () => {
  it('names the person of a code in any case, primary account first; nobody while it is unused', async () => {
    await addCodes('abc123', 'def456')
    const [primary] = (await people(nodes, { level: 'unverified', displayName: 'Captain' })) as [Person]
    await body(primary.one.post('/user/verify', { verification: 'abc123' }))
    const subs = ['zz', 'aa'].map((name) => `${name}-${primary.id.slice(0, 8)}`)
    for (const username of subs) await body(primary.two.post('/user/add', { username, password: 'password' }), 201)
    for (const code of ['abc123', 'ABC123', ' aBc 123 '])
      assert.deepEqual(names(await body(find(team.one, code))), [primary.username, ...subs])
    assert.deepEqual((await body(find(team.two, 'abc123')))[0], { userID: primary.id, username: primary.username, displayName: 'Captain' })
    assert.deepEqual(await body(find(team.two, 'DEF456')), [])
  })

  it('refuses what is no code, and a code that does not exist', async () => {
    await addCodes('abc123')
    for (const text of ['abc12', 'abc1234', 'abc-12', 'abc12%', '      ', '😀😀😀😀😀😀', 'x'.repeat(300), 'abc12\0'])
      await refused(find(team.one, text), 400)
    await refused(find(team.one, 'zzz999'), 400)
  })
})

describe('GET /admin/regcodes/findbyuser/:user_id', () => {
  it('tells the code of any account of the person', async () => {
    await addCodes('abc123')
    const [primary] = (await people(nodes, { level: 'unverified' })) as [Person]
    await body(primary.one.post('/user/verify', { verification: 'ABC123' }))
    const [sub] = (await people(nodes, { subAccountOf: primary })) as [Person]
    for (const id of [primary.id, sub.id.toUpperCase()]) {
      const { users, accountCreatedAt, ...rest } = await body(findByUser(team.two, id))
      assert.deepEqual(rest, { regCode: 'abc123', isForDiscordUser: false, hasUsedRegCodeForPasswordRecovery: false })
      assert.ok(Date.parse(accountCreatedAt) > 0)
      assert.deepEqual(names(users), [primary.username, sub.username])
    }
    // Once the code has been used for recovery it is still the same code.
    await nodes.sql`update registration_code set used_for_recovery = true`
    assert.equal((await body(findByUser(team.one, sub.id))).regCode, 'abc123')
  })

  it('hides the codes of persons above the caller, whichever of their accounts is named', async () => {
    const levels = ['moderator', 'serviceteam', 'tho', 'admin'] as const
    const all = await people(nodes, ...levels.map((level) => ({ level })))
    const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
    for (const [index, each] of all.entries()) {
      const code = `level${index}`
      await nodes.sql`insert into registration_code (code, person_id) values (${code}, ${each.id})`
      const [sub] = (await people(nodes, { subAccountOf: each })) as [Person]
      for (const [{ two }, highest] of [
        [team, 1],
        [tho, 2],
      ] as const) {
        for (const { id } of [each, sub]) {
          if (index <= highest) assert.equal((await body(findByUser(two, id))).regCode, code)
          else {
            const { status, body: answer } = await findByUser(two, id)
            assert.deepEqual([status, answer.code], [403, 'level_too_low'])
            assert.ok(!JSON.stringify(answer).includes(code))
          }
        }
      }
    }
  })

  it('refuses users without a code, and unknown users', async () => {
    const [user] = (await people(nodes, {})) as [Person]
    for (const id of [user.id, builtIn.admin, nobody, 'x']) await refused(findByUser(team.one, id), 400)
  })
})

describe('all of /admin/regcodes', () => {
  it('is for the service team and above', async () => {
    await addCodes('abc123')
    const [user, moderator, tho] = (await people(nodes, {}, { level: 'moderator' }, { level: 'tho' })) as [Person, Person, Person]
    for (const [client, status] of [
      [nodes.client(), 401],
      [user.one, 403],
      [moderator.two, 403],
    ] as const) {
      for (const answer of [stats(client), find(client, 'abc123'), findByUser(client, user.id)]) await refused(answer, status)
    }
    await body(stats(tho.one))
    assert.deepEqual(await body(find(tho.two, 'abc123')), [])
  })
})

describe('the desk', () => {
  const keyOf = async (): Promise<{ username: string; recoveryKey: string; userID: string }> => {
    await addCodes('abc123')
    const username = `desk-${Math.random().toString(36).slice(2, 10)}`
    return await body(nodes.client().post('/user/create', { username, password: 'the password', verification: 'abc123' }), 201)
  }
  const recover = (username: string, recoveryKey: string) =>
    nodes.client().post('/auth/recovery', { username, recoveryKey, newPassword: 'new password' })
  const nameFor = (client: Client, sent: object) => client.post('/auth/username', sent)

  it('POST /admin/regcodes/unlock/:userID lets a code be used for a recovery once more, after however many failures', async () => {
    const { username, userID } = await keyOf()
    const [manager, user] = (await people(nodes, { roles: ['accountmanager'] }, {})) as [Person, Person]
    await body(recover(username, 'ABC 123'))
    await refused(recover(username, 'abc123'), 400)
    await nodes.sql`update account set recovery_failures = 5 where id = ${userID}`
    await refused(user.one.post(`/admin/regcodes/unlock/${userID}`), 403)
    for (const { one } of [manager, team]) {
      const unlocked = await body(one.post(`/admin/regcodes/unlock/${userID}`))
      assert.deepEqual([unlocked.regCode, unlocked.hasUsedRegCodeForPasswordRecovery], ['abc123', false])
      assert.equal((await body(one.get(`/admin/regcodes/findbyuser/${userID}`))).hasUsedRegCodeForPasswordRecovery, false)
      await body(recover(username, 'abc123'))
      await refused(recover(username, 'abc123'), 400)
      const { hasUsedRegCodeForPasswordRecovery, accountCreatedAt } = await body(one.get(`/admin/regcodes/findbyuser/${userID}`))
      assert.equal(hasUsedRegCodeForPasswordRecovery, true)
      assert.ok(Math.abs(Date.parse(accountCreatedAt) - Date.now()) < 10 * 60_000)
      assert.equal((await body(one.get('/admin/regcodes/find/abc%20123')))[0].userID, userID)
      assert.equal((await body(one.get('/admin/regcodes/stats'))).usedCodes, 1)
    }
    await refused(manager.two.post(`/admin/regcodes/unlock/${user.id}`), 400)
    await refused(manager.two.post(`/admin/regcodes/unlock/${nobody}`), 400)
    for (const path of ['stats', 'find/abc123', `findbyuser/${userID}`]) await refused(user.two.get(`/admin/regcodes/${path}`), 403)
  })

  it('unlocks nobody above the caller', async () => {
    const [manager, moderator] = (await people(nodes, { roles: ['accountmanager'] }, { level: 'moderator' })) as [Person, Person]
    await nodes.sql`insert into registration_code (code, person_id, used_for_recovery) values ('team11', ${moderator.id}, true)`
    await refused(manager.one.post(`/admin/regcodes/unlock/${moderator.id}`), 403)
    await refused(manager.one.get(`/admin/regcodes/findbyuser/${moderator.id}`), 403)
    const isUsed = async () => (await nodes.sql`select used_for_recovery from registration_code`)[0]?.['usedForRecovery']
    assert.equal(await isUsed(), true)
    await body(team.one.post(`/admin/regcodes/unlock/${moderator.id}`))
    assert.equal(await isUsed(), false)
    // Nor somebody one of whose other accounts is.
    const [primary] = (await people(nodes, {})) as [Person]
    await people(nodes, { subAccountOf: primary, level: 'moderator' })
    await nodes.sql`insert into registration_code (code, person_id, used_for_recovery) values ('team12', ${primary.id}, true)`
    await refused(manager.one.post(`/admin/regcodes/unlock/${primary.id}`), 403)
    await refused(manager.one.get(`/admin/regcodes/findbyuser/${primary.id}`), 403)
  })

  it('POST /auth/recovery: nobody of the team gets back in with a code, which others can read; with the key they do', async () => {
    for (const level of ['moderator', 'serviceteam', 'tho', 'admin'] as const) {
      const { username, recoveryKey, userID } = await keyOf()
      const other = { id: userID, personId: userID, username, token: '' }
      await nodes.sql`update account set level = 'verified' where id = ${userID}`
      const [sub] = (await people(nodes, { level, subAccountOf: other })) as [Person]
      for (const [named, levels] of [
        [username, ['verified', level]],
        [sub.username, ['verified', level]],
        [username, [level, 'verified']],
      ] as const) {
        await nodes.sql`update account set level = ${levels[0]} where id = ${userID}`
        await nodes.sql`update account set level = ${levels[1]} where id = ${sub.id}`
        const { status, body: answer } = await recover(named, 'ABC 123')
        assert.deepEqual([status, answer.code], [403, 'recovery_by_code_refused'], named)
      }
      // Nothing has happened to the account, and its owner has used up none of their attempts.
      await body(nodes.client().post('/auth/login', undefined, { basic: [username, 'the password'] }))
      const [row] = await nodes.sql`
        select used_for_recovery, recovery_failures from registration_code as code join account on account.id = code.person_id`
      assert.deepEqual(row, { usedForRecovery: false, recoveryFailures: 0 })
      await body(recover(username, recoveryKey))
      await nodes.sql`update account set level = 'verified' where person_id = ${userID}`
      await body(recover(username, 'abc123'))
      await nodes.sql`delete from registration_code`
    }
  })

  it('POST /auth/username tells the name for a code and a recovery key or the password; at the desk for the code', async () => {
    const { username, recoveryKey, userID } = await keyOf()
    const [manager, user] = (await people(nodes, { roles: ['accountmanager'] }, {})) as [Person, Person]
    const anybody = nodes.client()
    for (const key of [recoveryKey, recoveryKey.toUpperCase().replaceAll(' ', ''), 'the password'])
      assert.deepEqual(await body(nameFor(anybody, { registrationCode: 'Abc 123', recoveryKey: key })), { username, userID })
    for (const client of [manager.one, team.two])
      assert.deepEqual(await body(nameFor(client, { registrationCode: 'abc123' })), { username, userID })
    await nodes.sql`update account set level = 'banned' where id = ${userID}`
    assert.equal((await body(nameFor(anybody, { registrationCode: 'abc123', recoveryKey }), 403)).code, 'banned')
    await nodes.sql`update account set level = 'verified' where id = ${userID}`
    const wrong = { registrationCode: 'abc123', recoveryKey: 'something else' }
    const reasons = await Promise.all(
      [
        nameFor(anybody, wrong),
        nameFor(user.one, { registrationCode: 'abc123' }),
        nameFor(anybody, { registrationCode: 'zzz999', recoveryKey }),
      ].map((answer) => refused(answer, 400)),
    )
    assert.equal(new Set(reasons).size, 1)
    for (const [sent, field] of [
      [{ registrationCode: 'abc12', recoveryKey }, 'registrationCode'],
      [{ registrationCode: 'abc-123', recoveryKey }, 'registrationCode'],
      [{ registrationCode: 'abc123', recoveryKey: 'short' }, 'recoveryKey'],
      [{ registrationCode: 'abc123', recoveryKey: 'ABC 123' }, 'recoveryKey'],
    ] as const) {
      const { status, body: told } = await nameFor(anybody, sent)
      assert.deepEqual([status, Object.keys(told.fieldErrors)], [400, [field]])
    }
    const others = await people(
      nodes,
      { roles: ['karaokemanager', 'shutternautmanager', 'shutternaut', 'huntmanager'] },
      { level: 'moderator' },
    )
    for (const { one } of others) await refused(nameFor(one, { registrationCode: 'abc123' }), 400)
    await refused(nameFor(manager.one, { registrationCode: 'zzz999' }), 400)
    const guesses = await Promise.all(Array.from({ length: 8 }, () => nameFor(anybody, wrong)))
    assert.ok(guesses.some(({ status }) => status === 403 || status === 429))
    assert.ok(guesses.every(({ status }) => status >= 400))
  })
})

describe('/admin/regcodes: lists of codes', () => {
  it('compares a list without storing it, and adds what is new', async () => {
    const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
    await addCodes('aaa111')
    const codes = 'AAA 111\r\nbbb222\n\nbbb222\nccc333\n'
    const expected = { newCodes: 2, knownCodes: 1, wrongLines: [], wrongCount: 0 }
    assert.deepEqual(await body(admin.one.post('/admin/regcodes/verify', { codes })), expected)
    assert.equal((await body(stats(team.one))).allocatedCodes, 1)
    assert.deepEqual(await body(admin.two.post('/admin/regcodes/upload', { codes })), expected)
    assert.deepEqual(await body(admin.one.post('/admin/regcodes/upload', { codes })), { ...expected, newCodes: 0, knownCodes: 3 })
    await nodes.sql`update registration_code set person_id = ${admin.id} where code = 'ccc333'`
    const { codes: unused, paginator } = await body(admin.one.get('/admin/regcodes/unused?start=1&limit=1'))
    assert.deepEqual([unused, paginator], [['bbb222'], { total: 2, start: 1, limit: 1 }])
    const looks = await nodes.sql`select from audit where action = 'readCode' and subject_id = 'unused' and actor_id = ${admin.id}`
    assert.equal(looks.length, 1, 'who sees codes is in the audit trail')
    for (const path of ['/admin/regcodes/verify', '/admin/regcodes/upload']) await refused(team.one.post(path, { codes }), 403)
    await refused(team.one.get('/admin/regcodes/unused'), 403)
  })

  it('names the lines that are no codes, and adds nothing then', async () => {
    const [admin] = (await people(nodes, { level: 'admin' })) as [Person]
    const codes = 'abc123\nnot a code\nabc12'
    const compared = await body(admin.one.post('/admin/regcodes/verify', { codes }))
    assert.deepEqual([compared.newCodes, compared.wrongLines, compared.wrongCount], [1, [2, 3], 2])
    assert.match(await refused(admin.one.post('/admin/regcodes/upload', { codes }), 400), /Line 2/)
    await refused(admin.one.post('/admin/regcodes/upload', { codes: '' }), 400)
    assert.equal((await body(stats(team.one))).allocatedCodes, 0)
    // Of many wrong ones the first twenty are named, and all are counted.
    const many = await body(admin.one.post('/admin/regcodes/verify', { codes: Array.from({ length: 25 }, () => 'wrong one').join('\n') }))
    assert.deepEqual([many.wrongLines, many.wrongCount], [Array.from({ length: 20 }, (_, index) => index + 1), 25])
  })

  it('deletes what nobody has used: a list, or all; nobody makes an account with it again', async () => {
    const [admin, holder] = (await people(nodes, { level: 'admin' }, {})) as [Person, Person]
    await addCodes('aaa111', 'bbb222', 'ccc333', 'ddd444')
    await nodes.sql`update registration_code set person_id = ${holder.id} where code = 'bbb222'`
    await nodes.sql`insert into registration_code (code, for_chat_user) values ('eee555', true), ('fff666', true)`
    const remove = (given: object) => admin.one.post('/admin/regcodes/delete', given)
    for (const given of [{}, { codes: 'aaa111', allUnused: true }, { allUnused: false }, { codes: '' }, { codes: 'aaa111\nnot a code' }])
      await refused(remove(given), 400)
    await refused(team.one.post('/admin/regcodes/delete', { allUnused: true }), 403)
    assert.deepEqual(await body(remove({ codes: 'AAA 111\nbbb222\nfff666\nzzz999\n' })), { deleted: 2, used: 1, unknown: 1 })
    assert.deepEqual((await body(admin.two.get('/admin/regcodes/unused'))).codes, ['ccc333', 'ddd444'])
    const create = (verification: string) =>
      nodes.client().post('/user/create', { username: `with-${verification}`, password: 'a password', verification })
    await refused(create('aaa111'), 400)
    assert.deepEqual(await body(remove({ allUnused: true })), { deleted: 2, used: 1, unknown: 0 })
    const left = await nodes.sql`select code from registration_code order by code`
    assert.deepEqual(
      left.map(({ code }) => code),
      ['bbb222', 'eee555'],
      'what somebody has used, and what is for users of the chat',
    )
  })
})

describe('/admin/regcodes: codes that the server makes, and the list of all', () => {
  let admin: Person
  before(async () => {
    admin = (await people(nodes, { level: 'admin' }))[0] as Person
  })
  const make = (order: object, client: Client = admin.one): Promise<Answer> => client.post('/admin/regcodes/make', order)
  const list = async (query = '', client: Client = admin.two) => await body(client.get(`/admin/regcodes/list${query}`))
  const codesIn = async (query?: string): Promise<string[]> => (await list(query)).codes.map(({ regCode }: { regCode: string }) => regCode)

  it('makes as many as are wanted, that can be told apart and are good for an account', async () => {
    const { codes } = await body(make({ count: 500 }), 201)
    assert.equal(new Set(codes).size, 500)
    for (const code of codes) assert.match(code, /^[2-9a-hjkmnp-z]{6}$/)
    assert.deepEqual(codes, codes.toSorted())
    const { allocatedCodes, unusedCodes } = await body(stats(team.two))
    assert.deepEqual([allocatedCodes, unusedCodes], [500, 500])
    const [user] = (await people(nodes, { level: 'unverified' })) as [Person]
    await body(user.one.post('/user/verify', { verification: codes[0] }))
    assert.deepEqual(
      (await nodes.sql`select details from audit where action = 'makeCodes' order by id desc limit 1`).map(({ details }) => details),
      [{ made: 500 }],
    )
  })

  it('with a beginning, for the outside chat, and once for a repeated request', async () => {
    const key = { headers: { 'Idempotency-Key': 'codes-once' } }
    const order = { count: 20, prefix: 'B7', forDiscordUsers: true }
    const first = await body(admin.one.post('/admin/regcodes/make', order, key), 201)
    assert.deepEqual(await body(admin.two.post('/admin/regcodes/make', order, key), 201), first)
    for (const code of first.codes) assert.match(code, /^b7[2-9a-hjkmnp-z]{4}$/)
    const { allocatedCodes, allocatedDiscordCodes } = await body(stats(team.two))
    assert.deepEqual([allocatedCodes, allocatedDiscordCodes], [0, 20])
    const { regCode } = await body(team.one.post('/admin/regcodes/discord/allocate/someone'))
    assert.ok(first.codes.includes(regCode))
  })

  it('refuses numbers and beginnings beyond the bounds, with the field', async () => {
    for (const [order, field] of [
      [{ count: 0 }, 'count'],
      [{ count: 5001 }, 'count'],
      [{ count: 1, prefix: 'abc' }, 'prefix'],
      [{ count: 1, prefix: '-' }, 'prefix'],
    ] as const)
      assert.deepEqual(Object.keys((await body(make(order), 400)).fieldErrors), [field])
    for (const order of [{}, { count: 'x' }, { count: 1.5 }]) await refused(make(order), 400)
    assert.equal((await list()).paginator.total, 0)
  })

  it('lists the newest first, with whose they are; by beginning, name, state and kind; in pages', async () => {
    await addCodes('old001', 'old002')
    await nodes.sql`update registration_code set created_at = now() - interval '1 day'`
    const { codes: made } = await body(make({ count: 3, prefix: 'zz' }), 201)
    const { codes: chat } = await body(make({ count: 1, prefix: 'yy', forDiscordUsers: true }), 201)
    const [user] = (await people(nodes, { level: 'unverified', displayName: 'Percent%Sign' })) as [Person]
    await body(user.one.post('/user/verify', { verification: 'old002' }))
    assert.deepEqual(await codesIn(), [...chat, ...made, 'old001', 'old002'])
    assert.deepEqual(await codesIn('?search=ZZ'), made)
    assert.deepEqual(await codesIn('?search=old%20001'), ['old001'])
    assert.deepEqual(await codesIn('?search=percent%25sign'), ['old002'])
    assert.deepEqual(await codesIn('?search=%25'), ['old002'])
    assert.deepEqual(await codesIn('?search=_'), [])
    assert.deepEqual(await codesIn('?state=used'), ['old002'])
    assert.deepEqual(await codesIn('?state=free&kind=people'), [...made, 'old001'])
    assert.deepEqual(await codesIn('?kind=discord'), chat)
    assert.deepEqual(await codesIn('?start=4&limit=1'), ['old001'])
    const { codes, paginator, serverURL } = await list('?search=old002')
    assert.deepEqual(paginator, { total: 1, start: 0, limit: 50 })
    assert.match(serverURL, /^https?:/)
    assert.deepEqual(
      codes.map(({ createdAt: _createdAt, ...rest }: { createdAt: string }) => rest),
      [{ regCode: 'old002', isForDiscordUser: false, user: { userID: user.id, username: user.username, displayName: 'Percent%Sign' } }],
    )
    for (const query of ['?state=x', '?kind=x']) await refused(admin.one.get(`/admin/regcodes/list${query}`), 400)
  })

  it('is for admins alone; each look is in the audit trail', async () => {
    const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
    for (const client of [team.one, tho.two]) {
      await refused(make({ count: 1 }, client), 403)
      await refused(client.get('/admin/regcodes/list'), 403)
    }
    await refused(nodes.client().get('/admin/regcodes/list'), 401)
    const looks = async () =>
      (await nodes.sql<[{ n: number }]>`select count(*)::int as n from audit where action = 'readCode' and actor_id = ${admin.id}`)[0].n
    const before = await looks()
    await list()
    assert.equal(await looks(), before + 1)
  })
})
