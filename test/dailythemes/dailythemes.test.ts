// Daily themes: one for a day, managed by tho and above, read by everybody.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { FormData } from 'undici'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { storedImage } from '../support/images.ts'
import { hold } from '../support/locks.ts'

let nodes: TestNodes
let tho: Person
let reader: Person
const [first, second, third, fourth] = ['jpg', 'png', 'png', 'jpg'].map((extension) => `${randomUUID().toUpperCase()}.${extension}`) as [
  string,
  string,
  string,
  string,
]
before(async () => {
  nodes = await startTestNodes(2)
  for (const name of [first, second, third, fourth]) storedImage(nodes, name)
  ;[tho, reader] = (await people(nodes, { level: 'tho' }, {})) as [Person, Person]
})
after(() => nodes.stop())
beforeEach(async () => {
  await nodes.sql`delete from daily_theme`
})

const path = '/admin/dailytheme'
const theme = (cruiseDay: number, more: object = {}) => ({ title: `Day ${cruiseDay}`, info: 'Dress up', cruiseDay, ...more })
interface Listed {
  themeID: string
  title: string
  info: string
  image?: string
  cruiseDay: number
  updatedAt: string
}
const list = async (node = 0) =>
  // When each was changed is looked at where two change one.
  ((await body(nodes.client(undefined, node).get('/notification/dailythemes'))) as Listed[]).map(({ updatedAt: _at, ...shown }) => shown)

/** Creates a theme and returns its id. */
async function create(cruiseDay: number, more: object = {}): Promise<string> {
  await body(tho.one.post(`${path}/create`, theme(cruiseDay, more)), 201)
  return (await list()).find((one) => one.cruiseDay === cruiseDay)!.themeID
}

test('GET /notification/dailythemes: all days in order, for everybody, on every node', async () => {
  assert.deepEqual(await list(), [])
  for (const day of [3, -1, 0, 2_000_000_000]) await create(day)
  await create(1, { title: '', info: '🎉\n'.repeat(5000), image: { filename: first } })
  const themes = await list(1)
  assert.deepEqual(
    themes.map(({ themeID: _id, ...rest }: { themeID: string }) => rest),
    [theme(-1), theme(0), { title: '', info: '🎉\n'.repeat(5000), image: first, cruiseDay: 1 }, theme(3), theme(2_000_000_000)],
  )
  const unstamped = (await body(reader.two.get('/notification/dailythemes'))) as Listed[]
  assert.deepEqual(
    unstamped.map(({ updatedAt: _at, ...shown }) => shown),
    themes,
  )
})

test('GET /notification/dailythemes: 304 as long as nothing has changed', async () => {
  await create(1)
  const first = await reader.one.get('/notification/dailythemes')
  const etag = String(first.headers['etag'])
  const again = (tag: string) => reader.two.get('/notification/dailythemes', { headers: { 'if-none-match': tag } })
  for (const tag of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
    const { status, body: text, headers } = await again(tag)
    assert.deepEqual([status, text, headers['etag']], [304, undefined, etag])
  }
  assert.equal((await again('"other"')).status, 200)
  await create(2)
  const changed = await again(etag)
  assert.deepEqual([changed.status, changed.body.length], [200, 2])
  assert.notEqual(changed.headers['etag'], etag)
})

