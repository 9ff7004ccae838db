// /users: finding users, profiles, reports, mutes, blocks. Two nodes on one database: what one does holds on the other.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { FormData } from 'undici'
import * as fc from 'fast-check'
import { builtIn, type AccountRow } from '../../src/accounts/rows.ts'
import { createAccount, createAccounts, type AccountOptions, type TestAccount } from '../support/accounts.ts'
import { published, startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client, RequestOptions } from '../support/client.ts'
import { disable } from '../support/settings.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'

type Caller = TestAccount & { client: Client; other: Client }

function callerOf(account: TestAccount): Caller {
  return { ...account, client: nodes.client(account.token), other: nodes.client(account.token, 1) }
}

async function caller(options: AccountOptions = {}): Promise<Caller> {
  return callerOf(await createAccount(nodes.sql, options))
}

async function setLevel(id: string, level: string): Promise<void> {
  const [account] = await nodes.sql<[AccountRow]>`
    update account set level = ${level}, rev = rev + 1 where id = ${id}
    returning id, person_id, username, level, display_name, user_image, preferred_pronoun, rev`
  await nodes.apps[1]?.node.channels.publishConfirmed('user', id, { type: 'changed', account })
}

describe('GET /users/find, GET /users/:user_id, GET /users/:user_id/header', () => {
  it('find by name in any case, and by id in any case', async () => {
    const [me, other] = [await caller(), await caller({ displayName: 'Captain' })]
    const header = { userID: other.id, username: other.username, displayName: 'Captain' }
    for (const path of [
      `/users/find/${other.username.toUpperCase()}`,
      `/users/find/${other.id.toUpperCase()}`,
      `/users/${other.id.toUpperCase()}`,
      `/users/${other.id}/header`,
    ]) {
      const answer = await me.client.get(path)
      assert.deepEqual([answer.status, answer.body], [200, header], path)
    }
  })

  it('prefer the name when it looks like an id', async () => {
    const [me, other] = [await caller(), await caller()]
    const namesake = await caller({ username: other.id })
    assert.equal((await me.client.get(`/users/find/${other.id}`)).body.userID, namesake.id)
  })

  it('answer a hidden user exactly as a missing one', async () => {
    const [me, enemy] = [await caller(), await caller()]
    await enemy.client.post(`/users/${me.id}/block`)
    for (const path of [
      (id: string) => `/users/${id}`,
      (id: string) => `/users/${id}/header`,
      (id: string) => `/users/${id}/profile`,
      (id: string) => `/users/find/${id}`,
    ]) {
      const [missing, hidden] = [await me.client.get(path(nobody)), await me.client.get(path(enemy.id))]
      assert.equal(missing.status, 400)
      assert.deepEqual(hidden.body, missing.body)
    }
    const [missing, hidden] = [await me.client.get('/users/find/nobody-at-all'), await me.client.get(`/users/find/${enemy.username}`)]
    assert.equal(missing.status, 400)
    assert.deepEqual(hidden.body, missing.body)
  })

  it('refuse odd texts without failing', async () => {
    const { client } = await caller()
    for (const text of [
      '%00',
      '%ff',
      '%',
      'a%00b',
      "'; drop table account; --",
      'x'.repeat(300),
      '%F0%9F%98%80',
      '..%2F..%2Fetc',
      '%25_',
    ]) {
      assert.equal((await client.get(`/users/find/${text}`)).status, 400, text)
    }
    for (const id of ['nonsense', '%00', '1', `${nobody}0`]) assert.equal((await client.get(`/users/${id}`)).status, 400)
    assert.equal((await nodes.client().get(`/users/${nobody}`)).status, 401)
  })

  it('find users named as parts of paths', async () => {
    const { client } = await caller()
    const { id } = await caller({ username: 'header' })
    assert.equal((await client.get('/users/find/header')).body.userID, id)
    assert.equal((await client.get('/users/find/find')).status, 400)
  })
})

describe('GET /users/:user_id/profile', () => {
  it('shows banned users only to moderators', async () => {
    const banned = await caller({ level: 'banned' })
    assert.equal((await (await caller()).client.get(`/users/${banned.id}/profile`)).status, 400)
    assert.equal((await (await caller({ level: 'moderator' })).client.get(`/users/${banned.id}/profile`)).status, 200)
    assert.equal((await (await caller()).client.get(`/users/${banned.id}`)).status, 200)
  })
  it('shows empty texts for what is not set', async () => {
    const [me, other] = [await caller(), await caller()]
    const empty = { realName: '', homeLocation: '', roomNumber: '', email: '', about: '', message: '', isFavorite: false }
    assert.deepEqual((await me.client.get(`/users/${other.id}/profile`)).body, {
      header: { userID: other.id, username: other.username },
      ...empty,
    })
  })
})

