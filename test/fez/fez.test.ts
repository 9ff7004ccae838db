// Group chats over HTTP: every endpoint under /fez but the lists and the socket. Writes go to one
// node and reads to the other wherever both must agree.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { fezKind } from '../../src/fez/channel.ts'
import { userKind } from '../../src/users/channel.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { storedImage } from '../support/images.ts'
import {
  block,
  body,
  createChat,
  createSeamail,
  lfg,
  moderate,
  mute,
  names,
  people,
  refused,
  say,
  settingsChanged,
  publishConfirmed,
  unblock,
  type Person,
} from '../support/fez.ts'
import { hold } from '../support/locks.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const someone = async (): Promise<Person> => (await people(nodes, {}))[0] as Person
const headerOf = ({ id, username }: Person) => ({ userID: id, username })
const keys = (value: object) => Object.keys(value).sort()
const fezKeys = [
  'cancelled',
  'fezID',
  'fezType',
  'info',
  'lastModificationTime',
  'maxParticipants',
  'minParticipants',
  'owner',
  'participantCount',
  'title',
  'visibility',
]
const withKeys = (...more: string[]) => [...fezKeys, ...more].sort()
const memberKeys = ['isFavorite', 'isMuted', 'participants', 'postCount', 'readCount', 'waitingList']
const edits = (fezID: string) =>
  nodes.sql<
    { title: string; info: string; location: string; editorId: string }[]
  >`select title, info, location, editor_id from fez_edit where fez_id = ${fezID} order by created_at`
const actions = (contentID: string) => nodes.sql<{ actionType: string; contentType: string; moderatorId: string; targetUserId: string }[]>`
  select action_type, content_type, moderator_id, target_user_id from moderator_action where content_id = ${contentID} order by created_at`

// Creating

