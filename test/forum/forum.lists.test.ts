// The lists of forums, favorites and mutes of forums, and pins.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, mute, people, refused, type Person } from '../support/fez.ts'
import { categories, newCategory, postIn, setState, startForum } from '../support/forum.ts'
import { randomTest } from '../support/random-runs.ts'
import { countStatements } from '../support/statements.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

let words = 0
/** A word that is in no other test's forums. */
const ownWord = () => `zqxword${++words}`
type Item = { forumID: string; title: string; isFavorite: boolean; isMuted: boolean }
type Page = { forumThreads: Item[]; paginator: { total: number; start: number; limit: number } }
const list = (client: Client, path: string) => body<Page>(client.get(`/forum/${path}`))
const titles = async (client: Client, path: string) => (await list(client, path)).forumThreads.map(({ title }) => title)
const actions = (contentID: string | number) => nodes.sql<{ actionType: string; contentType: string; targetUserId: string }[]>`
  select action_type, content_type, target_user_id from moderator_action where content_id = ${String(contentID)} order by created_at`

/** Forums of one owner, made in this order an hour apart, each last posted in an hour before the one made before it. */
async function series(owner: Person, ...named: string[]): Promise<{ category: string; ids: string[] }> {
  const category = await newCategory(nodes)
  const ids: string[] = []
  for (const [index, title] of named.entries()) {
    const { forumID } = await startForum(owner.one, title, { category })
    await nodes.sql`update forum set created_at = ${new Date(Date.UTC(2030, 0, 1, index))}, last_post_time = ${new Date(Date.UTC(2031, 0, 1, 20 - index))} where id = ${forumID}`
    ids.push(forumID)
  }
  return { category, ids }
}

test('GET /forum/owner, /favorites, /mutes, /unread and /user/forums: sorts, directions, category, pages', async () => {
  const owner = (await people(nodes, {}))[0] as Person
  const { category, ids } = await series(owner, 'bb', 'Aa', 'cc')
  const [reader, muter] = (await people(nodes, {}, {})) as [Person, Person]
  for (const forumID of ids) {
    await body(reader.one.post(`/forum/${forumID}/favorite`), 201)
    await body(muter.one.post(`/forum/${forumID}/mute`), 201)
  }
  const byUpdate = ['bb', 'Aa', 'cc']
  const byCreation = ['cc', 'Aa', 'bb']
  const byTitle = ['Aa', 'bb', 'cc']
  for (const [client, path, standard] of [
    [owner.two, 'owner', byTitle],
    [reader.two, 'favorites', byUpdate],
    [muter.two, 'mutes', byUpdate],
    [reader.two, 'unread', byUpdate],
  ] as const) {
    const seen = (query: string) => titles(client, `${path}?cat=${category.toUpperCase()}&${query}`)
    assert.deepEqual(await seen(''), standard, path)
    assert.deepEqual(await seen('sort=nonsense'), standard, path)
    assert.deepEqual(await seen('sort=update'), byUpdate)
    assert.deepEqual(await seen('sort=event'), byUpdate)
    assert.deepEqual(await seen('sort=update&order=ascending'), byUpdate.toReversed())
    assert.deepEqual(await seen('sort=create'), byCreation)
    assert.deepEqual(await seen('sort=create&order=ascending'), byCreation.toReversed())
    assert.deepEqual(await seen('sort=title'), byTitle)
    assert.deepEqual(await seen('sort=title&order=descending'), byTitle.toReversed())
    for (const [query, start, limit] of [
      ['start=1&limit=1', 1, 1],
      ['start=-1&limit=2', 0, 2],
      ['limit=0', 0, 1],
      ['limit=999', 0, 200],
      ['start=9', 9, 50],
    ] as const) {
      const { forumThreads, paginator } = await list(client, `${path}?cat=${category}&${query}`)
      assert.deepEqual(
        [forumThreads.map(({ title }) => title), paginator],
        [standard.slice(start, start + limit), { total: 3, start, limit }],
        `${path} ${query}`,
      )
    }
    assert.deepEqual(await titles(client, `${path}?cat=${categories.general}`), [])
  }
  assert.deepEqual(await titles(owner.two, 'owner?cat=nonsense'), byTitle)
  assert.ok((await list(reader.two, 'favorites')).forumThreads.every(({ isFavorite, isMuted }) => isFavorite && !isMuted))
  assert.ok((await list(muter.two, 'mutes')).forumThreads.every(({ isFavorite, isMuted }) => !isFavorite && isMuted))
  assert.deepEqual(
    (await body<Item[]>(owner.two.get('/user/forums'))).map(({ title }) => title),
    byTitle,
  )
  assert.deepEqual(
    (await body<Item[]>(owner.two.get('/user/forums?limit=1&sort=create'))).map(({ title }) => title),
    ['cc'],
  )
})

