// Single forums and the posts in them: reading from where one left off, writing, changing, deleting.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import sharp from 'sharp'
import type { App } from '../../src/app.ts'
import { builtIn } from '../../src/accounts/rows.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, unblock, body, mute, people, refused, type Person } from '../support/fez.ts'
import { categories, content, fillForum, newCategory, postIn, setState, startForum } from '../support/forum.ts'
import { disable } from '../support/settings.ts'
import { countStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'
import { storedImage } from '../support/images.ts'
import { hold } from '../support/locks.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
})
after(() => nodes.stop())

const someone = async (): Promise<Person> => (await people(nodes, {}))[0] as Person
const headerOf = ({ id, username }: Person) => ({ userID: id, username })
const soon = () => new Date(Date.now() + 60_000)
const addMuteword = (person: Person, word: string) => body(person.one.post(`/user/mutewords/add/${word}`))
type Thread = {
  title: string
  paginator: { total: number; start: number; limit: number }
  posts: { postID: number; createdAt: string; text: string; images?: string[] }[]
}
const read = (client: Client, forumID: string, query = '') => body<Thread>(client.get(`/forum/${forumID}?${query}`))
const ids = ({ posts }: Thread) => posts.map(({ postID }) => postID)
const readCount = async (client: Client, forumID: string, category: string) => {
  const found = (await body(client.get(`/forum/categories/${category}?limit=200`))).forumThreads.find(
    (forum: { forumID: string }) => forum.forumID === forumID,
  )
  return [found.readCount, found.postCount]
}
const actions = (contentID: string | number) => nodes.sql<
  { actionType: string; contentType: string; moderatorId: string; targetUserId: string }[]
>`
  select action_type, content_type, moderator_id, target_user_id from moderator_action where content_id = ${String(contentID)} order by created_at`
const postEdits = (postID: number) =>
  nodes.sql<
    { text: string; images: string[]; editorId: string }[]
  >`select text, images, editor_id from forum_post_edit where post_id = ${postID} order by created_at`
const stateOf = async (table: 'forum' | 'forum_post', id: string | number) =>
  (await nodes.sql<{ status: string }[]>`select moderation_status as status from ${nodes.sql(table)} where id::text = ${String(id)}`)[0]
    ?.status

// Reading

test('GET /forum/:forum_id: every field, posts in order', async () => {
  const [owner, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'A title')
  const second = await body(reader.one.post(`/forum/${forumID}/create`, content('second')), 201)
  assert.deepEqual(second, {
    postID: second.postID,
    createdAt: second.createdAt,
    author: headerOf(reader),
    text: 'second',
    images: [],
    isBookmarked: false,
    likeCount: 0,
    isPinned: false,
  })
  const forum = await read(reader.two, forumID.toUpperCase())
  const createdAt = forum.posts[0]?.createdAt
  assert.deepEqual(forum, {
    forumID,
    categoryID: categories.general,
    title: 'A title',
    creator: headerOf(owner),
    isLocked: false,
    isFavorite: false,
    isMuted: false,
    isPinned: false,
    paginator: { total: 2, start: 0, limit: 50 },
    posts: [
      { postID, createdAt, author: headerOf(owner), text: 'first', images: [], isBookmarked: false, likeCount: 0, isPinned: false },
      second,
    ],
  })
})

test('every endpoint of one forum: unknown, deleted and in a hidden category answer alike', async () => {
  const [plain, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const deleted = (await startForum(plain.one, 'Deleted')).forumID
  await body(moderator.one.delete(`/forum/${deleted}`), 204)
  const hidden = (await startForum(moderator.one, 'Hidden', { category: categories.moderatorsOnly })).forumID
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['POST', '/markRead'],
    ['POST', '/rename/Title'],
    ['POST', '/create', content('x')],
  ]
  for (const [method, path, value] of calls) {
    const reasons = new Set<string>()
    for (const forumID of [randomUUID(), deleted, hidden])
      reasons.add(await refused(plain.two.request(method, `/forum/${forumID}${path}`, { body: value }), 400))
    assert.equal(reasons.size, 1, `${method} ${path}`)
    await refused(plain.one.request(method, `/forum/nonsense${path}`, { body: value }), 400)
    await refused(nodes.client().request(method, `/forum/${deleted}${path}`, { body: value }), 401)
  }
  await refused(moderator.one.delete(`/forum/${deleted}`), 400)
  await refused(moderator.one.post(`/forum/${randomUUID()}/delete`), 400)
})

