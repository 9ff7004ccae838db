// The Postgres and the Redis of a test run: thrown away afterwards.
import { chmod, mkdir, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seed } from '../../seeds/run.ts'
import { readConfig } from '../../src/accounts/config.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { startRedis } from '../../src/embedded/redis.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import type { Running } from '../../src/supervisor/running.ts'
import { startPgBouncer } from './pgbouncer.ts'

const template = 'quarterdeck_template'
const memoryFolder = '/dev/shm'
/** Much more than the databases of tests take at any time. */
const memoryBytes = 4e9

/** Runs `work` with the environment that tells tests where the stores are. What was started is also put into `services`. */
export async function withStores<T>(services: Running[], work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const directories: string[] = []
  const folderIn = async (parent: string) => {
    const folder = await mkdtemp(join(parent, 'quarterdeck-test-'))
    directories.push(folder)
    // Postgres, under an account of its own when we are root, has to pass through.
    await chmod(folder, 0o711)
    return folder
  }
  try {
    return await work(await start(await folderIn(tmpdir()), await folderIn(await fastestFolder()), services))
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    for (const folder of directories) await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Databases come and go with hundreds of files each: where memory serves as a disk and there is enough of it, in memory. */
async function fastestFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(memoryFolder).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= memoryBytes ? memoryFolder : tmpdir()
}

/** All tests go through PgBouncer when PGBOUNCER names the program. */
async function poolerBefore(directory: string, postgresUrl: string, services: Running[]): Promise<Record<string, string>> {
  const program = process.env['PGBOUNCER']
  if (program === undefined) return {}
  const folder = join(directory, 'pgbouncer')
  await mkdir(folder)
  const { running, host } = await startPgBouncer(program, folder, postgresUrl)
  services.push(running)
  return { TEST_POOLER: host }
}

async function start(directory: string, databases: string, services: Running[]): Promise<Record<string, string>> {
  const keep = async <R extends Running>(starting: Promise<R>) => {
    const running = await starting
    services.push(running)
    return running
  }
  const [postgres, redis] = await Promise.all([
    keep(startPostgres({ directory: join(databases, 'postgres'), database: template, durable: false })),
    keep(startRedis()),
  ])
  const quiet = () => undefined
  await migrate(postgres.url, quiet)
  await seed(readConfig(['--env', 'testing'], { DATA_DIR: join(directory, 'data') }), postgres.url, { loaded: quiet, notice: quiet })
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  return {
    ...(await poolerBefore(directory, postgres.url, services)),
    // What a broken off test leaves there goes with the rest.
    TMPDIR: temporary,
    TEST_DATABASE_URL: postgres.url.replace(`/${template}`, '/postgres'),
    TEST_TEMPLATE: template,
    TEST_REDIS_URL: redis.url,
  }
}
