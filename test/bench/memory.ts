// What an idle socket costs the server. Ours belong to different users, each with a channel in memory.
import postgres from 'postgres'
import { openAll } from './fan-out.ts'
import { FrameReader } from './load.ts'
import { createChat, createResidents } from './population.ts'
import { startMeasured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, median, type Row } from './table.ts'

const users = 6000
/** Connected before it is measured: what loading the code and the first connections cost is not a socket's. */
const alreadyThere = 1000
const usersPerStep = 1000
const pairs = 5

export async function memory({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, users)
  const fezID = await createChat(sql, residents, 50)
  await sql.end()
  const tokens = residents.map(({ token }) => token)
  return [
    await compare(
      'idle socket (a notification and a chat socket per user)',
      'bytes of memory',
      pairs,
      () => bytesPerSocket('product-server.js', env, tokens, ['/api/v3/notification/socket', `/api/v3/fez/${fezID}/socket`]),
      () => bytesPerSocket('bare-server.js', {}, tokens, ['/socket', '/socket']),
    ),
  ]
}

/**
 * Of a fresh server, when every user opens all of the paths: the median of some steps, since what a start has freed is
 * used up, or code compiled, in one or another.
 */
async function bytesPerSocket(
  script: string,
  env: Record<string, string>,
  tokens: readonly string[],
  paths: readonly string[],
): Promise<number> {
  const server = await startMeasured(script, env)
  const readers: FrameReader[] = []
  const open = async (of: readonly string[]) => {
    for (const path of paths) readers.push(...(await openAll(of, (token) => FrameReader.open(server.port, path, token))))
  }
  await open(tokens.slice(0, alreadyThere))
  const steps: number[] = []
  for (let at = alreadyThere; at < tokens.length; at += usersPerStep) {
    const before = await server.usage()
    await open(tokens.slice(at, at + usersPerStep))
    steps.push(((await server.usage()).liveBytes - before.liveBytes) / (usersPerStep * paths.length))
  }
  for (const reader of readers) reader.close()
  await server.stop()
  return median(steps)
}
