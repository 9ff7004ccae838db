// /mod/forum, /mod/forumpost, /mod/category: forums as moderators see, judge and sort them. Two nodes on one database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { categories, content, newCategory, postIn, startForum } from '../support/forum.ts'

let nodes: TestNodes
let moderator: Person
let user: Person
let other: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[moderator, user, other] = (await people(nodes, { level: 'moderator' }, {}, {})) as [Person, Person, Person]
})
after(() => nodes.stop())

const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
type Kind = 'forum' | 'forumpost' | 'forumPost'
const look = (kind: Kind, id: string | number, client: Client = moderator.two) => body(client.get(`/mod/${kind}/${id}`))
const setState = (kind: Kind, id: string | number, word: string, client: Client = moderator.one): Promise<Answer> =>
  client.post(`/mod/${kind}/${id}/setstate/${word}`)
const judge = async (kind: Kind, id: string | number, word: string, client?: Client) =>
  assert.equal(await body(setState(kind, id, word, client)), undefined)
const move = (client: Client, forumID: string, categoryID: string): Promise<Answer> =>
  client.post(`/mod/forum/${forumID}/setcategory/${categoryID}`)
const logOf = async (id: string | number): Promise<string[]> =>
  (await nodes.sql`select action_type from moderator_action where content_id = ${String(id)} order by created_at`).map(
    ({ actionType }) => actionType,
  )
const auditOf = async (id: string | number) =>
  await nodes.sql`select action, actor_id, user_id, details from audit where subject_id = ${String(id)} order by id`
const postsOf = async (client: Client, forumID: string) => (await body(client.get(`/forum/${forumID}?start=0`))).posts
const review = /moderator review/
const statuses = { normal: 'normal', quarantined: 'quarantined', reviewed: 'modReviewed', locked: 'locked' }
const actions: Record<string, string> = { normal: 'unlock', quarantined: 'quarantine', reviewed: 'markReviewed', locked: 'lock' }

describe('setstate', () => {
  it('sets any state from any other, and logs it each time', async () => {
    const { forumID, postID } = await startForum(user.one, 'States')
    const words = Object.keys(statuses) as (keyof typeof statuses)[]
    for (const [kind, id] of [
      ['forum', forumID],
      ['forumpost', postID],
      ['forumPost', await postIn(user.one, forumID, 'second')],
    ] as const) {
      const sequence = words.flatMap((a) => words.flatMap((b) => [a, b]))
      for (const [index, word] of sequence.entries()) {
        await judge(kind, id, word, moderator.clients[index % 2])
        assert.equal((await look(kind, id)).moderationStatus, statuses[word])
      }
      assert.deepEqual(
        await logOf(id),
        sequence.map((word) => actions[word]),
      )
      assert.deepEqual(
        (await auditOf(id)).map(({ action, userId, details }) => [action, userId, details.to]),
        sequence.map((word) => ['setState', user.id, statuses[word]]),
      )
      await judge(kind, id, 'normal')
    }
  })

  it('refuses other words, unknown and deleted items, and callers below moderator', async () => {
    const [client] = (await people(nodes, { level: 'client' })) as [Person]
    const { forumID, postID } = await startForum(user.one, 'Refused')
    const gonePost = await postIn(user.one, forumID, 'gone')
    await body(user.two.delete(`/forum/post/${gonePost}`), 204)
    const gone = await startForum(user.one, 'Gone')
    await body(moderator.one.delete(`/forum/${gone.forumID}`), 204)
    for (const [kind, id] of [
      ['forum', forumID],
      ['forumpost', postID],
      ['forumPost', postID],
    ] as const) {
      for (const word of ['Normal', 'LOCKED', 'modReviewed', 'autoQuarantined', 'nonsense', '%00'])
        await refused(setState(kind, id, word), 400)
      for (const [caller, status] of [
        [nodes.client(), 401],
        [user.one, 403],
        [client.two, 403],
      ] as const) {
        await refused(setState(kind, id, 'locked', caller), status)
        await refused(caller.get(`/mod/${kind}/${id}`), status)
      }
      assert.equal((await look(kind, id)).moderationStatus, 'normal')
      assert.deepEqual(await logOf(id), [])
    }
    for (const [kind, id] of [
      ['forum', gone.forumID],
      ['forum', nobody],
      ['forum', 'x'],
      ['forumpost', gonePost],
      ['forumpost', gone.postID],
      ['forumpost', 2_000_000_000],
      ['forumpost', 'x'],
      ['forumPost', -1],
      ['forumpost', '99999999999'],
    ] as const) {
      await refused(setState(kind, id, 'locked'), 400)
    }
    const unknown = [
      ['forum', nobody],
      ['forum', 'x'],
      ['forumpost', 2_000_000_000],
      ['forumPost', 'x'],
      ['forumpost', '99999999999'],
    ] as const
    for (const [kind, id] of unknown) await refused(moderator.one.get(`/mod/${kind}/${id}`), 400)
  })
})