test('POST /fez/create: 201 with the chat, its members and no posts', async () => {
  const [anna, bert] = (await people(nodes, { displayName: 'Anna A.' }, {})) as [Person, Person]
  const { status, body: fez } = await anna.one.post(
    '/fez/create',
    lfg({
      title: 'Ganz schön',
      info: 'Skat 🃏',
      location: 'Deck 5',
      minCapacity: 2,
      maxCapacity: 4,
      initialUsers: [bert.id.toUpperCase()],
    }),
  )
  assert.equal(status, 201)
  assert.deepEqual(keys(fez), withKeys('location', 'members'))
  assert.deepEqual(keys(fez.members), [...memberKeys, 'posts'].sort())
  const { fezID, lastModificationTime, ...rest } = fez
  assert.match(fezID, /^[0-9a-f-]{36}$/)
  assert.match(lastModificationTime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const annaHeader = { ...headerOf(anna), displayName: 'Anna A.' }
  assert.deepEqual(rest, {
    owner: annaHeader,
    fezType: 'gaming',
    title: 'Ganz schön',
    info: 'Skat 🃏',
    location: 'Deck 5',
    participantCount: 2,
    minParticipants: 2,
    maxParticipants: 4,
    cancelled: false,
    visibility: 'public',
    members: {
      participants: [annaHeader, headerOf(bert)],
      waitingList: [],
      postCount: 0,
      readCount: 0,
      posts: [],
      isMuted: false,
      isFavorite: false,
    },
  })
  const seen = await body(bert.two.get(`/fez/${fezID}`))
  assert.deepEqual(names(seen.members.participants), [anna.username, bert.username])
})

test('POST /fez/create: members are the owner, then initialUsers in order, without doubles, unknown ids and blocks', async () => {
  const [anna, bert, carl, dora, emil] = (await people(nodes, {}, {}, {}, {}, {})) as [Person, Person, Person, Person, Person]
  await block(anna, dora)
  await block(emil, anna, 1)
  const fez = await body(
    anna.one.post('/fez/create', lfg({ initialUsers: [carl.id, bert.id, carl.id, dora.id, anna.id, randomUUID(), emil.id] })),
    201,
  )
  assert.deepEqual(names(fez.members.participants), [anna.username, carl.username, bert.username])
  assert.equal(fez.participantCount, 3)
})

test('POST /fez/create: those beyond the capacity wait, in order', async () => {
  const [anna, bert, carl] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fez = await body(anna.one.post('/fez/create', lfg({ maxCapacity: 1, initialUsers: [carl.id, bert.id] })), 201)
  assert.deepEqual([names(fez.members.participants), names(fez.members.waitingList)], [[anna.username], [carl.username, bert.username]])
})

test('POST /fez/create: every type is accepted; private threads have no place, times and capacity', async () => {
  const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
  for (const fezType of ['activity', 'dining', 'gaming', 'meetup', 'music', 'other', 'shore', 'open', 'closed']) {
    const fez = await body(anna.one.post('/fez/create', lfg({ fezType, initialUsers: [bert.id] })), 201)
    assert.equal(fez.fezType, fezType)
  }
  const seamail = await body(anna.one.post('/fez/create', lfg({ fezType: 'closed', info: '', location: '', initialUsers: [bert.id] })), 201)
  assert.deepEqual(keys(seamail), withKeys('members'))
  assert.equal(seamail.info, '')
})

test('POST /fez/create: a private thread needs two users after filtering', async () => {
  const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
  await block(bert, anna)
  for (const initialUsers of [[], [anna.id], [bert.id], [randomUUID()]])
    await refused(anna.one.post('/fez/create', lfg({ fezType: 'closed', initialUsers })), 400)
  await body(anna.one.post('/fez/create', lfg({ fezType: 'open', initialUsers: [] })), 201)
})

test('POST /fez/create: all broken rules at once, by field', async () => {
  const anna = await someone()
  const bad = {
    title: 'x',
    info: 'y',
    location: 'zz',
    minCapacity: -1,
    maxCapacity: -2,
    startTime: '2026-01-05T12:00:00Z',
    endTime: '2026-01-05T11:00:00Z',
  }
  const answer = await body(anna.one.post('/fez/create', lfg(bad)), 400)
  assert.deepEqual(keys(answer.fieldErrors), ['endTime', 'info', 'location', 'maxCapacity', 'minCapacity', 'title'])
  for (const text of Object.values<string>(answer.fieldErrors)) assert.ok(answer.reason.includes(text))
  const tooLong = await body(
    anna.one.post(
      '/fez/create',
      lfg({ title: 'x'.repeat(101), info: 'y'.repeat(2049), startTime: '2026-01-05T12:00:00Z', endTime: '2026-01-06T12:00:00.001Z' }),
    ),
    400,
  )
  assert.deepEqual(keys(tooLong.fieldErrors), ['endTime', 'info', 'title'])
})

test('POST /fez/create: the limits themselves are allowed, counted in characters as people see them', async () => {
  const anna = await someone()
  const family = '👨‍👩‍👧‍👦'
  const fez = await body(
    anna.one.post(
      '/fez/create',
      lfg({
        title: family.repeat(100),
        info: 'é'.repeat(2048),
        location: 'abc',
        startTime: '2026-01-05T12:00:00Z',
        endTime: '2026-01-06T12:00:00Z',
      }),
    ),
    201,
  )
  assert.equal(fez.title, family.repeat(100))
  await body(anna.one.post('/fez/create', lfg({ title: 'ab', info: 'cd', location: '' })), 201)
  await refused(anna.one.post('/fez/create', lfg({ title: family })), 400)
})

test('POST /fez/create: title of a private thread is checked, its info and location are not', async () => {
  const [anna, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const answer = await body(
    anna.one.post('/fez/create', lfg({ fezType: 'closed', title: '', info: '', location: 'x', initialUsers: [bert.id] })),
    400,
  )
  assert.deepEqual(keys(answer.fieldErrors), ['title'])
})

test('POST /fez/create: wrong shapes are 400 without fieldErrors', async () => {
  const anna = await someone()
  const { minCapacity: _, ...incomplete } = lfg()
  for (const content of [
    incomplete,
    lfg({ fezType: 'party' }),
    lfg({ title: 7 }),
    lfg({ initialUsers: ['x'] }),
    lfg({ startTime: 'tomorrow' }),
    lfg({ maxCapacity: 1.5 }),
    '{',
    [],
  ]) {
    const answer = await body(anna.one.post('/fez/create', content), 400)
    assert.equal(answer.fieldErrors, undefined, JSON.stringify(content))
  }
  await refused(anna.one.post('/fez/create'), 422)
})

test('POST /fez/create: start or end alone, epoch seconds, and nothing at all (TBD) are accepted', async () => {
  const anna = await someone()
  const start = await body(anna.one.post('/fez/create', lfg({ startTime: 1_767_614_400 })), 201)
  assert.equal(start.startTime, '2026-01-05T12:00:00.000Z')
  assert.deepEqual(keys(start), withKeys('members', 'startTime', 'timeZone', 'timeZoneID'))
  const end = await body(anna.one.post('/fez/create', lfg({ endTime: '2026-01-05T07:00:00-05:00' })), 201)
  assert.equal(end.endTime, '2026-01-05T12:00:00.000Z')
  assert.deepEqual(keys(end), withKeys('members', 'endTime'))
})

test('POST /fez/create: unverified, quarantined and temporarily quarantined users get 403, banned ones and strangers 401', async () => {
  const soon = new Date(Date.now() + 60_000)
  const [unverified, quarantined, temporarily, moderator, banned, free] = (await people(
    nodes,
    { level: 'unverified' },
    { level: 'quarantined' },
    { tempQuarantineUntil: soon },
    { level: 'moderator', tempQuarantineUntil: soon },
    { level: 'banned' },
    { tempQuarantineUntil: new Date(Date.now() - 1000) },
  )) as Person[]
  for (const person of [unverified, quarantined, temporarily, moderator])
    await refused((person as Person).one.post('/fez/create', lfg()), 403)
  await refused((banned as Person).one.post('/fez/create', lfg()), 401)
  await refused(nodes.client().post('/fez/create', lfg()), 401)
  await body((free as Person).one.post('/fez/create', lfg()), 201)
  // Broken rules of content come before the temporary quarantine.
  assert.ok((await body((temporarily as Person).one.post('/fez/create', lfg({ title: '' })), 400)).fieldErrors)
})

test('POST /fez/create: for the shared accounts, by level', async () => {
  const [plain, moderator, team, other] = (await people(nodes, {}, { level: 'moderator' }, { level: 'serviceteam' }, {})) as [
    Person,
    Person,
    Person,
    Person,
  ]
  await refused(plain.one.post('/fez/create', lfg({ createdByModerator: true })), 400)
  await refused(moderator.one.post('/fez/create', lfg({ createdByServiceTeam: true })), 400)
  await body(plain.one.post('/fez/create', lfg({ createdByModerator: false })), 201)
  const closed = { fezType: 'closed', info: '' }
  const asModerator = await body(
    moderator.one.post('/fez/create', lfg({ ...closed, createdByModerator: true, initialUsers: [moderator.id, other.id] })),
    201,
  )
  assert.equal(asModerator.owner.username, 'moderator')
  assert.deepEqual(names(asModerator.members.participants), ['moderator', other.username])
  const asTeam = await body(
    team.one.post('/fez/create', lfg({ ...closed, createdByModerator: true, createdByServiceTeam: true, initialUsers: [other.id] })),
    201,
  )
  assert.equal(asTeam.owner.username, 'ServiceTeam')
  await refused(moderator.one.post('/fez/create', lfg({ ...closed, createdByModerator: true, initialUsers: [moderator.id] })), 400)
})

// Hidden and missing

test('every endpoint of one chat: unknown, deleted and hidden by a block answer alike with 400', async () => {
  const [owner, viewer, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const deleted = await createChat(owner.one)
  await body(moderator.one.post(`/fez/${deleted}/delete`), 204)
  const blocking = await createChat(owner.one)
  const memberOfBlocking = await body(viewer.one.post(`/fez/${blocking}/join`), 201)
  assert.ok(memberOfBlocking.members)
  await block(viewer, owner)
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['POST', '/update', lfg()],
    ['POST', '/cancel'],
    ['POST', '/report', { message: '' }],
    ['POST', '/join'],
    ['POST', '/delete'],
    ['DELETE', ''],
    ['POST', `/user/${viewer.id}/add`],
    ['POST', `/user/${viewer.id}/remove`],
    ['POST', '/mute'],
    ['DELETE', '/mute'],
    ['POST', '/mute/remove'],
    ['POST', '/post', { text: 'x', images: [] }],
    ['POST', '/post/1/delete'],
  ]
  for (const [method, path, content] of calls) {
    const reasons = new Set<string>()
    for (const fezID of [randomUUID(), deleted, blocking])
      reasons.add(await refused(viewer.two.request(method, `/fez/${fezID}${path}`, { body: content }), 400))
    assert.equal(reasons.size, 1, `${method} ${path}: ${[...reasons].join(' | ')}`)
    await refused(viewer.one.request(method, `/fez/nonsense${path}`, { body: content }), 400)
  }
})

test('POST /fez/post/:postID/delete and report: unknown, deleted and hidden posts answer alike', async () => {
  const [owner, viewer, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const deletedChat = await createChat(owner.one)
  const inDeleted = await say(owner.one, deletedChat, 'x')
  await body(moderator.one.post(`/fez/${deletedChat}/delete`), 204)
  const blocking = await createChat(owner.one)
  const inBlocking = await say(owner.one, blocking, 'x')
  const gone = await say(owner.one, blocking, 'y')
  await body(owner.one.delete(`/fez/post/${gone}`), 204)
  const seamail = await createSeamail(owner.one, [moderator])
  const inSeamail = await say(owner.one, seamail, 'z')
  await block(viewer, owner)
  const ids = [2_000_000_000, inDeleted, inBlocking, gone, inSeamail]
  const reasons = new Set<string>()
  for (const id of ids) {
    reasons.add(await refused(viewer.one.post(`/fez/post/${id}/delete`), 400))
    reasons.add(await refused(viewer.one.delete(`/fez/post/${id}`), 400))
    reasons.add(await refused(viewer.one.post(`/fez/post/${id}/report`, { message: '' }), 400))
  }
  assert.equal(reasons.size, 1, [...reasons].join(' | '))
})

test('GET /fez/:fezID: blocks hide the chat from all accounts of both persons, in both directions, but not from moderators', async () => {
  const [owner, other, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const [ownersSecond, othersSecond] = (await people(nodes, { subAccountOf: owner }, { subAccountOf: other })) as [Person, Person]
  const fezID = await createChat(ownersSecond.one)
  await body(othersSecond.two.get(`/fez/${fezID}`))
  await block(owner, other)
  await refused(other.one.get(`/fez/${fezID}`), 400)
  await refused(othersSecond.two.get(`/fez/${fezID}`), 400)
  await unblock(owner, other, 1)
  await body(othersSecond.two.get(`/fez/${fezID}`))
  await block(other, ownersSecond, 1)
  await refused(othersSecond.one.get(`/fez/${fezID}`), 400)
  await block(moderator, owner)
  await body(moderator.two.get(`/fez/${fezID}`))
})

// Seeing

test('GET /fez/:fezID: members are for members and moderators; outsiders of a private thread get 400', async () => {
  const [owner, member, outsider, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [member.id] })
  await say(owner.one, fezID, 'one')
  const outside = await body(outsider.two.get(`/fez/${fezID}`))
  assert.deepEqual(keys(outside), withKeys())
  const inside = await body(member.two.get(`/fez/${fezID}`))
  assert.deepEqual(keys(inside.members), [...memberKeys, 'paginator', 'posts'].sort())
  assert.deepEqual(keys(inside.members.posts[0]), ['author', 'postID', 'text', 'timestamp'])
  const watched = await body(moderator.two.get(`/fez/${fezID}`))
  assert.deepEqual([watched.members.postCount, watched.members.readCount, watched.members.isMuted], [1, 1, false])
  const seamail = await createSeamail(owner.one, [member])
  await refused(outsider.one.get(`/fez/${seamail}`), 400)
  await refused(moderator.one.get(`/fez/${seamail}`), 400)
  const open = await createChat(owner.one, { fezType: 'open', initialUsers: [member.id] })
  assert.ok((await body(moderator.one.get(`/fez/${open}`))).members)
  await refused(outsider.one.get(`/fez/${open}`), 400)
})

test('GET /fez/:fezID: members in a block are masked, keep their place and still count', async () => {
  const [owner, bert, carl, dora] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { maxCapacity: 2, initialUsers: [bert.id, carl.id, dora.id] })
  await block(carl, bert)
  await block(dora, carl)
  const mask = {
    userID: '00000000-0000-4000-8000-0000000000ff',
    username: 'BlockedUser',
    displayName: 'BlockedUser',
    userImage: '',
    preferredPronoun: '',
  }
  const seen = await body(carl.two.get(`/fez/${fezID}`))
  assert.deepEqual(seen.members.participants, [headerOf(owner), mask])
  assert.deepEqual(seen.members.waitingList, [headerOf(carl), mask])
  assert.equal(seen.participantCount, 4)
  const byBert = await body(bert.two.get(`/fez/${fezID}`))
  assert.deepEqual(byBert.members.waitingList, [mask, headerOf(dora)])
})

test('GET /fez/:fezID: posts of authors in blocks or mutes are left out, also for moderators who mute', async () => {
  const [owner, bert, carl, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id, carl.id] })
  const posts = [
    await say(owner.one, fezID, '1'),
    await say(bert.two, fezID, '2'),
    await say(carl.one, fezID, '3'),
    await say(bert.one, fezID, '4'),
  ]
  const ids = async (who: Person) => {
    const { members } = await body(who.two.get(`/fez/${fezID}`))
    assert.equal(members.postCount, members.posts.length)
    assert.equal(members.paginator.total, members.posts.length)
    return members.posts.map((post: { postID: number }) => post.postID)
  }
  await mute(carl, bert)
  assert.deepEqual(await ids(carl), [posts[0], posts[2]])
  assert.deepEqual(await ids(bert), posts)
  await block(carl, owner) // hides the chat of this owner
  await refused(carl.two.get(`/fez/${fezID}`), 400)
  await unblock(carl, owner)
  await block(bert, carl, 1)
  assert.deepEqual(await ids(bert), [posts[0], posts[1], posts[3]])
  await block(moderator, carl)
  assert.deepEqual(await ids(moderator), posts)
  await mute(moderator, bert)
  assert.deepEqual(await ids(moderator), [posts[0], posts[2]])
})

