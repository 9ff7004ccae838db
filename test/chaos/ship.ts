// The product as it runs on a ship, in processes that can be hurt: Postgres, Redis, two servers and two
// workers, the second of each over network links of its own.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync, writeSync, openSync, closeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import postgres from 'postgres'
import { migrate } from '../../src/core/db/migrate.ts'
import { Client } from '../support/client.ts'
import { clusterProcess, type Process } from '../support/cluster.ts'
import { linkTo, type Link } from '../support/link.ts'
import { ownPostgres, ownRedis, type OwnService } from '../support/services.ts'

/** Links of one process to its stores. */
export interface Lines {
  database: Link
  redis: Link
}

export interface Ship {
  readonly database: OwnService
  readonly redis: OwnService
  readonly servers: readonly [Process, Process]
  readonly workers: readonly [Process, Process]
  /** Of the second server. */
  readonly serverLines: Lines
  /** Of the second worker. */
  readonly workerLines: Lines
  readonly images: SmallDisk
  /** Where Postgres keeps everything, if it could be given a disk of its own. */
  readonly databaseDisk: SmallDisk | undefined
  /** Straight to Postgres. */
  readonly sql: postgres.Sql<Record<string, never>>
  /** True when every server says that it is ready. */
  ready(): Promise<boolean>
}

/** A place for files, and how to leave no room there. */
export interface SmallDisk {
  readonly root: string
  /** What `fill` does here. */
  readonly manner: string
  fill(): void
  clear(): void
}

type Suite = Pick<TestContext, 'after'>

/**
 * Starts everything; ends with the suite. `smallDisk`: pictures lie on a file system of their own, if one can be
 * mounted. `measured`: processes tell what they hold.
 */
export async function launch(suite: Suite, { smallDisk, measured = false }: { smallDisk: boolean; measured?: boolean }): Promise<Ship> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-chaos-'))
  suite.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const images = imageStore(suite, join(dataDir, 'images'), smallDisk)
  const databaseDir = join(dataDir, 'database')
  const databaseDisk = smallDisk ? mounted(suite, databaseDir, databaseDiskBytes) : undefined
  const place = databaseDisk ? { directory: join(databaseDir, 'postgres') } : {}
  const [database, redis] = await Promise.all([ownPostgres(suite, { durable: true, ...place }), ownRedis(suite)])
  const linesOf = async (): Promise<Lines> => ({ database: await linkTo(suite, database.url), redis: await linkTo(suite, redis.url) })
  const [serverLines, workerLines] = await Promise.all([linesOf(), linesOf()])
  const direct = { databaseUrl: database.url, redisUrl: redis.url }
  const over = (lines: Lines) => ({ databaseUrl: lines.database.url, redisUrl: lines.redis.url })
  const pair = async (role: 'server' | 'worker', lines: Lines) =>
    await Promise.all([
      clusterProcess(suite, role, dataDir, direct, { measured }),
      clusterProcess(suite, role, dataDir, over(lines), { measured }),
    ])
  const [servers, workers] = await Promise.all([pair('server', serverLines), pair('worker', workerLines)])
  const client = postgres(database.url, {
    max: 4,
    transform: { column: { from: postgres.toCamel } },
    onnotice: () => undefined,
    backoff: () => 0.05,
  })
  suite.after(() => client.end({ timeout: 1 }))
  await migrate(database.url, () => undefined)
  // The file system of its own is smaller than what is to stay free: pictures are refused only once it is full.
  await client`insert into setting (name, value) values ('settings.minFreeDiskMegabytes', '0')`
  await Promise.all([...servers, ...workers].map((each) => each.start()))
  return {
    database,
    redis,
    servers,
    workers,
    serverLines,
    workerLines,
    images,
    databaseDisk,
    sql: client as unknown as postgres.Sql<Record<string, never>>,
    async ready() {
      const answers = await Promise.all(servers.map(({ url }) => new Client(url).get('//health/ready').catch(() => undefined)))
      return answers.every((answer) => answer?.body.status === 'ready')
    },
  }
}

const imageDiskBytes = 256 * 1024 * 1024
const databaseDiskBytes = 2 * 1024 * 1024 * 1024

/** A file system of its own at `root`, in memory; undefined where none can be mounted. */
function mounted(suite: Suite, root: string, bytes: number): SmallDisk | undefined {
  mkdirSync(root, { recursive: true })
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', root]).status !== 0) return undefined
  suite.after(() => void spawnSync('umount', ['-l', root]))
  const ballast = join(root, 'ballast')
  return {
    root,
    manner: 'a file system of memory that is full',
    fill: () => fillUp(ballast),
    clear: () => rmSync(ballast, { force: true }),
  }
}

function imageStore(suite: Suite, root: string, smallDisk: boolean): SmallDisk {
  mkdirSync(root, { recursive: true })
  const disk = smallDisk ? mounted(suite, root, imageDiskBytes) : undefined
  if (disk) return disk
  // Root may write everywhere, but not below a file.
  const aside = `${root}.aside`
  return {
    root,
    manner: 'a file in the place of the directory',
    fill() {
      renameSync(root, aside)
      writeFileSync(root, '')
    },
    clear() {
      rmSync(root, { force: true })
      renameSync(aside, root)
    },
  }
}

function fillUp(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (let bytes = 1024 * 1024; bytes > 0;) {
      try {
        if (writeSync(file, Buffer.alloc(bytes)) < bytes) bytes = Math.floor(bytes / 2)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        bytes = Math.floor(bytes / 2)
      }
    }
  } finally {
    closeSync(file)
  }
}
