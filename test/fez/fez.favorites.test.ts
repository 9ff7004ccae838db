// Favorites, marking chats as read, and the ids of chats that somebody was added to. Two nodes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { builtIn } from '../../src/accounts/rows.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { block, body, createChat, createSeamail, people, refused, say, type Person } from '../support/fez.ts'
import { randomTest } from '../support/random-runs.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

type Listed = { fezID: string; members: { isFavorite: boolean; isMuted: boolean; postCount: number; readCount: number } }

const listed = async (client: Client, path: string): Promise<Listed[]> => (await body(client.get(path))).fezzes
const idsIn = async (client: Client, path: string) => (await listed(client, path)).map(({ fezID }) => fezID)
const membersOf = async (client: Client, fezID: string): Promise<Listed['members']> =>
  (await body(client.get(`/fez/${fezID}?limit=1`))).members

test('POST and DELETE /fez/:fezID/favorite: 201, 204, and 200 when it is so; on both nodes, in lists, posts and the filter', async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const [first, second] = [
    await createChat(owner.one, { initialUsers: [member.id] }),
    await createSeamail(owner.one, [member], { title: 'Two of us' }),
  ]
  assert.deepEqual(await idsIn(member.one, '/fez/joined?favorite=true'), [])
  await body(member.one.post(`/fez/${first}/favorite`), 201)
  await body(member.two.post(`/fez/${first}/favorite`), 200)
  for (const client of member.clients) {
    assert.equal((await membersOf(client, first)).isFavorite, true)
    assert.equal((await membersOf(client, second)).isFavorite, false)
    assert.deepEqual(await idsIn(client, '/fez/joined?favorite=true'), [first])
    assert.deepEqual(await idsIn(client, '/fez/joined?favorite=true&search=cards'), [first])
    assert.deepEqual(await idsIn(client, '/fez/joined?favorite=true&search=two'), [])
    // False filters nothing, and the order is the same as ever.
    assert.deepEqual(await idsIn(client, '/fez/joined?favorite=false'), [second, first])
    assert.deepEqual(
      (await listed(client, '/fez/joined')).map(({ members }) => members.isFavorite),
      [false, true],
    )
    assert.deepEqual(await idsIn(client, '/fez/owner?favorite=true'), [])
  }
  assert.equal((await membersOf(owner.two, first)).isFavorite, false)
  assert.equal((await body(member.two.post(`/fez/${first}/post`, { text: 'hello', images: [] }), 201)).members.isFavorite, true)
  await body(owner.two.post(`/fez/${first}/favorite`), 201)
  assert.deepEqual(await idsIn(owner.one, '/fez/owner?favorite=true'), [first])
  await body(member.two.post(`/fez/${first}/favorite/remove`), 204)
  await body(member.one.delete(`/fez/${first}/favorite`), 200)
  for (const client of member.clients) assert.deepEqual(await idsIn(client, '/fez/joined?favorite=true'), [])
  await body(member.one.post(`/fez/${first}/favorite`), 201)
  await body(member.two.delete(`/fez/${first}/favorite`), 204)
})

test('POST /fez/:fezID/favorite, /markRead: hidden chats look like missing ones, outsiders 403', async () => {
  const [owner, outsider, foe, moderator] = (await people(nodes, {}, {}, {}, { level: 'moderator' })) as [Person, Person, Person, Person]
  const group = await createChat(owner.one)
  const seamail = await createSeamail(owner.one, [moderator])
  await block(foe, owner)
  const missing = await outsider.one.post('/fez/00000000-0000-4000-8000-000000000000/favorite')
  for (const call of ['favorite', 'favorite/remove', 'markRead', 'mute']) {
    await refused(outsider.two.post(`/fez/${group}/${call}`), 403)
    await refused(moderator.one.post(`/fez/${group}/${call}`), 403)
    assert.deepEqual((await outsider.one.post(`/fez/${seamail}/${call}`)).body, missing.body)
    assert.deepEqual((await foe.two.post(`/fez/${group}/${call}`)).body, missing.body)
  }
  assert.equal((await membersOf(moderator.one, group)).isFavorite, false)
})

