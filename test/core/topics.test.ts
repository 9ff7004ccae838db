// Frames for more sockets than are written to in one turn of the loop: they get them portion by portion, and none of them twice,
// not at all, or out of order.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import type { TemplatedApp } from 'uWebSockets.js'
import { Topics, type Subscriber } from '../../src/core/http/topics.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { TestSocket } from '../support/client.ts'
import { body, createChat, createSeamail, mute, people, say, type Person } from '../support/fez.ts'
import { randomTest } from '../support/random-runs.ts'

/** As many as one account may have. */
const socketsEach = 20

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1)
})
after(() => nodes.stop())

async function manySockets(everyone: readonly Person[], path: string): Promise<{ who: Person; socket: TestSocket }[]> {
  const opening = everyone.flatMap((who) => Array.from({ length: socketsEach }, async () => ({ who, socket: await who.one.socket(path) })))
  return await Promise.all(opening)
}

test('a chat with 300 sockets: each gets the posts of a burst in order, without those of somebody whom its user mutes meanwhile', async () => {
  const everyone = await people(nodes, ...Array.from({ length: 15 }, () => ({})))
  const [owner, loud, writer, muter, latecomer] = everyone as [Person, Person, Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: everyone.slice(1).map(({ id }) => id) })
  const path = `/fez/${fezID}/socket`
  const sockets = await manySockets(
    everyone.filter((who) => who !== latecomer),
    path,
  )
  const late: TestSocket[] = []
  const sayMany = async (by: Person, what: string) => {
    const texts = Array.from({ length: 8 }, (_, nr) => `${what} ${nr}`)
    return await Promise.all(texts.map((text) => say(by.one, fezID, text)))
  }
  await Promise.all([sayMany(owner, 'one'), sayMany(loud, 'two'), late.push(await latecomer.one.socket(path)), sayMany(writer, 'three')])
  const whileMuting = await Promise.all([sayMany(writer, 'four'), sayMany(loud, 'five'), mute(muter, loud), sayMany(owner, 'six')])
  const unheard = new Set(await sayMany(loud, 'seven'))
  await say(writer.one, fezID, 'the end')
  late.push(await latecomer.one.socket(path))
  const veryLast = await say(owner.one, fezID, 'the very end')

  const rows = await nodes.sql<{ id: number }[]>`select id from fez_post where fez_id = ${fezID} order by id`
  const all = rows.map(({ id }) => id)
  assert.equal(all.length, 58)
  const idsOf = async (socket: TestSocket) => {
    await socket.until(({ postID }) => postID === veryLast)
    return socket.frames.map(({ postID }) => postID as number)
  }
  for (const { who, socket } of sockets) {
    const ids = await idsOf(socket)
    const doubtful = new Set(who === muter ? whileMuting[1] : [])
    const expected = who === muter ? all.filter((id) => !unheard.has(id)) : all
    assert.deepEqual(
      ids.filter((id) => !doubtful.has(id)),
      expected.filter((id) => !doubtful.has(id)),
    )
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((a, b) => a - b),
    )
  }
  const [early, newest] = late as [TestSocket, TestSocket]
  const seenEarly = await idsOf(early)
  assert.deepEqual(seenEarly, all.slice(-seenEarly.length))
  assert.deepEqual(await idsOf(newest), [veryLast])
})

test('announcements at 300 sockets come in order, and before the notices of what was written afterwards', async () => {
  const [team] = (await people(nodes, { level: 'serviceteam' })) as [Person]
  const everyone = await people(nodes, ...Array.from({ length: 15 }, () => ({})))
  const sockets = await manySockets(everyone, '/notification/socket')
  const announce = (text: string) =>
    body(team.one.post('/notification/announcement/create', { text, displayUntil: new Date(Date.now() + 60 * 60_000).toISOString() }), 201)
  const texts = Array.from({ length: 6 }, (_, nr) => `Announcement ${nr}`)
  const [first] = everyone as [Person]
  const threads = new Map(
    await Promise.all(everyone.slice(1).map(async (who) => [who, await createSeamail(first.one, [who])] as [Person, string])),
  )
  for (const text of texts) {
    await announce(text)
    await Promise.all([...threads.values()].map((fezID) => say(first.one, fezID, `after ${text}`)))
  }
  for (const { who, socket } of sockets) {
    if (who === first) await socket.until(({ info }) => info === texts.at(-1))
    else await socket.until(({ info }) => String(info).endsWith(`: after ${texts.at(-1)}`))
    const infos = socket.frames.map(({ info }) => String(info)).filter((info) => info.includes('Announcement'))
    const expected = texts.flatMap((text) => (who === first ? [text] : [text, `@${first.username} wrote: after ${text}`]))
    assert.deepEqual(infos, expected)
  }
})

/** A socket to which what is published to a native topic comes at once. */
class FakeSocket implements Subscriber {
  portions: Subscriber['portions'] = []
  readonly got: string[] = []
  readonly names = new Set<string>()
  readonly ws = {
    subscribe: (name: string) => void this.names.add(name),
    unsubscribe: (name: string) => void this.names.delete(name),
  }
}