describe('/mod/forum/:forum_id', () => {
  it('shows the real title, edits oldest first with the category only where it changed, reports newest first; deleted or not', async () => {
    const { forumID } = await startForum(user.one, 'First')
    await body(user.two.post(`/forum/${forumID}/rename/Second`), 201)
    await body(move(moderator.one, forumID, categories.activities))
    await body(moderator.two.post(`/forum/${forumID}/rename/Third`), 201)
    for (const [person, message] of [
      [other, 'one'],
      [moderator, 'two'],
    ] as const)
      await body(person.two.post(`/forum/${forumID}/report`, { message }), 201)
    await judge('forum', forumID, 'quarantined')
    const seen = await look('forum', forumID.toUpperCase())
    const { edits, reports, createdAt, acts: _acts, version: _version, ...rest } = seen
    assert.deepEqual(rest, {
      forumID,
      categoryID: categories.activities,
      creator: { userID: user.id, username: user.username },
      title: 'Third',
      isDeleted: false,
      moderationStatus: 'quarantined',
    })
    assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    assert.deepEqual(
      edits.map(({ forumID: id, author, title, categoryID }: Record<string, string> & { author: { userID: string } }) => [
        id,
        author.userID,
        title,
        categoryID,
      ]),
      [
        [forumID, user.id, 'First', undefined],
        [forumID, moderator.id, 'Second', categories.general],
        [forumID, moderator.id, 'Second', undefined],
      ],
    )
    assert.deepEqual(
      reports.map(({ submitterMessage }: { submitterMessage: string }) => submitterMessage),
      ['two', 'one'],
    )
    await body(moderator.one.delete(`/forum/${forumID}`), 204)
    const deleted = await look('forum', forumID)
    assert.deepEqual([deleted.title, deleted.isDeleted, deleted.reports.length, deleted.edits.length], ['Third', true, 2, 3])
  })

  it('a hidden forum has another title for everybody, and is closed for those below moderator', async () => {
    const { forumID, postID } = await startForum(user.one, 'Rude title')
    await judge('forum', forumID, 'quarantined', moderator.two)
    for (const { clients } of [user, other, moderator]) {
      for (const client of clients) {
        const { title, posts, isLocked } = await body(client.get(`/forum/${forumID}?start=0`))
        assert.match(title, review)
        assert.deepEqual([posts[0].text, isLocked], ['first', false])
        const { forumThreads } = await body(client.get(`/forum/categories/${categories.general}`))
        assert.match(forumThreads.find((forum: { forumID: string }) => forum.forumID === forumID).title, review)
      }
    }
    await refused(user.two.post(`/forum/${forumID}/create`, content('x')), 403)
    await refused(user.one.post(`/forum/${forumID}/rename/Better`), 403)
    await refused(user.one.delete(`/forum/post/${postID}`), 403)
    await postIn(moderator.one, forumID, 'by a moderator')
    await judge('forum', forumID, 'reviewed')
    assert.equal((await body(other.one.get(`/forum/${forumID}`))).title, 'Rude title')
    await body(user.two.post(`/forum/${forumID}/rename/Better`), 201)
    assert.equal((await look('forum', forumID)).moderationStatus, 'normal')
  })

  it('a locked forum keeps its title and says that it is locked', async () => {
    const { forumID } = await startForum(user.one, 'Locked')
    await judge('forum', forumID, 'locked')
    const { title, isLocked } = await body(other.two.get(`/forum/${forumID}`))
    assert.deepEqual([title, isLocked], ['Locked', true])
    await refused(other.one.post(`/forum/${forumID}/create`, content('x')), 403)
    await judge('forum', forumID, 'normal')
    await postIn(other.one, forumID, 'open again')
  })
})

