// The schedule of a week: reading all of it against bare uWebSockets.js answering the same, and importing it
// against its parser and Postgres alone.
import { randomUUID } from 'node:crypto'
import ICAL from 'ical.js'
import postgres from 'postgres'
import { calendar, type Listed } from '../support/schedule.ts'
import { countRequests, fetchOnce, getRequest, postRequest } from './load.ts'
import { createResidents } from './population.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, type Row } from './table.ts'

const events = 500
const followed = 30
const connections = 64
const durationMs = 1500
const pairs = 5

export async function schedule({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const [admin, fan, reader] = await createResidents(sql, tokenSecret, 3)
  await sql`update account set level = 'admin' where id = ${admin?.id ?? ''}`
  await sql`
    insert into forum_category (id, title, purpose, view_level, create_level, is_event) values (gen_random_uuid(), 'Event Forums', '', 'unverified', 'moderator', true), (gen_random_uuid(), 'Shadow Event Forums', '', 'unverified', 'moderator', true)
    on conflict do nothing`
  const [product, bare] = await Promise.all([startMeasured('product-server.js', env), startMeasured('bare-server.js', {})])
  const rows = [await imports(sql, product, admin?.id ?? '', admin?.token ?? '')]
  await update(product, admin?.token ?? '', week('kept'))
  await sql`insert into event_follower (account_id, event_id, created_at) select ${fan?.id ?? ''}, id, now() from event where deleted_at is null order by uid limit ${followed}`
  for (const [work, token, isKnown] of [
    ['GET /events', reader?.token ?? '', false],
    [`GET /events, ${followed} of them followed`, fan?.token ?? '', false],
    ['GET /events by somebody who has it: 304', fan?.token ?? '', true],
  ] as const)
    rows.push(await reads(product, bare, work, token, isKnown))
  rows.push(
    await reads(product, bare, 'GET /events with gzip, against the plain list', reader?.token ?? '', false, 'Accept-Encoding: gzip'),
  )
  await Promise.all([product.stop(), bare.stop()])
  await sql.end()
  return rows
}

async function reads(product: Measured, bare: Measured, work: string, token: string, isKnown: boolean, header?: string): Promise<Row> {
  const whole = getRequest('/api/v3/events', token)
  const { status, body } = await fetchOnce(product.port, whole)
  if (status !== 200) throw new Error(`${work} answered ${status}: ${body.toString()}`)
  const etag =
    (await fetch(`http://127.0.0.1:${product.port}/api/v3/events`, { headers: { Authorization: `Bearer ${token}` } })).headers.get(
      'etag',
    ) ?? ''
  await bare.order('answer', { body: body.toString(), token, etag })
  const more = header ?? (isKnown ? `If-None-Match: ${etag}` : undefined)
  const request = more === undefined ? whole : Buffer.from(`${whole.toString().trimEnd()}\r\n${more}\r\n\r\n`)
  const counted = (server: Measured) =>
    perCpuSecond(server, () => countRequests(server.port, request, connections, durationMs, isKnown ? '3' : '2'))
  return await compare(
    `${work}, ${events} events, ${Math.round(body.length / 1000)} kB`,
    'requests per CPU second',
    pairs,
    () => counted(product),
    () => counted(bare),
  )
}

/** A calendar as publishers write them, with texts of the usual length. */
function week(version: string): string {
  const sentence =
    'People come together, somebody explains what is going on, and then everybody tries, with results that differ, and a drink. '
  return calendar(
    Array.from({ length: events }, (_, i): Listed => {
      const start = Date.UTC(2025, 2, 2, 13) + i * 20 * 60_000
      return {
        uid: `${version}${i}`,
        title: `Number ${i}: something to do`,
        description: sentence.repeat(i % 7),
        location: `Room ${i % 30}, Deck ${i % 9}, Aft`,
        category: i % 4 === 0 ? 'SHADOW CRUISE' : 'GENERAL INFO',
        start: new Date(start).toISOString(),
        end: new Date(start + 3_600_000).toISOString(),
      }
    }),
  )
}

async function update(product: Measured, token: string, text: string): Promise<void> {
  const { status, body } = await fetchOnce(product.port, postRequest('/api/v3/events/update', { schedule: text }, token))
  if (status !== 200) throw new Error(`an import was answered with ${status}: ${body.toString()}`)
}

async function imports(sql: postgres.Sql, product: Measured, adminId: string, token: string): Promise<Row> {
  let version = 0
  const perSecond = async (work: (text: string) => Promise<void>) => {
    const text = week(`v${++version}-`)
    const startedMs = performance.now()
    await work(text)
    const seconds = (performance.now() - startedMs) / 1000
    await sql`truncate event, forum, schedule_log cascade`
    return 1 / seconds
  }
  return await compare(
    `import of ${events} new events with their forums`,
    'imports per second',
    pairs,
    () => perSecond((text) => update(product, token, text)),
    () => perSecond((text) => alone(sql, adminId, text)),
  )
}

/** The same rows, with what is least in the way. */
async function alone(sql: postgres.Sql, adminId: string, text: string): Promise<void> {
  const parsed = new ICAL.Component(ICAL.parse(text) as never).getAllSubcomponents('vevent').map((event) => ({
    id: randomUUID(),
    forum: randomUUID(),
    uid: String(event.getFirstPropertyValue('uid')),
    title: String(event.getFirstPropertyValue('summary')),
    description: String(event.getFirstPropertyValue('description')),
    location: String(event.getFirstPropertyValue('location')),
    start: String(event.getFirstPropertyValue('dtstart')),
    end: String(event.getFirstPropertyValue('dtend')),
  }))
  const column = (name: keyof (typeof parsed)[number]) => parsed.map((each) => each[name])
  await sql.begin(async (tx) => {
    await tx`
      with said as (insert into forum_post (forum_id, author_id, real_author_id, text, created_at)
        select forum, ${adminId}::uuid, ${adminId}::uuid, title || description, now() from unnest(${column('forum')}::uuid[], ${column('title')}::text[], ${column('description')}::text[]) as given (forum, title, description))
      insert into forum (id, category_id, creator_id, title, title_key, post_count, last_post_time, created_at)
      select given.id, (select id from forum_category where is_event limit 1), ${adminId}, title, title, 1, now(), now() from unnest(${column('forum')}::uuid[], ${column('title')}::text[]) as given (id, title)`
    await tx`
      insert into event (id, uid, title, description, location, event_type, start_time, end_time, forum_id, updated_at)
      select given.id, uid, title, description, location, 'general', start_time, end_time, forum, now()
      from unnest(${column('id')}::uuid[], ${column('uid')}::text[], ${column('title')}::text[], ${column('description')}::text[], ${column('location')}::text[],
        ${column('start')}::text[]::timestamptz[], ${column('end')}::text[]::timestamptz[], ${column('forum')}::uuid[]) as given (id, uid, title, description, location, start_time, end_time, forum)`
  })
}
