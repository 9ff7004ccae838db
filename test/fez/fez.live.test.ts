// Sockets of chats and of notifications, with everybody spread over two nodes. That somebody did not
// get a frame is seen from a later frame, or from a round trip after a later frame of somebody else.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { Refused, type Client, type TestSocket } from '../support/client.ts'
import { hold } from '../support/locks.ts'
import { ownRedis } from '../support/services.ts'
import { until } from '../support/until.ts'
import {
  block,
  body,
  createChat,
  createSeamail,
  lfg,
  mute,
  people,
  refused,
  say,
  settingsChanged,
  publishConfirmed,
  unblock,
  unmute,
  type Person,
} from '../support/fez.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const headerOf = ({ id, username }: Person) => ({ userID: id, username })
const chatSockets = async (who: Person, fezID: string) =>
  (await Promise.all(who.clients.map((client) => client.socket(`/fez/${fezID}/socket`)))) as [TestSocket, TestSocket]
const noticeSockets = async (who: Person) =>
  (await Promise.all(who.clients.map((client) => client.socket('/notification/socket')))) as [TestSocket, TestSocket]

/** What a chat's frames were about: texts of posts, and `+name` or `-name`. */
const story = ({ frames }: TestSocket): string[] =>
  frames.map((frame) => ('postID' in frame ? frame.text : `${frame.joined ? '+' : '-'}${frame.user.username}`))

/** Everything sent to these sockets before has arrived: `marker` was seen on both nodes, then each made a round trip. */
async function settled(witnesses: readonly TestSocket[], text: string, ...sockets: TestSocket[]): Promise<void> {
  await Promise.all(witnesses.map((witness) => witness.until((frame) => frame.text === text, `post "${text}"`)))
  await Promise.all(sockets.map((socket) => socket.flushed()))
}

async function refusal(opening: Promise<TestSocket>): Promise<[number, unknown]> {
  const error = await opening.then(
    (socket) => {
      socket.terminate()
    },
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Refused, 'the socket was opened')
  return [error.status, (error.body as { error?: boolean } | undefined)?.error]
}

test('WS /fez/:fezID/socket: a post reaches members who neither block nor mute its author, and its author', async () => {
  const [owner, author, plain, muter, blocker, blockedOne, moderator, outsider] = (await people(
    nodes,
    {},
    {},
    {},
    {},
    {},
    {},
    { level: 'moderator' },
    { level: 'moderator' },
  )) as [Person, Person, Person, Person, Person, Person, Person, Person]
  const [blockersSecond, mutersSecond, authorsSecond] = (await people(
    nodes,
    { subAccountOf: blocker },
    { subAccountOf: muter },
    { subAccountOf: author },
  )) as [Person, Person, Person]
  const members = [author, plain, muter, blocker, blockedOne, moderator, blockersSecond, mutersSecond, authorsSecond]
  const fezID = await createChat(owner.one, { initialUsers: members.map(({ id }) => id) })
  const sockets = new Map<Person, TestSocket[]>()
  for (const who of [owner, ...members, outsider]) sockets.set(who, await chatSockets(who, fezID))
  await mute(muter, author)
  await mute(moderator, plain)
  await block(blocker, authorsSecond, 1)
  await block(author, blockedOne)
  await block(moderator, author, 1)
  const texts: [Person, string][] = [
    [author, 'by author'],
    [authorsSecond, 'by second'],
    [plain, 'by plain'],
    [blocker, 'by blocker'],
    [outsider, 'by outsider'],
  ]
  for (const [index, [who, text]] of texts.entries()) await say(who.clients[index % 2] as Client, fezID, text)
  await say(owner.two, fezID, 'end')
  await settled(sockets.get(owner) as TestSocket[], 'end', ...[...sockets.values()].flat())
  const all = [...texts.map(([, text]) => text), 'end']
  const without = (...hidden: string[]) => all.filter((text) => !hidden.includes(text))
  const expected: [Person, string[]][] = [
    [owner, all],
    [plain, all],
    [outsider, all],
    [author, without('by blocker')],
    [authorsSecond, without('by blocker')],
    [muter, without('by author')],
    [mutersSecond, all],
    [blocker, without('by author', 'by second')],
    [blockersSecond, without('by author', 'by second')],
    [blockedOne, without('by author', 'by second')],
    [moderator, without('by plain')],
  ]
  // Events of two nodes may overtake each other on the way, never those of one chat at a socket.
  for (const [who, frames] of expected) for (const socket of sockets.get(who) ?? []) assert.deepEqual(story(socket), frames)
})

