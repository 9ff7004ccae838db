// An evening in a few chats, on servers that fail in every way, played from a seed: who posts, comes, goes and looks, and when. What
// the servers answer and send is held against what the store knows.
import { AccountRecord } from '../../src/accounts/accounts.ts'
import type { FezRow } from '../../src/fez/rows.ts'
import { Dice } from '../chaos/dice.ts'
import { Server, type Phone } from './server.ts'
import { pairOf, SimulatedPostgres } from './simulated-postgres.ts'
import { SimulatedRedis } from './simulated-redis.ts'
import { Machine, VirtualTime } from './virtual-time.ts'

/** So long things happen, and so long nothing fails afterwards before everything must be right. */
const busyMs = 60_000
const quietMs = 30_000
const settledMs = 45_000
/** What was acknowledged so long ago, every answer shows: memory is trusted for 1.5 s after a beat, a request may take its time. */
const mostStaleMs = 4000

/** How many there are of what; the dice say it of what is missing. */
export interface EveningSize {
  servers?: number
  chats?: number
  /** Five where nothing else is said, and all of them in every chat. */
  people?: number
}

/** In a chat, where people are many. */
const membersOfChat = 8
/** So many people do something every 0.05 to 0.3 seconds, as fewer do, and one of so many servers fails every 0.5 to 5.5 seconds. */
const [peopleAPace, serversAPace] = [50, 4]
/** Of many servers, so many are asked when each should know. */
const mostAsked = 20
/** Of many chats, so many are looked at in the end. */
const mostCompared = 500

/** How many of what an evening had, and what was wrong. */
export interface Outcome {
  wrong: string[]
  posts: number
  frames: number
  looks: number
  faults: string[]
}

/** A phone that shows a chat, and connects again whenever it has to. */
class Viewer implements Phone {
  readonly account: AccountRecord
  readonly fezId: string
  /** Posts in the order in which they came. */
  readonly heardIds: number[] = []
  readonly beganMs: number
  isGone = false
  isOpen = false
  /** It is about to connect again. */
  waits = false
  server: Server | undefined
  readonly #evening: Evening

  constructor(evening: Evening, account: AccountRecord, fezId: string) {
    this.#evening = evening
    this.account = account
    this.fezId = fezId
    this.beganMs = evening.time.nowMs
  }

  heard(frame: Buffer): void {
    const { postID } = JSON.parse(frame.toString()) as { postID?: number }
    if (postID !== undefined) this.#evening.heard(this, postID)
  }

  closed(): void {
    this.isOpen = false
    if (!this.isGone) this.#evening.reopenSoon(this)
  }
}

/** One evening. */
export class Evening {
  readonly time = new VirtualTime()
  readonly #dice: Dice
  readonly #redis: SimulatedRedis
  readonly #postgres: SimulatedPostgres
  readonly #logLevel: string
  readonly #size: EveningSize
  #servers: Server[] = []
  readonly #accounts: AccountRecord[] = []
  readonly #viewers: Viewer[] = []
  /** By chat, who is in it at the beginning: its owner first. */
  readonly #members = new Map<string, readonly AccountRecord[]>()
  readonly #chatIds: string[] = []
  readonly #ownerIds = new Set<string>()
  /** By chat, when each post was acknowledged. */
  readonly #acknowledged = new Map<string, { id: number; atMs: number }[]>()
  /** By chat and account, of those for whom leaving was acknowledged and who have not asked to come back: the last post before it. */
  readonly #left = new Map<string, number>()
  /** Pairs whose block was acknowledged, and who have not asked to end it. */
  readonly #blocked = new Set<string>()
  /** Pairs that have asked for a block at some time. */
  readonly #everBlocked = new Set<string>()
  /** Chats and accounts with a change of membership on its way, or of unknown outcome, and pairs with one of a block. */
  readonly #unsettled = new Set<string>()
  readonly #outcome: Outcome = { wrong: [], posts: 0, frames: 0, looks: 0, faults: [] }
  #serverCount = 0

