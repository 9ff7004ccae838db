// Images: uploading, processing by workers, sending, putting away.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { Redis } from 'ioredis'
import sharp, { type Sharp } from 'sharp'
import { FormData } from 'undici'
import { queuePrefix } from '../../src/core/bus/redis-keys.ts'
import { advisoryLock } from '../../src/core/db/advisory-lock.ts'
import { settingsId, settingsKind } from '../../src/settings/channel.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { testPassword } from '../support/accounts.ts'
import { childrenOf } from '../support/children.ts'
import { body, createChat, createSeamail, people, refused, say, type Person } from '../support/fez.ts'
import type { Client } from '../support/client.ts'
import { content, startForum } from '../support/forum.ts'
import { write } from '../support/microblog.ts'
import { RawConnection } from '../support/raw.ts'
import { linkTo } from '../support/link.ts'
import { hold } from '../support/locks.ts'
import { disable } from '../support/settings.ts'
import { until } from '../support/until.ts'
import { storedImage } from '../support/images.ts'

const uuid = '[0-9A-F]{8}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{12}'
let nodes: TestNodes
let sam: Person
let moderator: Person
let fezID: string

before(async () => {
  nodes = await startTestNodes(2, { workers: 1 })
  ;[sam, moderator] = (await people(nodes, {}, { level: 'moderator' })) as [Person, Person]
  fezID = await createChat(sam.one)
})
after(() => nodes.stop())

/** A picture with a red left and a blue right half. */
function halves(width: number, height: number): Sharp {
  const half = { create: { width: Math.floor(width / 2), height, channels: 3 as const, background: '#ff0000' } }
  return sharp({ create: { width, height, channels: 3, background: '#0000ff' } }).composite([{ input: half, left: 0, top: 0 }])
}

const flat = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#336699' } })

/** `count` frames of random dots, no two the same. */
async function movie(count: number, width: number, height: number): Promise<Sharp> {
  const frames = Array.from({ length: count }, async (_, index) => {
    const colours = [
      [index * 67, index * 131, index * 29],
      [255 - index * 67, 40, 200],
    ].map((colour) => colour.map((value) => value & 255))
    const pixels = Buffer.concat(Array.from(randomBytes(width * 2), (byte) => Buffer.from(colours[byte & 1] ?? [])))
    // Two rows, repeated.
    return await sharp(pixels, { raw: { width, height: 2, channels: 3 } })
      .resize(width, height, { fit: 'fill', kernel: 'nearest' })
      .png()
      .toBuffer()
  })
  return sharp(await Promise.all(frames), { join: { animated: true } })
}

/** Posts an image in the chat and returns its name. */
async function post(image: Buffer, client: Client = sam.one): Promise<string> {
  const answer = await body(client.post(`/fez/${fezID}/post`, { text: 'look', images: [{ image: image.toString('base64') }] }), 201)
  assert.match(answer.image, new RegExp(`^${uuid}\\.(jpg|png|gif|webp)$`))
  return answer.image
}

async function refusedPost(image: Buffer): Promise<string> {
  return await refused(sam.one.post(`/fez/${fezID}/post`, { text: 'look', images: [{ image: image.toString('base64') }] }), 400)
}

async function fileOf(size: string, name: string, client = sam.one): Promise<Buffer> {
  const { status, bytes } = await client.file(`/image/${size}/${name}`)
  assert.equal(status, 200)
  return bytes
}

/** Average colour of a region. */
async function colourAt(image: Buffer, left: number, top: number): Promise<number[]> {
  const raw = await sharp(image).removeAlpha().extract({ left, top, width: 4, height: 4 }).resize(1, 1).raw().toBuffer()
  return [...raw]
}

function assertColour(got: number[], want: [number, number, number]): void {
  assert.ok(
    want.every((value, index) => Math.abs(value - (got[index] ?? -1)) < 30),
    `${got.join()} is not ${want.join()}`,
  )
}

async function setSetting(name: string, value: unknown): Promise<void> {
  await nodes.sql`
    insert into setting (name, value) values (${`settings.${name}`}, ${nodes.sql.json(value as never)}) on conflict (name) do update set value = excluded.value`
  await nodes.apps[0]?.node.channels.publishConfirmed(settingsKind.name, settingsId, { type: 'changed' })
}

const stored = (size: string, name: string) => join(nodes.config.imagesDir, size, name.slice(0, 2), name)

test('POST /fez/:id/post: an image is stored upright, without metadata, with a thumbnail', async () => {
  const photo = await halves(600, 400)
    .jpeg()
    .withExif({ IFD0: { Artist: 'A Name', Orientation: '6' } })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const name = await post(photo)
  assert.match(name, /\.jpg$/)
  const full = await fileOf('full', name)
  const head = await sharp(full).metadata()
  assert.deepEqual([head.format, head.width, head.height, head.orientation, head.exif], ['jpeg', 400, 600, undefined, undefined])
  // Turned by 90 degrees clockwise: left is top.
  assertColour(await colourAt(full, 200, 20), [255, 0, 0])
  assertColour(await colourAt(full, 200, 570), [0, 0, 255])
  const thumb = await sharp(await fileOf('thumb', name)).metadata()
  assert.deepEqual([thumb.format, thumb.width, thumb.height], ['jpeg', 133, 200])
  assert.deepEqual(readFileSync(stored('full', name)), full, 'where the layout says')
  assert.deepEqual(readdirSync(join(nodes.config.imagesDir, 'incoming')), [])
})

test('large pictures are scaled to 2048, small ones never up', async () => {
  const wide = await sharp(await fileOf('full', await post(await flat(5001, 3001).jpeg().toBuffer()))).metadata()
  assert.deepEqual([wide.width, wide.height], [2048, Math.floor((3001 * 2048) / 5001)])
  const tall = await sharp(await fileOf('full', await post(await flat(300, 3000).png().toBuffer()))).metadata()
  assert.deepEqual([tall.format, tall.width, tall.height], ['jpeg', 204, 2048])
  const small = await post(await flat(30, 20).jpeg().toBuffer())
  for (const size of ['full', 'thumb']) {
    const { width, height } = await sharp(await fileOf(size, small)).metadata()
    assert.deepEqual([width, height], [30, 20])
  }
})

