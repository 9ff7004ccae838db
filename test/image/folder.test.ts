// The disk of the images is not there, and its folder is: nothing is taken that would be lost, and nobody is sent to that server.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import sharp from 'sharp'
import { Ctx } from '../../src/core/work/ctx.ts'
import { sweepImages } from '../../src/image/sweep.service.ts'
import { startTestNodes, type TestNodes } from '../support/app.ts'
import { LeapingClock } from '../support/fake-clock.ts'
import { body, people, type Person } from '../support/fez.ts'
import { writeSong } from '../support/microkaraoke.ts'
import { runTool } from '../support/tools.ts'

const clock = new LeapingClock()
const privateSeeds = mkdtempSync(join(tmpdir(), 'quarterdeck-folder-'))
let nodes: TestNodes
let admin: Person
let ann: Person
let image: string
before(async () => {
  const songs = join(privateSeeds, 'microkaraoke')
  mkdirSync(songs)
  writeSong(songs, 'One', { slots: 8 })
  nodes = await startTestNodes(1, { clock, workers: 1, env: { PRIVATE_SEEDS_DIR: privateSeeds } })
  const flat = sharp({ create: { width: 300, height: 200, channels: 3, background: '#336699' } })
  image = (await flat.jpeg().toBuffer()).toString('base64')
  ;[admin, ann] = (await people(nodes, { level: 'admin' }, {})) as [Person, Person]
})
after(async () => {
  await nodes.stop()
  rmSync(privateSeeds, { recursive: true })
})

const folder = () => nodes.config.imagesDir
const away = () => `${folder()}-away`
const send = () => ann.one.post('/user/image', { image })
const ready = async () => {
  const { status, body: said } = await nodes.client().get('//health/ready')
  return [status, said.images]
}
/** Long enough for a server to look again. */
const later = (ms = 11_000) => clock.leap(ms)
/** They were sent some hours ago. */
const age = () => nodes.sql`update stored_file set created_at = created_at - interval '2 hours'`
const unplug = () => {
  renameSync(folder(), away())
  mkdirSync(folder())
  later()
}
const plugIn = () => {
  rmSync(folder(), { recursive: true })
  renameSync(away(), folder())
  later()
}
beforeEach(async () => {
  for (const name of readdirSync(folder())) rmSync(join(folder(), name), { recursive: true })
  await nodes.sql`delete from stored_file`
  for (let count = 0; count < 3; count++) await body(send())
})

test('while all that people have sent is missing, the server is not ready, takes nothing, forgets nothing, and says so', async (t) => {
  await age()
  assert.deepEqual(await ready(), [200, 'up'])
  const { offerID } = await body(ann.one.post('/microkaraoke/offer'))
  unplug()
  assert.deepEqual(await ready(), [503, 'missing'])
  const videoData = randomBytes(600_000).toString('base64')
  for (const answer of [send(), ann.one.post('/microkaraoke/recording', { offerID, videoData })])
    assert.equal((await body(answer, 503)).code, 'storage_unavailable')
  assert.deepEqual(
    readdirSync(folder()).filter((name) => name !== 'incoming'),
    [],
  )
  const checks = await body(admin.one.get('/admin/checks'))
  assert.equal(checks.find(({ name }: { name: string }) => name === 'images')?.state, 'bad')
  const file = join(away(), '..', 'without-images.tar')
  t.after(() => rmSync(file, { force: true }))
  const { code, output } = await runTool('backup', [file], { DATABASE_URL: nodes.database.url, DATA_DIR: nodes.config.dataDir })
  assert.equal(code, 1)
  assert.match(output, /None of the images that people have sent is in /)
  assert.equal(existsSync(file), false)
  later(25 * 60 * 60_000)
  const { node } = nodes.apps[0]!
  await sweepImages(new Ctx(node, undefined, { requestId: 'sweep', log: node.log }))
  assert.equal((await nodes.sql`select from stored_file`).length, 3)
  // Everything else goes on.
  await body(ann.one.post('/microblog/create', { text: 'no pictures today', images: [] }), 201)
  plugIn()
  assert.deepEqual(await ready(), [200, 'up'])
  await body(send())
})

test('an operator says that they are lost, and the server goes on', async () => {
  await age()
  unplug()
  assert.deepEqual(await ready(), [503, 'missing'])
  writeFileSync(join(folder(), 'lost'), '')
  later()
  assert.deepEqual(await ready(), [200, 'up'])
  await body(send())
  rmSync(away(), { recursive: true })
})

test('young ones may be under way, archived ones are there, and two that are gone are no missing disk', async () => {
  unplug()
  assert.deepEqual(await ready(), [200, 'up'])
  plugIn()
  await age()
  renameSync(join(folder(), 'full'), join(folder(), 'archive-all'))
  rmSync(join(folder(), 'archive'), { recursive: true, force: true })
  renameSync(join(folder(), 'archive-all'), join(folder(), 'archive'))
  later()
  assert.deepEqual(await ready(), [200, 'up'])
  await nodes.sql`delete from stored_file where name = (select min(name) from stored_file)`
  rmSync(join(folder(), 'archive'), { recursive: true })
  later()
  assert.deepEqual(await ready(), [200, 'up'])
})
