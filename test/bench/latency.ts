// How long a post is under way: from the moment its request is sent until its frame is at the sockets of
// all other members, with 3,000 users connected and 200 posts a second. Beside it, what one commit of
// Postgres takes meanwhile: no post can be told before its own.
import postgres from 'postgres'
import { openAll } from './fan-out.ts'
import { startWorker } from './images.ts'
import { Connection, FrameReader, postRequest } from './load.ts'
import { createChat, createResidents, type Resident } from './population.ts'
import { startMeasured, type Measured } from './processes.ts'
import type { Bench } from './run.ts'
import { percentile, rowOf, shown, shownSpread, type Row } from './table.ts'

const chatCount = 60
const membersOfChat = 50
const postsPerSecond = 200
const commitsPerSecond = 20
const rounds = 5
const secondsPerRound = 20
const warmUpSeconds = 5
/** A post that has not arrived by then is lost. */
const lostAfterMs = 10_000

interface Chat {
  id: string
  members: Resident[]
}

/** What a round has measured, in ms and in order. */
interface Round {
  deliveries: Float64Array
  answers: Float64Array
  commits: Float64Array
  loopDelayMs: number
  /** Of the serving process, of a core. */
  cpu: number
}

export async function latency({ databaseUrl, tokenSecret, env }: Bench): Promise<Row[]> {
  const sql = postgres(databaseUrl, { max: 1 })
  const chats = await createChats(sql, tokenSecret)
  await sql`create table if not exists bench_commit (number int)`
  const server = await startMeasured('product-server.js', { ...env, WRITES_PER_MINUTE: '0' })
  const stopWorker = await startWorker(env)
  const ship = await Ship.connect(server, sql, chats)
  await ship.sail(warmUpSeconds)
  const measured: Round[] = []
  for (let round = 0; round < rounds; round++) measured.push(await ship.sail(secondsPerRound))
  ship.disconnect()
  await Promise.all([server.stop(), stopWorker()])
  await sql.end()
  const at = (share: number) => shownSpread(measured.map(({ deliveries }) => percentile(deliveries, share)))
  process.stdout.write(
    `  ${chatCount * membersOfChat} sockets, ${postsPerSecond} posts/s to ${membersOfChat - 1} others each, ${rounds} rounds of ${secondsPerRound} s: nothing lost; ` +
      `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms, worst ${at(1)} ms; answer to the author p99 ${shownSpread(measured.map(({ answers }) => percentile(answers, 0.99)))} ms; ` +
      `loop delay p99 ${shownSpread(measured.map(({ loopDelayMs }) => loopDelayMs))} ms, processor ${shown(100 * Math.max(...measured.map(({ cpu }) => cpu)))} %\n`,
  )
  return [0.5, 0.99].map((share) =>
    rowOf(
      `post to a socket of another member, ${postsPerSecond} a second, ${chatCount * membersOfChat} sockets; p${share * 100}, against one commit`,
      'ms',
      measured.map(({ deliveries, commits }) => ({ ours: percentile(deliveries, share), limit: percentile(commits, share) })),
    ),
  )
}

async function createChats(sql: postgres.Sql, tokenSecret: string): Promise<Chat[]> {
  const residents = await createResidents(sql, tokenSecret, chatCount * membersOfChat)
  const chats: Chat[] = []
  for (let at = 0; at < residents.length; at += membersOfChat) {
    const members = residents.slice(at, at + membersOfChat)
    chats.push({ id: await createChat(sql, members, 20), members })
  }
  await sql`vacuum analyze`
  return chats
}

/** A post under way. */
interface Sent {
  sentMs: number
  authorId: string
}

/** All users at their sockets: every other one in his chat, the others at what concerns them. */
class Ship {
  readonly #server: Measured
  readonly #sql: postgres.Sql
  readonly #chats: readonly Chat[]
  readonly #idle: Connection[] = []
  #readers: FrameReader[] = []
  #sent: Sent[] = []
  #deliveries: number[] = []
  /** Numbers of posts of earlier rounds. */
  #before = 0

  private constructor(server: Measured, sql: postgres.Sql, chats: readonly Chat[]) {
    this.#server = server
    this.#sql = sql
    this.#chats = chats
  }

