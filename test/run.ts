// `npm test`: format and lint, then every test file against a Postgres and a Redis of our own, which are
// thrown away afterwards. Types were checked by the build that came before.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { projectRoot } from '../src/core/base/config.ts'
import type { Running } from '../src/supervisor/running.ts'
import { withStores } from './support/stores.ts'

// Also that of a whole file.
const timeoutMs = 300_000

const stopping = new AbortController()
const services: Running[] = []
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
process.on('exit', () => services.forEach((service) => service.kill()))

const { files, flags } = readArguments(process.argv.slice(2))
// A named file is being worked on; its style can wait for the whole run.
if (files.length === 0) checkStyle()
process.exit(await runTests(files.length > 0 ? files : allTestFiles(), flags))

/** Returns the exit code. */
async function runTests(testFiles: string[], testFlags: string[]): Promise<number> {
  try {
    return await withStores(services, async (env) => {
      stopping.signal.throwIfAborted()
      return await runNode(testFiles, testFlags, { ...env, ...(await browserFor(testFiles, env['TMPDIR'])) })
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

/** Runs the test files in processes of their own; returns the exit code. */
async function runNode(testFiles: string[], testFlags: string[], env: Record<string, string>): Promise<number> {
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
      `--test-timeout=${timeoutMs}`,
      ...testFlags,
      ...testFiles,
    ],
    { cwd: projectRoot, stdio: 'inherit', env: { ...process.env, ...env } },
  )
  stopping.signal.addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 130
}

/** Checks the format and the lint rules, the type-aware ones included. */
function checkStyle(): void {
  for (const [tool, ...flags] of [
    ['oxfmt', '--check', '.'],
    ['oxlint', '--quiet'],
  ] as const) {
    const { status } = spawnSync(process.execPath, [join(projectRoot, 'node_modules', tool, 'bin', tool), ...flags], {
      cwd: projectRoot,
      stdio: 'inherit',
    })
    if (status !== 0) process.exit(1)
  }
}

/** `test/fez/fez.test.ts` names a file; everything else is for node's own test runner. */
function readArguments(args: string[]): { files: string[]; flags: string[] } {
  const isFile = (arg: string) => arg.endsWith('.test.ts')
  const chosen = args.filter(isFile).map((source) => join(projectRoot, 'dist', source.replace(/ts$/, 'js')))
  const missing = chosen.find((file) => !existsSync(file))
  if (missing) {
    process.stderr.write(`There is no compiled test ${missing}.\n`)
    process.exit(1)
  }
  return { files: chosen, flags: args.filter((arg) => !isFile(arg)) }
}

function allTestFiles(): string[] {
  const folder = join(projectRoot, 'dist', 'test')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => join(folder, name))
}
