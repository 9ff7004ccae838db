// One account in memory: who it is, whom it hides, what is unread, and its sockets on this node.
// Every authenticated request starts here.
import { Channel } from '../core/realtime/channel.ts'
import type { Kind, Node } from '../core/ctx.ts'
import type { Watcher } from '../core/realtime/registry.ts'
import type { Socket, SocketHandlers } from '../core/http/route.ts'
import { closeCodes, maxSocketsPerUser } from '../core/realtime/sockets.ts'
import { hidesContentOf, type UserAccessLevel, type UserRoleType, type Viewer } from '../core/viewer.ts'
import type { FezEvent } from '../fez/events.ts'
import type { ChatReader, ChatSession } from '../fez/reader.ts'
import { inboxesOf } from '../fez/rules.ts'
import { postNoticeFrame, postNoticeOf } from '../fez/notices.ts'
import { noHits, type HitCount } from '../hits/hits.ts'
import { selectHitCounts } from '../hits/queries.ts'
import { UnreadState, type UnreadEntry } from '../fez/unread.ts'
import type { PolledPart } from '../core/http/cached-json.ts'
import { selectChatIds, selectInboxes, selectUnread, selectMissedNotices, type MissedNotice } from '../fez/unread.queries.ts'
import { userTopic, type UserEvent } from '../accounts/events.ts'
import { selectUserChannelRow, type UserChannelRow } from './queries.ts'

/** Native topic of every notification socket: for frames that are the same for everybody. */
export const everybodyTopic = 'everybody'

/** What a user channel receives: the account's events, and what other channels of this node pass on to it. */
export type UserChannelEvent =
  | UserEvent
  /** Only within a node: hits were counted anew, unless that failed, and these frames go with them. */
  | { type: 'hits'; counts: readonly HitCount[] | undefined; frames: readonly Uint8Array[] }
  /** Only within a node: an event of the schedule is about to start. */
  | { type: 'eventStarting'; eventID: string; startTime: string; notice: Uint8Array }
  /** Only within a node: something happened in a chat that the account is a member of. */
  | { type: 'chat'; fezID: string; event: FezEvent }

interface Snapshot {
  /** Those that there were before it was read. */
  invalidations: number
  row: UserChannelRow
  mailbox: UnreadEntry[]
  /** Of each shared inbox that the account may open. */
  inboxes: ReadonlyMap<string, UnreadEntry[]>
  hits: readonly HitCount[]
  /** What open notification sockets have to be told after the fact. */
  notices: MissedNotice[]
}

/** A device's socket for everything that concerns its user. */
export class NotificationSession implements SocketHandlers {
  readonly #user: UserChannel

  constructor(user: UserChannel) {
    this.#user = user
  }

  opened(socket: Socket): void {
    if (!this.#user.mayConnect || this.#user.notificationSockets.length >= maxSocketsPerUser) return socket.close(closeCodes.goingAway)
    this.#user.addSocket(socket)
    socket.subscribe(everybodyTopic)
  }

  closed(socket: Socket): void {
    this.#user.removeSocket(socket)
  }
}

type ChatPost = { fezID: string } & FezEvent & { type: 'posted' }

/** More posts than these are not kept while the channel cannot be read. */
const maxUntoldPosts = 500

// Thousands of users are connected: what is empty is shared, and lists are no longer than they need be.
const none: ReadonlySet<never> = new Set<never>()
const noInboxes: ReadonlyMap<never, never> = new Map<never, never>()
const nothing: readonly never[] = []

/** Most users hide nobody. */
function setOf<T>(values: readonly T[]): ReadonlySet<T> {
  return values.length === 0 ? none : new Set(values)
}

function without<T>(list: readonly T[], item: T): readonly T[] {
  const index = list.indexOf(item)
  if (index < 0) return list
  return list.length === 1 ? nothing : list.toSpliced(index, 1)
}

/** Keeps up with one account, its mailbox and its sockets by the events of both. */
export class UserChannel extends Channel<UserChannelEvent, Snapshot> implements ChatReader, Watcher {
  readonly #node: Node
  personId = ''
  username = ''
  level: UserAccessLevel = 'banned'
  roles: ReadonlySet<UserRoleType> = none
  tempQuarantineUntilMs = 0
  blockedPersons: ReadonlySet<string> = none
  mutes: ReadonlySet<string> = none
  mutewords: readonly string[] = nothing
  /** The token that requests are recognised by on this node; see auth/tokens.ts. */
  token: string | undefined
  tokenDigest: string | undefined
  /** Highest announcement that was read. */
  readAnnouncementID = 0
  /** Events of the schedule, deleted ones too. */
  followedEvents: ReadonlySet<string> = none
  readonly unread = new UnreadState()
  /** What the account has read in the inboxes of shared accounts, by these. */
  inboxes: ReadonlyMap<string, UnreadState> = noInboxes
  /** Mentions, alertwords and the like. */
  hits: readonly HitCount[] = noHits
  /** Chats whose events come here besides those of the mailboxes: perhaps no longer, or not yet, in one. */
  #watchedBesides: readonly string[] = nothing
  /** Shared accounts whose events come here. */
  #watchedInboxes: readonly string[] = nothing
  /** Counts what has happened to the account here: what was made of the state is good as long as this stays. */
  revision = 0
  /** What the last poll was answered with. */
  polled: PolledPart | undefined
  notificationSockets: readonly Socket[] = nothing
  chatSessions: readonly ChatSession[] = nothing

