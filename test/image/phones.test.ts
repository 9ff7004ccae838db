// Pictures as phones send them: HEIC, AVIF, JPEG XL and BMP become JPEG, upright, in sRGB and without metadata.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { childrenOf } from '../support/children.ts'
import type { Answer } from '../support/client.ts'
import { body, createChat, people, refused, type Person } from '../support/fez.ts'
import { content, startForum } from '../support/forum.ts'
import { jxl, largeJxl, turnedHeic, wideHeic } from './samples.ts'

let nodes: TestNodes
let sam: Person
let chat: string

before(async () => {
  nodes = await startTestNodes(1, { workers: 1 })
  ;[sam] = (await people(nodes, {})) as [Person]
  chat = await createChat(sam.one)
})
after(() => nodes.stop())

const red = [255, 0, 0]
const blue = [0, 0, 255]

interface BmpOptions {
  bits: 1 | 8 | 16 | 24 | 32
  topDown?: boolean
  masks?: boolean
}

/** A red left and a blue right half, 64 by 48. */
function bmp({ bits, topDown = false, masks = false }: BmpOptions, [width, height] = [64, 48], says = [width, height]): Buffer {
  const palette = bits <= 8 ? Buffer.from([0, 0, 255, 0, 255, 0, 0, 0]) : Buffer.alloc(0)
  const maskBytes = Buffer.alloc(masks ? 12 : 0)
  if (masks) for (const [index, mask] of [0xff, 0xff00, 0xff0000].entries()) maskBytes.writeUInt32LE(mask, index * 4)
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  const row = Buffer.alloc(rowBytes)
  for (let x = 0; x < width; x++) {
    const isRed = x < width / 2
    if (bits === 1 && !isRed) row[x >> 3] = (row[x >> 3] ?? 0) | (0x80 >> (x & 7))
    if (bits === 8) row[x] = isRed ? 0 : 1
    if (bits === 16) row.writeUInt16LE(isRed ? 0x7c00 : 0x1f, x * 2)
    // With the masks above, the order is the other way round.
    if (bits >= 24) row[(x * bits) / 8 + (isRed !== masks ? 2 : 0)] = 255
  }
  const head = Buffer.alloc(54)
  head.write('BM')
  head.writeUInt32LE(54 + maskBytes.length + palette.length, 10)
  head.writeUInt32LE(40, 14)
  head.writeInt32LE(says[0] ?? 0, 18)
  head.writeInt32LE((topDown ? -1 : 1) * (says[1] ?? 0), 22)
  head.writeUInt16LE(1, 26)
  head.writeUInt16LE(bits, 28)
  head.writeUInt32LE(masks ? 3 : 0, 30)
  if (bits <= 8) head.writeUInt32LE(2, 46)
  return Buffer.concat([head, maskBytes, palette, ...Array<Buffer>(height).fill(row)])
}

async function avif(): Promise<Buffer> {
  const half = { create: { width: 32, height: 48, channels: 3 as const, background: '#ff0000' } }
  const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#0000ff' } }).composite([
    { input: half, left: 0, top: 0 },
  ])
  const flat = await picture.png().toBuffer()
  return await sharp(flat)
    .withExif({ IFD0: { Make: 'Sample' } })
    .withIccProfile('p3')
    .avif({ effort: 0 })
    .toBuffer()
}

interface Sample {
  file: Buffer
  size: [number, number]
  /** Which half of the stored picture is red. */
  red: 'left' | 'top'
}

const samples: Record<string, Sample> = {
  'HEIC, turned': { file: turnedHeic, size: [240, 320], red: 'top' },
  'HEIC in Display P3': { file: wideHeic, size: [320, 240], red: 'left' },
  AVIF: { file: await avif(), size: [64, 48], red: 'left' },
  'JPEG XL': { file: jxl, size: [64, 48], red: 'left' },
  'BMP of 24 bits': { file: bmp({ bits: 24 }), size: [64, 48], red: 'left' },
}

const ways: Record<string, (image: string) => Promise<Answer>> = {
  'a post of a chat': (image) => sam.one.post(`/fez/${chat}/post`, content('x', { images: [{ image }] })),
  'a post of the microblog': (image) => sam.one.post('/microblog/create', content('x', { images: [{ image }] })),
  'a changed post of a forum': async (image) => {
    const { postID } = await startForum(sam.one, 'A forum')
    return sam.one.post(`/forum/post/${postID}/update`, content('x', { images: [{ image }] }))
  },
  'a picture of a profile': async (image) => (await somebody()).one.post('/user/image', { image }),
  'a photo of the stream': async (image) => {
    const { one } = await somebody()
    return one.post('/photostream/upload', { image, createdAt: new Date(Date.now() - 600_000) })
  },
}

/** Has no picture, and has sent none. */
const somebody = async () => ((await people(nodes, {})) as [Person])[0]

async function stored(answer: Answer): Promise<Buffer> {
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  const [name] = /[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}\.jpg/.exec(JSON.stringify(answer.body)) ?? []
  assert.ok(name, JSON.stringify(answer.body))
  for (const size of ['thumb', 'full']) assert.equal((await sam.one.file(`/image/${size}/${name}`)).status, 200)
  return (await sam.one.file(`/image/full/${name}`)).bytes
}

