// Users who write, read, join and listen all the time on several servers, who remember what they
// were told, and whose memories can be held against Postgres afterwards.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../../src/core/db/db.ts'
import { createAccounts, type TestAccount } from './accounts.ts'
import { Client, Refused, type Answer, type TestSocket } from './client.ts'
import { until } from './until.ts'

/** A post that somebody sent, however it ended. */
interface Sent {
  text: string
  by: string
  beganMs: number
  /** Set once it was answered with 201. */
  postID?: number
  /** An attempt had no answer, or one that says nothing: nobody could tell at once that it was there. */
  doubtful?: boolean
}

/** One socket, from its opening to its end. */
interface Line {
  kind: 'chat' | 'notes'
  of: Person
  node: number
  socket: TestSocket
  /** Everything sent to the chat from here on is owed to it. */
  openedMs: number
  /** Closed by us. */
  given: boolean
}

interface Person {
  account: TestAccount
  /** The server it prefers, and the one it uses. */
  home: number
  at: number
  lines: Partial<Record<Line['kind'], Line>>
  /** Whether it is in the second chat; undefined while it does not know how its last request ended. */
  onDeck: boolean | undefined
  /** Whether it ever reads or writes in the chat itself. */
  looks: boolean
}

/** A post that is there, as sockets should have got it. */
interface Owed {
  text: string
  authorId: string
  beganMs: number
  doubtful: boolean
}

interface Refusal {
  status: number
  retryAfter: unknown
  ms: number
}

const paceMs = 60
const retryPauseMs = 50
/** No post takes longer than this without a fault. */
const underWayMs = 1000
/** Longer than a server takes for the slowest answer. */
const patienceMs = 30_000

export class Crowd {
  readonly people: Person[]
  readonly chat: string
  readonly deck: string
  /** Answers other than the wanted ones since the last `forgive`, and how long each took. */
  readonly refusals: Refusal[] = []
  slowestMs = 0
  readonly #urls: readonly string[]
  readonly #sql: () => Sql
  readonly #sent = new Map<string, Sent>()
  readonly #lines: Line[] = []
  readonly #clients = new Map<string, Client>()
  readonly #firstSeq: number
  readonly #eventsLost: { from: number; to: number }[] = []
  #running = false
  #acknowledged = 0
  #loops: Promise<void>[] = []
  #number = 0

  private constructor(urls: readonly string[], sql: () => Sql, people: Person[], chats: { chat: string; deck: string; firstSeq: number }) {
    this.#urls = urls
    this.#sql = sql
    this.people = people
    this.chat = chats.chat
    this.deck = chats.deck
    this.#firstSeq = chats.firstSeq
  }

  /** Makes `size` accounts, at home on the servers in turn, and a chat of all of them with both sockets open for each. */
  static async gather(urls: readonly string[], sql: () => Sql, size: number): Promise<Crowd> {
    const accounts = await createAccounts(
      sql(),
      Array.from({ length: size }, () => ({})),
    )
    const people = accounts.map((account, index): Person => ({
      account,
      home: index % urls.length,
      at: index % urls.length,
      lines: {},
      onDeck: false,
      looks: false,
    }))
    const owner = new Client(urls[0] as string, accounts[0]?.token)
    const [chat, deck] = await Promise.all(
      [accounts.slice(1).map(({ id }) => id), []].map((initialUsers) => createLfg(owner, 'Faults', { initialUsers })),
    )
    const [row] = await sql()<{ seq: number }[]>`select seq from fez where id = ${chat as string}`
    const crowd = new Crowd(urls, sql, people, { chat: chat as string, deck: deck as string, firstSeq: row?.seq ?? 0 })
    await crowd.#goHome()
    return crowd
  }

  /** A client of a person at a server, by default the one it uses. */
  client(person: Person, node = person.at): Client {
    const key = `${person.account.id} ${node}`
    let client = this.#clients.get(key)
    if (!client) this.#clients.set(key, (client = new Client(this.#urls[node] as string, person.account.token)))
    return client
  }