  /** Counts reasons to doubt what is known of whom the user hides, and those that came before it was last read. */
  #invalidations = 0
  #validAsOf = 0
  /** Notices that came while the channel was being read: to be told when it has been, however often that fails. */
  #untold: (() => void)[] | undefined
  /** Posts that came meanwhile, by their ids. What has been read tells of those that are unread, but not of these when they were read at once. */
  #untoldPosts: Map<number, ChatPost> | undefined
  /** Appointments and events that the open sockets have been told of. */
  #announced: Set<string> | undefined

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  get busy(): boolean {
    return this.notificationSockets.length > 0 || this.chatSessions.length > 0
  }

  /** False when the account lost its token, or the channel its place, while a socket was being opened. */
  get mayConnect(): boolean {
    return !this.closed && this.tokenDigest !== undefined
  }

  /** A device listens to everything that concerns the account. */
  addSocket(socket: Socket): void {
    this.notificationSockets = this.notificationSockets.concat([socket])
  }

  removeSocket(socket: Socket): void {
    this.notificationSockets = without(this.notificationSockets, socket)
  }

  /** A device listens to a chat. */
  addSession(session: ChatSession): void {
    this.chatSessions = this.chatSessions.concat([session])
  }

  removeSession(session: ChatSession): void {
    this.chatSessions = without(this.chatSessions, session)
  }

  /** Sends one frame to every device's notification socket on this node. */
  notify(frame: Uint8Array): void {
    for (const socket of this.notificationSockets) socket.send(frame)
  }

  /** An event of a chat in a mailbox, or of a shared account: takes its turn among the account's own events. */
  observe(kind: string, id: string, event: unknown): void | Promise<void> {
    // Of a shared account only matters which chats it is in.
    if (kind === 'user' && (event as UserEvent).type !== 'chatsChanged') return
    const own = kind === 'user' ? (event as UserEvent) : { type: 'chat' as const, fezID: id, event: event as FezEvent }
    // While the bus is down this node may not know of the latest blocks and mutes.
    if (this.busy && !this.#node.bus.up) {
      this.#keepPost(own)
      return this.reload()
        .catch(() => undefined)
        .then(() => this.receive(own))
    }
    return this.receive(own)
  }

