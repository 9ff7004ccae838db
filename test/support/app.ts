// Server nodes for tests: in this process, over real Postgres and Redis, as many as the test wants.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seed } from '../../seeds/run.ts'
import { startApp, type App, type NodeOptions } from '../../src/app.ts'
import { startWorker } from '../../workers/worker.ts'
import type { Config } from '../../src/core/base/config.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { createDb, type Sql } from '../../src/core/db/db.ts'
import { createLog } from '../../src/core/base/log.ts'
import { noteWritten } from '../../src/core/db/written.ts'
import { invalidationId, invalidationTopic, slotOf } from '../../src/core/live/versions.ts'
import { Client } from './client.ts'
import { createTestDatabase, type TestDatabase } from './db.ts'
import { ownPort } from './port.ts'

export interface TestNodes {
  readonly apps: readonly App[]
  readonly urls: readonly string[]
  readonly database: TestDatabase
  readonly config: Config
  /** Starts one more worker, in this process; it stops with the nodes unless it was stopped before. */
  startWorker(): Promise<{ stop(): Promise<void> }>
  /** Stops a node of those that are `restartable`; the result starts it again, at its address. */
  halt(node?: number): Promise<() => Promise<void>>
  /** A client of one node, logged in when a token is given. */
  client(token?: string, node?: number): Client
  /** Straight to the database, as one more client of it. */
  readonly sql: Sql
  stop(): Promise<void>
}

export const testTokenSecret = 'a secret for tests that is long enough'

/** By the pooler before all databases of the tests, when there is one. */
function poolerOf(databaseUrl: string): string | undefined {
  const host = process.env['TEST_POOLER']
  return host === undefined ? undefined : Object.assign(new URL(databaseUrl), { host }).href
}

/** Starts `count` nodes, and so many workers, that share one fresh database and one Redis. Call `stop` in `after`. */
export async function startTestNodes(
  count = 1,
  overrides: Partial<NodeOptions> & {
    env?: Record<string, string>
    workers?: number
    /** They get ports to which they can come back. */
    restartable?: boolean
    /** By which address each node reaches the Redis, where they differ: of those that go over a `Link`. */
    redisUrls?: readonly string[]
    /** The address by which the nodes reach their database, given its own. */
    overDatabase?: (url: string) => Promise<string>
    /** The address of a pooler before their database, given its own. */
    overPooler?: (url: string) => Promise<string>
  } = {},
): Promise<TestNodes> {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-nodes-'))
  const { env, workers = 0, restartable = false, redisUrls = [], overDatabase, overPooler, ...options } = overrides
  const config = readConfig([], {
    VAPOR_ENV: 'testing',
    DATA_DIR: dataDir,
    TOKEN_SECRET: testTokenSecret,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    PORT: '0',
    ...env,
  })
  // The template is seeded in the product's own words.
  if (config.dialect !== 'seed') await seed(config, database.url, { loaded() {}, notice() {} })
  const databasePoolerUrl =
    overDatabase || options.databaseUrl !== undefined ? undefined : ((await overPooler?.(database.url)) ?? poolerOf(database.url))
  const shared = {
    // The same object: tests change it while workers run.
    config: Object.assign(config, { databasePoolerUrl }),
    databaseUrl: (await overDatabase?.(database.url)) ?? database.url,
    redisUrl: process.env['TEST_REDIS_URL'] ?? '',
    redisPrefix: `t${randomBytes(6).toString('hex')}`,
    ...options,
  }
  const named = (source: string) => ({ source, log: createLog(config.logLevel, source), ...shared })
  const ports = await Promise.all(Array.from({ length: restartable ? count : 0 }, ownPort))
  const start = (index: number) =>
    startApp({
      ...named(`node${index}`),
      config: { ...shared.config, port: ports[index] ?? shared.config.port },
      redisUrl: redisUrls[index] ?? shared.redisUrl,
    })
  const apps = await Promise.all(Array.from({ length: count }, (_, index) => start(index)))
  const strays: string[] = []
  const refuseStrays = ({ node }: App) => {
    node.db.onStrayWrite = (tables) => {
      const shown = [...node.writtenTables.shown(tables)]
      if (shown.length === 0) return
      const stray = `a statement outside of a transaction writes what answers are made of: ${shown.join(', ')}`
      strays.push(stray)
      throw new Error(stray)
    }
  }
  for (const app of apps) refuseStrays(app)
  // What a test writes past the product is known to all nodes before it reads: only those that share a process can be told so soon.
  const past = createDb({ url: database.url, readers: 4, writers: 1 })
  past.onStrayWrite = (tables) => {
    for (const [index, { node }] of apps.entries()) {
      // As after a program of the operator: it answers from Postgres for a second. The first node trusts its memory again as soon as
      // the statement has ended, so that tests see both.
      if (index > 0) node.versions.noteStray(tables)
      node.channels.publish(invalidationTopic.name, invalidationId, [...tables].map(slotOf))
    }
  }
  const running = new Set<{ stop(): Promise<void> }>()
  const startAnotherWorker = async () => {
    const worker = await startWorker({ ...named(`worker${running.size}`), onSilence: () => undefined })
    const once = {
      async stop() {
        if (running.delete(once)) await worker.stop()
      },
    }
    running.add(once)
    return once
  }
  await Promise.all(Array.from({ length: workers }, startAnotherWorker))
  const urls = apps.map(({ port }) => `http://127.0.0.1:${port}`)
  const clients: Client[] = []
  return {
    apps,
    urls,
    database,
    config,
    startWorker: startAnotherWorker,
    async halt(index = 0) {
      await (apps[index] as App).stop(0)
      return async () => {
        refuseStrays((apps[index] = await start(index)))
      }
    },
    client(token, node = 0) {
      const client = new Client(urls[node] as string, token)
      clients.push(client)
      return client
    },
    get sql() {
      return followed(past.sql, () => apps[0]?.node.versions.reset())
    },
    async stop() {
      for (const client of clients) client.closeSockets()
      await Promise.all([...apps.map((app) => app.stop(0)), ...Array.from(running, (worker) => worker.stop()), past.close()])
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
      if (strays.length > 0) throw new Error(strays.join('\n'))
    },
  }
}

/** A client that tells when something that it has written is there. */
function followed(client: Sql, written: () => void): Sql {
  const told = <T extends Promise<unknown>>(statement: T): T => {
    const then = statement.then.bind(statement)
    const tell = (value: unknown) => {
      written()
      return value
    }
    // Statements are sent when somebody waits for them: they have this already.
    // oxlint-disable-next-line no-thenable, no-floating-promises -- it is replaced, and not waited for here
    Object.defineProperty(statement, 'then', { value: (done?: never, failed?: never) => then(tell).then(done, failed) })
    return statement
  }
  return new Proxy(client, {
    apply(target, self, args: unknown[]) {
      const statement = Reflect.apply(target as never, self, args) as Promise<unknown>
      const tables = new Set<string>()
      noteWritten(args, tables)
      return tables.size > 0 ? told(statement) : statement
    },
    get(target, name) {
      const value = Reflect.get(target, name) as unknown
      if (name !== 'unsafe' && name !== 'begin') return value
      return (...args: unknown[]) => told((value as (...all: unknown[]) => Promise<unknown>).apply(target, args))
    },
  })
}

/** Resolves when all nodes have got what any of them has published so far, whatever key it has: this goes to everybody, behind it. */
export async function published({ apps }: Pick<TestNodes, 'apps'>): Promise<void> {
  await Promise.all(apps.map(({ node }) => node.channels.publishConfirmed(invalidationTopic.name, invalidationId, [])))
}
