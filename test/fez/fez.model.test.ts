// Random and concurrent use of chats over two nodes, against a naive model worked out from the rows.
// A failed run prints its seed: see support/random-runs.ts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import type { App } from '../../src/app.ts'
import { FezChannel, fezKind } from '../../src/fez/channel.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client, TestSocket } from '../support/client.ts'
import { block, body, createChat, createSeamail, lfg, mute, names, people, say, type Person } from '../support/fez.ts'
import { randomTest } from '../support/random-runs.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

// (a) Random actions

interface Rows {
  fez: { capacity: number; seq: number }
  members: { accountId: string; readPostId: number; isMuted: boolean; added: boolean }[]
  posts: { id: number; authorId: string; deleted: boolean }[]
  blocks: { personId: string; blockedId: string }[]
  mutes: { accountId: string; mutedId: string }[]
}

async function rowsOf(fezID: string): Promise<Rows> {
  const { sql } = nodes
  const [fez, members, posts, blocks, mutes] = await Promise.all([
    sql<{ capacity: number; seq: number }[]>`select max_capacity as capacity, seq from fez where id = ${fezID}`,
    sql<
      Rows['members']
    >`select account_id, read_post_id, is_muted, added from fez_member where fez_id = ${fezID} and left_at is null order by position`,
    sql<Rows['posts']>`select id, author_id, deleted_at is not null as deleted from fez_post where fez_id = ${fezID} order by id`,
    sql<Rows['blocks']>`select person_id, blocked_id from block`,
    sql<Rows['mutes']>`select account_id, muted_id from mute`,
  ])
  return { fez: fez[0] as Rows['fez'], members: [...members], posts: [...posts], blocks: [...blocks], mutes: [...mutes] }
}

// Everybody in the model is a primary account below moderator.
const blockedBy = ({ blocks }: Rows, a: string, b: string) =>
  blocks.some(({ personId, blockedId }) => (personId === a && blockedId === b) || (personId === b && blockedId === a))
const hides = (rows: Rows, viewer: string, author: string) =>
  blockedBy(rows, viewer, author) || rows.mutes.some(({ accountId, mutedId }) => accountId === viewer && mutedId === author)

type Action =
  | { type: 'join' | 'unjoin' | 'read' | 'peek' | 'mute' | 'unmute' | 'cancel' | 'post' | 'deletePost'; who: number; node: number }
  | { type: 'add' | 'remove' | 'block' | 'unblock' | 'muteUser' | 'unmuteUser'; who: number; other: number; node: number }
  | { type: 'capacity'; capacity: number; node: number }

const guests = 7
const who = fc.integer({ min: 1, max: guests })
const node = fc.integer({ min: 0, max: 1 })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ type: fc.constantFrom('post' as const), who: fc.integer({ min: 0, max: guests }), node }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constantFrom('join' as const, 'unjoin' as const), who, node }) },
  {
    weight: 7,
    arbitrary: fc.record({
      type: fc.constantFrom('read' as const, 'peek' as const, 'mute' as const, 'unmute' as const, 'deletePost' as const),
      who: fc.integer({ min: 0, max: guests }),
      node,
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constantFrom('add' as const, 'remove' as const), who: fc.constant(0), other: who, node }) },
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constantFrom('block' as const, 'unblock' as const, 'muteUser' as const, 'unmuteUser' as const),
      who,
      other: who,
      node,
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('capacity' as const), capacity: fc.integer({ min: 0, max: 5 }), node }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancel' as const), who: fc.constant(0), node }) },
)
const step = fc.array(action, { minLength: 1, maxLength: 5 })

class World {
  readonly everyone: Person[]
  readonly fezID: string
  readonly sockets: { person: Person; socket: TestSocket }[] = []
  /** Frames that were looked at. */
  readonly #seen = new Map<TestSocket, number>()

  private constructor(everyone: Person[], fezID: string) {
    this.everyone = everyone
    this.fezID = fezID
  }

  static async create(): Promise<World> {
    const everyone = await people(nodes, ...Array.from({ length: guests + 1 }, () => ({})))
    const fezID = await createChat((everyone[0] as Person).one, { maxCapacity: 3, initialUsers: everyone.slice(1, 6).map(({ id }) => id) })
    const world = new World(everyone, fezID)
    for (const person of everyone.slice(0, 6)) {
      for (const client of person.clients) world.sockets.push({ person, socket: await client.socket(`/fez/${fezID}/socket`) })
    }
    return world
  }