test('every endpoint of one post: unknown, deleted, in a deleted or hidden forum and by somebody in a block answer alike', async () => {
  const [plain, foe, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const { forumID } = await startForum(plain.one, 'Some posts')
  const byFoe = await postIn(foe.one, forumID, 'x')
  const deleted = await postIn(plain.one, forumID, 'y')
  await body(plain.one.delete(`/forum/post/${deleted}`), 204)
  const inDeleted = await startForum(plain.one, 'Deleted')
  await body(moderator.one.delete(`/forum/${inDeleted.forumID}`), 204)
  const hidden = (await startForum(moderator.one, 'Hidden', { category: categories.moderatorsOnly })).postID
  await block(plain, foe)
  const calls: [string, string, unknown?][] = [
    ['GET', '/forum'],
    ['POST', '', content('x')],
    ['POST', '/update', content('x')],
    ['POST', '/delete'],
    ['DELETE', ''],
    ['POST', '/image', { filename: storedImage(nodes) }],
    ['POST', '/image/remove'],
  ]
  for (const [method, path, value] of calls) {
    const reasons = new Set<string>()
    for (const postID of [2_000_000_000, deleted, inDeleted.postID, hidden, byFoe])
      reasons.add(await refused(plain.two.request(method, `/forum/post/${postID}${path}`, { body: value }), 400))
    assert.equal(reasons.size, 1, `${method} ${path}: ${[...reasons].join(' | ')}`)
    await refused(plain.one.request(method, `/forum/post/x${path}`, { body: value }), 400)
  }
})

test('GET /forum/:forum_id: start, startPost and the post in the path win over the read position, in this order', async () => {
  const [owner, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'Pages')
  const all = [postID, ...(await fillForum(nodes, forumID, owner.id, 11))]
  const check = async (path: string, start: number, limit: number) => {
    const thread = await body<Thread>(reader.two.get(path))
    assert.deepEqual([ids(thread), thread.paginator], [all.slice(start, start + limit), { total: 12, start, limit }], path)
  }
  await check(`/forum/${forumID}?limit=5`, 0, 5)
  // The page with the fifth post is the first one still.
  await check(`/forum/${forumID}?limit=5`, 0, 5)
  await check(`/forum/${forumID}?limit=2`, 4, 2)
  await check(`/forum/${forumID}?start=10&limit=3`, 10, 3)
  await check(`/forum/${forumID}?limit=5`, 10, 5)
  await check(`/forum/${forumID}`, 0, 50)
  await check(`/forum/${forumID}?start=-3&limit=2&startPost=${all[3]}`, 0, 2)
  await check(`/forum/${forumID}?startPost=${all[3]}&limit=2`, 3, 2)
  await check(`/forum/${forumID}?startPost=2000000000&limit=2`, 12, 2)
  await check(`/forum/${forumID}?start=99`, 99, 50)
  await check(`/forum/${forumID}?start=1&limit=0`, 1, 1)
  await check(`/forum/${forumID}?start=1&limit=-5`, 1, 1)
  await check(`/forum/${forumID}?start=1&limit=999`, 1, 200)
  await check(`/forum/${forumID}?start=x&startPost=y&limit=5.5`, 0, 50)
  await check(`/forum/post/${all[7]}/forum?limit=3`, 7, 3)
  await check(`/forum/post/${all[7]}/forum?limit=3&startPost=${all[2]}`, 2, 3)
  await check(`/forum/post/${all[7]}/forum?limit=3&startPost=${all[2]}&start=1`, 1, 3)
})

test('GET /forum/:forum_id: what was on a page counts as read; never less than before', async () => {
  const [owner, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const category = await newCategory(nodes)
  const { forumID, postID } = await startForum(owner.one, 'Reading', { category })
  const all = [postID, ...(await fillForum(nodes, forumID, owner.id, 5))]
  // Nothing is read by writing.
  assert.deepEqual(await readCount(owner.two, forumID, category), [0, 6])
  for (const [query, read6] of [
    ['start=1&limit=2', 3],
    ['start=0&limit=1', 3],
    ['start=99', 3],
    [`startPost=${all[3]}&limit=1`, 4],
    ['', 6],
  ] as const) {
    await read(reader.one, forumID, query)
    assert.deepEqual(await readCount(reader.two, forumID, category), [read6, 6], query)
  }
  await postIn(reader.one, forumID, 'mine')
  assert.deepEqual(await readCount(reader.two, forumID, category), [6, 7])
  await body(reader.one.get(`/forum/post/${all[0]}/forum`))
  assert.deepEqual(await readCount(reader.two, forumID, category), [7, 7])
})

test('GET /forum/:forum_id: blocked and muted authors are left out before counting, mutewords after paging', async () => {
  const [owner, foe, bore, reader, moderator] = (await people(nodes, {}, {}, {}, {}, { level: 'moderator' })) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const { forumID, postID } = await startForum(owner.one, 'Filtered')
  const [byFoe, byBore] = [await postIn(foe.one, forumID, 'foe'), await postIn(bore.one, forumID, 'bore')]
  const [loud, last] = [await postIn(owner.one, forumID, 'So many SPOILERS here'), await postIn(owner.one, forumID, 'last')]
  await block(foe, reader)
  await mute(reader, bore)
  await mute(moderator, bore)
  await addMuteword(reader, 'spoiler')
  const seen = await read(reader.two, forumID)
  assert.deepEqual([ids(seen), seen.paginator], [[postID, last], { total: 3, start: 0, limit: 50 }])
  const page = await read(reader.two, forumID, 'start=1&limit=1')
  assert.deepEqual([ids(page), page.paginator], [[], { total: 3, start: 1, limit: 1 }])
  assert.deepEqual(ids(await read(moderator.two, forumID)), [postID, byFoe, loud, last])
  assert.deepEqual(ids(await read(bore.two, forumID)), [postID, byFoe, byBore, loud, last])
  // Also where a page begins is counted without them.
  assert.equal((await read(reader.two, forumID, `startPost=${last}`)).paginator.start, 2)
  // A whole page of muted words is read all the same.
  const category = await newCategory(nodes)
  const other = await startForum(owner.one, 'Words', { category, text: 'spoiler' })
  await read(reader.one, other.forumID)
  assert.deepEqual(await readCount(reader.two, other.forumID, category), [1, 1])
})

test('GET /forum/:forum_id: a forum of somebody in a block is like a missing one, as in lists, but not for moderators', async () => {
  const [owner, foe, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const category = await newCategory(nodes)
  const { forumID } = await startForum(owner.one, 'Mine', { category })
  const postID = await postIn(moderator.one, forumID, 'by somebody else')
  for (const [by, of] of [
    [owner, foe],
    [foe, owner],
  ] as const) {
    await block(by, of)
    for (const [method, path, value] of [
      ['GET', ''],
      ['POST', '/create', content('x')],
      ['POST', '/favorite'],
      ['POST', '/mute'],
      ['POST', '/markRead'],
      ['POST', '/report', { message: '' }],
      ['GET', '/pinnedposts'],
      ['GET', '/search/x'],
    ] as const) {
      const answers = await Promise.all(
        [forumID, randomUUID()].map((id) => refused(foe.two.request(method, `/forum/${id}${path}`, { body: value }), 400)),
      )
      assert.equal(answers[0], answers[1], path)
    }
    await refused(foe.two.get(`/forum/post/${postID}/forum`), 400)
    await unblock(by, of)
    assert.equal((await read(foe.two, forumID)).title, 'Mine')
  }
  await block(foe, owner)
  await nodes.sql`update forum_category set create_level = 'moderator' where id = ${category}`
  assert.deepEqual(ids(await read(foe.two, forumID)), [postID])
  await nodes.sql`update forum_category set create_level = 'verified' where id = ${category}`
  await block(moderator, owner)
  await read(moderator.one, forumID)
  await body(moderator.two.post(`/forum/${forumID}/create`, content('x')), 201)
})

test('GET /forum/:forum_id: a quarantined post or title is replaced for everybody', async () => {
  const [owner, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'Secret title', { text: 'secret text' })
  for (const status of ['quarantined', 'autoQuarantined']) {
    await setState(nodes, 'forum_post', postID, status)
    for (const { two } of [owner, moderator]) {
      const [post] = (await read(two, forumID)).posts
      assert.match(post?.text ?? '', /moderator review/)
      assert.equal(post?.images, undefined)
    }
  }
  await setState(nodes, 'forum', forumID, 'quarantined')
  assert.match((await read(owner.two, forumID)).title, /moderator review/)
  await setState(nodes, 'forum_post', postID, 'locked')
  assert.equal((await read(owner.two, forumID)).posts[0]?.text, 'secret text')
})

test('GET /forum/:forum_id: any page is the same from whichever end it is counted', async () => {
  const [owner, bore, reader] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'Ends')
  await mute(reader, bore)
  const ids = [postID]
  for (const [author, count] of [
    [owner, 3],
    [bore, 2],
    [owner, 4],
    [bore, 1],
    [owner, 2],
    [bore, 3],
  ] as const) {
    const made = await fillForum(nodes, forumID, author.id, count)
    if (author === owner) ids.push(...made)
  }
  const page = async (query: string) => {
    const {
      posts,
      paginator: { start, total },
    } = await body(reader.one.get(`/forum/${forumID}?${query}`))
    assert.equal(total, ids.length)
    return [start, posts.map(({ postID: id }: { postID: number }) => id)]
  }
  for (const limit of [1, 3, 4, 50]) {
    for (let start = 0; start <= ids.length + 1; start++)
      assert.deepEqual(await page(`start=${start}&limit=${limit}`), [start, ids.slice(start, start + limit)])
    for (const [start, id] of ids.entries())
      assert.deepEqual(await page(`startPost=${id}&limit=${limit}`), [start, ids.slice(start, start + limit)])
  }
  assert.deepEqual(await page('start=2147483647&limit=200'), [2_147_483_647, []])
  assert.deepEqual(await page('startPost=2147483647'), [ids.length, []])
})

test('GET /forum/:forum_id: one statement, one for posts and one for accounts not seen before, and one transaction when something new was read', async () => {
  const [owner, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID } = await startForum(owner.one, 'Costs')
  for (let i = 0; i < 12; i++) await postIn(((await people(nodes, {}))[0] as Person).one, forumID, 'x')
  await body(reader.two.get('/notification/user'))
  const cost = () => countStatements(nodes.apps[1] as App, () => read(reader.two, forumID))
  assert.deepEqual([await cost(), await cost()], [4, 1])
})

test('GET /forum/:forum_id: a page that was read before shows what has changed since on another node', async () => {
  const [author, reader, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const { forumID, postID } = await startForum(author.one, 'Changes')
  const shown = async () => (await body(reader.two.get(`/forum/${forumID}`))).posts
  assert.deepEqual(
    (await shown()).map(({ text }: { text: string }) => text),
    ['first'],
  )
  await body(author.one.post(`/forum/post/${postID}/update`, content('second')))
  assert.equal((await shown())[0].text, 'second')
  await body(author.one.post('/user/profile', { displayName: 'Renamed' }))
  await until(async () => (await shown())[0].author.displayName === 'Renamed', 'the new name is shown')
  await body(reader.one.post(`/forum/post/${postID}/love`))
  assert.deepEqual(
    (await shown()).map(({ userLike, likeCount }: { userLike: string; likeCount: number }) => [userLike, likeCount]),
    [['love', 1]],
  )
  await setState(nodes, 'forum_post', postID, 'quarantined')
  assert.notEqual((await shown())[0].text, 'second')
  await body(moderator.one.delete(`/forum/post/${postID}`), 204)
  assert.deepEqual(await shown(), [])
})

test('GET /forum/:forum_id: a page that many see the same is not that of somebody with mutewords', async () => {
  const [author, plain, picky] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const { forumID } = await startForum(author.one, 'Shared')
  await postIn(author.one, forumID, 'about anchovies')
  await body(picky.one.post('/user/mutewords/add/anchovies'))
  const texts = async ({ one }: Person) =>
    (await body(one.get(`/forum/${forumID}?start=0`))).posts.map(({ text }: { text: string }) => text)
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await texts(picky), ['first'])
    assert.deepEqual(await texts(plain), ['first', 'about anchovies'])
  }
})

test('GET /forum/:forum_id: whatever is in a text, the page shows what the post itself shows, to the first reader and to all others', async () => {
  const [owner, reader, picky] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  await addMuteword(picky, 'anchovies')
  const { forumID } = await startForum(owner.one, 'Odd texts')
  const odd = [
    '{"text":"x"}',
    'two\nlines\r\nand a\ttab',
    'a \\ and "quotes"',
    ',"author":{}',
    '\u2028\u2029\u0001\u007f',
    '\ud83d\udc69\u200d\ud83d\ude80 - f t',
    '$1 \\1 %s',
    'anchovies {',
  ]
  const texts = [
    ...odd,
    ...fc.sample(fc.string({ unit: fc.constantFrom(...'\\"{},: \n\t/ftnu-\u00e9\ud83d\ude80\u0007'), minLength: 1, maxLength: 60 }), {
      numRuns: 20,
      seed: 7,
    }),
    ...fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { numRuns: 20, seed: 7 }),
  ]
  await nodes.sql`
    insert into forum_post (forum_id, author_id, real_author_id, text, images, created_at, moderation_status)
    select ${forumID}, ${owner.id}, ${owner.id}, text, case number % 3 when 0 then null when 1 then '{}'::text[] else array['a "b".jpg', 'c.jpg'] end, now(), case when number % 5 = 0 then 'quarantined' else 'normal' end::moderation_status
    from unnest(${texts.map((text) => text.replaceAll('\0', ''))}::text[]) with ordinality each(text, number)`
  const single = await body<{ posts: { postID: number; text: string }[] }>(reader.one.get(`/forum/post/search?forum=${forumID}&limit=100`))
  const expected = single.posts.toReversed()
  assert.equal(expected.length, texts.length + 1)
  const shown = async ({ one }: Person) => (await read(one, forumID, 'start=0&limit=100')).posts
  // From its row, from memory, and the text that several share.
  for (const person of [reader, reader, owner, owner]) assert.deepEqual(await shown(person), expected)
  const kept = expected.filter(({ text }) => !text.includes('anchovies'))
  for (let round = 0; round < 2; round++) assert.deepEqual(await shown(picky), kept)
})