test('WS /fez/:fezID/socket: the form of a post; every socket of a user gets it, on every node', async () => {
  const [owner] = (await people(nodes, {})) as [Person]
  const fezID = await createChat(owner.one)
  const sockets = [
    ...(await chatSockets(owner, fezID)),
    ...(await chatSockets(owner, fezID)),
    await owner.one.socket(`/fez/${fezID.toUpperCase()}/socket`),
  ]
  const answer = await body(owner.two.post(`/fez/${fezID}/post`, { text: 'a\r\nb', images: [] }), 201)
  for (const socket of sockets) {
    await socket.count(1)
    assert.deepEqual(socket.frames, [{ postID: answer.postID, author: headerOf(owner), text: 'a\nb', timestamp: answer.timestamp }])
  }
})

test('WS /fez/:fezID/socket: member changes by join, unjoin, add and remove, not to who blocks the member', async () => {
  const [owner, watcher, blocker, muter, bert] = (await people(nodes, {}, {}, {}, {}, {})) as [Person, Person, Person, Person, Person]
  for (const fezType of ['gaming', 'open']) {
    const fezID = await createChat(owner.one, { fezType, initialUsers: [watcher.id, blocker.id, muter.id] })
    if (fezType === 'gaming') {
      await block(blocker, bert)
      await mute(muter, bert)
    }
    const [watching, blocking, muting] = [
      await chatSockets(watcher, fezID),
      await chatSockets(blocker, fezID),
      await chatSockets(muter, fezID),
    ]
    if (fezType === 'gaming') {
      await body(bert.two.post(`/fez/${fezID}/join`), 201)
      await body(bert.one.post(`/fez/${fezID}/unjoin`))
    }
    await body(owner.two.post(`/fez/${fezID}/user/${bert.id}/add`))
    await body(owner.one.post(`/fez/${fezID}/user/${bert.id}/remove`))
    // Changes are in force everywhere before they are answered.
    await Promise.all([...watching, ...blocking, ...muting].map((socket) => socket.flushed()))
    const changes = fezType === 'gaming' ? [true, false, true, false] : [true, false]
    for (const socket of [...watching, ...muting])
      assert.deepEqual(
        socket.frames,
        changes.map((joined) => ({ user: headerOf(bert), joined })),
      )
    for (const socket of blocking) assert.deepEqual(socket.frames, [])
  }
})

test('WS /fez/:fezID/socket: who leaves twice at the same moment has left once', async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [member.id] })
  const watching = await chatSockets(owner, fezID)
  const lock = await hold(nodes.database.url, `select from fez where id = '${fezID}' for update`)
  const leaving = member.clients.map((client) => body(client.post(`/fez/${fezID}/unjoin`)))
  await lock.awaited(2)
  await lock.release()
  await Promise.all(leaving)
  await say(owner.one, fezID, 'end')
  await settled(watching, 'end')
  for (const socket of watching) assert.deepEqual(story(socket), [`-${member.username}`, 'end'])
  assert.equal((await nodes.sql`select from fez_edit where fez_id = ${fezID}`).length, 1, 'moderators see it once')
})

