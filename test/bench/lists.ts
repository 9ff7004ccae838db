// The lists that everybody opens, by many readers in turn, against a bare server that sends the same bytes: while
// nobody writes, while 50 posts a second are written elsewhere, and while they are written into what the lists show.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { runningPostgres } from '../../src/embedded/postgres.ts'
import { Connection, countRequests, fetchOnce, getRequest, postRequest, timeRequestsFor } from './load.ts'
import { createChat, createForum, createResidents, type Resident } from './population.ts'
import { perCpuSecond, startMeasured } from './processes.ts'
import { markdown, percentile, shown, type Row } from './table.ts'
import { cpuSeconds, withProduct, type Product } from './whole-product.ts'

const connections = 64
const durationMs = Number(process.env['BENCH_LISTS_MS'] ?? 2000)
const only = process.env['BENCH_LISTS_ONLY']?.split(',')
const readerCount = 50
const chatsOfReaders = 60
const membersOfChat = 10
const writesPerSecond = 50
const rounds = 30
/** In each place, before anything is measured: a server that has just started runs slower code. */
const postsBefore = 8000
const text = 'Dinner is at eight, and whoever comes late washes up.'

/** Where posts are written. */
interface Place {
  writers: readonly Resident[]
  /** With the numbers of their members among the writers. */
  chats: readonly { id: string; members: readonly number[] }[]
  forums: readonly string[]
}

interface World {
  readers: Resident[]
  page: string
  category: string
  elsewhere: Place
  there: Place
}

