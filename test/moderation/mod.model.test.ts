// Random reports, judgements and changes of forums, posts and chats over two nodes, against a model of
// their states: who sees what, who may change it, and what moderators get to see. A failed run prints its
// seed: see support/random-runs.ts.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import * as fc from 'fast-check'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { block, body, createChat, lfg, people, refused, say, unblock, type Person } from '../support/fez.ts'
import { content, startForum } from '../support/forum.ts'
import { randomTest } from '../support/random-runs.ts'

const reporters = 7
const threshold = 3

let nodes: TestNodes
let author: Person
let other: Person
let outcast: Person
let moderator: Person
let crowd: Person[]
before(async () => {
  nodes = await startTestNodes(2, { env: { WRITES_PER_MINUTE: '0' } })
  ;[author, other, outcast, moderator, ...crowd] = (await people(
    nodes,
    {},
    {},
    {},
    { level: 'moderator' },
    ...Array.from({ length: reporters }, () => ({})),
  )) as [Person, Person, Person, Person, ...Person[]]
})
after(() => nodes.stop())

type Status = 'normal' | 'autoQuarantined' | 'quarantined' | 'modReviewed' | 'locked'
const words = { normal: 'normal', quarantined: 'quarantined', reviewed: 'modReviewed', locked: 'locked' } as const
const kinds = ['forum', 'forumPost', 'twarrt', 'fez', 'fezPost'] as const
type Kind = (typeof kinds)[number]

interface Item {
  id: string | number
  text: string
  status: Status
  reportedBy: Set<number>
}
type World = Record<Kind, Item>

const isHidden = ({ status }: Item) => status === 'quarantined' || status === 'autoQuarantined'
const isOpen = ({ status }: Item) => status === 'normal' || status === 'modReviewed'
const quarantinesItself = (kind: Kind) => kind === 'forum' || kind === 'forumPost' || kind === 'twarrt'

const reportPaths: Record<Kind, (id: string | number) => string> = {
  forum: (id) => `/forum/${id}/report`,
  forumPost: (id) => `/forum/post/${id}/report`,
  twarrt: (id) => `/microblog/${id}/report`,
  fez: (id) => `/fez/${id}/report`,
  fezPost: (id) => `/fez/post/${id}/report`,
}
const modPaths: Record<Kind, string> = { forum: 'forum', forumPost: 'forumpost', twarrt: 'microblog', fez: 'fez', fezPost: 'fezpost' }
type Editable = Exclude<Kind, 'fezPost'>
const edits: Record<Editable, (client: Client, id: string | number, text: string) => Promise<Answer>> = {
  forum: (client, id, text) => client.post(`/forum/${id}/rename/${text}`),
  forumPost: (client, id, text) => client.post(`/forum/post/${id}/update`, content(text)),
  twarrt: (client, id, text) => client.post(`/microblog/${id}/update`, content(text)),
  fez: (client, id, text) => client.post(`/fez/${id}/update`, lfg({ title: text, maxCapacity: 5 })),
}

type Action =
  | { type: 'report'; kind: Kind; by: number[]; node: number }
  | { type: 'judge'; kind: Kind; word: keyof typeof words; node: number }
  | { type: 'edit'; kind: Editable; byModerator: boolean; node: number }
  | { type: 'handle' | 'close'; kind: Kind; node: number }
  | { type: 'block' | 'unblock'; node: number }

const kind = fc.constantFrom(...kinds)
const node = fc.integer({ min: 0, max: 1 })
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constant('report' as const),
      kind,
      by: fc.uniqueArray(fc.integer({ min: 0, max: reporters - 1 }), { minLength: 1, maxLength: 4 }),
      node,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('judge' as const),
      kind,
      word: fc.constantFrom(...(Object.keys(words) as (keyof typeof words)[])),
      node,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('edit' as const),
      kind: fc.constantFrom('forum' as const, 'forumPost' as const, 'twarrt' as const, 'fez' as const),
      byModerator: fc.boolean(),
      node,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('handle' as const, 'close' as const), kind, node }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constantFrom('block' as const, 'unblock' as const), node }) },
)

let texts = 0
const newText = () => `text${++texts}`

async function newWorld(): Promise<World> {
  const item = (id: string | number, text: string): Item => ({ id, text, status: 'normal', reportedBy: new Set() })
  const [title, post, twarrt, chat, said] = [newText(), newText(), newText(), newText(), newText()]
  const { forumID, postID } = await startForum(author.one, title, { text: post })
  const { twarrtID } = await body(author.two.post('/microblog/create', content(twarrt)), 201)
  const fezID = await createChat(author.one, { title: chat, maxCapacity: 5, initialUsers: [other.id] })
  return {
    forum: item(forumID, title),
    forumPost: item(postID, post),
    twarrt: item(twarrtID, twarrt),
    fez: item(fezID, chat),
    fezPost: item(await say(author.two, fezID, said), said),
  }
}

