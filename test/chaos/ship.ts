// The product as it runs on a ship, in processes that can be hurt: Postgres, Redis, two servers and two
// workers, the second of each over network links of its own.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync, writeSync, openSync, closeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import postgres from 'postgres'
import { primaryUrl } from '../../src/core/base/postgres-url.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import { Client } from '../support/client.ts'
import { clusterProcess, type Process } from '../support/cluster.ts'
import { linkTo, together, type Link } from '../support/link.ts'
import { postgresPair, type PostgresPair } from '../support/postgres-pair.ts'
import { ownPostgres, ownRedis, type OwnService } from '../support/services.ts'

/** Links of one process to its stores. */
export interface Lines {
  database: Link
  redis: Link
}

export interface Ship {
  /** The Postgres that is written to. */
  readonly database: OwnService
  /** Its standby, and how that takes its place; undefined where there is none. */
  readonly standby: Pick<PostgresPair, 'other' | 'promote' | 'follow'> | undefined
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
  /** Straight to the Postgres that is written to: read this property for every statement. */
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
 * mounted. `standby`: Postgres has one, which has everything that was committed. `measured`: processes tell what they hold.
 */
export async function launch(
  suite: Suite,
  { smallDisk, standby = false, measured = false }: { smallDisk: boolean; standby?: boolean; measured?: boolean },
): Promise<Ship> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-chaos-'))
  suite.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const images = imageStore(suite, join(dataDir, 'images'), smallDisk)
  const databaseDir = join(dataDir, 'database')
  const databaseDisk = smallDisk ? mounted(suite, databaseDir, databaseDiskBytes) : undefined
  mkdirSync(databaseDir, { recursive: true })
  const redis = await ownRedis(suite)
  const pairOf = standby ? await postgresPair(suite, { synchronous: true, seeded: false, folder: join(databaseDir, 'pair') }) : undefined
  const alone = pairOf ? undefined : await ownPostgres(suite, { durable: true, directory: join(databaseDir, 'postgres') })
  const databaseUrl = primaryUrl((pairOf ?? (alone as OwnService)).url)
  const linesOf = async (): Promise<Lines> => ({
    database: await lineTo(suite, pairOf, databaseUrl),
    redis: await linkTo(suite, redis.url),
  })
  const [serverLines, workerLines] = await Promise.all([linesOf(), linesOf()])
  // After every other failover it is the primary, and nobody may take it for one that follows.
  const standbyUrl = pairOf?.urls[0]
  const direct = { databaseUrl, standbyUrl, redisUrl: redis.url }
  const over = (lines: Lines) => ({ databaseUrl: lines.database.url, standbyUrl, redisUrl: lines.redis.url })
  const pair = async (role: 'server' | 'worker', lines: Lines) =>
    await Promise.all([
      clusterProcess(suite, role, dataDir, direct, { measured }),
      clusterProcess(suite, role, dataDir, over(lines), { measured }),
    ])
  const [servers, workers] = await Promise.all([pair('server', serverLines), pair('worker', workerLines)])
  const database = (): OwnService => pairOf?.primary ?? (alone as OwnService)
  // A client does not find its way to another primary by itself.
  let straight: { url: string; client: postgres.Sql } | undefined
  const sql = (): postgres.Sql<Record<string, never>> => {
    const { url } = database()
    if (straight?.url !== url) {
      void straight?.client.end({ timeout: 1 })
      straight = { url, client: straightTo(url) }
    }
    return straight.client as unknown as postgres.Sql<Record<string, never>>
  }
  suite.after(() => straight?.client.end({ timeout: 1 }))
  await migrate(databaseUrl, () => undefined)
  // The file system of its own is smaller than what is to stay free: pictures are refused only once it is full.
  await sql()`insert into setting (name, value) values ('settings.minFreeDiskMegabytes', '0')`
  await Promise.all([...servers, ...workers].map((each) => each.start()))
  return {
    get database() {
      return database()
    },
    standby: pairOf,
    redis,
    servers,
    workers,
    serverLines,
    workerLines,
    images,
    databaseDisk,
    get sql() {
      return sql()
    },
    async ready() {
      const answers = await Promise.all(servers.map(({ url }) => new Client(url).get('//health/ready').catch(() => undefined)))
      return answers.every((answer) => answer?.body.status === 'ready')
    },
  }
}

const straightTo = (url: string): postgres.Sql =>
  postgres(url, { max: 4, transform: { column: { from: postgres.toCamel } }, onnotice: () => undefined, backoff: () => 0.05 })

/** To a Postgres, or to both of a pair. */
async function lineTo(suite: Suite, pair: PostgresPair | undefined, url: string): Promise<Link> {
  if (!pair) return await linkTo(suite, url)
  const links = await Promise.all(pair.urls.map((each) => linkTo(suite, each)))
  const hosts = links.map((link) => new URL(link.url).host)
  return together(links, primaryUrl(pair.url.replace(/@[^/]+/, `@${hosts.join()}`)))
}

const imageDiskBytes = 256 * 1024 * 1024
const databaseDiskBytes = 4 * 1024 * 1024 * 1024

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
