// Random changes of forums, their posts, and whom somebody hides, over two nodes: after every one, each list of forums
// that comes from the memory of either node is what Postgres says. A failed run prints its seed: see
// support/random-runs.ts.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import * as fc from 'fast-check'
import type { App } from '../../src/app.ts'
import type { ResponseCache } from '../../src/core/http/response-cache.ts'
import type { ForumHeads } from '../../src/forum/heads.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { people, type Person } from '../support/fez.ts'
import { categories, content, newCategory, startForum } from '../support/forum.ts'
import { randomTest } from '../support/random-runs.ts'

let nodes: TestNodes
let users: Person[]
let places: string[]
before(async () => {
  nodes = await startTestNodes(2, { env: { WRITES_PER_MINUTE: '0', SEARCHES_PER_MINUTE: '0' } })
  for (const app of nodes.apps) watchMemory(app)
  users = await people(nodes, {}, {}, {}, { roles: ['shutternautmanager', 'shutternaut'] }, { level: 'moderator' })
  places = [
    categories.general,
    await newCategory(nodes),
    // Official: blocks do not hide its forums.
    await newCategory(nodes, { createLevel: 'moderator' }),
    await newCategory(nodes, { viewLevel: 'moderator', createLevel: 'moderator' }),
    await newCategory(nodes, { role: 'shutternaut' }),
    await newCategory(nodes, { isEvent: true }),
  ]
})
after(() => nodes.stop())

let asked = 0
let unknown = 0
function watchMemory({ node }: App): void {
  const { forumHeads } = node
  const page: ForumHeads['page'] = async (...args) => {
    const found = await forumHeads.page(...args)
    asked++
    if (!found) unknown++
    return found
  }
  Object.assign(node, { forumHeads: { page } })
}

const [first, second, third, manager, moderator] = [0, 1, 2, 3, 4]
/** More than a head has posts. */
const many = 14

const user = fc.constantFrom(first, second, third, manager, moderator)
const ordinary = fc.constantFrom(first, second, third, manager)
const one = <const T extends string>(...types: T[]) => fc.constantFrom<T[]>(...types)
const node = fc.nat({ max: 1 })
/** Counted from the newest. */
const forum = fc.nat({ max: 5 })
const post = fc.nat({ max: 30 })
const place = fc.nat({ max: 5 })

type Action =
  | {
      type: 'post' | 'posts' | 'read' | 'markRead' | 'favorite' | 'unfavorite' | 'mute' | 'unmute'
      who: number
      forum: number
      node: number
    }
  | { type: 'start'; who: number; place: number; node: number }
  | { type: 'rename' | 'pin' | 'unpin' | 'deleteForum'; forum: number; node: number }
  | { type: 'move'; forum: number; place: number; node: number }
  | { type: 'setForum' | 'setPost'; forum: number; post: number; state: string; node: number }
  | { type: 'delete' | 'edit' | 'pinPost'; forum: number; post: number; node: number }
  | { type: 'block' | 'unblock' | 'hide' | 'show'; who: number; other: number; node: number }
  | { type: 'addrole' | 'removerole'; who: number; node: number }
  | { type: 'name'; who: number; node: number }

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ type: one('post', 'posts', 'read'), who: user, forum, node }) },
  { weight: 5, arbitrary: fc.record({ type: one('markRead', 'favorite', 'unfavorite', 'mute', 'unmute'), who: user, forum, node }) },
  { weight: 3, arbitrary: fc.record({ type: one('start'), who: user, place, node }) },
  { weight: 3, arbitrary: fc.record({ type: one('rename', 'pin', 'unpin'), forum, node }) },
  { weight: 1, arbitrary: fc.record({ type: one('deleteForum'), forum, node }) },
  { weight: 2, arbitrary: fc.record({ type: one('move'), forum, place, node }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: one('setForum', 'setPost'),
      forum,
      post,
      state: one('normal', 'locked', 'quarantined', 'reviewed'),
      node,
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: one('delete', 'edit', 'pinPost'), forum, post, node }) },
  { weight: 5, arbitrary: fc.record({ type: one('block', 'unblock', 'hide', 'show'), who: ordinary, other: ordinary, node }) },
  { weight: 1, arbitrary: fc.record({ type: one('addrole', 'removerole'), who: ordinary, node }) },
  { weight: 1, arbitrary: fc.record({ type: one('name'), who: user, node }) },
)

let counter = 0