describe('GET /users/match/allnames/:search_string', () => {
  const match = (client: Client, text: string): Promise<Answer> => client.get(`/users/match/allnames/${encodeURIComponent(text)}`)
  const found = async (client: Client, text: string) =>
    (await match(client, text)).body.map(({ username }: { username: string }) => username)

  it('looks at display name, username and real name, whatever the case', async () => {
    const me = await caller()
    const { id } = await caller({ username: 'zq-one', displayName: 'Überfahrt', realName: 'Ölga Ñandú' })
    const expected = { userID: id, username: 'zq-one', displayName: 'Überfahrt', userSearch: 'Überfahrt (@zq-one) - Ölga Ñandú' }
    for (const text of ['ZQ-one', 'überFAHRT', 'ölga ñ', '(@zq-', ' zq-one ', '@zq-one) - Ö'])
      assert.deepEqual((await match(me.client, text)).body, [expected], text)
  })

  it('leaves out accounts of the team and of programs when only people are wanted', async () => {
    const me = await caller()
    const person = await caller({ username: 'zs-moderator' })
    await caller({ username: 'zs-moderator-bot', level: 'client' })
    const namesOf = async (query: string) =>
      (await me.client.get(`/users/match/allnames/moderator${query}`)).body.map(({ username }: { username: string }) => username)
    assert.deepEqual(await namesOf(''), ['moderator', 'zs-moderator', 'zs-moderator-bot'])
    assert.deepEqual(await namesOf('?people=true'), [person.username])
    assert.deepEqual(await namesOf('?people=true&sort=favorites'), [person.username])
  })

  it('knows a profile that is under review by its username alone, except for moderators', async () => {
    const [me, moderator] = [await caller(), await caller({ level: 'moderator' })]
    const { id, username } = await caller({ username: 'zr-hidden', displayName: 'Zrdisplay', realName: 'Zrreal' })
    const state = (word: string) => moderator.other.post(`/mod/profile/${id}/setstate/${word}`)
    const names = async ({ client }: Caller) => [
      await found(client, 'zrdisplay'),
      await found(client, 'zrreal'),
      (await match(client, '@zr-hid')).body.map(({ userSearch }: { userSearch: string }) => userSearch),
    ]
    const shown = [[username], [username], ['Zrdisplay (@zr-hidden) - Zrreal']]
    assert.deepEqual(await names(me), shown)
    assert.equal((await state('quarantined')).status, 200)
    assert.deepEqual(await names(me), [[], [], ['@zr-hidden']])
    assert.deepEqual(await names(moderator), shown)
    assert.equal((await state('normal')).status, 200)
    assert.deepEqual(await names(me), shown)
  })

  it('gives the first ten in order of username', async () => {
    const me = await caller()
    const names = Array.from(
      { length: 13 },
      (_, index) => `${index % 2 ? 'Tenth' : 'tenth'}${String.fromCharCode(97 + ((index * 5) % 13))}`,
    )
    await createAccounts(
      nodes.sql,
      names.map((username) => ({ username })),
    )
    assert.deepEqual(await found(me.client, 'tenth'), names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)).slice(0, 10))
  })

  it('takes %, _ and \\ literally', async () => {
    const me = await caller()
    await createAccounts(nodes.sql, [
      { username: 'lit_eral', realName: '100% sure \\o/' },
      { username: 'litXeral', realName: '1000 sure' },
    ])
    assert.deepEqual(await found(me.client, 'lit_eral'), ['lit_eral'])
    assert.deepEqual(await found(me.client, '100% s'), ['lit_eral'])
    assert.deepEqual(await found(me.client, '\\o/'), ['lit_eral'])
    assert.deepEqual(await found(me.client, '%%'), [])
  })

  it('refuses what every user matches with 403, and less than two characters with 400', async () => {
    const { client } = await caller()
    for (const text of ['@', ' @ ', '(@']) assert.equal((await match(client, text)).status, 403, text)
    for (const text of ['a', ' a ', '  ', '😀']) assert.equal((await match(client, text)).status, 400, text)
    assert.equal((await match(client, 'x'.repeat(300))).status, 400)
    assert.equal((await match(client, '@a')).status, 200)
  })

  it('leaves out users in a block with the caller', async () => {
    const [me, enemy, moderator] = [
      await caller(),
      await caller({ displayName: 'Hideaway' }),
      await caller({ level: 'moderator', displayName: 'Hideaway too' }),
    ]
    await me.client.post(`/users/${enemy.id}/block`)
    for (const client of [me.client, me.other]) assert.deepEqual(await found(client, 'hideaway'), [moderator.username])
    assert.deepEqual((await found(moderator.client, 'hideaway')).sort(), [enemy.username, moderator.username].sort())
    assert.deepEqual(await found(enemy.other, me.username), [])
  })
})

