// Favorites: private, one-directional, shown in the own view of profiles. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { block, body, names, people, refused, unblock, type Person } from '../support/fez.ts'
import { disable } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const favorite = (a: Person, b: { id: string }) => a.one.post(`/users/${b.id}/favorite`)
const favorites = async (a: Person) => names(await body(a.two.get('/users/favorites')))

describe('GET /users/favorites, POST /users/:user_id/favorite, POST /users/:user_id/unfavorite', () => {
  it('list favorites in order of username, however often they are added or removed', async () => {
    const [me, c, a, b] = (await people(
      nodes,
      {},
      { username: 'Fav-c' },
      { username: 'fav-A', displayName: 'Captain' },
      { username: 'Fav-b' },
    )) as [Person, Person, Person, Person]
    for (const other of [c, a, b, a]) assert.deepEqual(await body(favorite(me, other), 201), undefined)
    assert.deepEqual(await favorites(me), ['fav-A', 'Fav-b', 'Fav-c'])
    assert.deepEqual((await body(me.one.get('/users/favorites')))[0], { userID: a.id, username: 'fav-A', displayName: 'Captain' })
    for (let time = 0; time < 2; time++) await body(me.two.post(`/users/${b.id}/unfavorite`), 204)
    for (let time = 0; time < 2; time++) await body(me.two.delete(`/users/${c.id.toUpperCase()}/favorite`), 204)
    assert.deepEqual(await favorites(me), ['fav-A'])
  })

  it('are of one account and of one side', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const [sub] = (await people(nodes, { subAccountOf: me })) as [Person]
    await body(favorite(me, other), 201)
    assert.deepEqual([await favorites(sub), await favorites(other)], [[], []])
    await body(favorite(me, sub), 201)
    assert.deepEqual(await favorites(me), names([other, sub]).sort())
  })

  it('refuse oneself, strangers, and unknown and hidden users alike', async () => {
    const [me, enemy] = (await people(nodes, {}, {})) as [Person, Person]
    await refused(favorite(me, me), 400)
    await refused(favorite(me, { id: 'nonsense' }), 400)
    await refused(nodes.client().get('/users/favorites'), 401)
    await block(enemy, me)
    for (const call of [
      (id: string) => me.two.post(`/users/${id}/favorite`),
      (id: string) => me.one.post(`/users/${id}/unfavorite`),
      (id: string) => me.one.delete(`/users/${id}/favorite`),
    ]) {
      const missing = await refused(call(nobody), 400)
      assert.equal(await refused(call(enemy.id), 400), missing)
    }
    assert.deepEqual(await favorites(me), [])
  })

  it('keep a favorite that becomes hidden, until he is removed', async () => {
    const [me, enemy] = (await people(nodes, {}, {})) as [Person, Person]
    await body(favorite(me, enemy), 201)
    await block(enemy, me)
    assert.deepEqual(await favorites(me), [enemy.username])
    await body(me.one.post(`/users/${enemy.id}/unfavorite`), 204)
    assert.deepEqual(await favorites(me), [])
  })

  it('are open to every level that can log in', async () => {
    const [other] = (await people(nodes, {})) as [Person]
    for (const level of ['unverified', 'quarantined', 'client', 'moderator'] as const) {
      const [me] = (await people(nodes, { level })) as [Person]
      await body(favorite(me, other), 201)
      assert.deepEqual(await favorites(me), [other.username])
    }
  })

  it('take the same favorite from many requests at once', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    const answers = await Promise.all([me.one, me.two, me.one, me.two].map((client) => client.post(`/users/${other.id}/favorite`)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201],
    )
    assert.deepEqual(await favorites(me), [other.username])
  })

  it('cost one statement, however many there are', async () => {
    const [me, ...others] = (await people(nodes, {}, {}, {}, {}, {}, {})) as [Person, ...Person[]]
    for (const other of others) await body(favorite(me, other), 201)
    assert.equal((await favorites(me)).length, 5)
    assert.equal(await countStatements(nodes.apps[1]!, () => me.two.get('/users/favorites')), 1)
  })

  it('are hidden with the feature users', async () => {
    const [me, tho] = (await people(nodes, {}, { level: 'tho' })) as [Person, Person]
    await disable(nodes, 'users')
    try {
      await refused(me.two.get('/users/favorites'), 451)
      for (const action of ['favorite', 'unfavorite']) await refused(me.one.post(`/users/${tho.id}/${action}`), 451)
      await refused(me.one.delete(`/users/${tho.id}/favorite`), 451)
      await body(favorite(tho, me), 201)
    } finally {
      await disable(nodes)
    }
  })
})

