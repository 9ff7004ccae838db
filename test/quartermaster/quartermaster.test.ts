// The item board: posting, lists, changing, removing, reports, moderation, and whose items one sees. Two nodes on one database.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import sharp from 'sharp'
import { imagePath } from '../../src/image/names.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { block, body, people, refused, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { boardItem } from '../support/quartermaster.ts'
import { testPassword } from '../support/accounts.ts'
import { onlySettings } from '../support/settings.ts'
import { randomTest } from '../support/random-runs.ts'

interface Item {
  itemID: string
  category: 'have' | 'need'
  itemName: string
  itemDescription?: string
  location?: string
  image?: string
  owner?: { userID: string }
  hideOwnerName: boolean
  moderationStatus: string
  lastModificationTime: string
}
interface List {
  items: Item[]
  paginator: { total: number; start: number; limit: number }
}

let nodes: TestNodes
let admin: Person
let moderator: Person
let picture: string
before(async () => {
  nodes = await startTestNodes(2, { workers: 1, env: { WRITES_PER_MINUTE: '0', SEARCHES_PER_MINUTE: '0' } })
  ;[admin, moderator] = (await people(nodes, { level: 'admin' }, { level: 'moderator' })) as [Person, Person]
  picture = (
    await sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer()
  ).toString('base64')
})
after(() => nodes.stop())
afterEach(async () => {
  await onlySettings(nodes)
  await nodes.sql`delete from quartermaster_item`
})

const user = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const post = (client: Client, about: object): Promise<Item[]> =>
  body(client.post('/quartermaster/create', { category: 'have', ...about }), 201)
const list = (client: Client, query = ''): Promise<List> => body(client.get(`/quartermaster${query}`))
const namesOf = ({ items }: List): string[] => items.map(({ itemName }) => itemName)
const item = (client: Client, id: string): Promise<Item> => body(client.get(`/quartermaster/${id}`))
const change = (client: Client, id: string, content: object): Promise<Answer> =>
  client.post(`/quartermaster/${id}/update`, { category: 'have', itemName: 'A sewing kit', ...content })
const judged = (id: string) => body(moderator.two.get(`/mod/quartermaster/${id}`))
const setState = (id: string, state: string) => moderator.one.post(`/mod/quartermaster/${id}/setstate/${state}`)
const stored = (size: 'full' | 'archive', name: string) => existsSync(join(nodes.config.imagesDir, imagePath(size, name)))
const placeholder = 'This item is under moderator review.'

