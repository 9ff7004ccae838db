// The database and the Redis that a tool works on: those of the configuration, or the embedded ones, whether
// the product runs at the moment or not.
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError, type Config } from '../core/base/config.ts'
import { AppError } from '../core/base/errors.ts'
import { openStore } from '../core/files/open-store.ts'
import type { FileStore } from '../core/files/store.ts'
import { postgresHostsOf } from '../core/base/postgres-url.ts'
import { reach } from '../core/db/reach.ts'
import { readConfig } from '../accounts/config.ts'
import { hasCluster, runningPostgres, startPostgres } from '../embedded/postgres.ts'
import { lockDataDir } from '../supervisor/data-lock.ts'
import { OperatorError } from '../supervisor/operator-error.ts'
import { countUsers, openClient, type Client } from './queries.ts'

const database = 'quarterdeck'
const directoryOf = ({ dataDir }: Config) => join(dataDir, 'postgres')

export interface Stores {
  config: Config
  databaseUrl: string
  sql: Client
  /** Of images. */
  files: FileStore
}

/** Works on the database of a server that may be running. */
export async function withDatabase<T>(config: Config, say: (line: string) => void, work: (stores: Stores) => Promise<T>): Promise<T> {
  const running = config.databaseUrl ?? runningPostgres(directoryOf(config), database)
  if (running !== undefined) return await connected(config, running, work)
  if (!hasCluster(directoryOf(config)))
    throw new OperatorError(`There is no database in ${config.dataDir}. DATA_DIR or DATABASE_URL can name another.`)
  return await withOwnPostgres(config, say, work)
}

/** Works on the database of a server that does not run. @throws OperatorError when it does. */
export async function withIdleDatabase<T>(config: Config, say: (line: string) => void, work: (stores: Stores) => Promise<T>): Promise<T> {
  if (config.databaseUrl === undefined) return await withOwnPostgres(config, say, work)
  return await connected(config, config.databaseUrl, async (stores) => {
    if ((await countUsers(stores.sql)) > 0) throw new OperatorError('Servers or workers are using this database. Stop them first.')
    return await work(stores)
  })
}

async function withOwnPostgres<T>(config: Config, say: (line: string) => void, work: (stores: Stores) => Promise<T>): Promise<T> {
  const lock = await lockDataDir(config.dataDir, say)
  try {
    const running = await startPostgres({ directory: directoryOf(config), database })
    lock.record('Postgres', running)
    try {
      return await connected(config, running.url, work)
    } finally {
      await running.stop()
    }
  } finally {
    lock.release()
  }
}

/** Works on the database at this address. */
export async function connected<T>(config: Config, databaseUrl: string, work: (stores: Stores) => Promise<T>): Promise<T> {
  const sql = openClient(databaseUrl)
  try {
    await reach(sql, databaseUrl).catch((cause: unknown) => {
      throw new OperatorError(`The database at ${postgresHostsOf(databaseUrl)} cannot be used: ${(cause as Error).message}.`, { cause })
    })
    const files = await openStore(config)
    try {
      return await work({ config, databaseUrl, sql, files })
    } finally {
      files.close()
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Files of an embedded Redis on the disk. */
export async function removeEmbeddedRedis({ dataDir }: Config): Promise<void> {
  await rm(join(dataDir, 'redis'), { recursive: true, force: true })
}

/** The sentence of a 503 is for phones; operators need the reason behind it. */
const awayText = ({ cause }: AppError): string =>
  `The place of images cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`

/** Runs a command-line tool and exits: 0, or 1 with a sentence for the operator, or 2 for wrong arguments. */
export async function runTool(tool: (args: string[], config: Config, say: (line: string) => void) => Promise<void>): Promise<never> {
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  try {
    const args = process.argv.slice(2)
    const flags = args.findIndex((arg) => arg === '--env' || arg === '-e')
    const config = readConfig(flags < 0 ? [] : args.splice(flags, 2))
    await tool(args, config, say)
    process.exit(0)
  } catch (error) {
    const meantForOperator = error instanceof OperatorError || error instanceof ConfigError
    const text = error instanceof AppError ? awayText(error) : meantForOperator ? error.message : (error as Error).stack
    process.stderr.write(`${text}\n`)
    process.exit(error instanceof ConfigError ? 2 : 1)
  }
}