  constructor(seed: number, logLevel: string, size: EveningSize = {}) {
    this.#size = size
    this.#dice = new Dice(seed)
    const dice = this.#dice
    this.#logLevel = logLevel
    const usualMs = () => 0.1 + dice.roll() * (dice.chance(0.02) ? 40 : 2)
    this.#redis = new SimulatedRedis(this.time, usualMs)
    this.#postgres = new SimulatedPostgres(this.time, dice, () => 0.3 + dice.roll() * (dice.chance(0.05) ? 100 : 5))
  }

  /** Plays it. */
  async play(): Promise<Outcome> {
    const end = this.time.takeOver()
    const onRejection = (error: unknown) => this.#wrong(`nobody caught ${String(error)}`)
    process.on('unhandledRejection', onRejection)
    try {
      this.#begin()
      await this.time.passUntil(busyMs)
      this.#heal()
      await this.time.passUntil(busyMs + quietMs)
      const looked = this.#dice.shuffled([...this.#members]).slice(0, mostCompared)
      for (const [fezId, members] of looked) for (const account of members) this.#lookEverywhere(fezId, account, 3000)
      await this.time.passUntil(busyMs + settledMs)
      this.#compareFeeds()
      for (const server of this.#servers) server.machine.isDead = true
    } finally {
      process.off('unhandledRejection', onRejection)
      end()
    }
    return this.#outcome
  }

  /** A frame has come to a phone. */
  heard(viewer: Viewer, postId: number): void {
    this.#outcome.frames++
    const { fezId, account, heardIds } = viewer
    const last = heardIds.at(-1) ?? 0
    if (postId <= last) this.#wrong(`${account.username} got post ${postId} after ${last}`)
    heardIds.push(postId)
    const authorId = this.#postgres.authorOf(fezId, postId)
    if (authorId !== undefined && this.#blocked.has(pairOf(account.id, authorId)))
      this.#wrong(`${account.username} got post ${postId} of somebody who is blocked`)
    if (postId > (this.#left.get(`${fezId} ${account.id}`) ?? Infinity))
      this.#wrong(`${account.username} got post ${postId}, and had left before it for everybody`)
  }

  /** A phone's socket was closed. */
  reopenSoon(viewer: Viewer): void {
    if (viewer.waits) return
    viewer.waits = true
    this.time.after(200 + this.#dice.roll() * 1000, () => this.#open(viewer), null)
  }

  #begin(): void {
    const dice = this.#dice
    const { people = 5, chats = 1 + dice.below(3), servers = 2 + dice.below(4) } = this.#size
    for (let index = 0; index < people; index++) {
      const id = `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`
      const row = { id, personId: id, username: `user${index}`, level: 'verified', displayName: null, userImage: null } as const
      const account = new AccountRecord({ ...row, preferredPronoun: null, rev: 1 }, { generation: 0, usedBefore: 0 })
      this.#accounts.push(account)
      this.#postgres.accounts.set(id, account)
    }
    for (let index = 0; index < chats; index++) this.#addChat(`chat${index}`)
    for (let index = 0; index < servers; index++) this.#startServer()
    const acts = Math.max(1, people / peopleAPace)
    for (let at = 500; at < busyMs + quietMs - 5000; at += (50 + dice.roll() * 250) / acts) this.time.after(at, () => this.#act(), null)
    const faults = Math.max(1, servers / serversAPace)
    for (let at = 3000; at < busyMs; at += (500 + dice.roll() * 5000) / faults) this.time.after(at, () => this.#fail(faults), null)
  }

  #addChat(id: string): void {
    const members = this.#accounts.length <= membersOfChat ? this.#accounts : this.#someAccounts(membersOfChat)
    const [owner] = members as [AccountRecord]
    this.#members.set(id, members)
    this.#chatIds.push(id)
    this.#ownerIds.add(owner.id)
    const row: FezRow = {
      id,
      ownerId: owner.id,
      fezType: 'open',
      title: id,
      info: '',
      location: null,
      startTime: null,
      endTime: null,
      minCapacity: 0,
      maxCapacity: 0,
      cancelled: false,
      moderationStatus: 'normal',
      seq: 0,
      postEvents: 0,
      postCount: 0,
      lastPostId: 0,
      memberCount: members.length,
      createdAt: new Date(0),
      updatedAt: new Date(0),
      deletedAt: null,
      slowSeconds: 0,
      unlisted: false,
    }
    this.#postgres.add({ row, memberIds: members.map((account) => account.id), positions: new Map(), posts: [] })
  }

  #someAccounts(count: number): AccountRecord[] {
    const some = new Set<AccountRecord>()
    while (some.size < count) some.add(this.#dice.among(this.#accounts))
    return [...some]
  }

  /** Somebody does something. */
  #act(): void {
    const dice = this.#dice
    const fezId = dice.among(this.#chatIds)
    const members = this.#membersOf(fezId)
    const account = dice.among(members)
    const what = dice.weighted({ post: 10, look: 6, kept: 6, open: 3, close: 2, member: 6, block: 4 })
    switch (what) {
      case 'post':
        return this.#post(fezId, account)
      case 'look':
      case 'kept':
        return this.#look(fezId, account, what)
      case 'open': {
        const viewer = new Viewer(this, account, fezId)
        this.#viewers.push(viewer)
        return this.#open(viewer)
      }
      case 'close': {
        const viewer = dice.among(this.#viewers)
        if (viewer) viewer.isGone = true
        return
      }
      case 'member':
        return this.#changeMember(fezId, dice.among(members.slice(1)))
      case 'block':
        return this.#changeBlock(fezId)
    }
  }

  /** As a server, once that runs; what it answers after its death nobody gets. */
  #on(server: Server, work: () => Promise<void>): void {
    this.time.after(0, () => void server.serves.then(work), server.machine)
  }

  #post(fezId: string, account: AccountRecord): void {
    const server = this.#dice.among(this.#servers)
    this.#on(server, async () => {
      try {
        const id = await server.post(fezId, account, 'ahoy')
        this.#acknowledgedIn(fezId).push({ id, atMs: this.time.nowMs })
        this.#outcome.posts++
        const stored = this.#postgres.chats.get(fezId)?.posts.some((post) => post.id === id)
        if (!stored) this.#wrong(`post ${id} was acknowledged and is not there`)
      } catch {
        // The phone would try again.
      }
    })
  }

  #look(fezId: string, account: AccountRecord, from: Source): void {
    const server = this.#dice.among(this.#servers)
    this.#on(server, () => this.#lookAt(server, fezId, account, from))
  }

  async #lookAt(server: Server, fezId: string, account: AccountRecord, from: Source, staleMs = mostStaleMs): Promise<void> {
    const askedMs = this.time.nowMs
    const due = this.#acknowledgedIn(fezId).filter((post) => post.atMs < askedMs - staleMs)
    const gone = this.#membersOf(fezId).filter(({ id }) => this.#isGone(fezId, id))
    const isBlocked = (authorId: string) => this.#blocked.has(pairOf(account.id, authorId))
    const blocked = new Set(this.#membersOf(fezId).flatMap(({ id }) => (isBlocked(id) ? id : [])))
    const name = `${sources[from]} of ${server.machine.name}`
    try {
      const { postIds, memberIds } = await (from === 'look' ? server.look(fezId, account.id) : server.lookAtKept(fezId, account.id))
      this.#outcome.looks++
      const shown = new Set(postIds)
      const missing = due.filter(({ id }) => !shown.has(id) && !this.#mayHide(account, fezId, id))
      const lag = missing.map(({ id, atMs }) => `${id} of ${Math.round(askedMs - atMs)} ms ago`)
      if (lag.length > 0) this.#wrong(`${name} lacks ${lag.join(', ')}`)
      for (const { id, username } of gone)
        if (memberIds.has(id) && this.#isGone(fezId, id)) this.#wrong(`${name} shows ${username}, who has left`)
      for (const id of postIds) {
        const authorId = this.#postgres.authorOf(fezId, id) ?? ''
        if (blocked.has(authorId) && isBlocked(authorId))
          this.#wrong(`${name} shows ${account.username} post ${id} of somebody who is blocked`)
      }
    } catch {
      // Refused.
    }
  }

  /** A block has hidden a post from somebody for a while, or still does. */
  #mayHide({ id }: AccountRecord, fezId: string, postId: number): boolean {
    return this.#everBlocked.has(pairOf(id, this.#postgres.authorOf(fezId, postId) ?? ''))
  }

  #isGone(fezId: string, accountId: string): boolean {
    return this.#left.has(`${fezId} ${accountId}`)
  }

  #changeMember(fezId: string, account: AccountRecord): void {
    const server = this.#dice.among(this.#servers)
    const key = `${fezId} ${account.id}`
    // One change at a time, so that it is known what was last.
    if (this.#unsettled.has(key)) return
    this.#unsettled.add(key)
    const joins = this.#left.has(key)
    if (joins) this.#left.delete(key)
    this.#on(server, async () => {
      try {
        const isChanged = await server.changeMember(fezId, account, joins)
        if (!joins && isChanged) {
          const lastPostId = this.#leftAfter(fezId, account.id)
          this.#left.set(key, lastPostId)
          this.time.after(0, () => this.#lookEverywhere(fezId, this.#membersOf(fezId)[0] as AccountRecord), null)
        }
        this.#unsettled.delete(key)
      } catch {
        // Nobody knows how it ended, and it stays as it is.
      }
    })
  }