test('PNG keeps its transparency and its bytes, but nothing that is no picture', async () => {
  const clear = sharp({ create: { width: 500, height: 300, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } } })
  const plain = await clear.clone().png().toBuffer()
  const name = await post(plain)
  assert.match(name, /\.png$/)
  assert.deepEqual(await fileOf('full', name), plain)
  const thumb = await sharp(await fileOf('thumb', name)).metadata()
  assert.deepEqual([thumb.format, thumb.width, thumb.height, thumb.hasAlpha], ['png', 333, 200, true])
  const secret = await clear
    .clone()
    .png()
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .toBuffer()
  const full = await fileOf('full', await post(Buffer.concat([secret, Buffer.from('<script>alert(1)</script>')])))
  assert.ok(secret.includes('Somebody') && !full.includes('Somebody') && !full.includes('script'))
  assert.deepEqual(await sharp(full).raw().toBuffer(), await sharp(secret).raw().toBuffer())
})

test('GIF and WebP keep moving, without metadata', async () => {
  for (const format of ['gif', 'webp'] as const) {
    const frames = await movie(5, 320, 240)
    const moving = await frames[format](format === 'webp' ? { lossless: true, effort: 0 } : {})
      .withExif({ IFD0: { Artist: 'Somebody' } })
      .toBuffer()
    const name = await post(moving)
    assert.ok(name.endsWith(`.${format}`))
    const full = await fileOf('full', name)
    assert.ok(!full.includes('Somebody'))
    const both = await Promise.all([full, await fileOf('thumb', name)].map((bytes) => sharp(bytes, { animated: true }).metadata()))
    assert.deepEqual(
      both.map(({ pages }) => pages),
      [5, 5],
    )
    assert.deepEqual(
      both.map(({ pageHeight }) => pageHeight),
      [240, 200],
    )
    assert.deepEqual(await sharp(full, { animated: true }).raw().toBuffer(), await sharp(moving, { animated: true }).raw().toBuffer())
  }
})

test('without the setting allowAnimatedImages, GIF and WebP become their first frame as JPEG', async (t) => {
  t.after(() => setSetting('allowAnimatedImages', true))
  await setSetting('allowAnimatedImages', false)
  const name = await post(await (await movie(3, 300, 200)).gif().toBuffer())
  assert.match(name, /\.jpg$/)
  const { format, width, height, pages } = await sharp(await fileOf('full', name)).metadata()
  assert.deepEqual([format, width, height, pages], ['jpeg', 300, 200, undefined])
})

test('an animation of 500 frames is kept', async () => {
  const image = (await (await movie(500, 80, 250)).gif({ effort: 1 }).toBuffer()).toString('base64')
  // Longer than a request waits where others take the machine: then it is sent again, as apps do.
  let name = ''
  await until(
    async () => {
      const answer = await sam.one.post(`/fez/${fezID}/post`, { text: 'look', images: [{ image }] })
      if (answer.status === 503) return false
      name = (await body(Promise.resolve(answer), 201)).image
      return true
    },
    'there is time for it',
    60_000,
  )
  const thumb = await sharp(await fileOf('thumb', name), { animated: true }).metadata()
  assert.deepEqual([thumb.pages, thumb.width, thumb.pageHeight], [500, 64, 200])
})