describe('GET /users/match/username/:search_string', () => {
  it('gives every username with the text in it, in order, with an @', async () => {
    const me = await caller()
    const names = Array.from({ length: 60 }, (_, index) => `many-NAMES${String(index).padStart(2, '0')}`)
    await createAccounts(
      nodes.sql,
      names.toReversed().map((username) => ({ username })),
    )
    const enemy = await caller({ username: 'xmany-names' })
    assert.deepEqual(
      (await me.client.get('/users/match/username/ANY-names')).body,
      [...names, 'xmany-names'].map((name) => `@${name}`),
    )
    await enemy.other.post(`/users/${me.id}/block`)
    assert.deepEqual(
      (await me.client.get('/users/match/username/ANY-names')).body,
      names.map((name) => `@${name}`),
    )
    assert.deepEqual((await me.client.get('/users/match/username/many_names')).body, [])
    assert.equal((await me.client.get('/users/match/username/a')).status, 400)
  })
})

describe('POST /users/:user_id/report', () => {
  const report = (client: Client, id: string, message = 'look at this'): Promise<Answer> => client.post(`/users/${id}/report`, { message })
  const statusOf = async (id: string) => (await nodes.sql`select moderation_status from account where id = ${id}`)[0]?.['moderationStatus']

  it('takes one report per person, filed as the primary account', async () => {
    const [me, other] = [await caller(), await caller()]
    const sub = await caller({ subAccountOf: me })
    const answer = await report(sub.client, other.id, '')
    assert.deepEqual([answer.status, answer.body], [201, undefined])
    for (const client of [me.client, sub.other]) assert.equal((await report(client, other.id)).status, 409)
    assert.deepEqual(
      [...(await nodes.sql`select type, reported_user_id, author_id, message from report where reported_id = ${other.id}`)],
      [{ type: 'userProfile', reportedUserId: other.id, authorId: me.id, message: '' }],
    )
  })

  it('hides a profile at the fifth report and every fifth one, however many come at once, unless it was reviewed', async () => {
    const other = await caller()
    const reporters = (
      await createAccounts(
        nodes.sql,
        Array.from({ length: 10 }, () => ({})),
      )
    ).map(callerOf)
    for (const { client } of reporters.slice(0, 4)) await report(client, other.id)
    assert.equal(await statusOf(other.id), 'normal')
    await report(reporters[4]!.client, other.id)
    assert.equal(await statusOf(other.id), 'autoQuarantined')
    assert.match((await reporters[0]!.client.get(`/users/${other.id}/profile`)).body.message, /review/)
    assert.equal((await other.client.get('/user/whoami')).body.accessLevel, 'verified', 'only the profile is affected')

    await nodes.sql`update account set moderation_status = 'normal' where id = ${other.id}`
    await Promise.all(reporters.slice(5).map(({ client }) => report(client, other.id)))
    assert.equal(await statusOf(other.id), 'autoQuarantined')

    const reviewed = await caller()
    await nodes.sql`update account set moderation_status = 'modReviewed' where id = ${reviewed.id}`
    await Promise.all(reporters.slice(5).map(({ client }) => report(client, reviewed.id)))
    assert.equal(await statusOf(reviewed.id), 'modReviewed')
  })

  it('refuses unknown and hidden users alike', async () => {
    const [me, enemy] = [await caller(), await caller()]
    await enemy.client.post(`/users/${me.id}/block`)
    const [missing, hidden] = [await report(me.client, nobody), await report(me.client, enemy.id)]
    assert.equal(missing.status, 400)
    assert.deepEqual(hidden.body, missing.body)
    assert.equal((await me.client.post(`/users/${me.id}/report`, {})).status, 400)
  })
})

