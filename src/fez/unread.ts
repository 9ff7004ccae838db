// One user's chats and what is unread in them. Only ever compares highest post ids, so the order in
// which events arrive does not matter. Pure; the user channel feeds it.
import { FeedOrder } from '../core/live/feed.ts'
import type { FezType } from './types.ts'
import { chatGroup, type ChatGroup } from './types.ts'

/** One chat as its member sees it. Post ids are 0 when there is none. */
export interface UnreadEntry {
  fezID: string
  fezType: FezType
  /** The member's place in the chat: another one after each return. */
  position: number
  /** When the group meets; null when it does not. Floating. */
  startTime: Date | null
  muted: boolean
  isFavorite: boolean
  /** The chat cannot be opened as long as there is a block between the user and its owner: no number counts it. */
  hidden: boolean
  /** Added by the owner and not looked at since. */
  added: boolean
  /** Highest post that this user has read. */
  readPostID: number
  /** Highest post of somebody whom this user does not hide. */
  lastPostID: number
  /** Every event of the chat up to this one is accounted for. */
  seq: number
  /** The last post, by anybody, among those events. */
  heardPostID: number
}

/** Posts of a chat whose events did not arrive: all after one and up to another, but those whose events came ahead of their turn. */
export interface MissedPosts {
  fezID: string
  afterPostID: number
  upToPostID: number
  heardPostIDs: number[]
}

/** The chats that the user was added to, by their ids, and the numbers of chats with new messages. */
export interface UnreadCounts {
  added: Record<ChatGroup, string[]>
  unread: Record<ChatGroup, number>
}

/** Events that a read of Postgres accounted for before they arrived. */
interface Overtaken {
  /** They are numbered from the one after this to `upTo`. */
  after: number
  upTo: number
  /** Posts among them that were notified. */
  notifiedPostIDs: Set<number>
}

const maxDeletedAhead = 100
const maxAhead = 100

export interface Appointment {
  fezID: string
  startTime: Date
}

/** Every connected user has one: rarely needed fields are made on first use. */
export class UnreadState {
  readonly #entries = new Map<string, UnreadEntry>()
  /** Of each event that came before its turn: the post, or 0. */
  readonly #order = new FeedOrder<number>()
  #overtaken: Map<string, Overtaken> | undefined
  /** Deleted posts whose own event is still on its way from another node. */
  #deletedAhead: Set<number> | undefined
  /** By time, then by chat. */
  #appointments: readonly Appointment[] | undefined

  get(fezID: string): Readonly<UnreadEntry> | undefined {
    return this.#entries.get(fezID)
  }

  chatIds(): Iterable<string> {
    return this.#entries.keys()
  }

  replaceAll(entries: readonly UnreadEntry[]): void {
    this.#entries.clear()
    for (const entry of entries) this.#entries.set(entry.fezID, { ...entry })
    this.#order.readAgain((fezID) => this.#entries.get(fezID)?.seq ?? Infinity)
    for (const fezID of this.#order.feeds()) {
      const entry = this.#entries.get(fezID)
      if (entry) this.#catchUp(entry)
    }
    this.#appointments = undefined
  }

  /** True for an event that is accounted for, or came ahead of its turn; also in chats without an entry. */
  hasHeard(fezID: string, seq: number): boolean {
    return this.#order.turnOf(fezID, this.#entries.get(fezID)?.seq ?? Infinity, seq) === 'past'
  }

  /** Takes note of an event, with its post or 0. Returns the chat's entry, or undefined when it was accounted for before. */
  hear(fezID: string, seq: number, postID: number): UnreadEntry | undefined {
    const entry = this.#entries.get(fezID)
    if (!entry) return undefined
    const turn = this.#order.turnOf(fezID, entry.seq, seq)
    if (turn === 'past') return undefined
    if (turn === 'early') {
      this.#order.hold(fezID, seq, postID)
      return entry
    }
    this.#account(entry, seq, postID)
    this.#catchUp(entry)
    return entry
  }

  /** Accounts for the events that came early and whose turn it is. */
  #catchUp(entry: UnreadEntry): void {
    for (let next = this.#order.next(entry.fezID, entry.seq); next !== undefined; next = this.#order.next(entry.fezID, entry.seq))
      this.#account(entry, entry.seq + 1, next)
  }

  /**
   * To be called before `replaceAll`, where there is somebody to notify: posts that are in `fresh` and read already are
   * still to be notified when their events arrive.
   */
  noteOvertaken(fresh: readonly UnreadEntry[]): void {
    for (const { fezID, position, seq } of fresh) {
      const known = this.#entries.get(fezID)
      if (known?.position !== position || seq <= known.seq) continue
      const before = this.#overtaken?.get(fezID)
      this.#overtaken ??= new Map<string, Overtaken>()
      this.#overtaken.set(fezID, { after: before?.after ?? known.seq, upTo: seq, notifiedPostIDs: before?.notifiedPostIDs ?? new Set() })
    }
  }