test('GET /fez/:fezID: pages of posts, the read position before the call, and where the next page starts', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  const posts: number[] = []
  for (let i = 0; i < 12; i++) posts.push(await say(owner.one, fezID, `post ${i}`))
  const page = async (query: string, expected: { start: number; limit: number; from: number; to: number; readCount: number }) => {
    const { members } = await body(bert.two.get(`/fez/${fezID}${query}`))
    assert.deepEqual(members.paginator, { total: 12, start: expected.start, limit: expected.limit }, query)
    assert.deepEqual(
      members.posts.map((post: { postID: number }) => post.postID),
      posts.slice(expected.from, expected.to),
      query,
    )
    assert.equal(members.readCount, expected.readCount, query)
  }
  await page('?limit=0&peek=true', { start: 0, limit: 1, from: 0, to: 1, readCount: 0 })
  await page('?limit=5', { start: 0, limit: 5, from: 0, to: 5, readCount: 0 })
  await page('?limit=5', { start: 0, limit: 5, from: 0, to: 5, readCount: 5 })
  await page('?limit=5&start=5', { start: 5, limit: 5, from: 5, to: 10, readCount: 5 })
  await page('?limit=5', { start: 5, limit: 5, from: 5, to: 10, readCount: 10 })
  await page('?limit=3&start=1', { start: 1, limit: 3, from: 1, to: 4, readCount: 10 })
  await page('?start=99&limit=-7', { start: 12, limit: 1, from: 12, to: 12, readCount: 10 })
  // The page began at the end: all before it counts as read.
  await page('?start=-4&limit=1000', { start: 0, limit: 200, from: 0, to: 12, readCount: 12 })
  await page('?start=x&limit=y', { start: 0, limit: 50, from: 0, to: 12, readCount: 12 })
  // Read by its writer as it was written.
  assert.equal((await body(owner.two.get(`/fez/${fezID}?limit=1&peek=true`))).members.readCount, 12)
})

test('GET /fez/:fezID: a page that was made before a post came is nobody else’s afterwards', async () => {
  const [owner, bert, carl] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.two, { initialUsers: [bert.id, carl.id] })
  await say(owner.two, fezID, 'first')
  await body(carl.two.get(`/fez/${fezID}?peek=true`))
  // It waits to be marked as read.
  const lock = await hold(nodes.database.url, `select from fez_member where fez_id = '${fezID}' and account_id = '${bert.id}' for update`)
  const early = body(bert.two.get(`/fez/${fezID}`))
  await lock.awaited()
  await say(owner.two, fezID, 'second')
  await lock.release()
  assert.equal((await early).members.postCount, 1)
  for (const query of ['?peek=true', '']) assert.equal((await body(carl.two.get(`/fez/${fezID}${query}`))).members.postCount, 2, query)
})

test('GET /fez/:fezID: a quarantined chat hides its texts from everybody, and its owner cannot change it', async () => {
  const [owner, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const fezID = await createChat(owner.one, { location: 'Deck 5' })
  for (const status of ['quarantined', 'autoQuarantined']) {
    await moderate(nodes, fezID, status)
    for (const who of [owner, moderator]) {
      const fez = await body(who.two.get(`/fez/${fezID}`))
      for (const text of [fez.title, fez.info, fez.location]) assert.match(text, /review/)
    }
    await refused(owner.one.post(`/fez/${fezID}/update`, lfg()), 403)
    await say(owner.one, fezID, 'still open for posts')
  }
  await moderate(nodes, fezID, 'locked')
  await refused(owner.one.post(`/fez/${fezID}/update`, lfg()), 403)
  await refused(owner.one.post(`/fez/${fezID}/post`, { text: 'x', images: [] }), 400)
  await refused(moderator.one.post(`/fez/${fezID}/post`, { text: 'x', images: [] }), 400)
  assert.equal((await body(owner.one.get(`/fez/${fezID}`))).title, 'Cards')
  await body(moderator.one.post(`/fez/${fezID}/update`, lfg({ title: 'Calmer' })))
  await moderate(nodes, fezID, 'modReviewed')
  await body(owner.one.post(`/fez/${fezID}/update`, lfg({ title: 'Again mine' })))
  const [row] = await nodes.sql<{ moderationStatus: string }[]>`select moderation_status from fez where id = ${fezID}`
  assert.equal(row?.moderationStatus, 'normal')
})

test('GET /fez/:fezID: a quarantined post hides its text from everybody until it is back to normal', async () => {
  const [owner, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const fezID = await createChat(owner.one)
  const postID = await say(owner.one, fezID, 'rude')
  for (const [status, shown] of [
    ['quarantined', false],
    ['normal', true],
    ['autoQuarantined', false],
    ['modReviewed', true],
    ['locked', true],
  ] as const) {
    await nodes.sql`update fez_post set moderation_status = ${status}::moderation_status, image = 'x.jpg' where id = ${postID}`
    await moderate(nodes, fezID, 'normal')
    for (const client of [...owner.clients, ...moderator.clients]) {
      const [post] = (await body(client.get(`/fez/${fezID}?start=0`))).members.posts
      assert.deepEqual([post.text === 'rude', /review/.test(post.text)], [shown, !shown], status)
      if (!shown) assert.equal(post.image, undefined)
    }
  }
})

// Membership

test('POST /fez/:fezID/join: 201 with the members, on both nodes alike; 400 for who is in already', async () => {
  const [owner, bert, carl] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { maxCapacity: 2 })
  const joined = await body(bert.two.post(`/fez/${fezID}/join`), 201)
  assert.deepEqual(keys(joined), withKeys('members'))
  assert.deepEqual(keys(joined.members), memberKeys)
  assert.equal(joined.participantCount, 2)
  await refused(bert.one.post(`/fez/${fezID}/join`), 400)
  const waiting = await body(carl.one.post(`/fez/${fezID}/join`), 201)
  assert.deepEqual(
    [names(waiting.members.participants), names(waiting.members.waitingList)],
    [[owner.username, bert.username], [carl.username]],
  )
  assert.deepEqual((await body(owner.two.get(`/fez/${fezID}`))).members.waitingList, [headerOf(carl)])
})

test('POST /fez/:fezID/join: not for private threads; for unverified users and cancelled groups too', async () => {
  const [owner, bert, unverified] = (await people(nodes, {}, {}, { level: 'unverified' })) as [Person, Person, Person]
  await refused(bert.one.post(`/fez/${await createChat(owner.one, { fezType: 'open' })}/join`), 400)
  await refused(bert.one.post(`/fez/${await createSeamail(owner.one, [unverified])}/join`), 400)
  const fezID = await createChat(owner.one)
  await body(owner.one.post(`/fez/${fezID}/cancel`))
  await body(unverified.two.post(`/fez/${fezID}/join`), 201)
})

test('POST /fez/:fezID/unjoin: 200 without members; the first in the waiting list moves up on both nodes', async () => {
  const [owner, bert, carl, dora] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { maxCapacity: 2, initialUsers: [bert.id, carl.id, dora.id] })
  const left = await body(bert.two.post(`/fez/${fezID}/unjoin`))
  assert.deepEqual(keys(left), withKeys())
  assert.equal(left.participantCount, 3)
  for (const client of owner.clients) {
    const { members } = await body(client.get(`/fez/${fezID}`))
    assert.deepEqual([names(members.participants), names(members.waitingList)], [[owner.username, carl.username], [dora.username]])
  }
  // Back again: behind the others, with nothing read.
  await say(owner.one, fezID, 'x')
  const back = await body(bert.one.post(`/fez/${fezID}/join`), 201)
  assert.deepEqual(names(back.members.waitingList), [dora.username, bert.username])
  assert.deepEqual([back.members.postCount, back.members.readCount], [1, 0])
})

