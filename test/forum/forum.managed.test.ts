// Categories of forums as the team manages them.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { newCategory, startForum } from '../support/forum.ts'

let nodes: TestNodes
let moderator: Person
let other: Person
let tho: Person
let user: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[moderator, other, tho, user] = (await people(nodes, { level: 'moderator' }, { level: 'moderator' }, { level: 'tho' }, {})) as [
    Person,
    Person,
    Person,
    Person,
  ]
})
after(() => nodes.stop())

interface Managed {
  categoryID: string
  title: string
  purpose: string
  isEventCategory: boolean
  accessLevelToView: string
  accessLevelToCreate: string
  requiredRole?: string
  numThreads: number
  changedAt: string
}

let made = 0
const create = async (more: object = {}, client: Client = moderator.one): Promise<string> =>
  (await body(client.post('/mod/category/create', { title: `Category ${++made}`, purpose: 'For this', ...more }), 201)).categoryID
const managed = (client: Client = moderator.two): Promise<Managed[]> => body(client.get('/mod/categories'))
const one = async (id: string, client?: Client) => (await managed(client)).find(({ categoryID }) => categoryID === id) as Managed
const open = { title: 'Open', purpose: '', accessLevelToView: 'unverified', accessLevelToCreate: 'verified' }
const change = (id: string, more: object = {}, client: Client = moderator.one) =>
  client.post(`/mod/category/${id}/update`, { ...open, title: `Changed ${++made}`, ...more })
const idsOf = (all: { categoryID: string }[]) => all.map(({ categoryID }) => categoryID)
const seenBy = async (client: Client) => idsOf(await body(client.get('/forum/categories')))
const order = (categoryIDs: readonly string[], more: object = {}, client: Client = moderator.one) =>
  client.post('/mod/categories/order', { categoryIDs, ...more })
const auditOf = async (id: string) =>
  (await nodes.sql<{ action: string }[]>`select action from audit where subject_id = ${id} order by id`).map(({ action }) => action)

beforeEach(async () => {
  await nodes.sql`update forum_category set place = null`
  for (const app of nodes.apps) app.node.versions.reset()
})

test('a category with its levels; a change is seen by everybody at once, on every node', async () => {
  const id = await create({ isRestricted: true })
  const { changedAt, ...before } = await one(id)
  assert.deepEqual(before, {
    categoryID: id,
    title: `Category ${made}`,
    purpose: 'For this',
    isEventCategory: false,
    accessLevelToView: 'unverified',
    accessLevelToCreate: 'moderator',
    numThreads: 0,
  })
  await seenBy(user.two)
  const changed = await body(
    change(id, { title: 'Knots', purpose: 'All about ropes', requiredRole: 'Shutternaut', accessLevelToCreate: 'Verified' }),
  )
  assert.deepEqual(
    { ...changed, changedAt: '' },
    { ...before, changedAt: '', title: 'Knots', purpose: 'All about ropes', requiredRole: 'shutternaut', accessLevelToCreate: 'verified' },
  )
  assert.ok(changed.changedAt > changedAt)
  assert.deepEqual(await one(id), changed)
  assert.ok(!(await seenBy(user.two)).includes(id), 'it is for a role now')
  await refused(user.two.get(`/forum/categories/${id}`), 400)
  await body(change(id, { title: 'Knots', purpose: '' }))
  assert.ok((await seenBy(user.two)).includes(id))
  await startForum(user.two, 'Bowline', { category: id })
  assert.equal((await one(id)).numThreads, 1)
  assert.deepEqual(await auditOf(id), ['create', 'changeCategory', 'changeCategory'])
})

test('refused: titles that are taken or wrong, sight of it lost, unknown ones, those that one does not see, and whoever is no moderator', async () => {
  const [id, taken] = [await create(), await create({ title: 'Taken' })]
  const fields = async (more: object, client?: Client) => Object.keys((await body(change(id, more, client), 400)).fieldErrors)
  for (const title of ['Taken', 'x', 'x'.repeat(101)]) assert.deepEqual(await fields({ title }), ['title'])
  assert.deepEqual(await fields({ purpose: 'x'.repeat(501) }), ['purpose'])
  for (const level of ['tho', 'admin']) assert.deepEqual(await fields({ accessLevelToView: level }), ['accessLevelToView'])
  for (const more of [{ accessLevelToCreate: 'king' }, { requiredRole: 'king' }, { accessLevelToView: null }])
    await refused(change(id, more), 400)
  const hidden = await create({ accessLevelToView: 'tho' }, tho.one)
  assert.ok(!idsOf(await managed()).includes(hidden))
  assert.ok(idsOf(await managed(tho.two)).includes(hidden))
  for (const unknown of [hidden, '7c9e6679-7425-40de-944b-e07fc1f90ae7']) {
    await refused(change(unknown), 400)
    await refused(moderator.two.delete(`/mod/category/${unknown}`), 400)
  }
  for (const [client, status] of [
    [nodes.client(), 401],
    [user.one, 403],
  ] as const) {
    await refused(client.get('/mod/categories'), status)
    await refused(change(taken, {}, client), status)
    await refused(order([], {}, client), status)
    await refused(client.delete(`/mod/category/${taken}`), status)
  }
  assert.equal((await one(taken)).title, 'Taken')
})

