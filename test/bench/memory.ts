// What an idle socket costs the server. Ours belong to different users, each with a channel in memory.
import postgres from 'postgres'
import { openAll } from './fan-out.ts'
import { FrameReader } from './load.ts'
import { createChat, createResidents } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import type { Row } from './table.ts'

const users = 6000
/** Connected before it is measured. */
const alreadyThere = 1000

export async function memory({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, users)
  const fezID = await createChat(sql, residents, 50)
  await sql.end()
  const [product, bare] = await Promise.all([startMeasured('product-server.js', env), startMeasured('bare-server.js', {})])
  const tokens = residents.map(({ token }) => token)
  // What loading the code and the first connections cost is not a socket's, and what a start has freed again is used up by them.
  const early = [
    ...await openAll(tokens.slice(0, alreadyThere), (token) => FrameReader.open(product.port, '/api/v3/notification/socket', token)),
    ...await openAll(tokens.slice(0, alreadyThere), (token) => FrameReader.open(bare.port, '/socket', token)),
  ]
  const late = tokens.slice(alreadyThere)
  const theirs = await growth(bare, 2 * late.length, () => openAll([...late, ...late], (token) => FrameReader.open(bare.port, '/socket', token)))
  const ours = await growth(product, 2 * late.length, async () => [
    ...await openAll(late, (token) => FrameReader.open(product.port, '/api/v3/notification/socket', token)),
    ...await openAll(late, (token) => FrameReader.open(product.port, `/api/v3/fez/${fezID}/socket`, token)),
  ])
  for (const reader of early) reader.close()
  await Promise.all([product.stop(), bare.stop()])
  return [{ work: 'idle socket (a notification and a chat socket per user)', unit: 'bytes of memory', ours, limit: theirs, ratio: ours / theirs, spread: [ours / theirs, ours / theirs] }]
}

async function growth(server: Measured, sockets: number, open: () => Promise<FrameReader[]>): Promise<number> {
  const before = await server.usage()
  const readers = await open()
  const after = await server.usage()
  for (const reader of readers) reader.close()
  return (after.liveBytes - before.liveBytes) / sockets
}
