// A Postgres in virtual time, as far as chats need one: it answers the statements that the product sends about them. A statement is
// carried out at one moment between question and answer; either may be lost.
import type { AccountRow } from '../../src/accounts/rows.ts'
import { apartMark, backMark, type DetourStore, type StoredFrame } from '../../src/core/bus/detour.ts'
import { outcomeKnownMs } from '../../src/core/db/limits.ts'
import { runAlone } from '../../src/core/db/transaction.ts'
import type { Db, Sql } from '../../src/core/db/db.ts'
import { versionOf, type FezPostRow, type FezRow } from '../../src/fez/rows.ts'
import type { Dice } from '../chaos/dice.ts'
import type { UserChannelRow } from '../../src/users/queries.ts'
import type { Machine, VirtualTime } from './virtual-time.ts'

/** A chat as it is stored. */
export interface StoredChat {
  row: FezRow
  /** In the order in which they joined. */
  memberIds: string[]
  /** The event with which each joined, unless they were there from the beginning. */
  positions: Map<string, number>
  posts: (FezPostRow & { seq: number })[]
}

/** How likely things go wrong. */
export interface PostgresFaults {
  /** A statement does not arrive. */
  lost: number
  /** It is carried out, and its answer does not arrive. */
  unanswered: number
  /** As `unanswered`, and it waits for seconds before it is carried out. */
  late: number
}

interface Statement {
  text: string
  values: readonly unknown[]
}

/** The server. */
export class SimulatedPostgres {
  readonly chats = new Map<string, StoredChat>()
  readonly accounts = new Map<string, AccountRow>()
  /** By chat and account: the last post before somebody left for the last time. */
  readonly leavings = new Map<string, number>()
  faults: PostgresFaults = { lost: 0, unanswered: 0, late: 0 }
  delayMs: () => number
  readonly #time: VirtualTime
  readonly #dice: Dice
  /** Each with its place in here as its number, from 1 on. */
  readonly #frames: (StoredFrame & { sentMs: number })[] = []
  /** By sender. */
  readonly #lastMarks = new Map<string, StoredFrame>()
  /** By account, whom a block hides from it. */
  readonly #hiddenFrom = new Map<string, Set<string>>()
  /** By account, the chats that it is in. */
  readonly #chatsBy = new Map<string, Set<StoredChat>>()
  readonly #postsById = new Map<number, FezPostRow>()
  #lastPostId = 0

  constructor(time: VirtualTime, dice: Dice, delayMs: () => number) {
    this.#time = time
    this.#dice = dice
    this.delayMs = delayMs
  }