describe('mutes', () => {
  it("are one account's own, and can be repeated", async () => {
    const me = await caller()
    const sub = await caller({ subAccountOf: me })
    const [b, a] = [await caller({ username: 'Muted-b' }), await caller({ username: 'muted-A', level: 'moderator' })]
    for (const { id } of [b, a, b]) assert.equal((await me.client.post(`/users/${id}/mute`)).status, 201)
    assert.deepEqual(
      (await me.other.get('/users/mutes')).body.map(({ username }: { username: string }) => username),
      ['muted-A', 'Muted-b'],
    )
    assert.deepEqual((await sub.client.get('/users/mutes')).body, [])
    for (let time = 0; time < 2; time++) assert.equal((await me.other.post(`/users/${b.id}/unmute`)).status, 204)
    assert.deepEqual((await me.client.get('/users/mutes')).body, [{ userID: a.id, username: 'muted-A' }])
    assert.equal((await me.client.post(`/users/${me.id}/mute`)).status, 201, 'oneself: harmless')
  })

  it('refuse unknown and hidden users alike', async () => {
    const [me, enemy] = [await caller(), await caller()]
    await me.client.post(`/users/${enemy.id}/mute`)
    await enemy.client.post(`/users/${me.id}/block`)
    assert.deepEqual((await me.client.get('/users/mutes')).body, [])
    // A mute of a user who is hidden meanwhile can be ended.
    assert.equal((await me.client.post(`/users/${enemy.id}/unmute`)).status, 204)
    for (const action of ['mute', 'unmute']) {
      const [missing, hidden] = [await me.client.post(`/users/${nobody}/${action}`), await me.client.post(`/users/${enemy.id}/${action}`)]
      assert.equal(missing.status, 400)
      assert.deepEqual(hidden.body, missing.body)
    }
  })
})

