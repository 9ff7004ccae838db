// The lists of group chats: filters, orders, pages, and what they cost.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { App } from '../../src/app.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, createChat, createSeamail, lfg, mute, people, refused, say, settingsChanged, type Person } from '../support/fez.ts'
import { countStatements } from '../support/statements.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const someone = async (): Promise<Person> => (await people(nodes, {}))[0] as Person
let words = 0
/** A word that is in no other test's groups. */
const ownWord = () => `zqxword${++words}`
const hourMs = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString()

type Item = {
  fezID: string
  title: string
  owner: { userID: string }
  members?: { postCount: number; readCount: number; isMuted: boolean }
}

async function list(
  client: Client,
  path: string,
): Promise<{ ids: string[]; titles: string[]; total: number; start: number; limit: number; fezzes: Item[] }> {
  const { paginator, fezzes } = await body<{ paginator: { total: number; start: number; limit: number }; fezzes: Item[] }>(client.get(path))
  return { ids: fezzes.map(({ fezID }) => fezID), titles: fezzes.map(({ title }) => title), ...paginator, fezzes }
}

const titles = async (client: Client, path: string) => (await list(client, path)).titles

test('GET /fez/open: by start time then title, TBD last and only on demand, no members shown', async () => {
  const [owner, viewer, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const info = ownWord()
  const [soon, later] = [inHours(1), inHours(2)]
  for (const [title, startTime] of [
    ['tbd b'],
    ['late', later],
    ['bb', soon],
    ['aa', soon],
    ['tbd a'],
    ['just gone', inHours(-0.5)],
    ['long gone', inHours(-1.5)],
  ]) {
    await createChat(owner.one, { title, info, ...(startTime ? { startTime } : {}) })
  }
  assert.deepEqual(await titles(viewer.two, `/fez/open?search=${info}`), ['just gone', 'aa', 'bb', 'late'])
  assert.deepEqual(await titles(viewer.two, `/fez/open?search=${info}&hidePast=true`), ['just gone', 'aa', 'bb', 'late'])
  const all = await list(viewer.two, `/fez/open?search=${info}&hidePast=false`)
  assert.deepEqual(all.titles, ['long gone', 'just gone', 'aa', 'bb', 'late', 'tbd a', 'tbd b'])
  assert.ok(all.fezzes.every(({ members }) => members === undefined))
  const [first] = (await list(moderator.one, `/fez/open?search=${info}`)).fezzes
  assert.deepEqual([first?.members?.postCount, first?.members?.readCount, first?.members?.isMuted], [0, 0, false])
})

test('GET /fez/open: leaves out other kinds, cancelled and deleted groups and those of owners in blocks, also from the total', async () => {
  const [owner, viewer, foe, fan, moderator] = (await people(nodes, {}, {}, {}, {}, { level: 'moderator' })) as [
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const [viewersSecond, foesSecond] = (await people(nodes, { subAccountOf: viewer }, { subAccountOf: foe })) as [Person, Person]
  const info = ownWord()
  const more = (title: string) => ({ title, info, startTime: inHours(1) })
  await createChat(owner.one, more('good'))
  await createChat(owner.one, { ...more('open'), fezType: 'open' })
  await createSeamail(owner.one, [fan], more('closed'))
  await body(owner.one.post(`/fez/${await createChat(owner.one, more('cancelled'))}/cancel`))
  await body(moderator.one.delete(`/fez/${await createChat(owner.one, more('deleted'))}`), 204)
  await createChat(foe.one, more('foe'))
  await createChat(foesSecond.one, more('second of foe'))
  await createChat(fan.one, more('fan'))
  await block(viewer, foe)
  await block(fan, viewersSecond, 1)
  for (const client of [...viewer.clients, ...viewersSecond.clients]) {
    const { titles: seen, total } = await list(client, `/fez/open?search=${info}&hidePast=false`)
    assert.deepEqual([seen, total], [['good'], 1])
  }
  await block(moderator, foe)
  assert.deepEqual((await titles(moderator.one, `/fez/open?search=${info}`)).sort(), ['fan', 'foe', 'good', 'second of foe'])
})

test('GET /fez/open: joined and overbooked groups are dropped from the page and stay in the total', async () => {
  const guests = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
  const [owner, viewer] = (await people(nodes, {}, {})) as [Person, Person]
  const info = ownWord()
  const add = (title: string, maxCapacity: number, members: Person[]) =>
    createChat(owner.one, { title, info, maxCapacity, startTime: inHours(1), initialUsers: members.map(({ id }) => id) })
  await add('1 of 1', 1, []) // floor(1.5) = 1: full
  await add('2 of 2', 2, guests.slice(0, 1)) // floor(3) = 3: room
  await add('3 of 2', 2, guests.slice(0, 2)) // full
  await add('3 of 3', 3, guests.slice(0, 2)) // floor(4.5) = 4: room
  await add('4 of 3', 3, guests.slice(0, 3)) // full
  await add('many of 0', 0, guests)
  await add('mine', 0, [viewer])
  const seen = await list(viewer.two, `/fez/open?search=${info}`)
  assert.deepEqual([seen.titles, seen.total], [['2 of 2', '3 of 3', 'many of 0'], 7])
  // A page is cut before the drops.
  const page = await list(viewer.two, `/fez/open?search=${info}&start=1&limit=2`)
  assert.deepEqual([page.titles, page.total, page.start, page.limit], [['2 of 2'], 7, 1, 2])
})

test('GET /fez/open: types, in every spelling of a list', async () => {
  const [owner, viewer] = (await people(nodes, {}, {})) as [Person, Person]
  const info = ownWord()
  for (const fezType of ['activity', 'dining', 'gaming', 'shore'])
    await createChat(owner.one, { title: fezType, info, fezType, startTime: inHours(1) })
  const path = `/fez/open?search=${info}`
  for (const filter of [
    'type=dining&type=Gaming',
    'type=dining,gaming',
    'type[]=dining&type[]=gaming',
    'type%5B%5D=DINING,gaming',
    'type=dining&type=gaming,closed',
  ]) {
    assert.deepEqual(await titles(viewer.two, `${path}&${filter}`), ['dining', 'gaming'], filter)
  }
  assert.deepEqual(await titles(viewer.one, `${path}&type=closed`), [])
  assert.deepEqual(await titles(viewer.one, `${path}&type=`), ['activity', 'dining', 'gaming', 'shore'])
  assert.deepEqual(await titles(viewer.one, `${path}&lfgtypes=true&type=closed`), ['activity', 'dining', 'gaming', 'shore'])
  assert.deepEqual(await titles(viewer.one, `${path}&excludetype=dining`), ['activity', 'dining', 'gaming', 'shore'])
  await refused(viewer.one.get(`${path}&type=party`), 400)
})

test('GET /fez/joined: unmuted first, then the latest change; members without posts', async () => {
  const [owner, viewer] = (await people(nodes, {}, {})) as [Person, Person]
  const ids: string[] = []
  for (const title of ['one', 'two', 'three', 'four']) ids.push(await createChat(owner.one, { title, initialUsers: [viewer.id] }))
  const [one, two, three] = ids as [string, string, string, string]
  assert.deepEqual(await titles(viewer.two, '/fez/joined'), ['four', 'three', 'two', 'one'])
  await say(owner.one, two, 'x')
  await say(owner.one, one, 'x')
  assert.deepEqual(await titles(viewer.two, '/fez/joined'), ['one', 'two', 'four', 'three'])
  await body(viewer.one.post(`/fez/${one}/mute`), 201)
  await say(owner.one, one, 'x')
  assert.deepEqual(await titles(viewer.two, '/fez/joined'), ['two', 'four', 'three', 'one'])
  await body(viewer.one.post(`/fez/${three}/mute`), 201)
  assert.deepEqual(await titles(viewer.two, '/fez/joined'), ['two', 'four', 'one', 'three'])
  const { fezzes } = await list(viewer.two, '/fez/joined')
  assert.deepEqual(Object.keys(fezzes[0]?.members as object).sort(), [
    'isFavorite',
    'isMuted',
    'participants',
    'postCount',
    'readCount',
    'waitingList',
  ])
  assert.deepEqual(
    fezzes.map(({ members }) => [members?.postCount, members?.readCount, members?.isMuted]),
    [
      [1, 0, false],
      [0, 0, false],
      [2, 0, true],
      [0, 0, true],
    ],
  )
})

test('GET /fez/joined: every kind, cancelled ones, waiting or not, and chats of owners in blocks; not those left', async () => {
  const [owner, viewer, foe] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  await createChat(owner.one, { title: 'waiting', maxCapacity: 1, initialUsers: [viewer.id] })
  await createSeamail(owner.one, [viewer], { title: 'seamail' })
  await createChat(foe.one, { title: 'of foe', initialUsers: [viewer.id] })
  await body(owner.one.post(`/fez/${await createChat(owner.one, { title: 'cancelled', initialUsers: [viewer.id] })}/cancel`))
  await body(viewer.one.post(`/fez/${await createChat(owner.one, { title: 'left', initialUsers: [viewer.id] })}/unjoin`))
  await createChat(owner.one, { title: 'not mine' })
  await block(viewer, foe)
  const { titles: seen, total } = await list(viewer.two, '/fez/joined')
  assert.deepEqual([seen, total], [['cancelled', 'of foe', 'seamail', 'waiting'], 4])
  assert.deepEqual(await titles(viewer.one, '/fez/joined?type=private'), ['seamail'])
  assert.deepEqual(await titles(viewer.one, '/fez/joined?type=Closed'), ['seamail'])
  assert.deepEqual(await titles(viewer.one, '/fez/joined?excludetype=private&excludetype[]=open'), ['cancelled', 'of foe', 'waiting'])
  assert.deepEqual(await titles(viewer.one, '/fez/joined?excludetype=closed&type=closed'), ['seamail'])
  assert.deepEqual(await titles(viewer.one, '/fez/joined?lfgtypes=true'), ['cancelled', 'of foe', 'waiting'])
  assert.deepEqual(await titles(viewer.one, '/fez/joined?lfgtypes=false'), ['seamail'])
  await refused(viewer.one.get('/fez/joined?excludetype=party'), 400)
})

test('GET /fez/joined: whoever has left is no participant, also where chats are read again', async () => {
  const [owner, stays, leaves] = [await someone(), await someone(), await someone()]
  const fezID = await createChat(owner.one, { initialUsers: [leaves.id, stays.id] })
  await body(leaves.two.post(`/fez/${fezID}/unjoin`))
  for (const { node } of nodes.apps) node.bus.reset()
  for (const client of owner.clients) {
    const { fezzes } = await list(client, '/fez/joined')
    const chat = fezzes.find((each) => each.fezID === fezID) as unknown as { members: { participants: { userID: string }[] } }
    assert.deepEqual(
      chat.members.participants.map(({ userID }) => userID),
      [owner.id, stays.id],
    )
  }
})

test('a list that is searched for a word that all have is the list: what memory answers and what Postgres finds are the same', async () => {
  const [viewer, other, hidden] = [await someone(), await someone(), await someone()]
  const word = ownWord()
  const made = (by: Person, title: string, more: object = {}) =>
    createChat(by.one, {
      title: `${title} ${word}`,
      startTime: inHours(3),
      endTime: inHours(4),
      initialUsers: by === viewer ? [other.id] : [viewer.id],
      ...more,
    })
  const noTimes = { startTime: undefined, endTime: undefined }
  const [muted, favorite, cancelled] = [await made(other, 'muted'), await made(viewer, 'favorite'), await made(viewer, 'cancelled')]
  const [unread, seen] = [
    await made(other, 'unread', { fezType: 'closed', info: '', ...noTimes }),
    await made(other, 'seen', { fezType: 'open', info: '', ...noTimes }),
  ]
  await made(other, 'past', { startTime: inHours(-30), endTime: inHours(-29) })
  await made(other, 'long', { startTime: inHours(-20), endTime: inHours(3) })
  await made(viewer, 'same time b')
  await made(other, 'same time a')
  await made(viewer, 'undated', noTimes)
  await made(other, 'private', { fezType: 'privateEvent' })
  await made(viewer, 'own private', { fezType: 'privateEvent' })
  await made(viewer, 'personal', { fezType: 'personalEvent', initialUsers: [] })
  await made(hidden, 'of one who is hidden')
  await body(viewer.one.post(`/fez/${muted}/mute`), 201)
  await body(viewer.one.post(`/fez/${favorite}/favorite`), 201)
  await body(viewer.one.post(`/fez/${cancelled}/cancel`))
  for (const chat of [unread, seen, muted]) await say(other.one, chat, 'news')
  await body(viewer.one.get(`/fez/${seen}`))
  // Whoever mutes somebody has their posts left out of what is new; a group of theirs stays.
  await mute(viewer, hidden)
  const left = await made(other, 'left')
  await body(viewer.one.post(`/fez/${left}/unjoin`))

  const filters = [
    ...['', 'type=gaming', 'excludetype=gaming', 'onlynew=true', 'onlynew=false', 'favorite=true', 'hidePast=true', 'limit=3&start=2'],
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((day) => `cruiseday=${day}`),
  ]
  let longest = 0
  for (const path of ['/fez/joined', '/fez/owner'])
    for (const filter of filters) {
      const [all, found] = [await list(viewer.two, `${path}?${filter}`), await list(viewer.one, `${path}?${filter}&search=${word}`)]
      assert.deepEqual([found.titles, found.total], [all.titles, all.total], `${path}?${filter}`)
      longest = Math.max(longest, all.total)
    }
  assert.equal(longest, 14)
  for (const filter of ['', 'owned=true', 'joined=true', 'hidePast=true']) {
    const [all, found] = await Promise.all(
      [`/personalevents?${filter}`, `/personalevents?${filter}&search=${word}`].map((path) => body<Item[]>(viewer.two.get(path))),
    )
    assert.deepEqual(found, all, filter)
    const owners = all?.map(({ owner }) => (owner.userID === viewer.id ? 'own' : 'other')).toSorted()
    const expected = { 'owned=true': ['own', 'own'], 'joined=true': ['other'] }[filter] ?? ['other', 'own', 'own']
    assert.deepEqual(owners, expected, filter)
  }
})

test('GET /fez/joined: onlynew knows unread posts and chats one was added to, and no posts of hidden authors', async () => {
  const [owner, viewer, bore] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const make = async (title: string) => {
    const fezID = await createChat(owner.one, { title, initialUsers: [viewer.id, bore.id] })
    await body(viewer.one.get(`/fez/${fezID}`))
    return fezID
  }
  const [unread, read, dull] = [await make('unread'), await make('read'), await make('dull')]
  const added = await createChat(owner.one, { title: 'added', initialUsers: [viewer.id] })
  await mute(viewer, bore)
  await say(owner.one, unread, 'x')
  await say(bore.one, dull, 'x')
  await say(owner.one, read, 'x')
  await body(viewer.one.get(`/fez/${read}`))
  for (const client of viewer.clients) {
    assert.deepEqual((await titles(client, '/fez/joined?onlynew=true')).sort(), ['added', 'unread'])
    assert.deepEqual((await titles(client, '/fez/joined?onlynew=1')).sort(), ['added', 'unread'])
    assert.deepEqual((await titles(client, '/fez/joined?onlynew=false')).sort(), ['dull', 'read'])
  }
  await body(viewer.two.get(`/fez/${added}`))
  assert.deepEqual(await titles(viewer.one, '/fez/joined?onlynew=true'), ['unread'])
  await refused(viewer.one.get('/fez/joined?onlynew=perhaps'), 400)
})

test('GET /fez/joined: search in title, info and visible posts, stemmed, with wildcards taken literally', async () => {
  const [owner, viewer, bore] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const initialUsers = [viewer.id, bore.id]
  await createChat(owner.one, { title: 'Running club', info: 'We meet', initialUsers })
  await createChat(owner.one, { title: 'Chess', info: 'For runners up', initialUsers })
  const posts = await createChat(owner.one, { title: 'Dinner', info: 'Table nine', initialUsers })
  await say(owner.one, posts, 'He runs to the buffet')
  const gone = await say(owner.one, posts, 'unicorn')
  await body(owner.one.delete(`/fez/post/${gone}`), 204)
  await say(bore.one, posts, 'boring talk')
  const found = async (words: string) => (await titles(viewer.two, `/fez/joined?search=${encodeURIComponent(words)}`)).sort()
  assert.deepEqual(await found('running'), ['Dinner', 'Running club'])
  assert.deepEqual(await found('run -club'), ['Dinner'])
  assert.deepEqual(await found('"running club"'), ['Running club'])
  assert.deepEqual(await found('chess or dinner'), ['Chess', 'Dinner'])
  assert.deepEqual(await found('unicorn'), [])
  assert.deepEqual(await found('boring'), ['Dinner'])
  await mute(viewer, bore)
  assert.deepEqual(await found('boring'), [])
  assert.deepEqual(await found('run%'), ['Dinner', 'Running club'])
  assert.deepEqual(await found('che%'), [])
  for (const odd of ["it's", '"', '((', '& |', 'x:*']) await list(viewer.one, `/fez/joined?search=${encodeURIComponent(odd)}`)
  assert.equal((await found('  ')).length, 3)
})

test('GET /fez/owner and /fez/open: search in title and info, not in posts', async () => {
  const [owner, viewer] = (await people(nodes, {}, {})) as [Person, Person]
  const [inPost, inInfo, inTitle] = [ownWord(), ownWord(), ownWord()]
  const fezID = await createChat(owner.one, { title: `Title ${inTitle}`, info: `About ${inInfo}`, startTime: inHours(1) })
  await say(owner.one, fezID, inPost)
  for (const [client, path] of [
    [owner.two, '/fez/owner'],
    [viewer.two, '/fez/open'],
  ] as const) {
    assert.deepEqual((await list(client, `${path}?search=${inTitle}`)).ids, [fezID])
    assert.deepEqual((await list(client, `${path}?search=${inInfo.toUpperCase()}`)).ids, [fezID])
    assert.deepEqual((await list(client, `${path}?search=${inPost}`)).ids, [])
  }
  assert.deepEqual((await list(viewer.one, `/fez/joined?search=${inTitle}`)).ids, [])
  const [newInTitle, newInInfo] = [ownWord(), ownWord()]
  const change = lfg({ title: `Title ${newInTitle}`, info: `About ${newInInfo}`, startTime: inHours(1), endTime: inHours(2) })
  await body(owner.one.post(`/fez/${fezID}/update`, change))
  for (const word of [newInTitle, newInInfo]) assert.deepEqual((await list(viewer.two, `/fez/open?search=${word}`)).ids, [fezID])
  for (const word of [inTitle, inInfo]) assert.deepEqual((await list(viewer.two, `/fez/open?search=${word}`)).ids, [])
})

test('GET /fez/joined: matchID gives that chat alone', async () => {
  const [owner] = (await people(nodes, {})) as [Person]
  const [first] = [await createChat(owner.one), await createChat(owner.one)]
  assert.deepEqual((await list(owner.two, `/fez/joined?matchID=${first.toUpperCase()}`)).ids, [first])
  assert.deepEqual((await list(owner.two, `/fez/joined?matchID=${randomUUID()}`)).ids, [])
  await refused(owner.one.get('/fez/joined?matchID=x'), 400)
})

test('GET /fez/owner: newest first, only those the owner has not left, with members', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  for (const title of ['aa', 'bb', 'cc']) await createChat(owner.one, { title, fezType: title === 'bb' ? 'dining' : 'gaming' })
  await createChat(bert.one, { title: 'other', initialUsers: [owner.id] })
  await body(owner.one.post(`/fez/${await createChat(owner.one, { title: 'left' })}/unjoin`))
  const { titles: seen, total, fezzes } = await list(owner.two, '/fez/owner')
  assert.deepEqual([seen, total], [['cc', 'bb', 'aa'], 3])
  assert.ok(fezzes.every(({ members }) => members))
  assert.deepEqual(await titles(owner.one, '/fez/owner?type=dining'), ['bb'])
  assert.deepEqual(await titles(owner.one, '/fez/owner?excludetype=dining'), ['cc', 'aa'])
  assert.deepEqual(await titles(owner.one, '/fez/owner?excludetype=dining&type=dining,gaming'), ['cc', 'bb', 'aa'])
  assert.deepEqual(await titles(owner.one, '/fez/owner?lfgtypes=false'), [])
})

test('GET /fez/joined and /fez/owner: hidePast only on demand, TBD hidden with it', async () => {
  const owner = await someone()
  for (const [title, startTime] of [['tbd'], ['gone', inHours(-1.1)], ['going on', inHours(-0.9)], ['to come', inHours(1)]])
    await createChat(owner.one, { title, ...(startTime ? { startTime } : {}) })
  for (const path of ['/fez/joined', '/fez/owner']) {
    assert.equal((await list(owner.two, path)).total, 4)
    assert.equal((await list(owner.two, `${path}?hidePast=false`)).total, 4)
    for (const yes of ['hidePast=true', 'hidePast=1', 'hidePast'])
      assert.deepEqual((await titles(owner.two, `${path}?${yes}`)).sort(), ['going on', 'to come'])
    await refused(owner.one.get(`${path}?hidePast=maybe`), 400)
  }
})

test("GET /fez/open, /fez/joined, /fez/owner: cruiseday windows, in the port's zone", async () => {
  const [owner, viewer] = (await people(nodes, {}, {})) as [Person, Person]
  const info = ownWord()
  // The trip begins on 2025-03-02, when New York is five hours behind UTC; by the 9th it is four.
  for (const [title, startTime, endTime] of [
    ['2nd 02:59', '2025-03-02T07:59:00Z'],
    ['2nd 03:00', '2025-03-02T08:00:00Z'],
    ['3rd 02:59', '2025-03-03T07:59:00Z'],
    ['3rd 03:00', '2025-03-03T08:00:00Z'],
    ['1st to 2nd 01:00', '2025-03-02T03:00:00Z', '2025-03-02T06:00:00Z'],
    ['1st to 1st', '2025-03-02T02:00:00Z', '2025-03-02T04:59:00Z'],
    ['1st to midnight', '2025-03-02T02:30:00Z', '2025-03-02T05:00:00Z'],
    ['9th 03:00', '2025-03-09T07:00:00Z'],
    ['tbd'],
  ])
    await createChat(owner.one, { title, info, ...(startTime ? { startTime } : {}), ...(endTime ? { endTime } : {}) })
  const path = (name: string, day: string | number, search = `&search=${info}`) => `/fez/${name}?hidePast=false${search}&cruiseday=${day}`
  const day = async (client: Client, name: string, which: string | number) => {
    const found = (await titles(client, path(name, which))).sort()
    // A search comes from Postgres, one's own chats from memory: the same.
    if (client === owner.two) assert.deepEqual((await titles(client, path(name, which, ''))).sort(), found)
    return found
  }
  for (const [client, name] of [
    [viewer.two, 'open'],
    [owner.two, 'owner'],
  ] as const) {
    assert.deepEqual(await day(client, name, 0), ['2nd 03:00', '3rd 02:59'])
    assert.deepEqual(await day(client, name, 1), ['3rd 03:00'])
    assert.deepEqual(await day(client, name, -1), ['1st to 1st', '1st to 2nd 01:00', '1st to midnight', '2nd 02:59'])
    assert.deepEqual(await day(client, name, 7), ['9th 03:00'])
  }
  assert.deepEqual(await day(owner.two, 'joined', 0), ['1st to 2nd 01:00', '1st to midnight', '2nd 02:59', '2nd 03:00', '3rd 02:59'])
  assert.deepEqual(await day(owner.two, 'joined', 1), ['3rd 02:59', '3rd 03:00'])
  // What is no number is ignored.
  assert.equal((await list(owner.two, path('joined', 'monday'))).total, 9)
  await refused(owner.one.get(path('joined', 2_000_000_000)), 400)
})

test('GET /fez/open, /fez/joined, /fez/owner: start and limit, clamped; the total of all matches', async () => {
  const [owner, viewer] = (await people(nodes, {}, {})) as [Person, Person]
  const info = ownWord()
  for (const title of ['aa', 'bb', 'cc', 'dd', 'ee']) await createChat(owner.one, { title, info, startTime: '2035-01-01T12:00:00Z' })
  const newestFirst = ['ee', 'dd', 'cc', 'bb', 'aa']
  for (const [client, path, order] of [
    [viewer.two, 'open', newestFirst.toReversed()],
    [owner.two, 'joined', newestFirst],
    [owner.two, 'owner', newestFirst],
  ] as const) {
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
      ['start=2&start=3', 2, 50],
      ['limit=99999999999999', 0, 200],
    ] as const) {
      const seen = await list(client, `/fez/${path}?search=${info}&${query}`)
      assert.deepEqual(
        [seen.titles, seen.total, seen.start, seen.limit],
        [order.slice(start, start + limit), 5, start, limit],
        `${path} ${query}`,
      )
    }
  }
  await nodes.sql`insert into setting (name, value) values ('settings.maximumTwarrts', '3')`
  await settingsChanged(nodes)
  const seen = await list(owner.two, '/fez/owner?limit=50')
  assert.deepEqual([seen.limit, seen.titles.length], [3, 3])
  await nodes.sql`delete from setting where name = 'settings.maximumTwarrts'`
  await settingsChanged(nodes)
})