/** Does it, changes the model, and compares the answer. */
async function run(world: World, a: Action): Promise<void> {
  if (!('kind' in a)) return await (a.type === 'block' ? block : unblock)(outcast, author, a.node)
  const item = world[a.kind]
  const by = (person: Person) => person.clients[a.node] as Client
  switch (a.type) {
    case 'report':
      for (const reporter of a.by) {
        const again = item.reportedBy.has(reporter)
        await body(by(crowd[reporter] as Person).post(reportPaths[a.kind](item.id), { message: 'look' }), again ? 409 : 201)
        item.reportedBy.add(reporter)
        if (!again && quarantinesItself(a.kind) && item.status === 'normal' && item.reportedBy.size % threshold === 0)
          item.status = 'autoQuarantined'
      }
      break
    case 'judge':
      await body(by(moderator).post(`/mod/${modPaths[a.kind]}/${item.id}/setstate/${a.word}`))
      item.status = words[a.word]
      break
    case 'edit': {
      const text = newText()
      const allowed = a.byModerator || (isOpen(item) && (a.kind !== 'forumPost' || isOpen(world.forum)))
      const { status } = await edits[a.kind](by(a.byModerator ? moderator : author), item.id, text)
      assert.ok(allowed ? status < 300 : status === 403, `${JSON.stringify(a)}: ${status} while ${item.status}`)
      if (!allowed) break
      item.text = text
      if (!a.byModerator && item.status === 'modReviewed') item.status = 'normal'
      break
    }
    case 'handle':
    case 'close': {
      const { reports } = await body(by(moderator).get(`/mod/${modPaths[a.kind]}/${item.id}`))
      if (reports.length > 0) await body(by(moderator).post(`/mod/reports/${reports[0].id}/${a.type}all`))
    }
  }
}

/** Everybody sees what the model says, on every node. */
async function compare(world: World, isBlocked: boolean): Promise<void> {
  const { forum, forumPost, twarrt, fez, fezPost } = world
  const shown = (item: Item, text: string) => {
    if (isHidden(item)) assert.match(text, /review/)
    else assert.equal(text, item.text)
  }
  const views = [author, other, moderator, ...(isBlocked ? [] : [outcast])]
    .flatMap((person) => person.clients.map((client) => ({ client, judges: person === moderator })))
    .map(async ({ client, judges }) => {
      const [thread, post, short, chat] = await Promise.all([
        body(client.get(`/forum/${forum.id}?start=0`)),
        body(client.get(`/forum/post/${forumPost.id}`)),
        body(client.get(`/microblog/${twarrt.id}`)),
        body(client.get(`/fez/${fez.id}?start=0`)),
      ])
      shown(forum, thread.title)
      assert.equal(thread.isLocked, forum.status === 'locked')
      shown(forumPost, thread.posts[0].text)
      if (judges) assert.equal(post.text, forumPost.text)
      else shown(forumPost, post.text)
      shown(twarrt, short.text)
      shown(fez, chat.title)
      if (chat.members?.posts) shown(fezPost, chat.members.posts[0].text)
      return chat.members?.posts !== undefined
    })
  assert.deepEqual(
    (await Promise.all(views)).slice(0, 6),
    [true, true, true, true, true, true],
    'author, member and moderator read the posts',
  )
  if (isBlocked) {
    for (const client of outcast.clients) {
      for (const path of [`/forum/${forum.id}`, `/forum/post/${forumPost.id}`, `/microblog/${twarrt.id}`, `/fez/${fez.id}`])
        await refused(client.get(path), 400)
    }
  }
  const judged = await Promise.all(
    kinds.map(async (each, index) => await body((moderator.clients[index % 2] as Client).get(`/mod/${modPaths[each]}/${world[each].id}`))),
  )
  assert.deepEqual(
    judged.map(({ moderationStatus, reports, isDeleted }) => [moderationStatus, reports.length, isDeleted]),
    kinds.map((each) => [world[each].status, world[each].reportedBy.size, false]),
  )
  assert.deepEqual(
    judged.map(({ title, forumPost: a, twarrt: b, fez: c, fezPost: d }) => title ?? a?.text ?? b?.text ?? c?.title ?? d?.text),
    kinds.map((each) => world[each].text),
  )
}

randomTest('mod.model', 'states of content: masked for everybody, closed for its author, whole for moderators', 12, async (parameters) => {
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 10, maxLength: 40, size: 'max' }), async (actions) => {
      const world = await newWorld()
      let isBlocked = false
      for (const [index, each] of actions.entries()) {
        // Blocking twice, or ending what is none, is for other tests.
        if (each.type === 'block' || each.type === 'unblock') {
          if (isBlocked === (each.type === 'block')) continue
          isBlocked = each.type === 'block'
        }
        await run(world, each)
        if (index % 4 === 3) await compare(world, isBlocked)
      }
      await compare(world, isBlocked)
      if (isBlocked) await unblock(outcast, author)
    }),
    { ...parameters, endOnFailure: true },
  )
})
