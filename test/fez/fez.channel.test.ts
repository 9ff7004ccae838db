// One chat's channel alone: real events of a real chat, delivered late, twice, out of order or not at
// all, to sockets and a clock of the test's own. What it reads comes from Postgres.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { App } from '../../src/app.ts'
import type { Node } from '../../src/core/work/ctx.ts'
import type { Socket } from '../../src/core/http/route.ts'
import type { UserAccessLevel } from '../../src/core/base/viewer.ts'
import { FezChannel } from '../../src/fez/channel.ts'
import { FezSession } from '../../src/fez/session.ts'
import type { FezEvent } from '../../src/fez/events.ts'
import type { ChatSession } from '../../src/fez/reader.ts'
import type { UserChannel } from '../../src/users/channel.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { block, body, createChat, createSeamail, lfg, people, say, type Person } from '../support/fez.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(1)
})
after(() => nodes.stop())

/** Remembers what it was sent, itself or by topic. */
class FakeSocket implements Socket {
  readonly frames: any[] = [] // oxlint-disable-line no-explicit-any -- frames of every shape
  readonly topics = new Set<string>()
  readonly buffered = 0

  /** How often something was sent to this socket alone. */
  writes = 0

  send(frame: string | Uint8Array): void {
    this.writes++
    this.take(frame)
  }

  take(frame: string | Uint8Array): void {
    this.frames.push(JSON.parse(Buffer.from(frame as Uint8Array).toString()))
  }

  sendAll(frames: readonly Uint8Array[]): void {
    if (frames.length > 0) this.writes++
    for (const frame of frames) this.take(frame)
  }

  subscribe(topic: string): void {
    this.topics.add(topic)
  }

  unsubscribe(topic: string): void {
    this.topics.delete(topic)
  }

  close(): void {}

  /** Texts of posts, and `+name` or `-name`. */
  get story(): string[] {
    return this.frames.map((frame) => ('postID' in frame ? frame.text : `${frame.joined ? '+' : '-'}${frame.user.username}`))
  }
}

/** As much of a user's channel as a chat needs. */
interface FakeUser {
  id: string
  personId: string
  level: UserAccessLevel
  blockedPersons: Set<string>
  mutes: Set<string>
  chatSessions: ChatSession[]
  addSession(session: ChatSession): void
  mayConnect(): boolean
  ready(): Promise<void>
  reload(): Promise<void>
}

/** A channel that hears only what the test delivers. */
class Bench {
  readonly clock = new FakeClock()
  readonly bus = { up: true }
  readonly sockets: FakeSocket[] = []
  /** What really happened to the chat, in order. */
  readonly events: FezEvent[] = []
  readonly channel: FezChannel
  failReads = false
  reads = 0
  readonly #node: Node

  constructor(app: App, fezID: string) {
    const sql = () => {
      this.reads++
      if (this.failReads) throw new Error('Postgres is away')
      return app.node.db.sql
    }
    this.#node = Object.create(app.node, {
      clock: { value: this.clock },
      bus: { value: this.bus },
      db: { value: Object.create(app.node.db, { sql: { get: sql } }) },
      sockets: {
        value: {
          publish: (topic: string, frame: Uint8Array) => {
            for (const socket of this.sockets) if (socket.topics.has(topic)) socket.take(frame)
          },
        },
      },
    }) as Node
    this.channel = new FezChannel(this.#node, fezID)
    app.node.channels.watch('fez', fezID, {
      reload: () => Promise.resolve(),
      observe: (_kind, _id, event) => void this.events.push(structuredClone(event) as FezEvent),
    })
  }

  attach(person: Person, more: Partial<FakeUser> = {}): FakeSocket {
    const user: FakeUser = {
      id: person.id,
      personId: person.personId,
      level: 'verified',
      blockedPersons: new Set(),
      mutes: new Set(),
      chatSessions: [],
      addSession(session) {
        this.chatSessions.push(session)
      },
      mayConnect: () => true,
      ready: async () => {},
      reload: async () => {},
      ...more,
    }
    const socket = new FakeSocket()
    this.sockets.push(socket)
    new FezSession(this.channel, user as unknown as UserChannel, '').opened(socket)
    return socket
  }

  /** Delivers events by their place in the real order. */
  async deliver(...places: number[]): Promise<void> {
    for (const place of places) await this.channel.receive(this.events[place] as FezEvent)
  }

  async assertFresh(): Promise<void> {
    const fresh = new FezChannel(this.#node, this.channel.id)
    await fresh.ready()
    assert.deepEqual(stateOf(this.channel), stateOf(fresh))
  }
}

