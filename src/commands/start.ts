// The parent process of `npm start`: Postgres, Redis, migrations and seeds, then servers and
// one worker. It keeps them up and stops them in order; nothing of the product itself is in here.
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError, homeFolder, projectRoot, type Config } from '../core/base/config.ts'
import { accountSecrets, readConfig } from '../accounts/config.ts'
import { readCertificate } from '../core/http/certificate.ts'
import { memoryFlags } from '../core/base/memory.ts'
import type { Figures } from '../core/work/process.ts'
import { requirePostgres, startPostgres, type EmbeddedPostgres } from '../embedded/postgres.ts'
import { startRedis, type EmbeddedRedis } from '../embedded/redis.ts'
import { migrate } from '../core/db/migrate.ts'
import { seed } from '../../seeds/run.ts'
import { startChild, type Child, type ChildOptions } from '../supervisor/child.ts'
import { lockDataDir, type DataLock } from '../supervisor/data-lock.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { part, startTogether, type Part, type PartOptions } from '../supervisor/part.ts'
import { requireUnused } from '../upgrade/beside.ts'
import { takeBack } from '../upgrade/place.ts'
import { Screen } from '../terminal/screen.ts'
import { showStatus } from '../terminal/status.ts'
import { welcome } from '../terminal/welcome.ts'

type Role = 'server' | 'worker'

const scripts: Record<Role, string> = { server: '../main.js', worker: '../../workers/main.js' }

// npm passes on the Ctrl-C that the terminal has sent us already.
const repeatedSignalMs = 500

/** Parts in the order they start; they stop in the opposite one. */
const parts: Part[] = []
/** Those of `parts` that listen. */
const listening: Part[] = []
let restarting: Promise<void> | undefined
const stopping = new AbortController()
let lock: DataLock | undefined
let stopAskedAt = 0
// Settings that are wrong must be said too.
let screen = new Screen()

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, askToStop)
process.on('SIGUSR2', () => void restartServers())
process.on('exit', () => parts.forEach((each) => each.kill()))
process.exit(await main())

async function main(): Promise<number> {
  const failure = await runUntilStopped()
  stopping.abort()
  screen.clear()
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
    screen = new Screen({ format: config.logFormat })
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
  screen.error(meantForOperator ? failure.message : ((failure as Error).stack ?? String(failure)))
  return failure instanceof ConfigError ? 2 : 1
}

async function startEverything(config: Config, roles: Role[], flags: string[]): Promise<void> {
  // Whatever is missing is said before anything runs.
  if (config.databaseUrl === undefined) requirePostgres()
  if (config.tls) readCertificate(config.tls)
  const shared = config.databaseUrl !== undefined && config.redisUrl !== undefined && roles.length === 1
  // Several servers or workers may share a data directory when none of them owns a service.
  if (!shared) lock = await lockDataDir(config.dataDir, say)
  if (lock) takeBack(homeFolder, basename(projectRoot), config)
  const { databaseUrl, redisUrl } = await startServices(config)
  stopping.signal.throwIfAborted()
  await screen.step(
    'Database',
    () => bringUpToDate(databaseUrl),
    (what) => what,
  )
  stopping.signal.throwIfAborted()
  const { notices } = await screen.step(
    'Content',
    () => loadContent(config, databaseUrl),
    ({ loaded }) => loaded,
  )
  for (const notice of notices) screen.warning(notice)
  stopping.signal.throwIfAborted()
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: config.dataDir,
    SERVICE_START_DATE: config.startDate,
    // As many arenas as threads would keep what each has ever needed.
    MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? '2',
    SUPERVISED: 'yes',
  }
  const servers = await startRoles(config, roles, flags, env)
  stopping.signal.throwIfAborted()
  if (servers[0]?.port !== undefined) lock?.listens({ hostname: config.hostname, port: servers[0].port })
  welcome(screen, config, servers[0]?.port, accountSecrets(config).adminPassword)
  showStatus(screen, () => figuresOfAll(servers), stopping.signal)
}

/** Starts the services that the configuration does not name. */
async function startServices(config: Config): Promise<{ databaseUrl: string; redisUrl: string }> {
  let postgres: EmbeddedPostgres | undefined
  let redis: EmbeddedRedis | undefined
  const missing: Part[] = []
  if (config.databaseUrl === undefined) {
    const directory = join(config.dataDir, 'postgres')
    missing.push(
      add({
        name: 'Postgres',
        describe: () => shortPath(directory),
        launch: async () => (postgres = await startPostgres({ directory, port: postgres?.port, database: 'quarterdeck' })),
      }),
    )
  }
  if (config.redisUrl === undefined) {
    const directory = join(config.dataDir, 'redis')
    missing.push(
      add({
        name: 'Redis',
        describe: () => (redis?.engine === 'native' ? shortPath(directory) : 'inside Node; what it holds ends with it'),
        launch: async () => (redis = await startRedis({ directory, port: redis?.port, password: redis?.password })),
      }),
    )
  }
  await startTogether(missing)
  return { databaseUrl: config.databaseUrl ?? postgres!.url, redisUrl: config.redisUrl ?? redis!.url }
}