test('WS /fez/:fezID/socket: no frame for anything else that happens to a chat, and none about members of a private thread', async () => {
  const [owner, bert, moderator] = (await people(nodes, {}, {}, { level: 'moderator' })) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { maxCapacity: 1, initialUsers: [bert.id] })
  const sockets = await chatSockets(bert, fezID)
  const postID = await say(owner.one, fezID, 'x')
  await body(owner.one.post(`/fez/${fezID}/update`, lfg({ title: 'Other', maxCapacity: 5 })))
  await body(owner.two.post(`/fez/${fezID}/cancel`))
  await body(bert.one.post(`/fez/${fezID}/mute`), 201)
  await body(owner.one.delete(`/fez/post/${postID}`), 204)
  await body(moderator.one.delete(`/fez/${fezID}`), 204)
  await Promise.all(sockets.map((socket) => socket.flushed()))
  for (const socket of sockets) {
    assert.deepEqual(story(socket), ['x'])
    assert.ok(socket.open)
  }
  const seamail = await createSeamail(owner.one, [bert])
  const listening = await chatSockets(bert, seamail)
  await body(owner.one.post(`/fez/${seamail}/user/${moderator.id}/add`), 403)
  await say(owner.two, seamail, 'end')
  await settled(listening, 'end')
  for (const socket of listening) assert.deepEqual(story(socket), ['end'])
})

test('WS /fez/:fezID/socket: a removed user hears his going last, then nothing until he is back', async () => {
  const [owner, bert, carl] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  const [removed, witness] = [await chatSockets(bert, fezID), await chatSockets(owner, fezID)]
  await say(owner.one, fezID, '1')
  await settled(removed, '1')
  await body(owner.two.post(`/fez/${fezID}/user/${bert.id}/remove`))
  await say(owner.one, fezID, '2')
  await body(carl.two.post(`/fez/${fezID}/join`), 201)
  await say(owner.two, fezID, '3')
  await settled(witness, '3', ...removed)
  for (const socket of removed) assert.deepEqual(story(socket), ['1', `-${bert.username}`])
  await body(bert.one.post(`/fez/${fezID}/join`), 201)
  await say(carl.one, fezID, '4')
  await settled(removed, '4')
  for (const socket of removed) {
    assert.deepEqual(story(socket), ['1', `-${bert.username}`, `+${bert.username}`, '4'])
    assert.ok(socket.open)
  }
})

test('blocks, mutes and departures made over one node are in force on the other before they are answered', async () => {
  const [owner, author, bert] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [author.id, bert.id] })
  const [listening, witness] = [await chatSockets(bert, fezID), await chatSockets(owner, fezID)]
  const expected: string[] = []
  let posts = 0
  const after = async (text: string, heard: boolean, change: (node: number) => Promise<unknown>) => {
    for (const node of [0, 1]) {
      await change(node)
      // Posted over both nodes at once, by whoever is on the other node too.
      for (const client of author.clients) await say(client, fezID, text)
      posts += author.clients.length
      if (heard) expected.push(text, text)
      // On its way from the other node, a post may meet the change after it.
      await until(() => witness.every(({ frames }) => frames.filter((frame) => 'postID' in frame).length === posts), `${text} is heard`)
    }
  }
  await after('unmuted', true, async (node) => {
    await mute(bert, author, node)
    await unmute(bert, author, 1 - node)
  })
  await after('muted', false, async (node) => {
    if (node === 0) await mute(bert, author, 0)
  })
  await unmute(bert, author, 1)
  await after('unblocked', true, async (node) => {
    await block(bert, author, node)
    await unblock(bert, author, 1 - node)
  })
  await after('blocked by him', false, async (node) => {
    if (node === 0) await block(author, bert, 1)
  })
  await unblock(author, bert, 0)
  await after('rejoined', true, async (node) => {
    await body((bert.clients[node] as Client).post(`/fez/${fezID}/unjoin`))
    await body((bert.clients[1 - node] as Client).post(`/fez/${fezID}/join`), 201)
    expected.push(`-${bert.username}`, `+${bert.username}`)
  })
  await after('left', false, async (node) => {
    if (node === 1) return
    await body(bert.one.post(`/fez/${fezID}/unjoin`))
    expected.push(`-${bert.username}`)
  })
  await say(owner.one, fezID, 'end')
  await settled(witness, 'end', ...listening)
  for (const socket of listening) assert.deepEqual(story(socket), expected)
})

