// The cache of accounts: it evicts above its bound, and reads an evicted account again when it is needed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Node } from '../../src/core/work/ctx.ts'
import { createAccounts } from '../support/accounts.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createChat, people, say, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { apply } from '../support/schedule.ts'

let nodes: TestNodes
/** Their memory is the smallest there is: 8 MB of accounts. */
before(async () => {
  nodes = await startTestNodes(2, { env: { MEMORY_MB: '256' } })
})
after(() => nodes.stop())

/** At 500 bytes each. */
const mostAccounts = (8 * 1024 * 1024) / 500
const nodeOf = (index: 0 | 1) => (nodes.apps[index] as (typeof nodes.apps)[0]).node
const sweep = ({ accounts, channels }: Node) => accounts.sweep(channels.accountIds())

let crowd: Promise<string[]> | undefined

/** More accounts than fit are read. */
async function crowdIn(node: Node): Promise<void> {
  crowd ??= createAccounts(
    nodes.sql,
    Array.from({ length: mostAccounts + 1000 }, () => ({})),
  ).then((all) => all.map(({ id }) => id))
  await node.accounts.load(await crowd)
}

/** A minute goes by in which all those are asked for, and nobody else. */
async function crowdedMinute(node: Node): Promise<void> {
  await crowdIn(node)
  await sweep(node)
  await crowdIn(node)
  await sweep(node)
}

const shownIn = async (who: Person, forumID: string): Promise<string> =>
  (await body(who.two.get(`/forum/${forumID}`))).posts[0].author.displayName

test('above its bound it evicts accounts that were not used for a minute, and no others', async () => {
  const node = nodeOf(1)
  await crowdIn(node)
  assert.ok(node.accounts.size > mostAccounts)
  await sweep(node)
  assert.ok(node.accounts.size > mostAccounts, 'all of them have just been used')
  await sweep(node)
  assert.ok(node.accounts.size <= mostAccounts)
  assert.ok(node.accounts.size > mostAccounts / 2, 'most of those that fit stay')
})

test('an open chat keeps the accounts of its members and of its authors', async () => {
  const [ann, bob, carol, silent, gone] = (await people(nodes, {}, {}, {}, {}, {})) as [Person, Person, Person, Person, Person]
  const chat = await createChat(ann.one)
  for (const { one } of [bob, carol, silent, gone]) await body(one.post(`/fez/${chat}/join`), 201)
  await say(carol.one, chat, 'before')
  await say(gone.one, chat, 'see you')
  await body(gone.one.post(`/fez/${chat}/unjoin`))
  const socket = await bob.two.socket(`/fez/${chat}/socket`)
  await body(bob.two.get(`/fez/${chat}`))
  const node = nodeOf(1)
  await crowdedMinute(node)
  await body(bob.one.post(`/users/${carol.id}/mute`), 201)
  await say(ann.one, chat, 'afterwards')
  await socket.until(({ text }) => text === 'afterwards')
  const { members } = await body(bob.two.get(`/fez/${chat}`))
  assert.deepEqual(
    members.participants.map(({ username }: { username: string }) => username),
    [ann, bob, carol, silent].map(({ username }) => username),
  )
  assert.deepEqual(
    members.posts.map(({ text }: { text: string }) => text),
    ['see you', 'afterwards'],
  )
})

test('a change of an evicted account is seen in pages that were made before', async () => {
  const [ann, bob] = (await people(nodes, { displayName: 'Ann' }, {})) as [Person, Person]
  const { forumID } = await startForum(ann.one, 'A forum')
  // Twice, so that it is kept.
  for (let time = 0; time < 3; time++) assert.equal(await shownIn(bob, forumID), 'Ann')
  const node = nodeOf(1)
  await crowdedMinute(node)
  assert.ok(!node.accounts.has(ann.id), 'she is evicted')
  await body(ann.one.post('/user/profile', { displayName: 'Anna' }))
  assert.equal(await shownIn(bob, forumID), 'Anna')
})

test('an account that is used during a sweep is not evicted', async () => {
  const [ann] = (await people(nodes, {})) as [Person]
  const node = nodeOf(1)
  await crowdIn(node)
  await node.accounts.load([ann.id])
  await sweep(node)
  await crowdIn(node)
  const sweeping = sweep(node)
  assert.equal(node.accounts.get(ann.id).username, ann.username)
  await sweeping
  assert.ok(node.accounts.has(ann.id))
})

test('announcements and photographers keep their accounts', async () => {
  const [team, manager, photographer, bob] = (await people(
    nodes,
    { level: 'admin' },
    { roles: ['shutternautmanager'] },
    { roles: ['shutternaut'] },
    {},
  )) as [Person, Person, Person, Person]
  await apply(team, [
    { uid: 'a', title: 'Dancing', location: 'Deck 9', start: '2025-03-03T20:00:00.000Z', end: '2025-03-03T21:00:00.000Z' },
  ])
  const [{ eventID }] = await body(photographer.two.get('/events'))
  await body(photographer.one.post(`/events/${eventID}/photographer`), 201)
  const displayUntil = new Date(Date.now() + 3_600_000).toISOString()
  await body(team.one.post('/notification/announcement/create', { text: 'Boat drill at four', displayUntil }), 201)
  const shown = async () => [
    (await body(bob.two.get('/notification/announcements')))[0].author.username,
    (await body(manager.two.get('/events')))[0].shutternautData.photographers[0].username,
  ]
  assert.deepEqual(await shown(), [team.username, photographer.username])
  const node = nodeOf(1)
  await crowdedMinute(node)
  // Others, whose responses are not in memory yet.
  const [other, another] = (await people(nodes, { roles: ['shutternautmanager'] }, {})) as [Person, Person]
  assert.equal((await body(another.two.get('/notification/announcements')))[0].author.username, team.username)
  assert.equal((await body(other.two.get('/events')))[0].shutternautData.photographers[0].username, photographer.username)
})