function stateOf(channel: FezChannel) {
  const posts = channel.postsFor({ mutes: new Set(), blockedPersons: new Set() } as never)
  return { row: channel.row, members: [...channel.memberIds], posts, texts: posts.map(({ id }) => channel.textOf(id)) }
}

let owner: Person, bert: Person, carl: Person, dora: Person
beforeEach(async () => {
  ;[owner, bert, carl, dora] = (await people(nodes, {}, {}, {}, {})) as [Person, Person, Person, Person]
})

async function bench(fezID?: string): Promise<Bench> {
  const made = new Bench(nodes.apps[0] as App, fezID ?? (await createChat(owner.one, { initialUsers: [bert.id] })))
  await made.channel.ready()
  return made
}

test('events in order: frames in order, state as in Postgres, nothing read again', async () => {
  const b = await bench()
  const { id } = b.channel
  const [socket, second] = [b.attach(owner), b.attach(bert)]
  await say(owner.one, id, '1')
  await body(carl.one.post(`/fez/${id}/join`), 201)
  const postID = await say(carl.one, id, '2')
  await body(bert.one.post(`/fez/${id}/unjoin`))
  await body(carl.one.delete(`/fez/post/${postID}`), 204)
  await say(carl.one, id, '3')
  const { reads } = b
  await b.deliver(0, 1, 2, 3, 4, 5)
  assert.equal(b.reads, reads)
  assert.deepEqual(socket.story, ['1', `+${carl.username}`, '2', `-${bert.username}`, '3'])
  assert.deepEqual(second.story, ['1', `+${carl.username}`, '2', `-${bert.username}`])
  await b.assertFresh()
})

test('posts that were written together: in order, in one write for each socket, and nothing that its user hides', async () => {
  const b = await bench()
  const { id } = b.channel
  await body(carl.one.post(`/fez/${id}/join`), 201)
  await b.deliver(0)
  const [byTopic, alone] = [b.attach(owner), b.attach(bert, { mutes: new Set([carl.id]) })]
  for (const [author, text] of [
    [owner, '1'],
    [carl, '2'],
    [owner, '3'],
    [owner, '4'],
  ] as const)
    await say(author.one, id, text)
  const written = b.events.slice(1) as (FezEvent & { type: 'posted' })[]
  const last = written.at(-1) as (typeof written)[number]
  await b.deliver(1)
  const together = { ...last, seq: (written[1] as FezEvent).seq, posts: written.slice(1).flatMap(({ posts }) => posts) }
  const { reads } = b
  await b.channel.receive(together)
  // Once more, as after a repetition by the bus.
  await b.channel.receive(together)
  assert.deepEqual([byTopic.story, byTopic.writes], [['1', '2', '3', '4'], 0])
  assert.deepEqual([alone.story, alone.writes], [['1', '3', '4'], 2])
  assert.equal(b.reads, reads)
  await b.assertFresh()
})

test('a post that overtakes another waits for it; neither is lost, repeated or out of order', async () => {
  const b = await bench()
  const socket = b.attach(bert)
  for (const text of ['1', '2', '3', '4']) await say(owner.one, b.channel.id, text)
  const { reads } = b
  await b.deliver(2)
  await b.deliver(1)
  assert.deepEqual(socket.story, [])
  await b.deliver(0)
  assert.deepEqual(socket.story, ['1', '2', '3'])
  await b.deliver(1, 2, 0, 3)
  b.clock.advance(10_000)
  assert.deepEqual(socket.story, ['1', '2', '3', '4'])
  assert.equal(b.reads, reads)
  await b.assertFresh()
})

test('a lost post: after a tenth of a second the chat is read anew and the sockets catch up', async () => {
  const b = await bench()
  const socket = b.attach(bert)
  for (const text of ['1', '2', '3']) await say(owner.one, b.channel.id, text)
  await b.deliver(1)
  b.clock.advance(99)
  assert.ok(b.channel.live)
  b.clock.advance(1)
  assert.ok(!b.channel.live)
  // Events of the meantime wait.
  await b.deliver(2)
  await b.channel.ready()
  assert.deepEqual(socket.story, ['1', '2', '3'])
  // What was late comes after all.
  await b.deliver(0, 1, 2)
  assert.deepEqual(socket.story, ['1', '2', '3'])
  await b.assertFresh()
})