test('POST /fez/:fezID/join: back again, the chat is not muted any more', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  await body(bert.one.post(`/fez/${fezID}/mute`), 201)
  await body(bert.one.post(`/fez/${fezID}/unjoin`))
  assert.equal((await body(bert.one.post(`/fez/${fezID}/join`), 201)).members.isMuted, false)
  const line = await bert.two.socket('/notification/socket')
  await say(owner.one, fezID, 'hello again')
  await line.until(({ info }) => /hello again/.test(info), 'notice of a post')
  for (const client of bert.clients) {
    assert.equal((await body(client.get(`/fez/${fezID}?limit=1&peek=true`))).members.isMuted, false)
    assert.equal((await body(client.get('/fez/joined'))).fezzes[0].members.isMuted, false)
    assert.equal((await body(client.get('/notification/user'))).newFezMessageCount, 1)
  }
})

test('POST /fez/:fezID/unjoin: outsiders change nothing; private threads and outside moderators 400; the owner may go', async () => {
  const [owner, outsider, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const fezID = await createChat(owner.one)
  const before = await body(owner.one.get(`/fez/${fezID}`))
  await body(outsider.one.post(`/fez/${fezID}/unjoin`))
  assert.equal((await body(owner.one.get(`/fez/${fezID}`))).lastModificationTime, before.lastModificationTime)
  assert.equal((await edits(fezID)).length, 0)
  await refused(moderator.one.post(`/fez/${fezID}/unjoin`), 400)
  await refused(owner.one.post(`/fez/${await createSeamail(owner.one, [outsider])}/unjoin`), 400)
  await body(moderator.two.post(`/fez/${fezID}/join`), 201)
  assert.ok((await body(moderator.one.post(`/fez/${fezID}/unjoin`))).members)
  await body(owner.one.post(`/fez/${fezID}/unjoin`))
  const gone = await body(owner.two.get(`/fez/${fezID}`))
  assert.equal(gone.members, undefined)
  assert.deepEqual(gone.owner, headerOf(owner))
  assert.ok(!(await body(owner.two.get('/fez/owner'))).fezzes.some((fez: { fezID: string }) => fez.fezID === fezID))
})

test('POST /fez/:fezID/user/:userID/add and remove: by the owner, seen on both nodes', async () => {
  const [owner, bert, carl] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  for (const fezType of ['gaming', 'open']) {
    const fezID = await createChat(owner.one, { fezType })
    const added = await body(owner.two.post(`/fez/${fezID}/user/${bert.id.toUpperCase()}/add`))
    assert.deepEqual(keys(added.members), memberKeys)
    assert.deepEqual(names(added.members.participants), [owner.username, bert.username])
    assert.ok((await body(bert.one.get(`/fez/${fezID}`))).members)
    await refused(owner.one.post(`/fez/${fezID}/user/${bert.id}/add`), 400)
    const removed = await body(owner.one.post(`/fez/${fezID}/user/${bert.id}/remove`))
    assert.deepEqual(names(removed.members.participants), [owner.username])
    if (fezType === 'open') await refused(bert.two.get(`/fez/${fezID}`), 400)
    else assert.equal((await body(bert.two.get(`/fez/${fezID}`))).members, undefined)
    await refused(owner.one.post(`/fez/${fezID}/user/${bert.id}/remove`), 400)
    // Only the owner, whoever asks; strangers do not learn of an open seamail.
    await refused(bert.one.post(`/fez/${fezID}/user/${carl.id}/add`), fezType === 'open' ? 400 : 403)
    await body(owner.one.post(`/fez/${fezID}/user/${bert.id}/add`))
    await refused(bert.one.post(`/fez/${fezID}/user/${owner.id}/remove`), 403)
  }
})

test('POST /fez/:fezID/user/:userID/add and remove: refusals', async () => {
  const [owner, bert, moderator, foe, fan] = (await people(nodes, {}, {}, { level: 'moderator' }, {}, {})) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const fezID = await createChat(owner.one)
  const seamail = await createSeamail(owner.one, [bert])
  await refused(owner.one.post(`/fez/${seamail}/user/${fan.id}/add`), 403)
  await refused(owner.one.post(`/fez/${seamail}/user/${bert.id}/remove`), 403)
  await refused(owner.one.post(`/fez/${fezID}/user/${randomUUID()}/add`), 400)
  await refused(moderator.one.post(`/fez/${fezID}/user/${bert.id}/add`), 403)
  await refused(owner.one.post(`/fez/${fezID}/user/${owner.id}/remove`), 403)
  await refused(owner.one.post(`/fez/${fezID}/user/${fan.id}/remove`), 400)
  await refused(owner.one.post(`/fez/${fezID}/user/nonsense/add`), 400)
  await block(owner, foe)
  await block(fan, owner, 1)
  await refused(owner.one.post(`/fez/${fezID}/user/${foe.id}/add`), 400)
  await refused(owner.two.post(`/fez/${fezID}/user/${fan.id}/add`), 400)
})

// Changing

test('POST /fez/:fezID/update: replaces everything, brings a cancelled group back, keeps the old texts', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { location: 'Deck 5', maxCapacity: 3, initialUsers: [bert.id] })
  await body(owner.one.post(`/fez/${fezID}/cancel`))
  const updated = await body(
    owner.two.post(
      `/fez/${fezID}/update`,
      lfg({
        fezType: 'shore',
        title: 'Beach',
        info: 'Sand',
        minCapacity: 1,
        maxCapacity: 9,
        startTime: '2026-01-05T12:00:00Z',
        initialUsers: [randomUUID()],
      }),
    ),
  )
  assert.deepEqual(keys(updated), withKeys('members', 'startTime', 'timeZone', 'timeZoneID'))
  assert.deepEqual(keys(updated.members), memberKeys)
  assert.deepEqual(
    [updated.fezType, updated.title, updated.info, updated.minParticipants, updated.maxParticipants, updated.cancelled],
    ['shore', 'Beach', 'Sand', 1, 9, false],
  )
  assert.deepEqual(names(updated.members.participants), [owner.username, bert.username])
  assert.deepEqual({ ...(await body(bert.one.get(`/fez/${fezID}`))), members: undefined }, { ...updated, members: undefined })
  // A change of capacity alone is no edit of texts.
  await body(owner.one.post(`/fez/${fezID}/update`, lfg({ fezType: 'shore', title: 'Beach', info: 'Sand' })))
  assert.deepEqual(
    (await edits(fezID)).map((row) => ({ ...row })),
    [{ title: 'Cards', info: 'Some cards', location: 'Deck 5', editorId: owner.id }],
  )
  // A change of any of the texts is one.
  const beach = { fezType: 'shore', title: 'Beach', info: 'Sand' }
  for (const change of [{ title: 'Bay' }, { title: 'Bay', info: 'Shells' }, { title: 'Bay', info: 'Shells', location: 'Pier' }])
    await body(owner.one.post(`/fez/${fezID}/update`, lfg({ ...beach, ...change })))
  assert.deepEqual(
    (await edits(fezID)).map(({ title, info }) => [title, info]),
    [
      ['Cards', 'Some cards'],
      ['Beach', 'Sand'],
      ['Bay', 'Sand'],
      ['Bay', 'Shells'],
    ],
  )
  assert.equal((await actions(fezID)).length, 0)
})

