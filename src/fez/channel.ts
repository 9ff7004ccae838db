// One chat in memory: its row, its members in order, which posts there are, and the sockets of this
// node. Everything is rebuilt from Postgres when an event is missing.
import type { AccountRecord } from '../accounts/accounts.ts'
import type { AccountRow } from '../accounts/rows.ts'
import type { JsonText } from '../core/base/json-text.ts'
import { Memo } from '../core/base/memo.ts'
import { Channel } from '../core/live/channel.ts'
import { FeedOrder } from '../core/live/feed.ts'
import type { KeyedKind } from '../core/live/registry.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { closeCodes } from '../core/http/sockets.ts'
import { blocked, hidesContentOf, hidesNobody, isModerator, type Viewer } from '../core/base/viewer.ts'
import { Backlog, type Hides, type Waiting } from './backlog.ts'
import { fezTopic, lastSeqOf, type ChatPost, type FezEvent } from './events.ts'
import { PostKeys, type PostKey } from './post-keys.ts'
import { selectFezSnapshot, selectPosts, type FezSnapshotRow } from './queries.ts'
import { fezRowOf, type FezPostRow, type FezRow } from './rows.ts'
import { mayReadThread } from './rules.ts'
import type { FezData } from './schemas.ts'
import type { Delivery, FezSession, Outgoing } from './session.ts'
import { ShownChat } from './shown.ts'
import { encodeFrame, memberChangeFrame, socketPost } from './views.ts'

/** Newest posts whose text stays in memory. */
const keptTexts = 200
/** How long an event may be overtaken by later ones before it counts as lost. */
const overtakenMs = 100

interface Snapshot {
  row: FezSnapshotRow
  texts: FezPostRow[]
}

interface PostFrame extends Outgoing {
  postId: number
}

const none: readonly never[] = []

/** Keeps up with one chat by its events, and sends its sockets what they may see: by the socket topic of its id, where they see all. */
export class FezChannel extends Channel<FezEvent, Snapshot> {
  readonly #node: Node
  #row: FezRow | undefined
  #members = new Set<string>()
  /** Members whom no block hid when the sessions were last classified. */
  #exempt = new Set<string>()
  readonly #posts = new PostKeys()
  readonly #texts = new Map<number, FezPostRow>()
  readonly #sessions = new Set<FezSession>()
  /** Of the sessions, those that a published frame does not reach. */
  readonly #apart = new Set<FezSession>()
  readonly #order = new FeedOrder<FezEvent>()
  #lastPostId = 0
  /** Frames of the posts that came last. */
  #newFrames: readonly PostFrame[] = none
  /** JSON of pages of posts, by what they differ in between readers who hide nobody. */
  readonly pages = new Memo<Map<string, JsonText<FezData>>>()
  readonly shown = new ShownChat()

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  get busy(): boolean {
    return this.#sessions.size > 0
  }

