// One account in memory: its identity, whom it hides, what is unread, and its sockets on this node.
// Every authenticated request starts here.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { gathered, groupedBy } from '../core/db/gathered.ts'
import type { Watcher } from '../core/live/registry.ts'
import type { PolledPart } from '../core/http/polled-json.ts'
import type { Memo } from '../core/base/memo.ts'
import { isModerator, type UserAccessLevel, type UserRoleType, type Viewer } from '../core/base/viewer.ts'
import { userTopic, type UserEvent } from '../accounts/events.ts'
import type { FezEvent } from '../fez/events.ts'
import type { ChatReader, ChatSession } from '../fez/reader.ts'
import { inboxesOf } from '../fez/rules.ts'
import type { UnreadState } from '../fez/unread.ts'
import { noHits, type HitCount } from '../hits/hits.ts'
import { selectHitCounts } from '../hits/queries.ts'
import { Inbox, type InboxSnapshot } from './inbox.ts'
import { selectUserChannelRows, type BrowserRow, type UserChannelRow } from './queries.ts'
import { UserSockets } from './sockets.ts'

/** Events of a user channel: the account's own, and those that other channels of this node pass on. */
export type UserChannelEvent =
  | UserEvent
  /** Only within a node: hits were counted again, unless that failed, and these frames go with them. */
  | { type: 'hits'; counts: readonly HitCount[] | undefined; frames: readonly Uint8Array[] }
  /** Only within a node: something that those who follow an event of the schedule are told. */
  | { type: 'eventNoticed'; eventID: string; noticeKey: string; notice: Uint8Array }
  /** Only within a node: something happened in a chat that the account is a member of. */
  | { type: 'chat'; fezID: string; event: FezEvent }

const readRow = gathered(selectUserChannelRows)
/** Of those who have any. */
const readHits = gathered<readonly HitCount[]>(async (sql, ids) => groupedBy(await selectHitCounts(sql, ids), ({ accountId }) => accountId))

interface Snapshot {
  /** Number of invalidations before it was read. */
  invalidations: number
  row: UserChannelRow
  inbox: InboxSnapshot
  hits: readonly HitCount[]
}

// Thousands of users are connected: empty sets and lists are shared.
const none: ReadonlySet<never> = new Set<never>()
const noBrowsers: ReadonlyMap<never, never> = new Map<never, never>()
const nothing: readonly never[] = []

/** Most users hide nobody. */
function setOf<T>(values: readonly T[]): ReadonlySet<T> {
  return values.length === 0 ? none : new Set(values)
}

/** Without the second factor that the host wants of the team, its members are users like others. */
const levelOf = ({ level, lacksFactor }: UserChannelRow): UserAccessLevel => (lacksFactor ? 'verified' : level)

/** Keeps one account, what is unread for it, and its sockets up to date. */
export class UserChannel extends Channel<UserChannelEvent, Snapshot> implements ChatReader, Watcher {
  readonly #node: Node
  personId = ''
  username = ''
  level: UserAccessLevel = 'banned'
  withheldLevel: UserAccessLevel | undefined
  roles: ReadonlySet<UserRoleType> = none
  tempQuarantineUntilMs = 0
  blockedPersons: ReadonlySet<string> = none
  mutes: ReadonlySet<string> = none
  mutewords: readonly string[] = nothing
  /** The token that requests are recognised by on this node; see auth/tokens.ts. */
  token: string | undefined
  tokenDigest: string | undefined
  /** Sessions of browsers, by the digests of their cookies. */
  browsers: ReadonlyMap<string, BrowserRow> = noBrowsers
  /** Highest announcement that was read. */
  readAnnouncementID = 0
  /** Events of the schedule, deleted ones too. */
  followedEvents: ReadonlySet<string> = none
  /** Events that the account follows or photographs. */
  plannedEvents: ReadonlySet<string> = none
  /** Mentions, alertwords and the like. */
  hits: readonly HitCount[] = noHits
  readonly sockets = new UserSockets()
  readonly #inbox: Inbox
  /** The answer to the last poll. */
  polled: Memo<PolledPart> | undefined