test('POST /fez/:fezID/update: capacity moves the boundary of the waiting list', async () => {
  const [owner, bert, carl] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { maxCapacity: 3, initialUsers: [bert.id, carl.id] })
  const everyone = [owner, bert, carl].map(({ username }) => username)
  for (const [maxCapacity, taking] of [
    [1, 1],
    [2, 2],
    [0, 3],
    [5, 3],
  ] as const) {
    await body(owner.one.post(`/fez/${fezID}/update`, lfg({ maxCapacity })))
    for (const client of carl.clients) {
      const { members } = await body(client.get(`/fez/${fezID}`))
      assert.deepEqual(
        [names(members.participants), names(members.waitingList)],
        [everyone.slice(0, taking), everyone.slice(taking)],
        `capacity ${maxCapacity}`,
      )
    }
  }
})

test('POST /fez/:fezID/update: types change only among LFG types; of a private thread only the title', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one)
  for (const fezType of ['closed', 'open', 'privateEvent', 'personalEvent'])
    await refused(owner.one.post(`/fez/${fezID}/update`, lfg({ fezType })), 403)
  const seamail = await createSeamail(owner.one, [bert])
  const content = { fezType: 'closed', info: '' }
  await refused(owner.one.post(`/fez/${seamail}/update`, lfg({ ...content, fezType: 'open' })), 403)
  await refused(owner.one.post(`/fez/${seamail}/update`, lfg({ ...content, fezType: 'gaming', info: 'xx' })), 403)
  for (const more of [{ info: 'other' }, { location: 'here' }, { startTime: '2026-01-05T12:00:00Z' }])
    await refused(owner.one.post(`/fez/${seamail}/update`, lfg({ ...content, ...more })), 400)
  assert.equal((await body(owner.one.post(`/fez/${seamail}/update`, lfg({ ...content, title: 'Renamed' })))).title, 'Renamed')
  assert.equal((await body(bert.two.get(`/fez/${seamail}`))).title, 'Renamed')
})

test('POST /fez/:fezID/update: others 403, moderators may and are logged; validation as at creation', async () => {
  const soon = new Date(Date.now() + 60_000)
  const [owner, bert, moderator, busy] = (await people(
    nodes,
    {},
    {},
    { level: 'moderator' },
    { level: 'moderator', tempQuarantineUntil: soon },
  )) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  await refused(bert.one.post(`/fez/${fezID}/update`, lfg()), 403)
  await refused(busy.one.post(`/fez/${fezID}/update`, lfg()), 403)
  const updated = await body(moderator.one.post(`/fez/${fezID}/update`, lfg({ title: 'Milder' })))
  assert.deepEqual(updated.owner, headerOf(owner))
  assert.ok(updated.members)
  assert.deepEqual(
    (await actions(fezID)).map((row) => ({ ...row })),
    [{ actionType: 'edit', contentType: 'fez', moderatorId: moderator.id, targetUserId: owner.id }],
  )
  assert.equal((await edits(fezID))[0]?.editorId, moderator.id)
  assert.deepEqual(keys((await body(owner.one.post(`/fez/${fezID}/update`, lfg({ title: '', info: '' })), 400)).fieldErrors), [
    'info',
    'title',
  ])
  await nodes.sql`update account set level = 'quarantined', rev = rev + 1 where id = ${owner.id}`
  const [account] =
    await nodes.sql`select id, person_id, username, level, display_name, user_image, preferred_pronoun, rev from account where id = ${owner.id}`
  await publishConfirmed(nodes, owner.id, { type: 'changed', account: { ...account } })
  await refused(owner.one.post(`/fez/${fezID}/update`, lfg()), 403)
  await refused(owner.two.post(`/fez/${fezID}/update`, lfg()), 403)
})

test('POST /fez/:fezID/cancel: by the owner alone; it stays readable and postable', async () => {
  const [owner, bert, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  await refused(bert.one.post(`/fez/${fezID}/cancel`), 403)
  await refused(moderator.one.post(`/fez/${fezID}/cancel`), 403)
  const cancelled = await body(owner.two.post(`/fez/${fezID}/cancel`))
  assert.equal(cancelled.cancelled, true)
  assert.deepEqual(keys(cancelled.members), memberKeys)
  assert.equal((await body(bert.one.get(`/fez/${fezID}`))).cancelled, true)
  await say(bert.one, fezID, 'a pity')
  assert.equal((await body(bert.two.get('/fez/joined'))).fezzes[0].cancelled, true)
  assert.equal((await edits(fezID)).length, 0)
})

for (const [method, suffix] of [
  ['POST', '/delete'],
  ['DELETE', ''],
] as const) {
  test(`${method} /fez/:fezID${suffix}: moderators only; afterwards the chat is gone for all`, async () => {
    const [owner, bert, moderator, busy] = (await people(
      nodes,
      {},
      {},
      { level: 'moderator' },
      { level: 'moderator', tempQuarantineUntil: new Date(Date.now() + 60_000) },
    )) as [Person, Person, Person, Person]
    const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
    const postID = await say(owner.one, fezID, 'x')
    for (const who of [owner, bert, busy]) await refused(who.one.request(method, `/fez/${fezID}${suffix}`), 403)
    const answer = await moderator.two.request(method, `/fez/${fezID}${suffix}`)
    assert.deepEqual([answer.status, answer.body], [204, undefined])
    for (const client of [...owner.clients, ...moderator.clients]) await refused(client.get(`/fez/${fezID}`), 400)
    for (const client of bert.clients) {
      assert.deepEqual((await body(client.get('/fez/joined'))).fezzes, [])
      const { newFezMessageCount, addedToLFGCount } = await body(client.get('/notification/user'))
      assert.deepEqual([newFezMessageCount, addedToLFGCount], [0, 0])
    }
    assert.deepEqual(
      (await actions(fezID)).map(({ actionType, contentType }) => [actionType, contentType]),
      [['delete', 'fez']],
    )
    const [row] = await nodes.sql<{ posts: number; members: number }[]>`
      select (select count(*)::int from fez_post where id = ${postID}) as posts, (select count(*)::int from fez_member where fez_id = ${fezID} and left_at is null) as members`
    assert.deepEqual({ ...row }, { posts: 1, members: 0 })
  })
}

test('POST /fez/:fezID/report: 201, once per person; not for private threads', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const [second, unverified] = (await people(nodes, { subAccountOf: bert }, { level: 'unverified' })) as [Person, Person]
  const fezID = await createChat(owner.one)
  const answer = await bert.one.post(`/fez/${fezID}/report`, { message: 'x'.repeat(20_000) })
  assert.deepEqual([answer.status, answer.body], [201, undefined])
  await refused(bert.two.post(`/fez/${fezID}/report`, { message: 'again' }), 409)
  await refused(second.two.post(`/fez/${fezID}/report`, { message: 'again' }), 409)
  await body(unverified.one.post(`/fez/${fezID}/report`, { message: '' }), 201)
  await refused(bert.one.post(`/fez/${fezID}/report`, {}), 400)
  const rows = await nodes.sql<
    { type: string; authorId: string; reportedUserId: string }[]
  >`select type, author_id, reported_user_id from report where reported_id = ${fezID} order by created_at`
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { type: 'fez', authorId: bert.id, reportedUserId: owner.id },
      { type: 'fez', authorId: unverified.id, reportedUserId: owner.id },
    ],
  )
  await refused(bert.one.post(`/fez/${await createSeamail(owner.one, [bert])}/report`, { message: '' }), 403)
  const open = await createChat(owner.one, { fezType: 'open', initialUsers: [bert.id] })
  await refused(bert.one.post(`/fez/${open}/report`, { message: '' }), 403)
})