  async run(a: Action): Promise<void> {
    const person = this.everyone['who' in a ? a.who : 0] as Person
    const client = person.clients[a.node] as Client
    const path = `/fez/${this.fezID}`
    const other = 'other' in a ? (this.everyone[a.other] as Person).id : ''
    const call = (): Promise<{ status: number; body: unknown }> => {
      switch (a.type) {
        case 'join':
        case 'unjoin':
        case 'cancel':
          return client.post(`${path}/${a.type}`)
        case 'post':
          return client.post(`${path}/post`, { text: 'x', images: [] })
        case 'read':
          return client.get(path)
        case 'peek':
          return client.get(`${path}?limit=1`)
        case 'mute':
          return client.post(`${path}/mute`)
        case 'unmute':
          return client.delete(`${path}/mute`)
        case 'deletePost':
          return this.#deleteSomePost(person, client)
        case 'add':
        case 'remove':
          return client.post(`${path}/user/${other}/${a.type}`)
        case 'block':
        case 'unblock':
          return client.post(`/users/${other}/${a.type}`)
        case 'muteUser':
          return client.post(`/users/${other}/mute`)
        case 'unmuteUser':
          return client.post(`/users/${other}/unmute`)
        case 'capacity':
          return client.post(`${path}/update`, lfg({ maxCapacity: a.capacity }))
      }
    }
    const { status, body: answer } = await call()
    assert.ok([200, 201, 204, 400, 403].includes(status), `${JSON.stringify(a)}: ${status} ${JSON.stringify(answer)}`)
  }

