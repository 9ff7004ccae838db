// Phone calls over two nodes: every documented sequence for every place of the phones, refusals in
// their order, faults of nodes and of Redis.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { after, before, describe, test, type TestContext } from 'node:test'
import { startApp, type App } from '../../src/app.ts'
import { published, startTestNodes, type TestNodes } from '../support/app.ts'
import { Client, Refused, type TestSocket } from '../support/client.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { block, body, mute, people, refused, unblock, unmute, type Person } from '../support/fez.ts'
import { linkTo, type Link } from '../support/link.ts'
import { RawConnection } from '../support/raw.ts'
import { ownRedis } from '../support/services.ts'
import { disable } from '../support/settings.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const here = [0, 1]
const pairs = here.flatMap((a) => here.map((b) => [a, b] as const))
const triples = pairs.flatMap(([a, b]) => here.map((c) => [a, b, c] as const))

/** What a notification socket was told, as `incomingPhoneCall <id>`. */
const told = ({ frames }: TestSocket): string[] => frames.map(({ type, contentID }) => `${Object.keys(type as object).join()} ${contentID}`)

/** People of whom each has favorited the first. */
async function callers(count: number, place = nodes): Promise<Person[]> {
  const everybody = await people(place, ...Array.from({ length: count }, () => ({})))
  const [first, ...others] = everybody as [Person, ...Person[]]
  for (const other of others) await favorite(other, first)
  return everybody
}

const favorite = (who: Person, whom: Person) => body(who.one.post(`/users/${whom.id}/favorite`), 201)
const listen = (who: Person, node: number) => (who.clients[node] as Client).socket('/notification/socket')
const listenEverywhere = (who: Person) => Promise.all(who.clients.map((client) => client.socket('/notification/socket')))
const dial = (caller: Person, node: number, callee: Person, callID: string) =>
  (caller.clients[node] as Client).socket(`/phone/socket/initiate/${callID}/to/${callee.id}`)
const dialDirect = (caller: Person, node: number, callee: { id: string }, callID: string, address: unknown = { ipV4Addr: '10.0.0.7' }) =>
  (caller.clients[node] as Client).post(`/phone/initiate/${callID}/to/${callee.id}`, address)
const pickUp = (callee: Person, node: number, callID: string) => (callee.clients[node] as Client).socket(`/phone/socket/answer/${callID}`)
const decline = (who: Person, node: number, callID: string) => body((who.clients[node] as Client).post(`/phone/decline/${callID}`))
const answer = (who: Person, node: number, callID: string) => body((who.clients[node] as Client).post(`/phone/answer/${callID}`))

/** Resolves when a socket was told `what` as its last, and everything before it. */
async function hears(socket: TestSocket, ...what: string[]): Promise<void> {
  await socket.count(what.length)
  assert.deepEqual(told(socket), what)
}

/** Whatever the nodes have told each other before has reached these sockets. */
async function settled(...sockets: TestSocket[]): Promise<void> {
  await published(nodes)
  await Promise.all(sockets.map((socket) => socket.flushed()))
}

async function refusal(opening: Promise<TestSocket>): Promise<[status: number, reason: string]> {
  const error = await opening.then(
    (socket) => {
      socket.terminate()
    },
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof Refused, 'the socket was opened')
  return [error.status, (error.body as { reason: string }).reason]
}