  /** Sets everybody to work. */
  begin(): void {
    this.#running = true
    this.#loops = this.people.flatMap((person, index) => {
      // The owner of the second chat stays in it.
      const habits =
        index === 0
          ? []
          : index % 5 === 0
            ? [() => this.#comeAndGo(person)]
            : index % 5 === 1
              ? [() => this.#read(person)]
              : [() => this.#write(person)]
      return habits.map((habit) => this.#repeat(habit))
    })
  }

  /** Resolves when nobody does anything any more and everything begun has been answered. */
  async rest(): Promise<void> {
    this.#running = false
    await Promise.all(this.#loops)
    this.#loops = []
  }

  /** Resolves when `count` further posts were answered with 201. */
  async posts(count: number): Promise<void> {
    const goal = this.#acknowledged + count
    await until(() => this.#acknowledged >= goal, `${count} further posts`, 40_000)
  }

  /** While `work` runs, and shortly before, events between servers get lost. */
  async losingEvents(work: () => Promise<void>): Promise<void> {
    const from = performance.now() - underWayMs
    await work()
    this.#eventsLost.push({ from, to: performance.now() })
  }

  /** Forgets the refusals so far. */
  forgive(): void {
    this.refusals.length = 0
    this.slowestMs = 0
  }

  /** Sockets that have stayed open since. */
  openLines(node?: number): readonly Line[] {
    return this.#lines.filter(({ socket, given, node: at }) => !given && socket.open && (node === undefined || at === node))
  }

  /**
   * Resolves when a post through each server reaches every person's sockets, on whichever server they
   * are: from now on nothing is missing any more.
   */
  async served(): Promise<void> {
    await this.#goHome()
    const author = this.people[0] as Person
    for (const node of this.#urls.keys()) {
      const { text } = await this.#post(author, { node, key: randomUUID() })
      for (const { lines } of this.people) {
        await until(() => textsOn(lines.chat).includes(text), `a post reaches the chat sockets of server ${lines.chat?.node}`)
        if (lines.notes?.of !== author)
          await until(() => textsOn(lines.notes).includes(text), `a post reaches the notification sockets of server ${lines.notes?.node}`)
      }
    }
  }

  /** Holds everything anybody was told against the rows. Nobody may be at work. */
  async check(): Promise<void> {
    const sql = this.#sql()
    const rows = await sql<
      { id: number; text: string; authorId: string }[]
    >`select id, text, author_id from fez_post where fez_id = ${this.chat} and deleted_at is null order by id`
    this.#checkPosts(rows)
    await this.#checkNumbers(rows)
    await this.#checkDeck()
    const owed = rows.map(({ text, authorId }) => ({
      text,
      authorId,
      beganMs: this.#sent.get(text)?.beganMs ?? 0,
      doubtful: this.#sent.get(text)?.doubtful ?? false,
    }))
    for (const line of this.#lines) {
      if (line.kind === 'chat') this.#checkLine(line, owed)
      else this.#checkNotices(line, owed)
    }
  }

  /** Every acknowledged post is there once, every other at most once, and nothing else is. */
  #checkPosts(rows: readonly { id: number; text: string; authorId: string }[]): void {
    const byText = new Map<string, { id: number; authorId: string }>()
    for (const row of rows) {
      assert.ok(!byText.has(row.text), `post "${row.text}" is there twice`)
      byText.set(row.text, row)
      assert.equal(this.#sent.get(row.text)?.by, row.authorId, `nobody sent post "${row.text}"`)
    }
    for (const { text, postID } of this.#sent.values()) {
      if (postID !== undefined) assert.equal(byText.get(text)?.id, postID, `post "${text}" was answered with 201 and is not there`)
    }
  }

  /** Counters agree with the rows, in Postgres and in the answers of every server. */
  async #checkNumbers(rows: readonly { id: number }[]): Promise<void> {
    const sql = this.#sql()
    const [fez] = await sql<
      { seq: number; postCount: number; lastPostId: number; memberCount: number }[]
    >`select seq, post_count, last_post_id, member_count from fez where id = ${this.chat}`
    assert.deepEqual(fez, {
      seq: this.#firstSeq + rows.length,
      postCount: rows.length,
      lastPostId: rows.at(-1)?.id ?? 0,
      memberCount: this.people.length,
    })
    const members = await sql<{ accountId: string; unread: number; read: number; chats: number }[]>`
      select account_id,
        (select count(*)::int from fez_post where fez_id = ${this.chat} and id <= read_post_id) as read,
        (select count(*)::int from fez_member mine join fez on fez.id = mine.fez_id
          where mine.account_id = fez_member.account_id and left_at is null and not added and not is_muted and exists (
            select from fez_post where fez_post.fez_id = fez.id and fez_post.id > mine.read_post_id)) as chats
      from fez_member where fez_id = ${this.chat} and left_at is null`
    assert.equal(members.length, this.people.length)
    const byId = new Map(members.map((member) => [member.accountId, member]))
    await Promise.all(
      this.people.flatMap((person) =>
        [...this.#urls.keys()].map(async (node) => {
          const member = byId.get(person.account.id)
          const client = this.client(person, node)
          const { body: news } = await client.get('/notification/user')
          assert.equal(news.newFezMessageCount, member?.chats, `unread chats of ${person.account.username} on server ${node}`)
          const { body: list } = await client.get(`/fez/joined?matchID=${this.chat}`)
          const { postCount, readCount } = list.fezzes[0].members
          assert.deepEqual(
            { postCount, readCount },
            { postCount: rows.length, readCount: member?.read },
            `numbers of ${person.account.username} on server ${node}`,
          )
        }),
      ),
    )
  }

  /** Who was told to be in the second chat is, and nobody else. */
  async #checkDeck(): Promise<void> {
    const rows = await this.#sql()<{ accountId: string; memberCount: number }[]>`
      select account_id, member_count from fez_member join fez on fez.id = fez_id where fez_id = ${this.deck} and left_at is null order by position`
    const present = rows.map(({ accountId }) => accountId)
    assert.equal(rows[0]?.memberCount, rows.length)
    for (const { account, onDeck } of this.people.slice(1)) {
      if (onDeck !== undefined) assert.equal(present.includes(account.id), onDeck, `${account.username} in the second chat`)
    }
    for (const node of this.#urls.keys()) {
      const { body } = await this.client(this.people[0] as Person, node).get(`/fez/${this.deck}`)
      assert.deepEqual(
        body.members.participants.map(({ userID }: { userID: string }) => userID),
        present,
        `members of the second chat on server ${node}`,
      )
    }
  }

  /** A chat socket got everything from its opening to its end, in order, and nothing twice. */
  #checkLine(line: Line, owed: readonly Owed[]): void {
    const got = textsOn(line)
    const name = nameOf(line)
    const first = got.length === 0 ? owed.length : owed.findIndex(({ text }) => text === got[0])
    if (line.socket.open) {
      // What came before the first frame must have been sent before the socket was open.
      const early = owed.slice(0, first).filter(({ beganMs }) => beganMs > line.openedMs)
      const missed = [...early, ...owed.slice(first)].map(({ text }) => text).filter((text) => !got.includes(text))
      assert.deepEqual(missed, [], `the ${name} has missed something`)
    }
    assert.deepEqual(
      got,
      owed
        .slice(first)
        .map(({ text }) => text)
        .slice(0, got.length),
      `the ${name} got things twice or out of order`,
    )
  }

  /** A notification socket got no notice twice, and all but those of posts that its user may have read before the servers knew of them. */
  #checkNotices(line: Line, owed: readonly Owed[]): void {
    const got = new Set<string>()
    for (const text of textsOn(line)) {
      assert.ok(!got.has(text), `the ${nameOf(line)} got "${text}" twice`)
      got.add(text)
    }
    if (!line.socket.open) return
    const due = owed.filter(
      ({ authorId, beganMs, doubtful }) =>
        authorId !== line.of.account.id &&
        beganMs > line.openedMs &&
        !(line.of.looks && (doubtful || this.#eventsLost.some(({ from, to }) => from < beganMs && beganMs < to))),
    )
    assert.deepEqual(
      due.map(({ text }) => text).filter((text) => !got.has(text)),
      [],
      `the ${nameOf(line)} has missed something`,
    )
  }

  async #repeat(habit: () => Promise<void>): Promise<void> {
    while (this.#running) {
      await habit()
      await pause(paceMs)
    }
  }

  async #write(person: Person): Promise<void> {
    // Every second one is sent as old apps do it: nobody knows what became of it when there is no answer.
    const key = ++this.#number % 2 === 0 ? randomUUID() : undefined
    await this.#post(person, { key })
  }

  /** Sends a post; with a key again and again until it is answered. */
  async #post(person: Person, { node, key }: { node?: number; key: string | undefined }): Promise<Sent> {
    const sent: Sent = { text: `post ${++this.#number} of ${person.account.username}`, by: person.account.id, beganMs: performance.now() }
    this.#sent.set(sent.text, sent)
    person.looks = true
    const deadline = performance.now() + patienceMs
    for (;;) {
      const answer = await this.#ask(person, () =>
        this.client(person, node).post(
          `/fez/${this.chat}/post`,
          { text: sent.text, images: [] },
          key ? { headers: { 'Idempotency-Key': key } } : {},
        ),
      )
      if (answer) {
        sent.postID = answer.body.postID
        this.#acknowledged++
      }
      if (!answer) sent.doubtful = true
      if (answer || !key) return sent
      assert.ok(performance.now() < deadline, `"${sent.text}" was not answered within ${patienceMs} ms`)
    }
  }

  async #read(person: Person): Promise<void> {
    person.looks = true
    await this.#ask(person, () => this.client(person).get('/notification/user'))
    await this.#ask(person, () => this.client(person).get(`/fez/${this.chat}?limit=20`))
  }

