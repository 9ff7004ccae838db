// Notices to who was added to a chat, and to the members of one that was called off; on every device, on two nodes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { App } from '../../src/app.ts'
import { builtIn } from '../../src/accounts/rows.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { TestSocket } from '../support/client.ts'
import { body, createChat, lfg, moderate, people, say, type Person } from '../support/fez.ts'
import { countStatements } from '../support/statements.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const sockets = (who: Person) => Promise.all(who.clients.map((client) => client.socket('/notification/socket')))
const toldOf = async (opened: readonly TestSocket[], fezID: string): Promise<string[][]> => {
  await Promise.all(opened.map((socket) => socket.flushed()))
  return opened.map(({ frames }) => frames.filter(({ contentID }) => contentID === fezID).map(({ type }) => Object.keys(type).join()))
}
const firstOf = (socket: TestSocket | undefined, fezID: string) =>
  (socket as TestSocket).until(({ contentID }) => contentID === fezID, 'a notice of the chat')
const times = { startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' }

const kinds = [
  { fezType: 'closed', added: 'addedToSeamail', cancelled: 'lfgCanceled', label: 'Seamail' },
  { fezType: 'open', added: 'addedToSeamail', cancelled: 'lfgCanceled', label: 'Seamail' },
  { fezType: 'gaming', added: 'addedToLFG', cancelled: 'lfgCanceled', label: 'LFG' },
  { fezType: 'privateEvent', added: 'addedToPrivateEvent', cancelled: 'privateEventCanceled', label: 'Private Event' },
]

for (const { fezType, added, cancelled, label } of kinds) {
  test(`POST /fez/create and cancel, ${fezType}: the others hear of it, once on each device`, async () => {
    const [owner, member, outsider] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
    const [own, others, strangers] = await Promise.all([owner, member, outsider].map(sockets))
    const more = fezType === 'closed' || fezType === 'open' ? {} : times
    const fezID = await createChat(owner.one, {
      fezType,
      info: more === times ? 'about it' : '',
      title: 'Chess',
      initialUsers: [member.id],
      ...more,
    })
    const frame = await firstOf(others?.[0], fezID)
    assert.equal(frame.info, `@${owner.username} added you to ${label} "Chess".`)
    await firstOf(others?.[1], fezID)
    for (let time = 0; time < 2; time++) await body(owner.two.post(`/fez/${fezID}/cancel`))
    for (const socket of others ?? []) {
      const notice = await socket.until(({ type }) => cancelled in type)
      assert.equal(notice.info, `@${owner.username} cancelled ${label} "Chess".`)
    }
    assert.deepEqual(await toldOf(others ?? [], fezID), [
      [added, cancelled],
      [added, cancelled],
    ])
    assert.deepEqual(await toldOf([...(own ?? []), ...(strangers ?? [])], fezID), [[], [], [], []])
  })
}

test('POST /fez/:fezID/user/:userID/add: who was added hears of it, muted or not, and nobody else', async () => {
  const [owner, member, added] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, lfg({ title: 'Chess', initialUsers: [member.id] }))
  const [own, others, news] = await Promise.all([owner, member, added].map(sockets))
  await body(owner.two.post(`/fez/${fezID}/user/${added.id}/add`))
  for (const socket of news ?? []) assert.deepEqual((await firstOf(socket, fezID)).type, { addedToLFG: {} })
  await body(added.one.post(`/fez/${fezID}/mute`), 201)
  await body(member.one.post(`/fez/${fezID}/unjoin`))
  await body(owner.one.post(`/fez/${fezID}/cancel`))
  for (const socket of news ?? []) await socket.until(({ type }) => 'lfgCanceled' in type)
  assert.deepEqual(await toldOf([...(own ?? []), ...(others ?? [])], fezID), [[], [], [], []])
})

test('a chat of the team: its members hear of it, whoever made it and the team do not; hidden titles stay hidden', async () => {
  const [maker, colleague, user] = (await people(nodes, { level: 'moderator' }, { level: 'moderator' }, {})) as [Person, Person, Person]
  const [own, team, others] = await Promise.all([maker, colleague, user].map(sockets))
  const fezID = await createChat(maker.one, { fezType: 'closed', info: '', initialUsers: [user.id, maker.id], createdByModerator: true })
  assert.match((await firstOf(others?.[1], fezID)).info, /^@moderator added you to Seamail/)
  const asked = await createChat(user.one, { fezType: 'closed', info: '', initialUsers: [builtIn.moderator] })
  assert.deepEqual(await toldOf([...(own ?? []), ...(team ?? [])], fezID), [[], [], [], []])
  assert.deepEqual(await toldOf(team ?? [], asked), [[], []])

  const group = await createChat(user.one, lfg({ title: 'Rude', initialUsers: [] }))
  await moderate(nodes, group, 'quarantined')
  await body(user.one.post(`/fez/${group}/user/${colleague.id}/add`))
  assert.equal((await firstOf(team?.[0], group)).info, `@${user.username} added you to LFG.`)
})

test('a post takes one statement, and its members hear of it without another, here and elsewhere', async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [member.id] })
  const [here, elsewhere] = (await sockets(member)) as [TestSocket, TestSocket]
  const reading = await member.two.socket(`/fez/${fezID}/socket`)
  const hears = async (text: string) => {
    await say(owner.one, fezID, text)
    const isOfPost = ({ info }: { info?: string }) => info?.endsWith(text) === true
    await Promise.all([here.until(isOfPost), elsewhere.until(isOfPost), reading.until((frame) => frame.text === text)])
  }
  await hears('Who else is here?')
  const [one, two] = nodes.apps as [App, App]
  let elsewhereToo = 0
  const atOnce = async () => (elsewhereToo = await countStatements(two, () => hears('Anybody?'), { warm: true }))
  assert.deepEqual([await countStatements(one, atOnce, { warm: true }), elsewhereToo], [1, 0])
})
