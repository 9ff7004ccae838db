// One user of the ship: what he does, at random, and what his sockets receive. He goes to the other
// server when one does not answer, as a phone behind a load balancer would.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestAccount } from '../support/accounts.ts'
import { Client, Refused, type Answer, type TestSocket } from '../support/client.ts'
import type { Dice } from './dice.ts'
import { Switch, type Logbook, type PostKind, type SentPost } from './logbook.ts'

/** One socket, from its opening to its end. */
export interface Line {
  readonly kind: 'chat' | 'notes'
  /** The chat; empty for notifications. */
  readonly place: string
  readonly server: number
  readonly socket: TestSocket
  /** When opening it began and had ended. */
  readonly askedMs: number
  readonly openedMs: number
  /** The last post that its client had when it asked to go on from there. */
  readonly after: number | undefined
  /** Posts of a chat, in the order they came, since the last check. */
  posts: { id: number; text: string }[]
  /** Who came (true) and who went, since the last check. */
  changes: { userID: string; joined: boolean }[]
  /** Keys of all notices. */
  readonly notices: Set<string>
  /** Closed by us. */
  given: boolean
}

/** What somebody knows of a chat he is a member of. */
export interface Room {
  readonly id: string
  /** Posts that he got by any way, since the last check. */
  seen: Set<number>
  lastSeen: number
  /** A post that he has certainly read. */
  readUpTo: number
  readonly muted: Switch
}

/** What users share. */
export interface Surroundings {
  readonly urls: readonly string[]
  readonly log: Logbook
  /** Chats with waiting lists. */
  readonly groups: readonly string[]
  /** Chats of everybody. */
  readonly rooms: readonly string[]
  readonly forums: readonly string[]
  readonly words: readonly string[]
  readonly picture: () => string
  readonly everybody: () => readonly Resident[]
  /** Requests that were refused since the last fault, how long the slowest answer took. */
  readonly tally: { refused: number; slowestMs: number; answered: number }
}

/** `lurker`: only listens and never reads. `touchy`: hides one other and changes his mind. */
export type Character = 'lurker' | 'touchy' | 'plain'

type Habit =
  | 'chat'
  | 'forum'
  | 'blog'
  | 'readChat'
  | 'readForum'
  | 'numbers'
  | 'mentions'
  | 'search'
  | 'comeAndGo'
  | 'muteChat'
  | 'trespass'
  | 'reconnect'
  | 'quarrel'

const habits: Record<Habit, number> = {
  chat: 30,
  forum: 10,
  blog: 9,
  readChat: 14,
  readForum: 5,
  numbers: 8,
  mentions: 4,
  search: 3,
  comeAndGo: 10,
  muteChat: 2,
  trespass: 2,
  reconnect: 3,
  quarrel: 0,
}
const retryPauseMs = 100
/** Longer than a server takes for the slowest answer to any of several attempts during the longest fault. */
const patienceMs = 150_000
/** A request that nobody answered may still be carried out for so long. */
const lingersMs = 21_000

export class Resident {
  readonly account: TestAccount
  readonly character: Character
  readonly home: number
  readonly rooms: Room[]
  readonly words: readonly string[]
  /** By chat with a waiting list. */
  readonly memberships = new Map<string, Switch>()
  /** When his present memberships began, as far as he knows. */
  readonly joins = new Map<string, { beganMs: number; endedMs: number }>()
  /** The one whom he hides now and then. */
  target: { id: string; kind: 'mute' | 'block' } | undefined
  /** Chats he listens to. */
  readonly listensTo: string[] = []
  readonly lines: Line[] = []
  readonly #around: Surroundings
  readonly #dice: Dice
  readonly #resumes: boolean
  readonly #clients: Client[]
  readonly #unsureUntil = new Map<unknown, number>()
  #at: number
  #living = true

  constructor(
    account: TestAccount,
    index: number,
    character: Character,
    rooms: readonly string[],
    words: readonly string[],
    around: Surroundings,
    dice: Dice,
  ) {
    this.account = account
    this.character = character
    this.home = index % around.urls.length
    this.#at = this.home
    this.rooms = rooms.map((id) => ({ id, seen: new Set(), lastSeen: 0, readUpTo: 0, muted: new Switch(false) }))
    this.words = words
    this.#around = around
    this.#dice = dice
    this.#resumes = character === 'lurker' || index % 3 !== 0
    this.#clients = around.urls.map((url) => new Client(url, account.token))
  }

  client(server = this.#at): Client {
    return this.#clients[server] as Client
  }