test('a lost post before anything but a post: read anew at once, in force when the delivery is done', async () => {
  const b = await bench()
  const { id } = b.channel
  const [socket, gone] = [b.attach(owner), b.attach(bert)]
  await say(owner.one, id, '1')
  await body(bert.one.post(`/fez/${id}/unjoin`))
  await b.deliver(1)
  assert.ok(!b.channel.memberIds.has(bert.id))
  // Who is out does not see the post any more, but that he is out.
  assert.deepEqual(socket.story, [`-${bert.username}`, '1'])
  assert.deepEqual(gone.story, [`-${bert.username}`])
  await b.deliver(0, 1)
  assert.deepEqual(socket.story, [`-${bert.username}`, '1'])
  await b.assertFresh()
})

test('lost comings and goings: each socket is told the difference, unless its user blocks the member', async () => {
  const b = await bench()
  const { id } = b.channel
  const [plain, blocking, muting] = [
    b.attach(owner),
    b.attach(owner, { blockedPersons: new Set([carl.id]) }),
    b.attach(owner, { mutes: new Set([carl.id]) }),
  ]
  await body(carl.one.post(`/fez/${id}/join`), 201)
  await body(dora.one.post(`/fez/${id}/join`), 201)
  await body(bert.one.post(`/fez/${id}/unjoin`))
  await say(carl.one, id, 'by carl')
  await say(dora.one, id, 'by dora')
  await b.channel.reload()
  const [left, came, new2] = [`-${bert.username}`, `+${carl.username}`, `+${dora.username}`]
  assert.deepEqual(plain.story, [left, came, new2, 'by carl', 'by dora'])
  assert.deepEqual(blocking.story, [left, new2, 'by dora'])
  assert.deepEqual(muting.story, [left, came, new2, 'by dora'])
  await b.assertFresh()
})

test('reading anew without need sends nothing', async () => {
  const b = await bench()
  const socket = b.attach(bert)
  await say(owner.one, b.channel.id, '1')
  await b.deliver(0)
  await b.channel.reload()
  await b.channel.reload()
  assert.deepEqual(socket.story, ['1'])
})

test('a removed member hears nothing until he is back, also when it was not told', async () => {
  const b = await bench()
  const { id } = b.channel
  const socket = b.attach(bert)
  await body(owner.one.post(`/fez/${id}/user/${bert.id}/remove`))
  await b.channel.reload()
  await say(owner.one, id, 'secret')
  await b.deliver(1)
  assert.deepEqual(socket.story, [`-${bert.username}`])
  assert.equal(socket.topics.size, 0)
  await body(owner.one.post(`/fez/${id}/user/${bert.id}/add`))
  await say(owner.one, id, 'open')
  await b.deliver(2, 3)
  assert.deepEqual(socket.story, [`-${bert.username}`, `+${bert.username}`, 'open'])
})

test('a private thread: no frames about members, whatever was lost', async () => {
  const b = await bench(await createSeamail(owner.one, [bert, carl]))
  const socket = b.attach(bert)
  await nodes.sql`update fez_member set left_at = now() where fez_id = ${b.channel.id} and account_id = ${carl.id}`
  await nodes.sql`update fez set seq = seq + 1, member_count = 2 where id = ${b.channel.id}`
  await b.channel.reload()
  assert.deepEqual(socket.story, [])
})