describe('POST /quartermaster/create', () => {
  it('posts items at one place, and answers them in their order', async () => {
    const owner = await user()
    const items = [
      { itemName: 'Ironing board', itemDescription: 'Folds flat' },
      { itemName: 'Iron', image: { image: picture } },
    ]
    const posted = await post(owner.one, { location: 'Laundry, deck 4', items })
    const common = { category: 'have', location: 'Laundry, deck 4', hideOwnerName: false, moderationStatus: 'normal' }
    assert.deepEqual(
      posted.map(({ itemID: _id, lastModificationTime: _at, image: _image, owner: shown, ...rest }) => ({ ...rest, by: shown?.userID })),
      [
        { ...common, itemName: 'Ironing board', itemDescription: 'Folds flat', by: owner.id },
        { ...common, itemName: 'Iron', imageSize: { width: 60, height: 40 }, by: owner.id },
      ],
    )
    assert.ok(stored('full', posted[1]?.image as string))
    assert.deepEqual(namesOf(await list((await user()).two)).toSorted(), ['Iron', 'Ironing board'])
  })

  it('a repetition with the same key is answered alike, and posts nothing', async () => {
    const owner = await user()
    const send = () =>
      owner.one.post(
        '/quartermaster/create',
        { category: 'need', items: [{ itemName: 'Plaster', image: { image: picture } }] },
        { headers: { 'Idempotency-Key': 'board-once' } },
      )
    const pictures = () => readdirSync(join(nodes.config.imagesDir, 'full'), { recursive: true }).length
    const first = await send()
    const stored = pictures()
    const second = await send()
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(pictures(), stored, 'its picture is not stored again')
    assert.deepEqual(second.body, first.body)
    assert.equal((await list(owner.two, '?mine=true')).paginator.total, 1)
  })

  it('is refused as a whole: with fields for the list and the place, with the number of an entry', async () => {
    const owner = await user()
    const many = (n: number) => Array.from({ length: n }, () => ({ itemName: 'Cup' }))
    for (const [about, field] of [
      [{ items: [] }, 'items'],
      [{ items: many(11) }, 'items'],
      [{ items: many(1), location: 'ab' }, 'location'],
      [{ items: many(1), location: 'a'.repeat(101) }, 'location'],
      [{ items: many(1), hideOwnerName: true }, 'location'],
      [{ items: many(1), category: 'HAVE' }, 'category'],
    ] as const) {
      const { body: told } = await refusedBody(owner.one.post('/quartermaster/create', { category: 'have', ...about }))
      assert.ok(field === 'category' || Object.keys(told.fieldErrors ?? {}).includes(field), `${field}: ${JSON.stringify(told)}`)
    }
    for (const [entry, reason] of [
      [{ itemName: 'x' }, /^Item 2: itemName/],
      [{ itemName: 'x'.repeat(101) }, /^Item 2: itemName/],
      [{ itemName: 'Cup', itemDescription: 'x'.repeat(2049) }, /^Item 2: itemDescription/],
      [{ itemName: 'Cup', image: { filename: 'nothing.jpg' } }, /^Item 2: /],
    ] as const) {
      const { body: told } = await refusedBody(owner.one.post('/quartermaster/create', { category: 'have', items: [...many(1), entry] }))
      assert.match(told.reason, reason)
      assert.equal(told.fieldErrors, undefined)
    }
    // Validation comes before rights.
    const unverified = await user({ level: 'unverified' })
    await refused(unverified.one.post('/quartermaster/create', { category: 'have', items: [] }), 400)
    await refused(unverified.one.post('/quartermaster/create', { category: 'have', items: many(1) }), 403)
    assert.equal((await list(owner.two)).paginator.total, 0)
    await post(owner.one, {
      items: [{ itemName: 'ab', itemDescription: 'x'.repeat(2048) }, ...many(8), { itemName: 'x'.repeat(100) }],
      location: 'abc',
    })
    assert.equal((await list(owner.two)).paginator.total, 10)
  })

  const refusedBody = async (answer: Promise<Answer>): Promise<Answer> => {
    const known = await answer
    assert.equal(known.status, 400, JSON.stringify(known.body))
    return known
  }
})