/** Does it as its user, or as a moderator; what is refused changes nothing. */
async function perform(made: Action, forums: Started[]): Promise<void> {
  const as = (who: number) => (users[who] as Person).clients[made.node] as Client
  const team = as(moderator)
  const at = (index: number) => forums.at(-1 - (index % Math.max(1, forums.length)))
  const known = 'forum' in made ? at(made.forum) : undefined
  if ('forum' in made && !known) return
  const { id = '', posts = [] } = known ?? {}
  const postOf = (index: number) => posts.at(-1 - (index % Math.max(1, posts.length))) ?? 0
  const text = `Number ${++counter} 🌊`
  switch (made.type) {
    case 'post':
    case 'posts':
      for (let times = 0; times < (made.type === 'posts' ? many : 1); times++) {
        const answer = await as(made.who).post(`/forum/${id}/create`, content(text))
        if (answer.status === 201) posts.push(answer.body.postID)
      }
      return
    case 'read':
      return void (await as(made.who).get(`/forum/${id}?start=0&limit=${counter % 2 === 0 ? 3 : 50}`))
    case 'markRead':
    case 'favorite':
    case 'mute':
      return void (await as(made.who).post(`/forum/${id}/${made.type}`))
    case 'unfavorite':
    case 'unmute':
      return void (await as(made.who).delete(`/forum/${id}/${made.type.slice(2)}`))
    case 'start': {
      const path = `/forum/categories/${places[made.place]}/create`
      const answer = await as(made.who).post(path, { title: `${'bBaÄä🌊'[counter % 6]} ${text}`, firstPost: content(text) })
      if (answer.status === 201) forums.push({ id: answer.body.forumID, posts: [answer.body.posts[0].postID] })
      return
    }
    case 'rename':
      return void (await team.post(`/forum/${id}/rename/${encodeURIComponent(text)}`))
    case 'pin':
      return void (await team.post(`/forum/${id}/pin`))
    case 'unpin':
      return void (await team.delete(`/forum/${id}/pin`))
    case 'deleteForum':
      await team.delete(`/forum/${id}`)
      return void forums.splice(forums.indexOf(known as Started), 1)
    case 'move':
      return void (await team.post(`/mod/forum/${id}/setcategory/${places[made.place]}`))
    case 'setForum':
      return void (await team.post(`/mod/forum/${id}/setstate/${made.state}`))
    case 'setPost':
      return void (await team.post(`/mod/forumpost/${postOf(made.post)}/setstate/${made.state}`))
    case 'delete':
      await team.delete(`/forum/post/${postOf(made.post)}`)
      return void posts.splice(posts.indexOf(postOf(made.post)), 1)
    case 'edit':
      return void (await team.post(`/forum/post/${postOf(made.post)}`, content(text)))
    case 'pinPost':
      return void (await team.post(`/forum/post/${postOf(made.post)}/pin`))
    case 'block':
    case 'unblock':
      return void (await as(made.who).post(`/users/${(users[made.other] as Person).id}/${made.type}`))
    case 'hide':
    case 'show':
      return void (await as(made.who).post(`/users/${(users[made.other] as Person).id}/${made.type === 'hide' ? 'mute' : 'unmute'}`))
    case 'addrole':
    case 'removerole':
      return void (await as(manager).post(`/users/userrole/shutternaut/${made.type}/${(users[made.who] as Person).id}`))
    case 'name':
      return void (await as(made.who).post('/user/profile', { displayName: text }))
  }
}

interface Started {
  id: string
  posts: number[]
}

function lists(forums: readonly Started[]): string[] {
  return [
    '/forum/unread',
    '/forum/recent',
    '/forum/favorites?sort=title',
    '/forum/mutes',
    '/forum/owner',
    '/forum/owner?sort=create&order=ascending&start=1&limit=2',
    `/forum/unread?cat=${places[1]}&sort=title&order=descending`,
    '/user/forums?sort=update',
    '/forum/search?unread=true&creatorself=true&sort=create',
    ...places.map((id) => `/forum/categories/${id}`),
    `/forum/categories/${places[0]}?sort=title&start=1&limit=3`,
    `/forum/categories/${places[1]}?sort=create&order=ascending`,
    `/forum/categories/${places[5]}?order=descending`,
    ...forums.slice(-1).map(({ id }) => `/forum/${id}?start=0&limit=2`),
  ]
}

randomTest('forum.lists.model', 'lists of forums from memory are what Postgres says after every change', 2, async (parameters) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 30, maxLength: 30 }),
      fc.array(user, { minLength: 2, maxLength: 2 }),
      async (made, readers) => {
        const forums: Started[] = []
        for (const [index, category] of [places[0], places[1], places[1]].entries()) {
          const { forumID, postID } = await startForum((users[index] as Person).one, `Forum ${index}`, { category: category as string })
          forums.push({ id: forumID, posts: [postID] })
        }
        for (const each of made) {
          await perform(each, forums)
          for (const reader of new Set(readers))
            for (const path of lists(forums)) await compare(users[reader] as Person, path, JSON.stringify(each))
        }
      },
    ),
    { ...parameters, endOnFailure: true },
  )
  // Or it has looked at nothing. Some changes leave memory alone for a second.
  assert.ok(asked > 500 && unknown < asked / 4, `${unknown} of ${asked} lists did not come from memory`)
})

async function compare(person: Person, path: string, when: string): Promise<void> {
  const kept = [await person.one.get(path), await person.two.get(path)]
  const fresh = await fromPostgres(nodes.apps[0] as App, () => person.one.get(path))
  for (const [index, { status, body: shown }] of kept.entries())
    assert.deepEqual(
      { status, shown },
      { status: fresh.status, shown: fresh.body },
      `${path} for ${person.username} on node ${index} after ${when}`,
    )
}

/** Without answers and forums in memory, which stay what they are. */
async function fromPostgres<T>({ node }: App, ask: () => Promise<T>): Promise<T> {
  const { forumHeads, responses } = node
  const make: ResponseCache['make'] = (_key, _sources, _viewer, _params, run) => run()
  Object.assign(node, { forumHeads: { page: async () => undefined }, responses: { find: () => undefined, make } })
  try {
    return await ask()
  } finally {
    Object.assign(node, { forumHeads, responses })
  }
}
