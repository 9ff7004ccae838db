// Many who write at once, through the API: into one chat with many sockets, and into many chats. Every
// socket must get every post of its chat once, in the order of their ids.
import postgres from 'postgres'
import { openAll } from './fan-out.ts'
import { Connection, FrameReader, postRequest } from './load.ts'
import { PartsMeter } from './parts.ts'
import { createChat, createResidents, type Resident } from './population.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, percentile, shown, type Row } from './table.ts'

/** The text of every post. */
export const text = 'Dinner is at eight, and whoever comes late washes up.'
const pairs = 3
const arriveWithinMs = 60_000

/** One chat, 1,000 sockets, 32 posts in flight, then one; against native publish of the same frames, eight in a turn, then one by one. */
export async function hotChat({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sockets = 1000
  const posts = 256
  const { chats, product, readers, sql } = await busyProduct({ databaseUrl, tokenSecret, env }, 1, sockets)
  const [chat] = chats as [Chat]
  const bare = await startMeasured('bare-server.js', env)
  const tokens = chat.members.map(({ token }) => token)
  const theirs = await openAll(tokens, (token) => FrameReader.open(bare.port, '/socket', token))
  const frame = JSON.stringify({
    postID: 1000,
    author: { userID: chat.members[0]?.id, username: chat.members[0]?.username },
    text,
    timestamp: new Date(),
  })
  await warmUp(product, await createChats(sql, tokenSecret, 20, 2))
  const rows: Row[] = []
  for (const atOnce of [32, 1]) {
    const count = atOnce === 1 ? posts / 4 : posts
    const perTurn = atOnce === 1 ? 1 : 8
    const took: number[] = []
    rows.push(
      await compare(
        `one chat, ${sockets} sockets, ${atOnce} posts in flight`,
        'deliveries per CPU second',
        pairs,
        () => perCpuSecond(product, async () => (await posted(product, readers, chats, atOnce, count, took)).deliveries),
        () => nativelyPublished(bare, theirs, frame, count / perTurn, perTurn),
      ),
    )
    report(`hot chat, ${atOnce} in flight`, took)
  }
  for (const reader of [...theirs, ...readers.flat()]) reader.close()
  await Promise.all([product.stop(), bare.stop(), sql.end()])
  return rows
}

/** 500 chats of 10 sockets, 64 posts in flight: processor time of the server, against the statement of a post in a transaction, as many at once. */
export async function manyChats({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const { chats, product, readers, sql } = await busyProduct({ databaseUrl, tokenSecret, env }, 500, 10)
  const worker = await startMeasured('product-worker.js', env)
  const meter = new PartsMeter({ server: product, worker, sql, redisUrl: env['REDIS_URL'] ?? '' })
  const posts = 4000
  const bare = await startMeasured('bare-writes.js', env)
  const own = await createResidents(sql, tokenSecret, 1)
  const bareChats: string[] = []
  for (let at = 0; at < 500; at++) bareChats.push(await createChat(sql, own, 0))
  const order = { chats: bareChats, forums: [], authorId: own[0]?.id ?? '', atOnce: 64, durationMs: 1500 }
  // A server that has just started runs slower code.
  await posted(product, readers, chats, 64, 2 * posts, [])
  const took: number[] = []
  const row = await compare(
    '500 chats of 10 sockets, 64 posts in flight',
    'posts per CPU second',
    pairs,
    () =>
      perCpuSecond(
        product,
        async () => (await meter.during(posts, () => posted(product, readers, chats, 64, posts, took))).deliveries / 10,
      ),
    () => perCpuSecond(bare, () => bare.order<number>('chatPosts', order)),
  )
  report('many chats, 64 in flight', took)
  const each = meter.perOne()
  process.stdout.write(
    `  processor time of one post, us: ${Object.entries(each)
      .map(([part, us]) => `${part} ${shown(us)}`)
      .join(', ')}\n`,
  )
  meter.close()
  for (const reader of readers.flat()) reader.close()
  await Promise.all([product.stop(), worker.stop(), bare.stop(), sql.end()])
  return [row]
}

/** A chat with those who hold a socket at it. */
export interface Chat {
  id: string
  members: Resident[]
}

/** Makes chats of `size` members each. */
export async function createChats(sql: postgres.Sql, tokenSecret: string, count: number, size: number): Promise<Chat[]> {
  const residents = await createResidents(sql, tokenSecret, count * size)
  const chats: Chat[] = []
  for (let at = 0; at < count; at++) {
    const members = residents.slice(at * size, (at + 1) * size)
    chats.push({ id: await createChat(sql, members, 0), members })
  }
  return chats
}

/** A server that has just started runs slower code: it takes thousands of posts, one at a time too, until it is as fast as it gets. */
export async function warmUp(product: Measured, quiet: readonly Chat[]): Promise<void> {
  const nobody = quiet.map(() => [])
  await posted(product, nobody, quiet, 16, 8000, [])
  await posted(product, nobody, quiet, 1, 4000, [])
}

const frameStart = Buffer.from('{"postID":')
const zero = 0x30

/** The number of a post, in its frame. */
export function postIdIn(data: Buffer, from: number): number {
  for (let at = 0; at < frameStart.length; at++) if (data[from + at] !== frameStart[at]) throw new Error('a frame that is no post')
  return numberAt(data, from + frameStart.length)
}

/** Digit by digit, and without the rest: the load generator would otherwise be what everybody waits for. */
export function numberAt(data: Buffer, from: number): number {
  let number = 0
  for (let at = from; ; at++) {
    const digit = (data[at] ?? 0) - zero
    if (digit < 0 || digit > 9) return number
    number = 10 * number + digit
  }
}

/** A server of the product with the sockets of these chats, each of which checks what it gets. */
export async function busyProduct({ databaseUrl, tokenSecret, env }: Omit<Bench, 'stores'>, chatCount: number, size: number) {
  const sql = postgres(databaseUrl, { max: 1 })
  const chats = await createChats(sql, tokenSecret, chatCount, size)
  const product = await startMeasured('product-server.js', { ...env, WRITES_PER_MINUTE: '0' })
  const readers: FrameReader[][] = []
  for (const { id, members } of chats) {
    readers.push(
      await openAll(
        members.map(({ token }) => token),
        (token) => {
          let last = 0
          return FrameReader.open(product.port, `/api/v3/fez/${id}/socket`, token, (data, from) => {
            const postID = postIdIn(data, from)
            if (!(postID > last)) throw new Error('a post came twice, or out of order')
            last = postID
          })
        },
      ),
    )
  }
  return { chats, product, readers, sql }
}

/** The result of sending posts: frames that came to sockets, and the time until the last one. */
export interface Posted {
  deliveries: number
  seconds: number
}

/** The bytes of a post of this author. */
export type RequestOf = (chat: Chat, author: Resident) => Buffer

const productPost: RequestOf = ({ id }, { token }) => postRequest(`/api/v3/fez/${id}/post`, { text, images: [] }, token)

/** Posts over HTTP in turn into the chats, until all have come to all. `took` gets how long each answer took, in ms. */
export async function posted(
  { port }: { port: number },
  readers: readonly (readonly FrameReader[])[],
  chats: readonly Chat[],
  atOnce: number,
  count: number,
  took: number[],
  requestOf = productPost,
): Promise<Posted> {
  const connections = await Promise.all(Array.from({ length: atOnce }, () => Connection.open(port)))
  const senders = connections.map((connection): Sender => async (chat, author) => {
    const { status, body } = await connection.ask(requestOf(chat, author))
    if (status !== 201) throw new Error(`a post was answered ${status}: ${body.toString()}`)
  })
  const result = await postedBy(senders, readers, chats, count, took)
  for (const connection of connections) connection.close()
  return result
}

/** Sends a post of this author; resolves when it is answered. */
export type Sender = (chat: Chat, author: Resident) => Promise<void>

/** Each sender has one post under way; the authors take turns. Until all posts have come to all. */
export async function postedBy(
  senders: readonly Sender[],
  readers: readonly (readonly { frames: number }[])[],
  chats: readonly Chat[],
  count: number,
  took: number[],
): Promise<Posted> {
  const before = readers.map((ofChat) => ofChat.map(({ frames }) => frames))
  const perChat = chats.map(() => 0)
  let sent = 0
  const beganMs = performance.now()
  await Promise.all(
    senders.map(async (send) => {
      while (sent < count) {
        const at = sent % chats.length
        const chat = chats[at] as Chat
        const author = chat.members[Math.floor(sent / chats.length) % chat.members.length] as Resident
        sent++
        perChat[at] = (perChat[at] as number) + 1
        const startedMs = performance.now()
        await send(chat, author)
        took.push(performance.now() - startedMs)
      }
    }),
  )
  const isDone = () =>
    readers.every((ofChat, chat) =>
      ofChat.every(({ frames }, at) => frames === ((before[chat] as number[])[at] as number) + (perChat[chat] as number)),
    )
  const answeredMs = performance.now()
  while (!isDone()) {
    if (performance.now() - answeredMs > arriveWithinMs) throw new Error('posts have not come to all sockets')
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const seconds = (performance.now() - beganMs) / 1000
  return { deliveries: perChat.reduce((sum, posts, chat) => sum + posts * (chats[chat] as Chat).members.length, 0), seconds }
}

async function nativelyPublished(
  bare: Measured,
  readers: readonly FrameReader[],
  frame: string,
  turns: number,
  perTurn: number,
): Promise<number> {
  const goal = readers.map(({ frames }) => frames + turns * perTurn)
  return await perCpuSecond(bare, async () => {
    // As posts of which each waits for the answer to the one before.
    if (perTurn === 1) for (let turn = 0; turn < turns; turn++) await bare.order('publish', { frame, turns: 1, perTurn })
    else await bare.order('publish', { frame, turns, perTurn })
    while (readers.some(({ frames }, at) => frames < (goal[at] as number))) await new Promise((resolve) => setTimeout(resolve, 2))
    return readers.length * turns * perTurn
  })
}

/** Prints how long answers took. */
export function report(what: string, took: readonly number[]): void {
  const sorted = took.toSorted((a, b) => a - b)
  process.stdout.write(`  ${what}: answers p50 ${percentile(sorted, 0.5).toFixed(1)} ms, p99 ${percentile(sorted, 0.99).toFixed(1)} ms\n`)
}
