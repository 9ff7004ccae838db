// The library of board games, as large as that of a real ship, against bare uWebSockets.js answering the same bytes.
import postgres from 'postgres'
import { countRequests, fetchOnce, getRequest, withBody } from './load.ts'
import { createResidents } from './population.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, type Row } from './table.ts'

const games = 620
const descriptionLength = 1200
const connections = 64
const durationMs = 1500
const pairs = 5
const wanted = { numPlayers: 4, timeToPlay: 90, maxAge: 0, minAge: 0, complexity: 2 }

export async function library({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const [resident] = await createResidents(sql, tokenSecret, 1)
  const bytes = await fillLibrary(sql)
  await sql`insert into boardgame_favorite (account_id, game_id, created_at) select ${resident?.id ?? ''}, id, now() from boardgame order by game_name limit 10`
  await sql.end()
  const token = resident?.token ?? ''
  const [product, bare] = await Promise.all([startMeasured('product-server.js', env), startMeasured('bare-server.js', {})])
  const rows: Row[] = []
  for (const [work, request] of [
    ['GET /boardgames, page of 50', getRequest('/api/v3/boardgames', token)],
    ['GET /boardgames, page of 10', getRequest('/api/v3/boardgames?limit=10', token)],
    ['GET /boardgames/recommend, the best 10', withBody(getRequest('/api/v3/boardgames/recommend?limit=10', token), wanted)],
  ] as const) {
    const { status, body } = await fetchOnce(product.port, request)
    if (status !== 200) throw new Error(`${work} answered ${status}: ${body.toString()}`)
    await bare.order('answer', { body: body.toString(), token })
    rows.push(
      await compare(
        `${work} (${Math.round(body.length / 1000)} kB), ${games} games in ${(bytes / 1e6).toFixed(1)} MB`,
        'requests per CPU second',
        pairs,
        () => answered(product, request),
        () => answered(bare, request),
      ),
    )
  }
  await Promise.all([product.stop(), bare.stop()])
  return rows
}

const answered = (server: Measured, request: Buffer): Promise<number> =>
  perCpuSecond(server, () => countRequests(server.port, request, connections, durationMs))

/** Returns the size of the library's JSON. */
async function fillLibrary(sql: postgres.Sql): Promise<number> {
  const sentence =
    'Players lay tiles, trade what they cannot use and count their points when the last card is gone &mdash; or so the rules say. '
  const facts = Array.from({ length: games }, (_, index) =>
    JSON.stringify({
      numCopies: 1 + (index % 3),
      bggGameName: `Game number ${index}`,
      yearPublished: String(1970 + (index % 55)),
      gameDescription: sentence.repeat(Math.ceil(descriptionLength / sentence.length)),
      gameTypes: ['Family Games'],
      categories: ['Card Game', 'Economic', 'Farming'],
      mechanisms: ['Hand Management', 'Set Collection', 'Trading'],
      minPlayers: 1 + (index % 3),
      maxPlayers: 3 + (index % 6),
      suggestedPlayers: 2 + (index % 4),
      minPlayingTime: 30,
      maxPlayingTime: 60 + (index % 120),
      avgPlayingTime: 45 + (index % 90),
      minAge: 6 + (index % 10),
      numRatings: 100 * index,
      avgRating: 5 + (index % 400) / 100,
      complexity: 1 + (index % 350) / 100,
    }),
  )
  await sql`insert into boardgame (game_name, entry, facts) select 'Library title ' || number, 1, facts from unnest(${facts}::text[]::jsonb[]) with ordinality as given (facts, number)`
  return facts.join().length
}
