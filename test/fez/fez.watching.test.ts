// Who looks at a chat, for sockets that ask for it: over two nodes, by rights and blocks.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { TestSocket } from '../support/client.ts'
import { until } from '../support/until.ts'
import { block, body, createChat, createSeamail, people, say, type Person } from '../support/fez.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const asking = (fezID: string) => `/fez/${fezID}/socket?watching=true`
const namesIn = (frame: { watching?: readonly { username: string }[] }) => frame.watching?.map(({ username }) => username).sort()
/** Waits until the last that a socket was told is exactly these people. */
const told = (socket: TestSocket, ...those: readonly Person[]) =>
  until(() => {
    const last = socket.frames.findLast((frame) => 'watching' in frame)
    return last !== undefined && JSON.stringify(namesIn(last)) === JSON.stringify(those.map(({ username }) => username).sort())
  }, `it is told of ${those.length} people`)

test('WS /fez/:fezID/socket?watching=true: members with an open socket on any node, as they come and go; nothing without it', async () => {
  const [heidi, sam, kim] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const chat = await createSeamail(heidi.one, [sam, kim])
  const socket = await heidi.one.socket(asking(chat))
  await told(socket)
  const [plain, other] = [await sam.two.socket(`/fez/${chat}/socket`), await kim.one.socket(asking(chat))]
  await told(socket, sam, kim)
  await told(other, heidi, sam)
  // A second device of the same person changes nothing, and its end neither.
  const second = await sam.one.socket(`/fez/${chat}/socket`)
  second.terminate()
  other.terminate()
  await told(socket, sam)
  plain.terminate()
  await told(socket)
  await say(kim.one, chat, 'hello')
  await socket.until((frame) => frame.text === 'hello', 'posts come as ever')
  assert.ok(
    plain.frames.every((frame) => !('watching' in frame)),
    'who does not ask is not told',
  )
})

test('WS /fez/:fezID/socket?watching=true: neither of a block sees the other, and nobody sees a moderator who is no member', async () => {
  const [heidi, sam, kim, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const chat = await createChat(heidi.one)
  for (const person of [sam, kim]) await body(person.one.post(`/fez/${chat}/join`), 201)
  await block(kim, sam)
  const [own, watcher, blocker, outsider] = [
    await heidi.one.socket(asking(chat)),
    await sam.two.socket(asking(chat)),
    await kim.one.socket(asking(chat)),
    await moderator.one.socket(asking(chat)),
  ]
  await told(own, sam, kim)
  await told(watcher, heidi)
  await told(blocker, heidi)
  await told(outsider, heidi, sam, kim)
  // Whoever has left the chat is not shown, and is told nothing more.
  await body(sam.one.post(`/fez/${chat}/unjoin`))
  blocker.terminate()
  await told(outsider, heidi)
  await told(own)
  for (const { frames } of [own, watcher, blocker]) {
    assert.ok(frames.every((frame) => !namesIn(frame)?.includes(moderator.username)))
  }
  assert.ok(watcher.frames.every((frame) => !namesIn(frame)?.includes(kim.username)))
  assert.ok(blocker.frames.every((frame) => !namesIn(frame)?.includes(sam.username)))
})

test('WS /fez/:fezID/socket?watching=true: whoever is in a block from now on is shown to the other no longer', async () => {
  const [heidi, sam, kim] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const chat = await createSeamail(kim.one, [heidi, sam])
  const [blocker, blocked, third] = [
    await heidi.one.socket(asking(chat)),
    await sam.two.socket(asking(chat)),
    await kim.two.socket(asking(chat)),
  ]
  await told(blocker, sam, kim)
  await told(blocked, heidi, kim)
  await block(heidi, sam)
  await told(blocker, kim)
  await told(blocked, kim)
  await told(third, heidi, sam)
})

test('WS /fez/:fezID/socket?watching=true: in a chat of more than fifty nobody is told, in one of fifty they are', async () => {
  const members = await people(nodes, ...Array.from({ length: 51 }, () => ({})))
  const [owner, friend] = members as [Person, Person]
  const chatOf = (count: number) => createChat(owner.one, { initialUsers: members.slice(1, count).map(({ id }) => id) })
  const [large, small] = [await chatOf(51), await chatOf(50)]
  const [inLarge, inSmall] = [await owner.one.socket(asking(large)), await owner.one.socket(asking(small))]
  await friend.two.socket(`/fez/${large}/socket`)
  // Of this one the owner would be told later.
  await friend.two.socket(`/fez/${small}/socket`)
  await told(inSmall, friend)
  await inLarge.flushed()
  assert.deepEqual(
    inLarge.frames.filter((frame) => 'watching' in frame),
    [],
  )
})
