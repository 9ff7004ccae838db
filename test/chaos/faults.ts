// What can go wrong, one after another. Each lasts for a while and is over when its promise resolves;
// how long everything takes to work again after that is measured.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { testTokenSecret } from '../support/app.ts'
import { childrenOf } from '../support/children.ts'
import type { Process } from '../support/cluster.ts'
import type { OwnService } from '../support/services.ts'
import { runTool } from '../support/tools.ts'
import { until } from '../support/until.ts'
import type { Dice } from './dice.ts'
import type { Lines, Ship } from './ship.ts'

type Lasts = (wantedMs: number) => Promise<void>

export interface Fault {
  readonly name: string
  /** What has to be there before, and is made while everybody is at work. */
  prepare?(ship: Ship): Promise<void>
  /** Lets it happen, and ends it. `lasts`: for how long, where that can be chosen. */
  run(ship: Ship, dice: Dice, lasts: Lasts): Promise<void>
  /** What is left to do when everything works again. */
  after?(ship: Ship, lasts: Lasts): Promise<void>
  /** Errors that a server or worker is right to log. */
  readonly errors?: RegExp
  /** Requests that are refused for good, and rightly. */
  readonly refusals?: RegExp
}

const second = 1000

async function killed(process: Process): Promise<void> {
  process.signal('SIGKILL')
  await process.ended()
}

async function stopped(process: Process): Promise<void> {
  process.signal('SIGTERM')
  const code = await process.ended()
  if (code !== 0) throw new Error(`a process that was told to stop ended with ${code}`)
}

/** The same done to some links, and mended. */
function onLines(
  name: string,
  lines: (ship: Ship) => Lines,
  which: readonly (keyof Lines)[],
  befall: (link: Lines['redis']) => void,
  lastsMs: number,
): Fault {
  return {
    name,
    async run(ship, _dice, lasts) {
      const links = which.map((each) => lines(ship)[each])
      for (const link of links) befall(link)
      await lasts(lastsMs)
      for (const link of links) link.mend()
    },
  }
}

const ofServer = (ship: Ship) => ship.serverLines
const ofWorker = (ship: Ship) => ship.workerLines

/** The standby of Postgres takes its place. */
const failingOver = (name: string, befall: (primary: OwnService, lasts: Lasts) => Promise<void>, after?: Fault['after']): Fault => ({
  name,
  prepare: async ({ standby }) => await standby?.follow(),
  async run({ database, standby }, _dice, lasts) {
    if (!standby) throw new Error('this Postgres has no standby')
    await befall(database, lasts)
    await standby.promote()
  },
  ...(after && { after }),
})

const threeHoursMs = 3 * 3_600_000

/** One of two starts on a machine whose clock is wrong, and later on one whose clock is right. */
const withWrongClock = (name: string, which: (ship: Ship) => readonly [Process, Process]): Fault => ({
  name,
  async run(ship, dice, lasts) {
    const process = dice.among(which(ship))
    await stopped(process)
    await process.start({ clockAheadMs: dice.among([threeHoursMs, -threeHoursMs]) })
    await lasts(10 * second)
    await stopped(process)
    await process.start()
  },
})

const damagedPlaces = 3

