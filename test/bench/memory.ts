// What an idle socket costs the server. Ours belong to different users, each with a channel in memory.
import postgres from 'postgres'
import { openAll } from './fan-out.ts'
import { FrameReader } from './load.ts'
import { createChat, createResidents } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import type { Row } from './table.ts'

const users = 5000

export async function memory({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, users)
  const fezID = await createChat(sql, residents, 50)
  await sql.end()
  const [product, bare] = await Promise.all([startMeasured('product-server.js', env), startMeasured('bare-server.js', {})])
  const tokens = residents.map(({ token }) => token)
  // What loading the code and the first connections costs is not a socket's.
  for (const [server, path] of [[product, '/api/v3/notification/socket'], [bare, '/socket']] as const) {
    for (const reader of await openAll(tokens.slice(0, 200), (token) => FrameReader.open(server.port, path, token))) reader.close()
  }
  const theirs = await growth(bare, 2 * users, () => openAll([...tokens, ...tokens], (token) => FrameReader.open(bare.port, '/socket', token)))
  const ours = await growth(product, 2 * users, async () => [
    ...await openAll(tokens, (token) => FrameReader.open(product.port, '/api/v3/notification/socket', token)),
    ...await openAll(tokens, (token) => FrameReader.open(product.port, `/api/v3/fez/${fezID}/socket`, token)),
  ])
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