test('GET /fez/open, /fez/joined, /fez/owner: one statement, and one more for accounts not seen before, however long the page', async () => {
  const [owner, viewer] = (await people(nodes, {}, {})) as [Person, Person]
  const info = ownWord()
  const app = nodes.apps[1] as App
  const paths = (viewerClient: Client) =>
    [
      [viewerClient, `/fez/open?hidePast=false&search=${info}`],
      [owner.two, `/fez/joined?search=${info}`],
      [owner.two, `/fez/owner?search=${info}`],
    ] as const
  const fill = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const guests = await people(nodes, {}, {})
      const fezID = await createChat(owner.one, { info, maxCapacity: 5, initialUsers: guests.map(({ id }) => id) })
      await say(owner.one, fezID, 'x')
    }
  }
  for (const more of [1, 15]) {
    await fill(more)
    // Both are known to the node.
    await Promise.all([viewer, owner].map(({ two }) => body(two.get('/notification/user'))))
    const costs: number[] = []
    for (const [client, path] of paths(viewer.two)) costs.push(await countStatements(app, () => body(client.get(path))))
    assert.deepEqual(costs, [2, 1, 1])
    costs.length = 0
    for (const [client, path] of paths(viewer.two)) costs.push(await countStatements(app, () => body(client.get(path))))
    assert.deepEqual(costs, [1, 1, 1])
  }
  assert.equal((await list(viewer.two, `/fez/open?hidePast=false&search=${info}`)).titles.length, 16)
})