test('transparency turns white where it cannot stay; TIFF and AVIF become JPEG', async () => {
  const clear = await sharp({ create: { width: 2100, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
    .png()
    .toBuffer()
  assertColour(await colourAt(await fileOf('full', await post(clear)), 100, 100), [255, 255, 255])
  for (const image of [await flat(300, 300).tiff().toBuffer(), await flat(300, 300).avif({ effort: 0 }).toBuffer()]) {
    const full = await fileOf('full', await post(image))
    assert.equal((await sharp(full).metadata()).format, 'jpeg')
    assertColour(await colourAt(full, 100, 100), [0x33, 0x66, 0x99])
  }
})

test('a picture of 40 megapixels is taken', async () => {
  const name = await post(await flat(8000, 5000).jpeg().withMetadata({ orientation: 8 }).toBuffer())
  const { width, height } = await sharp(await fileOf('full', name)).metadata()
  assert.deepEqual([width, height], [1280, 2048])
})

test('what is no picture, or one too many, is refused with a reason', async () => {
  const png = await flat(100, 100).png().toBuffer()
  const photo = await halves(900, 700).jpeg({ quality: 95 }).toBuffer()
  const bomb = Buffer.from(png)
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  const cases: Record<string, Buffer> = {
    'random bytes': randomBytes(5000),
    'a text': Buffer.from('no picture'),
    'one byte': Buffer.from([0xff]),
    SVG: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><image href="file:///etc/passwd"/></svg>'),
    PDF: Buffer.from('%PDF-1.4\n%%EOF'),
    ImageMagick: Buffer.from("push graphic-context\nviewbox 0 0 640 480\nfill 'url(https://example.com/)'\npop graphic-context"),
    'HTML behind the first bytes of a GIF': Buffer.from('GIF89a/*<html><script>alert(1)</script>*/=1;'),
    'HTML behind the first bytes of a JPEG': Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('<html>')]),
    'no more than the head of a HEIC': Buffer.concat([
      Buffer.from([0, 0, 0, 24]),
      Buffer.from('ftypheic\0\0\0\0mif1heic'),
      randomBytes(500),
    ]),
    'a PNG that says it is huge': bomb,
    'a truncated JPEG': photo.subarray(0, photo.length >> 1),
    'a truncated PNG': (await halves(900, 700).png().toBuffer()).subarray(0, 1000),
    'a truncated GIF': (await (await movie(5, 300, 300)).gif().toBuffer()).subarray(0, 700),
    'a truncated WebP': (await (await movie(5, 300, 300)).webp().toBuffer()).subarray(0, 700),
    'too wide': await flat(10_001, 2000).png().toBuffer(),
    'too long for its width': await flat(101, 1011).png().toBuffer(),
    'too many frames': await (await movie(1001, 10, 10)).gif({ effort: 1 }).toBuffer(),
  }
  for (const [what, image] of Object.entries(cases)) {
    const reason = await refusedPost(image).catch((error: Error) => assert.fail(`${what}: ${error.message}`))
    assert.match(reason, /\bpicture/, what)
  }
  await post(await flat(10_000, 1000).png().toBuffer())
  assert.deepEqual(readdirSync(join(nodes.config.imagesDir, 'incoming')), [], 'no upload is left')
})

test('the setting maxImageSize is in force', async (t) => {
  t.after(() => setSetting('maxImageSize', 20_971_520))
  const image = await flat(100, 100).png().toBuffer()
  await setSetting('maxImageSize', image.length)
  assert.match(await refusedPost(image), new RegExp(`${image.length}`))
  await setSetting('maxImageSize', image.length + 1)
  await post(image)
})

test('a picture with a tail, or two in one, is only the picture', async () => {
  const [jpeg, gif, webp] = await Promise.all([
    halves(300, 300).jpeg().toBuffer(),
    flat(300, 300).gif().toBuffer(),
    flat(300, 300).webp().toBuffer(),
  ])
  const tail = Buffer.from('PK\x03\x04<script>tail()</script>')
  for (const image of [jpeg, gif, webp] as Buffer[]) {
    const full = await fileOf('full', await post(Buffer.concat([image, tail])))
    assert.ok(!full.includes('tail()'))
    assert.equal((await sharp(full).metadata()).width, 300)
  }
})

test('POST /user/image: the square in the middle, as JPEG, seen on all nodes before the answer', async () => {
  const [user] = (await people(nodes, {})) as [Person]
  const header = await body(user.one.post('/user/image', { image: (await halves(601, 300).png().toBuffer()).toString('base64') }))
  assert.equal(header.userID, user.id)
  assert.match(header.userImage, new RegExp(`^${uuid}\\.jpg$`))
  assert.deepEqual(await body(sam.two.get(`/users/${user.id}/header`)), header)
  const full = await fileOf('full', header.userImage, user.two)
  const { width, height } = await sharp(full).metadata()
  assert.deepEqual([width, height], [300, 300])
  assertColour(await colourAt(full, 100, 100), [255, 0, 0])
  assertColour(await colourAt(full, 200, 100), [0, 0, 255])
  for (const client of user.clients) {
    for (const size of ['full', 'thumb'])
      assert.deepEqual(await fileOf(`user/${size}`, user.id, client), await fileOf(size, header.userImage))
  }
  const large = await body(user.one.post('/user/image', { image: (await halves(4000, 3000).jpeg().toBuffer()).toString('base64') }))
  const big = await sharp(await fileOf('full', large.userImage)).metadata()
  assert.deepEqual([big.width, big.height], [2048, 2048])
})

test('POST /user/image: multipart, Basic, and the name of a stored image', async () => {
  const [user, unverified, quarantined, temporarily, locked] = (await people(
    nodes,
    {},
    { level: 'unverified' },
    { level: 'quarantined' },
    { tempQuarantineUntil: new Date(Date.now() + 60_000) },
    {},
  )) as [Person, Person, Person, Person, Person]
  await nodes.sql`update account set moderation_status = 'locked' where id = ${locked.id}`
  const image = await flat(50, 50).gif().toBuffer()
  const form = new FormData()
  form.append('image', new Blob([image]), 'cat.exe')
  const { status, body: header } = await nodes
    .client()
    .request<{ userImage: string }>('POST', '/user/image', { form, basic: [user.username, testPassword] })
  assert.equal(status, 200)
  assert.match(header.userImage, /\.jpg$/)
  const named = await body(unverified.one.post('/user/image', { filename: header.userImage.toLowerCase() }))
  assert.equal(named.userImage, header.userImage)
  for (const empty of [{}, { image: '' }, { filename: '' }, { image: null }]) {
    assert.deepEqual(Object.keys((await body(user.one.post('/user/image', empty), 400)).fieldErrors), ['general'])
  }
  for (const filename of ['../../etc/passwd', 'a/b.jpg', '.', 'a.b.c']) await refused(user.one.post('/user/image', { filename }), 400)
  await refused(user.one.post('/user/image', { image: 'no base64' }), 400)
  for (const who of [quarantined, temporarily, locked]) {
    await refused(who.one.post('/user/image', '{'), 400)
    await refused(who.one.post('/user/image', { filename: header.userImage }), 403)
    await refused(who.one.delete('/user/image'), 403)
  }
  await refused(nodes.client().post('/user/image', {}), 401)
  await refused(user.one.post('/user/image', ''), 422)
})

test('replacing and removing a picture: it is archived, and logged as it was', async () => {
  const [user] = (await people(nodes, {})) as [Person]
  const upload = async () =>
    (await body(user.one.post('/user/image', { image: (await flat(300, 300).jpeg().toBuffer()).toString('base64') }))).userImage as string
  const log = () =>
    nodes.sql<
      { editorId: string; userImage: string | null }[]
    >`select editor_id, user_image from profile_edit where account_id = ${user.id} order by created_at`
  const before = await nodes.sql<
    { rev: number; profileUpdatedAt: Date }[]
  >`select rev, profile_updated_at from account where id = ${user.id}`
  const first = await upload()
  assert.deepEqual([...(await log())], [])
  // In memory on both nodes.
  for (const client of user.clients) await fileOf('thumb', first, client)
  const second = await upload()
  assert.deepEqual([...(await log())], [{ editorId: user.id, userImage: first }])
  for (const client of user.clients) {
    for (const size of ['full', 'thumb']) await refused(client.get(`/image/${size}/${first}`), 400)
  }
  assert.equal((await sharp(await fileOf('archive', first, moderator.two)).metadata()).height, 200)
  await refused(user.one.get(`/image/archive/${first}`), 403)
  await refused(nodes.client().get(`/image/archive/${first}`), 401)

  // The same again changes nothing.
  await body(user.one.post('/user/image', { filename: second }))
  assert.equal((await log()).length, 1)
  await fileOf('full', second)

  await body(user.two.delete('/user/image'), 204)
  assert.equal((await body(sam.one.get(`/users/${user.id}/header`))).userImage, undefined)
  await body(user.one.post('/user/image/remove'), 204)
  assert.deepEqual(
    (await log()).map(({ userImage }) => userImage),
    [first, second],
  )
  assert.ok(existsSync(stored('archive', second)) && !existsSync(stored('full', second)) && !existsSync(stored('thumb', second)))
  const now = await nodes.sql<{ rev: number; profileUpdatedAt: Date }[]>`select rev, profile_updated_at from account where id = ${user.id}`
  assert.equal(now[0]?.rev, (before[0]?.rev ?? 0) + 3)
  assert.ok((now[0]?.profileUpdatedAt ?? 0) > (before[0]?.profileUpdatedAt ?? 0))
})

test('DELETE /user/:id/image: for moderators and oneself, with an entry in the moderator log', async () => {
  const [user, other] = (await people(nodes, {}, {})) as [Person, Person]
  const image = (await flat(300, 300).jpeg().toBuffer()).toString('base64')
  const entries = () =>
    nodes.sql`select action_type, content_type, content_id, moderator_id from moderator_action where target_user_id = ${user.id}`
  const { userImage } = await body(user.one.post('/user/image', { image }))
  await refused(other.one.delete(`/user/${user.id}/image`), 403)
  await refused(moderator.one.delete(`/user/${randomUUID()}/image`), 400)
  await refused(moderator.one.delete('/user/nobody/image'), 400)
  for (let times = 0; times < 2; times++) await body(moderator.two.delete(`/user/${user.id}/image`), 204)
  assert.deepEqual(
    [...(await entries())],
    [{ actionType: 'delete', contentType: 'userProfile', contentId: user.id, moderatorId: moderator.id }],
  )
  assert.equal((await body(user.one.get(`/users/${user.id}/header`))).userImage, undefined)
  await fileOf('archive', userImage, moderator.one)
  await body(user.one.post('/user/image', { image }))
  await body(user.one.delete(`/user/${user.id}/image`), 204)
  assert.equal((await entries()).length, 1)
})

test('an image that two show stays until the last of them has given it up', async () => {
  const [user, other] = (await people(nodes, {}, {})) as [Person, Person]
  const { userImage } = await body(user.one.post('/user/image', { image: (await flat(300, 300).jpeg().toBuffer()).toString('base64') }))
  const postID = await say(sam.one, fezID, 'his picture', { images: [{ filename: userImage }] })
  await body(other.one.post('/user/image', { filename: userImage }))
  await body(user.one.delete('/user/image'), 204)
  await body(other.one.delete('/user/image'), 204)
  await fileOf('full', userImage)
  await body(sam.one.delete(`/fez/post/${postID}`), 204)
  await refused(sam.one.get(`/image/full/${userImage}`), 400)
  await fileOf('archive', userImage, moderator.one)
})

test('images in chats: in answers, pages and frames, not for quarantined posts, archived with their post or chat', async () => {
  const [owner, member] = (await people(nodes, {}, {})) as [Person, Person]
  const chat = await createChat(owner.one, { initialUsers: [member.id] })
  const socket = await member.two.socket(`/fez/${chat}/socket`)
  const image = (await flat(300, 300).png().toBuffer()).toString('base64')
  const answer = await body(owner.one.post(`/fez/${chat}/post`, { text: 'look', images: [{ image, filename: 'ignored' }] }), 201)
  const frame = await socket.until(({ postID }) => postID === answer.postID)
  assert.equal(frame.image, answer.image)
  const seen = async () => (await body(member.two.get(`/fez/${chat}`))).members.posts.map((each: { image?: string }) => each.image)
  assert.deepEqual(await seen(), [answer.image])
  assert.equal((await body(owner.one.post(`/fez/${chat}/post`, { text: 'none', images: [{ image: '' }] }), 201)).image, undefined)
  const form = new FormData()
  form.append('text', 'by form')
  form.append('images[0][image]', new Blob([Buffer.from(image, 'base64')]), 'x.png')
  const { body: formed } = await owner.one.request<{ image: string }>('POST', `/fez/${chat}/post`, { form })
  assert.match(formed.image, /\.png$/)

  const [row] = await nodes.sql<{ seq: number }[]>`
    with hidden as (update fez_post set moderation_status = 'quarantined' where id = ${answer.postID} returning fez_id)
    update fez set seq = seq + 1 from hidden where id = hidden.fez_id returning seq`
  await nodes.apps[0]?.node.channels.publishConfirmed('fez', chat, { type: 'changed', seq: row?.seq })
  assert.deepEqual(await nodes.sql`select image from fez_post where id = ${answer.postID}`.then((rows) => rows[0]?.['image']), answer.image)
  await body(moderator.one.post(`/fez/${chat}/post/${answer.postID}/delete`))
  await refused(owner.two.get(`/image/thumb/${answer.image}`), 400)
  await fileOf('archive', answer.image, moderator.two)
  await fileOf('full', formed.image)
  await body(moderator.one.delete(`/fez/${chat}`), 204)
  await refused(owner.two.get(`/image/full/${formed.image}`), 400)
  await fileOf('archive', formed.image, moderator.two)
  assert.deepEqual((await nodes.sql`select 1 from fez_post where fez_id = ${chat} and image is not null`).length, 2)
})

test('images in chats: not in private ones, not from outsiders, and then nothing is stored', async () => {
  const [owner, member, outsider] = (await people(nodes, {}, {}, {})) as [Person, Person, Person]
  const seamail = await createSeamail(owner.one, [member])
  const chat = await createChat(owner.one)
  const images = [{ image: (await flat(30, 30).png().toBuffer()).toString('base64') }]
  const count = () => readdirSync(join(nodes.config.imagesDir, 'full'), { recursive: true }).length
  const before = count()
  await refused(owner.one.post(`/fez/${seamail}/post`, { text: 'x', images }), 400)
  await refused(outsider.one.post(`/fez/${chat}/post`, { text: 'x', images }), 403)
  await refused(owner.one.post(`/fez/${chat}/post`, { text: 'x', images: [...images, ...images] }), 400)
  await refused(owner.one.post(`/fez/${chat}/post`, { text: '', images }), 400)
  assert.equal(count(), before)
})

test('GET /image/user/identicon, /full and /thumb of users without a picture', async () => {
  const [user] = (await people(nodes, {})) as [Person]
  const anonymous = nodes.client()
  const icon = await anonymous.file(`/image/user/identicon/${user.id.toUpperCase()}`)
  assert.deepEqual(
    [
      icon.status,
      icon.headers['content-type'],
      icon.headers['etag'],
      icon.headers['cache-control'],
      icon.headers['x-content-type-options'],
    ],
    [200, 'image/png', 'W/"1"', 'public, max-age=86400', 'nosniff'],
  )
  const { width, height } = await sharp(icon.bytes).metadata()
  assert.deepEqual([width, height], [40, 40])
  for (const size of ['full', 'thumb']) {
    const same = await anonymous.file(`/image/user/${size}/${user.id}`)
    assert.deepEqual([same.status, same.headers['etag'], same.headers['cache-control'], same.bytes], [200, 'W/"1"', undefined, icon.bytes])
  }
  for (const kind of ['identicon', 'full', 'thumb']) {
    const fresh = await anonymous.file(`/image/user/${kind}/${user.id}`, { 'if-none-match': 'W/"1"' })
    assert.deepEqual([fresh.status, fresh.bytes.length], [304, 0])
    assert.equal((await anonymous.file(`/image/user/${kind}/${user.id}`, { 'if-none-match': '"1"' })).status, 200)
    for (const id of [randomUUID(), 'x', '%2e%2e%2f']) await refused(anonymous.get(`/image/user/${kind}/${id}`), 400)
  }
  // Addresses of an older site lead to them, and nowhere else.
  for (const size of ['full', 'thumb']) for (const id of ['x', '%2e%2e%2f']) await refused(anonymous.get(`//avatar/${size}/${id}`), 404)
  // Also for those who have one.
  await body(user.one.post('/user/image', { image: (await flat(30, 30).png().toBuffer()).toString('base64') }))
  assert.deepEqual((await anonymous.file(`/image/user/identicon/${user.id}`)).bytes, icon.bytes)
  const avatar = await anonymous.file(`/image/user/full/${user.id}`)
  assert.match(String(avatar.headers['content-type']), /jpeg/)
  // The user may have another one tomorrow.
  assert.equal(avatar.headers['cache-control'], 'public, max-age=86400')
})

test('GET /image/full: headers, conditional requests, ranges and HEAD', async (t) => {
  const warnings: string[] = []
  const note = ({ message }: Error) => void warnings.push(message)
  process.on('warning', note)
  t.after(() => process.off('warning', note))
  const noise = await sharp({
    create: { width: 900, height: 900, channels: 3, background: '#fff', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png()
    .toBuffer()
  assert.ok(noise.length > 1_000_000, 'sent in pieces')
  for (const image of [noise, await flat(30, 30).png().toBuffer()]) {
    const path = `/image/full/${await post(image)}`
    const whole = await nodes.client().file(path)
    const etag = String(whole.headers['etag'])
    assert.deepEqual(
      [
        whole.status,
        whole.headers['content-type'],
        whole.headers['cache-control'],
        whole.headers['x-content-type-options'],
        whole.headers['content-length'],
        whole.headers['content-encoding'],
      ],
      [200, 'image/png', 'public, max-age=31536000, immutable', 'nosniff', String(image.length), undefined],
    )
    assert.match(etag, /^"[^"]+"$/)
    assert.deepEqual(whole.bytes, image)
    for (const header of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const fresh = await sam.one.file(path, { 'if-none-match': header })
      assert.deepEqual([fresh.status, fresh.headers['etag'], fresh.headers['cache-control'], fresh.bytes.length], [304, etag, undefined, 0])
    }
    assert.equal((await sam.one.file(path, { 'if-none-match': '"other"' })).status, 200)
    const head = await sam.two.file(path, {}, 'HEAD')
    assert.deepEqual([head.status, head.headers['content-length'], head.headers['etag']], [200, String(image.length), etag])

    const last = image.length - 1
    for (const [range, from, to] of [
      ['bytes=0-9', 0, 9],
      ['bytes=5-', 5, last],
      ['bytes=-10', last - 9, last],
      [`bytes=10-${last + 500}`, 10, last],
      [`bytes=-${last + 500}`, 0, last],
    ] as const) {
      const part = await sam.one.file(path, { range })
      assert.deepEqual(
        [part.status, part.headers['content-range'], part.headers['cache-control']],
        [206, `bytes ${from}-${to}/${image.length}`, undefined],
        range,
      )
      assert.deepEqual(part.bytes, image.subarray(from, to + 1))
    }
    for (const range of [`bytes=${last + 1}-`, 'bytes=-0']) {
      const none = await sam.one.file(path, { range })
      assert.deepEqual([none.status, none.headers['content-range']], [416, `bytes */${image.length}`])
    }
    for (const range of ['bytes=0-1,4-5', 'bytes=5-2', 'lines=1-2', 'bytes=a-b', 'bytes=-'])
      assert.equal((await sam.one.file(path, { range })).status, 200, range)
    assert.equal((await sam.one.file(path, { range: 'bytes=0-9', 'if-range': etag })).status, 206)
    assert.equal((await sam.one.file(path, { range: 'bytes=0-9', 'if-range': '"other"' })).status, 200)
  }
  await until(() => openImages().length === 0, 'no file stays open')
  // Node closes what nobody holds any more, and says so.
  assert.deepEqual(
    warnings.filter((text) => /garbage collection/.test(text)),
    [],
  )
})

/** Stored images that this process has open, where the system says so. */
function openImages(): string[] {
  const folder = '/proc/self/fd'
  if (!existsSync(folder)) return []
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name))
    } catch {
      return ''
    }
  })
  return targets.filter((target) => target.startsWith(nodes.config.imagesDir))
}

