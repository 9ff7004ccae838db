// Barrels: lists of users and of words, and the built-in views of blocks, mutes and words. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { builtInBarrelId, builtInBarrels } from '../../src/user/barrels.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { block, body, mute, names, people, refused, unblock, type Person } from '../support/fez.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const builtIn = ['Blocked Users', 'Muted Users', 'Alert Keywords', 'Muted Keywords']

interface Listed {
  barrelID: string
  name: string
}

const create = (client: Client, value: object): Promise<Answer> => client.post('/user/barrel', value)
const list = (client: Client): Promise<Listed[]> => body(client.get('/user/barrels'))
const nameOf = ({ name }: Listed): string => name
const get = (client: Client, id: string): Promise<Answer> => client.get(`/user/barrels/${id}`)
const change = (client: Client, id: string, verb: 'add' | 'remove' | 'rename', text: string): Promise<Answer> =>
  client.post(`/user/barrels/${id}/${verb}/${encodeURIComponent(text)}`)
const idOf = async (client: Client, name: string): Promise<string> =>
  (await list(client)).find((barrel) => barrel.name === name)?.barrelID ?? assert.fail(`no barrel ${name}`)

describe('POST /user/barrel', () => {
  it('makes a list of the users that exist, in order of username', async () => {
    const [me, b, a, enemy] = (await people(nodes, {}, { username: 'Barreled-b' }, { username: 'barreled-A' }, {})) as [
      Person,
      Person,
      Person,
      Person,
    ]
    await block(enemy, me)
    const made = await body(create(me.one, { name: 'Friends', uuidList: [b.id, a.id.toUpperCase(), b.id, nobody, enemy.id] }), 201)
    assert.deepEqual(made, {
      barrelID: made.barrelID,
      name: 'Friends',
      seamonkeys: [
        { userID: a.id, username: 'barreled-A' },
        { userID: b.id, username: 'Barreled-b' },
      ],
    })
    assert.deepEqual(await body(get(me.two, made.barrelID.toUpperCase())), made)
  })

  it('makes a list of words, sorted and each once', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    const made = await body(create(me.one, { name: 'Words', stringList: ['b', 'é', 'a b', 'B', 'b', '😀'] }), 201)
    assert.deepEqual(made, { barrelID: made.barrelID, name: 'Words', seamonkeys: [], stringList: ['B', 'a b', 'b', 'é', '😀'] })
    assert.deepEqual(await body(get(me.two, made.barrelID)), made)
  })

  it('keeps words as they are', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    const words = [' ', ',', '"', 'NULL', '\\', 'a"b\\c', 'null', '{}', '\u2028'].toSorted()
    const made = await body(create(me.one, { name: 'Odd', stringList: words }), 201)
    assert.deepEqual(made.stringList, words)
    for (const word of words) await body(change(me.two, made.barrelID, 'remove', word))
    for (const word of words) await body(change(me.one, made.barrelID, 'add', word))
    assert.deepEqual((await body(get(me.two, made.barrelID))).stringList, words)
  })

  it('makes an empty list of the kind that was asked for', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    for (const [value, stringList] of [
      [{}, undefined],
      [{ uuidList: [] }, undefined],
      [{ uuidList: null, stringList: null }, undefined],
      [{ stringList: [] }, []],
      [{ uuidList: null, stringList: [] }, []],
    ] as const) {
      const { barrelID: _id, ...rest } = await body(create(me.one, { name: 'Empty', ...value }), 201)
      assert.deepEqual(rest, { name: 'Empty', seamonkeys: [], ...(stringList ? { stringList } : {}) })
    }
    assert.equal((await list(me.two)).filter(({ name }) => name === 'Empty').length, 5, 'names need not be unique')
  })

  it('refuses bad names, both lists, and wrong shapes', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    const fields = async (value: object) => Object.keys((await body(create(me.one, value), 400)).fieldErrors ?? {})
    assert.deepEqual(await fields({ name: '' }), ['name'])
    assert.deepEqual(await fields({ name: 'x'.repeat(101) }), ['name'])
    assert.deepEqual(await fields({ name: '', uuidList: [], stringList: [] }), ['name', 'general'])
    assert.deepEqual(await fields({ name: 'x', uuidList: [me.id], stringList: ['word'] }), ['general'])
    assert.deepEqual(await fields({ name: 'x', stringList: ['fine', 'x'.repeat(1001), ''] }), ['stringList.2', 'stringList.1'])
    for (const value of [
      {},
      { name: 7 },
      { name: 'x', uuidList: ['nonsense'] },
      { name: 'x', uuidList: me.id },
      { name: 'x', stringList: [7] },
    ])
      assert.deepEqual(await fields(value), [])
    await refused(create(nodes.client(), { name: 'x' }), 401)
    assert.equal((await list(me.one)).length, 4)
  })

  it('is safe to repeat with an Idempotency-Key', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    const send = (client: Client) =>
      client.post('/user/barrel', { name: 'Once', stringList: ['a'] }, { headers: { 'idempotency-key': 'barrel-1' } })
    assert.deepEqual(await body(send(me.one), 201), await body(send(me.two), 201))
    assert.equal((await list(me.one)).length, 5)
  })

  it('is open to every level that can log in', async () => {
    for (const level of ['unverified', 'quarantined', 'client', 'moderator'] as const) {
      const [me] = (await people(nodes, { level })) as [Person]
      await body(create(me.one, { name: 'Mine' }), 201)
    }
  })
})

