// Room for files: what one person may have, everybody together, and the disk. Two nodes, a worker for pictures.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { Ctx } from '../../src/core/work/ctx.ts'
import { imagePath } from '../../src/image/names.ts'
import { sweepImages } from '../../src/image/sweep.service.ts'
import { sweepVideos } from '../../src/microkaraoke/sweep.service.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { body, createChat, people, type Person } from '../support/fez.ts'
import { content, startForum } from '../support/forum.ts'
import { storedImage } from '../support/images.ts'
import { hold } from '../support/locks.ts'
import { writeSong } from '../support/microkaraoke.ts'
import { onlySettings } from '../support/settings.ts'
import { until } from '../support/until.ts'

const mebibyte = 1_048_576
const privateSeeds = mkdtempSync(join(tmpdir(), 'quarterdeck-room-'))
let nodes: TestNodes
let admin: Person
let small: string
let large: string
before(async () => {
  const songs = join(privateSeeds, 'microkaraoke')
  mkdirSync(songs)
  for (const name of ['One', 'Two']) writeSong(songs, name, { slots: 8 })
  nodes = await startTestNodes(2, { workers: 1, env: { WRITES_PER_MINUTE: '0', PRIVATE_SEEDS_DIR: privateSeeds } })
  ;[admin] = (await people(nodes, { level: 'admin' })) as [Person]
  const flat = sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
  small = (await flat.jpeg().toBuffer()).toString('base64')
  // Kept byte for byte, and large enough to go over a file.
  const noise = sharp(randomBytes(400 * 400 * 3), { raw: { width: 400, height: 400, channels: 3 } })
  large = (await noise.png({ compressionLevel: 0 }).toBuffer()).toString('base64')
})
after(async () => {
  await nodes.stop()
  rmSync(privateSeeds, { recursive: true })
})
afterEach(() => onlySettings(nodes))

const someone = async (options: object = {}): Promise<Person> => (await people(nodes, options))[0] as Person
const limit = (settings: object) =>
  body(admin.one.post('/admin/serversettings/update', { enableFeatures: [], disableFeatures: [], ...settings }))
/** Gives a person so many bytes of files that this test never writes. */
const fill = (person: Person, bytes: number) =>
  nodes.sql`insert into stored_file (name, person_id, bytes, created_at) values (${randomUUID()}, ${person.personId}, ${bytes}, now())`
const used = async (person: Person): Promise<number> => {
  const [row] = await nodes.sql<[{ bytes: number }]>`
    select coalesce(sum(bytes), 0)::float8 as bytes from stored_file where person_id = ${person.personId}`
  return row.bytes
}
const sizeOf = (name: string, ...sizes: ('full' | 'thumb' | 'archive')[]) =>
  sizes.reduce((sum, size) => sum + statSync(join(nodes.config.imagesDir, imagePath(size, name))).size, 0)
const imagesOnDisk = () =>
  readdirSync(join(nodes.config.imagesDir, 'full'), { recursive: true }).filter((name) => String(name).includes('.')).length
const isRefused = ({ status, body: answer }: Answer, expected: 413 | 507) => {
  assert.equal(status, expected, JSON.stringify(answer))
  assert.equal(answer.code, expected === 413 ? 'quota_used' : 'storage_full')
  assert.match(
    answer.reason,
    expected === 413 ? /\d+ MB of pictures and recordings for one person.*Delete some/ : /no room.*Tell the hosts/,
  )
}

/** Every way by which a picture of somebody gets onto the server. */
const ways: Record<string, (who: Person, image: string) => Promise<Answer>> = {
  'a post of a forum': async ({ two }, image) =>
    two.post('/forum/categories/' + (await category()) + '/create', { title: 'A forum', firstPost: content('x', { images: [{ image }] }) }),
  'a changed post of a forum': async ({ one, two }, image) => {
    const { postID } = await startForum(one, 'A forum')
    return two.post(`/forum/post/${postID}/update`, content('x', { images: [{ image }] }))
  },
  'a post of the microblog': ({ two }, image) => two.post('/microblog/create', content('x', { images: [{ image }] })),
  'a post of a chat': async ({ one, two }, image) => two.post(`/fez/${await createChat(one)}/post`, content('x', { images: [{ image }] })),
  'a picture of a profile': ({ two }, image) => two.post('/user/image', { image }),
  'a photo of the stream': ({ two }, image) => two.post('/photostream/upload', { image, createdAt: new Date(Date.now() - 600_000) }),
}
const category = async () => (await nodes.sql<[{ id: string }]>`select id from forum_category where title = 'General'`)[0].id

/** Names of what was written to disk of bodies that arrived meanwhile. */
async function writtenWhile(work: () => Promise<unknown>): Promise<string[]> {
  const incoming = join(nodes.config.imagesDir, 'incoming')
  mkdirSync(incoming, { recursive: true })
  const mark = join(incoming, 'mark')
  const written: string[] = []
  const watcher = watch(incoming, (_, name) => void written.push(String(name)))
  try {
    await work()
    // What is seen of it comes after all that was before.
    writeFileSync(mark, '')
    await until(() => written.includes('mark'), 'the mark is seen')
    return written.filter((name) => name !== 'mark')
  } finally {
    watcher.close()
    rmSync(mark, { force: true })
  }
}