test('GET /fez/joined: what it says of unread posts is what GET /fez/:fezID says', async () => {
  const [owner, viewer, bore] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [viewer.id, bore.id] })
  await mute(viewer, bore)
  for (let i = 0; i < 6; i++) await say(i % 2 ? owner.one : bore.one, fezID, `${i}`)
  await body(viewer.two.get(`/fez/${fezID}?limit=1`))
  const [item] = (await list(viewer.one, '/fez/joined')).fezzes
  const { members } = await body(viewer.two.get(`/fez/${fezID}?limit=1&peek=true`))
  assert.deepEqual([item?.members?.postCount, item?.members?.readCount], [members.postCount, members.readCount])
  assert.deepEqual([members.postCount, members.readCount], [3, 1])
})

test('chats are not found by words that moderators have hidden, except by moderators', async () => {
  const [owner, viewer, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const [inInfo, inPost] = [ownWord(), ownWord()]
  const fezID = await createChat(owner.one, { info: inInfo, startTime: inHours(2) })
  const postID = await say(owner.one, fezID, inPost)
  const found = async (word: string) => [
    (await list(viewer.two, `/fez/open?search=${word}`)).total,
    (await list(owner.two, `/fez/joined?search=${word}`)).total,
    (await list(owner.two, `/fez/owner?search=${word}`)).total,
    (await list(moderator.two, `/fez/open?search=${word}`)).total,
  ]
  assert.deepEqual(
    [await found(inInfo), await found(inPost)],
    [
      [1, 1, 1, 1],
      [0, 1, 0, 0],
    ],
  )
  await body(moderator.one.post(`/mod/fez/${fezID}/setstate/quarantined`))
  await body(moderator.one.post(`/mod/fezpost/${postID}/setstate/quarantined`))
  assert.deepEqual(
    [await found(inInfo), await found(inPost)],
    [
      [0, 0, 0, 1],
      [0, 0, 0, 0],
    ],
  )
  await body(moderator.one.post(`/mod/fez/${fezID}/setstate/normal`))
  await body(moderator.one.post(`/mod/fezpost/${postID}/setstate/reviewed`))
  assert.deepEqual(
    [await found(inInfo), await found(inPost)],
    [
      [1, 1, 1, 1],
      [0, 1, 0, 0],
    ],
  )
})