describe('/mod/forumpost/:post_id', () => {
  it('shows text and images, edits oldest first and reports; who reacted is left out; deleted or not', async () => {
    const { forumID } = await startForum(user.one, 'Posts')
    const postID = await postIn(user.one, forumID, 'rude')
    await body(other.one.post(`/forum/post/${postID}/love`))
    await body(moderator.one.post(`/forum/post/${postID}/love`))
    await body(moderator.one.post(`/forum/post/${postID}/bookmark`), 201)
    await body(user.two.post(`/forum/post/${postID}/update`, content('ruder')))
    await body(moderator.one.post(`/forum/post/${postID}/update`, content('rudest')))
    await body(other.one.post(`/forum/post/${postID}/report`, { message: 'look' }), 201)
    await judge('forumpost', postID, 'quarantined')
    const { forumPost, edits, reports, acts: _acts, version: _version, ...rest } = await look('forumPost', postID)
    const { createdAt: _at, ...post } = forumPost
    assert.deepEqual(post, {
      postID,
      forumID,
      author: { userID: user.id, username: user.username },
      text: 'rudest',
      images: [],
      isBookmarked: false,
      laughs: [],
      likes: [],
      loves: [],
    })
    assert.deepEqual(rest, { isDeleted: false, moderationStatus: 'quarantined' })
    assert.deepEqual(
      edits.map((edit: Record<string, unknown> & { author: { userID: string } }) => [
        edit['postID'],
        edit.author.userID,
        edit['text'],
        edit['images'],
      ]),
      [
        [postID, user.id, 'rude', []],
        [postID, moderator.id, 'ruder', []],
      ],
    )
    assert.deepEqual(
      reports.map(({ submitterMessage }: { submitterMessage: string }) => submitterMessage),
      ['look'],
    )
    await body(moderator.two.delete(`/forum/post/${postID}`), 204)
    const deleted = await look('forumpost', postID)
    assert.deepEqual([deleted.forumPost.text, deleted.isDeleted, deleted.reports.length, deleted.edits.length], ['rudest', true, 1, 2])
  })

  it('a hidden post is masked for all but moderators by its number; its author cannot change it, others still react', async () => {
    const { forumID, postID } = await startForum(user.one, 'Masked', { text: 'rude words' })
    await judge('forumpost', postID, 'quarantined', moderator.two)
    for (const person of [user, other, moderator]) {
      for (const client of person.clients) {
        const [post] = await postsOf(client, forumID)
        assert.match(post.text, review)
        assert.ok(!('images' in post))
        // One that a moderator asks for is one to judge.
        assert.match((await body(client.get(`/forum/post/${postID}`))).text, person === moderator ? /^rude words$/ : review)
      }
    }
    for (const client of user.clients) {
      await refused(client.post(`/forum/post/${postID}/update`, content('better')), 403)
      await refused(client.delete(`/forum/post/${postID}`), 403)
    }
    assert.match((await body(other.one.post(`/forum/post/${postID}/like`))).text, review)
    await judge('forumpost', postID, 'locked')
    assert.equal((await postsOf(other.two, forumID))[0].text, 'rude words')
    await refused(user.two.post(`/forum/post/${postID}/update`, content('better')), 403)
    await judge('forumpost', postID, 'reviewed')
    await body(user.two.post(`/forum/post/${postID}/update`, content('better')))
    assert.equal((await look('forumpost', postID)).moderationStatus, 'normal')
  })
})