  /** Does one thing. */
  async act(): Promise<void> {
    if (this.character === 'lurker') return void (await this.read('/notification/user'))
    const habit = this.#dice.weighted({ ...habits, quarrel: this.target ? 6 : 0 })
    switch (habit) {
      case 'chat':
        return void (await this.post('chat', this.#dice.among(this.rooms).id))
      case 'forum':
        return void (await this.post('forum', this.#dice.among(this.#around.forums)))
      case 'blog':
        return void (await this.post('blog', ''))
      case 'readChat':
        return void (await this.readChat(this.#dice.among(this.rooms)))
      case 'readForum':
        return void (await this.read(`/forum/${this.#dice.among(this.#around.forums)}?limit=20`))
      case 'numbers':
        return void (await this.read('/notification/user'))
      case 'mentions':
        return void (await this.read(this.#dice.chance(0.5) ? '/forum/mentions' : '/microblog?mentionself=true'))
      case 'search':
        return void (await this.#search())
      case 'comeAndGo':
        return await this.#comeAndGo(this.#dice.among(this.#around.groups))
      case 'muteChat':
        return await this.#muteChat(this.#dice.among(this.rooms))
      case 'trespass':
        return await this.#trespass()
      case 'reconnect':
        return await this.#reconnect()
      case 'quarrel':
        return await this.#quarrel()
    }
  }

  /** One request to the server in use. Undefined when there was no answer, or one that says to try again: then the other server is next. */
  async ask(request: (client: Client) => Promise<Answer>): Promise<Answer | undefined> {
    const { tally, log } = this.#around
    const server = this.#at
    const began = performance.now()
    try {
      const answer = await request(this.client(server))
      tally.answered++
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - began)
      if (answer.status < 500) return answer
      tally.refused++
      if (answer.status !== 503 || answer.headers['retry-after'] === undefined)
        log.complain(`${this.account.username} was answered ${answer.status} ${JSON.stringify(answer.body)} by server ${server}`)
    } catch (error) {
      if (!isNetworkError(error)) throw error
      tally.refused++
    }
    this.#at = (server + 1) % this.#clients.length
    await pause(retryPauseMs)
    return undefined
  }

  /** One request that changes nothing and has no reason to be refused. */
  async read(path: string): Promise<Answer | undefined> {
    const answer = await this.ask((client) => client.get(path))
    if (answer && answer.status >= 400) this.#around.log.complain(`${this.account.username} was refused GET ${path} with ${answer.status}`)
    return answer
  }

  /** Writes a post; half of them with a key, again and again until they are answered. */
  async post(
    kind: PostKind,
    place: string,
    more: { server?: number; certain?: boolean; text?: string; pictured?: boolean } = {},
  ): Promise<SentPost> {
    const { log, picture } = this.#around
    const dice = this.#dice
    const isPublic = kind !== 'chat'
    const mentioned = isPublic && more.text === undefined && dice.chance(0.5) ? [dice.among(this.#around.everybody())] : []
    const words = isPublic && more.text === undefined && dice.chance(0.4) ? [dice.among(this.#around.words)] : []
    const pictured = more.pictured ?? dice.chance(0.1)
    const text = log.newText(
      this.account.username,
      more.text ?? [...mentioned.map(({ account }) => `@${account.username}`), ...words].join(' '),
    )
    const sent: SentPost = {
      text,
      kind,
      place,
      authorId: this.account.id,
      mentioned: mentioned.map(({ account }) => account.id),
      words: more.text === undefined ? words : [more.text],
      pictured,
      beganMs: performance.now(),
      outcome: 'open',
    }
    log.posts.set(text, sent)
    const path = kind === 'chat' ? `/fez/${place}/post` : kind === 'forum' ? `/forum/${place}/create` : '/microblog/create'
    const body = { text, images: pictured ? [{ image: picture() }] : [] }
    const answer = await this.#write(
      more.certain === true || dice.chance(0.5),
      (headers) =>
        more.server === undefined
          ? this.ask((client) => client.post(path, body, { headers }))
          : this.ask(() => this.client(more.server).post(path, body, { headers })),
      text,
    )
    sent.endedMs = performance.now()
    sent.outcome = !answer ? 'unknown' : answer.status < 300 ? 'done' : 'refused'
    if (answer && answer.status >= 300) log.complain(`"${text}" was refused with ${answer.status}: ${JSON.stringify(answer.body)}`)
    if (sent.outcome === 'done' && answer) {
      sent.id = kind === 'blog' ? answer.body.twarrtID : answer.body.postID
      sent.images = kind === 'chat' ? [answer.body.image].filter(Boolean) : (answer.body.images ?? [])
      const room = kind === 'chat' ? this.#room(place) : undefined
      if (room) room.readUpTo = Math.max(room.readUpTo, sent.id as number)
    }
    return sent
  }

  async #write(
    withKey: boolean,
    attempt: (headers: Record<string, string>) => Promise<Answer | undefined>,
    what: string,
  ): Promise<Answer | undefined> {
    if (!withKey) return await attempt({})
    const headers = { 'Idempotency-Key': randomUUID() }
    const deadline = performance.now() + patienceMs
    for (;;) {
      const answer = await attempt(headers)
      if (answer) return answer
      if (performance.now() > deadline) throw new Error(`"${what}" was not answered within ${patienceMs} ms`)
    }
  }

  /** Reads the newest page, and older ones back to what he has seen. */
  async readChat(room: Room): Promise<boolean> {
    const limit = 50
    const from = room.lastSeen
    // Past the end is at the end: what comes meanwhile is read as well.
    let start = 1_000_000
    for (;;) {
      const answer = await this.read(`/fez/${room.id}?limit=${limit}&start=${start}`)
      if (!answer) return false
      const { posts, paginator } = answer.body.members
      for (const { postID } of posts) this.#see(room, postID)
      room.readUpTo = Math.max(room.readUpTo, posts.at(-1)?.postID ?? 0)
      if (paginator.start === 0 || (posts.length > 0 && posts[0].postID <= from)) return true
      start = Math.max(0, paginator.start - limit)
    }
  }

  async #search(): Promise<void> {
    const word = encodeURIComponent(this.#dice.among(this.#around.words))
    await this.read(this.#dice.chance(0.5) ? `/forum/post/search?search=${word}` : `/microblog?search=${word}`)
  }

  /** Joins or leaves. A membership that he is not sure of is left alone for a while. */
  async #comeAndGo(group: string): Promise<void> {
    const membership = this.memberships.get(group) ?? new Switch(false)
    this.memberships.set(group, membership)
    if (this.#isUnsure(membership)) return
    const known = membership.now()
    const joins = known === undefined ? this.#dice.chance(0.5) : !known
    this.joins.delete(group)
    const attempt = membership.begin(joins, performance.now())
    const answer = await this.ask((client) => client.post(`/fez/${group}/${joins ? 'join' : 'unjoin'}`))
    // Who asks to join and is in already has asked before.
    const fine = answer && (answer.status < 300 || (joins && known === undefined && answer.status === 400))
    this.#end(membership, attempt, answer, fine)
    if (joins && answer?.status === 201) this.joins.set(group, { beganMs: attempt.beganMs, endedMs: attempt.endedMs as number })
  }

  async #muteChat(room: Room): Promise<void> {
    if (this.#isUnsure(room.muted)) return
    const mutes = !(room.muted.now() ?? this.#dice.chance(0.5))
    const attempt = room.muted.begin(mutes, performance.now())
    const answer = await this.ask((client) => client.post(`/fez/${room.id}/mute${mutes ? '' : '/remove'}`))
    this.#end(room.muted, attempt, answer, answer && answer.status < 300)
  }

  async #quarrel(): Promise<void> {
    if (!this.target) return
    const { id, kind } = this.target
    const relation = this.#around.log.relation(kind, this.account.id, id)
    if (this.#isUnsure(relation)) return
    const hides = !(relation.now() ?? this.#dice.chance(0.5))
    const attempt = relation.begin(hides, performance.now())
    const answer = await this.ask((client) => client.post(`/users/${id}/${hides ? kind : `un${kind}`}`))
    this.#end(relation, attempt, answer, answer && answer.status < 300)
  }

  /** Posts where he is no member: that has to be refused. */
  async #trespass(): Promise<void> {
    const { log, rooms } = this.#around
    const foreign = rooms.find((id) => !this.#room(id))
    if (foreign === undefined) return
    const text = log.newText(this.account.username, 'uninvited')
    const sent: SentPost = {
      text,
      kind: 'chat',
      place: foreign,
      authorId: this.account.id,
      mentioned: [],
      words: [],
      pictured: false,
      beganMs: performance.now(),
      outcome: 'open',
    }
    log.posts.set(text, sent)
    const answer = await this.ask((client) => client.post(`/fez/${foreign}/post`, { text, images: [] }))
    if (answer && answer.status !== 403) log.complain(`"${text}" was answered ${answer.status}`)
    sent.outcome = 'refused'
  }

  #isUnsure(state: Switch): boolean {
    return (this.#unsureUntil.get(state) ?? 0) > performance.now()
  }

  #end(state: Switch, attempt: ReturnType<Switch['begin']>, answer: Answer | undefined, fine: boolean | undefined): void {
    attempt.endedMs = performance.now()
    attempt.outcome = !answer ? 'unknown' : fine ? 'done' : 'refused'
    if (!answer) this.#unsureUntil.set(state, performance.now() + lingersMs)
    else if (!fine)
      this.#around.log.complain(`${this.account.username} was refused a change with ${answer.status}: ${JSON.stringify(answer.body)}`)
  }

  #room(id: string): Room | undefined {
    return this.rooms.find((room) => room.id === id)
  }

  #see(room: Room, postId: number): void {
    room.seen.add(postId)
    room.lastSeen = Math.max(room.lastSeen, postId)
  }

  /** Opens all sockets that are not open, at a server that lets him. Resolves when they are. */
  async listen(): Promise<void> {
    for (const place of ['', ...this.listensTo]) {
      while (this.#living && !this.openLine(place)) if (!(await this.#open(place, this.#at))) await pause(retryPauseMs)
    }
  }

  /** Goes to a server, with all sockets. */
  async moveTo(server: number): Promise<void> {
    this.#at = server
    for (const line of this.lines) {
      if (line.server === server) continue
      line.given = true
      line.socket.terminate()
    }
    for (const place of ['', ...this.listensTo]) {
      while (this.#living && this.openLine(place)?.server !== server) if (!(await this.#open(place, server))) await pause(retryPauseMs)
    }
  }

  /** The open socket of a chat, or that of notifications. */
  openLine(place = ''): Line | undefined {
    return this.lines.findLast((line) => line.place === place && line.socket.open)
  }

  async #open(place: string, server: number): Promise<boolean> {
    const room = this.#room(place)
    const after = room && this.#resumes && room.lastSeen > 0 ? room.lastSeen : undefined
    const askedMs = performance.now()
    try {
      const socket = await this.client(server).socket(
        place === '' ? '/notification/socket' : `/fez/${place}/socket${after === undefined ? '' : `?after=${after}`}`,
      )
      const line: Line = {
        kind: place === '' ? 'notes' : 'chat',
        place,
        server,
        socket,
        askedMs,
        openedMs: performance.now(),
        after,
        posts: [],
        changes: [],
        notices: new Set(),
        given: false,
      }
      this.lines.push(line)
      this.#take(line, room)
      socket.ws.on('frame', () => this.#take(line, room))
      socket.ws.once('close', () => {
        if (!line.given) void this.#listenAgain()
      })
      // What came while he was away, and cannot be had from the socket.
      if (room && after === undefined) while (this.#living && !(await this.readAll(room))) await pause(retryPauseMs)
      return true
    } catch (error) {
      if (!(error instanceof Refused && error.status >= 500) && !isNetworkError(error)) throw error
      this.#at = (server + 1) % this.#clients.length
      return false
    }
  }

  /** Reads a chat whose posts he cannot have had from a socket; those who only listen do not. */
  async readAll(room: Room): Promise<boolean> {
    return this.character === 'lurker' || (await this.readChat(room))
  }

  /** Out of the Wi-Fi and back. */
  async #reconnect(): Promise<void> {
    const line = this.openLine(this.#dice.among(['', ...this.listensTo]))
    if (!line) return
    line.given = true
    line.socket.terminate()
    await this.#listenAgain()
  }

  #listening: Promise<void> | undefined

  async #listenAgain(): Promise<void> {
    await pause(retryPauseMs * this.#dice.roll())
    this.#listening ??= this.listen().finally(() => {
      this.#listening = undefined
    })
    await this.#listening.catch((error: unknown) => this.#around.log.complain(`${this.account.username} cannot listen: ${String(error)}`))
  }

  /** Moves what has come from the socket to the line. */
  #take(line: Line, room: Room | undefined): void {
    for (const frame of line.socket.frames.splice(0)) {
      if (line.kind === 'notes') {
        const key = noticeKey(frame)
        if (line.notices.has(key)) this.#around.log.complain(`${this.account.username} got the notice "${key}" twice on one socket`)
        line.notices.add(key)
      } else if ('postID' in frame) {
        line.posts.push({ id: frame.postID, text: frame.text })
        if (room) this.#see(room, frame.postID)
      } else if ('joined' in frame) line.changes.push({ userID: frame.user.userID, joined: frame.joined })
    }
  }

  /** Closes everything for good. */
  leave(): void {
    this.#living = false
    for (const line of this.lines) {
      line.given = true
      line.socket.terminate()
    }
  }
}

/** What makes a notice the same as another. Posts of chats have texts that nobody uses twice. */
function noticeKey({ type, contentID, info }: { type: object; contentID: string; info: string }): string {
  const [name = ''] = Object.keys(type)
  return name.endsWith('UnreadMsg') ? `post ${/\bp\d+ of \S+/.exec(info)?.[0]}` : `${name} ${contentID}${/"(.*)"/.exec(info)?.[0] ?? ''}`
}

export function isNetworkError(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? (error as { cause?: { code?: string } }).cause?.code
  return (
    (code !== undefined && /^(ECONN|EPIPE|UND_ERR|ETIMEDOUT)/.test(code)) ||
    /socket hang up|closed before the connection/.test(String(error))
  )
}
