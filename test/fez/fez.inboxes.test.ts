// Shared inboxes: what each member of a team has read, and is told, of the chats of its account. Two nodes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { published, startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { body, createChat, mute, people, say, type Person } from '../support/fez.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

interface Waiting {
  moderator: number
  team: number
  added: number
  unread: number
}

/** What one node says is new to somebody of the team. */
async function waiting(client: Client): Promise<Waiting> {
  const { moderatorData, addedToSeamailCount, newSeamailMessageCount } = await body(client.get('/notification/user'))
  return {
    moderator: moderatorData.newModeratorSeamailMessageCount,
    team: moderatorData.newTTSeamailMessageCount,
    added: addedToSeamailCount,
    unread: newSeamailMessageCount,
  }
}

/** Chats of other tests are read: everybody begins with nothing. */
async function teamOf(...levels: ('moderator' | 'serviceteam')[]): Promise<Person[]> {
  await nodes.sql`update fez set deleted_at = now() where deleted_at is null`
  return await people(nodes, ...levels.map((level) => ({ level })))
}

/** The same on both nodes, once all that was told before has arrived. */
async function shows(person: Person, expected: Partial<Waiting>): Promise<void> {
  await published(nodes)
  for (const client of person.clients) assert.deepEqual(await waiting(client), { moderator: 0, team: 0, added: 0, unread: 0, ...expected })
}

const toInbox = (client: Client, ...ids: string[]) => createChat(client, { fezType: 'closed', info: '', initialUsers: ids })
const listed = async (client: Client, query: string): Promise<[string, number, number][]> =>
  (await body(client.get(`/fez/joined?${query}`))).fezzes.map(
    ({ fezID, members }: { fezID: string; members: { postCount: number; readCount: number } }) => [
      fezID,
      members.postCount,
      members.readCount,
    ],
  )
const place = async (client: Client, fezID: string) => {
  const { members } = await body(client.get(`/fez/${fezID}?limit=1&peek=true`))
  return [members.postCount, members.readCount]
}

test("GET /fez/:fezID: reading in a shared inbox is each reader's own", async () => {
  const [ann, bob, chief] = (await teamOf('moderator', 'moderator', 'serviceteam')) as [Person, Person, Person]
  const [asker] = (await people(nodes, {})) as [Person]
  const fezID = await toInbox(asker.one, builtIn.moderator, builtIn.ServiceTeam)
  for (const each of [ann, bob]) await shows(each, { moderator: 1 })
  await shows(chief, { moderator: 1, team: 1 })
  await say(asker.two, fezID, 'help')
  await say(asker.two, fezID, 'please')
  for (const each of [ann, bob]) await shows(each, { moderator: 1 })
  assert.deepEqual(await listed(ann.two, 'foruser=moderator&onlynew=true'), [[fezID, 2, 0]])
  assert.equal((await body(ann.one.get(`/fez/${fezID}`))).members.readCount, 0)
  await shows(ann, {})
  await shows(bob, { moderator: 1 })
  await shows(chief, { moderator: 1, team: 1 })
  assert.deepEqual(await place(ann.two, fezID), [2, 2])
  assert.deepEqual(await listed(ann.two, 'foruser=moderator'), [[fezID, 2, 2]])
  assert.deepEqual(await listed(ann.two, 'foruser=moderator&onlynew=true'), [])
  assert.deepEqual(await listed(ann.one, 'foruser=moderator&onlynew=true&search=cards'), [])
  assert.deepEqual(await listed(bob.one, 'foruser=moderator&onlynew=true&search=cards'), [[fezID, 2, 0]])
  assert.deepEqual(await listed(bob.two, 'foruser=moderator&onlynew=true'), [[fezID, 2, 0]])
  await body(chief.two.get(`/fez/${fezID}`))
  await shows(chief, {})
  for (const inbox of ['moderator', 'serviceteam'])
    assert.deepEqual(await listed(chief.one, `foruser=${inbox}&onlynew=false`), [[fezID, 2, 2]])
  await say(asker.one, fezID, 'thanks')
  for (const each of [ann, bob]) await shows(each, { moderator: 1 })
  await shows(chief, { moderator: 1, team: 1 })
  assert.deepEqual(await place(ann.one, fezID), [3, 2])
  assert.deepEqual(await place(bob.one, fezID), [3, 0])
  // Who reads earlier posts again has read the later ones all the same.
  await body(ann.one.get(`/fez/${fezID}`))
  await body(ann.two.get(`/fez/${fezID}?start=0&limit=1`))
  for (const { node } of nodes.apps) node.bus.reset()
  assert.deepEqual(await place(ann.one, fezID), [3, 3])
  await shows(ann, {})
})