  async #deleteSomePost({ id }: Person, client: Client) {
    const [post] = await nodes.sql<
      { id: number }[]
    >`select id from fez_post where fez_id = ${this.fezID} and author_id = ${id} and deleted_at is null order by id desc limit 1`
    return client.delete(`/fez/post/${post?.id ?? 1}`)
  }

  /** Everything the model says about a moment at which nothing is under way. */
  async check(): Promise<void> {
    const rows = await rowsOf(this.fezID)
    await this.#quiet(rows.fez.seq)
    await this.#checkChannels()
    await this.#checkNumbers(rows)
    // Last: asking for a chat changes what is new in it.
    await this.#checkAnswers(rows)
  }

  /** Posts are told to the other node without waiting for it. */
  async #quiet(seq: number): Promise<void> {
    for (const {
      node: { channels },
    } of nodes.apps) {
      const late = () => {
        const channel = channels.of(fezKind).peek(this.fezID)
        return channel && (!channel.live || channel.row.seq < seq)
      }
      for (let i = 0; late(); i++) {
        assert.ok(i < 2000, 'a node never caught up')
        await nodes.sql`select pg_sleep(0.002)`
      }
    }
  }

  async #checkChannels(): Promise<void> {
    for (const app of nodes.apps)
      assert.deepEqual(stateOf(app.node.channels.of(fezKind).peek(this.fezID)), await freshState(app, this.fezID))
  }

  async #checkAnswers(rows: Rows): Promise<void> {
    const order = rows.members.map(({ accountId }) => accountId)
    const nameOf = new Map(this.everyone.map(({ id, username }) => [id, username]))
    await Promise.all(
      this.everyone.flatMap((viewer) =>
        viewer.clients.map(async (client) => {
          const answer = await client.get(`/fez/${this.fezID}?limit=1&peek=true`)
          if (blockedBy(rows, viewer.id, (this.everyone[0] as Person).id)) return assert.equal(answer.status, 400)
          assert.equal(answer.status, 200)
          const { members, participantCount } = answer.body
          assert.equal(participantCount, order.length)
          const own = rows.members.find(({ accountId }) => accountId === viewer.id)
          assert.equal(members !== undefined, own !== undefined)
          if (!own) return
          const shown = order.map((id) => (id !== viewer.id && blockedBy(rows, viewer.id, id) ? 'BlockedUser' : nameOf.get(id)))
          const room = rows.fez.capacity || order.length
          assert.deepEqual([names(members.participants), names(members.waitingList)], [shown.slice(0, room), shown.slice(room)])
          const visible = rows.posts.filter(({ authorId, deleted }) => !deleted && !hides(rows, viewer.id, authorId))
          assert.deepEqual(
            [members.postCount, members.readCount, members.isMuted],
            [visible.length, visible.filter(({ id }) => id <= own.readPostId).length, own.isMuted],
          )
        }),
      ),
    )
  }

  async #checkNumbers(rows: Rows): Promise<void> {
    await Promise.all(
      this.everyone.flatMap((viewer) =>
        viewer.clients.map(async (client, index) => {
          const own = rows.members.find(({ accountId }) => accountId === viewer.id)
          const unread =
            own !== undefined &&
            !own.added &&
            !own.isMuted &&
            rows.posts.some(({ id, authorId, deleted }) => !deleted && id > own.readPostId && !hides(rows, viewer.id, authorId))
          const data = await body(client.get('/notification/user'))
          assert.deepEqual(
            [data.newFezMessageCount, data.addedToLFGCount, data.newSeamailMessageCount, data.addedToSeamailCount],
            [unread ? 1 : 0, own?.added ? 1 : 0, 0, 0],
            `numbers of ${viewer.username} on node ${index}`,
          )
        }),
      ),
    )
  }

  /** The frames of a step whose actions ran at once: exact for everybody whom no action let in, kept out, or hid others from. */
  async checkFrames(actions: readonly Action[], before: Rows): Promise<void> {
    const rows = await rowsOf(this.fezID)
    await this.#quiet(rows.fez.seq)
    await Promise.all(this.sockets.map(({ socket }) => socket.flushed()))
    const touched = new Set(
      actions.flatMap((a) => {
        const [one, other] = ['who' in a ? a.who : 0, 'other' in a ? a.other : 0].map((index) => (this.everyone[index] as Person).id)
        switch (a.type) {
          case 'join':
          case 'unjoin':
          case 'muteUser':
          case 'unmuteUser':
            return [one]
          case 'add':
          case 'remove':
            return [other]
          case 'block':
          case 'unblock':
            return [one, other]
          default:
            return []
        }
      }),
    )
    const fresh = rows.posts.filter(({ id }) => id > (before.posts.at(-1)?.id ?? 0))
    const memberIds = (at: Rows) => new Set(at.members.map(({ accountId }) => accountId))
    const [membersBefore, members] = [memberIds(before), memberIds(rows)]
    const moves = actions.filter(({ type }) => ['join', 'unjoin', 'add', 'remove'].includes(type))
    const changed = [...membersBefore, ...members].filter((id) => !membersBefore.has(id) || !members.has(id))
    for (const { person, socket } of this.sockets) {
      const frames = socket.frames.slice(this.#seen.get(socket) ?? 0)
      this.#seen.set(socket, socket.frames.length)
      const ids = frames.flatMap((frame) => ('postID' in frame ? [frame.postID as number] : []))
      assert.deepEqual(
        ids,
        [...new Set(ids)].sort((a, b) => a - b),
        `${person.username}: in order, each once`,
      )
      assert.ok(
        ids.every((id) => fresh.some((post) => post.id === id)),
        `${person.username}: nothing old`,
      )
      if (touched.has(person.id)) continue
      // A post deleted in the same step may have been gone before a node that had missed it could send it.
      const owed = fresh
        .filter(({ authorId, deleted }) => members.has(person.id) && !hides(rows, person.id, authorId) && !deleted)
        .map(({ id }) => id)
      const gone = new Set(fresh.filter(({ deleted }) => deleted).map(({ id }) => id))
      assert.deepEqual(
        ids.filter((id) => !gone.has(id)),
        owed,
        `${person.username}: exactly what is owed`,
      )
      if (moves.length > 1) continue
      const about = changed.filter((id) => members.has(person.id) && !blockedBy(rows, person.id, id)).map((id) => [id, members.has(id)])
      assert.deepEqual(
        frames.flatMap((frame) => ('joined' in frame ? [[frame.user.userID, frame.joined]] : [])),
        about,
        `${person.username}: who came and went`,
      )
    }
  }

  close(): void {
    for (const { socket } of this.sockets) socket.terminate()
  }
}

const postIDs = ({ frames }: TestSocket): number[] => frames.filter((frame) => 'postID' in frame).map(({ postID }) => postID)

const nobody = {
  id: 'nobody',
  personId: 'nobody',
  username: '',
  level: 'verified' as const,
  roles: new Set<never>(),
  tempQuarantineUntilMs: 0,
  revision: 0,
  ownRevision: 0,
  blockedPersons: new Set<string>(),
  mutes: new Set<string>(),
  mutewords: [],
}

function stateOf(channel: FezChannel | undefined) {
  assert.ok(channel?.live)
  const posts = channel.postsFor(nobody)
  return { row: channel.row, members: [...channel.memberIds], posts, texts: posts.map(({ id }) => channel.textOf(id)) }
}

async function freshState(app: App, fezID: string) {
  const channel = new FezChannel(app.node, fezID)
  await channel.ready()
  return stateOf(channel)
}

randomTest('fez.model', `chats: random actions of ${guests + 1} users over two nodes, partly at once`, 10, async (parameters) => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const world = await World.create()
      try {
        for (const actions of steps) {
          const before = await rowsOf(world.fezID)
          await Promise.all(actions.map((a) => world.run(a)))
          await world.checkFrames(actions, before)
          await world.check()
        }
      } finally {
        world.close()
      }
    }),
    { ...parameters, endOnFailure: true },
  )
})