// Muting

test('POST and DELETE /fez/:fezID/mute, POST /fez/:fezID/mute/remove: statuses, no bodies, both nodes', async () => {
  const [owner, bert, outsider, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  const before = await body(bert.one.get(`/fez/${fezID}`))
  const statuses: unknown[] = []
  for (const [client, method, path] of [
    [bert.one, 'POST', '/mute'],
    [bert.two, 'POST', '/mute'],
    [bert.two, 'DELETE', '/mute'],
    [bert.one, 'DELETE', '/mute'],
    [bert.one, 'POST', '/mute'],
    [bert.two, 'POST', '/mute/remove'],
    [bert.one, 'POST', '/mute/remove'],
  ] as const) {
    const { status, body: nothing } = await client.request(method, `/fez/${fezID}${path}`)
    const seen = await Promise.all(
      bert.clients.map(async (each) => (await body(each.get(`/fez/${fezID}?limit=1&peek=true`))).members.isMuted),
    )
    statuses.push([status, nothing, ...seen])
  }
  assert.deepEqual(statuses, [
    [201, undefined, true, true],
    [200, undefined, true, true],
    [204, undefined, false, false],
    [200, undefined, false, false],
    [201, undefined, true, true],
    [204, undefined, false, false],
    [200, undefined, false, false],
  ])
  const later = await body(bert.one.get(`/fez/${fezID}`))
  assert.equal(later.lastModificationTime, before.lastModificationTime)
  for (const who of [outsider, moderator]) {
    await refused(who.one.post(`/fez/${fezID}/mute`), 403)
    await refused(who.one.delete(`/fez/${fezID}/mute`), 403)
  }
})

// Posting

test('POST /fez/:fezID/post: 201 with the chat and the fields of the post; readable on the other node', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  await say(owner.one, fezID, 'first')
  const { status, body: both } = await bert.two.post(`/fez/${fezID}/post`, { text: 'one\r\ntwo\rthree', images: [] })
  assert.equal(status, 201)
  assert.deepEqual(keys(both), withKeys('author', 'members', 'postID', 'text', 'timestamp'))
  assert.deepEqual(both.author, headerOf(bert))
  assert.equal(both.text, 'one\ntwo\nthree')
  // Having written counts as having read.
  assert.deepEqual([both.members.postCount, both.members.readCount], [2, 2])
  assert.equal(both.lastModificationTime, both.timestamp)
  const { members } = await body(bert.two.get(`/fez/${fezID}`))
  assert.deepEqual(members.posts[1], { postID: both.postID, author: headerOf(bert), text: 'one\ntwo\nthree', timestamp: both.timestamp })
})

test('POST /fez/:fezID/post: limits of text and lines, all failures at once', async () => {
  const owner = await someone()
  const fezID = await createChat(owner.one)
  await say(owner.one, fezID, 'x'.repeat(2047))
  await say(owner.one, fezID, Array(25).fill('x').join('\r\n'))
  assert.deepEqual(keys((await body(owner.one.post(`/fez/${fezID}/post`, { text: '', images: [] }), 400)).fieldErrors), ['text'])
  const answer = await body(
    owner.one.post(`/fez/${fezID}/post`, { text: 'x\n'.repeat(1500), images: Array.from({ length: 9 }, () => ({ filename: 'a.jpg' })) }),
    400,
  )
  assert.deepEqual(keys(answer.fieldErrors), ['images', 'text'])
  assert.match(answer.fieldErrors.text, / and /)
  assert.equal((await body(owner.one.post(`/fez/${fezID}/post`, { text: 'x' }), 400)).fieldErrors, undefined)
})

test('POST /fez/:fezID/post: refusals', async () => {
  const soon = new Date(Date.now() + 60_000)
  const [owner, bert, outsider, unverified, temporarily, moderator] = (await people(
    nodes,
    {},
    {},
    {},
    { level: 'unverified' },
    { tempQuarantineUntil: soon },
    { level: 'moderator' },
  )) as [Person, Person, Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id, unverified.id, temporarily.id] })
  const open = await createChat(owner.one, { fezType: 'open', initialUsers: [bert.id] })
  const seamail = await createSeamail(owner.one, [bert])
  const post = { text: 'x', images: [] as object[] }
  const image = { filename: storedImage(nodes) }
  for (const who of [outsider, unverified, temporarily]) await refused(who.one.post(`/fez/${fezID}/post`, post), 403)
  await refused(bert.one.post(`/fez/${fezID}/post`, { ...post, images: [image, image] }), 400)
  await refused(bert.one.post(`/fez/${seamail}/post`, { ...post, images: [image] }), 400)
  await refused(bert.one.post(`/fez/${open}/post`, { ...post, images: [image] }), 400)
  // The kind of chat is looked at before membership.
  await refused(outsider.one.post(`/fez/${fezID}/post`, { ...post, images: [image, image] }), 400)
  await refused(outsider.one.post(`/fez/${open}/post`, { ...post, images: [image] }), 400)
  await refused(moderator.one.post(`/fez/${seamail}/post`, post), 403)
  await say(moderator.one, fezID, 'as an outside moderator')
  await say(moderator.one, open, 'as an outside moderator')
  await refused(nodes.client().post(`/fez/${fezID}/post`, post), 401)
})

test('POST /fez/:fezID/post: as a shared account, by level; logged', async () => {
  const [owner, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [moderator.id] })
  const author = async (who: Person, more: object) => {
    const both = await body(who.one.post(`/fez/${fezID}/post`, { text: 'x', images: [], ...more }), 201)
    return [
      both.author.username,
      (await actions(String(both.postID))).map(({ actionType, contentType, moderatorId }) => [actionType, contentType, moderatorId]),
    ]
  }
  const logged = [['post', 'fezPost', moderator.id]]
  assert.deepEqual(await author(moderator, {}), [moderator.username, []])
  assert.deepEqual(await author(moderator, { postAsModerator: true }), ['moderator', logged])
  assert.deepEqual(await author(moderator, { postAsServiceTeam: true }), ['ServiceTeam', logged])
  assert.deepEqual(await author(moderator, { postAsServiceTeam: true, postAsModerator: true }), ['moderator', logged])
  assert.deepEqual(await author(owner, { postAsServiceTeam: true, postAsModerator: true }), [owner.username, []])
  const { members } = await body(moderator.two.get(`/fez/${fezID}?limit=1&peek=true`))
  assert.deepEqual([members.postCount, members.readCount], [5, 4])
})

test('POST /fez/:fezID/post: an Idempotency-Key makes it safe to repeat', async () => {
  const owner = await someone()
  const fezID = await createChat(owner.one)
  const headers = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(
    [0, 1, 0, 1].map((node) => owner.clients[node]?.post(`/fez/${fezID}/post`, { text: 'once', images: [] }, { headers })),
  )
  assert.deepEqual(new Set(answers.map((answer) => answer?.status)), new Set([201]))
  assert.equal(new Set(answers.map((answer) => answer?.body.postID)).size, 1)
  assert.equal((await body(owner.two.get(`/fez/${fezID}`))).members.postCount, 1)
})

