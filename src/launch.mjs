// What `npm start`, `npm test` and the other scripts run: makes a bare clone ready
// (packages, build) and hands over to the compiled program. Plain JavaScript, no packages.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, isBuilt } from './launch/build.mjs'
import { completionFor, manualPage } from './launch/completion.mjs'
import { dev } from './launch/dev.mjs'
import { helpFor, remoteNames, wantsHelp } from './launch/help.mjs'
import { withLock } from './launch/lock.mjs'
import { pack } from './launch/pack.mjs'
import { arePackagesInstalled, installPackages, linkPostgresLibraries } from './launch/packages.mjs'
import { style } from './launch/style.mjs'
import { canRunHere, continueOn, installRuntime, runtimeVariable } from './launch/runtime.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

// A program is a file of the build; one without a file is done when everything is compiled.
const programs = {
  start: 'dist/src/commands/start.js',
  test: 'dist/test/run.js',
  bench: 'dist/test/bench/run.js',
  fuzz: 'dist/test/fuzz/run.js',
  chaos: 'dist/test/chaos/run.js',
  soak: 'dist/test/chaos/soak.js',
  simulation: 'dist/test/simulation/run.js',
  demo: 'dist/seeds/scene.js',
  backup: 'dist/src/commands/backup.js',
  restore: 'dist/src/commands/restore.js',
  wipe: 'dist/src/commands/wipe.js',
  certificate: 'dist/src/commands/certificate.js',
  setup: 'dist/src/commands/setup.js',
  password: 'dist/src/commands/password.js',
  doctor: 'dist/src/commands/doctor.js',
  images: 'dist/src/commands/images.js',
  health: 'dist/src/commands/health.js',
  refresh: 'dist/src/commands/refresh.js',
  upgrade: 'dist/src/commands/upgrade.js',
  rollback: 'dist/src/commands/rollback.js',
  service: 'dist/src/commands/service.js',
  remote: 'dist/src/commands/remote.js',
  load: 'dist/src/commands/load.js',
  build: undefined,
  pack: undefined,
  dev: undefined,
  format: undefined,
  lint: undefined,
}

// The library for buckets would ask people on Node 20 for a newer one, which is ours to see to: its version here is one for Node 20.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] = 'true'

// The reader of a pipe may go before us; there is nobody to tell then.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
  })
}

try {
  const [first = 'start', ...more] = process.argv.slice(2)
  // The name of a command of `remote` will do.
  const [name, args] = remoteNames.includes(first) ? ['remote', [first, ...more]] : [first, more]
  if (wantsHelp([first, ...more])) {
    process.stdout.write(helpFor(first))
    process.exit(0)
  }
  if (name === 'completion' || name === 'man') {
    process.stdout.write(name === 'man' ? manualPage() : completionFor(args[0]))
    process.exit(0)
  }
  if (!Object.hasOwn(programs, name)) throw new Error(`launch.mjs knows ${Object.keys(programs).join(', ')}, not "${name}".`)
  endWithParent()
  // A Docker image ships the build without its sources: nothing to install, nothing to compile.
  const fromSource = existsSync(join(root, 'tsconfig.json'))
  if (fromSource) await preparePackages()
  const program = programs[name]
  const runtime = (program ?? ['dev', 'pack'].includes(name)) && (await otherRuntime())
  if (runtime) {
    await continueOn(runtime, fileURLToPath(import.meta.url), process.argv.slice(2))
  } else {
    if (name === 'format') process.exit(style(root, 'oxfmt', args.length > 0 ? args : ['.']))
    if (name === 'lint') process.exit(style(root, 'oxlint', ['--quiet', ...args]))
    if (fromSource && !isBuilt(root)) await locked(async () => isBuilt(root) || (await timed('Build', () => build(root, say))))
    if (name === 'pack') await pack(root, args, say)
    if (name === 'dev') await dev(root, args, say)
    if (program) await run(join(root, program), args)
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

async function preparePackages() {
  if (!arePackagesInstalled(root))
    await locked(async () => arePackagesInstalled(root) || (await timed('Packages', () => installPackages(root, say))))
  linkPostgresLibraries(root)
}

/** One start at a time installs and compiles; it looks again first, for another may have done it meanwhile. */
function locked(work) {
  return withLock(join(root, 'dist'), say, work)
}

/** The Node to go on with; undefined when this one will do. */
async function otherRuntime() {
  if (process.env[runtimeVariable] || canRunHere(root)) return undefined
  return await locked(() => installRuntime(root, say))
}

async function run(program, args) {
  process.argv = [process.execPath, program, ...args]
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(program).href)
}

/** A killed npm, or a killed launcher on another Node, cannot pass the signal on, and nobody would know us any more. */
function endWithParent() {
  if (!process.env['npm_lifecycle_event'] && !process.env[runtimeVariable]) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}

/** Does it and says how long it took. */
async function timed(name, work) {
  const started = performance.now()
  await work()
  say(`✓ ${name.padEnd(12)} ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

function say(line) {
  process.stdout.write(`${line}\n`)
}
