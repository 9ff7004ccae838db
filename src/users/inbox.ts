// Unread posts in the chats of one user and in the shared inboxes they may open, and the notices of posts that
// arrived while that could not be counted.
import type { Channels, Watcher } from '../core/live/registry.ts'
import type { Node } from '../core/work/ctx.ts'
import type { Db } from '../core/db/db.ts'
import { gathered } from '../core/db/gathered.ts'
import { hidesContentOf, type Viewer } from '../core/base/viewer.ts'
import { userTopic } from '../accounts/events.ts'
import { fezTopic, type ChatPost, type FezEvent } from '../fez/events.ts'
import { postNoticeFrame, postNoticeOf } from '../fez/notices.ts'
import { UnreadState, type UnreadEntry } from '../fez/unread.ts'
import { selectChatIds, selectInboxes, selectMissedNotices, selectUnread, type MissedNotice } from '../fez/unread.queries.ts'
import type { UserSockets } from './sockets.ts'

type PostedEvent = FezEvent & { type: 'posted' }

/** A post whose notice may be sent later. */
type HeldPost = ChatPost & Pick<PostedEvent, 'seq' | 'chat'> & { fezID: string }

/** The result of one read of an inbox. */
export interface InboxSnapshot {
  unread: UnreadEntry[]
  /** Of each shared inbox that the account may open. */
  shared: ReadonlyMap<string, UnreadEntry[]>
  /** Posts that open notification sockets were not notified of. */
  notices: MissedNotice[]
}

/** The user channel that an inbox belongs to. */
interface Owner extends Viewer, Watcher {
  readonly sockets: UserSockets
  readonly closed: boolean
}

const readUnread = gathered(selectUnread)

/** More posts than these are not held back while the channel cannot be read. */
const maxHeldPosts = 500

const none: readonly never[] = []
const noShared: ReadonlyMap<never, never> = new Map<never, never>()

/** One per user channel, which passes on the events of chats. */
export class Inbox {
  readonly #owner: Owner
  readonly #channels: Channels<Node>
  readonly unread = new UnreadState()
  /** Unread state of each shared inbox, by its account. */
  shared: ReadonlyMap<string, UnreadState> = noShared
  /** Chats that are watched although no unread state has them: not yet, or perhaps no longer. */
  #otherChats: readonly string[] = none
  /** Shared accounts whose events come here. */
  #sharedAccounts: readonly string[] = none
  /**
   * Posts that arrived while the channel was being read, by their ids. The read finds those that are unread, but not
   * those that were read at once.
   */
  #heldPosts: Map<number, HeldPost> | undefined

  constructor(owner: Owner, channels: Channels<Node>) {
    this.#owner = owner
    this.#channels = channels
  }

