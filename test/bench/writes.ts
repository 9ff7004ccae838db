// Posts in chats and in forums, against the same rows written in one transaction without a server.
// Forty chats and forums by as many authors: nobody waits for the lock of another.
import postgres from 'postgres'
import { countRequests, fetchOnce, postRequest } from './load.ts'
import { createChat, createForum, createResidents, type Resident } from './population.ts'
import { perCpuSecond, startMeasured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, type Row } from './table.ts'

const authors = 40
const atOnce = 16
const durationMs = 1500
/**
 * Until most of the server's code is compiled, as that of one that has run for a minute; the limit has little that
 * takes longer than its first round.
 */
const warmUpMs = 10_000
const pairs = 5
const content = { text: 'Dinner is at eight, and whoever comes late washes up.', images: [] }

export async function writes({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const residents = await createResidents(sql, tokenSecret, authors)
  const places = async (make: (author: Resident) => Promise<string>) => {
    const ids: string[] = []
    for (const resident of residents) ids.push(await make(resident))
    return ids
  }
  const chatOf = (author: Resident) => createChat(sql, [author], 0)
  const forumOf = (author: Resident) => createForum(sql, author)
  const [chats, forums] = [await places(chatOf), await places(forumOf)]
  // Others for the limit: a server notices what it did not write itself.
  const order = { chats: await places(chatOf), forums: await places(forumOf), authorId: (residents[0] as Resident).id, atOnce, durationMs }
  await sql.end()
  const [product, bare] = await Promise.all([
    startMeasured('product-server.js', { ...env, WRITES_PER_MINUTE: '0' }),
    startMeasured('bare-writes.js', env),
  ])
  const rows: Row[] = []
  for (const [work, pathOf, bareOrder] of [
    ['post in a chat', (index: number) => `/api/v3/fez/${chats[index]}/post`, 'chatPosts'],
    ['post in a forum', (index: number) => `/api/v3/forum/${forums[index]}/create`, 'forumPosts'],
  ] as const) {
    const requests = residents.map(({ token }, index) => postRequest(pathOf(index), content, token))
    const { status, body } = await fetchOnce(product.port, requests[0] as Buffer)
    if (status >= 300) throw new Error(`${work} answered ${status}: ${body.toString()}`)
    await countRequests(product.port, requests, atOnce, warmUpMs)
    rows.push(
      await compare(
        `${work}, against its statement in a transaction`,
        'posts per CPU second',
        pairs,
        () => perCpuSecond(product, () => countRequests(product.port, requests, atOnce, durationMs)),
        () => perCpuSecond(bare, () => bare.order<number>(bareOrder, order)),
      ),
    )
  }
  await Promise.all([product.stop(), bare.stop()])
  return rows
}
