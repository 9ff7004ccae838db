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

const text = 'Dinner is at eight, and whoever comes late washes up.'
const pairs = 3

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

/**
 * 500 chats of 10 sockets, 64 posts in flight: processor time of the server, against the statement of a post in a
 * transaction, as many at once; and posts a second, all parts on one core, against a bare server there that stores nothing.
 */
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
  const native = await startMeasured('bare-server.js', env)
  const theirs: FrameReader[][] = []
  for (const { id, members } of chats)
    theirs.push(
      await openAll(
        members.map(({ token }) => token),
        (token) => FrameReader.open(native.port, `/chats/${id}`, token),
      ),
    )
  const perSecond = ({ deliveries, seconds }: Posted) => deliveries / 10 / seconds
  const clocked = await compare(
    'the same, all of it on one core',
    'posts a second',
    pairs,
    async () => perSecond(await posted(product, readers, chats, 64, posts, took)),
    async () => perSecond(await posted(native, theirs, chats, 64, posts, [], (id) => `/chats/${id}`)),
  )
  for (const reader of [...readers, ...theirs].flat()) reader.close()
  await Promise.all([product.stop(), worker.stop(), bare.stop(), native.stop(), sql.end()])
  return [row, clocked]
}

interface Chat {
  id: string
  members: Resident[]
}

async function createChats(sql: postgres.Sql, tokenSecret: string, count: number, size: number): Promise<Chat[]> {
  const residents = await createResidents(sql, tokenSecret, count * size)
  const chats: Chat[] = []
  for (let at = 0; at < count; at++) {
    const members = residents.slice(at * size, (at + 1) * size)
    chats.push({ id: await createChat(sql, members, 0), members })
  }
  return chats
}

/** A server that has just started runs slower code: it takes thousands of posts, one at a time too, until it is as fast as it gets. */
async function warmUp(product: Measured, quiet: readonly Chat[]): Promise<void> {
  const nobody = quiet.map(() => [])
  await posted(product, nobody, quiet, 16, 8000, [])
  await posted(product, nobody, quiet, 1, 4000, [])
}

const frameStart = Buffer.from('{"postID":')
const zero = 0x30

/** Digit by digit, and without the rest: the load generator would otherwise be what everybody waits for. */
function postIdIn(data: Buffer, from: number): number {
  for (let at = 0; at < frameStart.length; at++) if (data[from + at] !== frameStart[at]) throw new Error('a frame that is no post')
  let id = 0
  for (let at = from + frameStart.length; ; at++) {
    const digit = (data[at] ?? 0) - zero
    if (digit < 0 || digit > 9) return id
    id = 10 * id + digit
  }
}

async function busyProduct({ databaseUrl, tokenSecret, env }: Bench, chatCount: number, size: number) {
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

/** What posts have come to: frames at the sockets, and how long it took until the last had come. */
interface Posted {
  deliveries: number
  seconds: number
}

/** Posts in turn into the chats, until all have come to all. `took` gets how long each answer took, in ms. */
async function posted(
  server: Measured,
  readers: readonly (readonly FrameReader[])[],
  chats: readonly Chat[],
  atOnce: number,
  count: number,
  took: number[],
  pathOf = (id: string) => `/api/v3/fez/${id}/post`,
): Promise<Posted> {
  const connections = await Promise.all(Array.from({ length: atOnce }, () => Connection.open(server.port)))
  const before = readers.map((ofChat) => ofChat.map(({ frames }) => frames))
  const perChat = chats.map(() => 0)
  let sent = 0
  const beganMs = performance.now()
  await Promise.all(
    connections.map(async (connection) => {
      while (sent < count) {
        const at = sent % chats.length
        const chat = chats[at] as Chat
        const author = chat.members[Math.floor(sent / chats.length) % chat.members.length] as Resident
        sent++
        perChat[at] = (perChat[at] as number) + 1
        const startedMs = performance.now()
        const { status, body } = await connection.ask(postRequest(pathOf(chat.id), { text, images: [] }, author.token))
        if (status !== 201) throw new Error(`a post was answered ${status}: ${body.toString()}`)
        took.push(performance.now() - startedMs)
      }
    }),
  )
  const isDone = () =>
    readers.every((ofChat, chat) =>
      ofChat.every(({ frames }, at) => frames === ((before[chat] as number[])[at] as number) + (perChat[chat] as number)),
    )
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 2))
  const seconds = (performance.now() - beganMs) / 1000
  for (const connection of connections) connection.close()
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

function report(what: string, took: readonly number[]): void {
  const sorted = took.toSorted((a, b) => a - b)
  process.stdout.write(`  ${what}: answers p50 ${percentile(sorted, 0.5).toFixed(1)} ms, p99 ${percentile(sorted, 0.99).toFixed(1)} ms\n`)
}