test('POST /fez/:fezID/post/:postID/delete, POST /fez/post/:postID/delete, DELETE /fez/post/:postID: author or moderator; counters follow', async () => {
  const [owner, bert, carl, outsider, moderator] = (await people(nodes, {}, {}, {}, {}, { level: 'moderator' })) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id, carl.id] })
  const other = await createChat(bert.one)
  const posts = []
  for (let i = 0; i < 5; i++) posts.push(await say(bert.one, fezID, `${i}`))
  await body(carl.two.get(`/fez/${fezID}?limit=2`))
  await refused(carl.one.post(`/fez/post/${posts[0]}/delete`), 403)
  await refused(owner.one.delete(`/fez/post/${posts[0]}`), 403)
  await refused(carl.one.post(`/fez/${fezID}/post/${posts[0]}/delete`), 403)
  await refused(outsider.one.delete(`/fez/post/${posts[0]}`), 400)
  await refused(bert.one.post(`/fez/${other}/post/${posts[0]}/delete`), 400)
  const answer = await bert.two.post(`/fez/post/${posts[0]}/delete`)
  assert.deepEqual([answer.status, answer.body], [204, undefined])
  const counts = async () => {
    const { members } = await body(carl.one.get(`/fez/${fezID}?limit=1&peek=true`))
    return [members.postCount, members.readCount]
  }
  assert.deepEqual(await counts(), [4, 1])
  await body(moderator.one.delete(`/fez/post/${posts[4]}`), 204)
  assert.deepEqual(await counts(), [3, 1])
  const fez = await body(bert.one.post(`/fez/${fezID}/post/${posts[1]}/delete`))
  assert.deepEqual(keys(fez), withKeys('members'))
  assert.deepEqual([fez.members.postCount, fez.members.readCount], [2, 2])
  assert.deepEqual(await counts(), [2, 0])
  await refused(bert.one.delete(`/fez/post/${posts[1]}`), 400)
  assert.deepEqual(
    (await actions(String(posts[4]))).map(({ actionType, contentType, targetUserId }) => [actionType, contentType, targetUserId]),
    [['delete', 'fezPost', bert.id]],
  )
  assert.equal((await actions(String(posts[0]))).length, 0)
  // Who has left may still take back what he wrote.
  await body(bert.one.post(`/fez/${fezID}/unjoin`))
  await body(bert.two.delete(`/fez/post/${posts[2]}`), 204)
})

test('DELETE /fez/post/:postID: counted nowhere any more, by whoever wrote and looks', async () => {
  const [owner, bert, carl, hider] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id, carl.id, hider.id] })
  await mute(hider, carl)
  await say(owner.one, fezID, 'first')
  for (const reader of [bert, hider]) await body(reader.one.get(`/fez/${fezID}`))
  const gone = [await say(carl.one, fezID, 'wrong'), await say(owner.two, fezID, 'wrong as well')]
  for (const reader of [bert, hider]) assert.equal((await body(reader.two.get('/notification/user'))).newFezMessageCount, 1)
  await body(carl.two.delete(`/fez/post/${gone[0]}`), 204)
  await body(owner.one.delete(`/fez/post/${gone[1]}`), 204)

  const countsOf = async (client: Client) => {
    const [listed] = (await body(client.get('/fez/joined'))).fezzes
    const chats = [await body(client.get(`/fez/${fezID}?limit=1&peek=true`)), listed]
    const news = (await body(client.get('/fez/joined?onlynew=true'))).fezzes.length
    return [
      ...chats.map(({ members }) => [members.postCount, members.readCount]),
      news,
      (await body(client.get('/notification/user'))).newFezMessageCount,
    ]
  }
  const all = async () => Promise.all([bert, hider].flatMap(({ clients }) => clients.map(countsOf)))
  const right = [[1, 1], [1, 1], 0, 0]
  assert.deepEqual(await all(), [right, right, right, right])
  // The same from Postgres as from what the nodes have followed.
  for (const { node } of nodes.apps) {
    await node.channels.of(fezKind).peek(fezID)?.reload()
    for (const { id } of [bert, hider]) await node.channels.of(userKind).peek(id)?.reload()
  }
  assert.deepEqual(await all(), [right, right, right, right])
  const page = await body(bert.two.get(`/fez/${fezID}`))
  assert.deepEqual([page.members.paginator.total, page.members.posts.map(({ text }: { text: string }) => text)], [1, ['first']])
})

test('DELETE /fez/post/:postID: not while quarantined, nor when moderators have locked or hidden the post', async () => {
  const [owner, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  const fezID = await createChat(owner.one)
  for (const [status, allowed] of [
    ['normal', 204],
    ['modReviewed', 204],
    ['quarantined', 403],
    ['autoQuarantined', 403],
    ['locked', 403],
  ] as const) {
    const postID = await say(owner.one, fezID, status)
    await nodes.sql`update fez_post set moderation_status = ${status}::moderation_status where id = ${postID}`
    await body(owner.one.delete(`/fez/post/${postID}`), allowed)
    if (allowed === 403) await body(moderator.one.delete(`/fez/post/${postID}`), 204)
  }
  const postID = await say(owner.one, fezID, 'x')
  await nodes.sql`update account set temp_quarantine_until = now() + interval '1 minute' where id = ${owner.id}`
  await publishConfirmed(nodes, owner.id, { type: 'relationsChanged' })
  for (const client of owner.clients) await refused(client.delete(`/fez/post/${postID}`), 403)
})

test('POST /fez/post/:postID/report: 201, once per person; 400 in private threads', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const second = (await people(nodes, { subAccountOf: bert }))[0] as Person
  const postID = await say(owner.one, await createChat(owner.one, { initialUsers: [bert.id] }), 'x')
  await body(bert.one.post(`/fez/post/${postID}/report`, { message: 'rude' }), 201)
  await refused(second.two.post(`/fez/post/${postID}/report`, { message: 'rude' }), 409)
  const [row] = await nodes.sql<
    { type: string; authorId: string; reportedUserId: string; message: string }[]
  >`select type, author_id, reported_user_id, message from report where reported_id = ${String(postID)}`
  assert.deepEqual({ ...row }, { type: 'fezPost', authorId: bert.id, reportedUserId: owner.id, message: 'rude' })
  await refused(
    bert.one.post(`/fez/post/${await say(owner.one, await createSeamail(owner.one, [bert]), 'x')}/report`, { message: '' }),
    400,
  )
})

// Shared inboxes

test('shared inboxes: teams see, post in and read the chats of their account; leaving is refused', async () => {
  const [plain, moderator, team] = (await people(nodes, {}, { level: 'moderator' }, { level: 'serviceteam' })) as [Person, Person, Person]
  const fezID = await createChat(plain.one, { fezType: 'closed', info: '', initialUsers: [builtIn.moderator] })
  const forTeam = await createChat(plain.one, { fezType: 'closed', info: '', initialUsers: [builtIn.ServiceTeam] })
  await say(plain.one, fezID, 'help')
  const seen = await body(moderator.two.get(`/fez/${fezID}?limit=1&peek=true`))
  assert.deepEqual([seen.members.postCount, seen.members.readCount], [1, 0])
  const inInbox = async (who: Person, inbox: string) =>
    (await body(who.two.get(`/fez/joined?foruser=${inbox}`))).fezzes.map((fez: { fezID: string }) => fez.fezID)
  assert.ok((await inInbox(moderator, 'Moderator')).includes(fezID))
  assert.ok((await inInbox(team, 'moderator')).includes(fezID))
  assert.ok((await inInbox(team, 'serviceTeam')).includes(forTeam))
  await refused(moderator.one.get('/fez/joined?foruser=serviceteam'), 403)
  await refused(plain.one.get('/fez/joined?foruser=moderator'), 403)
  assert.deepEqual((await body(moderator.one.get('/fez/joined?foruser=constructor'))).fezzes, [])
  await refused(moderator.one.get(`/fez/${forTeam}`), 400)
  assert.ok((await body(team.one.get(`/fez/${forTeam}`))).members)
  const open = await createChat(plain.one, { fezType: 'open', initialUsers: [builtIn.moderator] })
  await refused(moderator.one.post(`/fez/${open}/unjoin`), 400)
  assert.equal((await body(plain.one.get('/notification/user'))).moderatorData, undefined)
  assert.deepEqual(keys((await body(moderator.one.get('/notification/user'))).moderatorData), [
    'newModeratorForumMentionCount',
    'newModeratorSeamailMessageCount',
    'newTTForumMentionCount',
    'newTTSeamailMessageCount',
    'openReportCount',
  ])
})