describe('GET /quartermaster', () => {
  it('is in the order of the last change; in halves, by words, the own, in pages', async () => {
    const [one, two] = (await people(nodes, {}, {})) as [Person, Person]
    const first = await boardItem(one.one, { itemName: 'Snorkel', itemDescription: 'Two masks' })
    await boardItem(two.one, { itemName: 'Umbrella' }, { category: 'need', location: 'Pool bar' })
    await boardItem(one.one, { itemName: 'Charger' })
    assert.deepEqual(namesOf(await list(two.two)), ['Charger', 'Umbrella', 'Snorkel'])
    await body(change(one.one, first, { itemName: 'Snorkels', itemDescription: 'Two masks' }))
    assert.deepEqual(namesOf(await list(two.two)), ['Snorkels', 'Charger', 'Umbrella'])
    assert.deepEqual(namesOf(await list(two.two, '?category=NEED')), ['Umbrella'])
    assert.deepEqual(namesOf(await list(two.two, '?mine=true')), ['Umbrella'])
    // Those of an additional account are its own.
    const [other] = (await people(nodes, { subAccountOf: two })) as [Person]
    assert.deepEqual(namesOf(await list(other.one, '?mine=true')), [])
    await boardItem(other.one, { itemName: 'Sunhat' })
    assert.deepEqual(namesOf(await list(other.two, '?mine=true')), ['Sunhat'])
    assert.deepEqual(namesOf(await list(two.two, '?mine=true')), ['Umbrella'])
    await nodes.sql`delete from quartermaster_item where name = 'Sunhat'`
    for (const [words, found] of [
      ['snorkel', ['Snorkels']],
      ['masks', ['Snorkels']],
      ['pool', ['Umbrella']],
      ['  ', ['Snorkels', 'Charger', 'Umbrella']],
      ['piano', []],
    ] as const)
      assert.deepEqual(namesOf(await list(two.two, `?search=${encodeURIComponent(words)}`)), found, words)
    const { items, paginator } = await list(two.two, '?start=1&limit=1')
    assert.deepEqual([items.map(({ itemName }) => itemName), paginator], [['Charger'], { total: 3, start: 1, limit: 1 }])
    await refused(two.two.get('/quartermaster?category=both'), 400)
    await refused(nodes.client().get('/quartermaster'), 401)
    assert.equal((await list(two.two)).paginator.limit, 50)
    await body(admin.one.post('/admin/serversettings/update', { maximumTwarrts: 2, enableFeatures: [], disableFeatures: [] }))
    assert.equal((await list(two.two, '?limit=50')).items.length, 2)
  })

  it('leaves out whom the caller mutes, and who is in a block with them either way; so does each item', async () => {
    const [caller, muted, blocks, blocked] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
    const ids = await Promise.all([muted, blocks, blocked].map((owner) => boardItem(owner.one)))
    assert.equal((await list(caller.two)).paginator.total, 3)
    await body(caller.one.post(`/users/${muted.id}/mute`), 201)
    await block(blocks, caller)
    await block(caller, blocked)
    assert.deepEqual(await list(caller.two), { items: [], paginator: { total: 0, start: 0, limit: 50 } })
    for (const id of ids) {
      await refused(caller.two.get(`/quartermaster/${id}`), 400)
      await refused(caller.two.post(`/quartermaster/${id}/report`, { message: '' }), 400)
    }
    assert.equal((await list(moderator.two)).paginator.total, 3)
    await refused(caller.two.get('/quartermaster/no-id'), 400)
  })

  it('does not say whose an item is that hides it, but to its owner', async () => {
    const [owner, other] = (await people(nodes, {}, {})) as [Person, Person]
    const [posted] = await post(owner.one, { hideOwnerName: true, location: 'Library', items: [{ itemName: 'Jigsaw' }] })
    assert.equal(posted?.owner?.userID, owner.id)
    const { itemID } = posted as Item
    for (const client of [other.two, moderator.two]) {
      assert.equal((await item(client, itemID)).owner, undefined)
      assert.equal((await list(client)).items[0]?.owner, undefined)
    }
    assert.equal((await item(owner.two, itemID)).owner?.userID, owner.id)
    assert.equal((await judged(itemID)).item.owner.userID, owner.id)
  })
})

