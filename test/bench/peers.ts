// The product beside servers of others that pass posts on and store nothing: a bare server that publishes natively, nchan
// and ejabberd, the latter two where they are installed. By the clock, all processes of each on the same core.
import { busyProduct, createChats, posted, report, warmUp, type Posted } from './busy-chats.ts'
import { joinRooms, startEjabberd } from './ejabberd.ts'
import { startNchan } from './nchan.ts'
import { joinOverHttp } from './peer.ts'
import { moveTo, startMeasured } from './processes.ts'
import type { Bench } from './run.ts'
import { compare, shown, type Row } from './table.ts'
import { cpuSeconds, pidsOf } from './whole-product.ts'

interface Load {
  atOnce: number
  /** Of the run before the measured one. */
  posts: number
  counted: 'deliveries' | 'posts'
}

const pairs = 9
const measuredSeconds = 2

const others = [
  { name: 'native publish', start: () => startMeasured('bare-server.js', {}), join: joinOverHttp },
  { name: 'nchan', start: startNchan, join: joinOverHttp },
  { name: 'ejabberd MUC', start: startEjabberd, join: joinRooms },
]

/** One chat with 1,000 sockets, 32 posts in flight and one; 500 chats of 10 sockets, 64 in flight. */
export async function peers(bench: Bench): Promise<Row[]> {
  const stores = () => bench.stores.flatMap(pidsOf)
  moveTo('server', stores())
  try {
    const busy = await beside(bench, 1, 1000, [
      { atOnce: 32, posts: 128, counted: 'deliveries' },
      { atOnce: 1, posts: 64, counted: 'posts' },
    ])
    return [...busy, ...(await beside(bench, 500, 10, [{ atOnce: 64, posts: 4000, counted: 'posts' }]))]
  } finally {
    moveTo('all', stores())
  }
}

async function beside(bench: Bench, chatCount: number, size: number, loads: readonly Load[]): Promise<Row[]> {
  const { chats, product, readers, sql } = await busyProduct(bench, chatCount, size)
  const worker = await startMeasured('product-worker.js', bench.env)
  await warmUp(product, await createChats(sql, bench.tokenSecret, 20, 2))
  const rows: Row[] = []
  for (const { name, start, join } of others) {
    const server = await start()
    if (!server) continue
    try {
      const members = await join(server, chats)
      for (const { atOnce, posts, counted } of loads) {
        const what = `${chatCount === 1 ? 'one chat' : `${chatCount} chats`} of ${size} sockets, ${atOnce} in flight`
        const ours = new Meter(`${what}, the product`, [product.pid, worker.pid, ...bench.stores])
        const theirs = new Meter(`${what}, ${name}`, [server.pid])
        const perSecond = ({ deliveries, seconds }: Posted) => (counted === 'posts' ? deliveries / size : deliveries) / seconds
        rows.push(
          await compare(
            `${what}, against ${name}`,
            `${counted} a second`,
            pairs,
            async () => perSecond(await ours.sustained(posts, (count, took) => posted(product, readers, chats, atOnce, count, took))),
            async () => perSecond(await theirs.sustained(posts, (count, took) => members.posted(atOnce, count, took))),
          ),
        )
        ours.report()
        theirs.report()
      }
      members.close()
    } finally {
      await server.stop()
    }
  }
  for (const reader of readers.flat()) reader.close()
  await Promise.all([product.stop(), worker.stop(), sql.end()])
  return rows
}

/** How long answers took, and the processor time of a server and of the load generator, which is not to be what everybody waits for. */
class Meter {
  readonly #what: string
  readonly #roots: readonly number[]
  readonly #took: number[] = []
  #deliveries = 0
  #serverSeconds = 0
  #loadSeconds = 0

  constructor(what: string, roots: readonly number[]) {
    this.#what = what
    this.#roots = roots
  }

  /**
   * Measures two seconds of a load. Some posts come before, of which only the speed is used: the processor has forgotten a server
   * while it ran another one, which makes the first posts slower.
   */
  async sustained(before: number, post: (count: number, took: number[]) => Promise<Posted>): Promise<Posted> {
    const { seconds } = await post(before, [])
    const count = Math.max(before, Math.round((measuredSeconds * before) / seconds))
    const [server, load] = [this.#used(), process.cpuUsage()]
    const result = await post(count, this.#took)
    const { user, system } = process.cpuUsage(load)
    this.#serverSeconds += this.#used() - server
    this.#loadSeconds += (user + system) / 1e6
    this.#deliveries += result.deliveries
    return result
  }

  report(): void {
    report(this.#what, this.#took)
    const each = (seconds: number) => shown((1e6 * seconds) / this.#deliveries)
    process.stdout.write(
      `    processor time of one delivery, us: ${each(this.#serverSeconds)}, load generator ${each(this.#loadSeconds)}\n`,
    )
  }

  #used(): number {
    return this.#roots.reduce((sum, root) => sum + cpuSeconds(root), 0)
  }
}