// (b) A rush

test('POST /fez/:fezID/join: 150 at once over two nodes: everybody sees a part of one and the same order', async () => {
  const count = 150
  const capacity = 10
  const [owner, ...others] = (await people(nodes, ...Array.from({ length: count }, () => ({})))) as [Person, ...Person[]]
  const fezID = await createChat(owner.one, { maxCapacity: capacity })
  // On a slow machine some are refused for a moment, and ask again.
  const join = async (client: Client) => {
    const answer = client.post(`/fez/${fezID}/join`)
    return await body((await answer).status === 503 ? client.post(`/fez/${fezID}/join`) : answer, 201)
  }
  const answers = await Promise.all(others.map(({ clients }, index) => join(clients[index % 2] as Client)))
  const orderIn = ({ members }: { members: { participants: { username: string }[]; waitingList: { username: string }[] } }) => [
    ...names(members.participants),
    ...names(members.waitingList),
  ]
  const final = await body(owner.two.get(`/fez/${fezID}`))
  const order = orderIn(final)
  assert.deepEqual([...order].sort(), [owner, ...others].map(({ username }) => username).sort())
  assert.deepEqual(
    [final.members.participants.length, final.members.waitingList.length, final.participantCount],
    [capacity, count - capacity, count],
  )
  for (const [index, answer] of answers.entries()) {
    const seen = orderIn(answer)
    assert.deepEqual(seen, order.slice(0, seen.length))
    assert.equal(answer.members.participants.length, Math.min(capacity, seen.length))
    assert.ok(seen.includes((others[index] as Person).username))
  }
  const views = await Promise.all(
    [...others.slice(0, 10), owner].flatMap(({ clients }) => clients.map((client) => body(client.get(`/fez/${fezID}`)))),
  )
  for (const view of views) assert.deepEqual(orderIn(view), order)
  for (const app of nodes.apps) assert.deepEqual(stateOf(app.node.channels.of(fezKind).peek(fezID)), await freshState(app, fezID))
})

// (c) The headline

test('WS /fez/:fezID/socket: 60 members, 200 posts by 20 of them at once: each gets what it is owed, once and in order', async () => {
  const [owner, ...others] = (await people(nodes, ...Array.from({ length: 60 }, () => ({})))) as [Person, ...Person[]]
  const everyone = [owner, ...others]
  const fezID = await createSeamail(owner.one, others)
  const outsiderChat = await createChat(owner.one, { initialUsers: others.slice(0, 3).map(({ id }) => id) })
  const hidden = new Map(everyone.map(({ id }) => [id, new Set<string>()]))
  for (let i = 0; i < 12; i++) {
    const [a, b] = [others[i] as Person, others[(i * 7 + 20) % 59] as Person]
    if (i % 2) await mute(a, b, i % 3 ? 1 : 0)
    else await block(a, b, i % 3 ? 1 : 0)
    hidden.get(a.id)?.add(b.id)
    if (i % 2 === 0) hidden.get(b.id)?.add(a.id)
  }
  // Who hides whom must matter: some of the authors are hidden.
  const authors = [...others.slice(0, 12), ...Array.from({ length: 8 }, (_, i) => others[(i * 7 + 20) % 59] as Person)]
  const sockets = await Promise.all(
    everyone.map(async (person, index) => ({ person, socket: await (person.clients[index % 2] as Client).socket(`/fez/${fezID}/socket`) })),
  )
  const elsewhere = await owner.two.socket(`/fez/${outsiderChat}/socket`)
  const written: { postID: number; author: string }[] = []
  await Promise.all(
    authors.map(async (author, index) => {
      for (let i = 0; i < 10; i++)
        written.push({ postID: await say(author.clients[(index + i) % 2] as Client, fezID, `${index}/${i}`), author: author.id })
    }),
  )
  written.push({ postID: await say(owner.one, fezID, 'end'), author: owner.id })
  written.sort((a, b) => a.postID - b.postID)
  assert.equal(written.length, 201)
  await Promise.all(sockets.map(({ socket }) => socket.until((frame) => frame.text === 'end')))
  await Promise.all([...sockets.map(({ socket }) => socket), elsewhere].map((socket) => socket.flushed()))
  for (const { person, socket } of sockets) {
    const owed = written.filter(({ author }) => !hidden.get(person.id)?.has(author)).map(({ postID }) => postID)
    assert.deepEqual(postIDs(socket), owed)
    assert.equal(socket.frames.length, owed.length)
  }
  assert.deepEqual(elsewhere.frames, [])
  assert.ok(sockets.some(({ socket }) => socket.frames.length < 201))
})