test('POST and DELETE /forum/:forum_id/favorite and /mute: 201 or 200, 204 or 200; one excludes the other', async () => {
  const [owner, reader] = (await people(nodes, {}, { level: 'unverified' })) as [Person, Person]
  const { forumID } = await startForum(owner.one, 'Flags')
  const at = (verb: string) => reader.one.post(`/forum/${forumID}/${verb}`)
  for (const [verb, other] of [
    ['favorite', 'mute'],
    ['mute', 'favorite'],
  ] as const) {
    await body(at(verb), 201)
    await body(at(verb), 200)
    await refused(at(other), 400)
    await body(at(`${verb}/remove`), 204)
    await body(at(`${verb}/remove`), 200)
    await body(at(verb), 201)
    await body(reader.two.delete(`/forum/${forumID}/${verb}`), 204)
    await body(reader.two.delete(`/forum/${forumID}/${verb}`), 200)
  }
  const { status } = await reader.one.get(`/forum/${forumID}`)
  assert.equal(status, 200)
  const hidden = (
    await startForum((await people(nodes, { level: 'moderator' }))[0]?.one as Client, 'Hidden', { category: categories.moderatorsOnly })
  ).forumID
  const reasons = new Set<string>()
  for (const id of [hidden, randomUUID()]) {
    for (const verb of ['favorite', 'mute']) {
      reasons.add(await refused(reader.one.post(`/forum/${id}/${verb}`), 400))
      await body(reader.one.delete(`/forum/${id}/${verb}`), 200)
    }
  }
  assert.equal(reasons.size, 1)
  // Both at once: exactly one wins.
  const statuses = await Promise.all([reader.one.post(`/forum/${forumID}/favorite`), reader.two.post(`/forum/${forumID}/mute`)])
  assert.deepEqual(statuses.map((answer) => answer.status).sort(), [201, 400])
})

test('GET /forum/recent: what the caller had to do with last comes first; looking again changes nothing', async () => {
  const owner = (await people(nodes, {}))[0] as Person
  const [aa, bb, cc] = (await series(owner, 'aa', 'bb', 'cc')).ids as [string, string, string]
  const reader = (await people(nodes, {}))[0] as Person
  const recent = () => titles(reader.two, 'recent')
  const later = () => nodes.sql`update forum_reader set updated_at = updated_at - interval '1 hour' where account_id = ${reader.id}`
  const steps: [string, () => Promise<unknown>, string[]][] = [
    ['read aa', () => reader.one.get(`/forum/${aa}`), ['aa']],
    ['read bb', () => reader.one.get(`/forum/${bb}`), ['bb', 'aa']],
    ['read aa again', () => reader.one.get(`/forum/${aa}`), ['bb', 'aa']],
    ['favorite aa', () => reader.one.post(`/forum/${aa}/favorite`), ['aa', 'bb']],
    ['mark cc', () => reader.one.post(`/forum/${cc}/markRead`), ['cc', 'aa', 'bb']],
    ['mark cc again', () => reader.one.post(`/forum/${bb}/markRead`), ['cc', 'aa', 'bb']],
    ['mute bb', () => reader.one.post(`/forum/${bb}/mute`), ['bb', 'cc', 'aa']],
    ['unfavorite aa', () => reader.one.delete(`/forum/${aa}/favorite`), ['aa', 'bb', 'cc']],
  ]
  for (const [name, step, expected] of steps) {
    await step()
    assert.deepEqual(await recent(), expected, name)
    await later()
  }
  await postIn(owner.one, bb, 'new')
  assert.deepEqual(await recent(), ['aa', 'bb', 'cc'])
  assert.deepEqual((await list(reader.one, 'recent?start=1&limit=1')).paginator, { total: 3, start: 1, limit: 1 })
})