  static async connect(server: Measured, sql: postgres.Sql, chats: readonly Chat[]): Promise<Ship> {
    const ship = new Ship(server, sql, chats)
    for (const { id, members } of chats) {
      const places = new Map(
        members.map((member, index) => [
          member.token,
          { member, path: index % 2 === 0 ? `/api/v3/fez/${id}/socket` : '/api/v3/notification/socket' },
        ]),
      )
      ship.#readers.push(
        ...(await openAll([...places.keys()], (token) => {
          const { member, path } = places.get(token) as { member: Resident; path: string }
          return FrameReader.open(server.port, path, token, (data, from, to) => ship.#arrived(member, data.toString('latin1', from, to)))
        })),
      )
    }
    return ship
  }

  disconnect(): void {
    for (const each of [...this.#readers, ...this.#idle]) each.close()
  }

  /** Posts at times that are drawn, as people's are, and waits until all have arrived. */
  async sail(seconds: number): Promise<Round> {
    this.#before += this.#sent.length
    this.#sent = []
    this.#deliveries = []
    const answers: number[] = []
    const commits: number[] = []
    const underWay: Promise<void>[] = []
    let failure: unknown
    const begin = (work: Promise<void>) =>
      underWay.push(
        work.catch((error: unknown) => {
          failure ??= error
        }),
      )
    await this.#server.order('loopDelay')
    const cpuBefore = await this.#server.order<number>('cpuSeconds')
    const startMs = performance.now()
    let postDueMs = startMs
    let commitDueMs = startMs
    for (let nowMs = startMs; nowMs < startMs + seconds * 1000; nowMs = performance.now()) {
      for (; postDueMs <= nowMs; postDueMs -= (Math.log(1 - Math.random()) * 1000) / postsPerSecond) begin(this.#post(answers))
      for (; commitDueMs <= nowMs; commitDueMs += 1000 / commitsPerSecond) begin(this.#commit(commits))
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    await Promise.all(underWay)
    if (failure) throw failure
    const cpu = (((await this.#server.order<number>('cpuSeconds')) - cpuBefore) / (performance.now() - startMs)) * 1000
    const loopDelayMs = await this.#server.order<number>('loopDelay')
    await this.#allArrived()
    return {
      deliveries: Float64Array.from(this.#deliveries).sort(),
      answers: Float64Array.from(answers).sort(),
      commits: Float64Array.from(commits).sort(),
      loopDelayMs,
      cpu,
    }
  }

  async #post(answers: number[]): Promise<void> {
    const number = this.#before + this.#sent.length
    const chat = this.#chats[(number * 7) % chatCount] as Chat
    const author = chat.members[(number * 13) % membersOfChat] as Resident
    const request = postRequest(
      `/api/v3/fez/${chat.id}/post`,
      { text: `Dinner is at eight, and whoever comes late washes up. #${number};`, images: [] },
      author.token,
    )
    const sent = { sentMs: NaN, authorId: author.id }
    this.#sent.push(sent)
    // All in turn: the server closes a connection that nobody uses.
    const connection = this.#idle.shift() ?? (await Connection.open(this.#server.port))
    sent.sentMs = performance.now()
    const { status, body } = await connection.ask(request)
    answers.push(performance.now() - sent.sentMs)
    this.#idle.push(connection)
    if (status !== 201) throw new Error(`a post was answered with ${status}: ${body.toString()}`)
  }

  async #commit(commits: number[]): Promise<void> {
    const sql = this.#sql
    const startedMs = performance.now()
    await sql`insert into bench_commit values (1)`
    commits.push(performance.now() - startedMs)
  }

  #arrived(member: Resident, payload: string): void {
    const nowMs = performance.now()
    const sent = this.#sent[Number(/#(\d+);/.exec(payload)?.[1]) - this.#before]
    if (sent && sent.authorId !== member.id) this.#deliveries.push(nowMs - sent.sentMs)
  }

  async #allArrived(): Promise<void> {
    const owed = this.#sent.length * (membersOfChat - 1)
    const deadline = performance.now() + lostAfterMs
    while (this.#deliveries.length < owed && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
    if (this.#deliveries.length !== owed) throw new Error(`${this.#deliveries.length} of ${owed} frames have arrived`)
  }
}