/** The start frame of both phone sockets, and no other. */
async function started(...phones: TestSocket[]): Promise<void> {
  for (const phone of phones) {
    await phone.count(1)
    assert.ok(Buffer.isBuffer(phone.frames[0]), 'the start is a binary frame')
    assert.match(String(phone.frames[0]), /^\{"phonecallStartTime":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"\}$/)
  }
  assert.equal(new Set(phones.map(({ frames }) => String(frames[0]))).size, 1)
}

const speak = (phone: TestSocket, frame: Buffer) => phone.ws.send(frame)

/** Frames go both ways. */
async function talk(a: TestSocket, b: TestSocket): Promise<void> {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    const frame = randomBytes(644)
    speak(from, frame)
    await to.until((received) => Buffer.isBuffer(received) && received.equals(frame), 'audio')
  }
}

/** An active relayed call. */
async function connect(
  caller: Person,
  callerNode: number,
  callee: Person,
  calleeNode: number,
): Promise<{ callID: string; phones: [TestSocket, TestSocket] }> {
  const callID = randomUUID()
  const calling = await dial(caller, callerNode, callee, callID)
  const answering = await pickUp(callee, calleeNode, callID)
  await started(calling, answering)
  return { callID, phones: [calling, answering] }
}

describe('a relayed call', () => {
  for (const [a, b1, b2] of triples) {
    test(`caller on node ${a}, devices of the callee on ${b1} and ${b2}: answered on the first, ended by the caller`, async () => {
      const [anna, bert] = (await callers(2)) as [Person, Person]
      const [first, second, ...annas] = [await listen(bert, b1), await listen(bert, b2), ...(await listenEverywhere(anna))] as [
        TestSocket,
        TestSocket,
        TestSocket,
        TestSocket,
      ]
      const callID = randomUUID()
      const calling = await dial(anna, a, bert, callID.toUpperCase())
      for (const socket of [first, second]) await hears(socket, `incomingPhoneCall ${callID}`)
      assert.deepEqual(first.frames[0], {
        type: { incomingPhoneCall: {} },
        info: anna.username,
        contentID: callID,
        caller: { userID: anna.id, username: anna.username },
      })
      speak(calling, Buffer.from('too early'))
      const answering = await pickUp(bert, b1, callID)
      for (const socket of [first, second]) await hears(socket, `incomingPhoneCall ${callID}`, `phoneCallAnswered ${callID}`)
      assert.deepEqual(second.frames[1], { type: { phoneCallAnswered: {} }, info: '', contentID: callID })
      await started(calling, answering)
      await talk(calling, answering)
      await answer(bert, b1, callID)
      await talk(calling, answering)
      calling.ws.close()
      assert.equal(await answering.closed(), 1001)
      const all = ['incomingPhoneCall', 'phoneCallAnswered', 'phoneCallAnswered', 'phoneCallEnded'].map((type) => `${type} ${callID}`)
      for (const socket of [first, second]) await hears(socket, ...all)
      assert.deepEqual(second.frames[3], { type: { phoneCallEnded: {} }, info: '', contentID: callID })
      await decline(anna, a, callID)
      await decline(bert, b2, callID)
      await settled(first, second, ...annas)
      for (const socket of [first, second]) assert.deepEqual(told(socket), all)
      for (const socket of annas) assert.deepEqual(told(socket), [])
      assert.deepEqual([calling.frames.length, answering.frames.length], [3, 3], 'the start and two frames of the other')
    })
  }

  for (const [a, b] of pairs) {
    test(`caller on node ${a}, callee on ${b}: ended by the callee, by a request of either, declined, cancelled`, async () => {
      const [anna, bert] = (await callers(2)) as [Person, Person]
      const [phone, annas] = [await listen(bert, 1 - b), await listen(anna, 1 - a)]
      const story: string[] = []
      const ends: [name: string, end: (call: Awaited<ReturnType<typeof connect>>) => unknown, annaHears: boolean][] = [
        ['by the callee', ({ phones: [, answering] }) => answering.ws.close(), false],
        ['by the callee without a word', ({ phones: [, answering] }) => answering.terminate(), false],
        ['by a request of the caller', ({ callID }) => decline(anna, 1 - a, callID), true],
        ['by a request of the callee', ({ callID }) => decline(bert, b, callID), true],
      ]
      const annasStory: string[] = []
      for (const [, end, annaHears] of ends) {
        const call = await connect(anna, a, bert, b)
        await talk(...call.phones)
        await end(call)
        for (const socket of call.phones) await socket.closed()
        story.push(`incomingPhoneCall ${call.callID}`, `phoneCallAnswered ${call.callID}`, `phoneCallEnded ${call.callID}`)
        await hears(phone, ...story)
        if (annaHears) annasStory.push(`phoneCallEnded ${call.callID}`)
        await hears(annas, ...annasStory)
      }
      for (const [end, annaHears] of [
        [(callID: string) => decline(bert, b, callID), true],
        [(_: string, calling: TestSocket) => calling.ws.close(), false],
        [(callID: string) => decline(anna, b, callID), true],
      ] as const) {
        const callID = randomUUID()
        const calling = await dial(anna, a, bert, callID)
        await phone.count(story.length + 1)
        await end(callID, calling)
        await calling.closed()
        story.push(`incomingPhoneCall ${callID}`, `phoneCallEnded ${callID}`)
        await hears(phone, ...story)
        if (annaHears) annasStory.push(`phoneCallEnded ${callID}`)
        await hears(annas, ...annasStory)
        // What clients do when they hear of it.
        await decline(anna, 1 - a, callID)
        assert.equal((await refusal(pickUp(bert, b, callID)))[0], 400)
      }
    })
  }

  test('is answered once, whichever nodes the answers come to', async () => {
    for (const [a, b] of pairs) {
      const [anna, bert] = (await callers(2)) as [Person, Person]
      await listen(bert, 0)
      const callID = randomUUID()
      const calling = await dial(anna, a, bert, callID)
      const answers = await Promise.allSettled([pickUp(bert, b, callID), pickUp(bert, 1 - b, callID), pickUp(bert, b, callID)])
      const won = answers.filter((result) => result.status === 'fulfilled').map(({ value }) => value)
      assert.equal(won.length, 1)
      for (const lost of answers) if (lost.status === 'rejected') assert.equal((lost.reason as Refused).status, 400)
      await started(calling, won[0] as TestSocket)
      await talk(calling, won[0] as TestSocket)
      assert.deepEqual(await refusal(pickUp(bert, 1 - b, callID)), [400, 'This call was answered on another device.'])
    }
  })

  test("is nobody else's", async () => {
    const [anna, bert, carl] = (await callers(3)) as [Person, Person, Person]
    const [phone, annas, carls] = [await listen(bert, 1), await listen(anna, 0), await listen(carl, 1)]
    const callID = randomUUID()
    const calling = await dial(anna, 0, bert, callID)
    const unknown = await refusal(pickUp(bert, 0, randomUUID()))
    for (const node of here) {
      for (const who of [anna, carl]) assert.deepEqual(await refusal(pickUp(who, node, callID)), unknown)
      await decline(carl, node, callID)
      await answer(carl, node, callID)
      await answer(anna, node, callID)
    }
    await settled(phone, annas, carls)
    assert.deepEqual([told(phone), told(annas), told(carls)], [[`incomingPhoneCall ${callID}`], [], []])
    const answering = await pickUp(bert, 1, callID)
    await started(calling, answering)
    for (const node of here) await decline(carl, node, callID)
    await talk(calling, answering)
  })

  test('carries binary frames of up to 16 KiB as they are, and no text', async () => {
    for (const [a, b] of pairs) {
      const [anna, bert] = (await callers(2)) as [Person, Person]
      await listen(bert, 0)
      const {
        phones: [calling, answering],
      } = await connect(anna, a, bert, b)
      for (const [from, to] of [
        [calling, answering],
        [answering, calling],
      ] as const) {
        const frames = [Buffer.alloc(0), Buffer.from([0]), randomBytes(16 * 1024), Buffer.from('{"a":1}'), randomBytes(640)]
        from.ws.send('no audio')
        for (const frame of frames) speak(from, frame)
        from.ws.send('{"no":"audio"}')
        speak(from, Buffer.from('end'))
        await to.count(frames.length + 2)
        assert.deepEqual(to.frames.slice(1), [...frames, Buffer.from('end')])
      }
    }
  })

  test('goes on after a logout, and rings only phones that were there when it began', async () => {
    const [anna, bert] = (await callers(2)) as [Person, Person]
    const [early, callID] = [await listen(bert, 1), randomUUID()]
    const calling = await dial(anna, 0, bert, callID)
    await hears(early, `incomingPhoneCall ${callID}`)
    const late = await Promise.all(here.map((node) => listen(bert, node)))
    const answering = await pickUp(bert, 1, callID)
    for (const socket of late) await hears(socket, `phoneCallAnswered ${callID}`)
    await started(calling, answering)
    await body(anna.two.post('/auth/logout'), 204)
    await talk(calling, answering)
    await decline(bert, 0, callID)
    await hears(early, `incomingPhoneCall ${callID}`, `phoneCallAnswered ${callID}`, `phoneCallEnded ${callID}`)
    await settled(...late)
    for (const socket of late) assert.deepEqual(told(socket), [`phoneCallAnswered ${callID}`])
  })

  test('is closed when a phone does not read, and harms no other', async () => {
    for (const [a, b] of pairs) {
      const [anna, bert, carl, dora] = (await callers(4)) as [Person, Person, Person, Person]
      await favorite(dora, carl)
      const phone = await listen(bert, 0)
      await listen(dora, 0)
      const [stalled, healthy] = [await connect(anna, a, bert, b), await connect(carl, a, dora, b)]
      const [calling, answering] = stalled.phones
      answering.ws.pause()
      const flood = randomBytes(16 * 1024)
      const ended = calling.closed()
      while (calling.open) {
        for (let i = 0; i < 20; i++) speak(calling, flood)
        await Promise.race([calling.flushed(), ended])
        await talk(...healthy.phones)
      }
      await phone.until((frame) => 'phoneCallEnded' in frame.type, 'the end')
      await talk(...healthy.phones)
      answering.terminate()
    }
  })
})

describe('a phone that sends more than any audio', () => {
  for (const [a, b] of [
    [0, 0],
    [0, 1],
  ] as const) {
    test(`from node ${a} to node ${b}: is cut off, and harms no other`, async () => {
      const [anna, bert, carl, dora] = (await callers(4)) as [Person, Person, Person, Person]
      await favorite(dora, carl)
      await listen(bert, 0)
      await listen(dora, 0)
      const {
        phones: [calling, answering],
      } = await connect(anna, a, bert, b)
      const other = await connect(carl, a, dora, b)
      const said = new Promise<string>((resolve) => calling.ws.on('close', (_code, reason) => resolve(String(reason))))
      const ended = answering.closed()
      const flood = randomBytes(16 * 1024)
      const [begunMs, step] = [performance.now(), 10]
      let frames = 0
      for (; calling.open; frames += step) {
        for (let i = 0; i < step; i++) speak(calling, flood)
        // All has arrived before there is more: nobody is too slow here.
        await Promise.race([answering.count(1 + frames + step).catch(() => undefined), ended])
      }
      assert.equal(await said, 'This is more than a call may send.')
      // It is cut off by its bytes: 16 MiB, and half of one a second.
      const allowed = 16 * 1024 ** 2 + (512 * 1024 * (performance.now() - begunMs)) / 1000
      assert.ok((frames - step) * flood.length <= allowed, `${frames} frames`)
      assert.equal(await ended, 1001)
      await talk(...other.phones)
    })
  }
})

test('a phone that sends ever so many frames of nothing is cut off, too', async () => {
  const [anna, bert] = (await callers(2)) as [Person, Person]
  await listen(bert, 0)
  const {
    phones: [calling],
  } = await connect(anna, 0, bert, 0)
  const said = new Promise<string>((resolve) => calling.ws.on('close', (_code, reason) => resolve(String(reason))))
  const nothing = randomBytes(1)
  // A million of them are a megabyte, which is allowed: what each costs is not.
  for (let round = 0; calling.open && round < 2000; round++) {
    for (let i = 0; i < 500; i++) speak(calling, nothing)
    await new Promise((resolve) => calling.ws.ping(resolve))
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.ok(!calling.open, 'it is still let in')
  assert.equal(await said, 'This is more than a call may send.')
})

describe('a direct call', () => {
  for (const [a, b1, b2] of triples) {
    test(`caller on node ${a}, devices of the callee on ${b1} and ${b2}`, async () => {
      const [anna, bert] = (await callers(2)) as [Person, Person]
      const [first, second, ...annas] = [await listen(bert, b1), await listen(bert, b2), ...(await listenEverywhere(anna))] as [
        TestSocket,
        TestSocket,
        TestSocket,
        TestSocket,
      ]
      const address = { ipV4Addr: '10.0.0.7', ipV6Addr: 'fe80::7' }
      const ids = [randomUUID(), randomUUID(), randomUUID()] as [string, string, string]
      const [answered, declined, cancelled] = ids

      await body(dialDirect(anna, a, bert, answered.toUpperCase(), address))
      for (const socket of [first, second]) await hears(socket, `incomingPhoneCall ${answered}`)
      assert.deepEqual(second.frames[0], {
        type: { incomingPhoneCall: {} },
        info: anna.username,
        contentID: answered,
        caller: { userID: anna.id, username: anna.username },
        callerAddress: address,
      })
      assert.equal((await refusal(pickUp(bert, b1, answered)))[0], 400)
      await answer(bert, b1, answered.toUpperCase())
      for (const socket of [first, second]) await hears(socket, `incomingPhoneCall ${answered}`, `phoneCallAnswered ${answered}`)
      // The server has forgotten it: nothing comes of this, and both can be called at once.
      await decline(anna, 1 - a, answered)

      await body(dialDirect(anna, a, bert, declined, { ipV6Addr: 'fe80::7', ipV4Addr: '' }))
      await decline(bert, b2, declined)
      await body(dialDirect(anna, a, bert, cancelled))
      await decline(anna, 1 - a, cancelled)
      const [, , ...rest] = [
        `incomingPhoneCall ${answered}`,
        `phoneCallAnswered ${answered}`,
        `incomingPhoneCall ${declined}`,
        `phoneCallEnded ${declined}`,
        `incomingPhoneCall ${cancelled}`,
        `phoneCallEnded ${cancelled}`,
      ]
      for (const socket of [first, second]) {
        await hears(socket, `incomingPhoneCall ${answered}`, `phoneCallAnswered ${answered}`, ...rest)
        assert.deepEqual(socket.frames[2].callerAddress, { ipV6Addr: 'fe80::7' })
      }
      for (const socket of annas) await hears(socket, `phoneCallEnded ${declined}`, `phoneCallEnded ${cancelled}`)
    })
  }
})

describe('POST /phone/answer/:callID, POST /phone/decline/:callID', () => {
  test("unknown ids: answering stops one's own phones, declining does nothing", async () => {
    const [anna, bert] = (await callers(2)) as [Person, Person]
    const sockets = await listenEverywhere(anna)
    const other = await listen(bert, 0)
    for (const node of here) {
      const callID = randomUUID()
      await decline(anna, node, callID)
      await answer(anna, node, callID.toUpperCase())
      for (const socket of sockets) {
        await socket.until(({ contentID }) => contentID === callID, 'the answer')
        assert.equal(told(socket).at(-1), `phoneCallAnswered ${callID}`)
      }
    }
    await settled(...sockets, other)
    assert.deepEqual(
      [...sockets, other].map(({ frames }) => frames.length),
      [2, 2, 0],
    )
  })

  test('ids that are none, strangers, and the switched off feature: refused', async () => {
    const [anna] = (await people(nodes, {})) as [Person]
    for (const verb of ['answer', 'decline']) {
      await refused(anna.one.post(`/phone/${verb}/nonsense`), 400)
      await refused(nodes.client().post(`/phone/${verb}/${randomUUID()}`), 401)
    }
  })
})

describe('refusals of a call, in their order', () => {
  const ways = {
    'POST /phone/initiate/:callID/to/:userID': async (caller: Person, callID: string, userID: string, address: unknown) => {
      const { status, body: answered } = await caller.two.post(`/phone/initiate/${callID}/to/${userID}`, address)
      return [status, answered?.reason] as [number, string]
    },
    'WS /phone/socket/initiate/:callID/to/:userID': (caller: Person, callID: string, userID: string) =>
      refusal(caller.two.socket(`/phone/socket/initiate/${callID}/to/${userID}`)),
  }
  for (const [name, call] of Object.entries(ways)) {
    test(name, async () => {
      const direct = name.startsWith('POST')
      const [anna, bert, carl, admin] = (await people(nodes, {}, {}, {}, { level: 'admin' })) as [Person, Person, Person, Person]
      const [annasSecond] = (await people(nodes, { subAccountOf: anna })) as [Person]
      const noAddress = {}
      const address = { ipV4Addr: '10.0.0.7' }
      // What is wrong with the request itself comes first; then one thing after the other is put right.
      await mute(bert, anna)
      await block(bert, annasSecond)
      const [gone] = await call(anna, 'nonsense', randomUUID(), address)
      assert.equal(gone, 400)
      assert.equal((await call(anna, randomUUID(), 'nonsense', address))[0], 400)
      const missing = await call(anna, randomUUID(), randomUUID(), address)
      assert.equal(missing[0], 400)
      assert.deepEqual(await call(anna, randomUUID(), bert.id, address), missing, 'blocked looks like missing')
      await unblock(bert, annasSecond)
      const unwanted = await call(anna, randomUUID(), bert.id, address)
      assert.equal(unwanted[0], 400)
      assert.notDeepEqual(unwanted, missing)
      await unmute(bert, anna)
      await favorite(bert, carl)
      assert.deepEqual(await call(anna, randomUUID(), bert.id, address), unwanted, 'the favorite of somebody is not everybody')
      await mute(bert, anna)
      await favorite(bert, anna)
      assert.deepEqual(await call(anna, randomUUID(), bert.id, address), unwanted, 'muted looks like not a favorite')
      await unmute(bert, anna)
      const absent = await call(anna, randomUUID(), bert.id, address)
      assert.deepEqual(absent, [400, 'This user is not connected at the moment.'])
      const phone = await listen(bert, 0)
      if (direct) {
        for (const none of [noAddress, { ipV4Addr: '', ipV6Addr: '' }]) {
          const [status, reason] = await call(anna, randomUUID(), bert.id, none)
          assert.equal(status, 400)
          assert.match(reason, /ipV4Addr/)
        }
        assert.equal((await call(anna, randomUUID(), bert.id, { ipV4Addr: 'x'.repeat(5000) }))[0], 413)
      }
      // Either side in a call, as caller or callee, on whatever node.
      await favorite(anna, carl)
      await listen(anna, 1)
      for (const callee of [bert, anna]) {
        const busyWith = randomUUID()
        const occupying = await dial(carl, 0, callee, busyWith)
        const busy = await call(anna, randomUUID(), bert.id, address)
        assert.deepEqual(busy, [400, 'One of you is already in a call.'])
        const answering = await pickUp(callee, 1, busyWith)
        await started(occupying, answering)
        assert.deepEqual(await call(anna, randomUUID(), bert.id, address), busy)
        answering.ws.close()
        await occupying.closed()
      }
      await settled(phone)
      assert.deepEqual(
        phone.frames.filter(({ caller }) => caller?.userID === anna.id),
        [],
        'nobody rang',
      )
      // The same as the caller calls: mutes of his own do not matter.
      await mute(anna, bert)
      const callID = randomUUID()
      if (direct) assert.equal((await call(anna, callID, bert.id, address))[0], 200)
      else await dial(anna, 1, bert, callID)
      await phone.until(({ contentID }) => contentID === callID, 'the call')

      for (const features of direct ? ([['phone'], ['directphone'], ['all']] as const) : ([['phone'], ['all']] as const)) {
        await disable(nodes, ...features)
        assert.equal((await call(carl, randomUUID(), randomUUID(), address))[0], 451)
        assert.equal((await call(admin, randomUUID(), randomUUID(), address))[0], 400, 'admins can still call')
      }
      await refused(carl.one.post(`/phone/answer/${randomUUID()}`), 451)
      await refused(carl.one.post(`/phone/decline/${randomUUID()}`), 451)
      assert.equal((await refusal(pickUp(carl, 0, randomUUID())))[0], 451)
      await disable(nodes, 'directphone')
      if (!direct) assert.equal((await call(carl, randomUUID(), randomUUID(), address))[0], 400)
      await disable(nodes)
      const stranger = nodes.client()
      assert.equal((await call({ two: stranger } as Person, randomUUID(), bert.id, address))[0], 401)
    })
  }

  test('calls to each other and to the same user at once: one at most, and never twice', async () => {
    for (let round = 0; round < 5; round++) {
      const [anna, bert, carl] = (await callers(3)) as [Person, Person, Person]
      await favorite(anna, bert)
      await favorite(bert, carl)
      const phones = await Promise.all([listen(anna, 0), listen(bert, 1)])
      const attempts = await Promise.allSettled([
        dial(anna, 0, bert, randomUUID()),
        dial(bert, 1, anna, randomUUID()),
        dial(carl, 1, bert, randomUUID()),
        dial(anna, 1, bert, randomUUID()),
      ])
      const opened = attempts.filter((attempt) => attempt.status === 'fulfilled').map(({ value }) => value)
      assert.equal(opened.length, 1)
      await until(() => phones.some(({ frames }) => frames.length === 1), 'it rings')
      await settled(...phones)
      assert.equal(phones.flatMap(({ frames }) => frames as unknown[]).length, 1)
      opened[0]?.ws.close()
    }
  })

  test('callers who give up while they are being let in: nobody stays in a call', async () => {
    const [anna, bert] = (await callers(2)) as [Person, Person]
    const [carl] = (await people(nodes, {})) as [Person]
    for (const who of [anna, bert]) await favorite(who, carl)
    await listen(bert, 1)
    for (let round = 0; round < 30; round++) {
      const connection = new RawConnection(nodes.urls[round % 2] as string)
      connection.sendLines(
        `GET /api/v3/phone/socket/initiate/${randomUUID()}/to/${bert.id} HTTP/1.1`,
        'Host: x',
        `Authorization: Bearer ${anna.token}`,
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
        '',
        '',
      )
      await once(connection.socket, 'connect')
      for (let turn = 0; turn < round; turn++) await new Promise(setImmediate)
      connection.destroy()
    }
    await listen(anna, 0)
    // Anna has rung too often by now.
    for (const callee of [anna, bert]) {
      let calling: TestSocket | undefined
      await until(async () => {
        calling = await dial(carl, 0, callee, randomUUID()).catch(() => undefined)
        return calling !== undefined
      }, 'they can be called')
      calling?.ws.close()
      await calling?.closed()
    }
  })

  test('somebody who does not answer is rung three times a minute by one person, over whichever node and account', async () => {
    const [anna, bert, carl] = (await callers(3)) as [Person, Person, Person]
    const [second, bertsSecond] = (await people(nodes, { subAccountOf: anna }, { subAccountOf: bert })) as [Person, Person]
    for (const callee of [bert, bertsSecond]) for (const caller of [anna, second, carl]) await favorite(callee, caller)
    const phones = [await listen(bert, 0), await listen(bertsSecond, 1)] as const
    const rung = () => phones.flatMap(({ frames }) => frames).filter(({ type }) => 'incomingPhoneCall' in (type as object)).length
    // A call that is answered is welcome, whoever ends it: it never counts.
    for (let round = 0; round < 5; round++) {
      const callID = randomUUID()
      const calling = await dial(anna, round % 2, bert, callID)
      const answering = await pickUp(bert, 0, callID)
      await started(calling, answering)
      calling.ws.close()
      await answering.closed()
    }
    assert.equal((await dialDirect(anna, 0, bert, randomUUID())).status, 200)
    const [firstID] = [phones[0].frames.at(-1)?.contentID as string]
    await answer(bert, 1, firstID)
    // Nobody answers from here on.
    const before = rung()
    for (const [caller, callee, node] of [
      [anna, bert, 0],
      [second, bert, 1],
      [anna, bertsSecond, 1],
    ] as const) {
      const callID = randomUUID()
      const calling = await dial(caller, node, callee, callID)
      await phones[callee === bert ? 0 : 1].until(({ contentID }) => contentID === callID, 'the call')
      calling.ws.close()
      await settled(...phones)
    }
    for (const [caller, callee, node] of [
      [anna, bert, 1],
      [second, bertsSecond, 0],
    ] as const) {
      const direct = await dialDirect(caller, node, callee, randomUUID())
      assert.deepEqual([direct.status, direct.body.code], [429, 'too_many_requests'])
      const seconds = Number(direct.headers['retry-after'])
      assert.ok(seconds > 0 && seconds <= 60, `wait ${seconds} s`)
      assert.match(direct.body.reason, new RegExp(`again in ${seconds} seconds`))
      assert.equal((await refusal(dial(caller, node, callee, randomUUID())))[0], 429)
    }
    await settled(...phones)
    assert.equal(rung() - before, 3)
    await (await dial(carl, 1, bert, randomUUID())).ws.close()
  })

  test('a person rings twelve times a minute at people who do not answer, by whichever account', async () => {
    const anna = (await callers(1))[0] as Person
    const [second] = (await people(nodes, { subAccountOf: anna })) as [Person]
    const others = await people(nodes, ...Array.from({ length: 13 }, () => ({})))
    const statuses: number[] = []
    for (const [index, other] of others.entries()) {
      const caller = index % 3 === 0 ? second : anna
      await favorite(other, caller)
      await listen(other, index % 2)
      const callID = randomUUID()
      statuses.push((await dialDirect(caller, index % 2, other, callID)).status)
      await decline(caller, index % 2, callID)
    }
    assert.deepEqual(statuses, [...Array.from({ length: 12 }, () => 200), 429])
  })
})

test('nobody answers: the call ends after a minute, for both', async (t) => {
  const clock = new LeapingClock()
  const place = await startTestNodes(2, { clock })
  t.after(() => place.stop())
  const [anna, bert, carl, dora] = (await callers(4, place)) as [Person, Person, Person, Person]
  await favorite(dora, carl)
  const [annas, berts, carls, doras] = await Promise.all([listen(anna, 1), listen(bert, 1), listen(carl, 0), listen(dora, 1)])
  const ids = [randomUUID(), randomUUID()] as [string, string]
  const calling = await dial(anna, 0, bert, ids[0])
  await body(dialDirect(carl, 1, dora, ids[1]))
  for (const [phone, callID] of [
    [berts, ids[0]],
    [doras, ids[1]],
  ] as const)
    await hears(phone, `incomingPhoneCall ${callID}`)
  clock.leap(50_000)
  await talkTo(place)
  assert.ok(calling.open)
  clock.leap(10_000)
  await calling.closed()
  for (const [caller, phone, callID] of [
    [annas, berts, ids[0]],
    [carls, doras, ids[1]],
  ] as const) {
    await hears(phone, `incomingPhoneCall ${callID}`, `phoneCallEnded ${callID}`)
    await hears(caller, `phoneCallEnded ${callID}`)
  }
  assert.equal((await refusal(pickUp(bert, 1, ids[0])))[0], 400)
  // Both are free again.
  const { phones } = await connect(anna, 1, bert, 0)
  clock.leap(3_600_000)
  await talk(...phones)
})

/** A round trip to every node. */
async function talkTo(place: TestNodes): Promise<void> {
  for (const url of place.urls) await body(new Client(url).get('/client/health'))
}

/** A node that stays, and one that a test can part from Redis or stop. People have clients of both. */
async function aNodeThatLeaves(
  t: TestContext,
  count: number,
): Promise<{ staying: App; leaving: App; link: Link; stop: () => Promise<void>; everybody: Person[] }> {
  const link = await linkTo(t, process.env['TEST_REDIS_URL'] ?? '')
  const redisPrefix = `t${randomBytes(6).toString('hex')}`
  const place = await startTestNodes(1, { redisPrefix })
  const [staying] = place.apps as [App]
  const leaving = await startApp({
    config: staying.node.config,
    databaseUrl: place.database.url,
    redisUrl: link.url,
    redisPrefix,
    source: 'leaving',
    log: staying.node.log,
  })
  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= leaving.stop(0))
  const clients: Client[] = []
  t.after(async () => {
    for (const client of clients) client.closeSockets()
    await stop()
    await place.stop()
  })
  const everybody = (await callers(count, place)).map((person) => {
    const two = new Client(`http://127.0.0.1:${leaving.port}`, person.token)
    clients.push(two)
    return { ...person, clients: [person.one, two], two }
  })
  return { staying, leaving, link, stop, everybody }
}

test('a node that is gone: phones stop ringing, and calls over it end on both sides', async (t) => {
  const { staying, leaving, link, everybody } = await aNodeThatLeaves(t, 12)
  const [anna, bert, carl, dora, emil, fred, gina, hans, ida, jon, kim, lea] = everybody as [
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
    Person,
  ]
  for (const [callee, caller] of [
    [dora, carl],
    [fred, emil],
    [hans, gina],
    [jon, ida],
    [lea, kim],
  ] as const)
    await favorite(callee, caller)
  const [berts, carls, doras, freds, leas] = await Promise.all([
    listen(bert, 0),
    listen(carl, 0),
    listen(dora, 0),
    listen(fred, 0),
    listen(lea, 0),
    listen(hans, 1),
    listen(jon, 0),
  ])
  const ringing = await dial(anna, 1, bert, randomUUID())
  await body(dialDirect(carl, 1, dora, randomUUID()))
  const direct = randomUUID()
  await body(dialDirect(kim, 1, lea, direct))
  await answer(lea, 0, direct)
  const across = await connect(emil, 1, fred, 0)
  const back = await connect(gina, 0, hans, 1)
  const local = await connect(ida, 0, jon, 0)
  for (const call of [across, back, local]) await talk(...call.phones)
  link.freeze()
  for (const socket of [berts, doras, carls, freds]) await socket.until((frame) => 'phoneCallEnded' in frame.type, 'the end')
  await Promise.all([ringing, ...across.phones, ...back.phones].map((socket) => socket.closed()))
  await talk(...local.phones)
  // What goes on without a server does not end with one.
  assert.deepEqual(told(leas), [`incomingPhoneCall ${direct}`, `phoneCallAnswered ${direct}`])
  link.mend()
  await until(() => leaving.node.bus.up && staying.node.bus.up, 'both nodes hear each other again')
  // What held them has gone with the calls, or expires.
  let again: TestSocket | undefined
  await until(async () => {
    again = await dial(anna, 0, bert, randomUUID()).catch(() => undefined)
    return again !== undefined
  }, 'anna can call')
  await talk(...local.phones)
})

test('Redis starts anew: calls being set up end, active ones on one node go on', async (t) => {
  const redis = await ownRedis(t)
  const place = await startTestNodes(2, { redisUrl: redis.url })
  t.after(() => place.stop())
  const [anna, bert, carl, dora, emil, fred] = (await callers(6, place)) as [Person, Person, Person, Person, Person, Person]
  for (const [callee, caller] of [
    [dora, carl],
    [fred, emil],
  ] as const)
    await favorite(callee, caller)
  const [berts, doras] = [await listenEverywhere(bert), await listenEverywhere(dora), await listenEverywhere(fred)]
  const [annas, carls] = [await listen(anna, 1), await listen(carl, 1)]
  const active = await connect(emil, 0, fred, 0)
  const ringing = await dial(anna, 0, bert, randomUUID())
  await body(dialDirect(carl, 0, dora, randomUUID()))
  for (const socket of [...berts, ...doras]) await socket.count(1)
  const said = new Promise<string>((resolve) => ringing.ws.on('close', (_code, reason) => resolve(String(reason))))
  await redis.crash()
  assert.equal(await said, 'The server has lost the call.')
  await talk(...active.phones)
  const answered = await dialDirect(emil, 0, fred, randomUUID())
  assert.ok([400, 503].includes(answered.status))
  await redis.restart()
  for (const socket of [...berts, ...doras, annas, carls]) await socket.until((frame) => 'phoneCallEnded' in frame.type, 'the end')
  await until(() => place.apps.every(({ node }) => node.bus.up), 'both nodes hear each other again')
  await talk(...active.phones)
  await until(async () => {
    const callID = randomUUID()
    const { status, body: refusal } = await dialDirect(anna, 1, fred, callID)
    if (status === 200) await decline(anna, 1, callID)
    return refusal?.reason === 'One of you is already in a call.'
  }, 'the call that went on is known again')
  const { phones } = await connect(anna, 0, bert, 1)
  await talk(...phones)
})

test('a node that is stopped: its calls end with it', async (t) => {
  const { everybody, stop } = await aNodeThatLeaves(t, 4)
  const [anna, bert, carl, dora] = everybody as [Person, Person, Person, Person]
  await favorite(dora, carl)
  const [berts, annas, doras] = await Promise.all([listen(bert, 0), listen(anna, 0), listen(dora, 0)])
  const callID = randomUUID()
  await body(dialDirect(anna, 1, bert, callID))
  const active = await connect(carl, 1, dora, 0)
  const stopped = stop()
  await hears(berts, `incomingPhoneCall ${callID}`, `phoneCallEnded ${callID}`)
  await hears(annas, `phoneCallEnded ${callID}`)
  await doras.until((frame) => 'phoneCallEnded' in frame.type, 'the end')
  await Promise.all(active.phones.map((phone) => phone.closed()))
  await stopped
})

test('fifty calls at once over two nodes: nothing is lost or out of order', async () => {
  const calls = 50
  const frames = 100
  const pairsOfPeople = await Promise.all(Array.from({ length: calls }, () => callers(2)))
  const phones = await Promise.all(
    pairsOfPeople.map(async ([anna, bert], index) => {
      await listen(bert as Person, index % 2)
      return (await connect(anna as Person, index % 2, bert as Person, index % 3 === 0 ? index % 2 : 1 - (index % 2))).phones
    }),
  )
  const frameOf = (call: number, side: number, number: number) => {
    const frame = Buffer.alloc(644, number)
    frame.writeUInt32LE(320)
    frame.writeUInt16LE(call, 4)
    frame.writeUInt16LE(side * 10_000 + number, 6)
    return frame
  }
  for (let number = 0; number < frames; number++) {
    for (const [call, sides] of phones.entries()) for (const [side, phone] of sides.entries()) speak(phone, frameOf(call, side, number))
    if (number % 10 === 0) await new Promise(setImmediate)
  }
  for (const [call, sides] of phones.entries()) {
    for (const [side, phone] of sides.entries()) {
      await phone.count(frames + 1)
      assert.deepEqual(
        phone.frames.slice(1),
        Array.from({ length: frames }, (_, number) => frameOf(call, 1 - side, number)),
      )
    }
  }
})