describe('blocks', () => {
  it('are listed for every account of the person, as entered and in order of username', async () => {
    const me = await caller()
    const sub = await caller({ subAccountOf: me })
    const b = await caller({ username: 'Blocked-b' })
    const a = await caller({ username: 'blocked-A' })
    await createAccount(nodes.sql, { subAccountOf: a })
    assert.equal((await me.client.post(`/users/${b.id}/block`)).status, 201)
    assert.equal((await sub.other.post(`/users/${a.id}/block`)).status, 201)
    assert.equal((await me.other.post(`/users/${a.id}/block`)).status, 200)
    for (const client of [me.client, sub.client, sub.other]) {
      assert.deepEqual(
        (await client.get('/users/blocks')).body.map(({ username }: { username: string }) => username),
        ['blocked-A', 'Blocked-b'],
      )
    }
    for (let time = 0; time < 2; time++) assert.equal((await sub.client.post(`/users/${b.id}/unblock`)).status, 204)
    assert.deepEqual((await me.client.get('/users/blocks')).body, [{ userID: a.id, username: 'blocked-A' }])
    assert.deepEqual((await a.client.get('/users/blocks')).body, [])
  })

  it('refuse oneself, own accounts, moderators and unknown users, and store nothing', async () => {
    const me = await caller()
    const sub = await caller({ subAccountOf: me })
    const moderator = await caller({ level: 'moderator' })
    for (const id of [me.id, sub.id, moderator.id, builtIn.admin, builtIn.moderator, nobody, 'nonsense']) {
      assert.equal((await me.client.post(`/users/${id}/block`)).status, 400, id)
    }
    assert.deepEqual((await me.client.get('/users/blocks')).body, [])
    assert.equal((await me.client.post(`/users/${nobody}/unblock`)).status, 400)
  })

  it('can be answered by a block, which looks like every other one; by id or name', async () => {
    const [me, enemy, other] = [await caller(), await caller(), await caller()]
    const sub = await caller({ subAccountOf: enemy })
    await enemy.client.post(`/users/${me.id}/block`)
    const block = async (idOrName: string) => {
      const { status, body } = await me.other.post(`/users/${encodeURIComponent(idOrName)}/block`)
      return [status, body]
    }
    assert.deepEqual(await block(other.id), [201, undefined])
    assert.deepEqual(await block(enemy.id.toUpperCase()), [201, undefined])
    assert.deepEqual(await block(enemy.username.toUpperCase()), [200, undefined])
    assert.deepEqual(await block(sub.username), [201, undefined])
    assert.equal((await block(`${sub.username}x`))[0], 400)
    assert.equal((await me.client.get('/users/blocks')).body.length, 3)
    await enemy.client.post(`/users/${me.id}/unblock`)
    assert.equal((await me.client.get(`/users/${enemy.id}`)).status, 400)
  })

  it('do not keep from reporting whom one has blocked, by any of their accounts, or from ending a mute', async () => {
    const [me, enemy] = [await caller(), await caller()]
    const [sub, mine] = [await caller({ subAccountOf: enemy }), await caller({ subAccountOf: me })]
    await me.client.post(`/users/${enemy.id}/mute`)
    await enemy.client.post(`/users/${me.id}/block`)
    const report = (by: Caller, of: Caller) => by.other.post(`/users/${of.id}/report`, { message: 'rude' })
    // They have blocked me: as before, they are not there.
    assert.equal((await report(me, enemy)).status, 400)
    assert.equal((await me.client.post(`/users/${enemy.id}/unmute`)).status, 204)
    assert.equal((await me.client.post(`/users/${enemy.id}/unmute`)).status, 400)
    await mine.client.post(`/users/${enemy.id}/block`)
    assert.equal((await report(me, enemy)).status, 201)
    assert.equal((await report(mine, sub)).status, 201)
    assert.equal((await report(mine, enemy)).status, 409)
    assert.equal((await report(enemy, me)).status, 201)
  })

  it('can be reported with JSON, a form or multipart', async () => {
    const me = await caller()
    const form = new FormData()
    form.set('message', 'one')
    for (const [options, message] of [
      [{ form }, 'one'],
      [{ body: 'message=two+words%21', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 'two words!'],
      [{ body: 'message=', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, ''],
      [{ body: { message: 'three' } }, 'three'],
    ] satisfies [RequestOptions, string][]) {
      const enemy = await caller()
      assert.equal((await me.other.request('POST', `/users/${enemy.id}/report`, options)).status, 201)
      const [report] = await nodes.sql`select message from report where reported_id = ${enemy.id}`
      assert.equal(report?.['message'], message)
    }
  })

  it('of two people at once both count', async () => {
    const [a, b] = [await caller(), await caller()]
    const answers = await Promise.all([
      a.client.post(`/users/${b.id}/block`),
      b.other.post(`/users/${a.id}/block`),
      a.other.post(`/users/${b.id}/block`),
    ])
    assert.ok(answers.every(({ status }) => status === 201 || status === 200 || status === 400))
    for (const { client } of [a, b]) assert.equal((await client.post(`/users/${nobody}/unblock`)).status, 400)
    assert.equal((await a.client.get(`/users/${b.id}`)).status, 400)
    assert.equal((await b.other.get(`/users/${a.id}`)).status, 400)
  })

  it('are hidden with the feature users, but not what is beside it', async () => {
    const me = await caller()
    const tho = await caller({ level: 'tho' })
    await disable(nodes, 'users')
    try {
      for (const path of ['/users/blocks', '/users/mutes']) {
        assert.equal((await me.other.get(path)).status, 451)
        assert.equal((await tho.client.get(path)).status, 200)
      }
      for (const action of ['block', 'unblock', 'mute', 'unmute'])
        assert.equal((await me.client.post(`/users/${tho.id}/${action}`)).status, 451)
      for (const path of [`/users/${me.id}`, `/users/${me.id}/profile`, `/users/find/${me.username}`, '/users/match/username/xx'])
        assert.equal((await me.client.get(path)).status, 200)
    } finally {
      await disable(nodes)
    }
  })
})

/** A few people with several accounts each, and what they do to each other. Indexes count all accounts. */
interface Story {
  people: ('verified' | 'moderator')[][]
  steps: { by: number; to: number; node: number; what: 'block' | 'unblock' | 'promote' | 'demote' | 'addAccount' }[]
}

const stories: fc.Arbitrary<Story> = fc.record({
  people: fc.array(fc.array(fc.constantFrom('verified', 'verified', 'verified', 'moderator'), { minLength: 1, maxLength: 3 }), {
    minLength: 2,
    maxLength: 3,
  }),
  steps: fc.array(
    fc.record({
      by: fc.nat(20),
      to: fc.nat(20),
      node: fc.nat(1),
      what: fc.constantFrom('block', 'block', 'block', 'block', 'unblock', 'unblock', 'promote', 'demote', 'addAccount'),
    }),
    { minLength: 1, maxLength: 10 },
  ),
})

type Character = Caller & { moderator: boolean; posts: number }

/** What the API promises, in a few lines. */
class Model {
  readonly accounts: Character[] = []
  readonly lists = new Map<string, Set<string>>()

  list({ personId }: TestAccount): Set<string> {
    let list = this.lists.get(personId)
    if (!list) this.lists.set(personId, (list = new Set()))
    return list
  }

  hidden(a: Character, b: Character): boolean {
    if (a.moderator || b.moderator || a.personId === b.personId) return false
    return this.accounts.some(
      (one) => (one.personId === b.personId && this.list(a).has(one.id)) || (one.personId === a.personId && this.list(b).has(one.id)),
    )
  }
}

async function play({ people, steps }: Story, model: Model): Promise<void> {
  for (const levels of people) {
    let primary: TestAccount | undefined
    for (const level of levels) {
      const account = await createAccount(nodes.sql, { level, ...(primary ? { subAccountOf: primary } : {}) })
      primary ??= account
      model.accounts.push({ ...callerOf(account), moderator: level === 'moderator', posts: 0 })
    }
  }
  const { fezID } = await chatOfAll(model)
  await everybodyPosts(model, fezID)
  for (const step of steps) await take(model, step)
  for (const account of model.accounts) await account.client.post(`/fez/${fezID}/join`)
  await everybodyPosts(model, fezID)
  await assertAsPromised(model, fezID)
}

async function chatOfAll(model: Model): Promise<{ fezID: string }> {
  const host = await caller()
  const { body } = await host.client.post('/fez/create', {
    fezType: 'gaming',
    title: 'Everybody',
    info: 'is here',
    minCapacity: 0,
    maxCapacity: 0,
    initialUsers: [],
  })
  for (const account of model.accounts) assert.equal((await account.client.post(`/fez/${body.fezID}/join`)).status, 201)
  return body
}

async function everybodyPosts({ accounts }: Model, fezID: string): Promise<void> {
  for (const account of accounts) {
    assert.equal((await account.other.post(`/fez/${fezID}/post`, { text: 'hello', images: [] })).status, 201)
    account.posts++
  }
  // A post is answered before the other node has its event.
  await published(nodes)
}

async function take(model: Model, { by, to, node, what }: Story['steps'][number]): Promise<void> {
  const [a, b] = [model.accounts[by % model.accounts.length]!, model.accounts[to % model.accounts.length]!]
  const client = node === 0 ? a.client : a.other
  if (what === 'promote' || what === 'demote') {
    b.moderator = what === 'promote'
    return await setLevel(b.id, b.moderator ? 'moderator' : 'verified')
  }
  if (what === 'addAccount') {
    model.accounts.push({ ...callerOf(await createAccount(nodes.sql, { subAccountOf: a })), moderator: false, posts: 0 })
    return
  }
  const { status } = await client.post(`/users/${b.id}/${what}`)
  const listed = model.list(a).has(b.id)
  if (what === 'unblock') {
    assert.equal(status, !listed && model.hidden(a, b) ? 400 : 204)
    model.list(a).delete(b.id)
  } else if (listed) {
    assert.equal(status, 200)
  } else if (a.personId === b.personId || b.moderator) {
    assert.equal(status, 400)
  } else {
    assert.equal(status, 201)
    model.list(a).add(b.id)
  }
}

async function assertAsPromised(model: Model, fezID: string): Promise<void> {
  for (const a of model.accounts) {
    for (const client of [a.client, a.other]) {
      const seen = await Promise.all(model.accounts.map(async (b) => (await client.get(`/users/${b.id}`)).status === 200))
      assert.deepEqual(
        seen,
        model.accounts.map((b) => !model.hidden(a, b)),
        `what ${a.username} sees`,
      )
      const { body } = await client.get(`/fez/${fezID}`)
      const authors = body.members.posts.map(({ author }: { author: { userID: string } }) => author.userID)
      const counts = model.accounts.map((b) => authors.filter((id: string) => id === b.id).length)
      assert.deepEqual(
        counts,
        model.accounts.map((b) => (model.hidden(a, b) ? 0 : b.posts)),
        `posts that ${a.username} sees`,
      )
    }
  }
}

it('blocks hide all accounts of two people from each other, both ways, on all nodes, except moderators', async () => {
  await fc.assert(
    fc.asyncProperty(stories, (story) => play(story, new Model())),
    { numRuns: 20, endOnFailure: true },
  )
})