  /** An owner is blocked by nobody: who does that does not see the chat. */
  #changeBlock(fezId: string): void {
    const dice = this.#dice
    const [one, other] = dice.shuffled(this.#membersOf(fezId).filter(({ id }) => !this.#ownerIds.has(id)))
    if (!one || !other) return
    const server = dice.among(this.#servers)
    const pair = pairOf(one.id, other.id)
    if (this.#unsettled.has(pair)) return
    this.#unsettled.add(pair)
    const blocks = !this.#blocked.delete(pair)
    if (blocks) this.#everBlocked.add(pair)
    this.#on(server, async () => {
      try {
        await server.changeBlock(one, other, blocks)
        if (blocks) {
          this.#blocked.add(pair)
          for (const account of [one, other]) this.time.after(0, () => this.#lookEverywhere(fezId, account), null)
        }
        this.#unsettled.delete(pair)
      } catch {
        // Nobody knows how it ended, and it stays as it is.
      }
    })
  }

  /** The last post before somebody left: no later one is theirs. */
  #leftAfter(fezId: string, accountId: string): number {
    return this.#postgres.leavings.get(`${fezId} ${accountId}`) ?? Infinity
  }

  #open(viewer: Viewer): void {
    viewer.waits = false
    // One that was closed as soon as it was open has said so after that.
    viewer.isOpen = false
    if (viewer.isGone) return
    const server = this.#dice.among(this.#servers)
    viewer.server = server
    const after = viewer.heardIds.at(-1) ?? this.#firstOf(viewer)
    this.#on(server, async () => {
      try {
        const close = await server.open(viewer.fezId, viewer.account.id, viewer, after)
        viewer.isOpen = true
        if (viewer.isGone) close()
      } catch {
        this.reopenSoon(viewer)
      }
    })
  }

  /** The phone has read the chat before: it asks for what is newer. */
  #firstOf(viewer: Viewer): number {
    const before = this.#acknowledgedIn(viewer.fezId).filter(({ atMs }) => atMs <= viewer.beganMs)
    return Math.max(0, ...before.map(({ id }) => id))
  }

  #membersOf(fezId: string): readonly AccountRecord[] {
    return this.#members.get(fezId) ?? []
  }

  #acknowledgedIn(fezId: string): { id: number; atMs: number }[] {
    const posts = this.#acknowledged.get(fezId) ?? []
    this.#acknowledged.set(fezId, posts)
    return posts
  }

  /** Something goes wrong: with the stores, which all servers share, more seldom than with one of many servers. */
  #fail(faults: number): void {
    const dice = this.#dice
    const { time } = this
    const redis = this.#redis
    const server = dice.among(this.#servers)
    const forMs = dice.roll() * dice.among([300, 3000, 8000, 20_000])
    const kind = dice.weighted({
      ...{ cut: 4, stop: 4, crash: 2, machine: 1, clock: 1, start: 1 },
      ...{ slow: 3 / faults, hang: 2 / faults, restart: 2 / faults, postgres: 4 / faults },
    })
    this.#outcome.faults.push(`${(time.nowMs / 1000).toFixed(1)} s ${kind} ${server.machine.name} ${Math.round(forMs)} ms`)
    switch (kind) {
      case 'cut':
        return void redis.cutUntilMs.set(server.machine, time.nowMs + forMs)
      case 'slow': {
        const usual = redis.delayMs
        redis.delayMs = () => usual() + dice.roll() * 200
        return void time.after(forMs, () => (redis.delayMs = usual), null)
      }
      case 'hang':
        redis.hangsUntilMs = time.nowMs + forMs
        return
      case 'restart':
        return redis.restart(forMs, dice.chance(0.5))
      case 'stop':
        server.machine.standsUntilMs = time.nowMs + forMs
        return
      case 'crash':
      case 'machine':
        return this.#crash(server, kind === 'crash')
      case 'postgres':
        this.#postgres.faults = { lost: dice.roll() * 0.3, unanswered: dice.roll() * 0.2, late: dice.roll() * 0.1 }
        return void time.after(forMs, () => (this.#postgres.faults = noFaults), null)
      case 'clock':
        server.machine.aheadMs += (dice.roll() - 0.5) * 20 * 60_000
        return
      case 'start':
        return void time.after(0, () => this.#startServer(), null)
    }
  }

  #crash(server: Server, isProcessAlone: boolean): void {
    if (this.#servers.length < 2) return
    this.#servers = this.#servers.filter((other) => other !== server)
    for (const viewer of this.#viewers) if (viewer.server === server && !viewer.isOpen) this.reopenSoon(viewer)
    server.die()
    if (isProcessAlone) this.#redis.endOf(server.machine)
    this.time.after(500 + this.#dice.roll() * 5000, () => this.#startServer(), null)
  }

  /** In a turn of its own. */
  #startServer(): void {
    const machine = new Machine(`server${++this.#serverCount}`)
    this.time.after(
      0,
      () => {
        this.#servers.push(new Server(machine, this.time, this.#redis, this.#postgres, this.#logLevel))
      },
      machine,
    )
  }

  #heal(): void {
    this.#redis.cutUntilMs.clear()
    this.#redis.hangsUntilMs = 0
    this.#redis.awayUntilMs = 0
    this.#postgres.faults = noFaults
    for (const { machine } of this.#servers) machine.standsUntilMs = 0
  }

  /** Somebody looks at every server, or some of many, in both ways. */
  #lookEverywhere(fezId: string, account: AccountRecord, staleMs = mostStaleMs): void {
    const asked = this.#servers.length <= mostAsked ? this.#servers : this.#dice.shuffled(this.#servers).slice(0, mostAsked)
    for (const server of asked)
      for (const from of ['look', 'kept'] as const) this.#on(server, () => this.#lookAt(server, fezId, account, from, staleMs))
  }

  /** Every phone has got every post that was made while it looked, unless its owner left at some time afterwards. */
  #compareFeeds(): void {
    for (const viewer of this.#viewers) {
      if (viewer.isGone || this.#postgres.leavings.has(`${viewer.fezId} ${viewer.account.id}`)) continue
      const first = viewer.heardIds[0] ?? Infinity
      const heard = new Set(viewer.heardIds)
      const posts = this.#postgres.chats.get(viewer.fezId)?.posts ?? []
      const due = posts.filter(({ id, createdAt }) => id >= first || createdAt.getTime() > viewer.beganMs)
      const missing = due.flatMap(({ id }) => (heard.has(id) || this.#mayHide(viewer.account, viewer.fezId, id) ? [] : id))
      if (missing.length > 0)
        this.#wrong(`${viewer.account.username} at ${viewer.server?.machine.name} never got ${missing.join(', ')} of ${viewer.fezId}`)
    }
  }

  #wrong(what: string): void {
    this.#outcome.wrong.push(`${(this.time.nowMs / 1000).toFixed(3)} s: ${what}`)
  }
}

/** Where an answer comes from. */
const sources = { look: 'memory', kept: 'an answer in memory' } as const
type Source = keyof typeof sources

const noFaults = { lost: 0, unanswered: 0, late: 0 }