test('WS /fez/:fezID/socket: one that opens while it is not known whom its user hides gets nothing until it is', async () => {
  const [owner, author, bert] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [author.id, bert.id] })
  for (const client of [owner, author, bert].flatMap(({ clients }) => clients)) await body(client.get('/user/whoami'))
  // The other node has to read the chat first.
  const reading = await hold(nodes.database.url, 'lock table fez_post in access exclusive mode')
  const opening = bert.two.socket(`/fez/${fezID}/socket`)
  await reading.awaited()
  const relations = await hold(nodes.database.url, 'lock table muteword in access exclusive mode')
  const muting = mute(bert, author)
  await relations.awaited(3)
  await reading.release()
  const socket = await opening
  await say(author.two, fezID, 'from somebody muted')
  await say(owner.two, fezID, 'from somebody else')
  await relations.release()
  await muting
  await settled([socket], 'from somebody else')
  assert.deepEqual(story(socket), ['from somebody else'])
})

test('WS /fez/:fezID/socket: silent while the owner of the chat is in a block with the member, whoever writes', async () => {
  const [owner, member, friend, tho] = (await people(nodes, {}, {}, {}, { level: 'tho' })) as [Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [member.id, friend.id] })
  const [listening, witness] = [await chatSockets(member, fezID), await chatSockets(friend, fezID)]
  await say(friend.one, fezID, '1')
  await settled(witness, '1', ...listening)
  await block(owner, member)
  await refused(member.one.get(`/fez/${fezID}`), 400)
  await say(friend.one, fezID, '2')
  await say(friend.two, fezID, '3')
  await settled(witness, '3')
  // Blocks do not hold for moderators.
  await body(tho.one.post(`/admin/moderator/promote/${owner.id}`))
  await say(friend.one, fezID, '4')
  await settled(witness, '4', ...listening)
  await body(tho.two.post(`/admin/user/demote/${owner.id}`))
  await say(friend.one, fezID, '5')
  await settled(witness, '5')
  await unblock(owner, member, 1)
  await say(friend.one, fezID, '6')
  await settled(witness, '6', ...listening)
  for (const socket of listening) assert.deepEqual(story(socket), ['1', '4', '6'])
})

test('WS /fez/:fezID/socket: a block counts again when a member is a moderator no longer', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const [author] = (await people(nodes, {})) as [Person]
  const fezID = await createChat(owner.one, { initialUsers: [author.id, bert.id] })
  await block(bert, author)
  const level = async (to: string) => {
    await nodes.sql`update account set level = ${to}::access_level, rev = rev + 1 where id = ${author.id}`
    const [account] =
      await nodes.sql`select id, person_id, username, level, display_name, user_image, preferred_pronoun, rev from account where id = ${author.id}`
    await publishConfirmed(nodes, author.id, { type: 'changed', account: { ...account } })
  }
  const [listening, witness] = [await chatSockets(bert, fezID), await chatSockets(owner, fezID)]
  await say(author.one, fezID, '1')
  await level('moderator')
  await say(author.two, fezID, '2')
  await settled(witness, '2')
  await level('verified')
  await say(author.one, fezID, '3')
  await say(owner.one, fezID, 'end')
  await settled(witness, 'end', ...listening)
  for (const socket of listening) assert.deepEqual(story(socket), ['2', 'end'])
})