test('everything under /admin/dailytheme is for tho and above who may create content', async () => {
  const id = await create(1)
  const [team, admin, quarantined] = (await people(
    nodes,
    { level: 'serviceteam' },
    { level: 'admin' },
    { level: 'admin', tempQuarantineUntil: new Date(Date.now() + 3_600_000) },
  )) as [Person, Person, Person]
  for (const [client, status] of [
    [nodes.client(), 401],
    [reader.one, 403],
    [team.two, 403],
    [quarantined.one, 403],
  ] as const) {
    await refused(client.post(`${path}/create`, theme(5)), status)
    await refused(client.post(`${path}/${id}/edit`, theme(5)), status)
    await refused(client.post(`${path}/${id}/delete`), status)
    await refused(client.delete(`${path}/${id}`), status)
  }
  assert.deepEqual(
    (await list()).map(({ cruiseDay }: { cruiseDay: number }) => cruiseDay),
    [1],
  )
  await body(admin.one.post(`${path}/create`, theme(5)), 201)
  await body(admin.two.post(`${path}/${id}/edit`, theme(6)), 201)
  await body(admin.one.delete(`${path}/${id}`), 204)
  assert.deepEqual(
    (await list()).map(({ cruiseDay }: { cruiseDay: number }) => cruiseDay),
    [5],
  )
})

test('a day has one theme: 409 for another, also when two are created at once', async () => {
  const [first, second] = [await create(1), await create(2)]
  await refused(tho.two.post(`${path}/create`, theme(1)), 409)
  await refused(tho.two.post(`${path}/${second}/edit`, theme(1)), 409)
  await body(tho.two.post(`${path}/${first}/edit`, theme(1, { title: 'Same day' })), 201)
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => (index % 2 ? tho.one : tho.two).post(`${path}/create`, theme(7))),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array.from({ length: 7 }, () => 409)])
  assert.deepEqual(
    (await list()).map(({ title }: { title: string }) => title),
    ['Same day', 'Day 2', 'Day 7'],
  )
})

test('POST /admin/dailytheme/:id/edit: replaces everything; without an image there is none any more', async () => {
  const id = await create(1, { image: { filename: second } })
  await body(tho.one.post(`${path}/${id.toUpperCase()}/edit`, { title: 'Other', info: '', cruiseDay: -3, image: { filename: third } }), 201)
  assert.deepEqual(await list(1), [{ themeID: id, title: 'Other', info: '', image: third, cruiseDay: -3 }])
  await body(tho.one.post(`${path}/${id}/edit`, theme(1)), 201)
  assert.deepEqual(await list(1), [{ themeID: id, ...theme(1) }])
  // The same image again stays where it is.
  const kept = storedImage(nodes)
  for (const title of ['With it', 'Still with it'])
    await body(tho.one.post(`${path}/${id}/edit`, theme(1, { title, image: { filename: kept } })), 201)
  assert.equal((await tho.one.file(`/image/full/${kept}`)).status, 200)
})

test('POST /admin/dailytheme/:id/edit, twice at once: the picture of the first is replaced as well, and not left behind', async () => {
  const [before, one, other] = [storedImage(nodes), storedImage(nodes), storedImage(nodes)]
  const id = await create(1, { image: { filename: before } })
  const lock = await hold(nodes.database.url, `select from daily_theme where id = '${id}' for update`)
  const edits = [
    tho.one.post(`${path}/${id}/edit`, theme(1, { image: { filename: one } })),
    tho.two.post(`${path}/${id}/edit`, theme(1, { image: { filename: other } })),
  ]
  await lock.awaited(2)
  await lock.release()
  for (const edit of edits) await body(edit, 201)
  const image = (await list())[0]?.image as string
  const served = await Promise.all([before, one, other].map(async (name) => (await tho.one.file(`/image/full/${name}`)).status))
  assert.deepEqual(
    served,
    [before, one, other].map((name) => (name === image ? 200 : 400)),
  )
})

