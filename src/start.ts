// The parent process of `npm start`: Postgres, Redis, migrations and seeds, then one server and
// one worker. It keeps them up and stops them in order; nothing of the product itself is in here.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError, readConfig, type Config } from './core/config.ts'
import { startPostgres, type EmbeddedPostgres } from './embedded/postgres.ts'
import { startRedis, type EmbeddedRedis } from './embedded/redis.ts'
import { migrate } from './core/db/migrate.ts'
import { seed } from '../seeds/run.ts'
import { startChild } from './supervisor/child.ts'
import { lockDataDir, type DataLock } from './supervisor/data-lock.ts'
import { OperatorError } from './supervisor/operator-error.ts'
import { part, startTogether, type Part, type PartOptions } from './supervisor/part.ts'

type Role = 'server' | 'worker'

const scripts: Record<Role, string> = { server: './main.js', worker: '../workers/main.js' }

// npm passes on the Ctrl-C that the terminal has sent us already.
const repeatedSignalMs = 500

/** Parts in the order they start; they stop in the opposite one. */
const parts: Part[] = []
const stopping = new AbortController()
let lock: DataLock | undefined
let stopAskedAt = 0

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, askToStop)
process.on('exit', () => parts.forEach((each) => each.kill()))
process.exit(await main())

async function main(): Promise<number> {
  const failure = await runUntilStopped()
  stopping.abort()
  for (const each of parts.toReversed()) await each.stop()
  lock?.release()
  // Last of all, below whatever the parts say while they stop.
  return failure === undefined ? 0 : report(failure)
}

/** Returns what went wrong, if anything did. */
async function runUntilStopped(): Promise<unknown> {
  try {
    const { roles, flags } = readArguments(process.argv.slice(2))
    const config = readConfig(flags)
    await startEverything(config, roles, flags)
    await stopAsked()
    return undefined
  } catch (error) {
    // Whatever fails after Ctrl-C fails because of it.
    return stopping.signal.aborted ? undefined : error
  }
}

/** Returns the exit code. */
function report(failure: unknown): number {
  const meantForOperator = failure instanceof OperatorError || failure instanceof ConfigError
  process.stderr.write(`${meantForOperator ? failure.message : (failure as Error).stack}\n`)
  return failure instanceof ConfigError ? 2 : 1
}

async function startEverything(config: Config, roles: Role[], flags: string[]): Promise<void> {
  const shared = config.databaseUrl !== undefined && config.redisUrl !== undefined && roles.length === 1
  // Several servers or workers may share a data directory when none of them owns a service.
  if (!shared) lock = await lockDataDir(config.dataDir, say)
  const { databaseUrl, redisUrl } = await startServices(config)
  stopping.signal.throwIfAborted()
  say('Bringing the database up to date ...')
  await migrate(databaseUrl, say)
  stopping.signal.throwIfAborted()
  await seed(config, databaseUrl, say)
  stopping.signal.throwIfAborted()
  say(`Starting the ${roles.join(' and the ')} ...`)
  const env = { ...process.env, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: config.dataDir }
  const url = await startRoles(roles, flags, env)
  announce(config, url)
}

/** Starts the services that the configuration does not name. */
async function startServices(config: Config): Promise<{ databaseUrl: string; redisUrl: string }> {
  let postgres: EmbeddedPostgres | undefined
  let redis: EmbeddedRedis | undefined
  const missing: Part[] = []
  if (config.databaseUrl === undefined) {
    const directory = join(config.dataDir, 'postgres')
    say(`Starting Postgres in ${directory} ...`)
    missing.push(
      add({
        name: 'Postgres',
        launch: async () => (postgres = await startPostgres({ directory, port: postgres?.port, database: 'quarterdeck' })),
      }),
    )
  }
  if (config.redisUrl === undefined) {
    const directory = join(config.dataDir, 'redis')
    say('Starting Redis ...')
    missing.push(
      add({
        name: 'Redis',
        launch: async () => (redis = await startRedis({ directory, port: redis?.port, password: redis?.password })),
      }),
    )
  }
  await startTogether(missing)
  return { databaseUrl: config.databaseUrl ?? postgres!.url, redisUrl: config.redisUrl ?? redis!.url }
}

/** Starts our own processes; returns where the server can be reached. */
async function startRoles(roles: Role[], args: string[], env: NodeJS.ProcessEnv): Promise<string | undefined> {
  let url: string | undefined
  // Added in this order so that the server stops first.
  const ours = roles.toReversed().map((role) =>
    add({
      name: `The ${role}`,
      launch: async (signal) => {
        const script = fileURLToPath(new URL(scripts[role], import.meta.url))
        const child = await startChild({ name: `The ${role}`, script, args, env }, signal)
        url = child.url ?? url
        return child
      },
    }),
  )
  await startTogether(ours)
  return url
}

function add({ name, launch }: Pick<PartOptions, 'name' | 'launch'>): Part {
  const added = part({ name, launch, log: say, stopping: stopping.signal, onUp: (running) => lock?.record(name, running) })
  parts.push(added)
  return added
}

function announce(config: Config, url: string | undefined): void {
  if (url === undefined) return say('The worker is running. Ctrl-C stops it.')
  say(`Quarterdeck is running at ${url}`)
  say(`  The interface is described at ${url}/docs`)
  if (config.demoContent) say('  Log in as james, heidi, sam or verified, each with the password "password"')
  say('  Ctrl-C stops it')
}

/** A role comes first, before all flags: `npm start -- worker --env production`. */
function readArguments(args: string[]): { roles: Role[]; flags: string[] } {
  const [first, ...rest] = args
  if (first === undefined || first.startsWith('-')) return { roles: ['server', 'worker'], flags: args }
  if (first !== 'server' && first !== 'worker') {
    throw new ConfigError(`The first argument must be server or worker, or be left out for both, not "${first}".`)
  }
  return { roles: [first], flags: rest }
}

function askToStop(): void {
  if (!stopping.signal.aborted) {
    say('Stopping ...')
    stopping.abort()
    stopAskedAt = performance.now()
    return
  }
  // Somebody is in a hurry: the exit handler kills what is left.
  if (performance.now() - stopAskedAt > repeatedSignalMs) process.exit(130)
}

function stopAsked(): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.signal.aborted) return resolve()
    stopping.signal.addEventListener('abort', () => resolve())
  })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
