// Two Postgres, of which one follows the other and can take its place.
import { execFile } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { seed } from '../../seeds/run.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { linkTo, type Link } from './link.ts'
import { ownPostgres, type OwnService } from './services.ts'
import { until } from './until.ts'

export interface PostgresPair {
  /** Of both, as an operator writes it: the standby stands first. */
  readonly url: string
  readonly primary: OwnService
  /** By which the standby hears of what is committed. */
  readonly link: Link
  /** The standby takes the place of the primary, which should be gone; returns its own address. */
  promote(): Promise<string>
}

/** Both are stopped and removed after the test. `synchronous`: nothing is committed that the standby does not have. */
export async function postgresPair(t: Pick<TestContext, 'after'>, { synchronous }: { synchronous: boolean }): Promise<PostgresPair> {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-pair-'))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const primary = await ownPostgres(t, { durable: true, directory: first })
  const quiet = () => undefined
  const config = readConfig(['--env', 'testing'], { DATA_DIR: join(folder, 'data') })
  await seed(config, primary.url, { loaded: quiet, notice: quiet })
  await primary.stop()
  await promisify(execFile)('cp', ['-a', first, second])
  const write = (directory: string, lines: string) => appendFile(join(directory, 'cluster', 'postgresql.auto.conf'), lines)
  if (synchronous) await write(first, `synchronous_standby_names = 'follower'\n`)
  await primary.restart()

  const link = await linkTo(t, primary.url)
  const password = await readFile(join(first, 'password'), 'utf8')
  const { port } = new URL(link.url)
  await write(
    second,
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=quarterdeck password=${password} application_name=follower sslmode=disable'\n`,
  )
  await writeFile(join(second, 'cluster', 'standby.signal'), '')
  const standby = await startPostgres({ directory: second, database: 'quarterdeck' })
  t.after(() => standby.stop())
  await follows(primary.url)

  const { host } = new URL(standby.url)
  return {
    url: primary.url.replace('@', `@${host},`),
    primary,
    link,
    async promote() {
      const sql = postgres(standby.url, { max: 1 })
      await sql`select pg_promote()`
      await sql.end()
      return standby.url
    },
  }
}

async function follows(url: string): Promise<void> {
  const sql = postgres(url, { max: 1 })
  try {
    await until(async () => (await sql`select from pg_stat_replication where state = 'streaming'`).length === 1, 'the standby follows')
  } finally {
    await sql.end()
  }
}