test('POST /fez/:fezID/post: who answers from a shared inbox has read it; the others of the team have not, and hear no notice', async () => {
  const [ann, bob] = (await teamOf('moderator', 'moderator')) as [Person, Person]
  const [asker] = (await people(nodes, {})) as [Person]
  const fezID = await toInbox(asker.one, builtIn.moderator)
  await say(asker.one, fezID, 'help')
  for (const each of [ann, bob]) await shows(each, { moderator: 1 })
  for (const each of [ann, bob]) await body(each.two.get(`/fez/${fezID}`))
  const [annHears, bobHears, askerHears] = await Promise.all([ann, bob, asker].map(({ two }) => two.socket('/notification/socket')))
  await say(ann.one, fezID, 'how?', { postAsModerator: true })
  await askerHears?.count(1)
  await shows(ann, {})
  await shows(bob, { moderator: 1 })
  assert.deepEqual(await place(ann.two, fezID), [2, 2])
  assert.deepEqual(await place(bob.two, fezID), [2, 1])
  await say(asker.two, fezID, 'so')
  for (const each of [ann, bob]) await shows(each, { moderator: 1 })
  for (const socket of [annHears, bobHears]) {
    await socket?.flushed()
    assert.deepEqual(socket?.frames, [])
  }
})

test('a moderator who is a member too has both, and reads both at once', async () => {
  const [ann, bob] = (await teamOf('moderator', 'moderator')) as [Person, Person]
  const [asker] = (await people(nodes, {})) as [Person]
  const fezID = await toInbox(asker.one, builtIn.moderator, ann.id)
  await shows(ann, { moderator: 1, added: 1 })
  await body(ann.one.get(`/fez/${fezID}`))
  await shows(ann, {})
  await say(asker.one, fezID, 'help')
  await shows(ann, { moderator: 1, unread: 1 })
  await body(ann.two.post(`/fez/${fezID}/mute`), 201)
  await shows(ann, { moderator: 1 })
  await body(ann.two.get(`/fez/${fezID}`))
  await shows(ann, {})
  await say(ann.one, fezID, 'yes?')
  await shows(ann, {})
  await shows(bob, { moderator: 1 })
})

test('POST /fez/create: a chat is not new to who has opened it with or as the shared account', async () => {
  const [ann, bob, chief] = (await teamOf('moderator', 'moderator', 'serviceteam')) as [Person, Person, Person]
  const [other] = (await people(nodes, {})) as [Person]
  await toInbox(ann.one, builtIn.moderator, builtIn.ServiceTeam)
  await shows(ann, {})
  await shows(bob, { moderator: 1 })
  await shows(chief, { moderator: 1, team: 1 })
  await createChat(bob.one, { fezType: 'closed', info: '', createdByModerator: true, initialUsers: [other.id] })
  await shows(ann, {})
  await shows(bob, { moderator: 1 })
})

test('posts by authors whom a reader mutes, and posts that are deleted, are not new to him', async () => {
  const [ann, bob] = (await teamOf('moderator', 'moderator')) as [Person, Person]
  const [asker, rude] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await toInbox(asker.one, builtIn.moderator, rude.id)
  for (const each of [ann, bob]) await body(each.one.get(`/fez/${fezID}`))
  await mute(ann, rude)
  const post = await say(rude.one, fezID, 'rude')
  await shows(ann, {})
  await shows(bob, { moderator: 1 })
  assert.deepEqual(await place(ann.two, fezID), [0, 0])
  await body(rude.two.delete(`/fez/post/${post}`), 204)
  await shows(bob, {})
  await say(asker.two, fezID, 'hello')
  await shows(ann, { moderator: 1 })
  await body(ann.one.delete(`/fez/${fezID}`), 204)
  for (const each of [ann, bob]) await shows(each, {})
})

