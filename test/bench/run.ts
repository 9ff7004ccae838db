// `npm run bench`: every benchmark beside its limit, in one run, and a table at the end.
// `npm run bench -- reads` runs one group only.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../src/embedded/postgres.ts'
import { startRedis } from '../../src/embedded/redis.ts'
import { migrate } from '../../src/core/db/migrate.ts'
import { hotChat, manyChats } from './busy-chats.ts'
import { calls } from './calls.ts'
import { content } from './content.ts'
import { curves } from './curves.ts'
import { dashboard } from './dashboard.ts'
import { day } from './day.ts'
import { fanOut } from './fan-out.ts'
import { gets } from './gets.ts'
import { headline } from './headline.ts'
import { images } from './images.ts'
import { identity } from './identity.ts'
import { jobs } from './jobs.ts'
import { largePlace } from './large.ts'
import { latency } from './latency.ts'
import { library } from './library.ts'
import { lists } from './lists.ts'
import { logins } from './logins.ts'
import { memory } from './memory.ts'
import { nodes } from './nodes.ts'
import { polling } from './polling.ts'
import { packed } from './packed.ts'
import { peers } from './peers.ts'
import { pinLoad } from './processes.ts'
import { reads } from './reads.ts'
import { register } from './register.ts'
import { schedule } from './schedule.ts'
import { start } from './start.ts'
import { sizing } from './sizing.ts'
import { storm } from './storm.ts'
import { tableOf, type Row } from './table.ts'
import { web } from './web.ts'
import { tls } from './tls.ts'
import { writes } from './writes.ts'
import { words } from './words.ts'

/** What a benchmark gets: stores of its own and the way to start nodes on them. */
export interface Bench {
  databaseUrl: string
  tokenSecret: string
  /** Environment of a product server process. */
  env: Record<string, string>
  /** The processes of Postgres and Redis. */
  stores: number[]
}

const groups: Record<string, (bench: Bench) => Promise<Row[]>> = {
  reads,
  tls,
  writes,
  identity,
  logins,
  register,
  'fan-out': fanOut,
  memory,
  polling,
  headline,
  latency,
  calls,
  images,
  words,
  jobs,
  library,
  schedule,
  day,
  content,
  curves,
  start,
  'hot-chat': hotChat,
  'many-chats': manyChats,
  peers,
  web,
  nodes,
  storm,
  sizing,
  gets,
  dashboard,
  lists,
  packed,
  large: largePlace,
}
/** Those that take too long to run with all others. */
const onlyChosen = new Set(['large'])
const chosen = process.argv.slice(2)
const unknown = chosen.find((name) => !(name in groups))
if (unknown !== undefined) throw new Error(`There is no benchmark ${unknown}, only ${Object.keys(groups).join(', ')}.`)

const directory = await mkdtemp(join(tmpdir(), 'quarterdeck-bench-'))
const [postgres, redis] = await Promise.all([startPostgres({ directory, database: 'quarterdeck', durable: true }), startRedis({})])
try {
  await migrate(postgres.url, () => undefined)
  pinLoad()
  const tokenSecret = 'a secret for benchmarks that is long enough'
  const env = {
    VAPOR_ENV: 'bench',
    DATA_DIR: join(directory, 'data'),
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    TOKEN_SECRET: tokenSecret,
    PORT: '0',
    LOG_LEVEL: 'warning',
    // One account does what thousands do.
    WRITES_PER_MINUTE: '0',
    SEARCHES_PER_MINUTE: '0',
  }
  const rows: Row[] = []
  for (const [name, run] of Object.entries(groups)) {
    if (chosen.length > 0 ? !chosen.includes(name) : onlyChosen.has(name)) continue
    process.stdout.write(`Running ${name} ...\n`)
    rows.push(...(await run({ databaseUrl: postgres.url, tokenSecret, env, stores: [postgres.pid, redis.pid] })))
  }
  if (rows.length > 0) process.stdout.write(`\n${tableOf(rows)}\n`)
} finally {
  await Promise.all([postgres.stop(), redis.stop()])
  await rm(directory, { recursive: true, force: true })
}
