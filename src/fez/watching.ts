// Who looks at a chat right now: members with an open socket of it, on any node. Sockets that ask for it are sent the list
// whenever it changes. Nothing of it is stored: a node that wants to know asks the others.
import type { Node } from '../core/work/ctx.ts'
import type { Socket } from '../core/http/route.ts'
import { ClusterQuery } from '../core/bus/cluster-query.ts'
import { blocked } from '../core/base/viewer.ts'
import type { FezChannel } from './channel.ts'
import type { ChatReader } from './reader.ts'
import { FezSession } from './session.ts'
import { watchingFrame } from './views.ts'

/** Larger chats have no presence: their members come and go all the time. */
const maxMembers = 50
/** Changes within this time are sent together. */
const pauseMs = 300
/** A node may have gone without a word. */
const againMs = 60_000

/** `asks`: for the accounts that look at the chat on the node that is asked; else it says that they have changed. */
interface Message {
  fezID: string
  asks: boolean
}

const boards = new WeakMap<Node, Watching>()

/** The board of a node that has started. */
export function watchingOf(node: Node): Watching {
  const board = boards.get(node)
  if (!board) throw new Error('the board of watchers has not been started')
  return board
}

/** Begins to answer other nodes. Every node on the bus has to, or the others would wait for it. */
export async function startWatching(node: Node): Promise<Watching> {
  const board = new Watching(node)
  boards.set(node, board)
  await board.start()
  return board
}

/** A chat's socket that counts as looking at the chat; `wants`: it is sent who else does. */
export class WatchingSession extends FezSession {
  readonly channel: FezChannel
  readonly wants: boolean
  /** Ids of the accounts that it was told of last. */
  told: string | undefined
  readonly #board: Watching

  constructor(
    board: Watching,
    channel: FezChannel,
    user: ChatReader,
    sessionKey: string,
    { after, wants }: { after?: number; wants: boolean },
  ) {
    super(channel, user, sessionKey, after)
    this.#board = board
    this.channel = channel
    this.wants = wants
  }

  override opened(socket: Socket): void {
    super.opened(socket)
    if (this.socket) this.#board.came(this)
  }

  override closed(): void {
    super.closed()
    this.#board.went(this)
  }

  override relationsChanged(): void {
    super.relationsChanged()
    this.#board.relationsChanged(this)
  }
}

/** The sockets of this node by chat. */
export class Watching {
  readonly #node: Node
  readonly #nodes: ClusterQuery<Message, readonly string[]>
  readonly #sessions = new Map<string, Set<WatchingSession>>()
  /** Chats whose sockets are about to be told. */
  readonly #due = new Set<string>()
  #stopped = false
  #stopAsking: () => void = () => {}

  constructor(node: Node) {
    this.#node = node
    this.#nodes = new ClusterQuery(node.bus, 'watching')
  }

  async start(): Promise<void> {
    await this.#nodes.start(({ fezID, asks }) => {
      if (asks) return this.#watchersHere(fezID)
      this.#tellSoon(fezID)
      return undefined
    })
    this.#stopAsking = this.#node.clock.every(againMs, () => {
      for (const fezID of this.#sessions.keys()) this.#tellSoon(fezID)
    })
  }

  stop(): void {
    this.#stopped = true
    this.#stopAsking()
  }

  came(session: WatchingSession): void {
    const { id } = session.channel
    const sessions = this.#sessions.get(id) ?? new Set()
    this.#sessions.set(id, sessions.add(session))
    this.#changed(session)
  }

  went(session: WatchingSession): void {
    const { id } = session.channel
    const sessions = this.#sessions.get(id)
    if (!sessions?.delete(session)) return
    if (sessions.size === 0) this.#sessions.delete(id)
    this.#changed(session)
  }

  /** Its user may hide somebody by now whom the last list that it got names. */
  relationsChanged({ channel, user, told = '' }: WatchingSession): void {
    const { accounts } = this.#node
    if (told !== '' && told.split(',').some((id) => !accounts.has(id) || blocked(user, accounts.get(id)))) this.#tellSoon(channel.id)
  }

  #changed({ channel }: WatchingSession): void {
    if (!this.#stopped && channel.memberIds.size <= maxMembers) this.#nodes.broadcast({ fezID: channel.id, asks: false })
  }

  #watchersHere(fezID: string): readonly string[] | undefined {
    const sessions = this.#sessions.get(fezID)
    return sessions && [...sessions].flatMap(({ user, channel }) => (channel.memberIds.has(user.id) ? [user.id] : []))
  }

  #wanting(fezID: string): WatchingSession[] {
    return [...(this.#sessions.get(fezID) ?? [])].filter(({ wants }) => wants)
  }

  #tellSoon(fezID: string): void {
    if (this.#due.has(fezID) || this.#wanting(fezID).length === 0) return
    this.#due.add(fezID)
    this.#node.clock.after(pauseMs, () => {
      this.#due.delete(fezID)
      if (!this.#stopped)
        this.#tell(fezID).catch((error: unknown) => this.#node.log.warn({ err: error }, 'watchers of a chat could not be told'))
    })
  }

  async #tell(fezID: string): Promise<void> {
    const { answers } = await this.#nodes.ask({ fezID, asks: true })
    const ids = [...new Set(answers.flat())].sort()
    const { accounts } = this.#node
    await accounts.load(ids)
    for (const session of this.#wanting(fezID)) {
      const { user, backlog, delivery, socket, channel } = session
      if (delivery === 'none' || channel.memberIds.size > maxMembers) continue
      // It is not known now whom its user hides, or posts that it has missed come first.
      if (backlog || user.stale) {
        this.#tellSoon(fezID)
        continue
      }
      const shown = ids.filter((id) => id !== user.id && accounts.has(id) && !blocked(user, accounts.get(id)))
      const told = shown.join()
      if (told === session.told) continue
      session.told = told
      socket?.send(watchingFrame(shown.map((id) => accounts.get(id).header)))
    }
  }
}
