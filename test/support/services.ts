// Services of a test's own, for tests that take them away and bring them back.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { startRedis, type RedisOptions } from '../../src/embedded/redis.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import type { Running } from '../../src/supervisor/running.ts'
import { childrenOf, signalAll } from './children.ts'

/** A service that can fail and come back. */
export interface OwnService {
  /** The same before and after a failure. */
  readonly url: string
  /** Ends it as a crash would; resolves when it is gone. */
  crash(): Promise<void>
  /** Stops it in order; resolves when it is gone. */
  stop(): Promise<void>
  /** Starts it again on the same port, after a crash or a stop. */
  restart(): Promise<void>
  /** Sends its process a signal, and those that it has started. */
  signal(signal: NodeJS.Signals): void
}

/** A Redis that is stopped after the test. One of WebAssembly forgets everything in a crash. */
export async function ownRedis(t: Pick<TestContext, 'after'>, options: RedisOptions = {}): Promise<OwnService> {
  const first = await startRedis(options)
  const { port, password, engine } = first
  return own(t, first, () => startRedis({ ...options, port, password, engine }))
}

/** A Postgres with the schema in it, stopped and removed after the test. Only a durable one keeps everything in a crash. */
export async function ownPostgres(
  t: Pick<TestContext, 'after'>,
  { durable = false, directory: wanted }: { durable?: boolean; directory?: string } = {},
): Promise<OwnService> {
  const directory = wanted ?? (await mkdtemp(join(tmpdir(), 'quarterdeck-test-')))
  const service = await ownCluster(t, { directory, durable })
  t.after(() => rm(directory, { recursive: true, force: true }))
  await migrate(service.url, () => undefined)
  return service
}

/** A Postgres with what is in its directory, stopped after the test. */
export async function ownCluster(
  t: Pick<TestContext, 'after'>,
  { directory, durable }: { directory: string; durable: boolean },
): Promise<OwnService> {
  const options = { directory, database: 'quarterdeck', durable }
  const first = await startPostgres(options)
  return own(t, first, () => startPostgres({ ...options, port: first.port }))
}

function own(t: Pick<TestContext, 'after'>, first: Running & { url: string }, start: () => Promise<Running>): OwnService {
  let running: Running = first
  t.after(() => running.stop())
  return {
    url: first.url,
    async crash() {
      running.kill()
      await running.exited
    },
    stop: () => running.stop(),
    async restart() {
      running = await start()
    },
    signal(signal) {
      signalAll([running.pid, ...childrenOf(running.pid, '')], signal)
    },
  }
}
