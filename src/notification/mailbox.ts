// One user's chats and what is unread in them. Only ever compares highest post ids, so the order in
// which events arrive does not matter. Pure; the user channel feeds it.
import type { FezType } from '../fez/types.ts'
import { chatGroup, type ChatGroup } from '../fez/types.ts'

/** One chat as its member sees it. Post ids are 0 when there is none. */
export interface MailboxEntry {
  fezID: string
  fezType: FezType
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

export class Mailbox {
  readonly #entries = new Map<string, MailboxEntry>()
  #counts: MailboxCounts | undefined

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
  }

  /** Puts one chat's fresh state in place; undefined when the user is no longer a member. */
  replace(fezID: string, entry: MailboxEntry | undefined): void {
    if (entry) this.#entries.set(fezID, { ...entry })
    else this.#entries.delete(fezID)
    this.#counts = undefined
  }

  /** A visible post by somebody arrived. */
  posted(fezID: string, postID: number): void {
    const entry = this.#entries.get(fezID)
    if (!entry || entry.lastPostID >= postID) return
    entry.lastPostID = postID
    this.#counts = undefined
  }

  /** The user has read, or written, up to a post. */
  read(fezID: string, postID: number): void {
    const entry = this.#entries.get(fezID)
    if (!entry || (entry.readPostID >= postID && !entry.added)) return
    entry.readPostID = Math.max(entry.readPostID, postID)
    entry.added = false
    this.#counts = undefined
  }

  setMuted(fezID: string, muted: boolean): void {
    const entry = this.#entries.get(fezID)
    if (!entry) return
    entry.muted = muted
    this.#counts = undefined
  }

  counts(): MailboxCounts {
    return this.#counts ??= count(this.#entries.values())
  }
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
