// What is to be seen in pictures: said with the upload, kept with the picture, there for everybody who may see it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { body, createChat, people, refused, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { until } from '../support/until.ts'

let nodes: TestNodes
let png: string
before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
  const flat = sharp({ create: { width: 40, height: 30, channels: 3, background: '#2a7f9e' } })
  png = (await flat.png().toBuffer()).toString('base64')
})
after(() => nodes.stop())

const describedBy = async ({ two }: Person, ...images: string[]) => {
  const query = images.map((image) => `image=${image}`).join('&')
  const all = (await body(two.get(`/image/descriptions?${query}`))) as { image: string; description: string }[]
  return new Map(all.map(({ image, description }) => [image, description]))
}
const post = async (client: Client, forumID: string, ...images: object[]): Promise<{ postID: number; images: string[] }> =>
  await body(client.post(`/forum/${forumID}/create`, { text: 'look', images }), 201)

test('a description comes with the picture, in each place, and is there for whoever has its name', async () => {
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID } = await startForum(ann.one, 'Pictures')
  const { images } = await post(ann.one, forumID, { image: png, alt: ' A grey seal on a rock ' }, { image: png }, { image: png, alt: ' ' })
  const [seal = '', plain = '', blank = ''] = images
  const { images: tweeted } = await body(ann.one.post('/microblog/create', { text: 'look', images: [{ image: png, alt: 'A sail' }] }), 201)
  const fezID = await createChat(ann.one)
  const chat = await body(ann.one.post(`/fez/${fezID}/post`, { text: 'look', images: [{ image: png, alt: 'A rope' }] }), 201)
  const photo = await body(
    ann.one.post('/photostream/upload', { image: png, createdAt: new Date().toISOString(), alt: 'A wave', locationName: 'On Boat' }),
  )
  const names = [seal, plain, blank, tweeted[0], chat.image, photo.image]
  assert.deepEqual(
    [...(await describedBy(bob, ...names))].toSorted(),
    [
      [seal, 'A grey seal on a rock'],
      [tweeted[0], 'A sail'],
      [chat.image, 'A rope'],
      [photo.image, 'A wave'],
    ].toSorted(),
  )
  assert.deepEqual([...(await describedBy(bob, 'nothing'))], [])
  await refused(nodes.client().get(`/image/descriptions?image=${seal}`), 401)
  const { status, body: refusal } = await ann.one.post(`/forum/${forumID}/create`, {
    text: 'x',
    images: [{ image: png, alt: 'x'.repeat(501) }],
  })
  assert.equal(status, 400)
  assert.match(JSON.stringify(refusal), /images\.0\.alt/)
})

test('whoever described a picture says it anew when it is shown again; nobody else does', async () => {
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID } = await startForum(ann.one, 'Again')
  const { postID, images } = await post(ann.one, forumID, { image: png, alt: 'A gull' }, { image: png })
  const [gull = '', plain = ''] = images
  await post(bob.one, forumID, { filename: gull, alt: 'A hen' }, { filename: plain, alt: 'Mine now' })
  assert.deepEqual([...(await describedBy(bob, gull, plain))], [[gull, 'A gull']])
  await body(
    ann.two.post(`/forum/post/${postID}/update`, {
      text: 'look',
      images: [{ filename: gull, alt: 'A herring gull' }, { filename: plain }],
    }),
  )
  assert.deepEqual([...(await describedBy(bob, gull))], [[gull, 'A herring gull']])
})

test('a description goes with its picture', async () => {
  const [ann, bob] = (await people(nodes, {}, {})) as [Person, Person]
  const { forumID } = await startForum(ann.one, 'Gone')
  const { postID, images } = await post(ann.one, forumID, { image: png, alt: 'A lighthouse' })
  await body(ann.one.delete(`/forum/post/${postID}`), 204)
  await until(async () => (await describedBy(bob, ...images)).size === 0, 'nothing is said of it any more')
})