describe('room for the files of a person', () => {
  for (const [name, send] of Object.entries(ways))
    it(`${name}: counted as stored; refused before anything is written, whichever account`, async () => {
      const owner = await someone()
      const second = await someone({ subAccountOf: owner })
      assert.ok((await send(owner, small)).status < 300)
      const stored = await used(owner)
      assert.ok(stored > 500 && stored < 20_000, `${stored} bytes`)
      await fill(owner, 1000 * mebibyte - stored)
      const before = imagesOnDisk()
      for (const account of [owner, second]) for (const image of [small, large]) isRefused(await send(account, image), 413)
      assert.equal(imagesOnDisk(), before)
      assert.equal(await used(owner), 1000 * mebibyte)
      assert.ok((await send(await someone(), small)).status < 300, 'others have room of their own')
    })

  it('where there is none, not even a large body is written while it arrives', async () => {
    const [owner, other] = [await someone(), await someone()]
    await fill(owner, 1000 * mebibyte)
    assert.deepEqual(await writtenWhile(async () => isRefused(await owner.one.post('/user/image', { image: large }), 413)), [])
    assert.notDeepEqual(await writtenWhile(() => body(other.one.post('/user/image', { image: large }))), [], 'another body is seen')
  })

  it('of two at once on two nodes, of two accounts, one is taken where there is room for one', async () => {
    const owner = await someone()
    const second = await someone({ subAccountOf: owner })
    await limit({ maxPersonMegabytes: 1 })
    await fill(owner, mebibyte - Buffer.from(large, 'base64').length - 100)
    // Both get as far as they can before either is counted.
    const lock = await hold(nodes.database.url, 'lock table stored_file in share mode')
    const answers = Promise.all(
      [owner.one, second.two].map((client) => client.post('/microblog/create', content('x', { images: [{ image: large }] }))),
    )
    await lock.awaited(2)
    await lock.release()
    assert.deepEqual((await answers).map(({ status }) => status).toSorted(), [201, 413])
  })

  it('a picture that is refused or given up counts no more; one that was deleted with what is kept of it', async () => {
    const owner = await someone()
    assert.equal((await owner.one.post('/user/image', { image: Buffer.from('no picture').toString('base64') })).status, 400)
    assert.equal(await used(owner), 0)
    const { userImage: first } = await body(owner.one.post('/user/image', { image: small })).then(() =>
      body(owner.one.get(`/users/${owner.id}/header`)),
    )
    assert.equal(await used(owner), sizeOf(first, 'full', 'thumb'))
    await body(owner.two.delete('/user/image'), 204)
    assert.equal(await used(owner), sizeOf(first, 'archive'))
    // Naming a stored picture stores none.
    await body(owner.two.post('/user/image', { filename: storedImage(nodes) }))
    assert.equal(await used(owner), sizeOf(first, 'archive'))
  })

  it('a picture whose folder goes away while it is counted is refused for a while, and counts no more', async (t) => {
    const owner = await someone()
    const [{ node }] = nodes.apps as [(typeof nodes.apps)[number]]
    const { store } = node.files
    const { imagesDir } = nodes.config
    const count = store.stat.bind(store)
    const back = () => {
      rmSync(imagesDir)
      renameSync(`${imagesDir} aside`, imagesDir)
    }
    const goAway = async (path: string) => {
      renameSync(imagesDir, `${imagesDir} aside`)
      writeFileSync(imagesDir, '')
      return await count(path).finally(back)
    }
    t.mock.method(store, 'stat', goAway, { times: 1 })
    const answer = await owner.one.post('/user/image', { image: small })
    assert.deepEqual([answer.status, answer.body.code], [503, 'storage_unavailable'])
    assert.equal(await used(owner), 0)
    t.mock.restoreAll()
    await body(owner.one.post('/user/image', { image: small }))
  })

  it('micro karaoke: recordings count, and are refused before they are written', async () => {
    const [singer, other] = [await someone(), await someone()]
    const sing = async (who: Person) => {
      const { offerID } = await body(who.one.post('/microkaraoke/offer'))
      return {
        offerID: offerID as string,
        answer: await who.two.post('/microkaraoke/recording', { offerID, videoData: randomBytes(600_000).toString('base64') }),
      }
    }
    const sung = await sing(singer)
    assert.equal(sung.answer.status, 200)
    assert.equal(await used(singer), 600_000)
    await fill(other, 1000 * mebibyte - 1000)
    const unsung = await sing(other)
    isRefused(unsung.answer, 413)
    assert.ok(!existsSync(join(nodes.config.imagesDir, 'microkaraokevideos', `${unsung.offerID.toUpperCase()}.mp4`)))
    assert.equal(await used(other), 1000 * mebibyte - 1000)
    await body(admin.one.delete(`/mod/microkaraoke/snippet/${sung.offerID}`))
    assert.equal(await used(singer), 0)
  })

  it('can be set by the host, and is nothing to the team', async () => {
    const [owner, moderator] = [await someone(), await someone({ level: 'moderator' })]
    for (const person of [owner, moderator]) await fill(person, 3 * mebibyte)
    await limit({ maxPersonMegabytes: 3 })
    isRefused(await owner.two.post('/user/image', { image: small }), 413)
    await body(moderator.two.post('/user/image', { image: small }))
    await limit({ maxPersonMegabytes: 4 })
    await body(owner.two.post('/user/image', { image: small }))
    await fill(owner, 2000 * mebibyte)
    await limit({ maxPersonMegabytes: 0 })
    await body(owner.two.post('/user/image', { image: small }))
  })
})