describe('POST /quartermaster/:item_id/update', () => {
  it('replaces everything; what was there before is kept for moderators, but not for another half alone', async () => {
    const owner = await user()
    const id = await boardItem(owner.one, { itemName: 'Kite', itemDescription: 'Red', image: { image: picture } }, { location: 'Deck 10' })
    const { image } = await item(owner.one, id)
    await body(
      change(owner.one, id, {
        itemName: 'Kite',
        itemDescription: 'Red',
        location: 'Deck 10',
        image: { filename: image },
        category: 'need',
      }),
    )
    assert.deepEqual((await judged(id)).edits, [])
    assert.equal((await item(owner.two, id)).category, 'need')
    const changed = await body(
      change(owner.one, id, { itemName: 'Two kites', location: 'Deck 11', hideOwnerName: true, image: { filename: image } }),
    )
    assert.deepEqual(
      [changed.itemName, changed.itemDescription, changed.location, changed.image, changed.owner.userID, changed.hideOwnerName],
      ['Two kites', undefined, 'Deck 11', image, owner.id, true],
    )
    assert.ok(stored('full', image as string))
    // Another photo, then none: what was there is put away.
    const second = await body(change(owner.one, id, { itemName: 'Two kites', image: { image: picture } }))
    assert.notEqual(second.image, image)
    assert.ok(!stored('full', image as string) && stored('archive', image as string))
    const third = await body(change(owner.one, id, { itemName: 'Two kites', image: {} }))
    assert.equal(third.image, undefined)
    assert.ok(stored('archive', second.image))
    const { edits } = await judged(id)
    assert.deepEqual(
      edits.map(({ itemName, itemDescription, location, image: name, hideOwnerName, author }: Record<string, unknown>) => [
        itemName,
        itemDescription,
        location,
        name,
        hideOwnerName,
        (author as { userID: string }).userID,
      ]),
      [
        ['Kite', 'Red', 'Deck 10', image, false, owner.id],
        ['Two kites', '', 'Deck 11', image, true, owner.id],
        ['Two kites', '', '', second.image, false, owner.id],
      ],
    )
    // The name of the owner is a part of what it says.
    await body(change(owner.two, id, { itemName: 'Two kites', location: 'Deck 12' }))
    const hidden = await body(change(owner.two, id, { itemName: 'Two kites', location: 'Deck 12', hideOwnerName: true }))
    assert.equal(hidden.hideOwnerName, true)
    assert.equal((await judged(id)).edits.length, 5)
    assert.deepEqual(await actionsOn(id), [])
    for (const [content, field] of [
      [{ itemName: 'x' }, 'itemName'],
      [{ itemDescription: 'x'.repeat(2049) }, 'itemDescription'],
      [{ location: 'xy' }, 'location'],
      [{ hideOwnerName: true }, 'location'],
      [{ image: { filename: 'nothing.jpg' } }, 'image.filename'],
    ] as const) {
      const answer = await change(owner.one, id, content)
      assert.equal(answer.status, 400)
      assert.ok(Object.keys(answer.body.fieldErrors).includes(field), JSON.stringify(answer.body))
    }
  })

  it('is not for its owner when it is locked at the same moment', async () => {
    const owner = await user()
    const id = await boardItem(owner.one, { itemName: 'A kite' })
    const held = await hold(nodes.database.url, `select from quartermaster_item where id = '${id}' for update`)
    const locking = setState(id, 'locked')
    await held.awaited()
    const changing = change(owner.two, id, { itemName: 'A rude kite' })
    await held.awaited(2)
    await held.release()
    assert.ok((await locking).status < 300)
    await refused(changing, 403)
    assert.equal((await item(owner.one, id)).itemName, 'A kite')
  })

  it('is for its owner, while it is neither hidden nor locked, and for moderators; their change is logged', async () => {
    const [owner, other] = (await people(nodes, {}, {})) as [Person, Person]
    const id = await boardItem(owner.one)
    await refused(change(other.one, id, { itemName: 'Mine' }), 403)
    // Validation, then whether it is there, then rights.
    await refused(change(other.one, '7c9e6679-7425-40de-944b-e07fc1f90ae7', { itemName: 'Mine' }), 400)
    await body(setState(id, 'reviewed'))
    await body(change(owner.one, id, { itemName: 'Other kit' }))
    assert.equal((await item(other.two, id)).moderationStatus, 'normal')
    await body(setState(id, 'reviewed'))
    await body(change(moderator.one, id, { itemName: 'A kit' }))
    assert.equal((await item(other.two, id)).moderationStatus, 'modReviewed')
    for (const state of ['locked', 'quarantined']) {
      await body(setState(id, state))
      await refused(change(owner.one, id, { itemName: 'No kit' }), 403)
      await refused(owner.one.delete(`/quartermaster/${id}`), 403)
      await body(change(moderator.one, id, { itemName: `Kit, ${state}` }))
    }
    const actions = await actionsOn(id)
    assert.equal(actions.filter((action) => action === 'edit').length, 3)
    await body(setState(id, 'normal'))
    await body(moderator.one.post(`/mod/user/${owner.id}/tempquarantine/2`))
    await refused(change(owner.one, id, { itemName: 'Paused kit' }), 403)
    await refused(owner.one.delete(`/quartermaster/${id}`), 403)
    await refused(owner.one.post('/quartermaster/create', { category: 'have', items: [{ itemName: 'Cup' }] }), 403)
  })
})