test('the order is the one that the team has made, for everybody; new ones come last, by level and title', async () => {
  await create()
  const usual = idsOf(await managed())
  const wanted = usual.toReversed()
  await body(order(wanted, { basedOn: usual }), 204)
  assert.deepEqual(idsOf(await managed()), wanted)
  const visible = new Set(await seenBy(user.one))
  assert.deepEqual(
    await seenBy(user.two),
    wanted.filter((id) => visible.has(id)),
  )
  const added = await create({ title: 'AAA' })
  assert.equal(idsOf(await managed()).at(-1), added)
  assert.deepEqual(await auditOf('all'), ['orderCategories'])
})

test('an order that leaves one out, names one twice or one that is unknown is refused; so is one based on another', async () => {
  const usual = idsOf(await managed())
  const [first = '', second = '', ...rest] = usual
  for (const wrong of [
    usual.slice(1),
    [...usual, first],
    [first, first, ...rest],
    [second, ...rest, '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
  ])
    assert.equal((await body(order(wrong), 400)).code, 'categories_missing')
  await body(order([second, first, ...rest], { basedOn: usual }), 204)
  assert.equal((await body(order(usual, { basedOn: usual }, other.two), 409)).code, 'changed_meanwhile')
  assert.deepEqual(idsOf(await managed()), [second, first, ...rest])
})

test('what a moderator does not see keeps its place when they order the others', async () => {
  const hidden = await create({ accessLevelToView: 'tho' }, tho.one)
  const all = idsOf(await managed(tho.one))
  await body(order([hidden, ...all.filter((id) => id !== hidden)], {}, tho.one), 204)
  await body(order(idsOf(await managed()).toReversed()), 204)
  assert.equal(idsOf(await managed(tho.two))[0], hidden)
})

test('two moderators: nothing is overwritten unseen', async () => {
  const id = await create()
  const { changedAt } = await one(id)
  await body(change(id, { basedOn: changedAt }, other.two))
  assert.equal((await body(change(id, { basedOn: changedAt }), 409)).code, 'changed_meanwhile')
  assert.equal((await body(moderator.one.delete(`/mod/category/${id}?basedOn=${changedAt}`), 409)).code, 'changed_meanwhile')
  await body(moderator.one.delete(`/mod/category/${id}?basedOn=${(await one(id)).changedAt}`))
})

test('only a category that nothing was ever in is deleted', async () => {
  const [empty, used, left] = [await create(), await create(), await create()]
  await startForum(user.one, 'Stays', { category: used })
  const { forumID } = await startForum(user.one, 'Moves', { category: left })
  await body(moderator.one.post(`/mod/forum/${forumID}/setcategory/${used}`))
  for (const id of [used, left]) assert.equal((await body(moderator.one.delete(`/mod/category/${id}`), 400)).code, 'category_used')
  await body(moderator.one.delete(`/mod/category/${empty}`))
  assert.ok(!idsOf(await managed()).includes(empty))
  assert.ok(!(await seenBy(user.two)).includes(empty))
  assert.deepEqual(await auditOf(empty), ['create', 'deleteCategory'])
})

test('the categories of the schedule keep their first word, and stay', async () => {
  const events = (await managed()).filter(({ isEventCategory }) => isEventCategory)
  assert.ok(events.length > 0)
  for (const { categoryID, title, ...rest } of events) {
    const [word = ''] = title.split(' ')
    const { fieldErrors } = await body(change(categoryID, { ...rest, title: `All ${title}` }), 400)
    assert.deepEqual(Object.keys(fieldErrors), ['title'])
    await body(change(categoryID, { ...rest, title: `${word.toUpperCase()} things` }))
    assert.equal((await body(moderator.one.delete(`/mod/category/${categoryID}`), 400)).code, 'category_used')
    await body(change(categoryID, { ...rest, title }))
  }
  // Also one in which there is no forum yet.
  const empty = await newCategory(nodes, { title: 'Event extras', isEvent: true, createLevel: 'moderator' })
  assert.equal((await body(moderator.one.delete(`/mod/category/${empty}`), 400)).code, 'category_used')
})