test('WS /fez/:fezID/socket: refused before the upgrade', async () => {
  const [owner, outsider, foe, moderator, banned, unverified] = (await people(
    nodes,
    {},
    {},
    {},
    { level: 'moderator' },
    { level: 'banned' },
    { level: 'unverified' },
  )) as [Person, Person, Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [foe.id, unverified.id] })
  const seamail = await createSeamail(owner.one, [foe])
  const deleted = await createChat(owner.one)
  await body(moderator.one.delete(`/fez/${deleted}`), 204)
  await block(foe, owner)
  const open = (who: { socket(path: string): Promise<TestSocket> }, id: string) => refusal(who.socket(`/fez/${id}/socket`))
  for (const node of [0, 1]) {
    const of = (who: Person) => who.clients[node] as Client
    assert.deepEqual(await open(of(owner), randomUUID()), [400, true])
    assert.deepEqual(await open(of(owner), 'nonsense'), [400, true])
    assert.deepEqual(await open(of(owner), deleted), [400, true])
    assert.deepEqual(await open(of(foe), fezID), [400, true])
    assert.deepEqual(await open(of(outsider), fezID), [403, true])
    assert.deepEqual(await open(of(outsider), seamail), [400, true])
    assert.deepEqual(await open(of(moderator), seamail), [403, true])
    assert.deepEqual(await open(nodes.client(undefined, node), fezID), [401, true])
    assert.deepEqual(await open(nodes.client('A'.repeat(24), node), fezID), [401, true])
    assert.deepEqual(await open(of(banned), fezID), [401, true])
    assert.deepEqual(await refusal(of(banned).socket('/notification/socket')), [401, true])
    assert.deepEqual(await refusal(nodes.client(undefined, node).socket('/notification/socket')), [401, true])
    for (const socket of [
      await of(moderator).socket(`/fez/${fezID}/socket`),
      await of(unverified).socket(`/fez/${fezID}/socket`),
      await of(unverified).socket('/notification/socket'),
    ])
      socket.terminate()
    assert.ok([400, 426].includes((await of(owner).get(`/fez/${fezID}/socket`)).status))
  }
  await nodes.sql`insert into setting (name, value) values ('settings.disabledFeatures', '[{"appName":"all","featureName":"friendlyfez"}]')`
  await settingsChanged(nodes)
  try {
    for (const client of owner.clients) {
      assert.deepEqual(await open(client, fezID), [451, true])
      ;(await client.socket('/notification/socket')).terminate()
    }
  } finally {
    await nodes.sql`delete from setting where name = 'settings.disabledFeatures'`
    await settingsChanged(nodes)
  }
})

test('WS /fez/:fezID/socket and /notification/socket: at most 20 of a kind per user and node', async () => {
  const [owner] = (await people(nodes, {})) as [Person]
  const fezID = await createChat(owner.one)
  for (const path of [`/fez/${fezID}/socket`, '/notification/socket']) {
    const opening = await Promise.allSettled(Array.from({ length: 25 }, () => owner.one.socket(path)))
    const refusals = opening.flatMap((result) => (result.status === 'rejected' ? [result.reason as Refused] : []))
    assert.deepEqual(
      refusals.map(({ status }) => status),
      [400, 400, 400, 400, 400],
    )
    const [first] = opening.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    first?.ws.close()
    await first?.closed()
    await owner.one.socket(path)
    assert.deepEqual(await refusal(owner.one.socket(path)), [400, true])
    await owner.two.socket(path)
  }
})

test('POST /auth/logout: closes every chat and notification socket of the account with 1001, on both nodes, before it is answered', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [bert.id] })
  const other = await createChat(owner.two, { initialUsers: [bert.id] })
  const closing = [
    ...(await chatSockets(bert, fezID)),
    ...(await chatSockets(bert, other)),
    ...(await noticeSockets(bert)),
    ...(await noticeSockets(bert)),
  ]
  const staying = [...(await chatSockets(owner, fezID)), ...(await noticeSockets(owner))]
  await body(bert.one.post('/auth/logout'), 204)
  assert.deepEqual(new Set(await Promise.all(closing.map((socket) => socket.closed()))), new Set([1001]))
  await Promise.all(staying.map((socket) => socket.flushed()))
  for (const client of bert.clients) {
    await body(client.get('/fez/joined'), 401)
    assert.deepEqual(await refusal(client.socket('/notification/socket')), [401, true])
  }
})