test('a favorite cannot be muted, nor a muted chat be a favorite, also when both are asked for at once', async () => {
  const [owner] = (await people(nodes, {})) as [Person]
  const fezID = await createChat(owner.one)
  await body(owner.one.post(`/fez/${fezID}/favorite`), 201)
  await refused(owner.two.post(`/fez/${fezID}/mute`), 400)
  await body(owner.two.delete(`/fez/${fezID}/favorite`), 204)
  await body(owner.one.post(`/fez/${fezID}/mute`), 201)
  await refused(owner.two.post(`/fez/${fezID}/favorite`), 400)
  await body(owner.one.delete(`/fez/${fezID}/mute`), 204)
  for (let time = 0; time < 5; time++) {
    const answers = await Promise.all([owner.one.post(`/fez/${fezID}/favorite`), owner.two.post(`/fez/${fezID}/mute`)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
    const { isFavorite, isMuted } = await membersOf(owner.two, fezID)
    assert.notEqual(isFavorite, isMuted)
    await Promise.all([owner.one.delete(`/fez/${fezID}/favorite`), owner.two.delete(`/fez/${fezID}/mute`)])
  }
})

test('a favorite ends with the membership', async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [member.id] })
  await body(member.one.post(`/fez/${fezID}/favorite`), 201)
  await body(member.one.post(`/fez/${fezID}/unjoin`))
  await body(member.two.post(`/fez/${fezID}/join`), 201)
  for (const client of member.clients) assert.equal((await membersOf(client, fezID)).isFavorite, false)
})

test("shared inboxes: favorites and mutes are each reader's own, and leave a chat as new as it is", async () => {
  const [ann, bob, asker] = (await people(nodes, { level: 'moderator' }, { level: 'moderator' }, {})) as [Person, Person, Person]
  const count = async (client: Client): Promise<number> =>
    (await body(client.get('/notification/user'))).moderatorData.newModeratorSeamailMessageCount
  const before = await count(ann.one)
  const fezID = await createChat(asker.one, { fezType: 'closed', info: '', initialUsers: [builtIn.moderator] })
  await body(ann.one.post(`/fez/${fezID}/favorite`), 201)
  await body(ann.two.post(`/fez/${fezID}/favorite`), 200)
  await refused(ann.two.post(`/fez/${fezID}/mute`), 400)
  for (const client of ann.clients) {
    assert.equal((await membersOf(client, fezID)).isFavorite, true)
    assert.deepEqual(await idsIn(client, '/fez/joined?foruser=moderator&favorite=true'), [fezID])
    assert.equal(await count(client), before)
  }
  for (const client of bob.clients) {
    assert.deepEqual(await idsIn(client, '/fez/joined?foruser=moderator&favorite=true'), [])
    assert.equal((await listed(client, '/fez/joined?foruser=moderator')).find((each) => each.fezID === fezID)?.members.isFavorite, false)
  }
  // A mark is no look.
  const other = await createChat(asker.one, { fezType: 'closed', info: '', initialUsers: [builtIn.moderator] })
  await body(bob.one.post(`/fez/${other}/favorite`), 201)
  for (const query of ['onlynew=true', 'onlynew=true&search=cards'])
    assert.ok((await idsIn(bob.two, `/fez/joined?foruser=moderator&${query}`)).includes(other), query)
  await body(bob.one.delete(`/fez/${other}/favorite`), 204)
  await body(ann.one.delete(`/fez/${fezID}/favorite`), 204)
  await body(ann.one.post(`/fez/${fezID}/markRead`), 200)
  await body(ann.one.post(`/fez/${fezID}/mute`), 201)
  await say(asker.one, fezID, 'anybody?')
  const [annHas, bobHas] = [await count(ann.one), await count(bob.one)]
  assert.equal((await body(ann.two.get(`/fez/${fezID}?peek=true`))).members.isMuted, true)
  assert.equal((await body(bob.two.get(`/fez/${fezID}?peek=true`))).members.isMuted, false)
  await body(ann.two.delete(`/fez/${fezID}/mute`), 204)
  await body(ann.one.delete(`/fez/${fezID}/mute`), 200)
  assert.equal(await count(ann.one), annHas + 1)
  assert.equal(await count(bob.two), bobHas)
})

