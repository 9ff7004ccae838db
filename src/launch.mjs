// What `npm start`, `npm test` and the other scripts run: makes a bare clone ready
// (packages, build) and hands over to the compiled program. Plain JavaScript, no packages.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, isBuilt } from './launch/build.mjs'
import { withLock } from './launch/lock.mjs'
import { arePackagesInstalled, installPackages, linkPostgresLibraries } from './launch/packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const programs = {
  start: 'dist/src/start.js',
  test: 'dist/test/run.js',
  bench: 'dist/test/bench/run.js',
  fuzz: 'dist/test/fuzz/run.js',
  chaos: 'dist/test/chaos/run.js',
  soak: 'dist/test/chaos/soak.js',
  demo: 'dist/seeds/scene.js',
  backup: 'dist/src/backup.js',
  restore: 'dist/src/restore.js',
  wipe: 'dist/src/wipe.js',
  build: undefined,
}

try {
  requireNode(20, 11)
  const [name = 'start', ...args] = process.argv.slice(2)
  if (!Object.hasOwn(programs, name)) throw new Error(`launch.mjs knows ${Object.keys(programs).join(', ')}, not "${name}".`)
  await prepare()
  const program = programs[name]
  if (program) await run(join(root, program), args)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exit(1)
}

async function prepare() {
  // A Docker image ships the build without its sources: nothing to install, nothing to compile.
  if (!existsSync(join(root, 'tsconfig.json'))) return
  if (!arePackagesInstalled(root) || !isBuilt(root)) {
    await withLock(join(root, 'dist'), say, async () => {
      if (!arePackagesInstalled(root)) installPackages(root, say)
      if (!isBuilt(root)) await build(root, say)
    })
  }
  linkPostgresLibraries(root)
}

async function run(program, args) {
  process.argv = [process.execPath, program, ...args]
  process.setSourceMapsEnabled(true)
  endWithNpm()
  await import(pathToFileURL(program).href)
}

/** A killed npm cannot pass the signal on, and nobody would know us any more. */
function endWithNpm() {
  if (!process.env['npm_lifecycle_event']) return
  const npm = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === npm) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number)
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return
  throw new Error(`Quarterdeck needs Node ${major}.${minor} or newer; this is Node ${process.versions.node}.`)
}

function say(line) {
  process.stdout.write(`${line}\n`)
}