  /** Reads what is unread. Undefined when the channel was closed meanwhile: it must not begin to watch again. */
  async read(db: Db, ownChatIds: readonly string[], sharedAccounts: readonly string[]): Promise<InboxSnapshot | undefined> {
    const { id } = this.#owner
    // Watching comes before reading what is unread: no post can slip between the two.
    this.#watchAccounts(sharedAccounts)
    await this.#channels.whenHeard(userTopic.name, sharedAccounts)
    const sharedChatIds = sharedAccounts.length > 0 ? await selectChatIds(db.sql, sharedAccounts) : []
    if (this.#owner.closed) return undefined
    const chatIds = [...ownChatIds, ...sharedChatIds]
    for (const fezID of chatIds) this.#channels.watch(fezTopic.name, fezID, this.#owner)
    this.#otherChats = [...new Set([...this.#otherChats, ...chatIds])]
    await this.#channels.whenHeard(fezTopic.name, chatIds)
    const [unread, sharedEntries] = await Promise.all([
      readUnread(db, id).then((entries = []) => entries),
      sharedAccounts.length > 0 ? selectInboxes(db.sql, id, sharedAccounts) : [],
    ])
    const shared = new Map(sharedAccounts.map((inboxID) => [inboxID, sharedEntries.filter((entry) => entry.inboxID === inboxID)]))
    const missed = this.#owner.sockets.hears ? this.unread.missedIn(unread) : []
    return { unread, shared, notices: missed.length > 0 ? await selectMissedNotices(db.sql, id, missed) : [] }
  }

  /** Takes over what was read. */
  install({ unread, shared }: InboxSnapshot): void {
    const watched = new Set([...this.#otherChats, ...this.#chatIds()])
    if (this.#owner.sockets.hears) this.unread.noteOvertaken(unread)
    this.unread.replaceAll(unread)
    const known = this.shared
    this.shared =
      shared.size === 0
        ? noShared
        : new Map(
            Array.from(shared, ([inboxID, entries]) => {
              const state = known.get(inboxID) ?? new UnreadState()
              state.replaceAll(entries)
              return [inboxID, state]
            }),
          )
    for (const fezID of this.#chatIds()) watched.delete(fezID)
    for (const fezID of watched) this.#channels.unwatch(fezTopic.name, fezID, this.#owner)
    this.#otherChats = none
  }

  /** Sends notices of the posts that were missed, and of those that arrived while they were being read. */
  notifyMissed(notices: readonly MissedNotice[]): void {
    const frames = new Map<number, Uint8Array>(notices.map((notice) => [notice.postID, postNoticeFrame(notice)]))
    for (const { fezID, postID } of notices) this.unread.notified(fezID, postID)
    for (const [postID, held] of this.#heldPosts ?? []) {
      const entry = this.unread.get(held.fezID)
      // Later posts are notified when they are applied.
      if (!entry || held.seq <= entry.position || held.seq > entry.seq) continue
      if (!this.#isNotified(entry, held)) continue
      frames.set(postID, postNoticeOf(held))
      this.unread.notified(held.fezID, postID)
    }
    this.#heldPosts = undefined
    this.#owner.sockets.notify(...[...frames].sort(([one], [other]) => one - other).map(([, frame]) => frame))
  }

  /** Holds back posts until the channel has been read. */
  hold(fezID: string, event: FezEvent): void {
    if (event.type !== 'posted' || !this.#owner.sockets.hears) return
    for (const [index, { post, author }] of event.posts.entries()) {
      const seq = event.seq + index
      if (this.unread.hasHeard(fezID, seq)) continue
      this.#heldPosts ??= new Map<number, HeldPost>()
      if (this.#heldPosts.size < maxHeldPosts) this.#heldPosts.set(post.id, { fezID, seq, post, author, chat: event.chat })
    }
  }

  /** Applies an event of a chat. `'reload'`: only Postgres knows what is unread now. */
  apply(fezID: string, event: FezEvent): void | 'reload' {
    if (event.type === 'starting') {
      if (this.unread.get(fezID)?.hidden === false) this.#owner.sockets.notifyOnce(`${fezID} ${event.startTime}`, event.notice)
      return
    }
    if (event.type === 'cancelled') {
      if (this.unread.get(fezID)?.hidden === false && event.byID !== this.#owner.id)
        this.#owner.sockets.notifyOnce(event.noticeID, event.notice)
      return
    }
    // There is one for every member of a busy chat: most have no shared inboxes.
    if (this.shared.size === 0) return this.#applyIn(this.unread, fezID, event)
    // Every state applies it, whatever the others make of it.
    if (
      this.#states()
        .map((state) => this.#applyIn(state, fezID, event))
        .includes('reload')
    )
      return 'reload'
  }

  /** The user has read a chat up to a post, as the member they were at `position`, or as a reader of a shared inbox. */
  markRead(fezID: string, postID: number, position: number, inboxID?: string): void {
    const state = inboxID === undefined ? this.unread : this.shared.get(inboxID)
    state?.read(fezID, postID, position)
  }

  /** Ends all watching. */
  close(): void {
    for (const fezID of [...this.#otherChats, ...this.#chatIds()]) this.#channels.unwatch(fezTopic.name, fezID, this.#owner)
    this.#watchAccounts(none)
  }

  #states(): UnreadState[] {
    return [this.unread, ...this.shared.values()]
  }

  #chatIds(): string[] {
    return this.#states().flatMap((state) => [...state.chatIds()])
  }

  #watchAccounts(ids: readonly string[]): void {
    for (const id of this.#sharedAccounts) if (!ids.includes(id)) this.#channels.unwatch(userTopic.name, id, this.#owner)
    for (const id of ids) this.#channels.watch(userTopic.name, id, this.#owner)
    this.#sharedAccounts = ids
  }

  #applyIn(state: UnreadState, fezID: string, event: Exclude<FezEvent, { type: 'starting' | 'cancelled' }>): void | 'reload' {
    // The last read saw it already: no notice, and nothing to count.
    let outcome: 'reload' | undefined
    if (event.type === 'posted') {
      let seq = event.seq
      let notices: Uint8Array[] | undefined
      for (const each of event.posts) {
        const entry = state.hear(fezID, seq, each.post.id)
        const notice = entry ? this.#posted(state, entry, seq, each, event.chat) : this.#overtaken(state, fezID, seq, each, event.chat)
        if (notice) (notices ??= []).push(notice)
        seq++
      }
      if (notices) this.#owner.sockets.notify(...notices)
    } else if (state.hear(fezID, event.seq, 0)) outcome = this.#applyNew(state, fezID, event)
    return state.isBehind(fezID) ? 'reload' : outcome
  }

  #applyNew(state: UnreadState, fezID: string, event: FezEvent): 'reload' | undefined {
    switch (event.type) {
      // The unread post may have been just this one.
      case 'postDeleted':
        return state.postDeleted(fezID, event.postID) ? 'reload' : undefined
      // The next appointment may have been just this chat.
      case 'changed':
      case 'deleted':
        return 'reload'
      default:
        return undefined
    }
  }

  /** Counts a post; returns its notice, if the user gets one. */
  #posted(
    state: UnreadState,
    entry: UnreadEntry,
    seq: number,
    { post, author }: ChatPost,
    chat: PostedEvent['chat'],
  ): Uint8Array | undefined {
    if (post.realAuthorId === this.#owner.id) {
      // A post from before the account left and came back is not read again.
      if (seq > entry.position) state.read(entry.fezID, post.id, entry.position)
      return undefined
    }
    if (hidesContentOf(this.#owner, author)) return undefined
    state.posted(entry, post.id)
    return this.#isNotifiedIn(state, entry, { post, author }) ? postNoticeOf({ post, author, chat }) : undefined
  }

  /** The notice of a post that was read, and counted, before its event arrived. */
  #overtaken(
    state: UnreadState,
    fezID: string,
    seq: number,
    { post, author }: ChatPost,
    chat: PostedEvent['chat'],
  ): Uint8Array | undefined {
    const entry = state.get(fezID)
    if (!entry || seq <= entry.position || !state.isOwed(fezID, seq, post.id)) return undefined
    return this.#isNotifiedIn(state, entry, { post, author }) ? postNoticeOf({ post, author, chat }) : undefined
  }

  /** No notices from shared inboxes: the whole team would get one for every question. */
  #isNotifiedIn(state: UnreadState, entry: Readonly<UnreadEntry>, of: ChatPost): boolean {
    return state === this.unread && this.#owner.sockets.hears && this.#isNotified(entry, of)
  }

  #isNotified({ muted, hidden }: Readonly<UnreadEntry>, { post, author }: ChatPost): boolean {
    return post.realAuthorId !== this.#owner.id && !muted && !hidden && !hidesContentOf(this.#owner, author)
  }
}