async function bringUpToDate(databaseUrl: string): Promise<string> {
  const applied: string[] = []
  await requireUnused(databaseUrl)
  await migrate(databaseUrl, (name) => applied.push(name))
  if (applied.length === 0) return 'up to date'
  return applied.length === 1 ? `1 migration: ${applied[0]}` : `${applied.length} migrations`
}

async function loadContent(config: Config, databaseUrl: string): Promise<{ loaded: string; notices: string[] }> {
  const [loaded, notices]: [string[], string[]] = [[], []]
  await seed(config, databaseUrl, { loaded: (what) => loaded.push(what), notice: (sentence) => notices.push(sentence) })
  return { loaded: loaded.join(', ') || 'nothing new', notices }
}

/** Starts our own processes; returns the servers that run at the moment. */
async function startRoles(config: Config, roles: Role[], args: string[], env: NodeJS.ProcessEnv): Promise<Child[]> {
  const { serverHeapMb, workerHeapMb } = config.memory
  const servers: Child[] = []
  let worker: Child | undefined
  const launch = (role: Role, name: string, more: Partial<ChildOptions>) => (signal: AbortSignal) => {
    const script = fileURLToPath(new URL(scripts[role], import.meta.url))
    const nodeFlags = memoryFlags(role === 'server' ? serverHeapMb : workerHeapMb)
    return startChild({ name, script, args, env, nodeFlags, screen, ...more }, signal)
  }
  const server = (index: number) => {
    const single = config.servers === 1
    const name = single ? 'The server' : `Server ${index + 1}`
    const others = () => known([...servers.filter((_, each) => each !== index), worker])
    const answers = { 'metrics of siblings': () => Promise.all(others().map((each) => each.ask<string>('metrics'))).then(known) }
    return add({
      name,
      describe: () => `listens on port ${servers[index]?.port}`,
      launch: async (signal) => {
        // The first one looks whether the port is free, and chooses one for 0.
        const port = servers.find((each) => each !== undefined)?.port
        const number = { SERVERS: String(config.servers), SERVER_NUMBER: String(index + 1) }
        const shared = port === undefined ? number : { ...number, PORT_IS_OURS: 'yes' }
        const flags = port === undefined || config.port !== 0 ? args : [...args, '--port', String(port)]
        const child = await launch('server', name, single ? { answers } : { env: { ...env, ...shared }, args: flags, answers })(signal)
        servers[index] = child
        return child
      },
    })
  }
  const addWorker = () =>
    add({
      name: 'The worker',
      describe: () => 'takes jobs',
      launch: async (signal) => (worker = await launch('worker', 'The worker', {})(signal)),
    })
  // Added in this order so that the servers stop first.
  const workers = roles.includes('worker') ? [addWorker()] : []
  const wanted = roles.includes('server') ? Array.from({ length: config.servers }, (_, index) => server(index)) : []
  await startTogether([...workers, ...wanted.slice(0, 1)])
  await startTogether(wanted.slice(1))
  listening.push(...wanted)
  return servers
}

function known<T>(values: readonly (T | undefined)[]): T[] {
  return values.filter((value) => value !== undefined)
}

/** Of the servers together. */
async function figuresOfAll(servers: readonly Child[]): Promise<Figures | undefined> {
  const all = known(await Promise.all(servers.map((each) => each.ask<Figures>('figures'))))
  const sum = (of: (figures: Figures) => number) => all.reduce((total, each) => total + of(each), 0)
  if (all.length === 0) return undefined
  return {
    online: sum(({ online }) => online),
    requests: sum(({ requests }) => requests),
    errors: sum(({ errors }) => errors),
    // They all wait in one place.
    queue: Math.max(...all.map(({ queue }) => queue)),
  }
}

/** Adds a part; its first start is a step on the screen. */
function add({ name, launch, describe }: Pick<PartOptions, 'name' | 'launch'> & { describe(): string }): Part {
  const added = part({ name, launch, log: say, stopping: stopping.signal, onUp: (running) => lock?.record(name, running) })
  parts.push(added)
  const title = name.replace(/^The (.)/, (_, first: string) => first.toUpperCase())
  return { ...added, start: () => screen.step(title, () => added.start(), describe) }
}

/** Relative to where everything is, if that is shorter. */
function shortPath(path: string): string {
  const short = relative(homeFolder, path)
  return short.startsWith('..') ? path : short
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

/** One after the other, so that the port stays open where there are several. */
function restartServers(): Promise<void> {
  return (restarting ??= (async () => {
    say('Starting the servers again, one after the other ...')
    for (const each of listening) if (!stopping.signal.aborted) await each.restart()
  })().finally(() => (restarting = undefined)))
}

function askToStop(): void {
  if (!stopping.signal.aborted) {
    screen.clear()
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
  screen.line(line)
}