test('GET /image/full: names', async () => {
  const name = await post(await flat(30, 30).jpeg().toBuffer())
  const [bare] = name.split('.') as [string]
  for (const same of [name, name.toLowerCase(), bare, `${bare}.jpeg`, `${bare}.heic`, `${bare}.`, `${bare}.JPG`]) await fileOf('full', same)
  for (const other of [`${bare}.png`, `${bare}.jpg.png`, `${bare}.jpg.jpg`, 'logo.png', `${randomUUID()}.jpg`, `${bare}x.jpg`])
    await refused(sam.one.get(`/image/full/${other}`), 400)
})

test('no path leads out of the folder', async () => {
  writeFileSync(join(nodes.config.imagesDir, 'secret.jpg'), 'secret')
  mkdirSync(join(nodes.config.imagesDir, 'full', '..', 'staticImages'), { recursive: true })
  writeFileSync(join(nodes.config.imagesDir, 'staticImages', 'logo.png'), 'secret')
  const id = randomUUID()
  for (const path of [
    '..%2fsecret.jpg',
    '%2e%2e%2fsecret.jpg',
    '..%5csecret.jpg',
    `${id}%2f..%2f..%2fsecret.jpg`,
    `${id}.jpg%00.png`,
    `..%2f..%2f${id}.jpg`,
    '%2fetc%2fpasswd',
    '%',
    '%ff',
    `${id}%0a.jpg`,
  ]) {
    for (const size of ['full', 'thumb', 'user/full']) await refused(sam.one.get(`/image/${size}/${path}`), 400)
  }
  const raw = new RawConnection(nodes.urls[0] as string)
  raw.sendLines('GET /api/v3/image/full/../../secret.jpg HTTP/1.1', 'Host: x', '', '')
  const [status] = await raw.answers()
  assert.ok(status === 404 || status === 400, String(status))
  assert.ok(!raw.text.includes('secret\r'))
  raw.destroy()
})