test('POST /admin/dailytheme/table: the words of several days, all or none; images stay, a day without a title has no theme any more', async () => {
  const left = storedImage(nodes)
  const id = await create(1, { image: { filename: first } })
  await create(2, { image: { filename: left } })
  const all = async () => (await body(tho.two.get('/notification/dailythemes'))) as Listed[]
  const seen = async (day: number) => ({ basedOn: (await all()).find(({ cruiseDay }) => cruiseDay === day)?.updatedAt })
  const rows = [
    { cruiseDay: 1, title: 'Pirates', info: 'Stripes', ...(await seen(1)) },
    { cruiseDay: 2, ...(await seen(2)) },
    { cruiseDay: 5, title: 'Stars' },
  ]
  // Whoever has not seen what is there by now writes nothing, whichever day it is about.
  for (const stale of [
    { cruiseDay: 1, title: 'x' },
    { cruiseDay: 2, title: 'x', basedOn: '2020-01-01T00:00:00.000Z' },
    { cruiseDay: 6, title: 'x', ...(await seen(1)) },
    { cruiseDay: 6, ...(await seen(1)) },
  ])
    await refused(tho.one.post(`${path}/table`, { themes: [...rows.filter(({ cruiseDay }) => cruiseDay !== stale.cruiseDay), stale] }), 409)
  assert.equal((await all()).length, 2)
  assert.equal((await tho.one.file(`/image/full/${left}`)).status, 200)
  const answer = (await body(tho.one.post(`${path}/table`, { themes: rows }))) as Listed[]
  assert.deepEqual(answer, await all())
  assert.deepEqual(
    answer.map(({ cruiseDay, title, info, image }) => [cruiseDay, title, info, image]),
    [
      [1, 'Pirates', 'Stripes', first],
      [5, 'Stars', '', undefined],
    ],
  )
  assert.equal(answer[0]?.themeID, id)
  assert.equal((await tho.one.file(`/image/full/${left}`)).status, 400, 'the picture of a theme that is gone')
  // The same again is late now.
  await refused(tho.two.post(`${path}/table`, { themes: rows }), 409)
  await refused(
    tho.one.post(`${path}/table`, {
      themes: [
        { cruiseDay: 9, title: 'x' },
        { cruiseDay: 9, title: 'y' },
      ],
    }),
    400,
  )
  for (const client of reader.clients) await refused(client.post(`${path}/table`, { themes: [] }), 403)
})

test('a theme that does not exist is 400; one that is deleted leaves its day free', async () => {
  const id = await create(1)
  await body(tho.one.post(`${path}/${id}/delete`), 204)
  for (const missing of [id, randomUUID(), 'x']) {
    await refused(tho.one.post(`${path}/${missing}/edit`, theme(2)), 400)
    await refused(tho.one.post(`${path}/${missing}/delete`), 400)
    await refused(tho.one.delete(`${path}/${missing}`), 400)
  }
  await body(tho.one.delete(`${path}/${await create(1)}`), 204)
  assert.deepEqual(await list(), [])
})

test('refused bodies, and a form in place of JSON', async () => {
  for (const content of [
    {},
    { title: 'x', info: 'x' },
    theme(1.5),
    theme(3e9),
    { ...theme(1), title: 1 },
    { ...theme(1), image: 'x' },
    { ...theme(1), image: { image: '%%' } },
  ]) {
    await refused(tho.one.post(`${path}/create`, content), 400)
  }
  await refused(tho.one.post(`${path}/create`), 422)
  const form = new FormData()
  for (const [name, value] of Object.entries({ title: 'Formal', info: 'Gowns', cruiseDay: '4', 'image[filename]': fourth }))
    form.append(name, value)
  await body(tho.one.post(`${path}/create`, undefined, { form }), 201)
  assert.deepEqual(
    (await list()).map(({ themeID: _id, ...rest }: { themeID: string }) => rest),
    [{ title: 'Formal', info: 'Gowns', image: fourth, cruiseDay: 4 }],
  )
})

test('image data of zero bytes is no image', async () => {
  await create(1, { image: { image: '', filename: '' } })
  assert.deepEqual(
    (await list()).map(({ image }: { image?: string }) => image),
    [undefined],
  )
})

test('POST /admin/dailytheme/create: an Idempotency-Key makes it safe to repeat', async () => {
  const headers = { 'idempotency-key': 'theme-once' }
  for (const client of [tho.one, tho.two]) await body(client.post(`${path}/create`, theme(1), { headers }), 201)
  assert.equal((await list()).length, 1)
})