const actionsOn = async (id: string): Promise<string[]> =>
  (
    (await body(moderator.two.get('/mod/moderationlog?limit=200'))).actions as {
      contentID: string
      contentType: string
      actionType: string
    }[]
  )
    .filter(({ contentID, contentType }) => contentID === id && contentType === 'quartermasterItem')
    .map(({ actionType }) => actionType)

it('an item is taken off by its owner, or by a moderator, which is logged; its photo is put away', async () => {
  const [owner, other] = (await people(nodes, {}, {})) as [Person, Person]
  const [first, second] = [await boardItem(owner.one, { image: { image: picture } }), await boardItem(owner.one)]
  const { image } = await item(owner.one, first)
  await refused(other.one.delete(`/quartermaster/${first}`), 403)
  await body(owner.one.delete(`/quartermaster/${first}`), 204)
  await body(moderator.one.post(`/quartermaster/${second}/delete`), 204)
  assert.ok(!stored('full', image as string) && stored('archive', image as string))
  assert.equal((await list(owner.two)).paginator.total, 0)
  for (const id of [first, second]) {
    await refused(owner.two.get(`/quartermaster/${id}`), 400)
    await refused(owner.two.delete(`/quartermaster/${id}`), 400)
    await refused(setState(id, 'normal'), 400)
    assert.equal((await judged(id)).isDeleted, true)
  }
  assert.deepEqual(await Promise.all([first, second].map(actionsOn)), [[], ['delete']])
})

describe('reports and moderation', () => {
  it('reports come into the queue with words and place, once from each person; none of them hides an item', async () => {
    const [owner, ...reporters] = (await people(nodes, {}, {}, {}, {}, {}, {})) as [Person, ...Person[]]
    const id = await boardItem(owner.one, { itemName: 'Fireworks', itemDescription: 'Very loud' }, { location: 'Cabin' })
    for (const { one } of reporters) await body(one.post(`/quartermaster/${id}/report`, { message: 'not here' }), 201)
    await refused((reporters[0] as Person).two.post(`/quartermaster/${id}/report`, { message: 'again' }), 409)
    assert.equal((await item(owner.two, id)).moderationStatus, 'normal')
    const { groups } = await body(moderator.one.get('/mod/reports/queue?type=quartermasterItem'))
    assert.equal(groups.length, 1)
    const { type, reportedID, excerpt, place, moderationStatus, reports } = groups[0]
    assert.deepEqual(
      [type, reportedID, excerpt, place, moderationStatus, reports.length],
      ['quartermasterItem', id, 'Fireworks\nVery loud', { kind: 'location', title: 'Cabin' }, 'normal', 5],
    )
    assert.equal((await judged(id)).reports.length, 5)
  })

  it('what is under review is masked for everybody but in the moderation calls, and not found by its words', async () => {
    const [owner, other] = (await people(nodes, {}, {})) as [Person, Person]
    const id = await boardItem(owner.one, { itemName: 'Secret recipe', image: { image: picture } })
    await body(setState(id, 'quarantined'))
    for (const client of [owner.two, other.two, moderator.two]) {
      const { itemName, itemDescription, location, image, moderationStatus } = await item(client, id)
      assert.deepEqual(
        [itemName, itemDescription, location, image, moderationStatus],
        [placeholder, placeholder, placeholder, undefined, 'quarantined'],
      )
      assert.deepEqual(namesOf(await list(client)), [placeholder])
    }
    assert.deepEqual(namesOf(await list(other.two, '?search=recipe')), [])
    assert.deepEqual(namesOf(await list(moderator.two, '?search=recipe')), [placeholder])
    const { item: whole } = await judged(id)
    assert.deepEqual([whole.itemName, Boolean(whole.image)], ['Secret recipe', true])
    await refused(setState(id, 'gone'), 400)
    await body(setState(id, 'normal'))
    assert.equal((await item(other.two, id)).itemName, 'Secret recipe')
    assert.deepEqual(await actionsOn(id), ['unlock', 'quarantine'])
    // A moderator's own item leaves no line.
    const own = await boardItem(moderator.one)
    await body(setState(own, 'locked'))
    await body(change(moderator.one, own, { itemName: 'A better kit' }))
    assert.deepEqual(await actionsOn(own), [])
    await refused(other.one.get(`/mod/quartermaster/${id}`), 403)
    await refused(other.one.post(`/mod/quartermaster/${id}/setstate/locked`), 403)
  })

  it('a second moderator does not act on what the first has changed', async () => {
    const [owner, second] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
    const id = await boardItem(owner.one)
    const { version } = await judged(id)
    await body(second.one.post(`/mod/quartermaster/${id}/setstate/locked`))
    await refused(moderator.one.post(`/mod/quartermaster/${id}/setstate/normal?basedOn=${version}`), 409)
  })

  it('counts items and their changes for the team, deleted ones too', async () => {
    const owner = await user()
    const counts = async () => ((await body(admin.two.get('/admin/rollup'))).counts as number[]).slice(27)
    const [items, edits] = (await counts()) as [number, number]
    const id = await boardItem(owner.one)
    await body(change(owner.one, id, { itemName: 'Another kit' }))
    await body(owner.one.delete(`/quartermaster/${id}`), 204)
    assert.deepEqual(await counts(), [items + 1, edits + 1])
  })
})