// Time zones

test('POST /fez/create and GET /fez/:fezID: times keep their wall clock when the zone changes', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const zones = async (...rows: [date: string, abbreviation: string, zone: string][]) => {
    await nodes.sql`delete from time_zone_change`
    for (const [date, abbreviation, zone] of rows)
      await nodes.sql`insert into time_zone_change (active_date, abbreviation, zone_id) values (${date}, ${abbreviation}, ${zone})`
    await settingsChanged(nodes)
  }
  const times = (fez: { startTime?: string; endTime?: string; timeZone?: string; timeZoneID?: string }) => [
    fez.startTime,
    fez.endTime,
    fez.timeZone,
    fez.timeZoneID,
  ]
  const create = async (startTime: string, endTime: string) => {
    const fez = await body(owner.one.post('/fez/create', lfg({ startTime, endTime })), 201)
    const [row] = await nodes.sql<{ startTime: Date; endTime: Date }[]>`select start_time, end_time from fez where id = ${fez.fezID}`
    return { fezID: fez.fezID as string, times: times(fez), stored: [row?.startTime.toISOString(), row?.endTime.toISOString()] }
  }
  const seen = async (fezID: string) => times(await body(bert.two.get(`/fez/${fezID}`)))
  try {
    await zones(['2030-01-24T06:00:00Z', 'AST', 'America/Santo_Domingo'])
    // Given before the change, in the port's zone: 15:00 on a day after it.
    const later = await create('2030-01-25T20:00:00Z', '2030-01-25T21:00:00Z')
    assert.deepEqual(later.stored, ['2030-01-25T20:00:00.000Z', '2030-01-25T21:00:00.000Z'])
    assert.deepEqual(later.times, ['2030-01-25T19:00:00.000Z', '2030-01-25T20:00:00.000Z', 'AST', 'America/Santo_Domingo'])
    const before = await create('2030-01-23T20:00:00Z', '2030-01-24T02:00:00Z')
    assert.deepEqual(before.times, ['2030-01-23T20:00:00.000Z', '2030-01-24T02:00:00.000Z', 'EST', 'America/New_York'])
    // The zone of now counts, not that of the start.
    await zones(['2020-01-01T00:00:00Z', 'AST', 'America/Santo_Domingo'], ['2030-06-01T00:00:00Z', 'AZOT', 'Atlantic/Azores'])
    const given = await create('2030-01-25T19:00:00Z', '2030-01-25T20:00:00Z')
    assert.deepEqual(given.stored, later.stored)
    assert.deepEqual(given.times, ['2030-01-25T19:00:00.000Z', '2030-01-25T20:00:00.000Z', 'AST', 'America/Santo_Domingo'])
    const summer = await create('2030-07-25T19:00:00Z', '2030-07-25T20:00:00Z')
    assert.deepEqual(summer.stored, ['2030-07-25T19:00:00.000Z', '2030-07-25T20:00:00.000Z'])
    assert.deepEqual(summer.times.slice(0, 2), ['2030-07-25T15:00:00.000Z', '2030-07-25T16:00:00.000Z'])
    assert.deepEqual(await seen(summer.fezID), summer.times)
    // A corrected table moves what is shown and rewrites nothing.
    await zones()
    assert.deepEqual(await seen(later.fezID), ['2030-01-25T20:00:00.000Z', '2030-01-25T21:00:00.000Z', 'EST', 'America/New_York'])
    assert.deepEqual(await seen(summer.fezID), ['2030-07-25T19:00:00.000Z', '2030-07-25T20:00:00.000Z', 'EDT', 'America/New_York'])
    await zones(['2020-01-01T00:00:00Z', 'XYZ', 'Not/AZone'])
    assert.deepEqual(await seen(later.fezID), ['2030-01-25T20:00:00.000Z', '2030-01-25T21:00:00.000Z', 'EST', 'America/New_York'])
  } finally {
    await zones()
  }
})

test('GET /notification/user: the next appointment of the member, whatever becomes of the groups', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const next = async () => {
    const answers = await Promise.all(bert.clients.map((client) => body(client.get('/notification/user'))))
    assert.deepEqual(answers[0]?.nextJoinedLFGID, answers[1]?.nextJoinedLFGID)
    return [answers[0]?.nextJoinedLFGID, answers[0]?.nextJoinedLFGTime]
  }
  const at = (hours: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + hours * 3_600_000).toISOString()
  const [first, second] = [at(1), at(2)]
  const initialUsers = [bert.id]
  assert.deepEqual(await next(), [undefined, undefined])
  const late = await createChat(owner.one, { startTime: second, initialUsers })
  await createChat(owner.one, { startTime: at(-1), initialUsers })
  await createChat(owner.one, { initialUsers })
  assert.deepEqual(await next(), [late, second])
  const early = await createChat(owner.one, { startTime: first })
  await body(bert.two.post(`/fez/${early}/join`), 201)
  assert.deepEqual(await next(), [early, first])
  await body(owner.two.post(`/fez/${early}/cancel`))
  assert.deepEqual(await next(), [late, second])
  for (const { node } of nodes.apps) node.bus.reset()
  assert.deepEqual(await next(), [late, second], 'read again')
  await body(owner.one.post(`/fez/${early}/update`, lfg({ startTime: first })))
  assert.deepEqual(await next(), [early, first])
  await body(owner.two.post(`/fez/${late}/update`, lfg({ startTime: at(0.5) })))
  assert.equal((await next())[0], late)
  await body(bert.one.post(`/fez/${late}/unjoin`))
  assert.deepEqual(await next(), [early, first])
  await body(owner.one.post(`/fez/${early}/user/${bert.id}/remove`))
  assert.deepEqual(await next(), [undefined, undefined])
})

// Types, features

test('GET /fez/types: labels in order, also without a login', async () => {
  const labels = [
    'Private Chat',
    'Open Chat',
    'Activity',
    'Dining',
    'Gaming',
    'Meetup',
    'Music',
    'Other',
    'Shore',
    'Personal Event',
    'Private Event',
  ]
  assert.deepEqual(await body(nodes.client().get('/fez/types')), labels)
})

test('every endpoint under /fez: 451 while friendlyfez is off, except for tho and admin', async () => {
  const [plain, moderator, tho] = (await people(nodes, {}, { level: 'moderator' }, { level: 'tho' })) as [Person, Person, Person]
  const fezID = await createChat(plain.one)
  await nodes.sql`insert into setting (name, value) values ('settings.disabledFeatures', '[{"appName":"all","featureName":"friendlyfez"}]')`
  await settingsChanged(nodes)
  try {
    for (const path of ['/fez/types', '/fez/open', '/fez/joined', '/fez/owner', `/fez/${fezID}`]) {
      await refused(plain.two.get(path), 451)
      await refused(moderator.one.get(path), 451)
      await body(tho.two.get(path))
    }
    await refused(plain.one.post(`/fez/${fezID}/join`), 451)
    await refused(nodes.client().get('/fez/open'), 401)
    assert.deepEqual((await body(plain.two.get('/notification/user'))).disabledFeatures, [{ appName: 'all', featureName: 'friendlyfez' }])
  } finally {
    await nodes.sql`delete from setting where name = 'settings.disabledFeatures'`
    await settingsChanged(nodes)
  }
  await body(plain.one.get('/fez/types'))
})

test('POST /fez/:fezID/mute twice at once: one of them has changed something', async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [member.id] })
  const lock = await hold(nodes.database.url, `select from fez_member where account_id = '${member.id}' for update`)
  const answers = Promise.all(member.clients.map((client) => client.post(`/fez/${fezID}/mute`)))
  await lock.awaited(2)
  await lock.release()
  assert.deepEqual((await answers).map(({ status }) => status).toSorted(), [200, 201])
})