test('the feature images can be switched off', async (t) => {
  t.after(() => disable(nodes))
  await disable(nodes, 'images')
  for (const path of ['full/x', 'thumb/x', `user/full/${sam.id}`, `user/identicon/${sam.id}`])
    await refused(nodes.client().get(`/image/${path}`), 451)
  await refused(moderator.one.get('/image/archive/x'), 451)
})

test('many uploads at once all get their own picture', async () => {
  const colours = Array.from({ length: 12 }, (_, index): [number, number, number] => [index * 20, 255 - index * 20, 100])
  const uploads = colours.map(async ([r, g, b], index) => {
    const image = await sharp({ create: { width: 200 + index, height: 200, channels: 3, background: { r, g, b } } })
      .jpeg()
      .toBuffer()
    const full = await fileOf('full', await post(image, sam.clients[index % 2]))
    assert.equal((await sharp(full).metadata()).width, 200 + index)
    assertColour(await colourAt(full, 50, 50), [r, g, b])
  })
  await Promise.all(uploads)
})

test('a client that reads slowly gets all of a large file, and one that leaves is forgotten', async () => {
  const image = await sharp({
    create: { width: 2048, height: 1800, channels: 3, background: '#fff', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png()
    .toBuffer()
  const name = await post(image)
  const slow = new RawConnection(nodes.urls[0] as string)
  slow.sendLines(`GET /api/v3/image/full/${name} HTTP/1.1`, 'Host: x', '', '')
  await slow.answers()
  slow.socket.pause()
  const leaving = new RawConnection(nodes.urls[0] as string)
  leaving.sendLines(`GET /api/v3/image/full/${name} HTTP/1.1`, 'Host: x', '', '')
  await leaving.answers()
  leaving.socket.pause()
  leaving.destroy()
  await fileOf('thumb', name)
  slow.socket.resume()
  await until(() => slow.text.length > image.length, 'all of the file')
  const at = slow.text.indexOf('\r\n\r\n') + 4
  await until(() => slow.text.length - at === image.length, 'exactly the file')
  assert.deepEqual(Buffer.from(slow.text.slice(at), 'latin1'), image)
  // The connection goes on.
  slow.sendLines(`GET /api/v3/image/thumb/${name} HTTP/1.1`, 'Host: x', '', '')
  await slow.answers(2)
  slow.destroy()
})

test('a theme of a day has an image, which is archived when the theme is given up', async () => {
  const [tho] = (await people(nodes, { level: 'tho' })) as [Person]
  const theme = {
    title: 'Formal',
    info: 'Gowns',
    cruiseDay: 77,
    image: { image: (await flat(300, 300).png().toBuffer()).toString('base64') },
  }
  const listed = async () =>
    (await body(tho.one.get('/notification/dailythemes'))).find(({ cruiseDay }: { cruiseDay: number }) => cruiseDay === 77)
  await body(tho.one.post('/admin/dailytheme/create', theme), 201)
  const { themeID, image } = await listed()
  await fileOf('full', image)
  await body(tho.one.post(`/admin/dailytheme/${themeID}/edit`, { ...theme, image: { filename: image } }), 201)
  await fileOf('full', image)
  await body(tho.one.delete(`/admin/dailytheme/${themeID}`), 204)
  await refused(tho.one.get(`/image/full/${image}`), 400)
  await fileOf('archive', image, moderator.one)
})

test('a picture that another post shows stays when one is deleted, whoever is faster', async () => {
  const outcomes = new Set<number>()
  for (let round = 0; round < 30; round++) {
    const filename = storedImage(nodes)
    const images = [{ filename }]
    const first = await write(sam.one, 'first', { images })
    const [{ status }] = await Promise.all([
      sam.two.post('/microblog/create', { text: 'second', images }),
      body(sam.one.delete(`/microblog/${first}`), 204),
    ])
    outcomes.add(status)
    if (status === 201) assert.ok(existsSync(stored('full', filename)), `round ${round}`)
    else assert.equal(status, 400)
    assert.equal((await sam.two.get(`/image/thumb/${filename}`)).status, status === 201 ? 200 : 400)
  }
  assert.ok(outcomes.has(201))
})

test('posts that show a stored picture again, many more at once than there are connections: all are taken', async () => {
  const filename = await post(await flat(300, 300).png().toBuffer())
  const creating = [
    () => sam.one.post('/microblog/create', { text: 'again', images: [{ filename }] }),
    () => sam.one.post(`/fez/${fezID}/post`, { text: 'again', images: [{ filename }] }),
  ]
  const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => creating[index % 2]?.()))
  assert.deepEqual([...new Set(answers.map((answer) => answer?.status))], [201])
})

test('files that no row refers to are swept after a day, and what is shown stays', async () => {
  const old = new Date(Date.now() - 25 * 60 * 60_000)
  const shown = await post(await flat(300, 300).png().toBuffer())
  const put = (size: string, name: string, time = old) => {
    mkdirSync(join(nodes.config.imagesDir, size, size === 'incoming' ? '' : name.slice(0, 2)), { recursive: true })
    const path = size === 'incoming' ? join(nodes.config.imagesDir, size, name) : stored(size, name)
    writeFileSync(path, 'x')
    utimesSync(path, time, time)
    return path
  }
  const name = () => `${randomUUID().toUpperCase()}.jpg`
  const [lost, young, remembered, posted, before] = [name(), name(), name(), name(), name()]
  await nodes.sql`insert into profile_edit (id, account_id, editor_id, username, profile, user_image, created_at) values (${randomUUID()}, ${sam.id}, ${sam.id}, 'x', '{}', ${remembered}, now())`
  storedImage(nodes, before)
  storedImage(nodes, posted)
  const postID = await write(sam.one, 'an image', { images: [{ filename: before }] })
  await body(sam.one.post(`/microblog/${postID}/update`, { text: 'another', images: [{ filename: posted }] }))
  const gone = [
    put('full', lost),
    put('thumb', lost),
    put('incoming', randomUUID()),
    put('full', remembered),
    put('thumb', remembered),
    put('full', before),
    put('thumb', before),
    `${put('full', `${name()}.part`)}`,
  ]
  const kept = [
    put('full', young, new Date()),
    put('full', posted),
    put('thumb', posted),
    put('incoming', randomUUID(), new Date()),
    put('archive', name()),
    put('full', 'README.txt'),
  ]
  for (const size of ['full', 'thumb']) utimesSync(stored(size, shown), old, old)
  const worker = await nodes.startWorker()
  await until(() => gone.every((path) => !existsSync(path)), 'sweeping')
  assert.deepEqual(
    kept.filter((path) => !existsSync(path)),
    [],
  )
  await until(() => [remembered, before].every((each) => existsSync(stored('archive', each))), 'archiving what is remembered')
  await until(() => !existsSync(stored('archive', lost)), 'removing what is not')
  await fileOf('full', shown)
  await worker.stop()
})

test('the archive loses what nothing remembers, after a day, and nothing while a backup is made', async () => {
  const old = new Date(Date.now() - 25 * 60 * 60_000)
  const name = () => `${randomUUID().toUpperCase()}.jpg`
  const [forgotten, young, remembered, shown] = [name(), name(), name(), name()]
  const edit = { id: randomUUID(), account_id: sam.id, editor_id: sam.id, username: 'x', profile: '{}', user_image: remembered }
  await nodes.sql`insert into profile_edit ${nodes.sql({ ...edit, created_at: new Date() })}`
  storedImage(nodes, shown)
  await write(sam.one, 'an image', { images: [{ filename: shown }] })
  const put = (each: string, time: Date) => {
    const path = stored('archive', each)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'x')
    utimesSync(path, time, time)
  }
  for (const each of [forgotten, remembered, shown]) put(each, old)
  put(young, new Date())
  const isThere = (each: string) => existsSync(stored('archive', each))
  // The last that a sweep does is to forget files that are not there.
  const sweep = async () => {
    await nodes.sql`insert into stored_file (name, person_id, bytes, created_at) values (${name()}, ${sam.id}, 7, ${old})`
    const worker = await nodes.startWorker()
    await until(async () => (await nodes.sql`select from stored_file where bytes = 7`).length === 0, 'sweeping')
    await worker.stop()
  }
  const backup = await hold(nodes.database.url, `select pg_advisory_xact_lock(${advisoryLock('images')})`)
  await sweep()
  await backup.release()
  assert.deepEqual([forgotten, young, remembered, shown].map(isThere), [true, true, true, true])
  await sweep()
  assert.deepEqual([forgotten, young, remembered, shown].map(isThere), [false, true, true, true])
})