test('who joins a team has read what was in its inboxes before; who leaves it sees nothing of them', async () => {
  const [chief] = (await teamOf('serviceteam')) as [Person]
  const [asker, newcomer, tho] = (await people(nodes, {}, {}, { level: 'tho' })) as [Person, Person, Person]
  const promote = (level: string) => body(tho.one.post(`/admin/${level}/promote/${newcomer.id}`))
  const demote = () => body(tho.two.post(`/admin/user/demote/${newcomer.id}`))
  const fezID = await toInbox(asker.one, builtIn.moderator, builtIn.ServiceTeam)
  await say(asker.one, fezID, 'before')
  await body(newcomer.one.get('/notification/user'))
  await promote('moderator')
  await shows(newcomer, {})
  assert.deepEqual(await place(newcomer.two, fezID), [1, 1])
  await say(asker.one, fezID, 'as moderator')
  await shows(newcomer, { moderator: 1 })
  await promote('serviceteam')
  await shows(newcomer, { moderator: 1 })
  await say(asker.two, fezID, 'as both')
  await shows(newcomer, { moderator: 1, team: 1 })
  await demote()
  for (const client of newcomer.clients) assert.equal((await body(client.get('/notification/user'))).moderatorData, undefined)
  await say(asker.one, fezID, 'as nobody')
  await promote('serviceteam')
  await shows(newcomer, {})
  await shows(chief, { moderator: 1, team: 1 })
})

test('POST /fez/:fezID/user/:userID/add: a chat is not new to who has brought the shared account into it', async () => {
  const [ann, bob] = (await teamOf('moderator', 'moderator')) as [Person, Person]
  const fezID = await createChat(ann.one, { fezType: 'open', info: '' })
  await say(ann.one, fezID, 'come and look')
  await body(ann.two.post(`/fez/${fezID}/user/${builtIn.moderator}/add`))
  await shows(ann, {})
  await shows(bob, { moderator: 1 })
  assert.deepEqual(await listed(ann.one, 'foruser=moderator'), [[fezID, 1, 1]])
  assert.deepEqual(await listed(bob.one, 'foruser=moderator'), [[fezID, 1, 0]])
})

test('an open chat that a shared account leaves and comes back to is new to its team again', async () => {
  const [ann] = (await teamOf('moderator')) as [Person]
  const [owner] = (await people(nodes, {})) as [Person]
  const fezID = await createChat(owner.one, { fezType: 'open', info: '' })
  const change = (verb: 'add' | 'remove') => body(owner.two.post(`/fez/${fezID}/user/${builtIn.moderator}/${verb}`))
  await shows(ann, {})
  await change('add')
  await shows(ann, { moderator: 1 })
  await body(ann.one.get(`/fez/${fezID}`))
  await say(owner.one, fezID, 'one')
  await shows(ann, { moderator: 1 })
  await body(ann.two.get(`/fez/${fezID}`))
  await shows(ann, {})
  await change('remove')
  await say(owner.one, fezID, 'two')
  await shows(ann, {})
  await change('add')
  await shows(ann, { moderator: 1 })
  await body(ann.two.get(`/fez/${fezID}`))
  await shows(ann, {})
})

test('many of a team read and answer at once on two nodes: the numbers are those of the rows', async () => {
  const team = await teamOf('moderator', 'moderator', 'moderator', 'serviceteam')
  const askers = await people(nodes, {}, {}, {})
  const chats = await Promise.all(askers.map(({ one }) => toInbox(one, builtIn.moderator)))
  for (let round = 0; round < 5; round++) {
    await Promise.all([
      ...askers.map(({ clients }, index) => say(clients[round % 2] as Client, chats[index] as string, 'help')),
      ...team.map(({ clients }, index) =>
        body((clients[(round + index) % 2] as Client).get(`/fez/${chats[(round + index) % chats.length]}`)),
      ),
      say(team[round % 4]?.two as Client, chats[round % 3] as string, 'yes', { postAsModerator: true }),
    ])
    for (const each of team) {
      const [row] = await nodes.sql<[{ count: number }]>`
        select count(*)::int as count from fez left join fez_inbox_reader seen on seen.fez_id = fez.id and seen.account_id = ${each.id} and inbox_id = ${builtIn.moderator}
        where fez.id = any(${chats}) and exists (select from fez_post post where post.fez_id = fez.id and post.id > coalesce(seen.read_post_id, 0))`
      await shows(each, { moderator: row.count })
    }
  }
})