describe('GET /users/:user_id/profile', () => {
  it('says who is a favorite of the viewer, also when the profile is under review', async () => {
    const [me, other] = (await people(nodes, {}, {})) as [Person, Person]
    await body(favorite(me, other), 201)
    const isFavorite = async (viewer: Person, of: Person) => (await body(viewer.two.get(`/users/${of.id}/profile`))).isFavorite
    assert.deepEqual([await isFavorite(me, other), await isFavorite(other, me), await isFavorite(other, other)], [true, false, false])
    await nodes.sql`update account set moderation_status = 'quarantined' where id = ${other.id}`
    assert.equal(await isFavorite(me, other), true)
    assert.equal((await body(other.one.get('/user/profile'))).isFavorite, false)
    await body(me.one.post(`/users/${other.id}/unfavorite`), 204)
    assert.equal(await isFavorite(me, other), false)
  })
})

describe('GET /users/match/allnames/:search_string?sort=favorites', () => {
  it('has the favorites of the caller first, each group in order of names, ten in all', async () => {
    const [me, ...others] = (await people(
      nodes,
      {},
      ...Array.from({ length: 12 }, (_, index) => ({ username: `gull-${String.fromCodePoint(97 + index)}` })),
    )) as [Person, ...Person[]]
    for (const index of [11, 3]) await body(favorite(me, others[index] as Person), 201)
    const found = async (query: string) =>
      names(await body(me.two.get(`/users/match/allnames/gull-${query}`)))
        .map((name) => name.slice(-1))
        .join('')
    assert.equal(await found(''), 'abcdefghij')
    assert.equal(await found('?sort=favorites'), 'dlabcefghi')
    await body(me.one.post(`/users/${others[3]?.id}/unfavorite`), 204)
    assert.equal(await found('?sort=favorites'), 'labcdefghi')
    await refused(me.one.get('/users/match/allnames/gull?sort=age'), 400)
  })
})

describe('GET /users/match/allnames/:search_string?favorers', () => {
  it('finds only users who have favorited the caller', async () => {
    const [me, fan, enemy, stranger] = (await people(
      nodes,
      {},
      { username: 'likely-one' },
      { username: 'likely-two' },
      { username: 'likely-three' },
    )) as [Person, Person, Person, Person]
    for (const { one } of [fan, enemy]) await body(one.post(`/users/${me.id}/favorite`), 201)
    await body(favorite(me, stranger), 201)
    const found = async (query: string) => names(await body(me.two.get(`/users/match/allnames/LIKELY${query}`)))
    for (const query of ['?favorers=true', '?favorers=1', '?favorers'])
      assert.deepEqual(await found(query), ['likely-one', 'likely-two'], query)
    for (const query of ['', '?favorers=false', '?favorers=0'])
      assert.deepEqual(await found(query), ['likely-one', 'likely-three', 'likely-two'], query)
    await refused(me.one.get('/users/match/allnames/likely?favorers=maybe'), 400)
    const app = nodes.apps[1] as App
    await until(async () => (await countStatements(app, () => found('?favorers=true'), { warm: true })) === 0, 'the answer is in memory')
    await body(favorite(stranger, me), 201)
    assert.deepEqual(await found('?favorers=true'), ['likely-one', 'likely-three', 'likely-two'])
    await body(stranger.two.post(`/users/${me.id}/unfavorite`), 204)
    assert.deepEqual(await found('?favorers=true'), ['likely-one', 'likely-two'])
    await block(enemy, me)
    assert.deepEqual(await found('?favorers=true'), ['likely-one'])
    await unblock(enemy, me)
  })
})