  /** Counts reasons why the known blocks and mutes may be wrong, and those that came before they were last read. */
  #invalidations = 0
  #validAsOf = 0
  /** Of `revision`: what happened in chats, and notices. */
  #chatRevisions = 0
  /** Notices that came while the channel was being read: sent once it has been, however often that fails. */
  #heldNotices: (() => void)[] | undefined

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
    this.#inbox = new Inbox(this, node.channels)
  }

  get busy(): boolean {
    return this.sockets.any
  }

  get isModerator(): boolean {
    return isModerator(this)
  }

  get ownRevision(): number {
    return this.revision - this.#chatRevisions
  }

  /** False when the account lost its token, or this browser session, or the channel its place, while a socket was being opened. */
  mayConnect(sessionKey: string): boolean {
    return !this.closed && (sessionKey === '' ? this.tokenDigest !== undefined : this.browsers.has(sessionKey))
  }

  get unread(): UnreadState {
    return this.#inbox.unread
  }

  /** Unread state of each shared inbox, by its account. */
  get inboxes(): ReadonlyMap<string, UnreadState> {
    return this.#inbox.shared
  }

  get chatSessions(): readonly ChatSession[] {
    return this.sockets.chats
  }

  addSession(session: ChatSession): void {
    this.sockets.addChat(session)
  }

  removeSession(session: ChatSession): void {
    this.sockets.removeChat(session)
  }

  /** Takes an event of a watched chat or shared account in its turn among the account's own events. */
  observe(kind: string, id: string, event: unknown, isBusUp: boolean): void | Promise<void> {
    // Of a shared account only matters which chats it is in.
    if (kind === userTopic.name && (event as UserEvent).type !== 'chatsChanged') return
    const own = kind === userTopic.name ? (event as UserEvent) : { type: 'chat' as const, fezID: id, event: event as FezEvent }
    // While the bus is down this node may not know of the latest blocks and mutes.
    if (!isBusUp && this.busy) {
      if (own.type === 'chat') this.#inbox.hold(own.fezID, own.event)
      return this.reload()
        .catch(() => undefined)
        .then(() => this.receive(own))
    }
    return this.receive(own)
  }

  override receive(event: UserChannelEvent): void | Promise<void> {
    // Nothing that the channel knows.
    if (event.type === 'ownWritten') return
    if (event.type === 'relationsChanged' || event.type === 'changed') this.onInvalid()
    return super.receive(this.live || this.closed ? event : this.#holdNotice(event))
  }

  /** Holds back the notice of an event until the channel has been read; returns the event without it. */
  #holdNotice(event: UserChannelEvent): UserChannelEvent {
    if (event.type === 'hits') {
      if (event.frames.length > 0) (this.#heldNotices ??= []).push(() => this.sockets.notify(...event.frames))
      return { ...event, frames: [] }
    }
    if (event.type === 'chat') this.#inbox.hold(event.fezID, event.event)
    // Sent once, however often it is applied.
    const isNotice =
      event.type === 'eventNoticed' ||
      event.type === 'noticed' ||
      (event.type === 'chat' && (event.event.type === 'starting' || event.event.type === 'cancelled'))
    if (isNotice)
      (this.#heldNotices ??= []).push(() => {
        // As for every event: `ownRevision` must never be what it was before.
        this.revision++
        this.apply(event)
      })
    return event
  }

  /** True while the user's blocks and mutes may have changed since they were read. */
  get stale(): boolean {
    return this.#invalidations !== this.#validAsOf
  }

  protected override onInvalid(): void {
    this.#invalidations++
    for (const session of this.sockets.chats) session.relationsUnknown()
  }

  protected override async read(): Promise<Snapshot | undefined> {
    const invalidations = this.#invalidations
    const row = await readRow(this.#node.db, this.id)
    // A closed channel has stopped watching, and must not begin again.
    if (!row || this.closed) return undefined
    const [inbox, hits = noHits] = await Promise.all([
      this.#inbox.read(this.#node.db, row.fezIds, inboxesOf(levelOf(row))),
      readHits(this.#node.db, this.id),
    ])
    return inbox && { invalidations, row, inbox, hits }
  }

  protected override install({ invalidations, row, inbox, hits }: Snapshot): void {
    // Shares its texts with the cache of accounts.
    const account = this.#node.accounts.put({ ...row, id: this.id })
    this.personId = account.personId
    this.username = account.username
    const level = levelOf(row)
    const levelChanged = this.level !== level
    this.level = level
    this.withheldLevel = level === row.level ? undefined : row.level
    this.roles = setOf(row.roles)
    this.tempQuarantineUntilMs = row.tempQuarantineUntil?.getTime() ?? 0
    this.blockedPersons = setOf(row.blockedPersons)
    this.mutes = setOf(row.mutes)
    this.readAnnouncementID = row.readAnnouncementId
    this.mutewords = row.mutewords.length === 0 ? nothing : row.mutewords
    this.hits = hits
    this.followedEvents = setOf(row.followedEventIds)
    this.plannedEvents =
      row.photographedEventIds.length === 0 ? this.followedEvents : new Set([...row.followedEventIds, ...row.photographedEventIds])
    const loggedOut = this.tokenDigest !== undefined && row.tokenDigest !== this.tokenDigest
    if (loggedOut || this.level === 'banned') this.#loseToken()
    this.tokenDigest = row.tokenDigest ?? undefined
    this.#setBrowsers(this.level === 'banned' ? [] : (row.browsers ?? []))
    this.#inbox.install(inbox)
    this.#inbox.notifyMissed(inbox.notices)
    const held = this.#heldNotices
    this.#heldNotices = undefined
    for (const send of held ?? []) send()
    if (levelChanged) this.sockets.setTeam(this.isModerator)
    if (levelChanged && this.busy) this.#node.sockets.closeShutOut()
    this.#validAsOf = invalidations
    for (const session of this.sockets.chats) session.relationsChanged()
  }

  protected override apply(event: UserChannelEvent): void | 'reload' {
    switch (event.type) {
      // Two nodes may have written at once: only Postgres knows which was the last.
      case 'changed':
      case 'relationsChanged':
      case 'sessionsChanged':
      case 'followedEventsChanged':
      case 'chatsChanged':
      case 'chatMarked':
        return 'reload'
      case 'loggedOut':
        return this.#loseToken()
      case 'eventNoticed':
        this.#chatRevisions++
        if (this.plannedEvents.has(event.eventID)) this.sockets.notifyOnce(`${event.eventID} ${event.noticeKey}`, event.notice)
        return
      case 'noticed':
        this.#chatRevisions++
        return this.sockets.notifyOnce(event.noticeID, event.notice)
      case 'announcementsRead':
        this.readAnnouncementID = Math.max(this.readAnnouncementID, event.announcementID)
        return
      case 'hits':
        if (event.counts) this.hits = event.counts
        this.sockets.notify(...event.frames)
        return event.counts ? undefined : 'reload'
      case 'chatRead':
        this.#chatRevisions++
        return this.#inbox.markRead(event.fezID, event.postID, event.position, event.inboxID)
      case 'chat':
        this.#chatRevisions++
        return this.#inbox.apply(event.fezID, event.event)
      case 'ownWritten':
        return
      // Of a newer version, during an upgrade.
      default:
        return 'reload'
    }
  }

  protected override onClose(): void {
    this.token = undefined
    this.#inbox.close()
  }

  #loseToken(): void {
    this.token = undefined
    this.tokenDigest = undefined
    this.sockets.closeWhere((sessionKey) => sessionKey === '')
  }

  #setBrowsers(rows: readonly BrowserRow[]): void {
    const before = this.browsers
    this.browsers = rows.length === 0 ? noBrowsers : new Map(rows.map((row) => [row.key, row]))
    if (before.size > 0) this.sockets.closeWhere((sessionKey) => sessionKey !== '' && !this.browsers.has(sessionKey))
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
  tables: [
    'account',
    'block',
    'browser_session',
    'event_follower',
    'event_photographer',
    'fez',
    'fez_inbox_reader',
    'fez_member',
    'fez_post',
    'hit',
    'mute',
    'muteword',
    'second_factor',
  ],
  create: (node, id) => new UserChannel(node, id),
}