/** Makes a backup while everybody is at work. Damaged it is refused and nothing is left, whole it is restored. */
async function backUpAndRestore({ database, images, sql }: Ship, dice: Dice): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-chaos-backup-'))
  const [good, damaged] = [join(folder, 'good.tar'), join(folder, 'damaged.tar')]
  const settings = (databaseUrl: string, dataDir: string) => ({
    VAPOR_ENV: 'testing',
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    TOKEN_SECRET: testTokenSecret,
  })
  try {
    const made = await runTool('backup', [good], settings(database.url, dirname(images.root)))
    if (made.code !== 0) throw new Error(`no backup could be made: ${made.output}`)
    const bytes = readFileSync(good)
    for (let place = 0; place <= damagedPlaces; place++) {
      const isDamaged = place < damagedPlaces
      const name = `restored_${place}`
      const url = Object.assign(new URL(database.url), { pathname: `/${name}` }).href
      const copy = Buffer.from(bytes)
      const at = dice.below(copy.length)
      if (isDamaged) copy[at] = (copy[at] as number) ^ (1 << dice.below(8))
      writeFileSync(damaged, copy)
      await sql.unsafe(`create database ${name}`)
      const { code, output } = await runTool('restore', [damaged], settings(url, join(folder, name)))
      const restored = postgres(url, { max: 1, onnotice: () => undefined })
      const [row] = await restored<
        { count: number }[]
      >`select count(*)::int as count from information_schema.tables where table_schema = 'public'`
      await restored.end()
      await sql.unsafe(`drop database ${name}`)
      // Some bits mean nothing: of a file's owner, or beyond its end.
      const refused = code === 1 && row?.count === 0 && !/\n\s+at /.test(output)
      if (code !== 0 && !(isDamaged && refused))
        throw new Error(
          `a backup with ${isDamaged ? `bit ${at} damaged` : 'no damage'} ended with ${code}, ${row?.count} tables: ${output}`,
        )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Every kind of fault. */
export const faults = {
  serverKilled: {
    name: 'a server is killed',
    async run(ship, dice, lasts) {
      const server = dice.among(ship.servers)
      await killed(server)
      await lasts(5 * second)
      await server.start()
    },
  },
  workerKilled: {
    name: 'a worker is killed',
    async run(ship, dice, lasts) {
      const worker = dice.among(ship.workers)
      await killed(worker)
      await lasts(5 * second)
      await worker.start()
    },
  },
  workersKilled: {
    name: 'both workers are killed',
    async run(ship, _dice, lasts) {
      await Promise.all(ship.workers.map(killed))
      await lasts(5 * second)
      await Promise.all(ship.workers.map((worker) => worker.start()))
    },
  },
  imageProcessesKilled: {
    name: 'processes for images are killed, again and again',
    errors: /the process for images did not start/,
    // Two processes in a row have died of it, as far as anybody can tell.
    refusals: /was refused with 400: .*This picture cannot be processed/,
    async run(ship, _dice, lasts) {
      for (let round = 0; round < 5; round++) {
        for (const { pid } of ship.workers) for (const child of childrenOf(pid, 'image-process')) killQuietly(child)
        await lasts(second)
      }
    },
  },
  serversRestarted: {
    name: 'the servers are restarted in turn',
    async run(ship) {
      for (const server of ship.servers) {
        await stopped(server)
        await server.start()
        await until(() => ship.ready(), 'the restarted server is ready', 60_000)
      }
    },
  },
  workersRestarted: {
    name: 'the workers are restarted in turn',
    async run(ship) {
      for (const worker of ship.workers) {
        await stopped(worker)
        await worker.start()
      }
    },
  },
  serverStands: {
    name: 'a server stands still',
    async run(ship, dice, lasts) {
      const server = dice.among(ship.servers)
      server.signal('SIGSTOP')
      await lasts(10 * second)
      server.signal('SIGCONT')
    },
  },
  workerStands: {
    name: 'a worker stands still in the middle of its jobs',
    async run(ship, dice, lasts) {
      const worker = dice.among(ship.workers)
      worker.signal('SIGSTOP')
      await lasts(15 * second)
      worker.signal('SIGCONT')
    },
  },
  postgresRestarted: {
    name: 'Postgres is restarted',
    async run({ database }, _dice, lasts) {
      await database.stop()
      await lasts(3 * second)
      await database.restart()
    },
  },
  postgresCrashes: {
    name: 'Postgres crashes',
    async run({ database }, _dice, lasts) {
      await database.crash()
      await lasts(3 * second)
      await database.restart()
    },
  },
  postgresFailsOver: failingOver('Postgres crashes, and its standby takes its place', async (primary, lasts) => {
    await primary.crash()
    await lasts(3 * second)
  }),
  postgresSwitchedOver: failingOver('Postgres is stopped, and its standby takes its place', (primary) => primary.stop()),
  postgresReplaced: failingOver(
    'Postgres stands still, its standby takes its place, and it goes on for a while as if nothing were',
    async (primary, lasts) => {
      primary.signal('SIGSTOP')
      await lasts(3 * second)
    },
    async ({ standby }, lasts) => {
      standby?.other.signal('SIGCONT')
      await lasts(6 * second)
      await standby?.other.crash()
    },
  ),
  postgresReadOnly: {
    name: 'Postgres is read-only',
    errors: /read-only transaction/,
    async run({ sql }, _dice, lasts) {
      const set = async (value: 'on' | 'off') => {
        await sql.unsafe(`alter system set default_transaction_read_only = ${value}`)
        await sql`select pg_reload_conf()`
      }
      await set('on')
      await lasts(8 * second)
      await set('off')
    },
  },
  postgresDiskFull: {
    name: 'there is no room for Postgres',
    errors: /No space left on device/,
    async run({ database, standby, databaseDisk }, _dice, lasts) {
      databaseDisk?.fill()
      await lasts(8 * second)
      databaseDisk?.clear()
      // Without room for its log it gives up, and somebody has to start it again; and so does its standby.
      await database.stop()
      await database.restart()
      await standby?.follow()
    },
  },
  redisCrashes: {
    name: 'Redis crashes and has forgotten everything',
    async run({ redis }, _dice, lasts) {
      await redis.crash()
      await lasts(5 * second)
      await redis.restart()
    },
  },
  redisStands: {
    name: 'Redis stands still',
    async run({ redis }, _dice, lasts) {
      redis.signal('SIGSTOP')
      await lasts(30 * second)
      redis.signal('SIGCONT')
    },
  },
  serverCutFromRedis: onLines('a server is cut off from Redis', ofServer, ['redis'], (link) => link.cut(), 8 * second),
  serverCutFromPostgres: onLines('a server is cut off from Postgres', ofServer, ['database'], (link) => link.cut(), 8 * second),
  redisFrozen: onLines('nothing comes through between a server and Redis', ofServer, ['redis'], (link) => link.freeze(), 12 * second),
  postgresFrozen: onLines(
    'nothing comes through between a server and Postgres',
    ofServer,
    ['database'],
    (link) => link.freeze(),
    12 * second,
  ),
  connectionsDropped: onLines(
    'all connections of a server and a worker break',
    ofServer,
    ['database', 'redis'],
    (link) => link.drop(),
    second,
  ),
  redisHalfOpen: onLines(
    "Redis has forgotten a server's connections, which hears nothing of it",
    ofServer,
    ['redis'],
    (link) => link.halfOpen(),
    12 * second,
  ),
  postgresHalfOpen: onLines(
    "Postgres has forgotten a server's connections, which hears nothing of it",
    ofServer,
    ['database'],
    (link) => link.halfOpen(),
    12 * second,
  ),
  networkSlow: onLines(
    'the network of a server is slow (100 ms each way)',
    ofServer,
    ['database', 'redis'],
    (link) => link.slow(100),
    10 * second,
  ),
  workerCut: onLines('a worker is cut off from everything', ofWorker, ['database', 'redis'], (link) => link.cut(), 8 * second),
  workerHalfOpen: onLines(
    "Postgres and Redis have forgotten a worker's connections",
    ofWorker,
    ['database', 'redis'],
    (link) => link.halfOpen(),
    12 * second,
  ),
  serverClock: withWrongClock("a server's clock is wrong by three hours", ({ servers }) => servers),
  workerClock: withWrongClock("a worker's clock is wrong by three hours", ({ workers }) => workers),
  backupDamaged: { name: 'a backup is made, and restored, damaged and whole', run: backUpAndRestore },
  diskFull: {
    name: 'there is no room for images',
    // Somebody has to make room.
    errors: /an image could not be (written|processed)/,
    async run({ images }, _dice, lasts) {
      images.fill()
      await lasts(5 * second)
      images.clear()
    },
  },
} as const satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

/** It may have ended meanwhile. */
function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Waits as long as a fault is to last, or a part of that. */
export const lasting =
  (part: number, leastMs: number) =>
  async (wantedMs: number): Promise<void> =>
    await pause(Math.max(leastMs, wantedMs * part))
