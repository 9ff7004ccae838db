// `npm test`: format and lint, then every test file against a Postgres and a Redis of our own, which are
// thrown away afterwards. Types were checked by the build that came before.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { projectRoot } from '../src/core/base/config.ts'
import type { Running } from '../src/supervisor/running.ts'
import { withStores } from './support/stores.ts'
import { bundles } from './support/together.ts'

/** Also that of a whole file. */
const timeoutMs = 600_000
/** Of several files together, each of which has its own. */
const togetherMs = 3 * timeoutMs
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
/** From 20.14 on Node ends a file with its last test: connections that were kept open would hold it for seconds. */
const endFiles = major > 20 || minor >= 14 ? ['--test-force-exit'] : []
const compiled = join(projectRoot, 'dist', 'test')

const stopping = new AbortController()
const services: Running[] = []
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
process.on('exit', () => services.forEach((service) => service.kill()))

const { files, flags, together } = readArguments(process.argv.slice(2))
if (files.length === 0) {
  if (!isInStyle(['.'])) process.exit(1)
  // Flags may leave out whole files, which a process of several is not made for.
  process.exit(await runTests(allTestFiles(), flags, together || flags.length === 0))
}
// Somebody is at work: first whether it is right, then how it looks.
const code = await runTests(files, flags, together)
process.exit(code === 0 && !isInStyle(changedFiles()) ? 1 : code)

/** Returns the exit code. Each file has a process of its own unless they run together. */
async function runTests(testFiles: string[], testFlags: string[], together: boolean): Promise<number> {
  try {
    return await withStores(services, async (env) => {
      stopping.signal.throwIfAborted()
      const programs = together ? bundles(testFiles, env['TMPDIR'] ?? tmpdir(), timeoutMs) : testFiles
      return await runNode(programs, together ? togetherMs : timeoutMs, testFlags, {
        ...env,
        ...(await browserFor(testFiles, env['TMPDIR'])),
      })
    })
  } catch (error) {
    if (stopping.signal.aborted) return 130
    throw error
  }
}

/** Says where the browser is, so that it is looked for and unpacked once. */
async function browserFor(testFiles: string[], temporary: string | undefined): Promise<Record<string, string>> {
  if (!testFiles.some((file) => basename(file).startsWith('web.'))) return {}
  const { findBrowser } = await import('./support/browser.ts')
  return { TEST_BROWSER: JSON.stringify(await findBrowser(temporary)) }
}

/** Runs each of these in a process of its own; returns the exit code. */
async function runNode(testFiles: string[], longestMs: number, testFlags: string[], env: Record<string, string>): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--test',
      '--test-reporter=spec',
      // One more than there are processors: while a file waits for a timer or a store, another one computes.
      `--test-concurrency=${availableParallelism() + 1}`,
      // Short lives, and more processes than processors: the threads of the collector would wait for each other.
      '--single-threaded-gc',
      '--max-semi-space-size=32',
      `--test-timeout=${longestMs}`,
      ...endFiles,
      ...testFlags,
      ...testFiles,
    ],
    { cwd: projectRoot, stdio: 'inherit', env: { ...process.env, ...env } },
  )
  stopping.signal.addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 130
}

/** Checks the format of these and the lint rules, the type-aware ones included. */
function isInStyle(paths: string[]): boolean {
  if (paths.length === 0) return true
  const run = (tool: string, ...toolFlags: string[]) =>
    spawnSync(process.execPath, [join(projectRoot, 'node_modules', tool, 'bin', tool), ...toolFlags, ...paths], {
      cwd: projectRoot,
      stdio: 'inherit',
    }).status === 0
  return run('oxfmt', '--check', '--no-error-on-unmatched-pattern') && run('oxlint', '--quiet', '--no-error-on-unmatched-pattern')
}

/** Sources that are not committed as they are; none where there is no git. */
function changedFiles(): string[] {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain', '-z', '--untracked-files=all'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
  if (status !== 0) return []
  // The earlier name of a moved file is an entry of its own, without a status.
  const paths = stdout.split('\0').map((entry) => entry.replace(/^.. /, ''))
  return paths.filter((path) => /\.(tsx?|mjs)$/.test(path) && existsSync(join(projectRoot, path)))
}

/** `fez` names a folder of tests, `test/fez/fez.test.ts` a file; everything else is for node's own test runner. */
function readArguments(given: string[]): { files: string[]; flags: string[]; together: boolean } {
  const all = allTestFiles()
  const files: string[] = []
  const flags: string[] = []
  const args = given.filter((arg) => arg !== '--together')
  for (const [index, arg] of args.entries()) {
    const path = join(compiled, relative('test', arg).replace(/\.ts$/, '.js'))
    const chosen = all.filter((file) => file === path || dirname(file) === path || dirname(file) === join(compiled, arg))
    const isFlag = [arg, args[index - 1]].some((word) => word?.startsWith('-'))
    if (chosen.length === 0 && !isFlag) {
      process.stderr.write(`There is no test ${arg}: name a file (test/fez/fez.test.ts) or a folder of test (fez).\n`)
      process.exit(1)
    }
    if (chosen.length > 0) files.push(...chosen)
    else flags.push(arg)
  }
  return { files, flags, together: args.length < given.length }
}

function allTestFiles(): string[] {
  return readdirSync(compiled, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => join(compiled, name))
}
