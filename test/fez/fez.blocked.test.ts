// Chats whose owner is in a block with a member: left, but not opened, and nothing tells of them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { block, body, createChat, listen, people, refused, say, unblock, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const blockedUser = { userID: '00000000-0000-4000-8000-0000000000ff', username: 'BlockedUser' }
const numbersOf = async (person: Person) => {
  const answers = await Promise.all(person.clients.map((client) => body(client.get('/notification/user'))))
  return answers.map(({ newFezMessageCount, addedToLFGCount, newPrivateEventMessageCount, addedToPrivateEventCount, nextJoinedLFGID }) => ({
    newFezMessageCount,
    addedToLFGCount,
    newPrivateEventMessageCount,
    addedToPrivateEventCount,
    nextJoinedLFGID,
  }))
}
/** Both nodes say so now. */
async function numbersAre(person: Person, expected: object): Promise<void> {
  assert.deepEqual(await numbersOf(person), [expected, expected])
}
/** Both nodes say so soon: of a post, one hears from the other. */
async function numbersBecome(person: Person, expected: object): Promise<void> {
  await until(async () => isDeepStrictEqual(await numbersOf(person), [expected, expected]), `both nodes have ${JSON.stringify(expected)}`)
}
const nothing = {
  newFezMessageCount: 0,
  addedToLFGCount: 0,
  newPrivateEventMessageCount: 0,
  addedToPrivateEventCount: 0,
  nextJoinedLFGID: undefined,
}
const soon = () => new Date(Date.now() + 3_600_000).toISOString()

test('POST /fez/:fezID/post: the answer names the members as the chat does, without those whom its author blocks', async () => {
  const [owner, blocker, blockedOne] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { fezType: 'gaming', initialUsers: [blocker.id, blockedOne.id] })
  await block(blocker, blockedOne)
  // The same answers, in turn: what one of them is shown may be kept for the next.
  for (const who of [owner, blocker, owner, blocker]) {
    const content = { text: 'who is here', images: [], postAsModerator: false, postAsTwitarrTeam: false }
    const answer = await body(who.one.post(`/fez/${fezID}/post`, content), 201)
    const { participants } = (await body(who.one.get(`/fez/${fezID}`))).members
    assert.deepEqual(answer.members.participants, participants)
    const ids = participants.map(({ userID }: { userID: string }) => userID)
    assert.equal(ids.includes(blockedOne.id), who === owner)
  }
})

test('POST /fez/:fezID/unjoin: also when the owner and the member block each other', async () => {
  for (const byOwner of [true, false]) {
    const [owner, member, other] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    for (const more of [
      {},
      { fezType: 'privateEvent', startTime: soon(), location: 'Cabin', initialUsers: [other.id] },
      { fezType: 'open' },
    ]) {
      const fezID = await createChat(owner.one, more)
      const group = !('fezType' in more)
      if (group) await body(member.one.post(`/fez/${fezID}/join`), 201)
      else await body(owner.one.post(`/fez/${fezID}/user/${member.id}/add`))
      await (byOwner ? block(owner, member) : block(member, owner))
      await refused(member.one.get(`/fez/${fezID}`), 400)
      const left = await body(member.two.post(`/fez/${fezID}/unjoin`))
      assert.equal(left.fezID, fezID)
      assert.equal(left.members, undefined)
      assert.deepEqual([left.owner.userID, left.owner.username], [blockedUser.userID, blockedUser.username])
      assert.deepEqual((await body(member.one.get('/fez/joined'))).fezzes, [])
      // Now it is any chat that they cannot see.
      assert.equal(
        await refused(member.one.post(`/fez/${fezID}/unjoin`), 400),
        await refused(member.one.post(`/fez/${randomUUID()}/unjoin`), 400),
      )
      await (byOwner ? unblock(owner, member) : unblock(member, owner))
    }
  }
})