it('who deletes their account takes their items off the board, and the photos of these', async () => {
  const [owner, keeper] = (await people(nodes, {}, {})) as [Person, Person]
  const [plain, pictured] = [await boardItem(owner.one), await boardItem(owner.one, { image: { image: picture } })]
  const { image } = await item(owner.one, pictured)
  await boardItem(keeper.one, { itemName: 'Mine' })
  await body(admin.one.post('/admin/serversettings/update', { allowAccountDeletion: true, enableFeatures: [], disableFeatures: [] }))
  await body(owner.one.post('/user/delete', { username: owner.username, currentPassword: testPassword }))
  assert.deepEqual(namesOf(await list(keeper.two)), ['Mine'])
  for (const id of [plain, pictured]) await refused(keeper.two.get(`/quartermaster/${id}`), 400)
  assert.equal((await judged(plain)).isDeleted, true)
  assert.ok(!stored('full', image as string))
})

randomTest('quartermaster', 'pages of the board join to what it has, in its order', 8, async (parameters) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ by: fc.integer({ min: 0, max: 2 }), need: fc.boolean(), gone: fc.boolean() }), { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (made, limit) => {
        await nodes.sql`delete from quartermaster_item`
        const owners = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
        const [caller] = (await people(nodes, {})) as [Person]
        await block(owners[2], caller)
        const expected: string[] = []
        for (const [index, { by, need, gone }] of made.entries()) {
          const { one } = owners[by] as Person
          const id = await boardItem(one, { itemName: `Item ${index}` }, { category: need ? 'need' : 'have' })
          if (gone) await body(one.delete(`/quartermaster/${id}`), 204)
          else if (by < 2 && need) expected.unshift(`Item ${index}`)
        }
        const seen: string[] = []
        for (let start = 0; ; start += limit) {
          const page = await list(caller.two, `?category=need&start=${start}&limit=${limit}`)
          assert.equal(page.paginator.total, expected.length)
          seen.push(...namesOf(page))
          if (page.items.length < limit) break
        }
        assert.deepEqual(seen, expected)
      },
    ),
    parameters,
  )
})