test('GET /forum/unread: never read, or with something new that the caller can see; not muted', async () => {
  const [owner, bore] = (await people(nodes, {}, {})) as [Person, Person]
  const { category, ids } = await series(owner, 'aa', 'bb')
  const [aa, bb] = ids as [string, string]
  const reader = (await people(nodes, {}))[0] as Person
  const unread = async () => (await titles(reader.two, `unread?cat=${category}`)).sort()
  assert.deepEqual(await unread(), ['aa', 'bb'])
  await body(reader.one.get(`/forum/${aa}`))
  assert.deepEqual(await unread(), ['bb'])
  await mute(reader, bore)
  await postIn(bore.one, aa, 'x')
  assert.deepEqual(await unread(), ['bb'])
  const postID = await postIn(owner.one, aa, 'y')
  assert.deepEqual(await unread(), ['aa', 'bb'])
  // What is deleted is not waited for.
  await body(owner.one.delete(`/forum/post/${postID}`), 204)
  assert.deepEqual(await unread(), ['bb'])
  await body(reader.one.post(`/forum/${bb}/mute`), 201)
  assert.deepEqual(await unread(), [])
  assert.deepEqual(await titles(reader.two, `search?unread=true&category=${category}`), ['bb'])
  await postIn(reader.one, aa, 'own posts wait too')
  assert.deepEqual(await unread(), ['aa'])
})

test('the number of posts of a forum leaves out those of somebody that the reader hides, deleted ones once', async () => {
  const [owner, bore, reader] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const { category, ids } = await series(owner, 'long')
  const [forumID] = ids as [string]
  // More than memory keeps of a forum.
  const first = await postIn(bore.one, forumID, 'the first')
  for (let count = 0; count < 14; count++) await postIn(bore.one, forumID, 'more')
  await postIn(owner.one, forumID, 'mine')
  await body(bore.one.delete(`/forum/post/${first}`), 204)
  await mute(reader, bore)
  for (const client of reader.clients) {
    const { forumThreads } = await body(client.get(`/forum/categories/${category}`))
    assert.deepEqual([forumThreads[0].postCount, forumThreads[0].lastPoster.userID], [2, owner.id])
    const { paginator, posts } = await body(client.get(`/forum/${forumID}`))
    assert.deepEqual([paginator.total, posts.length], [2, 2])
  }
})