test('POST /forum/:forum_id/markRead: 201, then 200 until there is something new', async () => {
  const [owner, reader, bore] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const category = await newCategory(nodes)
  const { forumID } = await startForum(owner.one, 'Mark', { category })
  await fillForum(nodes, forumID, owner.id, 60)
  await body(reader.one.post(`/forum/${forumID}/markRead`), 201)
  assert.deepEqual(await readCount(reader.two, forumID, category), [61, 61])
  await body(reader.two.post(`/forum/${forumID}/markRead`), 200)
  await mute(reader, bore)
  await postIn(bore.one, forumID, 'x')
  await body(reader.two.post(`/forum/${forumID}/markRead`), 200)
  await postIn(owner.one, forumID, 'y')
  await body(reader.one.post(`/forum/${forumID}/markRead`), 201)
})

// Writing

test('POST /forum/:forum_id/create: broken rules of content first, then the forum, then rights', async () => {
  const [plain, temporarily, unverified] = (await people(nodes, {}, { tempQuarantineUntil: soon() }, { level: 'unverified' })) as [
    Person,
    Person,
    Person,
  ]
  const { forumID } = await startForum(plain.one, 'Rules')
  const create = (person: Person, id: string, value: object) => person.two.post(`/forum/${id}/create`, value)
  assert.deepEqual(Object.keys((await body(create(temporarily, randomUUID(), content('')), 400)).fieldErrors), ['text'])
  await refused(
    create(temporarily, forumID, content('x', { images: Array.from({ length: 5 }, () => ({ filename: storedImage(nodes) })) })),
    400,
  )
  await refused(create(temporarily, randomUUID(), content('x')), 400)
  await refused(create(temporarily, forumID, content('x')), 403)
  await refused(create(unverified, forumID, content('x')), 403)
  await refused(plain.one.post(`/forum/${forumID}/create`), 422)
})

