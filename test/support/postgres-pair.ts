// Two Postgres, of which one follows the other and can take its place.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import type postgres from 'postgres'
import { seed } from '../../seeds/run.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { primaryUrl } from '../../src/core/base/postgres-url.ts'
import { createDb } from '../../src/core/db/db.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import { startTestNodes, type TestNodes } from './app.ts'
import { withConnection } from './db.ts'
import { linkTo, type Link } from './link.ts'
import { ownCluster, ownPostgres, type OwnService } from './services.ts'
import { until } from './until.ts'

export interface PostgresPair {
  /** Of both, as an operator writes it: the standby of the beginning stands first. */
  readonly url: string
  /** Of each by itself, in that order. */
  readonly urls: readonly [string, string]
  /** The one that is written to, or was until it failed. */
  readonly primary: OwnService
  /** The one that follows it, or whose place it took. */
  readonly other: OwnService
  /** By which the standby hears of what is committed. */
  readonly link: Link
  /** The standby takes the place of the primary, which should be gone; returns its own address. */
  promote(): Promise<string>
  /** Unless a standby follows, the other one begins again as a copy of the primary, and follows it. */
  follow(): Promise<void>
}

interface Seat {
  directory: string
  service: OwnService
  /** From the other one to this. */
  link: Link
}

const clusterOf = (directory: string) => join(directory, 'cluster')

/**
 * Both are stopped and removed after the test. `synchronous`: nothing is committed that the standby does not have, for as long
 * as there is one. `seeded`: they hold what a place has from the start.
 */
export async function postgresPair(
  t: Pick<TestContext, 'after'>,
  { synchronous, seeded = true, folder: given }: { synchronous: boolean; seeded?: boolean; folder?: string },
): Promise<PostgresPair> {
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'quarterdeck-pair-')))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const primary = await ownPostgres(t, { durable: true, directory: first })
  const quiet = () => undefined
  const config = readConfig(['--env', 'testing'], { DATA_DIR: join(folder, 'data') })
  if (seeded) await seed(config, primary.url, { loaded: quiet, notice: quiet })
  await primary.stop()
  await promisify(execFile)('cp', ['-a', first, second])
  await primary.restart()
  const toFirst = await linkTo(t, primary.url)
  await makeStandby(second, toFirst)
  const standby = await ownCluster(t, { directory: second, durable: true })
  // After both have ended: without its files Postgres answers errors.
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  let [active, other]: [Seat, Seat] = [
    { directory: first, service: primary, link: toFirst },
    { directory: second, service: standby, link: await linkTo(t, standby.url) },
  ]
  await waitForStandby(primary.url, synchronous)

  const { host } = new URL(standby.url)
  return {
    url: primary.url.replace('@', `@${host},`),
    urls: [standby.url, primary.url],
    get primary() {
      return active.service
    },
    get other() {
      return other.service
    },
    get link() {
      return active.link
    },
    async promote() {
      const { url } = other.service
      await withConnection(url, (sql) => sql`select pg_promote()`)
      ;[active, other] = [other, active]
      return url
    },
    async follow() {
      if (await withConnection(active.service.url, isFollowed)) return
      await withConnection(active.service.url, async (sql) => {
        await sql`alter system reset synchronous_standby_names`
        await sql`select pg_reload_conf()`
      })
      await other.service.crash()
      await copyCluster(active, other.directory)
      await makeStandby(other.directory, active.link)
      await other.service.restart()
      await waitForStandby(active.service.url, synchronous)
    },
  }
}

/** What `directory` holds begins as a standby. */
async function makeStandby(directory: string, { url }: Link): Promise<void> {
  const password = await readFile(join(directory, 'password'), 'utf8')
  const { port } = new URL(url)
  await writeFile(
    join(clusterOf(directory), 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=quarterdeck password=${password} application_name=follower sslmode=disable'\n`,
  )
  await writeFile(join(clusterOf(directory), 'standby.signal'), '')
}

/** Takes a copy of one that is at work. */
async function copyCluster({ directory, service }: Seat, to: string): Promise<void> {
  await rm(clusterOf(to), { recursive: true, force: true, maxRetries: 10 })
  await withConnection(service.url, async (sql) => {
    await sql`select pg_backup_start('standby', true)`
    // Files come and go meanwhile: what has gone is not needed.
    await promisify(execFile)('cp', ['-a', clusterOf(directory), clusterOf(to)]).catch(({ stderr }: { stderr: string }) => {
      const unlike = stderr.split('\n').find((line) => line !== '' && !line.endsWith('No such file or directory'))
      if (unlike !== undefined) throw new Error(unlike)
    })
    const [row] = await sql<[{ label: string }]>`select labelfile as label from pg_backup_stop(false)`
    await writeFile(join(clusterOf(to), 'backup_label'), row.label)
  })
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(clusterOf(to), name), { force: true })
}

const isFollowed = async (sql: postgres.Sql): Promise<boolean> =>
  (await sql`select from pg_stat_replication where state = 'streaming'`).length === 1

/** Resolves when a standby follows, without which nothing is committed from then on if it is `synchronous`. */
async function waitForStandby(url: string, synchronous: boolean): Promise<void> {
  await withConnection(url, async (sql) => {
    await until(() => isFollowed(sql), 'the standby follows', 30_000)
    if (!synchronous) return
    await sql`alter system set synchronous_standby_names = 'follower'`
    await sql`select pg_reload_conf()`
    await until(
      async () => (await sql`select from pg_stat_replication where sync_state = 'sync'`).length === 1,
      'nothing is committed without it',
    )
  })
}

/** Two nodes and a worker on both. */
export async function startNodesOn(
  t: TestContext,
  { url }: Pick<PostgresPair, 'url'>,
  env: Record<string, string> = {},
): Promise<TestNodes> {
  const databaseUrl = primaryUrl(url)
  await migrate(databaseUrl, () => undefined)
  const nodes = await startTestNodes(2, { databaseUrl, workers: 1, env })
  t.after(() => nodes.stop())
  const db = createDb({ url: databaseUrl, readers: 1 })
  t.after(() => db.close())
  return { ...nodes, sql: db.sql }
}