test('GET /forum/search: each filter, and all together', async () => {
  const [owner, other, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const word = ownWord()
  const [first, second] = [await newCategory(nodes), await newCategory(nodes)]
  const running = await startForum(owner.one, `Running ${word}`, { category: first, text: `shoes ${word}` })
  const swimming = await startForum(other.one, `Swimming ${word}`, { category: second, text: 'goggles' })
  await postIn(owner.one, swimming.forumID, 'a green frog')
  await postIn(other.one, swimming.forumID, 'a red frog')
  const found = async (query: string, client = owner.two) =>
    (await titles(client, `search?${query}`)).map((title) => title.split(' ')[0]).sort()
  assert.deepEqual(await found(`search=${word}`), ['Running', 'Swimming'])
  assert.deepEqual(await found(`search=runs%20${word}`), ['Running'])
  assert.deepEqual(await found(`search=${word}%20-run`), ['Swimming'])
  assert.deepEqual(await found(`search=${word}&creatorself`), ['Running'])
  assert.deepEqual(await found(`search=${word}&creator=${other.username.toUpperCase()}`), ['Swimming'])
  for (const both of [
    `creator=${other.username}&creator=${owner.username}`,
    `creator=${other.username},${owner.username}`,
    `creator[]=${other.username}|${owner.username}`,
  ])
    assert.deepEqual(await found(`search=${word}&${both}`), ['Running', 'Swimming'])
  assert.deepEqual(await found(`search=${word}&category=${first}`), ['Running'])
  assert.deepEqual(await found(`category=${first}|${second}`), ['Running', 'Swimming'])
  assert.deepEqual(await found(`searchposts=${word}`), ['Running'])
  assert.deepEqual(await found(`category=${second}&posted=true&searchposts=frog`), ['Swimming'])
  // The same post must be by the caller and have the words.
  assert.deepEqual(await found(`category=${second}&posted=true&searchposts=red%20frog`), [])
  assert.deepEqual((await list(owner.two, `search?category=${second}&searchposts=frog`)).paginator.total, 1)
  assert.deepEqual(await found(`search=${word}&creatorid=${other.id}`, moderator.two), ['Swimming'])
  assert.deepEqual(await found(`search=${word}&creatorid=${owner.id}`), ['Running'])
  assert.deepEqual(await found(`search=${word}&creatorid=${other.id}&creator=${owner.username}`, moderator.two), ['Running', 'Swimming'])
  await body(owner.one.post(`/forum/${running.forumID}/favorite`), 201)
  await body(owner.one.post(`/forum/${swimming.forumID}/mute`), 201)
  assert.deepEqual(await found(`search=${word}&favorite`), ['Running'])
  assert.deepEqual(await found(`search=${word}&mute=1`), ['Swimming'])
  // Nobody finds by a title what he cannot read.
  await setState(nodes, 'forum', running.forumID, 'quarantined')
  assert.deepEqual(await titles(owner.two, `search?search=${word}`), [`Swimming ${word}`])
  assert.equal((await list(moderator.two, `search?search=${word}`)).forumThreads.length, 2)
  await body(other.one.post(`/forum/${swimming.forumID}/rename/${encodeURIComponent(`Diving ${word}`)}`), 201)
  assert.deepEqual(await found(`search=${word}%20dive`), ['Diving'])
  assert.deepEqual(await found(`search=${word}%20swim`), [])
})

test('a search for a word that all titles have is the list: what memory answers and what Postgres finds are the same', async () => {
  const [viewer, other, bore] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const word = ownWord()
  const [category, second] = [await newCategory(nodes), await newCategory(nodes)]
  const ids: string[] = []
  for (const [index, maker] of [viewer, other, bore, other, viewer, other].entries())
    ids.push((await startForum(maker.one, `${'fbdaec'[index]} ${word}`, { category: index === 5 ? second : category })).forumID)
  const [, read, ofBore, long, favorite, elsewhere] = ids as [string, string, string, string, string, string]
  for (let count = 0; count < 16; count++) await postIn(count % 3 === 0 ? bore.one : other.one, long, 'more')
  await body(viewer.one.get(`/forum/${read}`))
  await body(viewer.one.get(`/forum/${long}?start=0&limit=4`))
  await postIn(other.one, read, 'new')
  await body(viewer.one.post(`/forum/${favorite}/favorite`), 201)
  await body(viewer.one.post(`/forum/${elsewhere}/mute`), 201)
  const filters = [
    '',
    'creatorself=true',
    `creator=${other.username}`,
    `creator=${bore.username}`,
    'favorite=true',
    'mute=1',
    'mute=0',
    'unread=true',
    `category=${second}`,
  ]
  const orders = ['', 'sort=create', 'sort=create&order=ascending', 'sort=update', 'sort=title', 'sort=title&order=descending']
  const compare = async () => {
    for (const filter of filters)
      for (const order of orders) {
        const query = [filter || `category=${category},${second}`, order].filter(Boolean).join('&')
        const within = /category/.test(query) ? query : `${query}&category=${category},${second}`
        const [memory, postgres] = [await list(viewer.one, `search?${within}`), await list(viewer.one, `search?${within}&search=${word}`)]
        assert.deepEqual(memory, postgres, within)
      }
  }
  await compare()
  await mute(viewer, bore)
  await compare()
  // More than memory keeps of a forum, and some of it hidden: what was counted once, and what has come since.
  for (let count = 0; count < 2; count++) await postIn(bore.one, long, 'and more')
  await compare()
  await postIn(other.one, long, 'the end')
  await body(bore.one.get(`/forum/${ofBore}`))
  await compare()
})

test('in a category pinned forums come first, and muted ones last, pinned or not; what was only marked counts as looked at', async () => {
  const [owner, moderator, reader] = (await people(nodes, {}, { level: 'moderator' }, {})) as [Person, Person, Person]
  const { category, ids } = await series(owner, 'pinned and muted', 'muted', 'plain', 'pinned')
  const [both, muted, plain, pinned] = ids as [string, string, string, string]
  for (const id of [both, pinned]) await body(moderator.one.post(`/forum/${id}/pin`), 201)
  for (const id of [both, muted]) await body(reader.one.post(`/forum/${id}/mute`), 201)
  const order = ['pinned', 'plain', 'pinned and muted', 'muted']
  for (const client of reader.clients) assert.deepEqual(await titles(client, `categories/${category}`), order)
  await body(reader.one.post(`/forum/${plain}/favorite`), 201)
  for (const client of reader.clients)
    assert.deepEqual((await titles(client, `recent?cat=${category}`)).sort(), ['muted', 'pinned and muted', 'plain'])
  const after = encodeURIComponent('2030-01-01T00:30:00Z')
  for (const client of reader.clients)
    assert.deepEqual(await titles(client, `categories/${category}?sort=create&afterdate=${after}`), ['pinned', 'plain', 'muted'])
})

test('GET /forum/search by words of posts: a word that everybody uses is found in the newest 20,000 posts that have it', async () => {
  const [owner] = (await people(nodes, {})) as [Person]
  const word = ownWord()
  await startForum(owner.one, `Before ${word}`, { text: word })
  const { forumID } = await startForum(owner.one, `Talkative ${word}`)
  const found = () => titles(owner.two, `search?searchposts=${word}`)
  assert.deepEqual(await found(), [`Before ${word}`])
  const say = (count: number) => nodes.sql`
    insert into forum_post (forum_id, author_id, real_author_id, text, images, hashtags, mentions, created_at)
    select ${forumID}, ${owner.id}, ${owner.id}, ${word}, '{}', '{}', '{}', now() from generate_series(1, ${count})`
  await say(19_999)
  await startForum(owner.one, `After ${word}`)
  assert.deepEqual((await found()).sort(), [`Before ${word}`, `Talkative ${word}`])
  await say(1)
  await startForum(owner.one, `Last ${word}`)
  assert.deepEqual(await found(), [`Talkative ${word}`])
})

test('GET /forum/search: refusals', async () => {
  const [plain, other, foe] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  await block(plain, foe)
  for (const query of [
    '',
    'sort=title',
    'favorite=false',
    'search=',
    'search=%20',
    'searchposts=',
    'creator=nobodyhasthis',
    `creator=${foe.username}`,
    'creatorid=x',
    'category=x',
    'favorite=maybe',
  ]) {
    await refused(plain.two.get(`/forum/search?${query}`), 400)
  }
  await refused(plain.two.get(`/forum/search?creatorid=${other.id}`), 403)
})

test('POST and DELETE /forum/:forum_id/pin: moderators, 201 or 200, 204 or 200, logged', async () => {
  const [owner, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const { forumID } = await startForum(owner.one, 'Pins')
  for (const call of [
    owner.one.post(`/forum/${forumID}/pin`),
    owner.one.delete(`/forum/${forumID}/pin`),
    owner.one.post(`/forum/${forumID}/pin/remove`),
  ])
    await refused(call, 403)
  await body(moderator.one.post(`/forum/${forumID}/pin`), 201)
  await body(moderator.two.post(`/forum/${forumID}/pin`), 200)
  assert.equal((await body(owner.two.get(`/forum/${forumID}`))).isPinned, true)
  await body(moderator.one.delete(`/forum/${forumID}/pin`), 204)
  await body(moderator.one.post(`/forum/${forumID}/pin/remove`), 200)
  assert.deepEqual(
    (await actions(forumID)).map(({ actionType, contentType, targetUserId }) => [actionType, contentType, targetUserId]),
    [
      ['pin', 'forum', owner.id],
      ['unpin', 'forum', owner.id],
    ],
  )
  await refused(moderator.one.post(`/forum/${randomUUID()}/pin`), 400)
})

test('GET /forum/:forum_id/pinnedposts and the pins of posts: creator of the forum and moderators', async () => {
  const [owner, plain, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'Pinned posts')
  const byPlain = await postIn(plain.one, forumID, 'by plain')
  const pinned = async (client: Client) =>
    (await body<{ postID: number; isPinned: boolean; isBookmarked: boolean }[]>(client.get(`/forum/${forumID}/pinnedposts`))).map(
      (post) => [post.postID, post.isPinned, post.isBookmarked],
    )
  assert.deepEqual(await pinned(plain.one), [])
  await refused(plain.one.post(`/forum/post/${byPlain}/pin`), 403)
  await body(owner.one.post(`/forum/post/${byPlain}/pin`), 201)
  await body(owner.two.post(`/forum/post/${byPlain}/pin`), 200)
  await body(moderator.one.post(`/forum/post/${postID}/pin`), 201)
  await body(plain.one.post(`/forum/post/${byPlain}/bookmark`), 201)
  assert.deepEqual(await pinned(plain.two), [
    [postID, true, false],
    [byPlain, true, true],
  ])
  assert.deepEqual(
    (await actions(postID)).map(({ actionType }) => actionType),
    ['pin'],
  )
  // Words that a reader does not want to see hide posts here, too.
  const reader = (await people(nodes, {}))[0] as Person
  await body(reader.one.post('/user/mutewords/add/plain'))
  assert.deepEqual(await pinned(reader.two), [[postID, true, false]])
  await setState(nodes, 'forum', forumID, 'locked')
  await refused(owner.one.delete(`/forum/post/${byPlain}/pin`), 403)
  await body(moderator.one.delete(`/forum/post/${byPlain}/pin`), 204)
  await body(moderator.one.post(`/forum/post/${byPlain}/pin/remove`), 200)
  await mute(plain, owner)
  assert.deepEqual(await pinned(plain.two), [])
  await refused(plain.two.get(`/forum/${randomUUID()}/pinnedposts`), 400)
})

test('every list of forums: blocks hide other creators, categories hide their forums, and a page costs one statement', async () => {
  const [viewer, foe, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const word = ownWord()
  const made = [
    await startForum(foe.one, `Foe ${word}`),
    await startForum(moderator.one, `Mods ${word}`, { category: categories.moderatorsOnly }),
    await startForum(viewer.one, `Mine ${word}`),
  ]
  // As if it had all been visible before.
  for (const [index, { forumID }] of made.entries()) {
    await nodes.sql`insert into forum_reader (account_id, forum_id, is_favorite, created_at, updated_at) values (${viewer.id}, ${forumID}, true, now(), now() + ${index} * interval '1 s')`
  }
  await block(foe, viewer)
  await body(viewer.two.get('/notification/user'))
  for (const path of ['favorites', 'recent', 'owner', `search?search=${word}`]) {
    assert.deepEqual(await titles(viewer.two, path), [`Mine ${word}`], path)
    assert.equal(await countStatements(nodes.apps[1] as App, () => list(viewer.two, path)), 1, path)
  }
  assert.ok(!(await titles(viewer.two, 'unread?limit=200')).some((title) => title.startsWith('Foe') || title.startsWith('Mods')))
})

randomTest('forum.lists', 'lists and threads are what a naive filter over all rows gives', 1, async ({ seed }) => {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  const all = (await people(nodes, {}, {}, {}, { level: 'moderator' }, { level: 'unverified' }, { roles: ['shutternaut'] })) as Person[]
  const writers = all.filter((_, index) => index !== 4)
  const pick = <T>(from: readonly T[]) => from[below(from.length)] as T
  const levels = ['unverified', 'verified', 'moderator'] as const
  const spec = Array.from({ length: 4 }, (_, index) => ({
    viewLevel: pick(levels),
    createLevel: index === 0 ? 'moderator' : 'verified',
    role: below(3) === 0 ? 'shutternaut' : undefined,
  }))
  const cats = await Promise.all(spec.map((each) => newCategory(nodes, { ...each, ...(each.role ? { role: each.role } : {}) } as object)))
  const forums: {
    id: string
    title: string
    creator: Person
    cat: number
    time: number
    pinned: boolean
    posts: { id: number; author: Person; text: string; deleted: boolean }[]
  }[] = []
  for (let i = 0; i < 14; i++) {
    const [id, creator, cat, time, pinned, title] = [
      randomUUID(),
      pick(writers),
      below(cats.length),
      below(1_000_000) * 1000 + i,
      below(4) === 0,
      `t${below(100)}-${i}`,
    ] as const
    await nodes.sql`insert into forum (id, category_id, creator_id, title, title_key, is_pinned, last_post_time, created_at)
      values (${id}, ${cats[cat] as string}, ${creator.id}, ${title}, ${title}, ${pinned}, ${new Date(time)}, ${new Date(time)})`
    const posts = []
    for (let count = below(7); count >= 0; count--) {
      const [author, text, deleted] = [pick(writers), pick(['plain words', 'has zqxspoiler inside', 'more']), below(5) === 0] as const
      const [row] = await nodes.sql<
        [{ id: number }]
      >`insert into forum_post (forum_id, author_id, real_author_id, text, images, created_at, deleted_at)
        values (${id}, ${author.id}, ${author.id}, ${text}, '{}', now(), ${deleted ? new Date() : null}) returning id`
      posts.push({ id: row.id, author, text, deleted })
    }
    await nodes.sql`update forum set post_count = ${posts.filter(({ deleted }) => !deleted).length}, last_post_id = ${posts.at(-1)?.id ?? 0} where id = ${id}`
    forums.push({ id, title, creator, cat, time, pinned, posts })
  }
  const plainOnes = all.filter((_, index) => index !== 3)
  const blocks = new Set<string>()
  const mutes = new Set<string>()
  const readers = new Map<string, { read: number; muted: boolean; favorite: boolean }>()
  for (let i = 0; i < 4; i++) {
    const [a, b] = [pick(plainOnes), pick(plainOnes)]
    if (a !== b && !blocks.has(`${a.id} ${b.id}`)) {
      await block(a, b)
      blocks.add(`${a.id} ${b.id}`).add(`${b.id} ${a.id}`)
    }
    const [c, d] = [pick(all), pick(all)]
    // Somebody in a block is not there to be muted.
    if (c !== d && !mutes.has(`${c.id} ${d.id}`) && !blocks.has(`${c.id} ${d.id}`)) {
      await mute(c, d)
      mutes.add(`${c.id} ${d.id}`)
    }
  }
  for (const person of all) {
    for (const forum of forums) {
      if (below(3) > 0) continue
      const state = { read: below(2) ? pick(forum.posts).id : 0, muted: below(3) === 0, favorite: false }
      if (!state.muted) state.favorite = below(2) === 0
      readers.set(`${person.id} ${forum.id}`, state)
      await nodes.sql`insert into forum_reader (account_id, forum_id, read_post_id, is_muted, is_favorite, created_at, updated_at) values (${person.id}, ${forum.id}, ${state.read}, ${state.muted}, ${state.favorite}, now(), now())`
    }
  }
  await body((all[0] as Person).one.post('/user/mutewords/add/zqxspoiler'))
  const rank = (level: string) => ['unverified', 'quarantined', 'verified', 'moderator'].indexOf(level)
  for (const [index, viewer] of all.entries()) {
    const level = index === 3 ? 'moderator' : index === 4 ? 'unverified' : 'verified'
    const sees = (cat: number) => {
      const { viewLevel, role } = spec[cat] as (typeof spec)[number]
      return rank(level) >= rank(viewLevel) && (level === 'moderator' || !role || index === 5)
    }
    const blocksOut = (person: Person) => blocks.has(`${viewer.id} ${person.id}`)
    const stateIn = (forum: { id: string }) => readers.get(`${viewer.id} ${forum.id}`) ?? { read: 0, muted: false, favorite: false }
    const visible = (forum: (typeof forums)[number]) =>
      forum.posts.filter(({ author, deleted }) => !deleted && !blocksOut(author) && !mutes.has(`${viewer.id} ${author.id}`))
    const told = `seed ${seed}, viewer ${index}`
    const expectedItem = (forum: (typeof forums)[number]) => {
      const posts = visible(forum)
      return [
        forum.title,
        posts.length,
        posts.filter(({ id }) => id <= stateIn(forum).read).length,
        posts.at(-1)?.author.username,
        stateIn(forum).muted,
        stateIn(forum).favorite,
      ]
    }
    const check = async (path: string, expected: typeof forums, start: number, limit: number) => {
      const { forumThreads, paginator } = await body(viewer.two.get(path))
      const got = forumThreads.map((item: Item & { postCount: number; readCount: number; lastPoster?: { username: string } }) => [
        item.title,
        item.postCount,
        item.readCount,
        item.lastPoster?.username,
        item.isMuted,
        item.isFavorite,
      ])
      assert.deepEqual(
        [got, paginator],
        [expected.slice(start, start + limit).map(expectedItem), { total: expected.length, start, limit }],
        `${told}: ${path}`,
      )
    }
    const byTime = (a: (typeof forums)[number], b: (typeof forums)[number]) => b.time - a.time
    for (const [cat, id] of cats.entries()) {
      if (!sees(cat)) {
        await refused(viewer.two.get(`/forum/categories/${id}`), 400)
        continue
      }
      const inside = forums
        .filter((forum) => forum.cat === cat && (cat === 0 || !blocksOut(forum.creator)))
        .sort((a, b) => Number(stateIn(a).muted) - Number(stateIn(b).muted) || Number(b.pinned) - Number(a.pinned) || byTime(a, b))
      const [start, limit] = [below(3), 1 + below(5)]
      await check(`/forum/categories/${id}?start=${start}&limit=${limit}`, inside, start, limit)
    }
    const listed = forums.filter(({ cat, creator }) => sees(cat) && !blocksOut(creator)).sort(byTime)
    const cat = cats.map((id) => `category=${id}`).join('&')
    await check(`/forum/search?${cat}`, listed, 0, 50)
    await check(
      `/forum/search?${cat}&favorite=true`,
      listed.filter((forum) => stateIn(forum).favorite),
      0,
      50,
    )
    await check(
      `/forum/search?${cat}&mute=true`,
      listed.filter((forum) => stateIn(forum).muted),
      0,
      50,
    )
    await check(
      `/forum/search?${cat}&unread=true`,
      listed.filter((forum) => visible(forum).some(({ id }) => id > stateIn(forum).read)),
      0,
      50,
    )
    for (const forum of forums.filter(({ cat }) => sees(cat)).slice(0, 5)) {
      if (forum.cat !== 0 && blocksOut(forum.creator)) {
        await refused(viewer.two.get(`/forum/${forum.id}`), 400)
        continue
      }
      const [start, limit] = [below(3), 1 + below(4)]
      const posts = visible(forum)
      const thread = await body(viewer.two.get(`/forum/${forum.id}?start=${start}&limit=${limit}`))
      const page = posts.slice(start, start + limit).filter(({ text }) => index !== 0 || !text.includes('zqxspoiler'))
      assert.deepEqual(
        [thread.posts.map(({ postID }: { postID: number }) => postID), thread.paginator],
        [page.map(({ id }) => id), { total: posts.length, start, limit }],
        told,
      )
    }
  }
})