test('POST /fez/:fezID/markRead: 201 when something was new, by a post or by being added; 200 otherwise', async () => {
  const [owner, member, loud] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [member.id, loud.id] })
  const numbers = async (client: Client) => {
    const { addedToLFGCount, newFezMessageCount, addedToLFGIDs } = await body(client.get('/notification/user'))
    return [addedToLFGCount, newFezMessageCount, addedToLFGIDs]
  }
  assert.deepEqual(await numbers(member.two), [1, 0, [fezID]])
  await body(member.one.post(`/fez/${fezID}/markRead`), 201)
  for (const client of member.clients) assert.deepEqual(await numbers(client), [0, 0, []])
  await body(member.two.post(`/fez/${fezID}/markRead`), 200)
  for (let number = 0; number < 60; number++) await say(owner.one, fezID, `post ${number}`)
  assert.deepEqual(await numbers(member.one), [0, 1, []])
  await body(member.one.post(`/fez/${fezID}/markRead`), 201)
  for (const client of member.clients) {
    const { readCount, postCount } = await membersOf(client, fezID)
    assert.deepEqual([readCount, postCount], [60, 60])
    assert.deepEqual(await numbers(client), [0, 0, []])
  }
  await body(member.two.post(`/fez/${fezID}/markRead`), 200)
  // Those of somebody whom the caller hides are not theirs to read.
  await body(member.one.post(`/users/${loud.id}/mute`), 201)
  await say(loud.one, fezID, 'unheard')
  await body(member.two.post(`/fez/${fezID}/markRead`), 200)
})

test('POST /fez/:fezID/markRead with upTo: what comes after that post stays unread, and nothing is unread again', async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createSeamail(owner.one, [member])
  const [first, second] = [await say(owner.one, fezID, 'one'), await say(owner.two, fezID, 'two')]
  await say(owner.one, fezID, 'three')
  const read = async () => (await body(member.two.get(`/fez/${fezID}?peek=true`))).members.readCount
  assert.equal(await read(), 0)
  await body(member.one.post(`/fez/${fezID}/markRead?upTo=${second}`), 201)
  assert.equal(await read(), 2)
  await body(member.two.post(`/fez/${fezID}/markRead?upTo=${first}`), 200)
  assert.equal(await read(), 2)
  assert.equal((await body(member.one.get('/notification/user'))).newSeamailMessageCount, 1)
  await body(member.one.get(`/fez/${fezID}`))
  assert.equal(await read(), 3)
})

test('POST /fez/:fezID/markRead: a position of their own for each reader of a shared inbox', async () => {
  const [ann, bob, asker] = (await people(nodes, { level: 'moderator' }, { level: 'moderator' }, {})) as [Person, Person, Person]
  const fezID = await createChat(asker.one, { fezType: 'closed', info: '', initialUsers: [builtIn.moderator] })
  await say(asker.one, fezID, 'help')
  await body(ann.one.post(`/fez/${fezID}/markRead`), 201)
  await body(ann.two.post(`/fez/${fezID}/markRead`), 200)
  const readIn = async (client: Client) =>
    (await listed(client, '/fez/joined?foruser=moderator')).find((each) => each.fezID === fezID)?.members.readCount
  assert.deepEqual([await readIn(ann.two), await readIn(bob.one)], [1, 0])
})

