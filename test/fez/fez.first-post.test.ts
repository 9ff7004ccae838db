// The first post of a new chat, in the request that makes the chat. Two nodes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { builtIn } from '../../src/accounts/rows.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, lfg, people, refused, say, type Person } from '../support/fez.ts'
import { storedImage } from '../support/images.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
before(async () => {
  nodes = await startTestNodes(2)
})
after(() => nodes.stop())

const first = (text: string, more: object = {}) => ({ text, images: [], ...more })
const mail = (others: readonly { id: string }[], more: object = {}) =>
  lfg({ fezType: 'closed', info: '', initialUsers: others.map(({ id }) => id), ...more })
const texts = (posts: readonly { text: string }[]) => posts.map(({ text }) => text)
const numberOfChats = async (title: string) => (await nodes.sql`select from fez where title = ${title}`).length

test('POST /fez/create with firstPost: the answer holds it, its writer has read it, the others find it unread in a new chat', async () => {
  const [owner, guest] = (await people(nodes, {}, {})) as [Person, Person]
  const line = await guest.two.socket('/notification/socket')
  const { fezID, members } = await body(owner.one.post('/fez/create', mail([guest], { firstPost: first('Hello\r\nthere') })), 201)
  assert.deepEqual([members.postCount, members.readCount, texts(members.posts)], [1, 1, ['Hello\nthere']])
  assert.equal(members.posts[0].author.username, owner.username)
  await line.until(({ type, contentID }) => 'addedToSeamail' in type && contentID === fezID)
  for (const client of guest.clients) {
    const { fezzes } = await body(client.get('/fez/joined?onlynew=true'))
    assert.deepEqual([fezzes[0].fezID, fezzes[0].members.postCount, fezzes[0].members.readCount], [fezID, 1, 0])
    const numbers = await body(client.get('/notification/user'))
    assert.deepEqual([numbers.addedToSeamailIDs, numbers.newSeamailMessageCount], [[fezID], 0])
  }
  for (const client of owner.clients) assert.deepEqual((await body(client.get('/fez/joined?onlynew=true'))).fezzes, [])
  assert.deepEqual(texts((await body(guest.one.get(`/fez/${fezID}`))).members.posts), ['Hello\nthere'])
  // Later posts follow it on both nodes.
  await say(guest.two, fezID, 'hi')
  for (const client of owner.clients)
    await until(async () => (await body(client.get(`/fez/${fezID}`))).members.postCount === 2, 'the later post is there')
  for (const client of owner.clients)
    assert.deepEqual(texts((await body(client.get(`/fez/${fezID}`))).members.posts), ['Hello\nthere', 'hi'])
})

test('POST /fez/create with firstPost: a picture in a group, none in a seamail, none at all in a personal event', async () => {
  const [owner, guest] = (await people(nodes, {}, {})) as [Person, Person]
  const title = `Pictures ${randomUUID()}`
  const images = [{ filename: storedImage(nodes) }]
  const made = await body(owner.one.post('/fez/create', lfg({ firstPost: first('look', { images }) })), 201)
  assert.equal(made.members.posts[0].image, images[0]?.filename)
  const times = { startTime: '2099-01-01T10:00:00Z', endTime: '2099-01-01T11:00:00Z' }
  for (const content of [
    mail([guest], { title, firstPost: first('look', { images }) }),
    lfg({ title, fezType: 'open', firstPost: first('look', { images }) }),
    lfg({ title, fezType: 'personalEvent', ...times, firstPost: first('to myself') }),
    lfg({ title, firstPost: first('two', { images: [...images, ...images] }) }),
    lfg({ title, firstPost: first('gone', { images: [{ filename: `${randomUUID()}.jpg` }] }) }),
    lfg({ title, firstPost: first('') }),
    lfg({ title, firstPost: { text: 'no list' } }),
    lfg({ title, firstPost: first('x'.repeat(2048)) }),
  ])
    await refused(owner.two.post('/fez/create', content), 400)
  assert.equal(await numberOfChats(title), 0)
  // Nor by somebody who may not write.
  const [unverified] = (await people(nodes, { level: 'unverified' })) as [Person]
  await refused(unverified.one.post('/fez/create', lfg({ title, firstPost: first('hello') })), 403)
  assert.equal(await numberOfChats(title), 0)
})

test('POST /fez/create with firstPost: repeated with its Idempotency-Key it makes one chat with one post', async () => {
  const [owner] = (await people(nodes, {})) as [Person]
  const title = `Once ${randomUUID()}`
  const content = lfg({ title, firstPost: first('only once') })
  const headers = { 'idempotency-key': randomUUID() }
  const answers = await Promise.all(owner.clients.map((client) => client.post('/fez/create', content, { headers })))
  const again = await owner.two.post('/fez/create', content, { headers })
  const made = [...answers, again].filter(({ status }) => status === 201)
  assert.ok(made.length >= 2)
  assert.equal(new Set(made.map((answer) => answer.body.fezID)).size, 1)
  assert.equal(await numberOfChats(title), 1)
  assert.deepEqual(texts(again.body.members.posts), ['only once'])
  assert.equal((await body(owner.one.get(`/fez/${again.body.fezID}`))).members.postCount, 1)
})

test('POST /fez/create with firstPost: the shared accounts of chat and post are chosen apart, and noted as for any post', async () => {
  const [moderator, guest] = (await people(nodes, { level: 'moderator' }, {})) as [Person, Person]
  const create = (more: object, post: object) =>
    body(moderator.one.post('/fez/create', mail([guest], { ...more, firstPost: first('hello', post) })), 201)
  const author = ({ members }: { members: { posts: { author: { userID: string } }[] } }) => members.posts[0]?.author.userID
  const own = await create({}, {})
  const asModerator = await create({}, { postAsModerator: true })
  const ofTeam = await create({ createdByModerator: true }, {})
  const both = await create({ createdByModerator: true }, { postAsModerator: true })
  assert.deepEqual([own, asModerator, ofTeam, both].map(author), [moderator.id, builtIn.moderator, moderator.id, builtIn.moderator])
  assert.deepEqual([own.owner.userID, ofTeam.owner.userID, both.owner.userID], [moderator.id, builtIn.moderator, builtIn.moderator])
  assert.deepEqual([ofTeam.members.readCount, both.members.readCount], [1, 1])
  const noted = async ({ fezID }: { fezID: string }) =>
    (
      await nodes.sql`select from moderator_action join fez_post on fez_post.id::text = content_id
      where content_type = 'fezPost' and action_type = 'post' and fez_id = ${fezID}`
    ).length
  assert.deepEqual(await Promise.all([own, asModerator, ofTeam, both].map(noted)), [0, 1, 0, 1])
  // The wish is ignored from others, as in every post.
  const plain = await body(guest.two.post('/fez/create', mail([moderator], { firstPost: first('hi', { postAsModerator: true }) })), 201)
  assert.equal(author(plain), guest.id)
})

test('POST /fez/:fezID/update: ignores a firstPost', async () => {
  const [owner] = (await people(nodes, {})) as [Person]
  const { fezID } = await body(owner.one.post('/fez/create', lfg()), 201)
  await body(owner.one.post(`/fez/${fezID}/update`, lfg({ title: 'Other cards', firstPost: first('late') })))
  assert.equal((await body(owner.two.get(`/fez/${fezID}`))).members.postCount, 0)
})