test('WS /notification/socket: notices of new posts, exactly formed, to members but the poster, those who muted the chat, and those who hide him', async () => {
  const [owner, plain, muted, muter, blocker, bert] = (await people(nodes, {}, {}, {}, {}, {}, {})) as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  const members = [plain, muted, muter, blocker, bert]
  const fezID = await createChat(owner.one, { title: 'Cards "at" night', initialUsers: members.map(({ id }) => id) })
  const seamail = await createSeamail(owner.one, members, { title: 'Secret' })
  const open = await createChat(owner.one, { fezType: 'open', title: 'Plans', initialUsers: members.map(({ id }) => id) })
  await body(muted.one.post(`/fez/${fezID}/mute`), 201)
  await mute(muter, bert)
  await block(blocker, bert)
  const sockets = new Map<Person, TestSocket[]>()
  for (const who of [owner, ...members]) sockets.set(who, await noticeSockets(who))
  await say(bert.one, fezID, 'Who deals?')
  await say(bert.two, seamail, 'Psst')
  await say(bert.one, open, 'Where?')
  await say(owner.two, seamail, 'end')
  const inLfg = { type: { fezUnreadMsg: {} }, info: `@${bert.username} wrote in LFG "Cards "at" night": Who deals?`, contentID: fezID }
  const inSeamail = { type: { seamailUnreadMsg: {} }, info: `@${bert.username} wrote: Psst`, contentID: seamail }
  const inOpen = { type: { seamailUnreadMsg: {} }, info: `@${bert.username} wrote in Seamail "Plans": Where?`, contentID: open }
  const end = { type: { seamailUnreadMsg: {} }, info: `@${owner.username} wrote: end`, contentID: seamail }
  const isEnd = (frame: { info: string }) => frame.info === end.info
  for (const who of members) await Promise.all((sockets.get(who) ?? []).map((socket) => socket.until(isEnd)))
  await Promise.all([...sockets.values()].flat().map((socket) => socket.flushed()))
  const expected: [Person, object[]][] = [
    [plain, [inLfg, inSeamail, inOpen, end]],
    [muted, [inSeamail, inOpen, end]],
    [muter, [end]],
    [blocker, [end]],
    [bert, [end]],
    [owner, [inLfg, inSeamail, inOpen]],
  ]
  const sorted = (frames: object[]) => frames.map((frame) => JSON.stringify(frame)).sort()
  for (const [who, frames] of expected) for (const socket of sockets.get(who) ?? []) assert.deepEqual(sorted(socket.frames), sorted(frames))
})