test('a deleted chat: silence, and no farewells', async () => {
  const b = await bench()
  const [moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
  const sockets = [b.attach(owner), b.attach(bert), b.attach(moderator, { level: 'moderator' })]
  await body(moderator.one.delete(`/fez/${b.channel.id}`), 204)
  await b.deliver(0)
  assert.ok(b.channel.row.deletedAt)
  for (const socket of sockets) assert.deepEqual([socket.story, socket.topics.size], [[], 0])
})

test('while the bus is down every event makes the chat be read anew', async () => {
  const b = await bench()
  const { id } = b.channel
  const socket = b.attach(bert)
  b.bus.up = false
  await say(owner.one, id, '1')
  await body(carl.one.post(`/fez/${id}/join`), 201)
  await say(owner.one, id, '2')
  // Only the last one arrives.
  const { reads } = b
  await b.deliver(2)
  assert.ok(b.reads > reads)
  assert.deepEqual(socket.story, [`+${carl.username}`, '1', '2'])
  await say(owner.one, id, '3')
  await b.deliver(3)
  await b.deliver(0, 1, 2)
  assert.deepEqual(socket.story, [`+${carl.username}`, '1', '2', '3'])
  b.bus.up = true
  await say(owner.one, id, '4')
  await b.deliver(4)
  assert.deepEqual(socket.story, [`+${carl.username}`, '1', '2', '3', '4'])
  await b.assertFresh()
})

test('while the bus is down and after it, nothing is sent before it is known again whom the users hide', async () => {
  const b = await bench(await createChat(owner.one, { initialUsers: [bert.id, carl.id] }))
  const mutes = new Set<string>()
  const blockedPersons = new Set<string>()
  const reads: (() => void)[] = []
  const read = () => new Promise<void>((resolve) => reads.push(resolve))
  const socket = b.attach(bert, { mutes, blockedPersons, reload: read, ready: read })
  for (const up of [false, true]) {
    b.bus.up = up
    await say(carl.one, b.channel.id, 'by carl')
    await say(owner.one, b.channel.id, 'by owner')
    const reloaded = b.channel.reload()
    await until(() => reads.length > 0, 'the user is asked for')
    assert.deepEqual(socket.story, up ? ['by owner'] : [])
    mutes.add(carl.id)
    reads.pop()?.()
    await reloaded
  }
  assert.deepEqual(socket.story, ['by owner', 'by owner'])
})

test('Postgres away while the chat is read anew: it comes back by itself for its sockets', async () => {
  const b = await bench()
  const socket = b.attach(bert)
  await say(owner.one, b.channel.id, '1')
  await say(owner.one, b.channel.id, '2')
  b.failReads = true
  await assert.rejects(b.channel.reload())
  await assert.rejects(b.deliver(0))
  assert.deepEqual(socket.story, [])
  b.failReads = false
  b.clock.advance(500)
  await b.channel.ready()
  assert.deepEqual(socket.story, ['1', '2'])
  await b.assertFresh()
})

test('a long silence: sockets get every post they missed, however many', async () => {
  const b = await bench()
  const { id } = b.channel
  const socket = b.attach(bert)
  await say(owner.one, id, '0')
  await nodes.sql`
    with written as (
      insert into fez_post (fez_id, author_id, real_author_id, text, created_at) select ${id}, ${owner.id}, ${owner.id}, series.n::text, now() from generate_series(1, 500) as series (n) order by series.n returning id)
    update fez set seq = seq + 500, post_count = post_count + 500, last_post_id = (select max(id) from written) where id = ${id}`
  await b.channel.reload()
  assert.deepEqual(
    socket.story,
    Array.from({ length: 501 }, (_, number) => `${number}`),
  )
  assert.deepEqual(b.channel.row.postCount, 501)
})

test('who hides nobody in the chat is reached by topic, the others one by one; it follows blocks and members', async () => {
  const b = await bench()
  const { id } = b.channel
  const user = { blockedPersons: new Set<string>(), mutes: new Set<string>(), chatSessions: [] as ChatSession[] }
  const socket = b.attach(bert, user)
  const byTopic = () => socket.topics.size === 1
  const changed = () => {
    for (const session of user.chatSessions) session.relationsChanged()
  }
  assert.ok(byTopic())
  user.mutes.add(carl.id)
  changed()
  assert.ok(byTopic())
  await body(carl.one.post(`/fez/${id}/join`), 201)
  await b.deliver(0)
  assert.ok(!byTopic())
  await say(carl.one, id, 'muted')
  await say(owner.one, id, 'heard')
  await b.deliver(1, 2)
  user.mutes.delete(carl.id)
  changed()
  assert.ok(byTopic())
  user.blockedPersons.add(carl.id)
  changed()
  assert.ok(!byTopic())
  await say(carl.one, id, 'blocked')
  await b.deliver(3)
  user.blockedPersons.clear()
  changed()
  await say(carl.one, id, 'unblocked')
  await b.deliver(4)
  assert.deepEqual(socket.story, [`+${carl.username}`, 'heard', 'unblocked'])
})

test('another update while the chat is read for the first: the last one is in force', async () => {
  const b = await bench()
  const { id } = b.channel
  const titles = ['aa', 'bb', 'cc']
  for (const title of titles) await body(owner.one.post(`/fez/${id}/update`, lfg({ title })))
  await Promise.all(titles.map((_, place) => b.channel.receive(b.events[place] as FezEvent)))
  assert.equal(b.channel.row.title, 'cc')
  await b.assertFresh()
})

test('a block made over the API counts for the sockets of the node at once', async () => {
  const fezID = await createChat(owner.one, { initialUsers: [bert.id, carl.id] })
  const socket = await bert.one.socket(`/fez/${fezID}/socket`)
  await Promise.all([block(bert, carl), ...Array.from({ length: 10 }, () => say(carl.one, fezID, 'during'))])
  await say(carl.one, fezID, 'after')
  await say(owner.one, fezID, 'end')
  await until(() => socket.frames.some(({ text }) => text === 'end'), 'the last post')
  assert.ok(!socket.frames.some(({ text }) => text === 'after'))
})