  /** Notes that a post was notified before its event arrived. */
  notified(fezID: string, postID: number): void {
    this.#overtaken?.get(fezID)?.notifiedPostIDs.add(postID)
  }

  /** True for the event of a post that was accounted for before it arrived, and was not notified. */
  isOwed(fezID: string, seq: number, postID: number): boolean {
    const overtaken = this.#overtaken?.get(fezID)
    return overtaken !== undefined && seq > overtaken.after && seq <= overtaken.upTo && !overtaken.notifiedPostIDs.has(postID)
  }

  /** True when so many events came ahead of a missing one that it must be lost. */
  isBehind(fezID: string): boolean {
    return this.#order.held(fezID).size > maxAhead
  }

  #account(entry: UnreadEntry, seq: number, postID: number): void {
    entry.seq = seq
    // What has not come by now is lost.
    if (seq > (this.#overtaken?.get(entry.fezID)?.upTo ?? Infinity) + maxAhead) this.#overtaken?.delete(entry.fezID)
    entry.heardPostID = Math.max(entry.heardPostID, postID)
  }

  /** The unread posts in fresh entries whose events did not arrive here. Muted and new chats have missed nothing. */
  missedIn(fresh: readonly UnreadEntry[]): MissedPosts[] {
    return fresh.flatMap(({ fezID, muted, hidden, position, lastPostID, readPostID, heardPostID }) => {
      const known = this.#entries.get(fezID)
      const afterPostID = Math.max(known?.heardPostID ?? 0, readPostID)
      if (muted || hidden || known?.position !== position || lastPostID <= afterPostID) return []
      return [{ fezID, afterPostID, upToPostID: heardPostID, heardPostIDs: [...this.#order.held(fezID).values()] }]
    })
  }

  /** A visible post by somebody arrived in the chat of an entry. */
  posted(entry: UnreadEntry, postID: number): void {
    if (entry.lastPostID >= postID || this.#deletedAhead?.delete(postID)) return
    entry.lastPostID = postID
  }

  /** The user has read, or written, up to a post, in the place they had then. */
  read(fezID: string, postID: number, position: number): void {
    const entry = this.#entries.get(fezID)
    if (entry?.position !== position || (entry.readPostID >= postID && !entry.added)) return
    entry.readPostID = Math.max(entry.readPostID, postID)
    entry.added = false
  }

  /** A post is gone. Returns true when the chat may have nothing unread without it: only Postgres knows. */
  postDeleted(fezID: string, postID: number): boolean {
    const entry = this.#entries.get(fezID)
    if (!entry || postID <= entry.readPostID) return false
    if (postID > entry.lastPostID) {
      // Most of these never come: their authors are hidden.
      this.#deletedAhead ??= new Set<number>()
      if (this.#deletedAhead.size >= maxDeletedAhead) this.#deletedAhead.clear()
      this.#deletedAhead.add(postID)
    }
    return postID === entry.lastPostID
  }

  /** Walks through all chats. */
  counts(): UnreadCounts {
    return count(this.#entries.values())
  }

  /** The first group that meets after a floating time. */
  nextAppointment(after: Date): Appointment | undefined {
    const all = (this.#appointments ??= appointments(this.#entries.values()))
    return all.length === 0 ? undefined : all.find(({ startTime }) => startTime > after)
  }
}

// Most have none, and are asked for it with every poll.
const noAppointments: readonly Appointment[] = []

function appointments(entries: Iterable<UnreadEntry>): readonly Appointment[] {
  const all = Array.from(entries)
    .flatMap(({ fezID, startTime, hidden }) => (startTime && !hidden ? [{ fezID, startTime }] : []))
    .sort((a, b) => a.startTime.getTime() - b.startTime.getTime() || (a.fezID < b.fezID ? -1 : 1))
  return all.length === 0 ? noAppointments : all
}

/** Of somebody without chats. */
export const noCounts = (): UnreadCounts => ({
  added: { seamail: [], lfg: [], privateEvent: [] },
  unread: { seamail: 0, lfg: 0, privateEvent: 0 },
})

function count(entries: Iterable<UnreadEntry>): UnreadCounts {
  const counts = noCounts()
  for (const entry of entries) {
    if (entry.hidden) continue
    const group = chatGroup(entry.fezType)
    // New messages in a chat not looked at yet are part of its being new.
    if (entry.added) counts.added[group].push(entry.fezID)
    else if (!entry.muted && entry.lastPostID > entry.readPostID) counts.unread[group]++
  }
  // The same on every node.
  for (const ids of Object.values(counts.added)) ids.sort()
  return counts
}