test('what a profile, a performer, a theme, a chat, a forum, a post or the photo stream shows is never swept, however old', async () => {
  const [tho, author] = (await people(nodes, { level: 'tho' }, {})) as [Person, Person]
  const image = { image: (await flat(300, 300).png().toBuffer()).toString('base64') }
  await body(tho.one.post('/admin/dailytheme/create', { title: 'Casual', info: 'No gowns', cruiseDay: 78, image }), 201)
  const themes: { cruiseDay: number; image: string }[] = await body(tho.one.get('/notification/dailythemes'))
  const { forumID } = await startForum(author.one, 'Pictures')
  const performer = { name: 'A performer', photo: image, isOfficialPerformer: true, yearsAttended: [], eventUIDs: [] }
  await body(tho.one.post('/admin/performer/upsert', performer))
  const [{ photo }] = (await body(tho.one.get('/performer/official'))).performers
  const profile = await body(author.one.post('/user/image', image))
  const shown: Record<string, string> = {
    profile: profile.userImage,
    performer: photo,
    theme: themes.find(({ cruiseDay }) => cruiseDay === 78)?.image ?? '',
    chat: await post(await flat(300, 300).png().toBuffer()),
    forum: (await body(author.one.post(`/forum/${forumID}/create`, content('in a forum', { images: [image] })), 201)).images[0],
    post: (await body(author.one.post('/microblog/create', content('in a post', { images: [image] })), 201)).images[0],
    photo: (await body(author.one.post('/photostream/upload', { ...image, createdAt: new Date().toISOString() }))).image,
  }
  const old = new Date(Date.now() - 40 * 24 * 60 * 60_000)
  // In every folder something that is swept: then the folder has been.
  const lost = Object.values(shown).flatMap((name) => {
    const paths = ['full', 'thumb'].map((size) => stored(size, `${name.slice(0, 2)}${randomUUID().toUpperCase().slice(2)}.jpg`))
    for (const path of paths) writeFileSync(path, 'x')
    for (const path of [...paths, stored('full', name), stored('thumb', name)]) utimesSync(path, old, old)
    return paths
  })
  const worker = await nodes.startWorker()
  await until(() => lost.every((path) => !existsSync(path)), 'sweeping')
  await worker.stop()
  for (const [where, name] of Object.entries(shown)) {
    for (const size of ['full', 'thumb']) assert.ok(existsSync(stored(size, name)), `${size} image of a ${where}`)
  }
})