  override receive(event: UserChannelEvent): void | Promise<void> {
    if (event.type === 'relationsChanged' || event.type === 'changed') this.onInvalid()
    return super.receive(this.live || this.closed ? event : this.#keepNotice(event))
  }

  /** Keeps what an event tells until the channel has been read; returns what is left of it. */
  #keepNotice(event: UserChannelEvent): UserChannelEvent {
    if (event.type === 'hits') {
      if (event.frames.length > 0) (this.#untold ??= []).push(() => event.frames.forEach((frame) => this.notify(frame)))
      return { ...event, frames: [] }
    }
    this.#keepPost(event)
    // DurableMessage once, however often it is applied.
    if (event.type === 'eventStarting' || (event.type === 'chat' && event.event.type === 'starting'))
      (this.#untold ??= []).push(() => void this.apply(event))
    return event
  }

  #keepPost(event: UserChannelEvent): void {
    if (event.type !== 'chat' || event.event.type !== 'posted' || this.notificationSockets.length === 0) return
    const { fezID, event: post } = event
    if (this.unread.hasHeard(fezID, post.seq)) return
    this.#untoldPosts ??= new Map<number, ChatPost>()
    if (this.#untoldPosts.size < maxUntoldPosts) this.#untoldPosts.set(post.postID, { fezID, ...post })
  }

  /** Whom the user hides may have changed since it was read. */
  get stale(): boolean {
    return this.#invalidations !== this.#validAsOf
  }

  protected override onInvalid(): void {
    this.#invalidations++
    for (const session of this.chatSessions) session.relationsUnknown()
  }

  protected override async read(): Promise<Snapshot | undefined> {
    const invalidations = this.#invalidations
    const row = await selectUserChannelRow(this.#node.db.sql, this.id)
    // A closed channel has stopped watching, and must not begin again.
    if (!row || this.closed) return undefined
    // Watching comes before reading what is unread: no post can slip between the two.
    const inboxIds = inboxesOf(row.level)
    this.#watchInboxes(inboxIds)
    const shared = inboxIds.length > 0 ? await selectChatIds(this.#node.db.sql, inboxIds) : []
    if (this.closed) return undefined
    const fezIds = [...row.fezIds, ...shared]
    for (const fezID of fezIds) this.#node.channels.watch('fez', fezID, this)
    this.#watchedBesides = [...new Set([...this.#watchedBesides, ...fezIds])]
    const [mailbox, hits, sharedEntries] = await Promise.all([
      selectUnread(this.#node.db.sql, this.id),
      selectHitCounts(this.#node.db.sql, [this.id]),
      inboxIds.length > 0 ? selectInboxes(this.#node.db.sql, this.id, inboxIds) : [],
    ])
    const inboxes = new Map(inboxIds.map((inboxID) => [inboxID, sharedEntries.filter((entry) => entry.inboxID === inboxID)]))
    const missed = this.notificationSockets.length > 0 ? this.unread.missedIn(mailbox) : []
    return {
      invalidations,
      row,
      mailbox,
      inboxes,
      hits: hits.length > 0 ? hits : noHits,
      notices: missed.length > 0 ? await selectMissedNotices(this.#node.db.sql, this.id, missed) : [],
    }
  }

  protected override install({ invalidations, row, mailbox, inboxes, hits, notices }: Snapshot): void {
    this.revision++
    // The same texts as there.
    const account = this.#node.accounts.put({ ...row, id: this.id })
    this.personId = account.personId
    this.username = account.username
    this.level = account.level
    this.roles = setOf(row.roles)
    this.tempQuarantineUntilMs = row.tempQuarantineUntil?.getTime() ?? 0
    this.blockedPersons = setOf(row.blockedPersons)
    this.mutes = setOf(row.mutes)
    this.readAnnouncementID = row.readAnnouncementId
    this.mutewords = row.mutewords.length === 0 ? nothing : row.mutewords
    this.hits = hits
    this.followedEvents = setOf(row.followedEventIds)
    const loggedOut = this.tokenDigest !== undefined && row.tokenDigest !== this.tokenDigest
    if (loggedOut || this.level === 'banned') this.#loseToken()
    this.tokenDigest = row.tokenDigest ?? undefined
    const watched = new Set([...this.#watchedBesides, ...this.#chatIds()])
    this.unread.replaceAll(mailbox)
    this.inboxes =
      inboxes.size === 0
        ? noInboxes
        : new Map(
            Array.from(inboxes, ([inboxID, entries]) => {
              const inbox = this.inboxes.get(inboxID) ?? new UnreadState()
              inbox.replaceAll(entries)
              return [inboxID, inbox]
            }),
          )
    for (const fezID of this.#chatIds()) watched.delete(fezID)
    for (const fezID of watched) this.#node.channels.unwatch('fez', fezID, this)
    this.#watchedBesides = nothing
    this.#tellMissed(notices)
    const untold = this.#untold
    this.#untold = undefined
    for (const tell of untold ?? []) tell()
    this.#validAsOf = invalidations
    for (const session of this.chatSessions) session.relationsChanged()
  }

  /** Tells of the posts that were missed, and of those that came while they were being read. */
  #tellMissed(notices: readonly MissedNotice[]): void {
    const frames = new Map<number, Uint8Array>(notices.map((notice) => [notice.postID, postNoticeFrame(notice)]))
    for (const [postID, post] of this.#untoldPosts ?? []) {
      const entry = this.unread.get(post.fezID)
      // Those after what has been read are told when they are applied.
      if (!entry || post.seq <= entry.position || post.seq > entry.seq) continue
      if (post.realAuthorID !== this.id && !entry.muted && !entry.hidden && !hidesContentOf(this, post.author))
        frames.set(postID, postNoticeOf(post))
    }
    this.#untoldPosts = undefined
    for (const [, frame] of [...frames].sort(([one], [other]) => one - other)) this.notify(frame)
  }

  protected override apply(event: UserChannelEvent): void | 'reload' {
    this.revision++
    switch (event.type) {
      // Two nodes may have written at once: only Postgres knows which was the last.
      case 'changed':
      case 'relationsChanged':
      case 'followedEventsChanged':
      case 'chatsChanged':
      case 'chatMuted':
        return 'reload'
      case 'loggedOut':
        return this.#loseToken()
      case 'eventStarting':
        if (this.followedEvents.has(event.eventID)) this.#starting(`${event.eventID} ${event.startTime}`, event.notice)
        return
      case 'announcementsRead':
        this.readAnnouncementID = Math.max(this.readAnnouncementID, event.announcementID)
        return
      case 'hits':
        if (event.counts) this.hits = event.counts
        for (const frame of event.frames) this.notify(frame)
        return event.counts ? undefined : 'reload'
      case 'chatRead': {
        const read = event.inboxID === undefined ? this.unread : this.inboxes.get(event.inboxID)
        return read?.read(event.fezID, event.postID, event.position)
      }
      case 'chat':
        return this.#applyChatEvent(event.fezID, event.event)
    }
  }

  protected override onClose(): void {
    this.token = undefined
    for (const fezID of [...this.#watchedBesides, ...this.#chatIds()]) this.#node.channels.unwatch('fez', fezID, this)
    this.#watchInboxes(nothing)
  }

  #unreadStates(): UnreadState[] {
    return [this.unread, ...this.inboxes.values()]
  }

  #chatIds(): string[] {
    return this.#unreadStates().flatMap((mailbox) => [...mailbox.chatIds()])
  }

  #watchInboxes(inboxIds: readonly string[]): void {
    for (const id of this.#watchedInboxes) if (!inboxIds.includes(id)) this.#node.channels.unwatch('user', id, this)
    for (const id of inboxIds) this.#node.channels.watch('user', id, this)
    this.#watchedInboxes = inboxIds
  }

  #loseToken(): void {
    this.token = undefined
    this.tokenDigest = undefined
    for (const socket of [...this.notificationSockets]) socket.close(closeCodes.goingAway)
    for (const { socket } of [...this.chatSessions]) socket?.close(closeCodes.goingAway)
  }

  #applyChatEvent(fezID: string, event: FezEvent): void | 'reload' {
    if (event.type === 'starting') {
      const entry = this.unread.get(fezID)
      if (entry && !entry.hidden) this.#starting(`${fezID} ${event.startTime}`, event.notice)
      return
    }
    // All of them hear it, whatever the others make of it.
    if (
      this.#unreadStates()
        .map((mailbox) => this.#applyIn(mailbox, fezID, event))
        .includes('reload')
    )
      return 'reload'
  }

  #applyIn(mailbox: UnreadState, fezID: string, event: Exclude<FezEvent, { type: 'starting' }>): void | 'reload' {
    // What the last reading saw already is neither told nor read again.
    if (!mailbox.hear(fezID, event.seq, event.type === 'posted' ? event.postID : 0)) return
    const outcome = this.#applyHeard(mailbox, fezID, event)
    return mailbox.isBehind(fezID) ? 'reload' : outcome
  }

  #applyHeard(mailbox: UnreadState, fezID: string, event: FezEvent): void | 'reload' {
    switch (event.type) {
      case 'posted':
        return this.#posted(mailbox, fezID, event)
      // What was unread may have been just this post.
      case 'postDeleted':
        return mailbox.postDeleted(fezID, event.postID) ? 'reload' : undefined
      // The next appointment may have been just this chat.
      case 'changed':
      case 'deleted':
        return 'reload'
      default:
    }
  }

  /** A job that was broken off is done again, and tells everybody again. */
  #starting(appointment: string, notice: Uint8Array): void {
    this.#announced ??= new Set()
    if (this.#announced.has(appointment)) return
    this.#announced.add(appointment)
    this.notify(notice)
  }

  #posted(mailbox: UnreadState, fezID: string, event: FezEvent & { type: 'posted' }): void {
    const entry = mailbox.get(fezID)
    if (!entry) return
    if (event.realAuthorID === this.id) {
      // A post from before the account left and came back is not read again.
      if (event.seq > entry.position) mailbox.read(fezID, event.postID, entry.position)
      return
    }
    if (hidesContentOf(this, event.author)) return
    mailbox.posted(fezID, event.postID)
    // The members of a team would hear of everything that anybody asks it.
    if (mailbox === this.unread && !entry.muted && !entry.hidden && this.notificationSockets.length > 0) this.notify(postNoticeOf(event))
  }
}

/** The channel behind the viewer of a request: authentication hands out nothing else. */
export function userChannelOf(viewer: Viewer): UserChannel {
  if (!(viewer instanceof UserChannel)) throw new Error('the viewer of a request is its user channel')
  return viewer
}

/** One channel per account that is logged in or connected. */
export const userKind: Kind<UserChannel, UserChannelEvent> = {
  name: userTopic.name,
  create: (node, id) => new UserChannel(node, id),
}