  /** The chat's row as of `seq`. */
  get row(): FezRow {
    if (!this.#row) throw new Error('chat used before it was loaded')
    return this.#row
  }

  /** Accounts in join order, waiting ones last. */
  get memberIds(): ReadonlySet<string> {
    return this.#members
  }

  override *accountIds(): Generator<string, void> {
    if (this.#row) yield this.#row.ownerId
    yield* this.#members
    yield* this.#posts.authorIds
  }

  /** All posts, or those whose authors the viewer does not hide; oldest first. */
  postsFor(viewer: Viewer): readonly PostKey[] {
    if (hidesNobody(viewer)) return this.#posts.all
    return this.#posts.shownTo((authorId) => hidesContentOf(viewer, this.#node.accounts.get(authorId)))
  }

  /** The post's text if it is in memory. */
  textOf(postId: number): FezPostRow | undefined {
    return this.#texts.get(postId)
  }

  /** The frame of a post that has just come, if sockets got it: the same for everybody. */
  newFrameOf(id: number): Uint8Array | undefined {
    return this.#newFrames.find(({ postId }) => postId === id)?.frame
  }

  attach(session: FezSession): void {
    this.#sessions.add(session)
    this.#apart.add(session)
    const { backlog } = session
    if (!backlog) return session.user.stale ? this.suspend(session) : this.classify(session)
    this.classify(session)
    const missed = this.postsFor(session.user).filter(({ id }) => id > backlog.after)
    setImmediate(() => void this.#resume(session, backlog, missed))
  }

  /** Everything waits until it is known again whom the session's user hides. */
  suspend(session: FezSession): void {
    if (!session.backlog) {
      session.backlog = new Backlog(0)
      session.backlog.begin([])
    }
    this.classify(session)
  }

  /** Sends what a session is owed, as fast as its socket takes it; then it goes live. */
  sendBacklog(session: FezSession): void {
    if (!session.socket || session.user.stale || !session.backlog?.sendTo(session.socket)) return
    session.backlog = undefined
    this.classify(session)
  }

  detach(session: FezSession): void {
    this.#sessions.delete(session)
    this.#apart.delete(session)
    this.unusedSweeps = 0
  }

  /** Decides again how a session gets its frames. */
  classify(session: FezSession): void {
    if (!this.#row) return
    const before = session.delivery
    session.delivery = this.#deliveryTo(session)
    // While it is not known whom the session's user hides, all that waits stays.
    if (!session.user.stale)
      session.backlog?.drop(
        ({ about, hides, isPost, isUnsure }) =>
          hides(session.user, about) || (session.delivery === 'none' && (isPost || (isUnsure === true && about.id !== session.user.id))),
      )
    if (before === session.delivery) return
    if (before === 'topic') {
      this.#apart.add(session)
      session.socket?.unsubscribe(this.id)
    }
    if (session.delivery === 'topic') {
      this.#apart.delete(session)
      session.socket?.subscribe(this.id)
    }
  }

  protected override async read(): Promise<Snapshot | undefined> {
    const sql = this.#node.db.sql
    const row = await selectFezSnapshot(sql, this.id)
    if (!row) return undefined
    const moderated = new Set(row.moderatedPostIds)
    const isCurrent = (id: number) => {
      const post = this.#texts.get(id)
      return post?.moderationStatus === 'normal' && !moderated.has(id) && (post.image === null || post.imageSizes !== null)
    }
    const wanted = row.postIds.slice(-keptTexts).filter((id) => !isCurrent(id))
    // Posts that open sockets have missed have to be sent, however old they are.
    const missed = this.busy ? row.postIds.filter((id) => id > this.#lastPostId) : []
    const [texts] = await Promise.all([
      selectPosts(this.#node.db.sql, [...new Set([...wanted, ...missed])]),
      this.#node.accounts.load(new Set([row.ownerId, ...row.memberIds, ...row.postAuthorIds])),
      this.#refreshUsers(),
    ])
    return { row, texts }
  }

  /** Begins after the chat's row was read: whoever was hidden when a post in it was made is known to be hidden then. */
  async #refreshUsers(): Promise<void> {
    const users = new Set(Array.from(this.#sessions, ({ user }) => user))
    await Promise.all(Array.from(users, (user) => (this.#node.bus.up ? user.ready() : user.reload())))
  }

  protected override install({ row, texts }: Snapshot): void {
    const { memberIds, postIds, postAuthorIds } = row
    const before = this.#row && { members: this.#members, lastPostId: this.#lastPostId }
    // There are many posts: all of one author share the same id text.
    const idOf = (accountId: string) => this.#node.accounts.get(accountId).id
    this.#row = fezRowOf(row)
    this.#members = new Set(memberIds.map(idOf))
    this.#posts.replace(postIds.map((id, index) => ({ id, authorId: idOf(postAuthorIds[index] as string) })))
    this.#lastPostId = row.lastPostId
    const present = new Set(postIds)
    for (const id of this.#texts.keys()) if (!present.has(id)) this.#texts.delete(id)
    for (const post of texts) this.#texts.set(post.id, post)
    this.#order.readAgain(() => row.seq)
    this.#noteExempt()
    if (before) this.#catchUp(before.members, before.lastPostId)
    this.#trimTexts()
    // What came early may be next now; when it cannot be applied, it is read as anything that is late.
    const waiting = this.#order.next(this.id, row.seq)
    if (waiting) this.apply(waiting)
  }

  protected override apply(event: FezEvent): void | 'reload' {
    const turn = this.#order.turnOf(this.id, this.row.seq, event.seq)
    if (turn === 'past') return
    // While the bus is down this node may not know of the latest blocks and departures.
    if (!this.#node.bus.up) return 'reload'
    if (turn === 'early') return this.#comesEarly(event)
    if (this.#applyNext(event) === 'reload') return 'reload'
    const waiting = this.#order.next(this.id, this.row.seq)
    if (waiting) return this.apply(waiting)
  }

  #comesEarly(event: FezEvent): void | 'reload' {
    // Only posts may wait: who is let in or kept out must be in force when the change is answered.
    if (event.type !== 'posted') return 'reload'
    this.#order.hold(this.id, event.seq, event)
    this.clock.after(overtakenMs, () => {
      if (this.live && this.row.seq < event.seq) this.reload().catch(() => undefined)
    })
  }

  #applyNext(event: FezEvent): void | 'reload' {
    switch (event.type) {
      case 'posted':
        this.#posted(event.posts)
        break
      case 'postDeleted':
        this.#postDeleted(event.postID)
        break
      case 'joined':
        this.#joined(event.account)
        break
      case 'left':
        this.#left(event.accountID)
        break
      case 'starting':
      case 'cancelled':
        return
      case 'changed':
      case 'deleted':
      // Of a newer version, during an upgrade.
      default:
        return 'reload'
    }
    // A new one: who has looked at the chat holds the old one.
    const row = fezRowOf(this.row)
    row.seq = lastSeqOf(event)
    if (event.type === 'posted') row.postEvents += event.posts.length
    row.updatedAt = event.updatedAt
    row.lastPostId = this.#lastPostId
    row.postCount = this.#posts.all.length
    row.memberCount = this.#members.size
    this.#row = row
  }

  #posted(posts: readonly ChatPost[]): void {
    const sent = posts.map(({ post, author: row }) => {
      const author = this.#node.accounts.put(row)
      this.#posts.add({ id: post.id, authorId: author.id })
      this.#texts.set(post.id, post)
      this.#lastPostId = post.id
      return { post, author }
    })
    this.#trimTexts()
    this.#sendPosts(sent)
  }

  #postDeleted(postId: number): void {
    this.#posts.remove(postId)
    this.#texts.delete(postId)
  }

  #joined(account: AccountRow): void {
    const record = this.#node.accounts.put(account)
    if (this.#members.has(account.id)) return
    this.#members.add(record.id)
    this.#classifyAll()
    this.#sendMemberChange(record, true)
  }

  #left(accountId: string): void {
    if (!this.#members.has(accountId)) return
    this.#sendMemberChange(this.#node.accounts.get(accountId), false)
    this.#members.delete(accountId)
    this.#classifyAll()
  }

  /** Sends the sockets that stayed open what happened while no events came. */
  #catchUp(membersBefore: ReadonlySet<string>, lastPostIdBefore: number): void {
    // Frames of this moment go to those who may see the chat now.
    this.#classifyAll()
    if (this.row.deletedAt) return
    const joined = [...this.#members].filter((id) => !membersBefore.has(id))
    const left = [...membersBefore].filter((id) => !this.#members.has(id))
    for (const id of left) this.#sendMemberChange(this.#node.accounts.get(id), false)
    for (const id of joined) this.#sendMemberChange(this.#node.accounts.get(id), true)
    this.#sendPosts(
      this.#posts.all.flatMap(({ id, authorId }) => {
        const post = id > lastPostIdBefore ? this.#texts.get(id) : undefined
        return post ? [{ post, author: this.#node.accounts.get(authorId) }] : []
      }),
    )
  }

  #sendPosts(posts: readonly { post: FezPostRow; author: AccountRecord }[]): void {
    this.#newFrames = none
    if (this.#sessions.size === 0) return
    this.#newFrames = posts.map(({ post, author }) => ({
      postId: post.id,
      frame: encodeFrame(socketPost(post, author.header)),
      about: author,
    }))
    this.#fanOut(this.#newFrames, hidesContentOf, true)
  }

  #sendMemberChange(account: AccountRow, joined: boolean): void {
    // Membership of a closed chat is fixed.
    if (this.row.fezType === 'closed' || this.#sessions.size === 0) return
    const about = this.#node.accounts.put(account)
    const frame = memberChangeFrame(about.header, joined)
    this.#fanOut([{ frame, about }], blocked, false)
    if (joined) return
    // A member who has lost the chat already gets this as the last frame.
    for (const session of this.#apart)
      if (session.delivery === 'none' && session.user.id === about.id && !session.user.stale)
        session.send([{ frame, about }], blocked, false)
  }

  /** Encoded once; sent natively to those who hide no member, and to each of the others alone. A socket gets all of it in one write. */
  #fanOut(outgoing: readonly Outgoing[], hides: Hides, isPost: boolean): void {
    if (this.#sessions.size === 0) return
    const aboutMembers = outgoing.filter(({ about }) => this.#members.has(about.id)).length
    // A socket that gets some by topic and some alone needs them in order.
    if (aboutMembers > 0 && aboutMembers < outgoing.length) {
      for (const each of outgoing) this.#fanOut([each], hides, isPost)
      return
    }
    const byTopic = aboutMembers > 0
    // The member's level has changed, so a block may have begun or ceased to count.
    if (byTopic && outgoing.some(({ about }) => isModerator(about) !== this.#exempt.has(about.id))) this.#classifyAll()
    if (byTopic) for (const { frame } of outgoing) this.#node.sockets.publish(this.id, frame)
    let sent = byTopic ? outgoing.length * (this.#sessions.size - this.#apart.size) : 0
    for (const session of byTopic ? this.#apart : this.#sessions) {
      if (session.user.stale && session.backlog) {
        session.hold(outgoing, hides, isPost)
        continue
      }
      if (session.delivery === 'none') continue
      const shown = outgoing.filter(({ about }) => !hides(session.user, about))
      session.send(shown, hides, isPost)
      sent += shown.length
    }
    this.#node.metrics.framesSent.inc({ path: '/fez/:fezID/socket' }, sent)
  }

  /** Begins with the posts that the client has missed, as they are by then. */
  async #resume(session: FezSession, backlog: Backlog, missed: readonly PostKey[]): Promise<void> {
    try {
      const unknown = missed.flatMap(({ id }) => (this.#texts.has(id) ? [] : [id]))
      const texts = new Map(missed.map(({ id }) => [id, this.#texts.get(id)]))
      if (unknown.length > 0) for (const post of await selectPosts(this.#node.db.sql, unknown)) texts.set(post.id, post)
      const visible = session.delivery === 'none' ? [] : this.postsFor(session.user)
      const present = new Set(visible.map(({ id }) => id))
      const waiting = missed.flatMap(({ id, authorId }): Waiting[] => {
        const post = present.has(id) ? texts.get(id) : undefined
        const about = this.#node.accounts.get(authorId)
        return post ? [{ frame: encodeFrame(socketPost(post, about.header)), about, hides: hidesContentOf, isPost: true }] : []
      })
      this.#node.metrics.framesSent.inc({ path: '/fez/:fezID/socket' }, waiting.length)
      backlog.begin(waiting)
      this.sendBacklog(session)
    } catch (error) {
      this.log.warn({ err: error, channel: this.id }, 'missed posts could not be read')
      session.socket?.close(closeCodes.restart)
    }
  }

  #classifyAll(): void {
    this.#noteExempt()
    for (const session of this.#sessions) this.classify(session)
  }

  #noteExempt(): void {
    this.#exempt = new Set([...this.#members].filter((id) => isModerator(this.#node.accounts.get(id))))
  }

  #deliveryTo({ user, backlog }: FezSession): Delivery {
    if (this.row.deletedAt || !mayReadThread(user, this.row, this.#members)) return 'none'
    // A chat is not there for whoever is in a block with its owner.
    if (user.blockedPersons.size > 0 && this.row.ownerId !== user.id && blocked(user, this.#node.accounts.get(this.row.ownerId)))
      return 'none'
    if (backlog) return 'direct'
    if (user.mutes.size === 0 && user.blockedPersons.size === 0) return 'topic'
    for (const id of this.#members) if (hidesContentOf(user, this.#node.accounts.get(id))) return 'direct'
    return 'topic'
  }

  /** The oldest were put in first. */
  #trimTexts(): void {
    for (const id of this.#texts.keys()) {
      if (this.#texts.size <= keptTexts) return
      this.#texts.delete(id)
    }
  }
}

export const fezKind: Kind<FezChannel, FezEvent> = {
  name: fezTopic.name,
  tables: ['fez', 'fez_member', 'fez_post'],
  create: (node, id) => new FezChannel(node, id),
}

/** A server hears of the chats alone that somebody there needs. */
export const keyedChats: KeyedKind = { name: fezKind.name, tables: fezKind.tables, writesRows: true }
