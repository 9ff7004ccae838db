// What users say about posts of forums, and finding posts: details, reactions, bookmarks, reports, searches.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, mute, people, refused, type Person } from '../support/fez.ts'
import { categories, fillForum, newCategory, postIn, setState, startForum } from '../support/forum.ts'
import { countStatements } from '../support/statements.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

let words = 0
/** A word that is in no other test's posts. */
const ownWord = () => `zqxword${++words}`
const headerOf = ({ id, username }: Person) => ({ userID: id, username })
const found = async (client: Client, query: string) =>
  (await body<{ posts: { postID: number }[] }>(client.get(`/forum/post/search?${query}`))).posts.map(({ postID }) => postID)
const listed = async (client: Client, path: string) =>
  (await body<{ postID: number }[]>(client.get(`/forum/${path}`))).map(({ postID }) => postID)
const stateOf = async (table: 'forum' | 'forum_post', id: string | number) =>
  (await nodes.sql<{ status: string }[]>`select moderation_status as status from ${nodes.sql(table)} where id::text = ${String(id)}`)[0]
    ?.status

test('GET /forum/post/:post_id: every field, with everybody who has reacted', async () => {
  const [owner, reader, foe] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'Details')
  const detail = (person: Person) => body(person.two.get(`/forum/post/${postID}`))
  const { createdAt, ...rest } = await detail(reader)
  assert.match(createdAt, /Z$/)
  assert.deepEqual(rest, {
    postID,
    forumID,
    author: headerOf(owner),
    text: 'first',
    images: [],
    isBookmarked: false,
    laughs: [],
    likes: [],
    loves: [],
  })
  await body(reader.one.post(`/forum/post/${postID}/love`))
  await body(foe.one.post(`/forum/post/${postID}/laugh`))
  await body(reader.one.post(`/forum/post/${postID}/bookmark`), 201)
  await block(reader, foe)
  const seen = await detail(reader)
  // Who likes a post is not filtered.
  assert.deepEqual(
    [seen.isBookmarked, seen.userLike, seen.laughs, seen.likes, seen.loves],
    [true, 'love', [headerOf(foe)], [], [headerOf(reader)]],
  )
  await setState(nodes, 'forum_post', postID, 'quarantined')
  const masked = await detail(owner)
  assert.match(masked.text, /moderator review/)
  assert.equal(masked.images, undefined)
  // A moderator reads it here, and in the answer to their own change; in lists it is hidden from them, too.
  const [moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
  assert.deepEqual([(await detail(moderator)).text, (await detail(moderator)).images], ['first', []])
  const changed = await body(moderator.one.post(`/forum/post/${postID}/update`, { text: 'milder', images: [] }))
  assert.equal(changed.text, 'milder')
  assert.match((await detail(owner)).text, /moderator review/)
  const { posts } = await body(moderator.two.get(`/forum/${forumID}`))
  assert.match(posts[0].text, /moderator review/)
})

