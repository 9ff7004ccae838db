// Pages, lists and searches of forums and of the microblog, with a million posts behind them.
import postgres from 'postgres'
import { createCommunity, type Community } from './community.ts'
import { countRequests, fetchOnce, getRequest, timeRequests } from './load.ts'
import { perCpuSecond, startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, median, type Row } from './table.ts'

const connections = 32
const durationMs = 4000
const pairs = 5
/** Before anything is measured: a server that has just started runs slower code, and has nothing in memory. */
const warmUpMs = 10_000
/** Of a machine on which few of the posts are in memory. */
const smallMemoryMb = 1024
const inFlight = 3000
const anyPage = 'page of 50 posts, any of any forum'
/** Each turn asks for another part of the pages. */
const parts = 8
/** So many that nobody asks twice for the same page: no answer is in memory, but posts may be. */
const manyPages = 200_000

export async function content({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const startedMs = performance.now()
  const community = await createCommunity(sql, tokenSecret)
  process.stdout.write(`  filled in ${Math.round((performance.now() - startedMs) / 1000)} s\n`)
  await sql.end()
  return await measureContent(env, community)
}

/** The same, of content that is there. */
export async function measureContent(env: Bench['env'], community: Community): Promise<Row[]> {
  const [product, bare] = await Promise.all([startMeasured('product-server.js', env), startMeasured('bare-pages.js', env)])
  await bare.order('viewers', community.regulars)
  const rows = await pages(product, bare, community)
  const small = await startMeasured('product-server.js', { ...env, MEMORY_MB: String(smallMemoryMb) })
  rows.splice(1, 0, await besideBare(`${anyPage}, with ${smallMemoryMb} MB of memory`, small, bare, anyPages(community, manyPages)))
  await small.stop()
  await crowd(product, community)
  await routes(product, community)
  await Promise.all([product.stop(), bare.stop()])
  return rows
}

/** Always the same for a number; below 1. */
const spread = (number: number): number => (number * 0.618_033_988_749_895) % 1

/** Any pages of any forums, by all regulars in turn. */
function anyPages({ regulars, forumIds }: Community, count: number): Buffer[] {
  return Array.from({ length: count }, (_, number) => {
    const forum = forumIds[Math.floor(spread(number) * forumIds.length)] as string
    const start = 50 * Math.floor(spread(number * 7) * 3)
    return getRequest(`/api/v3/forum/${forum}?start=${start}&limit=50`, (regulars[number % regulars.length] as { token: string }).token)
  })
}

async function pages(product: Measured, bare: Measured, community: Community): Promise<Row[]> {
  const [longest, eightHundred] = community.forumIds
  const everybody = (path: string) => community.regulars.map(({ token }) => getRequest(`/api/v3${path}`, token))
  const rows: Row[] = []
  for (const [work, requests] of [
    [anyPage, anyPages(community, manyPages)],
    ['page of 50 posts, the same by 50 users', everybody(`/forum/${eightHundred}?start=0&limit=50`)],
    ['newest 50 posts of the microblog, by 50 users', everybody('/microblog')],
  ] as const) {
    await Promise.all([product, bare].map((server) => requireAnswers(server, requests.slice(0, 50))))
    rows.push(await besideBare(work, product, bare, requests))
  }
  for (const [work, far, near] of [
    ['last page of 800 posts, against the first', `/forum/${eightHundred}?start=700&limit=50`, `/forum/${eightHundred}?start=0&limit=50`],
    ['last page of 100,000 posts, against the first', `/forum/${longest}?start=99700&limit=50`, `/forum/${longest}?start=0&limit=50`],
  ] as const) {
    const milliseconds = async (path: string) => median(await timeRequests(product.port, everybody(path), 1, 200))
    rows.push(
      await compare(
        work,
        'ms',
        pairs,
        () => milliseconds(far),
        () => milliseconds(near),
      ),
    )
  }
  return rows
}

/** Both answer the same requests, one turn after the other. */
async function besideBare(work: string, product: Measured, bare: Measured, requests: readonly Buffer[]): Promise<Row> {
  for (const { port } of [product, bare]) await countRequests(port, requests, connections, warmUpMs)
  const count = (server: Measured) => {
    let turn = 0
    return () => {
      const from = Math.floor((requests.length * (++turn % parts)) / parts)
      return countRequests(server.port, requests.slice(from), connections, durationMs)
    }
  }
  const [ofProduct, ofBare] = [count(product), count(bare)]
  return await compare(
    work,
    'requests per CPU second',
    pairs,
    () => perCpuSecond(product, ofProduct),
    () => perCpuSecond(bare, ofBare),
  )
}

async function requireAnswers({ port }: Measured, requests: readonly Buffer[]): Promise<void> {
  for (const request of requests) {
    const { status, body } = await fetchOnce(port, request)
    if (status !== 200) throw new Error(`${request.toString('latin1', 0, 100)} was answered with ${status}: ${body.toString()}`)
  }
}

/** Everybody at once. */
async function crowd({ port }: Measured, community: Community): Promise<void> {
  const elapsedMs = await timeRequests(port, anyPages(community, 2 * inFlight), inFlight, 2 * inFlight)
  process.stdout.write(`  ${2 * inFlight} pages of 50 posts, ${inFlight} in flight: all answered; ${shownTimes(elapsedMs)}\n`)
}

const shownTimes = (elapsedMs: readonly number[]): string => {
  const sorted = elapsedMs.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`
}

/** Every list and search, one request at a time. */
async function routes({ port }: Measured, { regulars, residents, categoryIds, forumIds, vocabulary, hashtags }: Community): Promise<void> {
  const word = (number: number) => vocabulary[number] as string
  const [longest, eightHundred] = forumIds
  const [category] = categoryIds
  const tag = (number: number) => encodeURIComponent(hashtags[number] as string)
  const name = residents[0]?.username
  const paths = [
    '/forum/categories',
    `/forum/categories/${category}`,
    `/forum/categories/${category}?sort=title&start=400`,
    '/forum/owner',
    '/forum/favorites',
    '/forum/mutes',
    '/forum/unread',
    '/forum/recent',
    `/forum/search?search=${word(1)}`,
    `/forum/search?searchposts=${word(0)}`,
    `/forum/search?searchposts=${word(5000)}`,
    '/forum/search?posted=true',
    '/forum/search?unread=true',
    `/forum/search?creator=${name}`,
    `/forum/${eightHundred}`,
    `/forum/${longest}`,
    `/forum/${longest}?start=0`,
    `/forum/${eightHundred}/pinnedposts`,
    '/forum/post/search',
    '/forum/post/search?start=20000',
    `/forum/post/search?search=${word(0)}`,
    `/forum/post/search?search=${word(100)}`,
    `/forum/post/search?search=${word(5000)}`,
    `/forum/post/search?search=${word(0)}%20${word(1)}`,
    `/forum/post/search/${word(0)}`,
    `/forum/post/search/${word(100)}`,
    `/forum/post/search/${word(5000)}`,
    `/forum/post/search?category=${category}`,
    `/forum/post/search?forum=${longest}`,
    `/forum/${longest}/search/${word(0)}`,
    `/forum/${eightHundred}/search/${word(0)}`,
    `/forum/${longest}/search/${word(5000)}`,
    `/forum/post/hashtag/${tag(0)}`,
    `/forum/post/hashtag/${tag(499)}`,
    `/forum/post/search?hashtag=${tag(0)}`,
    '/forum/bookmarks',
    '/forum/likes',
    '/forum/mentions',
    '/forum/posts',
    '/forum/post/search?byself=true',
    '/forum/post/search?bookmarked=true',
    '/microblog',
    '/microblog?start=20000',
    '/microblog?from=first',
    '/microblog?before=100000',
    '/microblog?after=100000',
    '/microblog?hideReplies=true',
    '/microblog?replyGroup=100000',
    `/microblog?byUsername=${name}`,
    `/microblog/user/${residents[19_000]?.id}`,
    '/microblog/user',
    '/microblog/bookmarks',
    '/microblog/likes',
    '/microblog/mentions',
    `/microblog/hashtag/${tag(0)}`,
    `/microblog/hashtag/${tag(499)}`,
    `/microblog/search/${word(0)}`,
    `/microblog/search/${word(100)}`,
    `/microblog/search/${word(5000)}`,
  ]
  for (const path of paths) {
    const elapsedMs = await timeRequests(
      port,
      regulars.slice(0, 20).map(({ token }) => getRequest(`/api/v3${path}`, token)),
      1,
      100,
    )
    process.stdout.write(`  GET ${path.replace(/[0-9a-f-]{36}/g, ':id')}: ${shownTimes(elapsedMs)}\n`)
  }
}
