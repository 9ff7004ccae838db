// Categories of forums: who sees which, the lists of their forums, and starting forums in them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, mute, people, refused, type Person } from '../support/fez.ts'
import { categories, content, newCategory, setState, startForum } from '../support/forum.ts'
import { disable } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'
import { storedImage } from '../support/images.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const someone = async (): Promise<Person> => (await people(nodes, {}))[0] as Person
const keys = (value: object) => Object.keys(value).sort()
const titlesOf = (list: { title: string }[]) => list.map(({ title }) => title)
const titles = async (client: Client, category: string, query = '') =>
  titlesOf((await body(client.get(`/forum/categories/${category}?${query}`))).forumThreads)
const actions = (contentID: string) => nodes.sql<{ actionType: string; contentType: string; targetUserId: string }[]>`
  select action_type, content_type, target_user_id from moderator_action where content_id = ${contentID}`

const shown = [
  'Event Forums',
  'Shadow Event Forums',
  'Splashdot',
  'Activities',
  'Egype',
  'Food & Drink',
  'General',
  'Help Desk',
  'Safe Space',
]

test('GET /forum/categories: the most restricted first, then by title; by level and role', async () => {
  const [plain, unverified, moderator, photographer] = (await people(
    nodes,
    {},
    { level: 'unverified' },
    { level: 'moderator' },
    { roles: ['shutternaut'] },
  )) as [Person, Person, Person, Person]
  const seenBy = async (client: Client) => titlesOf(await body(client.get('/forum/categories')))
  assert.deepEqual(await seenBy(plain.one), shown)
  assert.deepEqual(await seenBy(unverified.one), shown)
  assert.deepEqual(await seenBy(nodes.client()), shown)
  assert.deepEqual(await seenBy(photographer.two), [...shown, 'Shutternauts'])
  assert.deepEqual(await seenBy(moderator.two), ['Moderators Only', 'Mods Only Dumpster Fire', ...shown, 'Shutternauts'])
})

test('GET /forum/categories: every field, relative to the caller', async () => {
  const [plain, unverified, moderator] = (await people(nodes, {}, { level: 'unverified' }, { level: 'moderator' })) as [
    Person,
    Person,
    Person,
  ]
  const category = await newCategory(nodes, { title: 'Zzz official', createLevel: 'moderator', isEvent: true })
  await startForum(moderator.one, 'One', { category })
  const [seen, ...others] = await body(plain.two.get(`/forum/categories?cat=${category.toUpperCase()}`))
  assert.deepEqual(others, [])
  assert.deepEqual(seen, {
    categoryID: category,
    title: 'Zzz official',
    purpose: 'A purpose',
    isRestricted: true,
    isEventCategory: true,
    paginator: { total: 1, start: 0, limit: 50 },
    numThreads: 1,
  })
  assert.equal((await body(moderator.one.get(`/forum/categories?cat=${category}`)))[0].isRestricted, false)
  const open = async (client: Client) => (await body(client.get(`/forum/categories?cat=${categories.general}`)))[0].isRestricted
  assert.deepEqual([await open(plain.one), await open(unverified.one), await open(nodes.client())], [false, true, true])
  assert.deepEqual(await body(plain.one.get(`/forum/categories?cat=${categories.moderatorsOnly}`)), [])
  assert.ok((await body(plain.one.get('/forum/categories?cat=nonsense'))).length >= shown.length)
  await nodes.sql`delete from forum_post where forum_id in (select id from forum where category_id = ${category})`
  await nodes.sql`delete from forum where category_id = ${category}`
  await nodes.sql`delete from forum_category where id = ${category}`
})

