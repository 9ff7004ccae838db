// One user's chats and what is unread in them. Only ever compares highest post ids, so the order in
// which events arrive does not matter. Pure; the user channel feeds it.
import type { FezType } from '../fez/types.ts'
import { chatGroup, type ChatGroup } from '../fez/types.ts'

/** One chat as its member sees it. Post ids are 0 when there is none. */
export interface MailboxEntry {
  fezID: string
  fezType: FezType
  /** The member's place in the chat: another one after each return. */
  position: number
  /** When the group meets; null when it does not. Floating. */
  startTime: Date | null
  muted: boolean
  /** Added by the owner and not looked at since. */
  added: boolean
  /** Highest post that this user has read. */
  readPostID: number
  /** Highest post of somebody whom this user does not hide. */
  lastPostID: number
}

/** Numbers of chats, not of messages. */
export interface MailboxCounts {
  added: Record<ChatGroup, number>
  unread: Record<ChatGroup, number>
}

const maxDeletedAhead = 100

export interface Appointment {
  fezID: string
  startTime: Date
}

export class Mailbox {
  readonly #entries = new Map<string, MailboxEntry>()
  /** Deleted posts whose own event is still on its way from another node. */
  readonly #deletedAhead = new Set<number>()
  #counts: MailboxCounts | undefined
  /** By time, then by chat. */
  #appointments: Appointment[] | undefined

  /** The chats the user is a member of. */
  get fezIDs(): IterableIterator<string> {
    return this.#entries.keys()
  }

  get(fezID: string): Readonly<MailboxEntry> | undefined {
    return this.#entries.get(fezID)
  }

  replaceAll(entries: readonly MailboxEntry[]): void {
    this.#entries.clear()
    for (const entry of entries) this.#entries.set(entry.fezID, { ...entry })
    this.#counts = undefined
    this.#appointments = undefined
  }

  /** A visible post by somebody arrived. */
  posted(fezID: string, postID: number): void {
    const entry = this.#entries.get(fezID)
    if (!entry || entry.lastPostID >= postID || this.#deletedAhead.delete(postID)) return
    entry.lastPostID = postID
    this.#counts = undefined
  }

  /** The user has read, or written, up to a post, in the place he had then. */
  read(fezID: string, postID: number, position: number): void {
    const entry = this.#entries.get(fezID)
    if (entry?.position !== position || (entry.readPostID >= postID && !entry.added)) return
    entry.readPostID = Math.max(entry.readPostID, postID)
    entry.added = false
    this.#counts = undefined
  }

  /** A post is gone. Returns true when the chat may have nothing unread without it: only Postgres knows. */
  postDeleted(fezID: string, postID: number): boolean {
    const entry = this.#entries.get(fezID)
    if (!entry || postID <= entry.readPostID) return false
    if (postID > entry.lastPostID) {
      // Most of these never come: their authors are hidden.
      if (this.#deletedAhead.size >= maxDeletedAhead) this.#deletedAhead.clear()
      this.#deletedAhead.add(postID)
    }
    return postID === entry.lastPostID
  }

  counts(): MailboxCounts {
    return this.#counts ??= count(this.#entries.values())
  }

  /** The first group that meets after a floating time. */
  nextAppointment(after: Date): Appointment | undefined {
    this.#appointments ??= appointments(this.#entries.values())
    return this.#appointments.find(({ startTime }) => startTime > after)
  }
}

function appointments(entries: Iterable<MailboxEntry>): Appointment[] {
  return Array.from(entries)
    .flatMap(({ fezID, startTime }) => (startTime ? [{ fezID, startTime }] : []))
    .sort((a, b) => a.startTime.getTime() - b.startTime.getTime() || (a.fezID < b.fezID ? -1 : 1))
}

function count(entries: Iterable<MailboxEntry>): MailboxCounts {
  const counts: MailboxCounts = { added: { seamail: 0, lfg: 0, privateEvent: 0 }, unread: { seamail: 0, lfg: 0, privateEvent: 0 } }
  for (const entry of entries) {
    const group = chatGroup(entry.fezType)
    // New messages in a chat not looked at yet are part of its being new.
    if (entry.added) counts.added[group]++
    else if (!entry.muted && entry.lastPostID > entry.readPostID) counts.unread[group]++
  }
  return counts
}