describe('room for the files of everybody', () => {
  it('is bounded by a setting, the team too', async () => {
    const [owner, moderator] = [await someone(), await someone({ level: 'moderator' })]
    await limit({ maxStoredMegabytes: 100_000 })
    await body(owner.two.post('/user/image', { image: small }))
    await limit({ maxStoredMegabytes: 1 })
    const before = imagesOnDisk()
    for (const { two } of [owner, moderator]) for (const image of [small, large]) isRefused(await two.post('/user/image', { image }), 507)
    assert.equal(imagesOnDisk(), before)
    await body(owner.two.post('/microblog/create', content('words take no room')), 201)
  })

  it('ends before the disk does, for copies of own data too', async () => {
    const owner = await someone()
    await limit({ minFreeDiskMegabytes: 100_000_000 })
    for (const image of [small, large])
      assert.deepEqual(await writtenWhile(async () => isRefused(await owner.two.post('/user/image', { image }), 507)), [])
    isRefused(await owner.one.post('/user/export'), 507)
    assert.deepEqual(await body(owner.one.get('/user/export')), { state: 'none' })
    await limit({ minFreeDiskMegabytes: 0 })
    await body(owner.two.post('/user/image', { image: small }))
  })
})

describe('the sweep', () => {
  const sweep = () => {
    const [{ node }] = nodes.apps as [(typeof nodes.apps)[number]]
    return new Ctx(node, undefined, { requestId: 'sweep', log: node.log })
  }
  const yesterday = new Date(Date.now() - 25 * 60 * 60_000)

  it('counts what older versions have stored, and forgets what is not there', async () => {
    const owner = await someone()
    const second = await someone({ subAccountOf: owner })
    await body(second.one.post('/user/image', { image: small }))
    const { userImage } = await body(second.one.get(`/users/${second.id}/header`))
    const photo = storedImage(nodes)
    await nodes.sql`insert into microblog_post (author_id, real_author_id, text, images, hashtags, mentions, created_at)
      values (${owner.id}, ${owner.id}, 'x', ${[photo]}, '{}', '{}', now())`
    await nodes.sql`delete from stored_file where person_id = ${owner.id}`
    // Broken off on the way, and removed by hand.
    await nodes.sql`insert into stored_file (name, person_id, bytes, created_at) values
      (${randomUUID().toUpperCase()}, ${owner.id}, 5000, ${yesterday}), (${`${randomUUID().toUpperCase()}.jpg`}, ${owner.id}, 5000, ${yesterday})`
    await sweepImages(sweep())
    assert.equal(await used(owner), sizeOf(userImage, 'full', 'thumb') + sizeOf(photo, 'full', 'thumb'))
    await sweepImages(sweep())
    assert.equal(await used(owner), sizeOf(userImage, 'full', 'thumb') + sizeOf(photo, 'full', 'thumb'))
  })

  it('forgets pictures and recordings that it removes', async () => {
    const owner = await someone()
    const post = await body(owner.one.post('/microblog/create', content('x', { images: [{ image: small }] })), 201)
    const [name] = post.images as [string]
    await nodes.sql`delete from microblog_post where id = ${post.twarrtID}`
    utimesSync(join(nodes.config.imagesDir, imagePath('full', name)), yesterday, yesterday)
    await sweepImages(sweep())
    assert.equal(await used(owner), 0)
    const { offerID } = await body(owner.one.post('/microkaraoke/offer'))
    await body(owner.two.post('/microkaraoke/recording', { offerID, videoData: randomBytes(600_000).toString('base64') }))
    await nodes.sql`delete from stored_file where person_id = ${owner.id}`
    await sweepVideos(sweep())
    assert.equal(await used(owner), 600_000, 'noted again')
    await nodes.sql`update mk_snippet set deleted_at = now() where id = ${offerID}`
    const video = join(nodes.config.imagesDir, 'microkaraokevideos', `${String(offerID).toUpperCase()}.mp4`)
    utimesSync(video, yesterday, yesterday)
    await sweepVideos(sweep())
    assert.equal(await used(owner), 0)
  })
})
