// Images in a bucket: servers and workers that share no folder, the way there and back while people post, and a bucket that is away.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { startApp, type App } from '../../src/app.ts'
import { readConfig } from '../../src/accounts/config.ts'
import type { Config } from '../../src/core/base/config.ts'
import { advisoryLock } from '../../src/core/db/advisory-lock.ts'
import { createLog } from '../../src/core/base/log.ts'
import { Ctx } from '../../src/core/work/ctx.ts'
import { imagePath } from '../../src/image/names.ts'
import { sweepImages } from '../../src/image/sweep.service.ts'
import { sweepVideos } from '../../src/microkaraoke/sweep.service.ts'
import { startWorker } from '../../workers/worker.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { startBucket, type TestBucket } from '../support/bucket.ts'
import { Client } from '../support/client.ts'
import { createEmptyDatabase } from '../support/db.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, refused, type Person } from '../support/fez.ts'
import { hold } from '../support/locks.ts'
import { writeSong } from '../support/microkaraoke.ts'
import { onlySettings } from '../support/settings.ts'
import { runTool } from '../support/tools.ts'
import { until } from '../support/until.ts'
import { unzipped, zipped } from '../support/zip.ts'

const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-bucket-test-'))
const clock = new LeapingClock()
let bucket: TestBucket
let nodes: TestNodes
let elsewhere: App
let worker: { stop(): Promise<void> }
let admin: Person
let ann: Person
let picture: Buffer
before(async () => {
  bucket = await startBucket()
  const songs = join(directory, 'seeds', 'microkaraoke')
  mkdirSync(songs, { recursive: true })
  writeSong(songs, 'One', { slots: 8 })
  const redisPrefix = `t${randomBytes(6).toString('hex')}`
  nodes = await startTestNodes(1, { clock, redisPrefix, env: { ...bucket.env('ship'), PRIVATE_SEEDS_DIR: join(directory, 'seeds') } })
  const stores = { databaseUrl: nodes.database.url, redisUrl: process.env['TEST_REDIS_URL'] ?? '', redisPrefix, clock }
  const onAnotherMachine = (name: string, config: Config = nodes.config) => ({
    ...stores,
    source: name,
    log: createLog('silent', name),
    config: { ...config, dataDir: join(directory, name), imagesDir: join(directory, name, 'images') },
  })
  elsewhere = await startApp(onAnotherMachine('server'))
  worker = await startWorker({ ...onAnotherMachine('worker'), onSilence: () => undefined })
  ;[admin, ann] = (await people(nodes, { level: 'admin' }, {})) as [Person, Person]
  // Of noise: large enough to be sent in parts.
  const noise = randomBytes(900 * 700 * 3)
  picture = await sharp(noise, { raw: { width: 900, height: 700, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()
})
after(async () => {
  await Promise.all([elsewhere.stop(0), worker.stop()])
  await nodes.stop()
  await bucket.stop()
  rmSync(directory, { recursive: true })
})

const there = (token = ann.token) => new Client(`http://127.0.0.1:${elsewhere.port}`, token)
const send = async (client = ann.one, image = picture): Promise<string> =>
  (await body(client.post('/user/image', { image: image.toString('base64') }))).filename ??
  (await body(ann.one.get('/user/profile'))).header.userImage
const small = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer()
const folders = () => [nodes.config.imagesDir, ...['server', 'worker'].map((name) => join(directory, name, 'images'))]
const filesIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()) : []
const sweep = async (work: (ctx: Ctx<undefined>) => Promise<void>) => {
  clock.leap(25 * 60 * 60_000)
  const { node } = nodes.apps[0] as App
  await work(new Ctx(node, undefined, { requestId: 'sweep', log: node.log }))
}

test('a picture that one server takes is made by a worker and shown by another, whole and in parts; nothing lies anywhere else', async () => {
  const name = await send()
  assert.deepEqual(bucket.files('ship'), [imagePath('full', name), imagePath('thumb', name)].toSorted())
  for (const folder of folders()) assert.deepEqual(filesIn(folder), [])
  const full = await there().file(`/image/full/${name}`)
  assert.equal(full.status, 200)
  assert.ok(full.bytes.length > 128 * 1024, 'more than is sent at once')
  assert.deepEqual((({ width, height }) => [width, height])(await sharp(full.bytes).metadata()), [700, 700])
  const thumb = await there().file(`/image/thumb/${name}`)
  assert.equal((await sharp(thumb.bytes).metadata()).height, 200)
  const tag = full.headers['etag'] as string
  const part = await there().file(`/image/full/${name}`, { Range: 'bytes=130000-150000', 'If-Range': tag })
  assert.equal(part.status, 206)
  assert.deepEqual(part.bytes, full.bytes.subarray(130_000, 150_001))
  assert.equal((await ann.one.file(`/image/full/${name}`, { 'If-None-Match': tag })).status, 304, 'the tag is that of both servers')
  assert.equal((await there().file('/image/full/0BADF00D-0000-4000-8000-000000000001.jpg')).status, 400)
})

test('a picture that nobody shows any more is put away, and is gone on every server; the sweep removes what nobody knows', async () => {
  const [first, second] = [await send(), await send(ann.one, await small())]
  await until(() => !bucket.files('ship').includes(imagePath('full', first)), 'the one before is put away')
  assert.ok(bucket.files('ship').includes(imagePath('archive', first)))
  for (const client of [ann.one, there()]) assert.equal((await client.file(`/image/thumb/${first}`)).status, 400)
  const orphan = 'FFFFFFFF-0000-4000-8000-000000000001.jpg'
  const { store } = (nodes.apps[0] as App).node.files
  for (const path of [imagePath('full', orphan), imagePath('thumb', orphan), 'incoming/LEFT', 'admin/userfile.zip'])
    await store.put(path, picture)
  await sweep(sweepImages)
  const left = bucket.files('ship')
  assert.ok(!left.some((path) => path.includes(orphan) || /incoming|admin/.test(path)), left.join())
  assert.ok(left.includes(imagePath('full', second)))
})

test('users who move bring their pictures along: one server takes the file, another one applies it, a worker gives them', async (t) => {
  await onlySettings(nodes, { minAccessUserLevel: 'admin' })
  t.after(() => onlySettings(nodes))
  const [hashes] = await nodes.sql`select password_hash, recovery_key_hash from account where id = ${ann.id}`
  const image = (await small()).toString('base64')
  const travellers = Array.from({ length: 3 }, (_, index) => ({
    username: `Traveller-${index}`,
    userImage: `AAAAAAAA-0000-4000-8000-00000000000${index}.jpg`,
    verification: `move0${index}`,
  }))
  await nodes.sql`insert into registration_code (code) select unnest(${travellers.map(({ verification }) => verification)}::text[])`
  const users = travellers.map((traveller) => ({
    ...traveller,
    password: hashes?.['passwordHash'],
    recoveryKey: hashes?.['recoveryKeyHash'],
    accessLevel: 'verified',
    roles: [],
    favoriteEvents: [],
    photographerEvents: [],
    favoriteUsers: [],
  }))
  const zip = await zipped({
    'userfile/userfile.json': Buffer.from(JSON.stringify({ users, performers: [], needsPhotographer: [] })),
    ...Object.fromEntries(travellers.map(({ userImage }) => [`userfile/userImages/${userImage}`, Buffer.from(image, 'base64')])),
  })
  const at = '/admin/bulkuserfile'
  await body(admin.one.post(`${at}/upload`, zip))
  assert.deepEqual(bucket.files('ship/admin'), ['userfile.zip'])
  const report = await body(there(admin.token).post(`${at}/update/apply`))
  assert.equal(report.userCounts.importedCount, 3)
  await until(async () => (await body(admin.one.get(`${at}/images`))).waiting === 0, 'all pictures are there', 60_000)
  const names = travellers.map(({ userImage }) => userImage)
  assert.deepEqual(
    (await nodes.sql`select user_image from account where username like 'Traveller-%' order by username`).map(({ userImage }) => userImage),
    names,
  )
  for (const name of names) assert.equal((await there(admin.token).file(`/image/thumb/${name}`)).status, 200)
  const { bytes } = await there(admin.token).file(`${at}/download`)
  const files = await unzipped(bytes)
  for (const name of names) assert.ok((files.get(`userfile/userImages/${name}`)?.length ?? 0) > 0, name)
})

test('one’s own data hold the pictures; a picture can be named again, and goes into a contact', async () => {
  const name = await send(ann.one, await small())
  await body(ann.one.post('/user/image', { filename: name }))
  const card = await ann.one.file(`/users/${ann.id}/vcard`)
  assert.match(card.bytes.toString(), /PHOTO/)
  await body(ann.one.post('/user/export'))
  await until(async () => (await body(ann.one.get('/user/export'))).state === 'done', 'the file is there', 60_000)
  const files = await unzipped((await ann.one.file('/user/export/file')).bytes)
  assert.deepEqual(files.get(`pictures/${name}`), (await there().file(`/image/full/${name}`)).bytes)
})

test('a recording that is sent in parts is stored whole, and removed with its snippet', async () => {
  const { offerID } = await body(ann.one.post('/microkaraoke/offer'))
  const video = randomBytes(9 * 1024 * 1024)
  await body(ann.two.post('/microkaraoke/recording', { offerID, videoData: video.toString('base64') }))
  const path = `microkaraokevideos/${String(offerID).toUpperCase()}.mp4`
  assert.ok(bucket.files('ship').includes(path))
  assert.deepEqual((await there().file(`/microkaraoke/video/${String(offerID).toUpperCase()}.mp4`)).bytes, video)
  await body(admin.one.delete(`/mod/microkaraoke/snippet/${offerID}`))
  assert.ok(!bucket.files('ship').includes(path))
  await (nodes.apps[0] as App).node.files.store.put(path, picture)
  await sweep(sweepVideos)
  assert.ok(!bucket.files('ship').includes(path), 'what no snippet has is swept away')
})

test('a backup holds what is in the bucket; it is restored into a folder and into another bucket, and wiped there', async (t) => {
  const name = await send()
  const { bytes } = await there().file(`/image/full/${name}`)
  const file = join(directory, 'backup.tar')
  const from = { DATABASE_URL: nodes.database.url, DATA_DIR: join(directory, 'tool'), ...bucket.env('ship') }
  const backup = await runTool('backup', [file], from)
  assert.equal(backup.code, 0, backup.output)
  for (const [kind, settings] of Object.entries({ folder: {}, bucket: bucket.env('another') })) {
    const database = await createEmptyDatabase()
    t.after(() => database.drop())
    const env = { DATABASE_URL: database.url, DATA_DIR: join(directory, `restored-${kind}`), ...settings }
    const { imagesDir } = readConfig([], env)
    const images = () =>
      kind === 'bucket'
        ? bucket.files('another')
        : filesIn(imagesDir)
            .map((entry) => join(entry.parentPath, entry.name).slice(imagesDir.length + 1))
            .toSorted()
    const restored = await runTool('restore', [file], env)
    assert.equal(restored.code, 0, restored.output)
    assert.deepEqual(images(), bucket.files('ship'))
    const again = await startTestNodes(1, { databaseUrl: database.url, env: { SWIFTARR_USER_IMAGES: imagesDir, ...settings } })
    try {
      assert.deepEqual((await again.client().file(`/image/full/${name}`)).bytes, bytes)
    } finally {
      await again.stop()
    }
    const full = await runTool('restore', [file], env)
    assert.equal(full.code, 1)
    const wiped = await runTool('wipe', ['--yes'], env)
    assert.equal(wiped.code, 0, wiped.output)
    assert.deepEqual(images(), [])
  }
})

test('the way into a bucket and back, while people post: every picture is there at each moment, and at the end in one place', async (t) => {
  const place = await startTestNodes(0, { env: { PRIVATE_SEEDS_DIR: join(directory, 'none') } })
  t.after(() => place.stop())
  const [{ token }] = (await people(place, {})) as [Person]
  const { imagesDir, dataDir } = place.config
  const image = (await small()).toString('base64')
  const names: string[] = []
  const settings = (to: string | undefined) => (to === undefined ? {} : { ...bucket.env('moved'), IMAGES_IN: to })
  /** A server and a worker with these settings; `work` posts and looks at everything that was ever posted. */
  const served = async (to: string | undefined, work: (post: () => Promise<void>, look: () => Promise<void>) => Promise<void>) => {
    const options = {
      databaseUrl: place.database.url,
      redisUrl: process.env['TEST_REDIS_URL'] ?? '',
      redisPrefix: `t${randomBytes(6).toString('hex')}`,
      source: 'moving',
      log: createLog('silent', ''),
      config: { ...place.config, bucket: readConfig([], settings(to)).bucket },
    }
    const [server, maker] = await Promise.all([startApp(options), startWorker({ ...options, onSilence: () => undefined })])
    const client = new Client(`http://127.0.0.1:${server.port}`, token)
    try {
      await work(
        async () => {
          const post = await body(client.post('/microblog/create', { text: 'look', images: [{ image }] }), 201)
          names.push(post.images[0])
        },
        async () => {
          for (const name of names)
            for (const size of ['full', 'thumb'])
              assert.equal((await client.file(`/image/${size}/${name}`)).status, 200, `${size}/${name}, new ones to ${to}`)
        },
      )
    } finally {
      await Promise.all([server.stop(0), maker.stop()])
    }
  }
  await served(undefined, async (post, look) => {
    for (let count = 0; count < 6; count++) await post()
    await look()
  })
  // First all servers know the bucket, so that each finds what another puts there.
  await served('folder', async (post, look) => {
    await look()
    await post()
    assert.deepEqual(bucket.files('moved'), [])
  })
  for (const to of ['bucket', 'folder'])
    await served(to, async (post, look) => {
      await look()
      await post()
      const moving = runTool('images', ['--move'], { DATABASE_URL: place.database.url, DATA_DIR: dataDir, ...settings(to) })
      const ended = moving.then(() => true)
      do {
        await post()
        await look()
      } while (!(await Promise.race([ended, Promise.resolve(false)])))
      const { code, output } = await moving
      assert.equal(code, 0, output)
      assert.match(output, /Moved \d+ files/)
      await look()
      const [inFolder, inBucket] = [filesIn(imagesDir).length, bucket.files('moved').length]
      assert.deepEqual(to === 'bucket' ? [inFolder, inBucket] : [inBucket, inFolder], [0, 2 * names.length])
    })
  await served(undefined, async (_post, look) => await look())
})

test('while the bucket is away all else goes on, and nothing is lost; afterwards it is as before', async () => {
  const name = await send(ann.one, await small())
  const comeBack = await bucket.halt()
  try {
    assert.match(await refused(ann.one.post('/user/image', { image: picture.toString('base64') }), 503), /store/i)
    assert.equal((await there().file(`/image/full/${name}`)).status, 503)
    await body(ann.one.post('/microblog/create', { text: 'words go on', images: [] }), 201)
    assert.equal((await nodes.client().get('//health/ready')).status, 200)
    assert.match(JSON.stringify(await body(admin.one.get('/admin/checks'))), /images-away/)
    const doctor = await runTool('doctor', [], { DATA_DIR: join(directory, 'doctor'), ...bucket.env('ship') })
    assert.match(doctor.output, /✗ Bucket +It does not answer/)
    const backup = await runTool('backup', [join(directory, 'none.tar')], {
      DATABASE_URL: nodes.database.url,
      DATA_DIR: join(directory, 'tool'),
      ...bucket.env('ship'),
    })
    assert.equal(backup.code, 1)
    assert.match(backup.output, /The place of images cannot be used: .*ECONNREFUSED/)
  } finally {
    await comeBack()
  }
  assert.equal((await there().file(`/image/full/${name}`)).status, 200)
  await send(ann.one, await small())
})

test('a bucket that is not there stops a start with a sentence, and doctor says so; wrong settings name theirs', async () => {
  const wrong = { ...bucket.env(), S3_BUCKET: 'no-such-bucket' }
  await assert.rejects(startTestNodes(1, { env: wrong }), /There is no bucket no-such-bucket/)
  const doctor = await runTool('doctor', [], { DATA_DIR: join(directory, 'doctor'), ...wrong })
  assert.match(doctor.output, /✗ Bucket +There is no/)
  const good = await runTool('doctor', [], { DATA_DIR: join(directory, 'doctor'), ...bucket.env() })
  assert.match(good.output, /✓ Bucket +takes files/)
  for (const [env, named] of [
    [{ S3_BUCKET: 'Not A Bucket' }, /S3_BUCKET must be/],
    [{ S3_ENDPOINT: 'http://x.example' }, /S3_BUCKET must name/],
    [{ S3_BUCKET: 'pictures', S3_ACCESS_KEY_ID: 'a' }, /S3_SECRET_ACCESS_KEY/],
    [{ S3_BUCKET: 'pictures', S3_ENDPOINT: 'x' }, /S3_ENDPOINT must be/],
    [{ S3_BUCKET: 'pictures', IMAGES_IN: 'cloud' }, /IMAGES_IN must be/],
    [{ IMAGES_IN: 'bucket' }, /needs S3_BUCKET/],
  ] as const)
    assert.throws(() => readConfig([], env), named)
})

test('images says where they are, that there is no bucket, and that somebody moves them already', async () => {
  const said = await runTool('images', [], { DATA_DIR: join(directory, 'images'), ...bucket.env('ship') })
  assert.equal(said.code, 0, said.output)
  assert.match(said.output, /New files go to the bucket pictures, below ship.*: \d+ are there/)
  const none = await runTool('images', [], { DATA_DIR: join(directory, 'images') })
  assert.equal(none.code, 1)
  assert.match(none.output, /no bucket is set/)
  const mover = await hold(nodes.database.url, `select pg_advisory_lock(${advisoryLock('moving images')})`)
  const env = { DATABASE_URL: nodes.database.url, DATA_DIR: join(directory, 'images'), ...bucket.env('ship') }
  const second = await runTool('images', ['--move'], env)
  await mover.release()
  assert.equal(second.code, 1)
  assert.match(second.output, /Somebody else is moving them already/)
  assert.equal((await runTool('images', ['--move'], env)).code, 0)
})