/** 600 subscribers of one topic. */
function crowdedDeck() {
  const topics = new Topics()
  const crowd = Array.from({ length: 600 }, () => new FakeSocket())
  const others = Array.from({ length: 8 }, () => new FakeSocket())
  const publish = (name: string, frame: Uint8Array) => {
    for (const { names, got } of [...crowd, ...others]) if (names.has(name)) got.push(Buffer.from(frame).toString())
  }
  topics.apps = [{ publish } as unknown as TemplatedApp]
  for (const socket of crowd) topics.subscribe(socket, 'deck')
  return { topics, crowd, others }
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a topic with 600 sockets: 256 are written to in a turn of the loop, later frames go with those that wait', async () => {
  const { topics, crowd } = crowdedDeck()
  const counts = () => [1, 2].map((frames) => crowd.filter(({ got }) => got.length >= frames).length)
  topics.publish('deck', Buffer.from('one'))
  assert.deepEqual(counts(), [256, 0])
  topics.publish('deck', Buffer.from('two'))
  assert.deepEqual(counts(), [256, 256])
  // The loop runs immediates before it writes what was published.
  await nextTurn()
  assert.deepEqual(counts(), [256, 256])
  await nextTurn()
  assert.deepEqual(counts(), [512, 512])
  await nextTurn()
  assert.deepEqual(counts(), [600, 600])
  topics.publish('deck', Buffer.from('three'))
  assert.equal(crowd.filter(({ got }) => got.length === 3).length, 256, 'as many as in the first turn')
})

test('a topic with 600 sockets and something new in every turn of the loop: it goes around among all of them', async () => {
  const { topics, crowd } = crowdedDeck()
  for (let turn = 1; turn <= 12; turn++) {
    topics.publish('deck', Buffer.from(String(turn)))
    await nextTurn()
    const behind = turn - 3
    for (const { got } of crowd) assert.ok(got.length >= behind, `after turn ${turn} a socket has ${got.length} frames`)
  }
  for (let turn = 0; turn < 3; turn++) await nextTurn()
  for (const { got } of crowd) assert.equal(got.length, 12)
})

test('who subscribes twice gets a frame once, and who subscribes after it has closed is in no portion', () => {
  const { topics, crowd } = crowdedDeck()
  const [twice] = crowd as [FakeSocket]
  topics.subscribe(twice, 'deck')
  topics.publish('deck', Buffer.from('one'))
  topics.unsubscribe(twice, 'deck')
  topics.publish('deck', Buffer.from('two'))
  assert.deepEqual([twice.got, twice.names.size], [['one'], 0])
  const closed: Subscriber = { ws: undefined, portions: [] }
  topics.subscribe(closed, 'deck')
  assert.deepEqual(closed.portions, [])
})

test('a socket in two topics gets what is published to either, and leaves one of them', () => {
  const { topics, others } = crowdedDeck()
  const [both, one] = others as [FakeSocket, FakeSocket]
  for (const socket of [both, one]) topics.subscribe(socket, 'bridge')
  topics.subscribe(both, 'galley')
  topics.publish('bridge', Buffer.from('one'))
  topics.publish('galley', Buffer.from('two'))
  topics.unsubscribe(both, 'bridge')
  topics.publish('bridge', Buffer.from('three'))
  topics.publish('galley', Buffer.from('four'))
  assert.deepEqual(
    [both.got, one.got],
    [
      ['one', 'two', 'four'],
      ['one', 'three'],
    ],
  )
})

const step = fc.tuple(fc.constantFrom('come', 'leave', 'close', 'publish', 'publish', 'send', 'turn'), fc.nat(7))

randomTest(
  'topics',
  'any order of coming, leaving, publishing and sending: each socket gets all that was for it, in that order',
  100,
  async (run) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { topics, crowd, others } = crowdedDeck()
        const members = new Set(crowd)
        const expected = new Map<FakeSocket, string[]>([...crowd, ...others].map((socket) => [socket, []]))
        for (const [index, [what, at]] of steps.entries()) {
          const socket = others[at] as FakeSocket
          const text = `${what} ${index}`
          if (what === 'come' && !members.has(socket)) {
            topics.subscribe(socket, 'deck')
            members.add(socket)
          } else if (what === 'leave' && members.delete(socket)) topics.unsubscribe(socket, 'deck')
          else if (what === 'close' && members.delete(socket)) {
            topics.publishBefore(socket)
            socket.names.clear()
            topics.closed(socket)
          } else if (what === 'publish') {
            topics.publish('deck', Buffer.from(text))
            for (const member of members) expected.get(member)?.push(text)
          } else if (what === 'send') {
            topics.publishBefore(socket)
            socket.got.push(text)
            expected.get(socket)?.push(text)
          } else if (what === 'turn') await nextTurn()
        }
        for (let turns = 0; turns < 3; turns++) await nextTurn()
        for (const [socket, texts] of expected) assert.deepEqual(socket.got, texts)
      }),
      run,
    )
  },
)