/** Prints a table. */
export async function lists(): Promise<Row[]> {
  await withProduct(async (product) => {
    const world = await populate(product)
    const bare = await startMeasured('bare-server.js', {})
    for (const place of [world.elsewhere, world.there]) await warmUp(product, place)
    const costs = { elsewhere: await costOfWriting(product, world.elsewhere), there: await costOfWriting(product, world.there) }
    process.stdout.write(
      `  ${writesPerSecond} posts a second alone: ${shown(costs.elsewhere * 1000)} ms of processor time, in what is shown ${shown(costs.there * 1000)}\n`,
    )
    const lines: string[][] = []
    for (const path of pathsOf(world)) {
      if (only && !only.some((word) => path.includes(word))) continue
      const requests = world.readers.map(({ token }) => getRequest(`/api/v3${path}`, token))
      // What they have not read is read then.
      for (let times = 0; times < 3; times++) for (const request of requests) await fetchOnce(product.port, request)
      const { status, body } = await fetchOnce(product.port, requests[0] as Buffer)
      if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body.toString()}`)
      const reader = world.readers[0] as Resident
      await bare.order('answer', { body: body.toString(), token: reader.token })
      const limit = await perCpuSecond(bare, () => countRequests(bare.port, requests[0] as Buffer, connections, durationMs / 2))
      const quiet = await asked(product, requests)
      const elsewhere = await whileWriting(product, world.elsewhere, () => asked(product, requests))
      const there = await whileWriting(product, world.there, () => asked(product, requests))
      const again = await costOfMaking(product, world.elsewhere, requests)
      lines.push([
        path.replace(/[0-9a-f-]{36}/g, ':id'),
        shown(body.length / 1000),
        shown(limit),
        ...[quiet, elsewhere, there].flatMap(({ perCpuSecond: rate, p99 }) => [shown(rate), (rate / limit).toFixed(2), shown(p99)]),
        shown(again * 1e6),
      ])
    }
    await bare.stop()
    const columns = ['nobody writes', '50 posts/s elsewhere', '50 posts/s there'].flatMap((what) => [what, 'ratio', 'p99 ms'])
    process.stdout.write(
      `${markdown(['GET, answers per second of processor time', 'kB', 'bare server', ...columns, 'after posts elsewhere, us more'], lines)}\n`,
    )
  })
  return []
}

const pathsOf = ({ page, category }: World): string[] => [
  '/fez/joined',
  '/fez/owner',
  `/forum/${page}?start=0&limit=50`,
  `/forum/categories/${category}`,
  '/forum/categories',
  '/forum/unread',
  '/forum/recent',
  '/microblog',
  '/boardgames',
  '/karaoke?search=t',
]

async function populate({ dataDir, port }: Product): Promise<World> {
  const sql = postgres(runningPostgres(join(dataDir, 'postgres'), 'quarterdeck') ?? '', { max: 1, onnotice: () => undefined })
  const secret = readFileSync(join(dataDir, 'token-secret'), 'utf8')
  const readers = await createResidents(sql, secret, readerCount)
  const others = await createResidents(sql, secret, readerCount)
  const chatsOf = async (people: readonly Resident[]) => {
    const chats: { id: string; members: number[] }[] = []
    for (let nr = 0; nr < chatsOfReaders; nr++) {
      const members = Array.from({ length: membersOfChat }, (_, at) => (nr * 7 + at * 3) % people.length)
      const id = await createChat(
        sql,
        members.map((at) => people[at] as Resident),
        20,
      )
      chats.push({ id, members })
    }
    return chats
  }
  const [reader, other] = [readers[0] as Resident, others[0] as Resident]
  const forumsIn = async (author: Resident, category: string) => {
    const ids: string[] = []
    for (let nr = 0; nr < 30; nr++) ids.push(await createForum(sql, author, category))
    return ids
  }
  const forums = await forumsIn(reader, 'Bench')
  const page = forums[0] as string
  for (let nr = 1; nr < 50; nr++) {
    const post = postRequest(`/api/v3/forum/${page}/create`, { text: `${text} ${nr}`, images: [] }, readers[nr]?.token)
    const { status, body } = await fetchOnce(port, post)
    if (status !== 201) throw new Error(`a post was answered with ${status}: ${body.toString()}`)
  }
  const [{ category } = { category: '' }] = await sql<{ category: string }[]>`select category_id as category from forum where id = ${page}`
  const world = {
    readers,
    page,
    category,
    elsewhere: { writers: others, chats: await chatsOf(others), forums: await forumsIn(other, 'Elsewhere') },
    there: { writers: readers, chats: await chatsOf(readers), forums },
  }
  await sql.end()
  return world
}

/** A post in a chat, a forum or the microblog in turn. */
async function write(connection: Connection, { writers, chats, forums }: Place, nr: number): Promise<void> {
  const { id, members } = chats[nr % chats.length] as Place['chats'][number]
  const author = nr % 3 === 0 ? (members[nr % members.length] as number) : nr % writers.length
  const path = [`/fez/${id}/post`, `/forum/${forums[nr % forums.length]}/create`, '/microblog/create'][nr % 3]
  const { status, body } = await connection.ask(postRequest(`/api/v3${path}`, { text, images: [] }, writers[author]?.token))
  if (status !== 201) throw new Error(`a post was answered with ${status}: ${body.toString()}`)
}

async function warmUp({ port }: Product, place: Place): Promise<void> {
  const connections = await Promise.all(Array.from({ length: 8 }, () => Connection.open(port)))
  let count = 0
  await Promise.all(
    connections.map(async (connection) => {
      while (count < postsBefore) await write(connection, place, count++)
      connection.close()
    }),
  )
}

async function whileWriting<T>({ port }: Product, place: Place, work: () => Promise<T>): Promise<T> {
  const free = await Promise.all(Array.from({ length: 8 }, () => Connection.open(port)))
  let count = 0
  let failure: unknown
  const timer = setInterval(() => {
    const connection = free.pop()
    if (connection)
      write(connection, place, count++)
        .then(() => free.push(connection))
        .catch((error: unknown) => {
          failure = error
        })
  }, 1000 / writesPerSecond)
  const result = await work()
  clearInterval(timer)
  await new Promise((resolve) => setTimeout(resolve, 300))
  for (const connection of free) connection.close()
  if (failure) throw failure
  return result
}

/** Processor time of a second of writing. */
async function costOfWriting(product: Product, place: Place): Promise<number> {
  return await whileWriting(product, place, async () => {
    const before = cpuSeconds(product.pid)
    await new Promise((resolve) => setTimeout(resolve, durationMs))
    return ((cpuSeconds(product.pid) - before) * 1000) / durationMs
  })
}

/** Answers per second of the processor time of the whole product, that of the writing included. */
async function asked(product: Product, requests: readonly Buffer[]) {
  const before = cpuSeconds(product.pid)
  const times = (await timeRequestsFor(product.port, requests, connections, durationMs)).toSorted((a, b) => a - b)
  return { perCpuSecond: times.length / (cpuSeconds(product.pid) - before), p99: percentile(times, 0.99) }
}

/**
 * Processor time of an answer after a chat, a forum and the microblog have each got a post, less that of one when nothing
 * was written: with the same posts and the same requests, in turn and one after the other. How busy the machine is counts for less here.
 */
async function costOfMaking(product: Product, place: Place, requests: readonly Buffer[]): Promise<number> {
  const connections = await Promise.all(requests.map(() => Connection.open(product.port)))
  const ask = () => Promise.all(requests.map((request, at) => (connections[at] as Connection).ask(request)))
  let count = 0
  const posts = async () => {
    for (let times = 0; times < 3; times++) await write(connections[0] as Connection, place, count++)
  }
  const cost = async (steps: readonly (() => Promise<unknown>)[]) => {
    const before = cpuSeconds(product.pid)
    for (const step of steps) await step()
    return cpuSeconds(product.pid) - before
  }
  const each = Array.from({ length: rounds })
  await ask()
  const mixed = await cost(each.flatMap(() => [posts, ask]))
  const apart = await cost([...each.map(() => posts), ...each.map(() => ask)])
  for (const connection of connections) connection.close()
  return (mixed - apart) / rounds / requests.length
}
