// The uploaded file of users, where it lies in no folder of this machine.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { uploadedPath, useUploaded } from '../../src/bulkusers/uploaded.service.ts'
import type { Config } from '../../src/core/base/config.ts'
import { FolderStore } from '../../src/core/files/store.ts'
import { TwoStores } from '../../src/core/files/two-stores.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { until } from '../support/until.ts'

test('it is brought once for many pictures, anew when another one was uploaded, and does not stay', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-uploaded-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const imagesDir = join(directory, 'here')
  let brought = 0
  let isAway = false
  const place = new (class extends FolderStore {
    override async open(path: string) {
      if (isAway) throw new Error('away')
      brought++
      return await super.open(path)
    }
  })(join(directory, 'there'))
  const store = new TwoStores(place, new FolderStore(imagesDir))
  const clock = new FakeClock()
  let names = 0
  const node = {
    clock,
    config: { imagesDir } as Config,
    files: { store, find: () => assert.fail(), forget: () => assert.fail() },
    random: { uuid: () => `name-${names++}`, bytes: () => assert.fail() },
  } as unknown as Parameters<typeof useUploaded>[0]
  const content = async () => await useUploaded(node, async (file) => readFileSync(file, 'utf8'))
  const copies = () => readdirSync(join(imagesDir, 'incoming'))

  assert.equal(await content(), undefined)
  await store.put(uploadedPath, Buffer.from('one'))
  isAway = true
  await assert.rejects(content(), /away/)
  isAway = false
  assert.deepEqual(await Promise.all(Array.from({ length: 20 }, content)), Array(20).fill('one'))
  clock.advance(50_000)
  assert.equal(await content(), 'one')
  clock.advance(50_000)
  assert.equal(await content(), 'one')
  assert.deepEqual([brought, copies().length], [1, 1])

  await store.put(uploadedPath, Buffer.from('another'))
  assert.equal(await content(), 'another')
  assert.equal(brought, 2)
  clock.advance(61_000)
  await until(() => copies().length === 0, 'no copy stays')
  assert.equal(await content(), 'another')
  await store.remove(uploadedPath)
  assert.equal(await content(), undefined)
})