test('every endpoint of what is said about a post: missing and hidden answer alike', async () => {
  const [plain, foe, bore, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const { forumID } = await startForum(plain.one, 'Hidden posts')
  const [byFoe, byBore, said, gone] = [
    await postIn(foe.one, forumID, 'x'),
    await postIn(bore.one, forumID, 'y'),
    await postIn(moderator.one, forumID, 'such spoilers'),
    await postIn(plain.one, forumID, 'z'),
  ]
  await body(plain.one.delete(`/forum/post/${gone}`), 204)
  const secret = (await startForum(moderator.one, 'Secret', { category: categories.moderatorsOnly })).postID
  await block(foe, plain)
  await mute(plain, bore)
  await body(plain.one.post('/user/mutewords/add/spoiler'))
  const hidden = [2_000_000_000, gone, secret, byFoe]
  const reasons = new Set<string>()
  for (const postID of [...hidden, byBore, said]) reasons.add(await refused(plain.two.get(`/forum/post/${postID}`), 400))
  for (const postID of hidden) {
    for (const verb of ['laugh', 'like', 'love', 'unreact', 'bookmark', 'bookmark/remove', 'report'])
      reasons.add(await refused(plain.two.post(`/forum/post/${postID}/${verb}`, verb === 'report' ? { message: '' } : undefined), 400))
    for (const verb of ['laugh', 'like', 'love', 'bookmark'])
      reasons.add(await refused(plain.two.delete(`/forum/post/${postID}/${verb}`), 400))
  }
  assert.equal(reasons.size, 1, [...reasons].join(' | '))
  // What one has muted oneself is hidden from reading only.
  await body(plain.two.post(`/forum/post/${byBore}/like`))
})

test('POST /forum/post/:post_id/laugh, /like, /love and /unreact: one per user, counted over all', async () => {
  const [owner, anna, bert] = (await people(nodes, {}, { level: 'quarantined' }, {})) as [Person, Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'Reactions')
  const say = async (person: Person, verb: string, method = 'POST') => {
    const {
      userLike,
      likeCount,
      reactionCounts: counts,
    } = await body(
      person.one.request<{ userLike?: string; likeCount: number; reactionCounts?: Record<string, number> }>(
        method,
        `/forum/post/${postID}/${verb}`,
      ),
    )
    return [userLike, likeCount, counts && [counts['laugh'], counts['like'], counts['love']]]
  }
  assert.deepEqual(await say(anna, 'laugh'), ['laugh', 1, [1, 0, 0]])
  assert.deepEqual(await say(anna, 'love'), ['love', 1, [0, 0, 1]])
  assert.deepEqual(await say(bert, 'like'), ['like', 2, [0, 1, 1]])
  const [post] = (await body(anna.two.get(`/forum/${forumID}`))).posts
  assert.deepEqual([post.userLike, post.likeCount, post.reactionCounts], ['love', 2, { laugh: 0, like: 1, love: 1 }])
  assert.deepEqual(await listed(anna.two, 'likes'), [postID])
  assert.deepEqual(await say(anna, 'laugh', 'DELETE'), [undefined, 1, [0, 1, 0]])
  assert.deepEqual(await say(anna, 'unreact'), [undefined, 1, [0, 1, 0]])
  assert.deepEqual(await say(bert, 'unreact'), [undefined, 0, undefined])
  assert.deepEqual(await listed(bert.two, 'likes'), [])
  for (const verb of ['laugh', 'like', 'love', 'unreact']) await refused(owner.one.post(`/forum/post/${postID}/${verb}`), 403)
  await refused(owner.one.delete(`/forum/post/${postID}/like`), 403)
  await Promise.all([0, 1, 0, 1].map((node) => (bert.clients[node] as Client).post(`/forum/post/${postID}/like`)))
  assert.deepEqual(await say(bert, 'like'), ['like', 1, [0, 1, 0]])
})

test('POST /forum/post/:post_id/bookmark: 201 then 200; removal 204 always; private', async () => {
  const [owner, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID, postID } = await startForum(owner.one, 'Bookmarks')
  await body(reader.one.post(`/forum/post/${postID}/bookmark`), 201)
  await body(reader.two.post(`/forum/post/${postID}/bookmark`), 200)
  assert.deepEqual([await listed(reader.two, 'bookmarks'), await listed(owner.two, 'bookmarks')], [[postID], []])
  assert.equal((await body(owner.two.get(`/forum/${forumID}`))).posts[0].isBookmarked, false)
  // A reaction leaves the bookmark alone, and the other way round.
  await body(reader.one.post(`/forum/post/${postID}/like`))
  await body(reader.one.post(`/forum/post/${postID}/unreact`))
  assert.deepEqual(await listed(reader.two, 'bookmarks'), [postID])
  const other = (await startForum(owner.one, 'Bookmarked too')).postID
  await body(reader.one.post(`/forum/post/${other}/bookmark`), 201)
  for (let i = 0; i < 2; i++) await body(reader.one.delete(`/forum/post/${postID}/bookmark`), 204)
  await body(reader.one.post(`/forum/post/${postID}/bookmark/remove`), 204)
  assert.deepEqual(await listed(reader.two, 'bookmarks'), [other])
})

test('POST /forum/:forum_id/report and /forum/post/:post_id/report: once per person; every third one hides what is normal', async () => {
  const owner = (await people(nodes, {}))[0] as Person
  const reporters = await people(nodes, ...Array.from({ length: 9 }, () => ({})))
  const second = (await people(nodes, { subAccountOf: reporters[0] as Person }))[0] as Person
  for (const table of ['forum', 'forum_post'] as const) {
    const { forumID, postID } = await startForum(owner.one, 'Reports')
    const id = table === 'forum' ? forumID : postID
    const report = (person: Person) =>
      person.one.post(table === 'forum' ? `/forum/${id}/report` : `/forum/post/${id}/report`, { message: '' })
    for (const [index, state] of ['normal', 'normal', 'autoQuarantined'].entries()) {
      await body(report(reporters[index] as Person), 201)
      assert.equal(await stateOf(table, id), state)
    }
    await refused(report(reporters[0] as Person), 409)
    await refused(report(second), 409)
    await setState(nodes, table, id, 'normal')
    await body(report(reporters[3] as Person), 201)
    assert.equal(await stateOf(table, id), 'normal')
    await Promise.all([4, 5].map((index) => body(report(reporters[index] as Person), 201)))
    assert.equal(await stateOf(table, id), 'autoQuarantined')
    await setState(nodes, table, id, 'modReviewed')
    for (const index of [6, 7, 8]) await body(report(reporters[index] as Person), 201)
    assert.equal(await stateOf(table, id), 'modReviewed')
    await refused((reporters[0] as Person).one.post(table === 'forum' ? `/forum/${id}/report` : `/forum/post/${id}/report`, {}), 400)
  }
  await refused(owner.one.post(`/forum/${randomUUID()}/report`, { message: 'x' }), 400)
})

test('GET /forum/post/search: words, tags, names, authors, places; newest first', async () => {
  const [owner, other, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const [word, tag] = [ownWord(), `Tag${ownWord()}`]
  const category = await newCategory(nodes)
  const [here, there] = [(await startForum(owner.one, 'Here', { category })).forumID, (await startForum(owner.one, 'There')).forumID]
  const a = await postIn(owner.one, here, `running with ${word}, #${tag}! @${other.username}.`)
  const b = await postIn(other.one, here, `he runs ${word} #${tag}2020 x@${other.username}`)
  const c = await postIn(other.one, there, `walks ${word} (#${tag}) @${other.username}s #${tag.toUpperCase()}`)
  assert.deepEqual(await found(owner.two, `search=${word}`), [c, b, a])
  assert.deepEqual(await found(owner.two, `search=run%20${word}`), [b, a])
  assert.deepEqual(await found(owner.two, `search=${word}%20-walk`), [b, a])
  for (const hashtag of [tag, `%23${tag}`, `%23${tag.toLowerCase()}`])
    assert.deepEqual(await found(owner.two, `hashtag=${hashtag}`), [c, a])
  for (const name of [
    `mentionname=${other.username}`,
    `mentionname=@${other.username.toUpperCase()}`,
    `mentionid=${other.id}`,
    `mentionid=${other.id}&mentionname=nobody`,
    `mentionid=x&mentionname=${other.username}`,
    `mentionid=${randomUUID()}&mentionname=${other.username}`,
  ]) {
    assert.deepEqual(await found(owner.two, name), [b, a], name)
  }
  assert.deepEqual(await found(other.two, 'mentionself=true'), [b, a])
  assert.deepEqual(await listed(other.two, 'mentions'), [b, a])
  assert.deepEqual(await found(other.two, `byself=true&search=${word}`), [c, b])
  assert.deepEqual(await listed(other.two, `posts?limit=1&start=1`), [b])
  assert.deepEqual(await found(owner.two, `category=${category}&search=${word}`), [b, a])
  assert.deepEqual(await found(owner.two, `forum=${there}&search=${word}`), [c])
  // A category wins over a forum.
  assert.deepEqual(await found(owner.two, `category=${category}&forum=${there}&search=${word}`), [b, a])
  assert.deepEqual(await found(moderator.two, `creatorid=${owner.id}&search=${word}`), [a])
  assert.deepEqual(await found(moderator.two, `creatorid=${randomUUID()}&search=${word}`), [c, b, a])
  await refused(owner.two.get(`/forum/post/search?creatorid=${owner.id}`), 403)
  await refused(owner.two.get('/forum/post/search?category=x'), 400)
  assert.deepEqual(await listed(owner.two, `post/search/${word}?limit=2`), [c, b])
  assert.deepEqual(await listed(owner.two, `post/hashtag/%23${tag}`), [c, a])
  await refused(owner.two.get(`/forum/post/hashtag/${tag}`), 400)
  assert.deepEqual(await listed(owner.two, `${here}/search/${word}`), [b, a])
  await refused(owner.two.get(`/forum/${randomUUID()}/search/${word}`), 400)
  const { posts, ...rest } = await body(owner.two.get(`/forum/post/search?search=${word}&start=1&limit=1`))
  assert.deepEqual(
    [posts.length, rest],
    [1, { queryString: `search=${word}&start=1&limit=1`, paginator: { total: 3, start: 1, limit: 1 }, totalPosts: 3, start: 1, limit: 1 }],
  )
  // An edit is found by what it says now.
  await body(owner.one.post(`/forum/post/${a}`, { text: 'nothing', images: [] }))
  assert.deepEqual(
    [await found(owner.two, `search=${word}`), await found(owner.two, `hashtag=${tag}`), await found(owner.two, `mentionid=${other.id}`)],
    [[c, b], [c], [b]],
  )
})

test('every list of posts: blocks, mutes and categories before counting, mutewords after; nobody finds what is under review', async () => {
  const [viewer, foe, bore, writer, moderator] = (await people(nodes, {}, {}, {}, {}, { level: 'moderator' })) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const word = ownWord()
  const { forumID } = await startForum(writer.one, 'All')
  for (const [person, text] of [
    [foe, 'x'],
    [bore, 'x'],
  ] as const)
    await postIn(person.one, forumID, `${word} ${text}`)
  await startForum(moderator.one, 'Secret', { category: categories.moderatorsOnly, text: word })
  const [muted, plain, review] = [
    await postIn(writer.one, forumID, `${word} spoilers`),
    await postIn(writer.one, forumID, word),
    await postIn(writer.one, forumID, `${word} #${word} @${viewer.username}`),
  ]
  await block(foe, viewer)
  await mute(viewer, bore)
  await body(viewer.one.post('/user/mutewords/add/spoiler'))
  const page = await body(viewer.two.get(`/forum/post/search?search=${word}`))
  assert.deepEqual([page.posts.map(({ postID }: { postID: number }) => postID), page.paginator.total], [[review, plain], 3])
  await setState(nodes, 'forum_post', review, 'autoQuarantined')
  for (const query of [`search=${word}`, `hashtag=${word}`, 'mentionself=true'])
    assert.ok(!(await found(viewer.two, query)).includes(review), query)
  assert.equal((await found(moderator.two, `search=${word}`)).length, 6)
  assert.match((await body(viewer.two.get(`/forum/post/search?forum=${forumID}`))).posts[0].text, /moderator review/)
  assert.ok(!(await found(viewer.two, `forum=${forumID}`)).includes(muted))
})

test('every list of posts: one statement a page, and one more for accounts not seen before', async () => {
  const [owner, reader] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID } = await startForum(owner.one, 'Costs')
  await fillForum(nodes, forumID, owner.id, 30)
  await body(reader.two.get('/notification/user'))
  await body(reader.two.get(`/forum/${forumID}`))
  for (const path of [`post/search?forum=${forumID}`, 'post/search/post', 'bookmarks', 'likes', 'mentions', 'posts', 'post/hashtag/%23x']) {
    assert.equal(await countStatements(nodes.apps[1] as App, () => body(reader.two.get(`/forum/${path}`))), 1, path)
  }
})

test('GET /forum/post/search: counts everything in a place without hidden authors, and of what has a word a thousand beyond the page', async () => {
  const [owner, bore, reader] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const { forumID } = await startForum(owner.one, 'Much')
  await fillForum(nodes, forumID, owner.id, 1300)
  await fillForum(nodes, forumID, bore.id, 20)
  const total = async (query: string) => (await body(reader.one.get(`/forum/post/search?forum=${forumID}&${query}`))).paginator.total
  assert.equal(await total('limit=5'), 1321)
  assert.equal(await total('limit=5&start=1400'), 1321)
  await mute(reader, bore)
  assert.equal(await total('limit=5'), 1301)
  assert.equal(await total('limit=5&search=post'), 1005)
  assert.equal(await total('limit=5&start=200&search=post'), 1205)
  assert.equal(await total('limit=5&start=295&search=post'), 1300)
  assert.equal(await total('limit=5&start=5000&search=post'), 1300)
})

test('lists of many posts are read from indexes', async () => {
  const owner = (await people(nodes, {}))[0] as Person
  const { forumID } = await startForum(owner.one, 'Many')
  await fillForum(nodes, forumID, owner.id, 200)
  for (let i = 0; i < 8; i++) await fillForum(nodes, (await startForum(owner.one, 'Others')).forumID, owner.id, 800)
  await nodes.sql`vacuum analyze forum_post`
  const plan = async (query: string) => (await nodes.sql.unsafe(`explain ${query}`)).map((row) => Object.values(row)[0]).join('\n')
  for (const [query, index] of [
    [
      `select id from forum_post where forum_id = '${forumID}' and deleted_at is null and author_id <> all ('{}'::uuid[]) order by id limit 50 offset 100`,
      'forum_post_page',
    ],
    ['select id from forum_post where deleted_at is null order by id desc limit 50', 'forum_post_(newest|pkey)'],
    ["select id from forum_post where deleted_at is null and search @@ websearch_to_tsquery('english', '799')", 'forum_post_search'],
    ["select id from forum_post where deleted_at is null and hashtags @> '{#x}'", 'forum_post_hashtags'],
    ["select id from forum_post where deleted_at is null and mentions @> '{x}'", 'forum_post_mentions'],
  ] as const)
    assert.match(await plan(query), new RegExp(index), query)
})

test('GET /forum/post/search: nothing of forums that the caller may not open, and it is not counted', async () => {
  const [creator, writer, reader] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const { forumID } = await startForum(creator.one, 'A blocked start')
  const category = await newCategory(nodes)
  const other = await startForum(writer.one, 'Elsewhere', { category, text: 'gannetwords here' })
  const inBlocked = await postIn(writer.one, forumID, 'gannetwords there')
  const found = async (query: string) => {
    const { totalPosts, posts } = await body(reader.one.get(`/forum/post/search?${query}`))
    return [totalPosts, posts.map(({ postID }: { postID: number }) => postID)]
  }
  assert.deepEqual(await found('search=gannetwords'), [2, [inBlocked, other.postID]])
  await block(creator, reader)
  await refused(reader.one.get(`/forum/${forumID}`), 400)
  assert.deepEqual(await found('search=gannetwords'), [1, [other.postID]])
  // Those of the team's categories are there whoever has started them.
  await nodes.sql`update forum_category set create_level = 'moderator' where id = (select category_id from forum where id = ${forumID})`
  assert.equal((await body(reader.one.get(`/forum/${forumID}`))).forumID, forumID)
  assert.deepEqual(await found('search=gannetwords'), [2, [inBlocked, other.postID]])
  await nodes.sql`update forum_category set create_level = 'verified' where id = (select category_id from forum where id = ${forumID})`
})