test('no room for uploads: 503, and everything works when there is room again', async (t) => {
  const { imagesDir } = nodes.config
  const folder = join(imagesDir, 'incoming')
  const picture = await flat(30, 20).jpeg().toBuffer()
  renameSync(folder, `${folder}.aside`)
  // Root may write everywhere, but not below a file.
  writeFileSync(folder, '')
  t.after(() => rmSync(`${folder}.aside`, { recursive: true, force: true }))
  const answer = await sam.one.post(`/fez/${fezID}/post`, { text: 'look', images: [{ image: picture.toString('base64') }] })
  assert.equal(answer.status, 503)
  assert.ok(Number(answer.headers['retry-after']) > 0)
  rmSync(folder)
  renameSync(`${folder}.aside`, folder)
  await post(picture)
})

test('a picture whose process is killed gets another one', async () => {
  await post(await flat(30, 20).jpeg().toBuffer())
  const [child] = childrenOf(process.pid, 'image-process')
  process.kill(child as number, 'SIGSTOP')
  const answer = post(await flat(40, 20).jpeg().toBuffer())
  await until(() => readdirSync(join(nodes.config.imagesDir, 'incoming')).length > 0, 'the upload waits')
  process.kill(child as number, 'SIGKILL')
  await fileOf('full', await answer)
})

