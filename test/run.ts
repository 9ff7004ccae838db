// `npm test`: lint, then every test file against a Postgres and a Redis of our own, which are
// thrown away afterwards. Types were checked by the build that came before.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { seed } from '../seeds/run.ts'
import { projectRoot, readConfig } from '../src/core/config.ts'
import { startPostgres } from '../src/embedded/postgres.ts'
import { startRedis } from '../src/embedded/redis.ts'
import { migrate } from '../src/migrate.ts'
import type { Running } from '../src/supervisor/running.ts'

const template = 'quarterdeck_template'
// Also that of a whole file.
const timeoutMs = 300_000

const stopping = new AbortController()
const services: Running[] = []
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
process.on('exit', () => services.forEach((service) => service.kill()))

const { files, flags } = readArguments(process.argv.slice(2))
// A named file is being worked on; its style can wait for the whole run.
if (files.length === 0) lint()
process.exit(await runTests(files.length > 0 ? files : allTestFiles(), flags))

/** Returns the exit code. */
async function runTests(testFiles: string[], testFlags: string[]): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'quarterdeck-test-'))
  // Postgres, under an account of its own when we are root, has to pass through.
  await chmod(directory, 0o711)
  try {
    const env = await startServices(directory)
    stopping.signal.throwIfAborted()
    return await runNode(testFiles, testFlags, env)
  } catch (error) {
    if (stopping.signal.aborted) return 130
    throw error
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Returns the environment that tells tests where the services are. */
async function startServices(directory: string): Promise<Record<string, string>> {
  const keep = async <T extends Running>(starting: Promise<T>) => {
    const running = await starting
    services.push(running)
    return running
  }
  const [postgres, redis] = await Promise.all([
    keep(startPostgres({ directory: join(directory, 'postgres'), database: template, durable: false })),
    keep(startRedis()),
  ])
  const quiet = () => undefined
  await migrate(postgres.url, quiet)
  await seed(readConfig(['--env', 'testing'], { DATA_DIR: join(directory, 'data') }), postgres.url, quiet)
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  return {
    // What a broken off test leaves there goes with the rest.
    TMPDIR: temporary,
    TEST_DATABASE_URL: postgres.url.replace(`/${template}`, '/postgres'),
    TEST_TEMPLATE: template,
    TEST_REDIS_URL: redis.url,
  }
}

/** Runs the test files in processes of their own; returns the exit code. */
async function runNode(testFiles: string[], testFlags: string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [
    '--enable-source-maps', '--test', '--test-reporter=spec',
    `--test-concurrency=${availableParallelism()}`, `--test-timeout=${timeoutMs}`,
    ...testFlags, ...testFiles,
  ], { cwd: projectRoot, stdio: 'inherit', env: { ...process.env, ...env } })
  stopping.signal.addEventListener('abort', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit') as [number | null]
  return code ?? 130
}

function lint(): void {
  const linter = join(projectRoot, 'node_modules', 'oxlint', 'bin', 'oxlint')
  const { status } = spawnSync(process.execPath, [linter, '--quiet'], { cwd: projectRoot, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

/** `test/fez.test.ts` names a file; everything else is for node's own test runner. */
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