test('GET /notification/user and /notification/socket: nothing of a chat whose owner is in a block with the member, until it ends', async () => {
  const [owner, member, friend] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { startTime: soon(), initialUsers: [member.id, friend.id] })
  const event = await createChat(owner.one, {
    fezType: 'privateEvent',
    startTime: soon(),
    location: 'Cabin',
    initialUsers: [member.id, friend.id],
  })
  await body(member.one.get(`/fez/${fezID}`))
  await say(friend.one, fezID, 'hello')
  const shown = { ...nothing, newFezMessageCount: 1, addedToPrivateEventCount: 1, nextJoinedLFGID: fezID }
  await numbersAre(member, shown)
  await block(member, owner)
  await numbersAre(member, nothing)
  const [socket] = await listen(member)
  await say(friend.one, fezID, 'again')
  await say(friend.one, event, 'again')
  await numbersBecome(member, nothing)
  const seen = await createChat(friend.one, { initialUsers: [member.id] })
  await body(member.one.get(`/fez/${seen}`))
  await say(friend.one, seen, 'now this')
  await socket?.until(({ type }) => 'fezUnreadMsg' in type)
  assert.deepEqual([...new Set(socket?.frames.map(({ contentID }) => contentID))], [seen])
  await numbersBecome(member, { ...nothing, newFezMessageCount: 1 })
  // Blocks do not hold for moderators.
  const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
  await body(tho.one.post(`/admin/moderator/promote/${owner.id}`))
  await numbersAre(member, { ...shown, newFezMessageCount: 2 })
  await body(tho.one.post(`/admin/user/demote/${owner.id}`))
  await numbersAre(member, { ...nothing, newFezMessageCount: 1 })
  await unblock(member, owner, 1)
  await numbersAre(member, { ...shown, newFezMessageCount: 2 })
})

test('GET /fez/:fezID: personal and private events are not there for strangers; moderators and members see them', async () => {
  const [owner, member, stranger, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const personal = await createChat(owner.one, { fezType: 'personalEvent', title: 'Secret', startTime: soon() })
  const event = await createChat(owner.one, {
    fezType: 'privateEvent',
    title: 'Secret',
    startTime: soon(),
    location: 'Cabin',
    initialUsers: [member.id],
  })
  const post = { text: 'x', images: [] }
  const missing = await refused(stranger.one.get(`/fez/${randomUUID()}`), 400)
  for (const fezID of [personal, event]) {
    assert.equal(await refused(stranger.two.get(`/fez/${fezID}`), 400), missing)
    for (const path of ['join', 'unjoin', 'cancel', 'mute', 'report', 'post']) {
      const value = path === 'post' ? post : path === 'report' ? { message: '' } : undefined
      assert.equal(await refused(stranger.one.post(`/fez/${fezID}/${path}`, value), 400), missing, path)
    }
    await assert.rejects(stranger.one.socket(`/fez/${fezID}/socket`), { status: 400 })
    assert.equal((await body(moderator.one.get(`/fez/${fezID}`))).title, 'Secret')
  }
  assert.equal((await body(member.one.get(`/fez/${event}`))).title, 'Secret')
  // An owner who has left keeps what is theirs.
  await body(owner.one.post(`/fez/${event}/unjoin`))
  assert.equal((await body(owner.one.get(`/fez/${event}`))).title, 'Secret')
  const { members, ...left } = await body(member.one.post(`/fez/${event}/unjoin`))
  assert.deepEqual([members, left.title, left.info], [undefined, 'Secret', 'Some cards'])
  assert.equal(await refused(member.one.get(`/fez/${event}`), 400), missing)
})

for (const [what, begin, end, whom] of [
  ['a mute', 'mute', 'unmute', 'talker'],
  ['a block of the owner', 'block', 'unblock', 'owner'],
] as const)
  test(`WS /fez/:fezID/socket: what is said once ${what} has ended arrives, also where nobody knows of the end yet`, async () => {
    const [owner, member, talker] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const { id } = { owner, talker }[whom]
    const fezID = await createChat(owner.one, { fezType: 'open', info: '', initialUsers: [member.id, talker.id] })
    const socket = await member.two.socket(`/fez/${fezID}/socket`)
    await body(member.one.post(`/users/${id}/${begin}`), 201)
    await say(talker.one, fezID, 'hidden')
    // The channels of the member cannot be read for a while.
    const lock = await hold(nodes.database.url, 'lock table hit in access exclusive mode')
    const ending = member.one.post(`/users/${id}/${end}`)
    await lock.awaited(2)
    for (const text of ['shown', 'shown, too']) await say(talker.one, fezID, text)
    await lock.release()
    await ending
    await until(() => socket.frames.length >= 2, 'what was said since has arrived')
    assert.deepEqual(
      socket.frames.map(({ text }) => text),
      ['shown', 'shown, too'],
    )
  })