test('a hundred pictures of one server wait, and the next is refused at once', async (t) => {
  const redisPrefix = `t${randomBytes(6).toString('hex')}`
  const alone = await startTestNodes(1, { redisPrefix })
  const redis = new Redis(process.env['TEST_REDIS_URL'] ?? '')
  t.after(async () => {
    redis.disconnect()
    await alone.stop()
  })
  const crowd = await people(alone, ...Array.from({ length: 20 }, () => ({})))
  const image = (await flat(30, 30).png().toBuffer()).toString('base64')
  let answered = 0
  const upload = async ({ one }: Person) => {
    const { status } = await one.post('/user/image', { image })
    answered++
    return status
  }
  // No worker is there who would take them.
  const waiting = Array.from({ length: 100 }, (_, at) => upload(crowd[at % crowd.length] as Person).catch(() => undefined))
  await until(async () => (await redis.llen(`${queuePrefix(redisPrefix)}:images:wait`)) === waiting.length, 'all of them wait')
  assert.equal(answered, 0)
  assert.equal(await upload(crowd[0] as Person), 503)
  assert.equal(answered, 1)
})

test('without a worker an upload answers 503 and leaves nothing; without Redis soon', async (t) => {
  const link = await linkTo(t, process.env['TEST_REDIS_URL'] ?? '')
  const alone = await startTestNodes(1, { redisUrl: link.url })
  t.after(() => alone.stop())
  const [user] = (await people(alone, {})) as [Person]
  const image = (await flat(30, 30).png().toBuffer()).toString('base64')
  const { imagesDir } = alone.config
  const askedMs = performance.now()
  const { headers } = await user.one.post('/user/image', { image })
  assert.ok(Number(headers['retry-after']) > 0)
  // Apps give up after ten seconds; all pictures of a request wait together.
  assert.ok(performance.now() - askedMs < 9500, 'in time')
  const [group] = [await createChat(user.one)]
  await refused(user.one.post(`/fez/${group}/post`, { text: 'x', images: [{ image }] }), 503)
  assert.deepEqual(readdirSync(join(imagesDir, 'incoming')), [])
  // What is left of the order makes a later worker store nothing.
  const worker = await alone.startWorker()
  const { userImage } = await body(user.one.post('/user/image', { image }))
  assert.equal(readdirSync(join(imagesDir, 'full'), { recursive: true }).filter((each) => String(each).includes('.')).length, 1)
  await worker.stop()
  const waiting = refused(user.one.post('/user/image', { image }), 503)
  link.cut()
  const startedMs = performance.now()
  await waiting
  await refused(user.one.post('/user/image', { image }), 503)
  assert.ok(performance.now() - startedMs < 6000, 'soon')
  assert.equal((await body(user.one.get(`/users/${user.id}/header`))).userImage, userImage)
  link.mend()
  await alone.startWorker()
  await until(async () => (await user.one.post('/user/image', { image })).status === 200, 'uploads work again', 30_000)
})