  /** Adds a chat, as it is at the beginning. */
  add(chat: StoredChat): void {
    this.chats.set(chat.row.id, chat)
    for (const id of chat.memberIds) setIn(this.#chatsBy, id).add(chat)
  }

  /** What a machine reaches it by. */
  dbOf(machine: Machine): Db {
    const sql = ((first: unknown, ...values: unknown[]) =>
      Array.isArray(first) && 'raw' in first
        ? new Query(() => this.#ask(() => this.#carryOut({ text: (first as string[]).join('?'), values }), machine))
        : first) as unknown as Sql
    const connection = { client: sql, lost: false } as unknown as Parameters<typeof runAlone>[0]
    const statement: Db['statement'] = (work) => runAlone(connection, work)
    return { sql, statement } as unknown as Db
  }

  /** What the bus of a machine sends by way of it. */
  detourOf(machine: Machine): DetourStore {
    return {
      put: (sender, frames) =>
        this.#ask(() => {
          for (const { channel, frame } of frames) {
            const stored = { id: this.#frames.length + 1, sender, channel, frame, sentMs: this.#time.nowMs }
            this.#frames.push(stored)
            if (channel !== apartMark && channel !== backMark) continue
            const last = this.#lastMarks.get(sender)
            if (!last || Buffer.compare(last.frame, frame) <= 0) this.#lastMarks.set(sender, stored)
          }
        }, machine),
      marks: () =>
        this.#ask(
          () => Array.from(this.#lastMarks.values(), ({ sender, channel }) => ({ nodeId: sender, isApart: channel === apartMark })),
          machine,
        ),
      after: (id) => this.#ask(() => this.#frames.slice(id).filter(({ sentMs }) => sentMs > this.#time.nowMs - 60_000), machine),
    }
  }

  /** What an answer shows somebody of a chat, as one statement sees it. */
  async lookBy({ sql }: Db, fezId: string, accountId: string): Promise<{ memberIds: Set<string>; postIds: number[] }> {
    const [row] = await sql<[{ memberIds: string[]; postIds: number[] }]>`select as shown_to ${accountId} ${fezId}`
    return { memberIds: new Set(row.memberIds), postIds: row.postIds }
  }

  /** Who wrote a post. */
  authorOf(fezId: string, postId: number): string | undefined {
    return this.chats.get(fezId)?.posts.find(({ id }) => id === postId)?.authorId
  }

  #blockedWith(accountId: string): string[] {
    return [...(this.#hiddenFrom.get(accountId) ?? [])]
  }

  #ask<T>(carryOut: () => T, machine: Machine): Promise<T> {
    const time = this.#time
    const { lost, unanswered, late } = this.faults
    const fate = this.#dice.roll()
    return new Promise((resolve, reject) => {
      const breakOff = () => reject(Object.assign(new Error('the connection to Postgres is lost'), { code: 'ECONNRESET' }))
      const there = this.delayMs()
      const back = this.delayMs()
      if (fate < lost) return void time.after(there, breakOff, machine)
      if (fate < lost + late) {
        time.after(there, breakOff, machine)
        // Somebody held a lock that it waited for. Postgres ends it by then.
        time.after(there + this.#dice.roll() * (outcomeKnownMs - 2000), () => void carryOut(), world)
        return
      }
      time.after(
        there,
        () => {
          const answer = carryOut()
          time.after(back, () => (fate < lost + late + unanswered ? breakOff() : resolve(answer)), machine)
        },
        world,
      )
    })
  }

  #carryOut({ text, values }: Statement): unknown {
    for (const [part, answer] of this.#answers) if (text.includes(part)) return answer(values)
    throw new Error(`the simulated Postgres does not know this statement: ${text}`)
  }

  /** By a part of the text that no statement has which does not stand further up. */
  readonly #answers: readonly [part: string, answer: (values: readonly unknown[]) => unknown][] = [
    ['as shown_to', (values) => this.#shownTo(...(values as [string, string]))],
    ['as member_ids', (values) => this.#snapshot(values.at(-1) as string)],
    ['insert into fez_post', (values) => this.#insertPosts(values as unknown as InsertValues)],
    ['from fez_post where id = any', (values) => this.#posts(values.at(-1) as number[])],
    ['blocked_persons(person_id) as blocked_persons', (values) => (values.at(-1) as string[]).flatMap((id) => this.#userRow(id))],
    ['from account where id = any', (values) => (values.at(-1) as string[]).flatMap((id) => this.accounts.get(id) ?? [])],
    ['with reader as materialized', (values) => (values[0] as string[]).flatMap((id) => this.#unread(id))],
    ['from hit where account_id', () => []],
    ['insert into block', (values) => this.#block(true, ...(values as [string, string]))],
    ['delete from block', (values) => this.#block(false, ...(values as [string, string]))],
    ['insert into fez_member', (values) => this.#join(...(values as [string, string]))],
    ['update fez_member set left_at', (values) => this.#leave(...(values as [string, string]))],
  ]

  #snapshot(fezId: string): unknown[] {
    const chat = this.chats.get(fezId)
    if (!chat) return []
    const { row, memberIds, posts } = chat
    return [
      {
        ...row,
        memberIds: [...memberIds],
        postIds: posts.map(({ id }) => id),
        postAuthorIds: posts.map(({ authorId }) => authorId),
        moderatedPostIds: [],
      },
    ]
  }

  #shownTo(accountId: string, fezId: string): unknown[] {
    const hidden = new Set(this.#blockedWith(accountId))
    const { memberIds = [], posts = [] } = this.chats.get(fezId) ?? {}
    return [{ memberIds: [...memberIds], postIds: posts.filter(({ authorId }) => !hidden.has(authorId)).map(({ id }) => id) }]
  }

  #userRow(accountId: string): UserChannelRow[] {
    const account = this.accounts.get(accountId)
    if (!account) return []
    return [
      {
        ...account,
        roles: [],
        lacksFactor: false,
        tempQuarantineUntil: null,
        tokenDigest: 'digest',
        browsers: null,
        readAnnouncementId: 0,
        blockedPersons: this.#blockedWith(accountId),
        mutes: [],
        mutewords: [],
        fezIds: this.#chatsOf(accountId).map(({ row }) => row.id),
        followedEventIds: [],
        photographedEventIds: [],
      },
    ]
  }

  #unread(accountId: string): unknown[] {
    const hidden = new Set(this.#blockedWith(accountId))
    return this.#chatsOf(accountId).map(({ row, posts, positions }) => ({
      readerId: accountId,
      fezID: row.id,
      inboxID: accountId,
      fezType: row.fezType,
      position: positions.get(accountId) ?? 0,
      muted: false,
      isFavorite: false,
      hidden: hidden.has(row.ownerId),
      startTime: null,
      added: false,
      readPostID: 0,
      seq: row.seq,
      heardPostID: row.lastPostId,
      lastPostID: posts.findLast(({ authorId }) => !hidden.has(authorId))?.id ?? 0,
    }))
  }

  #chatsOf(accountId: string): StoredChat[] {
    return [...(this.#chatsBy.get(accountId) ?? [])]
  }

  /** Whether that has changed anything. */
  #block(blocks: boolean, ...[one, other]: [string, string]): [{ isChanged: boolean }] {
    const isChanged = setIn(this.#hiddenFrom, one).has(other) !== blocks
    for (const [from, hidden] of [
      [one, other],
      [other, one],
    ] as const)
      if (blocks) setIn(this.#hiddenFrom, from).add(hidden)
      else setIn(this.#hiddenFrom, from).delete(hidden)
    return [{ isChanged }]
  }

  #posts(ids: readonly number[]): FezPostRow[] {
    return ids.flatMap((id) => this.#postsById.get(id) ?? [])
  }

  #insertPosts([fezIds, versions, authorIds, realAuthorIds, texts]: InsertValues): unknown[] {
    return listOf(fezIds).map((fezId, index) => {
      const { row, posts } = this.chats.get(fezId) as StoredChat
      if (Number(listOf(versions)[index]) !== versionOf(row)) return { isBusy: false, id: null, seq: null }
      const id = ++this.#lastPostId
      const seq = row.seq + 1
      const createdAt = new Date(this.#time.nowMs)
      const post = {
        id,
        fezId,
        authorId: listOf(authorIds)[index] as string,
        realAuthorId: listOf(realAuthorIds)[index] as string,
        text: texts[index] as string,
        image: null,
        imageSizes: null,
        moderationStatus: 'normal' as const,
        createdAt,
      }
      posts.push({ ...post, seq })
      this.#postsById.set(id, post)
      Object.assign(row, { seq, postEvents: row.postEvents + 1, postCount: posts.length, lastPostId: id, updatedAt: createdAt })
      return { isBusy: false, id, seq }
    })
  }

  /** The number of the event; null when nothing is to be changed. */
  #join(fezId: string, accountId: string): [{ seq: number | null }] {
    const chat = this.chats.get(fezId) as StoredChat
    const { row, memberIds, positions } = chat
    if (memberIds.includes(accountId)) return [{ seq: null }]
    memberIds.push(accountId)
    setIn(this.#chatsBy, accountId).add(chat)
    row.memberCount = memberIds.length
    positions.set(accountId, ++row.seq)
    return [{ seq: row.seq }]
  }

  #leave(fezId: string, accountId: string): [{ seq: number | null }] {
    const chat = this.chats.get(fezId) as StoredChat
    if (!chat.memberIds.includes(accountId)) return [{ seq: null }]
    chat.memberIds = chat.memberIds.filter((id) => id !== accountId)
    this.#chatsBy.get(accountId)?.delete(chat)
    chat.row.memberCount = chat.memberIds.length
    this.leavings.set(`${fezId} ${accountId}`, chat.row.lastPostId)
    return [{ seq: ++chat.row.seq }]
  }
}

/** A statement, or a part of one: nothing is asked before somebody waits for it. */
class Query {
  readonly #ask: () => Promise<unknown>
  #answer: Promise<unknown> | undefined

  constructor(ask: () => Promise<unknown>) {
    this.#ask = ask
  }

  // oxlint-disable-next-line unicorn/no-thenable -- as those of postgres.js
  then(onAnswer?: (answer: unknown) => unknown, onFailure?: (error: unknown) => unknown): Promise<unknown> {
    this.#answer ??= this.#ask()
    return this.#answer.then(onAnswer, onFailure)
  }

  catch(onFailure: (error: unknown) => unknown): Promise<unknown> {
    return this.then(undefined, onFailure)
  }
}

/** The set of a key, which is made when it is not there. */
function setIn<Key, Item>(sets: Map<Key, Set<Item>>, key: Key): Set<Item> {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set)
  return set
}

/** The name of two persons together, whichever comes first. */
export const pairOf = (one: string, other: string): string => [one, other].toSorted().join(' ')

type InsertValues = [fezIds: string, versions: string, authorIds: string, realAuthorIds: string, texts: string[]]

/** The world itself, which is no machine. */
const world = null

/** The items of what `plainArray` has made. */
const listOf = (list: string): string[] => list.slice(1, -1).split(',')
