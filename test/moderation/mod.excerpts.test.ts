// Messages of a private chat that a member hands to the moderators.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createChat, createSeamail, listen, people, refused, say, type Person } from '../support/fez.ts'

let nodes: TestNodes
let moderator: Person
before(async () => {
  nodes = await startTestNodes(2)
  ;[moderator] = (await people(nodes, { level: 'moderator' })) as [Person]
})
after(() => nodes.stop())

interface Excerpt {
  title: string
  members: { userID: string }[]
  posts: { postID: number; text: string; author: { userID: string } }[]
}
interface Judged {
  fezType: string
  reports: { id: string; submitterMessage?: string; reportedUser: { userID: string }; author: { userID: string } }[]
  excerpts?: (Excerpt & { reportID: string })[]
}

/** A private thread in which one threatens the other. */
async function threats() {
  const [victim, bully, third] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createSeamail(bully.one, [victim, third], { title: 'You know who' })
  const secret = await say(third.one, fezID, 'something between us three')
  const question = await say(victim.one, fezID, 'What do you want?')
  const threat = await say(bully.one, fezID, 'I know your cabin')
  const report = (who: Person, postIDs: unknown, message = 'I am afraid') => who.two.post(`/fez/${fezID}/reportposts`, { postIDs, message })
  return { victim, bully, third, fezID, secret, question, threat, report }
}

const look = (postID: number) => body<Judged>(moderator.one.get(`/mod/fezpost/${postID}`))

test('the moderators get what was picked, with the title and the members, and nothing else of the chat', async () => {
  const { victim, bully, third, fezID, secret, question, threat, report } = await threats()
  await body(report(victim, [threat, question]), 201)
  const { fezType, reports, excerpts = [] } = await look(threat)
  assert.equal(fezType, 'closed')
  assert.deepEqual(
    reports.map(({ submitterMessage, reportedUser, author }) => [submitterMessage, reportedUser.userID, author.userID]),
    [['I am afraid', bully.id, victim.id]],
  )
  const [{ reportID, title, members, posts }] = excerpts as [Excerpt & { reportID: string }]
  assert.deepEqual([reportID, title], [reports[0]?.id, 'You know who'])
  assert.deepEqual(members.map(({ userID }) => userID).toSorted(), [victim.id, bully.id, third.id].toSorted())
  assert.deepEqual(
    posts.map(({ postID, text, author }) => [postID, text, author.userID]),
    [
      [question, 'What do you want?', victim.id],
      [threat, 'I know your cabin', bully.id],
    ],
  )
  assert.ok(!JSON.stringify(await look(threat)).includes('between us three'))
  assert.equal((await look(secret)).excerpts, undefined)
  // The chat itself stays closed to them, and to reports of the whole.
  await refused(moderator.one.get(`/fez/${fezID}`), 400)
  await refused(victim.one.post(`/fez/${fezID}/report`, { message: 'x' }), 403)
  await refused(victim.one.post(`/fez/post/${threat}/report`, { message: 'x' }), 400)
  const { groups } = await body<{ groups: { type: string; reportedID: string }[] }>(moderator.one.get('/mod/reports/queue?limit=200'))
  assert.ok(groups.some(({ type, reportedID }) => type === 'fezPost' && reportedID === String(threat)))
})

test('the copy stays as it was when the message is deleted', async () => {
  const { victim, bully, threat, report } = await threats()
  await body(report(victim, [threat]), 201)
  await body(bully.one.post(`/fez/post/${threat}/delete`), 204)
  assert.deepEqual(
    (await look(threat)).excerpts?.map(({ posts }) => posts.map(({ text }) => text)),
    [['I know your cabin']],
  )
})

test('whom it is about learns nothing: no frame, and nothing in the chat', async () => {
  const { victim, bully, fezID, threat, report } = await threats()
  const sockets = await listen(bully)
  const chat = await bully.one.socket(`/fez/${fezID}/socket`)
  const before = await body(bully.one.get(`/fez/${fezID}?peek=true`))
  await body(report(victim, [threat]), 201)
  for (const socket of [...sockets, chat]) {
    await socket.flushed()
    assert.deepEqual(socket.frames, [])
  }
  assert.deepEqual(await body(bully.one.get(`/fez/${fezID}?peek=true`)), before)
})

test('only members, only messages of that chat, at least one of somebody else, once, and at most twenty', async () => {
  const { victim, bully, third, question, threat, report } = await threats()
  const [outsider] = (await people(nodes, {})) as [Person]
  const other = await threats()
  await refused(report(outsider, [threat]), 400)
  await refused(report(moderator, [threat]), 403)
  await refused(report(victim, [question]), 400)
  await refused(report(victim, [question, threat]), 400)
  await refused(report(victim, []), 400)
  await refused(report(victim, [threat, other.threat]), 400)
  await refused(report(victim, [threat, 2_000_000_000]), 400)
  await refused(
    report(
      victim,
      Array.from({ length: 21 }, () => threat),
    ),
    400,
  )
  await refused(report(victim, 'all'), 400)
  assert.equal((await look(threat)).excerpts, undefined)
  await body(report(victim, [threat, threat]), 201)
  await refused(report(victim, [threat]), 409)
  // Another member reports the same: both copies are there.
  await body(report(third, [threat, question]), 201)
  assert.equal((await look(threat)).excerpts?.length, 2)
  // Whoever has left has nothing to hand over any more.
  const open = await createSeamail(bully.one, [victim], { fezType: 'open' })
  const last = await say(bully.one, open, 'and again')
  await body(victim.one.post(`/fez/${open}/unjoin`))
  await refused(victim.one.post(`/fez/${open}/reportposts`, { postIDs: [last], message: 'x' }), 400)
})

test('a group for everybody: only its members hand over', async () => {
  const [owner, member, outsider] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const fezID = await createChat(owner.one, { initialUsers: [member.id] })
  const post = await say(owner.one, fezID, 'rude words')
  await refused(outsider.one.post(`/fez/${fezID}/reportposts`, { postIDs: [post], message: 'x' }), 403)
  await body(member.one.post(`/fez/${fezID}/reportposts`, { postIDs: [post], message: 'x' }), 201)
})