test('GET /notification/user: numbers of new and unread chats, the same on both nodes', async () => {
  const [owner, bert] = (await people(nodes, {}, {})) as [Person, Person]
  const lfgIDs = [await createChat(owner.one), await createChat(owner.one)] as [string, string]
  const [notices] = await noticeSockets(bert)
  const [, noticesOnTwo] = await noticeSockets(bert)
  const counts = async () => {
    const answers = await Promise.all(bert.clients.map((client) => body(client.get('/notification/user'))))
    const [first, second] = answers.map((data) => [
      data.addedToLFGCount,
      data.addedToSeamailCount,
      data.newFezMessageCount,
      data.newSeamailMessageCount,
    ])
    assert.deepEqual(first, second)
    return first
  }
  /** Both nodes know of the post: bert was told on both. */
  const heard = async (fezID: string, text: string) => {
    await say(owner.one, fezID, text)
    await Promise.all([notices, noticesOnTwo].map((socket) => socket.until((frame) => frame.info.endsWith(`: ${text}`), text)))
  }
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  const seamail = await createSeamail(owner.one, [bert])
  assert.deepEqual(await counts(), [0, 1, 0, 0])
  await heard(seamail, 'in a new chat')
  assert.deepEqual(await counts(), [0, 1, 0, 0])
  await heard(seamail, 'and once more')
  await body(bert.two.get(`/fez/${seamail}?limit=1`))
  assert.deepEqual(await counts(), [0, 0, 0, 1])
  await body(bert.one.get(`/fez/${seamail}`))
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  for (const fezID of lfgIDs) await body(bert.two.post(`/fez/${fezID}/join`), 201)
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  await heard(lfgIDs[0], 'first')
  await heard(lfgIDs[0], 'second')
  await heard(lfgIDs[1], 'third')
  assert.deepEqual(await counts(), [0, 0, 2, 0])
  await body(bert.one.get(`/fez/${lfgIDs[0]}?limit=1`))
  assert.deepEqual(await counts(), [0, 0, 2, 0])
  await body(bert.two.get(`/fez/${lfgIDs[0]}`))
  assert.deepEqual(await counts(), [0, 0, 1, 0])
  await body(bert.two.post(`/fez/${lfgIDs[1]}/mute`), 201)
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  await body(bert.one.delete(`/fez/${lfgIDs[1]}/mute`), 204)
  assert.deepEqual(await counts(), [0, 0, 1, 0])
  await mute(bert, owner)
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  await unmute(bert, owner, 1)
  assert.deepEqual(await counts(), [0, 0, 1, 0])
  const [postID] = (await body(owner.two.get(`/fez/${lfgIDs[1]}`))).members.posts.map((post: { postID: number }) => post.postID)
  await body(owner.two.delete(`/fez/post/${postID}`), 204)
  assert.deepEqual(await counts(), [0, 0, 0, 0])
  await heard(lfgIDs[1], 'fourth')
  assert.deepEqual(await counts(), [0, 0, 1, 0])
  // Having written counts as having read.
  await say(bert.one, lfgIDs[1], 'mine')
  await heard(seamail, 'fifth')
  assert.deepEqual(await counts(), [0, 0, 0, 1])
  await heard(lfgIDs[0], 'sixth')
  assert.deepEqual(await counts(), [0, 0, 1, 1])
  await body(bert.two.post(`/fez/${lfgIDs[0]}/unjoin`))
  assert.deepEqual(await counts(), [0, 0, 0, 1])
  await body(owner.one.post(`/fez/${lfgIDs[0]}/user/${bert.id}/add`))
  assert.deepEqual(await counts(), [1, 0, 0, 1])
  await body(bert.one.get(`/fez/${lfgIDs[0]}`))
  assert.deepEqual(await counts(), [0, 0, 0, 1])
})

test('WS /fez/:fezID/socket and GET /notification/user: while Redis is away and after it is back', async (t) => {
  const redis = await ownRedis(t)
  const own = await startTestNodes(2, { redisUrl: redis.url })
  t.after(() => own.stop())
  const [owner, author, bert, foe, carl] = (await people(own, {}, {}, {}, {}, {})) as [Person, Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [author.id, bert.id, foe.id] })
  const listening = (await Promise.all(bert.clients.map((client) => client.socket(`/fez/${fezID}/socket`)))) as [TestSocket, TestSocket]
  const [here, there] = own.apps.map(({ node }) => node.bus)
  await redis.crash()
  await until(() => !here?.up && !there?.up, 'both nodes know that Redis is away')
  // Everything goes on over HTTP, and each node reads what the other wrote.
  await say(author.two, fezID, '1')
  assert.equal((await body(bert.one.get(`/fez/${fezID}`))).members.postCount, 1)
  await body(carl.one.post(`/fez/${fezID}/join`), 201)
  await body(author.two.post(`/fez/${fezID}/unjoin`))
  await block(bert, foe)
  await say(foe.two, fezID, 'hidden')
  await say(owner.two, fezID, '2')
  await body(bert.two.get(`/fez/${fezID}`))
  await say(owner.one, fezID, '3')
  for (const client of bert.clients) assert.equal((await body(client.get('/notification/user'))).newFezMessageCount, 1)
  await redis.restart()
  await until(() => Boolean(here?.up && there?.up), 'both nodes hear each other again')
  await say(carl.two, fezID, 'end')
  for (const socket of listening) {
    await socket.until(({ text }) => text === 'end', 'the last post')
    await socket.flushed()
    assert.deepEqual(
      story(socket).filter((text) => !/^[+-]/.test(text)),
      ['1', '2', '3', 'end'],
    )
    assert.deepEqual(
      story(socket)
        .filter((text) => /^[+-]/.test(text))
        .sort(),
      [`+${carl.username}`, `-${author.username}`],
    )
  }
})
