// Jobs of posts: what a post costs all processes of the product when nobody watches its words, and when each has a word that
// somebody watches: an outbox row, a delivery by BullMQ, a scan, and a notice.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import postgres from 'postgres'
import { Connection, postRequest } from './load.ts'
import { PartsMeter } from './parts.ts'
import { createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { markdown, shown, type Row } from './table.ts'

const forumCount = 50
const atOnce = 64
const posts = 2000
const rounds = 3
const texts = {
  'nobody watches': 'Dinner is at eight, and whoever comes late washes up.',
  'with a watched word': 'Dinner is at eight, and whoever sees dolphins tells the others.',
}
const watched = 'dolphins'

/** Prints a table; there is no limit to compare with. */
export async function jobs({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, 100)
  const forums = await createForums(sql, residents[0]?.id ?? '')
  await sql`insert into alertword (account_id, word, created_at) values (${residents[1]?.id ?? ''}, ${watched}, now())`
  const server = await startMeasured('product-server.js', { ...env, WRITES_PER_MINUTE: '0' })
  const worker = await startMeasured('product-worker.js', env)
  const kinds = Object.entries(texts).map(([name, text]) => {
    const meter = new PartsMeter({ server, worker, sql, redisUrl: env['REDIS_URL'] ?? '' })
    return { name, text, meter }
  })
  const write = async (text: string) => {
    await post(server, residents, forums, text)
    for (;;) {
      const [row] = await sql<[{ waiting: number }]>`select count(*)::int as waiting from outbox where run_at <= now()`
      if (row.waiting === 0) return
      await delay(20)
    }
  }
  for (const { text } of kinds) await write(text)
  for (let round = 0; round < rounds; round++) for (const { text, meter } of kinds) await meter.during(posts, () => write(text))
  const lines = kinds.map(({ name, meter }) => {
    const each = meter.perOne()
    meter.close()
    return [name, ...Object.values(each).map(shown)]
  })
  await Promise.all([server.stop(), worker.stop()])
  await sql`delete from alertword`
  await sql.end()
  process.stdout.write(
    `${markdown(['Post in a forum, us of processor time', 'Server', 'Worker', 'Postgres', 'Redis', 'Together'], lines)}\n  ${posts} posts, ${atOnce} in flight, ${rounds} rounds.\n\n`,
  )
  return []
}

async function createForums(sql: postgres.Sql, creatorId: string): Promise<string[]> {
  const category = randomUUID()
  await sql`insert into forum_category (id, title, purpose, view_level, create_level) values (${category}, ${category}, '', 'unverified', 'verified')`
  const ids = Array.from({ length: forumCount }, () => randomUUID())
  await sql`
    insert into forum (id, category_id, creator_id, title, title_key, post_count, last_post_time, created_at)
    select id, ${category}, ${creatorId}, 'Bench', 'bench', 0, now(), now() from unnest(${ids}::uuid[]) as id`
  return ids
}

async function post({ port }: Measured, residents: readonly Resident[], forums: readonly string[], text: string): Promise<void> {
  let sent = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const connection = await Connection.open(port)
      while (sent < posts) {
        const at = sent++
        const { token } = residents[at % residents.length] as Resident
        const path = `/api/v3/forum/${forums[at % forums.length]}/create`
        const { status, body } = await connection.ask(postRequest(path, { text, images: [] }, token))
        if (status !== 201 && status !== 200) throw new Error(`a post was answered ${status}: ${body.toString()}`)
      }
      connection.close()
    }),
  )
}