describe('POST /mod/forum/:forum_id/setcategory/:category_id', () => {
  const counts = async (client: Client): Promise<Map<string, number>> =>
    new Map(
      (await body(client.get('/forum/categories'))).map(({ categoryID, numThreads }: { categoryID: string; numThreads: number }) => [
        categoryID,
        numThreads,
      ]),
    )

  it('moves the forum, counts it in its new category, and logs it', async () => {
    const [from, to] = [await newCategory(nodes), await newCategory(nodes)]
    const { forumID } = await startForum(user.one, 'Moved', { category: from })
    await startForum(user.one, 'Stays', { category: from })
    assert.equal(await body(move(moderator.two, forumID, to.toUpperCase())), undefined)
    const now = await counts(user.one)
    assert.deepEqual([now.get(from), now.get(to)], [1, 1])
    assert.equal((await body(user.two.get(`/forum/${forumID}`))).categoryID, to)
    assert.deepEqual(
      (await body(user.two.get(`/forum/categories/${to}`))).forumThreads.map(({ title }: { title: string }) => title),
      ['Moved'],
    )
    assert.deepEqual(await logOf(forumID), ['move'])
    assert.deepEqual(
      (await auditOf(forumID)).map((row) => ({ ...row })),
      [{ action: 'move', actorId: moderator.id, userId: user.id, details: { from, to } }],
    )
  })

  it('from then on the new category says who sees the forum', async () => {
    const { forumID, postID } = await startForum(user.one, 'In flames')
    await body(move(moderator.one, forumID, categories.dumpsterFire))
    for (const client of user.clients) {
      await refused(client.get(`/forum/${forumID}`), 400)
      await refused(client.get(`/forum/post/${postID}`), 400)
      await refused(client.post(`/forum/${forumID}/create`, content('x')), 400)
    }
    await body(moderator.two.get(`/forum/${forumID}`))
    await body(move(moderator.one, forumID, categories.general))
    await body(user.one.get(`/forum/${forumID}`))
  })

  it("one's own forum leaves no entry in the action log, but one in the audit trail", async () => {
    const { forumID } = await startForum(moderator.one, 'My own')
    await body(move(moderator.one, forumID, categories.activities))
    assert.deepEqual([await logOf(forumID), (await auditOf(forumID)).length], [[], 1])
  })

  it('refuses the same category, unknown ones and those that the caller does not see, deleted forums, and users', async () => {
    const { forumID } = await startForum(user.one, 'Where it is')
    const gone = await startForum(user.one, 'Gone')
    await body(moderator.one.delete(`/forum/${gone.forumID}`), 204)
    const secret = await newCategory(nodes, { viewLevel: 'tho' })
    for (const [forum, category] of [
      [forumID, categories.general],
      [forumID, nobody],
      [forumID, 'x'],
      [forumID, secret],
      [nobody, categories.food],
      ['x', categories.food],
      [gone.forumID, categories.food],
    ] as const) {
      await refused(move(moderator.one, forum, category), 400)
    }
    for (const [caller, status] of [
      [nodes.client(), 401],
      [user.one, 403],
    ] as const)
      await refused(move(caller, forumID, categories.food), status)
    assert.deepEqual((await look('forum', forumID)).edits, [])
  })

  it('what lies in a category that a moderator does not see is not there for him', async () => {
    const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
    const secret = await newCategory(nodes, { viewLevel: 'tho', createLevel: 'tho' })
    const { forumID, postID } = await startForum(tho.one, 'Secret', { category: secret })
    for (const [kind, id] of [
      ['forum', forumID],
      ['forumpost', postID],
    ] as const) {
      await refused(moderator.one.get(`/mod/${kind}/${id}`), 400)
      await refused(setState(kind, id, 'locked'), 400)
      await look(kind, id, tho.two)
    }
    await refused(move(moderator.one, forumID, categories.general), 400)
  })

  it('by several moderators at once: it is in one place, and counted there', async () => {
    const places = await Promise.all(Array.from({ length: 4 }, () => newCategory(nodes)))
    const forums = await Promise.all(
      Array.from({ length: 4 }, (_, index) => startForum(user.one, `Contested ${index}`, { category: places[index] as string })),
    )
    const answers = await Promise.all(
      forums.flatMap(({ forumID }) => places.map((place, index) => move(moderator.clients[index % 2] as Client, forumID, place))),
    )
    assert.ok(
      answers.every(({ status }) => status === 200 || status === 400),
      JSON.stringify(answers.map(({ status }) => status)),
    )
    const now = await counts(user.two)
    const found = await Promise.all(forums.map(async ({ forumID }) => (await look('forum', forumID)).categoryID))
    assert.deepEqual(
      places.map((place) => now.get(place)),
      places.map((place) => found.filter((id) => id === place).length),
    )
  })
})