test('POST /forum/:forum_id/create: only moderators post in forums that are locked or under review', async () => {
  const [owner, plain, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const { forumID } = await startForum(owner.one, 'States')
  for (const status of ['locked', 'quarantined', 'autoQuarantined']) {
    await setState(nodes, 'forum', forumID, status)
    for (const person of [owner, plain]) await refused(person.one.post(`/forum/${forumID}/create`, content('x')), 403)
    await postIn(moderator.one, forumID, 'x')
  }
  await setState(nodes, 'forum', forumID, 'modReviewed')
  await postIn(plain.one, forumID, 'x')
})

test('POST /forum/:forum_id/create: replies in official categories are free; the level for new forums does not matter', async () => {
  const [plain, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const { forumID } = await startForum(moderator.one, 'News', { category: categories.news })
  await postIn(plain.one, forumID, 'x')
})

test('POST /forum/:forum_id/create: moves the forum up, counts at once from many nodes, once per Idempotency-Key', async () => {
  const [owner, ...writers] = (await people(nodes, ...Array.from({ length: 9 }, () => ({})))) as [Person, ...Person[]]
  const category = await newCategory(nodes)
  const first = await startForum(owner.one, 'First', { category })
  await startForum(owner.one, 'Second', { category })
  await nodes.sql`update forum set last_post_time = '2020-01-01' where id = ${first.forumID}`
  await Promise.all(writers.map((writer, index) => postIn(index % 2 ? writer.one : writer.two, first.forumID, `text ${index}`)))
  const headers = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(
    [0, 1, 0].map((node) =>
      body((owner.clients[node] as Client).post(`/forum/${first.forumID}/create`, content('once'), { headers }), 201),
    ),
  )
  for (const answer of answers) assert.deepEqual(answer, answers[0])
  const [top] = (await body(owner.two.get(`/forum/categories/${category}`))).forumThreads
  assert.deepEqual([top.title, top.postCount, top.lastPoster.username], ['First', 10, owner.username])
  const [row] =
    await nodes.sql`select post_count, last_post_id, (select max(id) from forum_post where forum_id = forum.id) as newest from forum where id = ${first.forumID}`
  assert.deepEqual([row?.['postCount'], row?.['lastPostId']], [10, row?.['newest']])
})

test('POST /forum/:forum_id/create: as a shared account, for moderators', async () => {
  const [plain, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const { forumID } = await startForum(plain.one, 'Shared')
  const post = async (person: Person, more: object) => body(person.one.post(`/forum/${forumID}/create`, content('x', more)), 201)
  assert.equal((await post(plain, { postAsServiceTeam: true })).author.username, plain.username)
  const { postID, author } = await post(moderator, { postAsModerator: true })
  assert.equal(author.username, 'moderator')
  assert.deepEqual(
    [...(await actions(postID))],
    [{ actionType: 'post', contentType: 'forumPost', moderatorId: moderator.id, targetUserId: builtIn.moderator }],
  )
})

test('POST /forum/post/:post_id/update and /forum/post/:post_id: replace text and images, and keep what was before', async () => {
  const [owner, plain, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'Edits')
  const filename = storedImage(nodes)
  const changed = await body(owner.one.post(`/forum/post/${postID}/update`, content('two\r\nlines', { images: [{ filename }] })))
  assert.deepEqual([changed.postID, changed.text, changed.images, changed.author], [postID, 'two\nlines', [filename], headerOf(owner)])
  assert.deepEqual((await read(owner.two, forumID)).posts[0], changed)
  // Nothing changes, nothing is kept.
  await body(owner.two.post(`/forum/post/${postID}`, content('two\r\nlines', { images: [{ filename }] })))
  assert.deepEqual([...(await postEdits(postID))], [{ text: 'first', images: [], editorId: owner.id }])
  await refused(plain.one.post(`/forum/post/${postID}`, content('mine now')), 403)
  await body(moderator.one.post(`/forum/post/${postID}`, content('by moderator', { postAsModerator: true })))
  assert.deepEqual((await postEdits(postID))[1], { text: 'two\nlines', images: [filename], editorId: moderator.id })
  assert.deepEqual(
    [...(await actions(postID))],
    [{ actionType: 'edit', contentType: 'forumPost', moderatorId: moderator.id, targetUserId: owner.id }],
  )
  assert.equal((await read(owner.two, forumID)).posts[0]?.text, 'by moderator')
})

test('POST /forum/post/:post_id/update: refusals in order, by state of post and forum', async () => {
  const [owner, moderator, temporarily] = (await people(
    nodes,
    {},
    { level: 'moderator' },
    { level: 'moderator', tempQuarantineUntil: soon() },
  )) as [Person, Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'States')
  let texts = 0
  const update = (person: Person) => person.one.post(`/forum/post/${postID}/update`, content(`text ${++texts}`))
  assert.ok((await body(temporarily.one.post(`/forum/post/${postID}/update`, content('')), 400)).fieldErrors)
  await refused(update(temporarily), 403)
  for (const status of ['locked', 'quarantined', 'autoQuarantined']) {
    for (const [table, id] of [
      ['forum', forumID],
      ['forum_post', postID],
    ] as const) {
      await setState(nodes, table, id, status)
      await refused(update(owner), 403)
      await refused(owner.one.delete(`/forum/post/${postID}`), 403)
      await body(update(moderator))
      await setState(nodes, table, id, 'normal')
    }
  }
  await setState(nodes, 'forum_post', postID, 'modReviewed')
  await body(update(moderator))
  assert.equal(await stateOf('forum_post', postID), 'modReviewed')
  await body(update(owner))
  assert.equal(await stateOf('forum_post', postID), 'normal')
})

test('POST /forum/post/:post_id/image and /image/remove: exactly one image, and none', async () => {
  const [owner, plain] = (await people(nodes, {}, {})) as [Person, Person]
  const { postID } = await startForum(owner.one, 'Images')
  const [first, second] = [storedImage(nodes), storedImage(nodes)]
  await body(owner.one.post(`/forum/post/${postID}`, content('first', { images: [{ filename: first }, { filename: first }] })))
  const only = await body(owner.two.post(`/forum/post/${postID}/image`, { filename: second }))
  assert.deepEqual([only.text, only.images], ['first', [second]])
  await refused(owner.one.post(`/forum/post/${postID}/image`, {}), 400)
  await refused(plain.one.post(`/forum/post/${postID}/image`, { filename: first }), 403)
  await refused(plain.one.post(`/forum/post/${postID}/image/remove`), 403)
  for (let i = 0; i < 2; i++) assert.deepEqual((await body(owner.one.post(`/forum/post/${postID}/image/remove`))).images, [])
  assert.deepEqual(
    (await postEdits(postID)).map(({ images }) => images),
    [[], [first, first], [second]],
  )
})

test('POST /forum/:forum_id/create and POST /forum/post/:post_id/image: new images are stored, for those who may post', async () => {
  const [owner, plain] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'New images')
  const image = (
    await sharp({ create: { width: 40, height: 30, channels: 3, background: '#336699' } })
      .png()
      .toBuffer()
  ).toString('base64')
  const kept = storedImage(nodes)
  const post = await body(
    plain.one.post(`/forum/${forumID}/create`, content('look', { images: [{ image }, { filename: kept }, { image, filename: kept }] })),
    201,
  )
  assert.match(post.images[0], /^[0-9A-F-]{36}\.png$/)
  assert.equal(post.images[1], kept)
  assert.notEqual(post.images[2], kept)
  assert.equal((await plain.two.get(`/image/full/${post.images[0]}`)).status, 200)
  const only = await body(owner.two.post(`/forum/post/${postID}/image`, { image }))
  assert.equal(only.images.length, 1)
  await refused(
    owner.one.post(`/forum/${forumID}/create`, content('x', { images: [{ image: Buffer.from('no picture').toString('base64') }] })),
    400,
  )
  await refused(plain.one.post(`/forum/post/${postID}/image`, { image }), 403)
  await body(plain.one.delete(`/forum/post/${post.postID}`), 204)
  await refused(plain.two.get(`/image/full/${post.images[0]}`), 400)
})

test('POST /forum/post/:post_id/delete and DELETE /forum/post/:post_id: gone from lists and counts, for author and moderators', async () => {
  const [owner, plain, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const category = await newCategory(nodes)
  const { forumID, postID } = await startForum(owner.one, 'Deleting', { category })
  const [second, third] = [await postIn(owner.one, forumID, 'x'), await postIn(plain.one, forumID, 'y')]
  await read(plain.one, forumID)
  await refused(plain.one.delete(`/forum/post/${second}`), 403)
  await body(owner.one.post(`/forum/post/${second}/delete`), 204)
  await refused(owner.two.post(`/forum/post/${second}/delete`), 400)
  await body(moderator.one.delete(`/forum/post/${third}`), 204)
  assert.deepEqual(
    [...(await actions(third))],
    [{ actionType: 'delete', contentType: 'forumPost', moderatorId: moderator.id, targetUserId: plain.id }],
  )
  assert.deepEqual([...(await actions(second))], [])
  assert.deepEqual(ids(await read(owner.two, forumID)), [postID])
  assert.deepEqual(await readCount(plain.two, forumID, category), [1, 1])
  // Twice at once deletes once.
  const fourth = await postIn(owner.one, forumID, 'z')
  const statuses = await Promise.all(
    [0, 1, 0, 1].map(async (node) => (await (owner.clients[node] as Client).delete(`/forum/post/${fourth}`)).status),
  )
  assert.deepEqual(statuses.sort(), [204, 400, 400, 400])
  assert.deepEqual(await readCount(plain.two, forumID, category), [1, 1])
})

test('POST /forum/:forum_id/rename/:new_name: 201; by creator and moderators, the old title is kept', async () => {
  const [owner, plain, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const { forumID } = await startForum(owner.one, 'Old')
  const rename = (person: Person, title: string) => person.one.post(`/forum/${forumID}/rename/${encodeURIComponent(title)}`)
  const edits = () => nodes.sql`select title, editor_id, category_id from forum_edit where forum_id = ${forumID} order by created_at`
  await body(rename(owner, 'New / 100% #1'), 201)
  assert.equal((await read(plain.two, forumID)).title, 'New / 100% #1')
  await body(rename(owner, 'New / 100% #1'), 201)
  assert.deepEqual([...(await edits())], [{ title: 'Old', editorId: owner.id, categoryId: null }])
  for (const title of ['x', 'x'.repeat(101)])
    assert.deepEqual(Object.keys((await body(rename(owner, title), 400)).fieldErrors), ['new_name'])
  await refused(rename(plain, 'Stolen'), 403)
  await setState(nodes, 'forum', forumID, 'modReviewed')
  await body(rename(moderator, 'By moderator'), 201)
  assert.deepEqual(
    [...(await actions(forumID))],
    [{ actionType: 'edit', contentType: 'forum', moderatorId: moderator.id, targetUserId: owner.id }],
  )
  assert.equal(await stateOf('forum', forumID), 'modReviewed')
  await body(rename(owner, 'Mine again'), 201)
  assert.equal(await stateOf('forum', forumID), 'normal')
  for (const status of ['locked', 'quarantined']) {
    await setState(nodes, 'forum', forumID, status)
    await refused(rename(owner, 'No more'), 403)
  }
})

test('DELETE /forum/:forum_id and POST /forum/:forum_id/delete: moderators only; the posts go with it and the category counts', async () => {
  const [owner, moderator, temporarily] = (await people(
    nodes,
    {},
    { level: 'moderator' },
    { level: 'moderator', tempQuarantineUntil: soon() },
  )) as [Person, Person, Person]
  const category = await newCategory(nodes)
  const [first, second] = [await startForum(owner.one, 'First', { category }), await startForum(owner.one, 'Second', { category })]
  await refused(owner.one.delete(`/forum/${first.forumID}`), 403)
  await refused(owner.one.post(`/forum/${first.forumID}/delete`), 403)
  await refused(temporarily.one.delete(`/forum/${first.forumID}`), 403)
  await body(moderator.one.delete(`/forum/${first.forumID}`), 204)
  const { numThreads, forumThreads } = await body(owner.two.get(`/forum/categories/${category}`))
  assert.deepEqual([numThreads, forumThreads.map(({ title }: { title: string }) => title)], [1, ['Second']])
  await refused(owner.two.get(`/forum/post/${first.postID}/forum`), 400)
  assert.deepEqual(
    [...(await actions(first.forumID))],
    [{ actionType: 'delete', contentType: 'forum', moderatorId: moderator.id, targetUserId: owner.id }],
  )
  assert.deepEqual([...(await actions(first.postID))], [])
  await body(moderator.two.post(`/forum/${second.forumID}/delete`), 204)
})

test('every endpoint of forums and posts: 451 while forums are switched off', async () => {
  const owner = await someone()
  const { forumID, postID } = await startForum(owner.one, 'Off')
  await disable(nodes, 'forums')
  for (const [method, path, value] of [
    ['GET', `/forum/${forumID}`],
    ['POST', `/forum/${forumID}/create`, content('x')],
    ['POST', `/forum/post/${postID}`, content('x')],
    ['DELETE', `/forum/post/${postID}`],
    ['POST', `/forum/${forumID}/markRead`],
  ] as const) {
    await refused(owner.two.request(method, path, { body: value }), 451)
  }
  await disable(nodes)
})

test('POST /forum/:forum_id/favorite and /mute at once: it becomes one of the two', async () => {
  const [owner, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID } = await startForum(owner.one, 'Loved or silent')
  await body(reader.one.post(`/forum/${forumID}/favorite`), 201)
  await body(reader.one.post(`/forum/${forumID}/favorite/remove`), 204)
  const lock = await hold(nodes.database.url, `select from forum_reader where account_id = '${reader.id}' for update`)
  const answers = Promise.all([reader.one.post(`/forum/${forumID}/favorite`), reader.two.post(`/forum/${forumID}/mute`)])
  await lock.awaited(2)
  await lock.release()
  assert.deepEqual((await answers).map(({ status }) => status).toSorted(), [201, 400])
})