describe('GET /user/barrels, GET /user/barrels/seamonkey', () => {
  it('list built-in barrels, word lists and user lists, each in order of name', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    for (const name of ['users b', 'Users C', 'users a']) await body(create(me.one, { name }), 201)
    for (const name of ['words z', 'words y']) await body(create(me.two, { name, stringList: [] }), 201)
    await body(create(other.one, { name: 'of somebody else' }), 201)
    assert.deepEqual((await list(me.one)).map(nameOf), [...builtIn, 'words y', 'words z', 'users a', 'users b', 'Users C'])
    assert.deepEqual((await body<Listed[]>(me.two.get('/user/barrels/seamonkey'))).map(nameOf), ['users a', 'users b', 'Users C'])
    assert.equal(await countStatements(nodes.apps[0]!, () => list(me.one)), 1)
    await refused(nodes.client().get('/user/barrels'), 401)
    await refused(nodes.client().get('/user/barrels/seamonkey'), 401)
  })
})

describe('the built-in barrels', () => {
  it('have ids that stay, differ, and are UUIDs', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const [first, again, others] = [await list(me.one), await list(me.two), await list(other.one)]
    assert.deepEqual(first, again)
    assert.equal(new Set([...first, ...others].map(({ barrelID }) => barrelID)).size, 8)
    for (const { barrelID } of first) assert.match(barrelID, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('show blocks, mutes and words as they are now', async () => {
    const [me, b, a] = (await people(nodes, {}, { username: 'Inside-b' }, { username: 'inside-A' })) as [Person, Person, Person]
    const contents = async (name: string) => {
      const { barrelID: _id, ...rest } = await body(get(me.two, await idOf(me.two, name)))
      return { ...rest, seamonkeys: names(rest.seamonkeys) }
    }
    await block(me, b)
    await block(me, a)
    assert.deepEqual(await contents('Blocked Users'), { name: 'Blocked Users', seamonkeys: ['inside-A', 'Inside-b'] })
    await unblock(me, a)
    await mute(me, a)
    assert.deepEqual(await contents('Blocked Users'), { name: 'Blocked Users', seamonkeys: ['Inside-b'] })
    assert.deepEqual(await contents('Muted Users'), { name: 'Muted Users', seamonkeys: ['inside-A'] })
    for (const word of ['zebra', 'apple']) await body(me.one.post(`/user/alertwords/add/${word}`))
    assert.deepEqual(await contents('Alert Keywords'), { name: 'Alert Keywords', seamonkeys: [], stringList: ['apple', 'zebra'] })
    assert.deepEqual(await contents('Muted Keywords'), { name: 'Muted Keywords', seamonkeys: [], stringList: [] })
    await body(me.one.post('/user/mutewords/add/rumour'))
    assert.deepEqual(await contents('Muted Keywords'), { name: 'Muted Keywords', seamonkeys: [], stringList: ['rumour'] })
  })

  it('leave the block list to primary accounts', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    const [sub] = (await people(nodes, { subAccountOf: me })) as [Person]
    assert.deepEqual((await list(sub.one)).map(nameOf), builtIn.slice(1))
    await refused(get(sub.one, await idOf(me.one, 'Blocked Users')), 403)
    const [other] = (await people(nodes, {})) as [Person]
    for (const barrel of builtInBarrels)
      await refused(get(other.one, builtInBarrelId(sub.id, barrel)), barrel.kind === 'blockedUsers' ? 400 : 403)
  })

  it('cannot be changed here', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    for (const { barrelID } of await list(me.one)) {
      for (const verb of ['add', 'remove', 'rename'] as const) await refused(change(me.one, barrelID, verb, 'word'), 400)
      await refused(me.one.post(`/user/barrels/${barrelID}/delete`), 400)
      await refused(me.two.delete(`/user/barrels/${barrelID}`), 400)
    }
    assert.deepEqual((await list(me.two)).map(nameOf), builtIn)
  })
})