describe('POST /mod/category/create', () => {
  let made = 0
  const create = (more: object = {}, client = moderator.one): Promise<Answer> =>
    client.post('/mod/category/create', { title: `A new category ${++made}`, purpose: 'For this', ...more })

  it('makes an open category, that users see and start forums in', async () => {
    const { categoryID, ...rest } = await body(create({ title: 'Knitting' }), 201)
    assert.deepEqual(rest, {
      title: 'Knitting',
      purpose: 'For this',
      isRestricted: false,
      isEventCategory: false,
      paginator: { total: 0, start: 0, limit: 50 },
      numThreads: 0,
    })
    for (const client of user.clients) await startForum(client, 'Wool', { category: categoryID })
    const [unverified] = (await people(nodes, { level: 'unverified' })) as [Person]
    assert.equal((await body(unverified.two.get(`/forum/categories/${categoryID}`))).forumThreads.length, 2)
    assert.deepEqual(
      (await auditOf(categoryID)).map(({ action, actorId, userId }) => [action, actorId, userId]),
      [['create', moderator.id, null]],
    )
  })

  it('restricted, for events, for a role, from a level on', async () => {
    const [shutternaut, tho] = (await people(nodes, { roles: ['shutternaut'] }, { level: 'tho' })) as [Person, Person]
    const restricted = await body(create({ isRestricted: true, isEventCategory: true, purpose: '' }), 201)
    assert.deepEqual([restricted.isRestricted, restricted.isEventCategory, restricted.purpose], [false, true, ''])
    assert.equal((await body(user.two.get(`/forum/categories/${restricted.categoryID}`))).isRestricted, true)
    await refused(user.one.post(`/forum/categories/${restricted.categoryID}/create`, { title: 'Mine', firstPost: content('x') }), 403)
    await startForum(moderator.two, 'News', { category: restricted.categoryID })

    const forRole = await body(create({ requiredRole: 'Shutternaut' }), 201)
    await refused(user.one.get(`/forum/categories/${forRole.categoryID}`), 400)
    await startForum(shutternaut.two, 'Lenses', { category: forRole.categoryID })

    const forTho = await body(create({ isRestricted: true, accessLevelToView: 'THO', accessLevelToCreate: 'admin' }, tho.one), 201)
    assert.equal(forTho.isRestricted, true)
    await refused(moderator.one.get(`/forum/categories/${forTho.categoryID}`), 400)
    await body(tho.two.get(`/forum/categories/${forTho.categoryID}`))
  })

  it("refuses titles that are taken, too short or too long, and levels above one's own, with the field", async () => {
    await body(create({ title: 'Only once' }), 201)
    const attempts = await Promise.all(Array.from({ length: 4 }, (_, index) => create({ title: 'At once' }, moderator.clients[index % 2])))
    assert.deepEqual(attempts.map(({ status }) => status).toSorted(), [201, 400, 400, 400])
    const wrong = { title: ['General', 'Only once', 'x', 'x'.repeat(101)], purpose: ['x'.repeat(501)], accessLevelToView: ['tho', 'admin'] }
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) assert.deepEqual(Object.keys((await body(create({ [field]: value }), 400)).fieldErrors), [field])
    }
    for (const wrongShape of [
      { title: 1 },
      { purpose: null },
      { isRestricted: 'x' },
      { requiredRole: 'king' },
      { accessLevelToCreate: 'king' },
    ])
      await refused(create(wrongShape), 400)
    await refused(moderator.one.post('/mod/category/create'), 422)
    for (const [caller, status] of [
      [nodes.client(), 401],
      [user.one, 403],
    ] as const)
      await refused(create({}, caller), status)
  })
})