test('GET /forum/categories: somebody without a token sees what quarantined users see, and nothing that needs a role', async () => {
  const [forQuarantined, forVerified, forRole] = [
    await newCategory(nodes, { viewLevel: 'quarantined' }),
    await newCategory(nodes, { viewLevel: 'verified' }),
    await newCategory(nodes, { role: 'karaokemanager' }),
  ]
  const [unverified, plain, holder] = (await people(nodes, { level: 'unverified' }, {}, { roles: ['karaokemanager'] })) as [
    Person,
    Person,
    Person,
  ]
  const ids = async (client: Client) =>
    new Set((await body<{ categoryID: string }[]>(client.get('/forum/categories'))).map(({ categoryID }) => categoryID))
  const sees = async (client: Client) => {
    const all = await ids(client)
    return [forQuarantined, forVerified, forRole].map((id) => all.has(id))
  }
  assert.deepEqual(await sees(nodes.client()), [true, false, false])
  assert.deepEqual(await sees(unverified.one), [false, false, false])
  assert.deepEqual(await sees(plain.one), [true, true, false])
  assert.deepEqual(await sees(holder.one), [true, true, true])
  await nodes.sql`delete from forum_category where id = any(${[forQuarantined, forVerified, forRole]}::uuid[])`
})

test('GET /forum/categories/:category_id: missing, and there but hidden from the caller, answer alike', async () => {
  const [plain, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const reasons = new Set<string>()
  for (const id of [randomUUID(), categories.moderatorsOnly, categories.shutternauts]) {
    reasons.add(await refused(plain.one.get(`/forum/categories/${id}`), 400))
    reasons.add(await refused(plain.one.post(`/forum/categories/${id}/create`, { title: 'Title', firstPost: content('x') }), 400))
  }
  assert.equal(reasons.size, 1)
  await refused(plain.one.get('/forum/categories/nonsense'), 400)
  await refused(nodes.client().get(`/forum/categories/${categories.general}`), 401)
  await body(moderator.one.get(`/forum/categories/${categories.shutternauts}`))
})

test('POST /forum/categories/:category_id/create: 201 with the forum and its one post', async () => {
  const [anna, bert] = (await people(nodes, { displayName: 'Anna' }, {})) as [Person, Person]
  const category = await newCategory(nodes)
  const forum = await body(
    anna.one.post(`/forum/categories/${category.toUpperCase()}/create`, { title: 'A title 🎲', firstPost: content('one\r\ntwo') }),
    201,
  )
  const header = { userID: anna.id, username: anna.username, displayName: 'Anna' }
  const {
    forumID,
    posts: [{ postID, createdAt }],
  } = forum
  const post = { postID, createdAt, author: header, text: 'one\ntwo', images: [], isBookmarked: false, likeCount: 0, isPinned: false }
  assert.deepEqual(forum, {
    forumID,
    categoryID: category,
    title: 'A title 🎲',
    creator: header,
    isLocked: false,
    isFavorite: false,
    isMuted: false,
    paginator: { total: 1, start: 0, limit: 50 },
    posts: [post],
    isPinned: false,
  })
  const seen = await body(bert.two.get(`/forum/categories/${category}`))
  assert.deepEqual(seen.forumThreads, [
    {
      forumID,
      categoryID: category,
      creator: header,
      title: 'A title 🎲',
      postCount: 1,
      readCount: 0,
      createdAt,
      lastPoster: header,
      lastPostAt: createdAt,
      isLocked: false,
      isFavorite: false,
      isMuted: false,
      isPinned: false,
    },
  ])
  assert.deepEqual([seen.numThreads, seen.paginator], [1, { total: 1, start: 0, limit: 50 }])
})

test('POST /forum/categories/:category_id/create: broken rules of content all at once, before anything else', async () => {
  const [anna, quarantined] = (await people(nodes, {}, { tempQuarantineUntil: new Date(Date.now() + 60_000) })) as [Person, Person]
  const post = (client: Client, value: object, category: string = randomUUID()) =>
    client.post(`/forum/categories/${category}/create`, value)
  for (const client of [anna.one, quarantined.one]) {
    const { fieldErrors } = await body(
      post(client, { title: 'x', firstPost: content('', { images: Array.from({ length: 9 }, () => ({})) }) }),
      400,
    )
    assert.deepEqual(keys(fieldErrors), ['firstPost.images', 'firstPost.text', 'images', 'text', 'title'])
    assert.match(fieldErrors['firstPost.images'], / and /)
  }
  assert.deepEqual(keys((await body(post(anna.one, { title: 'x'.repeat(101), firstPost: content('y\n'.repeat(25)) }), 400)).fieldErrors), [
    'firstPost.text',
    'text',
    'title',
  ])
  assert.deepEqual(keys((await body(post(anna.one, { title: 'xy', firstPost: content('y'.repeat(2048)) }), 400)).fieldErrors), [
    'firstPost.text',
    'text',
  ])
  for (const wrong of [
    { title: 'xy' },
    { firstPost: content('x') },
    { title: 'xy', firstPost: { text: 'x' } },
    { title: 7, firstPost: content('x') },
  ]) {
    assert.equal((await body(post(anna.one, wrong), 400)).fieldErrors, undefined)
  }
  await refused(anna.one.post(`/forum/categories/${categories.general}/create`), 422)
  await body(post(anna.one, { title: 'x'.repeat(100), firstPost: content('y'.repeat(2047)) }, categories.general), 201)
})

test('POST /forum/categories/:category_id/create: images by role, before the rights of the caller; only names of stored ones', async () => {
  const [plain, photographer, quarantined, moderator] = (await people(
    nodes,
    {},
    { roles: ['shutternaut'] },
    { tempQuarantineUntil: new Date(Date.now() + 60_000) },
    { level: 'moderator' },
  )) as [Person, Person, Person, Person]
  const filename = storedImage(nodes)
  const create = (client: Client, images: object[]) =>
    client.post(`/forum/categories/${categories.general}/create`, { title: 'Photos', firstPost: { text: 'x', images } })
  const times = (count: number) => Array.from({ length: count }, () => ({ filename }))
  assert.deepEqual((await body(create(plain.one, times(4)), 201)).posts[0].images, [filename, filename, filename, filename])
  await refused(create(plain.one, times(5)), 400)
  await refused(create(moderator.one, times(5)), 400)
  await body(create(photographer.one, times(8)), 201)
  await refused(create(quarantined.one, times(5)), 400)
  await refused(create(quarantined.one, times(1)), 403)
  for (const odd of ['../../etc/passwd', 'x.y.jpg', `${filename}/x`]) await refused(create(plain.one, [{ filename: odd }]), 400)
})

test('POST /forum/categories/:category_id/create: who may create where', async () => {
  const soon = new Date(Date.now() + 60_000)
  const [unverified, quarantined, plain, moderator, temporarily] = (await people(
    nodes,
    { level: 'unverified' },
    { level: 'quarantined' },
    {},
    { level: 'moderator' },
    { level: 'moderator', tempQuarantineUntil: soon },
  )) as Person[]
  const create = (person: Person | undefined, category: string) =>
    (person as Person).one.post(`/forum/categories/${category}/create`, { title: 'Title', firstPost: content('x') })
  for (const person of [unverified, quarantined, temporarily]) await refused(create(person, categories.general), 403)
  await refused(create(plain, categories.news), 403)
  await refused(create(plain, categories.moderatorsOnly), 400)
  for (const category of [categories.news, categories.moderatorsOnly, categories.shutternauts]) await body(create(moderator, category), 201)
  await refused(nodes.client().post(`/forum/categories/${categories.general}/create`, {}), 401)
})

test('POST /forum/categories/:category_id/create: as a shared account, for moderators; two entries in the log', async () => {
  const [plain, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const create = (person: Person, more: object) =>
    body(person.one.post(`/forum/categories/${categories.general}/create`, { title: 'Official', firstPost: content('x', more) }), 201)
  assert.equal((await create(plain, { postAsModerator: true })).creator.username, plain.username)
  const forum = await create(moderator, { postAsModerator: true, postAsServiceTeam: true })
  assert.deepEqual([forum.creator.username, forum.posts[0].author.username], ['moderator', 'moderator'])
  assert.equal((await create(moderator, { postAsServiceTeam: true })).creator.username, 'ServiceTeam')
  const entry = { actionType: 'post', targetUserId: builtIn.moderator }
  assert.deepEqual([...(await actions(forum.forumID))], [{ ...entry, contentType: 'forum' }])
  assert.deepEqual([...(await actions(String(forum.posts[0].postID)))], [{ ...entry, contentType: 'forumPost' }])
  assert.deepEqual([...(await actions((await create(moderator, {})).forumID))], [])
})

test('POST /forum/categories/:category_id/create: the same Idempotency-Key makes one forum', async () => {
  const anna = await someone()
  const category = await newCategory(nodes)
  const headers = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(
    [0, 1, 0, 1].map((node) =>
      body(
        (anna.clients[node] as Client).post(
          `/forum/categories/${category}/create`,
          { title: 'Once', firstPost: content('x') },
          { headers },
        ),
        201,
      ),
    ),
  )
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  assert.equal((await body(anna.one.get(`/forum/categories/${category}`))).numThreads, 1)
})

test('POST /forum/categories/:category_id/create: at once by many, all are counted', async () => {
  const makers = await people(nodes, ...Array.from({ length: 8 }, () => ({})))
  const category = await newCategory(nodes)
  await Promise.all(makers.map((maker, index) => startForum(index % 2 ? maker.one : maker.two, `Forum ${index}`, { category })))
  const seen = await body((makers[0] as Person).one.get(`/forum/categories/${category}`))
  assert.deepEqual([seen.numThreads, seen.paginator.total, seen.forumThreads.length], [8, 8, 8])
})

/** Forums with the times and states that a test wants, in a category of their own. */
async function prepared(
  owner: Person,
  more: { isEvent?: boolean; createLevel?: string },
  forums: Record<string, { created: number; updated: number; pinned?: boolean }>,
): Promise<{ category: string; ids: Record<string, string> }> {
  const category = await newCategory(nodes, more)
  const ids: Record<string, string> = {}
  for (const [title, { created, updated, pinned = false }] of Object.entries(forums)) {
    const { forumID } = await startForum(owner.one, title, { category })
    ids[title] = forumID
    const at = (hour: number) => new Date(Date.UTC(2030, 0, 1, hour))
    await nodes.sql`update forum set created_at = ${at(created)}, last_post_time = ${at(updated)}, is_pinned = ${pinned} where id = ${forumID}`
  }
  return { category, ids }
}

test('GET /forum/categories/:category_id: every sort in both directions', async () => {
  const owner = await someone()
  const { category } = await prepared(
    owner,
    {},
    { bb: { created: 1, updated: 6 }, Aa: { created: 2, updated: 4 }, cc: { created: 3, updated: 5 } },
  )
  const byUpdate = ['bb', 'cc', 'Aa']
  const byCreation = ['cc', 'Aa', 'bb']
  const byTitle = ['Aa', 'bb', 'cc']
  const list = (query: string) => titles(owner.two, category, query)
  for (const query of ['', 'sort=update', 'sort=event', 'sort=nonsense', 'order=descending', 'order=nonsense'])
    assert.deepEqual(await list(query), byUpdate, query)
  for (const query of ['order=ascending', 'sort=update&order=ascending', 'sort=event&order=ascending'])
    assert.deepEqual(await list(query), byUpdate.toReversed(), query)
  assert.deepEqual(await list('sort=create'), byCreation)
  assert.deepEqual(await list('sort=create&order=ascending'), byCreation.toReversed())
  assert.deepEqual(await list('sort=title'), byTitle)
  assert.deepEqual(await list('sort=title&order=descending'), byTitle.toReversed())
})

test('GET /forum/categories/:category_id: forums go by the start of their events, those without any after all others', async () => {
  const moderator = (await people(nodes, { level: 'moderator' }))[0] as Person
  const { category, ids } = await prepared(
    moderator,
    { isEvent: true, createLevel: 'moderator' },
    {
      none: { created: 1, updated: 9 },
      late: { created: 2, updated: 8 },
      'none either': { created: 3, updated: 7 },
      early: { created: 4, updated: 6 },
      'of no event': { created: 5, updated: 5 },
    },
  )
  for (const [title, hour] of Object.entries({ late: 20, early: 10 })) {
    const start = new Date(Date.UTC(2030, 5, 1, hour))
    await nodes.sql`
      insert into event (id, uid, title, description, location, event_type, start_time, end_time, forum_id, updated_at)
      values (${randomUUID()}, ${randomUUID()}, 'Of a forum', '', '', 'general', ${start}, ${start}, ${ids[title] as string}, now())`
  }
  // From memory at the first server, which hears of what was written past it.
  const list = (query: string) => titles(moderator.one, category, query)
  assert.deepEqual(await list(''), ['early', 'late', 'none', 'none either', 'of no event'])
  assert.deepEqual(await list('order=descending'), ['late', 'early', 'of no event', 'none either', 'none'])
})

test('GET /forum/categories/:category_id: an event category goes by its events unless told otherwise', async () => {
  const moderator = (await people(nodes, { level: 'moderator' }))[0] as Person
  const { category } = await prepared(
    moderator,
    { isEvent: true, createLevel: 'moderator' },
    { bb: { created: 1, updated: 6 }, aa: { created: 2, updated: 4 }, cc: { created: 3, updated: 5 } },
  )
  const list = (query: string) => titles(moderator.two, category, query)
  for (const query of ['', 'sort=event', 'sort=nonsense']) assert.deepEqual(await list(query), ['aa', 'bb', 'cc'], query)
  assert.deepEqual(await list('order=descending'), ['cc', 'bb', 'aa'])
  assert.deepEqual(await list('sort=update'), ['bb', 'cc', 'aa'])
  // Dates are those of creation then.
  assert.deepEqual(await list('beforedate=2030-01-01T02:00:00Z'), ['bb'])
})

test('GET /forum/categories/:category_id: beforedate and afterdate are strict, go by what is sorted by, and count', async () => {
  const owner = await someone()
  const { category } = await prepared(
    owner,
    {},
    { aa: { created: 1, updated: 9 }, bb: { created: 2, updated: 8 }, cc: { created: 3, updated: 7 } },
  )
  const list = (query: string) => titles(owner.two, category, query)
  assert.deepEqual(await list('beforedate=2030-01-01T08:00:00Z'), ['cc'])
  assert.deepEqual(await list('afterdate=2030-01-01T08:00:00Z'), ['aa'])
  assert.deepEqual(await list('sort=create&beforedate=2030-01-01T02:00:00Z'), ['aa'])
  assert.deepEqual(await list(`sort=title&afterdate=${Date.UTC(2030, 0, 1, 2) / 1000}`), ['cc'])
  // The first of the two wins.
  assert.deepEqual(await list('afterdate=2030-01-01T08:00:00Z&beforedate=2030-01-01T08:00:00Z'), ['cc'])
  assert.equal((await body(owner.one.get(`/forum/categories/${category}?beforedate=2030-01-01T08:00:00Z`))).paginator.total, 1)
  await refused(owner.one.get(`/forum/categories/${category}?beforedate=soon`), 400)
})

test('GET /forum/categories/:category_id: muted forums last, pinned ones first', async () => {
  const owner = await someone()
  const { category, ids } = await prepared(
    owner,
    {},
    {
      plain: { created: 1, updated: 5 },
      older: { created: 1, updated: 4 },
      pinned: { created: 1, updated: 3, pinned: true },
      muted: { created: 1, updated: 8 },
      mutedPinned: { created: 1, updated: 2, pinned: true },
    },
  )
  for (const title of ['muted', 'mutedPinned']) {
    await nodes.sql`insert into forum_reader (account_id, forum_id, is_muted, created_at, updated_at) values (${owner.id}, ${ids[title] as string}, true, now(), now())`
  }
  assert.deepEqual(await titles(owner.two, category), ['pinned', 'plain', 'older', 'mutedPinned', 'muted'])
  assert.deepEqual(await titles(owner.two, category, 'sort=title&order=descending'), ['pinned', 'plain', 'older', 'mutedPinned', 'muted'])
  const { forumThreads } = await body(owner.two.get(`/forum/categories/${category}`))
  assert.deepEqual(
    forumThreads.map(({ isMuted, isPinned }: { isMuted: boolean; isPinned: boolean }) => [isMuted, isPinned]),
    [
      [false, true],
      [false, false],
      [false, false],
      [true, true],
      [true, false],
    ],
  )
})

test('GET /forum/categories/:category_id: start and limit, clamped', async () => {
  const owner = await someone()
  const { category } = await prepared(
    owner,
    {},
    Object.fromEntries(['aa', 'bb', 'cc', 'dd', 'ee'].map((title, index) => [title, { created: 1, updated: 20 - index }])),
  )
  const all = ['aa', 'bb', 'cc', 'dd', 'ee']
  for (const [query, start, limit] of [
    ['', 0, 50],
    ['start=1&limit=2', 1, 2],
    ['start=-3&limit=2', 0, 2],
    ['limit=0', 0, 1],
    ['limit=-1', 0, 1],
    ['limit=999', 0, 200],
    ['start=4', 4, 50],
    ['start=99', 99, 50],
    ['start=x&limit=1.5', 0, 50],
  ] as const) {
    const seen = await body(owner.two.get(`/forum/categories/${category}?${query}`))
    assert.deepEqual([titlesOf(seen.forumThreads), seen.paginator], [all.slice(start, start + limit), { total: 5, start, limit }], query)
  }
})

test('GET /forum/categories/:category_id: forums of blocked people are left out, also from the total; official categories show them', async () => {
  const [viewer, foe, bore, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const [viewersSecond, foesSecond] = (await people(nodes, { subAccountOf: viewer }, { subAccountOf: foe })) as [Person, Person]
  const category = await newCategory(nodes)
  await startForum(foesSecond.one, 'foe', { category })
  await startForum(bore.one, 'bore', { category })
  await block(foe, viewersSecond)
  await mute(viewer, bore)
  const seen = await body(viewer.two.get(`/forum/categories/${category}`))
  assert.deepEqual([titlesOf(seen.forumThreads), seen.paginator.total, seen.numThreads], [['bore'], 1, 2])
  // What a muted author wrote does not count.
  assert.deepEqual(
    [seen.forumThreads[0].postCount, seen.forumThreads[0].readCount, seen.forumThreads[0].lastPoster, seen.forumThreads[0].lastPostAt],
    [0, 0, undefined, undefined],
  )
  assert.deepEqual((await titles(moderator.two, category)).sort(), ['bore', 'foe'])
  await nodes.sql`update forum_category set create_level = 'moderator' where id = ${category}`
  assert.deepEqual((await titles(viewer.two, category)).sort(), ['bore', 'foe'])
})

test('GET /forum/categories/:category_id: a quarantined title is replaced for everybody; isLocked only when locked', async () => {
  const [owner, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const category = await newCategory(nodes)
  const { forumID } = await startForum(owner.one, 'Secret', { category })
  for (const [state, title, isLocked] of [
    ['quarantined', /moderator review/, false],
    ['autoQuarantined', /moderator review/, false],
    ['locked', /^Secret$/, true],
    ['modReviewed', /^Secret$/, false],
  ] as const) {
    await setState(nodes, 'forum', forumID, state)
    for (const person of [owner, moderator]) {
      const [forum] = (await body(person.two.get(`/forum/categories/${category}`))).forumThreads
      assert.match(forum.title, title)
      assert.equal(forum.isLocked, isLocked)
    }
  }
})

test('GET /forum/categories/:category_id: one statement, and one more for accounts not seen before, however long the page', async () => {
  const owner = await someone()
  const category = await newCategory(nodes)
  const app = nodes.apps[1] as App
  for (const more of [1, 12]) {
    for (let i = 0; i < more; i++) await startForum(((await people(nodes, {}))[0] as Person).one, 'Forum', { category })
    await body(owner.two.get('/notification/user'))
    assert.equal(await countStatements(app, () => body(owner.two.get(`/forum/categories/${category}`))), 2)
    assert.equal(await countStatements(app, () => body(owner.two.get(`/forum/categories/${category}`))), 1)
  }
})

test('every endpoint of categories: 451 while forums are switched off, but not for those who run the server', async () => {
  const anna = await someone()
  await disable(nodes, 'forums')
  for (const client of [anna.one, nodes.client()]) await refused(client.get('/forum/categories'), 451)
  await refused(anna.two.get(`/forum/categories/${categories.general}`), 451)
  await refused(anna.two.post(`/forum/categories/${categories.general}/create`, { title: 'Title', firstPost: content('x') }), 451)
  await disable(nodes)
  await body(anna.two.get(`/forum/categories/${categories.general}`))
})
