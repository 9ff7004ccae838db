// Hot authenticated reads against bare uWebSockets.js answering the same bytes. Counted per second of
// the server's processor time, so that the load generator's own limit does not matter.
import postgres from 'postgres'
import { countRequests, fetchOnce, getRequest } from './load.ts'
import { createChat, createResidents } from './population.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, type Row } from './table.ts'

const connections = 64
const durationMs = 1500
const pairs = 5

export async function reads({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, 20)
  const fezID = await createChat(sql, residents, 60)
  await sql.end()
  const token = residents[0]?.token ?? ''
  const [product, bare] = await Promise.all([startMeasured('product-server.js', env), startMeasured('bare-server.js', {})])
  const rows: Row[] = []
  for (const [work, path] of [
    ['whoami', '/api/v3/user/whoami'],
    ['GET /notification/user', '/api/v3/notification/user'],
    ['GET /fez/:id, 20 members, page of 10 posts', `/api/v3/fez/${fezID}`],
  ] as const) {
    const request = getRequest(path, token)
    const { status, body } = await fetchOnce(product.port, request)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body.toString()}`)
    await bare.order('answer', { body: body.toString(), token })
    rows.push(
      await compare(
        work,
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