  async #comeAndGo(person: Person): Promise<void> {
    const before = person.onDeck
    person.onDeck = undefined
    const answer = await this.#ask(person, () => this.client(person).post(`/fez/${this.deck}/${before ? 'unjoin' : 'join'}`), [400])
    if (answer?.status === 400) person.onDeck = true
    else if (answer) person.onDeck = !before
  }

  /** One request. Undefined when there was no answer, or one that says to try again: then the other server is next. */
  async #ask(person: Person, request: () => Promise<Answer>, allowed: readonly number[] = []): Promise<Answer | undefined> {
    const began = performance.now()
    try {
      const answer = await request()
      const ms = performance.now() - began
      this.slowestMs = Math.max(this.slowestMs, ms)
      if (answer.status < 300 || allowed.includes(answer.status)) return answer
      this.refusals.push({ status: answer.status, retryAfter: answer.headers['retry-after'], ms })
    } catch (error) {
      if (!isNetworkError(error)) throw error
      person.at = (person.at + 1) % this.#urls.length
    }
    await pause(retryPauseMs)
    return undefined
  }

  /** Everybody back to his own server, with both sockets open there. */
  async #goHome(): Promise<void> {
    await Promise.all(
      this.people.map(async (person) => {
        person.at = person.home
        for (const kind of ['chat', 'notes'] as const) {
          const line = person.lines[kind]
          if (line?.socket.open && line.node === person.home) continue
          if (line?.socket.open) {
            line.given = true
            line.socket.terminate()
          }
          await until(() => this.#listen(person, kind, person.home), 'a socket opens')
        }
      }),
    )
  }

  /** Opens a socket; when it is closed by the other side, the next one is opened wherever there is a server. */
  async #listen(person: Person, kind: Line['kind'], node: number): Promise<boolean> {
    try {
      const socket = await this.client(person, node).socket(kind === 'chat' ? `/fez/${this.chat}/socket` : '/notification/socket')
      const line: Line = { kind, of: person, node, socket, openedMs: performance.now(), given: false }
      person.lines[kind] = line
      this.#lines.push(line)
      socket.ws.once('close', () => {
        if (!line.given) void this.#listenAgain(line)
      })
      return true
    } catch (error) {
      if (!(error instanceof Refused && error.status >= 500) && !isNetworkError(error)) throw error
      return false
    }
  }

  async #listenAgain({ of, kind, node }: Line): Promise<void> {
    for (let next = node; this.#running && !of.lines[kind]?.socket.open; next = (next + 1) % this.#urls.length) {
      if (await this.#listen(of, kind, next)) return
      await pause(retryPauseMs)
    }
  }

  /** Ends all sockets. */
  leave(): void {
    this.#running = false
    for (const line of this.#lines) {
      line.given = true
      line.socket.terminate()
    }
  }
}

/** Makes an LFG group; returns its id. */
export async function createLfg(
  owner: Client,
  title: string,
  more: { initialUsers: string[]; startTime?: Date; endTime?: Date },
): Promise<string> {
  const { status, body } = await owner.post('/fez/create', {
    fezType: 'gaming',
    title,
    info: 'A chat of a test',
    location: 'Deck 5',
    minCapacity: 0,
    maxCapacity: 0,
    ...more,
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.fezID
}

function nameOf({ kind, of, node, socket }: Line): string {
  return `${kind} socket of ${of.account.username} on server ${node}, ${socket.open ? 'open' : 'closed'},`
}

function textsOn(line: Line | undefined): string[] {
  const texts: string[] = []
  for (const frame of line?.socket.frames ?? []) {
    const text: unknown =
      line?.kind === 'chat' ? frame.text : frame.type?.fezUnreadMsg ? /post \d+ of \S+$/.exec(frame.info)?.[0] : undefined
    if (typeof text === 'string') texts.push(text)
  }
  return texts
}

function isNetworkError(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? (error as { cause?: { code?: string } }).cause?.code
  return code !== undefined && /^(ECONN|EPIPE|UND_ERR|ETIMEDOUT)/.test(code)
}