async function assertHalves(image: Buffer, where: 'left' | 'top'): Promise<void> {
  const { width, height, ...more } = await sharp(image).metadata()
  assert.deepEqual([more.format, more.exif, more.xmp, more.icc, more.orientation], ['jpeg', undefined, undefined, undefined, undefined])
  assert.ok(!image.includes('Sample'), 'no words of the camera')
  const pixels = await sharp(image).raw().toBuffer()
  const at = (x: number, y: number) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]
  const corners: [number, number, boolean][] = [
    [4, 4, true],
    [width - 5, 4, where === 'top'],
    [4, height - 5, where === 'left'],
    [width - 5, height - 5, false],
  ]
  for (const [x, y, isRed] of corners) {
    const want = isRed ? red : blue
    const near = at(x, y).every((value, index) => Math.abs(value - (want[index] ?? 0)) < 10)
    assert.ok(near, `${x}, ${y} is ${at(x, y).join()}`)
  }
}

for (const [way, send] of Object.entries(ways))
  test(`${way}: every format becomes JPEG, upright, in sRGB, without metadata`, async (t) => {
    for (const [format, { file, size, red: where }] of Object.entries(samples))
      await t.test(format, async () => {
        const image = await stored(await send(file.toString('base64')))
        const { width, height } = await sharp(image).metadata()
        const side = Math.min(...size)
        assert.deepEqual([width, height], way === 'a picture of a profile' ? [side, side] : size)
        await assertHalves(image, where)
      })
  })

test('BMP: every depth, rows from the top or the bottom, colours by masks', async () => {
  const kinds: BmpOptions[] = [{ bits: 1 }, { bits: 8 }, { bits: 16 }, { bits: 32 }, { bits: 24, topDown: true }, { bits: 32, masks: true }]
  for (const kind of kinds) await assertHalves(await stored(await post(bmp(kind))), 'left')
})

test('BMP: rows from the bottom stand upright', async () => {
  const file = bmp({ bits: 24 })
  // The last rows of the file are the upper ones.
  file.fill(0, 54, 54 + 24 * 192)
  const image = await stored(await post(file))
  const { data } = await sharp(image).raw().toBuffer({ resolveWithObject: true })
  assert.ok((data[0] ?? 0) > 245, 'red above')
  assert.ok((data[40 * 64 * 3] ?? 255) < 10, 'black below')
})

const post = (file: Buffer) => ways['a post of a chat']!(file.toString('base64'))

/** The most memory, in kB, that each process for pictures has had. */
const peaks = () =>
  childrenOf(process.pid, 'image-process').map((child) => {
    try {
      return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0)
    } catch {
      // It has ended meanwhile.
      return 0
    }
  })

/** The same each time for a seed. */
function broken(file: Buffer, seed: number): Buffer {
  const copy = Buffer.from(file)
  const dice = createHash('sha256').update(String(seed)).digest()
  for (let index = 0; index < 8; index++) copy[12 + (dice.readUInt16LE(index * 4) % (copy.length - 12))] = dice[index * 4 + 2] ?? 0
  return copy
}

test('what is cut off, lies about its size, or is broken is refused with a reason, and the next picture is taken', async () => {
  const huge = Buffer.from(wideHeic)
  const ispe = huge.indexOf('ispe')
  huge.writeUInt32BE(65_535, ispe + 8)
  huge.writeUInt32BE(65_535, ispe + 12)
  // A size of 65536 by 65536 in the header's own bits.
  const hugeJxl = Buffer.concat([Buffer.from([0xff, 0x0a, 0xf8, 0xff, 0xff, 0xff]), jxl.subarray(6)])
  const cases: Record<string, Buffer> = {
    'HEIC in part': wideHeic.subarray(0, wideHeic.length - 100),
    'the head of a HEIC': wideHeic.subarray(0, 200),
    'HEIC that says it is huge': huge,
    'JPEG XL in part': jxl.subarray(0, 100),
    'JPEG XL that says it is huge': hugeJxl,
    'BMP in part': bmp({ bits: 24 }).subarray(0, 5000),
    'the head of a BMP': bmp({ bits: 24 }).subarray(0, 20),
    'BMP that says it is huge': bmp({ bits: 24 }, [64, 48], [65_535, 65_535]),
    'BMP without rows': bmp({ bits: 24 }, [64, 48], [64, 0]),
    'BMP without columns': bmp({ bits: 24 }, [64, 48], [-64, 48]),
    'BMP, longer than broad by far': bmp({ bits: 1 }, [8, 100]),
  }
  for (const [what, file] of Object.entries(cases)) {
    const reason = await refused(post(file), 400).catch((error: Error) => assert.fail(`${what}: ${error.message}`))
    assert.match(reason, /picture/, what)
  }
  for (const { file, red: where } of Object.values(samples)) await assertHalves(await stored(await post(file)), where)
  assert.deepEqual(readdirSync(join(nodes.config.imagesDir, 'incoming')), [], 'no upload is left')
})

test('files with wrong bytes in them never stop the server, and leave it its memory', async () => {
  for (const { file } of Object.values(samples))
    for (let seed = 0; seed < 12; seed++) {
      const { status } = await post(broken(file, seed))
      assert.ok(status === 201 || status === 400, `${status} for seed ${seed}`)
    }
  for (const peak of peaks()) assert.ok(peak < 500_000, `${peak} kB`)
  await assertHalves(await stored(await post(turnedHeic)), 'top')
})

test('a picture that needs more memory than there is for one is refused, and its neighbours are not', async () => {
  for (const file of [bmp({ bits: 1 }, [9000, 8000]), largeJxl]) {
    let peak = 0
    // The process is replaced afterwards: what it took is seen while it takes it.
    const watch = setInterval(() => (peak = Math.max(peak, ...peaks())), 50)
    assert.match(await refused(post(file), 400), /too large/)
    clearInterval(watch)
    assert.ok(peak < 500_000, `${peak} kB`)
  }
  const answer = await body(post(bmp({ bits: 1 }, [4000, 3000])), 201)
  assert.deepEqual((await sharp((await sam.one.file(`/image/full/${answer.image}`)).bytes).metadata()).width, 2048)
})
