// Width and height of images beside their names, wherever posts and lists show them.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { sizeOf } from '../../src/image/sizes.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { body, createChat, people, type Person } from '../support/fez.ts'
import { startForum } from '../support/forum.ts'
import { storedImage } from '../support/images.ts'
import { until } from '../support/until.ts'
import { write } from '../support/microblog.ts'

let nodes: TestNodes
let ann: Person
let ben: Person
let tho: Person
before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
  ;[ann, ben, tho] = (await people(nodes, {}, {}, { level: 'tho' })) as [Person, Person, Person]
})
after(() => nodes.stop())

const flat = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#336699' } })
const uploadOf = async (width: number, height: number) => ({ image: (await flat(width, height).png().toBuffer()).toString('base64') })
const size = (width: number, height: number) => ({ width, height })

test('width and height are found in the first bytes of files of every kind', async () => {
  const picture = flat(321, 123)
  const noise = sharp({
    create: { width: 321, height: 123, channels: 4, background: '#0000', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  })
  const files = [
    picture.clone().jpeg(),
    picture.clone().jpeg({ progressive: true }).withMetadata({ orientation: 1 }),
    picture.clone().png(),
    picture.clone().gif(),
    picture.clone().webp(),
    picture.clone().webp({ lossless: true }),
    noise.clone().webp(),
    sharp(
      await Promise.all(
        [1, 2].map((shade) =>
          flat(321, 123)
            .tint({ r: shade * 90, g: 0, b: 0 })
            .png()
            .toBuffer(),
        ),
      ),
      { join: { animated: true } },
    ).webp(),
  ]
  for (const file of files) {
    const bytes = await file.toBuffer()
    assert.deepEqual(sizeOf(bytes.subarray(0, 4096)), size(321, 123), (await sharp(bytes).metadata()).format)
    for (let length = 0; length < 40; length++) sizeOf(bytes.subarray(0, length))
  }
  assert.equal(sizeOf(Buffer.from('x')), undefined)
  assert.equal(sizeOf(Buffer.alloc(5000, 0xff)), undefined)
})

test('posts of forums have the sizes of their images, in order: large ones as they are stored, named ones as well', async () => {
  const forum = await startForum(ann.one, 'Pictures', { images: [await uploadOf(40, 30)] } as object)
  assert.deepEqual((await body(ben.one.get(`/forum/${forum.forumID}`))).posts[0].imageSizes, [size(40, 30)])
  const post = await body(
    ann.one.post(`/forum/${forum.forumID}/create`, { text: 'two', images: [await uploadOf(3000, 1500), await uploadOf(50, 500)] }),
    201,
  )
  assert.deepEqual(post.imageSizes, [size(2048, 1024), size(50, 500)])
  const of = async (person: Person) => (await body(person.two.get(`/forum/${forum.forumID}`))).posts[1].imageSizes
  assert.deepEqual(await of(ben), post.imageSizes)
  assert.deepEqual((await body(ben.two.get(`/forum/post/${post.postID}`))).imageSizes, post.imageSizes)
  assert.deepEqual((await body(ben.one.get('/forum/post/search?search=two'))).posts[0].imageSizes, post.imageSizes)
  const [first, second] = post.images
  const images = [{ filename: second }, { filename: first }]
  const edited = await body(ann.two.post(`/forum/post/${post.postID}/update`, { text: 'turned', images }))
  assert.deepEqual(edited.imageSizes, [size(50, 500), size(2048, 1024)])
  assert.deepEqual(await of(ben), edited.imageSizes)
  const without = await body(ann.one.post(`/forum/post/${post.postID}/update`, { text: 'none', images: [] }))
  assert.deepEqual([without.images, without.imageSizes], [[], undefined])
  assert.deepEqual(await of(ben), undefined)
})

test('posts of the microblog have them, and those under review have not', async () => {
  const id = await write(ann.one, 'look', { images: [await uploadOf(70, 90)] })
  const { images, imageSizes } = await body(ben.two.get(`/microblog/${id}`))
  assert.deepEqual([images.length, imageSizes], [1, [size(70, 90)]])
  const newest = (await body(ben.two.get('/microblog'))).find(({ twarrtID }: { twarrtID: number }) => twarrtID === id)
  assert.deepEqual(newest.imageSizes, imageSizes)
  await body(tho.one.post(`/mod/microblog/${id}/setstate/quarantined`))
  assert.equal('imageSizes' in (await body(ben.two.get(`/microblog/${id}`))), false)
})

test('posts in chats have them: in the answer, the list and the frame', async () => {
  const fezID = await createChat(ann.one)
  await body(ben.one.post(`/fez/${fezID}/join`), 201)
  const socket = await ben.two.socket(`/fez/${fezID}/socket`)
  const answer = await body(ann.one.post(`/fez/${fezID}/post`, { text: 'look', images: [await uploadOf(60, 20)] }), 201)
  assert.deepEqual(answer.imageSize, size(60, 20))
  assert.deepEqual((await socket.until((frame) => 'postID' in frame)).imageSize, size(60, 20))
  const { members } = await body(ben.two.get(`/fez/${fezID}`))
  assert.deepEqual(members.posts.at(-1).imageSize, size(60, 20))
  const again = await body(ann.one.post(`/fez/${fezID}/post`, { text: 'again', images: [{ filename: answer.image }] }), 201)
  assert.deepEqual(again.imageSize, size(60, 20))
})

test('themes of days and photos of the stream have them', async () => {
  const theme = { title: 'Formal', info: 'Gowns', cruiseDay: 3, image: await uploadOf(80, 40) }
  await body(tho.one.post('/admin/dailytheme/create', theme), 201)
  const [listed] = await body(ben.two.get('/notification/dailythemes'))
  assert.deepEqual(listed.imageSize, size(80, 40))
  const photo = { image: (await uploadOf(64, 48)).image, createdAt: new Date().toISOString(), locationName: 'On Boat' }
  await body(ann.one.post('/photostream/upload', photo))
  assert.deepEqual((await body(ben.two.get('/photostream'))).photos[0].imageSize, size(64, 48))
})

test('a file that cannot be read has no size, and the post has none of them', async () => {
  const images = [{ filename: storedImage(nodes) }, await uploadOf(10, 10)]
  const id = await write(ann.one, 'one of them is none', { images })
  const post = await body(ben.one.get(`/microblog/${id}`))
  assert.deepEqual([post.images.length, 'imageSizes' in post], [2, false])
})

test('images from before sizes were kept get theirs from a job, on every node', async () => {
  const { sql } = nodes
  const forum = await startForum(ann.one, 'Old pictures', { images: [await uploadOf(44, 33)] } as object)
  const gone = await write(ann.one, 'its file is gone', { images: [await uploadOf(9, 9)] })
  const fezID = await createChat(ann.one)
  await body(ann.one.post(`/fez/${fezID}/post`, { text: 'old', images: [await uploadOf(22, 11)] }), 201)
  const { images } = await body(ann.one.get(`/microblog/${gone}`))
  rmSync(join(nodes.config.imagesDir, 'full', images[0].slice(0, 2), images[0]))
  for (const table of ['forum_post', 'microblog_post', 'fez_post', 'daily_theme', 'stream_photo'])
    await sql`update ${sql(table)} set image_sizes = null`
  const inForum = async () => (await body(ben.two.get(`/forum/${forum.forumID}`))).posts[0].imageSizes
  const inChat = async (person: Person) => (await body(person.two.get(`/fez/${fezID}`))).members.posts[0].imageSize
  assert.equal(await inForum(), undefined)
  const worker = await nodes.startWorker()
  await until(async () => (await inForum()) !== undefined, 'the size in the forum')
  assert.deepEqual(await inForum(), [size(44, 33)])
  await until(async () => {
    const [{ left }] =
      (await sql`select count(*)::int as left from microblog_post where image_sizes is null and images <> '{}'`) as unknown as [
        { left: number },
      ]
    return left === 0
  }, 'all rows to be looked at')
  assert.equal('imageSizes' in (await body(ben.one.get(`/microblog/${gone}`))), false)
  await until(async () => (await body(ben.two.get('/notification/dailythemes')))[0].imageSize !== undefined, 'the size of a theme')
  assert.deepEqual(await inChat(ann), size(22, 11))
  await worker.stop()
})