test('GET /notification/global: the ids of chats that the caller was added to, as many as are counted; none when logged out', async () => {
  const [owner, guest] = (await people(nodes, {}, {})) as [Person, Person]
  const initialUsers = [guest.id]
  const seamail = await createSeamail(owner.one, [guest])
  const group = await createChat(owner.one, { initialUsers })
  const event = await createChat(owner.one, { fezType: 'privateEvent', initialUsers })
  const ids = async (client: Client) => {
    const data = await body(client.get('/notification/global'))
    const lists = [data.addedToSeamailIDs, data.addedToLFGIDs, data.addedToPrivateEventIDs]
    assert.deepEqual(
      lists.map(({ length }) => length),
      [data.addedToSeamailCount, data.addedToLFGCount, data.addedToPrivateEventCount],
    )
    assert.deepEqual([data.newSeamailMessageCount, data.newFezMessageCount, data.newPrivateEventMessageCount], [0, 0, 0])
    return lists
  }
  await say(owner.one, seamail, 'not counted before it was opened')
  for (const client of guest.clients) assert.deepEqual(await ids(client), [[seamail], [group], [event]])
  await body(guest.one.get(`/fez/${seamail}`))
  for (const client of guest.clients) assert.deepEqual(await ids(client), [[], [group], [event]])
  await body(owner.two.post(`/fez/${group}/user/${guest.id}/remove`))
  for (const client of guest.clients) assert.deepEqual(await ids(client), [[], [], [event]])
  for (const client of owner.clients) assert.deepEqual(await ids(client), [[], [], []])
  const nobody = await body(nodes.client().get('/notification/global'))
  assert.deepEqual([nobody.addedToSeamailIDs, nobody.addedToLFGIDs, nobody.addedToPrivateEventIDs], [[], [], []])
})

/** What the model knows of a chat for one of two members. */
interface Marked {
  favorite: boolean
  muted: boolean
}

randomTest(
  'fez.favorites',
  'favorites, mutes, leaving and pages of both lists are what a model says, on two nodes',
  6,
  async (parameters) => {
    const step = fc.record({
      who: fc.nat(1),
      node: fc.nat(1),
      chat: fc.nat(4),
      what: fc.constantFrom('favorite', 'unfavorite', 'mute', 'unmute', 'leave', 'post'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
        const persons = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
        const [owner, ...members] = persons
        const chats: string[] = []
        for (let number = 0; number < 5; number++)
          chats.push(await createChat(owner.one, { initialUsers: members.map(({ id }) => id), title: `Chat ${number}` }))
        const marks = members.map(() => new Map<string, Marked>(chats.map((id) => [id, { favorite: false, muted: false }])))
        for (const { who, node, chat, what } of steps) {
          const fezID = chats[chat] as string
          const client = members[who]?.clients[node] as Client
          const mark = marks[who]?.get(fezID) as Marked
          const calls = {
            favorite: async () => {
              await body(client.post(`/fez/${fezID}/favorite`), mark.favorite ? 200 : mark.muted ? 400 : 201)
              if (!mark.muted) mark.favorite = true
            },
            unfavorite: async () => {
              await body(client.delete(`/fez/${fezID}/favorite`), mark.favorite ? 204 : 200)
              mark.favorite = false
            },
            mute: async () => {
              await body(client.post(`/fez/${fezID}/mute`), mark.muted ? 200 : mark.favorite ? 400 : 201)
              if (!mark.favorite) mark.muted = true
            },
            unmute: async () => {
              await body(client.delete(`/fez/${fezID}/mute`), mark.muted ? 204 : 200)
              mark.muted = false
            },
            leave: async () => {
              await body(client.post(`/fez/${fezID}/unjoin`))
              await body(client.post(`/fez/${fezID}/join`), 201)
              mark.favorite = mark.muted = false
            },
            post: () => say(client, fezID, 'hello'),
          }
          await calls[what]()
        }
        for (const [index, member] of members.entries()) {
          const marked = marks[index] as Map<string, Marked>
          const favorites = chats.filter((id) => marked.get(id)?.favorite)
          for (const client of member.clients) {
            const all = await listed(client, '/fez/joined')
            assert.deepEqual(
              new Map(all.map(({ fezID, members: { isFavorite: favorite, isMuted: muted } }) => [fezID, { favorite, muted }])),
              new Map(all.map(({ fezID }) => [fezID, marked.get(fezID)])),
            )
            const wanted = all.map(({ fezID }) => fezID).filter((id) => favorites.includes(id))
            assert.equal(wanted.length, favorites.length)
            // Pages follow each other without a hole or a repetition, and so does the list that a search makes.
            const paged: string[] = []
            for (let start = 0; start < 6; start += 2)
              paged.push(...(await idsIn(client, `/fez/joined?favorite=true&start=${start}&limit=2`)))
            assert.deepEqual(paged, wanted)
            assert.deepEqual(await idsIn(client, '/fez/joined?favorite=true&search=chat'), wanted)
          }
        }
      }),
      parameters,
    )
  },
)
