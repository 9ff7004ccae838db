// The Postgres and the Redis of a test run: thrown away afterwards.
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seed } from '../../seeds/run.ts'
import { readConfig } from '../../src/core/config.ts'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { startRedis } from '../../src/embedded/redis.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import type { Running } from '../../src/supervisor/running.ts'

const template = 'quarterdeck_template'

/** Runs `work` with the environment that tells tests where the stores are. What was started is also put into `services`. */
export async function withStores<T>(services: Running[], work: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'quarterdeck-test-'))
  // Postgres, under an account of its own when we are root, has to pass through.
  await chmod(directory, 0o711)
  try {
    return await work(await start(directory, services))
  } finally {
    await Promise.all(services.map((service) => service.stop()))
    await rm(directory, { recursive: true, force: true, maxRetries: 10 })
  }
}

async function start(directory: string, services: Running[]): Promise<Record<string, string>> {
  const keep = async <R extends Running>(starting: Promise<R>) => {
    const running = await starting
    services.push(running)
    return running
  }
  const [postgres, redis] = await Promise.all([
    keep(startPostgres({ directory: join(directory, 'postgres'), database: template, durable: false })),
    keep(startRedis()),
  ])
  const quiet = () => undefined
  await migrate(postgres.url, quiet)
  await seed(readConfig(['--env', 'testing'], { DATA_DIR: join(directory, 'data') }), postgres.url, { loaded: quiet, notice: quiet })
  const temporary = join(directory, 'tmp')
  await mkdir(temporary)
  return {
    // What a broken off test leaves there goes with the rest.
    TMPDIR: temporary,
    TEST_DATABASE_URL: postgres.url.replace(`/${template}`, '/postgres'),
    TEST_TEMPLATE: template,
    TEST_REDIS_URL: redis.url,
  }
}