describe('POST /user/barrels/:barrel_id/add/:string and remove/:string', () => {
  it('change a list of users', async () => {
    const [me, b, a, enemy] = (await people(nodes, {}, { username: 'Added-b' }, { username: 'added-A' }, {})) as [
      Person,
      Person,
      Person,
      Person,
    ]
    const { barrelID } = await body(create(me.one, { name: 'Friends' }), 201)
    const users = async (answer: Promise<Answer>) => names((await body(answer)).seamonkeys)
    assert.deepEqual(await users(change(me.one, barrelID, 'add', b.id.toUpperCase())), ['Added-b'])
    assert.deepEqual(await users(change(me.two, barrelID, 'add', a.id)), ['added-A', 'Added-b'])
    assert.deepEqual(await users(change(me.one, barrelID, 'add', a.id)), ['added-A', 'Added-b'])
    assert.deepEqual(await users(change(me.two, barrelID, 'remove', b.id.toUpperCase())), ['added-A'])
    for (const text of [b.id, nobody, 'nonsense', 'added-A']) await refused(change(me.one, barrelID, 'remove', text), 400)
    await block(enemy, me)
    const missing = await refused(change(me.one, barrelID, 'add', nobody), 400)
    assert.equal(await refused(change(me.one, barrelID, 'add', enemy.id), 400), missing)
    await refused(change(me.one, barrelID, 'add', 'nonsense'), 400)
    assert.deepEqual(await users(get(me.two, barrelID)), ['added-A'])
  })

  it('hide users who are in a block with the owner, and can remove them', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const { barrelID } = await body(create(me.one, { name: 'Friends', uuidList: [other.id] }), 201)
    await block(other, me)
    assert.deepEqual((await body(get(me.two, barrelID))).seamonkeys, [])
    await unblock(other, me)
    assert.deepEqual(names((await body(get(me.two, barrelID))).seamonkeys), [other.username])
    await block(other, me)
    await body(change(me.one, barrelID, 'remove', other.id))
    await refused(change(me.one, barrelID, 'remove', other.id), 400)
  })

  it('have no users who were in a block when the list was made, also when that ends', async () => {
    const [me, other, third] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    await block(other, me)
    const { barrelID } = await body(create(me.one, { name: 'Friends', uuidList: [other.id, third.id] }), 201)
    await unblock(other, me)
    assert.deepEqual(names((await body(get(me.two, barrelID))).seamonkeys), [third.username])
  })

  it('change a list of words', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    const { barrelID } = await body(create(me.one, { name: 'Words', stringList: ['m'] }), 201)
    const words = async (answer: Promise<Answer>) => (await body(answer)).stringList
    assert.deepEqual(await words(change(me.one, barrelID, 'add', 'z')), ['m', 'z'])
    assert.deepEqual(await words(change(me.two, barrelID, 'add', 'A / b? #c')), ['A / b? #c', 'm', 'z'])
    assert.deepEqual(await words(change(me.two, barrelID, 'add', 'z')), ['A / b? #c', 'm', 'z'])
    assert.deepEqual(await words(change(me.one, barrelID, 'remove', 'm')), ['A / b? #c', 'z'])
    for (const text of ['m', 'Z', nobody]) await refused(change(me.one, barrelID, 'remove', text), 400)
    for (const text of ['x'.repeat(1001), '\u0000']) await refused(change(me.one, barrelID, 'add', text), 400)
    assert.deepEqual(await words(get(me.two, barrelID)), ['A / b? #c', 'z'])
  })

  it('lose nothing when several come at once', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    const { barrelID } = await body(create(me.one, { name: 'Words', stringList: [] }), 201)
    const words = Array.from({ length: 12 }, (_, index) => `word ${String(index).padStart(2, '0')}`)
    await Promise.all(words.map((word, index) => body(change(index % 2 ? me.one : me.two, barrelID, 'add', word))))
    assert.deepEqual((await body(get(me.one, barrelID))).stringList, words)
    const answers = await Promise.all([change(me.one, barrelID, 'add', 'late'), me.two.delete(`/user/barrels/${barrelID}`)])
    assert.ok(answers[0].status === 200 || answers[0].status === 400, String(answers[0].status))
    assert.equal(answers[1].status, 204)
  })

  it('find a barrel gone that is removed at the same moment', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    for (const [more, item] of [
      [{ uuidList: [] }, other.id],
      [{ stringList: [] }, 'word'],
    ] as const) {
      const { barrelID } = await body(create(me.one, { name: 'Going', ...more }), 201)
      let adding: Promise<Answer> | undefined
      await nodes.apps[0]?.node.db.transaction(async (sql) => {
        await sql`delete from barrel where id = ${barrelID}`
        adding = change(me.one, barrelID, 'add', item)
        await until(
          async () =>
            (await nodes.sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`).length > 0,
          'the barrel is waited for',
        )
      })
      await refused(adding as Promise<Answer>, 400)
    }
  })
})

describe('POST /user/barrels/:barrel_id/rename/:barrel_name', () => {
  it('takes names of 1 to 100 characters', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    const { barrelID } = await body(create(me.one, { name: 'Before', stringList: ['a'] }), 201)
    for (const name of ['After & more / less', 'x', '👨‍👩‍👧‍👦'.repeat(100)]) {
      assert.deepEqual(await body(change(me.one, barrelID, 'rename', name)), { barrelID, name, seamonkeys: [], stringList: ['a'] })
      assert.equal((await body(get(me.two, barrelID))).name, name)
    }
    await refused(change(me.one, barrelID, 'rename', 'x'.repeat(101)), 400)
  })
})

describe('POST /user/barrels/:barrel_id/delete, DELETE /user/barrels/:barrel_id', () => {
  it('remove a barrel once', async () => {
    const [me] = (await people(nodes, {})) as [Person]
    for (const remove of [
      (id: string) => me.two.post(`/user/barrels/${id}/delete`),
      (id: string) => me.two.delete(`/user/barrels/${id}`),
    ]) {
      const { barrelID } = await body(create(me.one, { name: 'Gone', uuidList: [me.id] }), 201)
      assert.equal(await body(remove(barrelID), 204), undefined)
      await refused(remove(barrelID), 400)
      await refused(get(me.one, barrelID), 400)
    }
    assert.deepEqual((await list(me.one)).map(nameOf), builtIn)
  })
})

describe('barrels of somebody else', () => {
  it('are refused with 403, unknown ones with 400', async () => {
    const [me, other, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
    const { barrelID } = await body(create(other.one, { name: 'Private', stringList: ['word'] }), 201)
    const calls = (client: Client, id: string) => [
      get(client, id),
      change(client, id, 'add', 'word'),
      change(client, id, 'remove', 'word'),
      change(client, id, 'rename', 'Mine'),
      client.post(`/user/barrels/${id}/delete`),
      client.delete(`/user/barrels/${id}`),
    ]
    for (const { one } of [me, moderator]) {
      for (const answer of calls(one, barrelID)) await refused(answer, 403)
      for (const builtInOfOther of await list(other.two))
        for (const answer of calls(one, builtInOfOther.barrelID)) await refused(answer, 403)
      for (const id of [nobody, 'nonsense', other.id]) for (const answer of calls(one, id)) await refused(answer, 400)
    }
    const [first] = await list(other.one)
    await block(other, me)
    assert.equal(await refused(get(me.one, first?.barrelID ?? ''), 400), await refused(get(me.one, nobody), 400), 'a hidden user has none')
    assert.deepEqual((await body(get(other.one, barrelID))).stringList, ['word'])
  })
})
