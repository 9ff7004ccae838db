// Reads the numbers of all users that are in memory on this node again, from their rows, and logs what differed.
import { Channel } from '../core/live/channel.ts'
import type { Kind, Node } from '../core/work/ctx.ts'
import { userKind, type UserChannel } from '../users/channel.ts'

/** Somebody of the team wants the numbers to be checked. */
export interface RebuildEvent {
  type: 'rebuild'
}

/** So many users are read at once. */
const atOnce = 20

/** Holds no state: numbers are in the user channels. */
export class RebuildChannel extends Channel<RebuildEvent, true> {
  readonly #node: Node
  #running: Promise<void> | undefined

  constructor(node: Node, id: string) {
    super(id, node.clock, node.log)
    this.#node = node
  }

  /** There is one on every node, from start to end. */
  get busy(): boolean {
    return true
  }

  /** The promise resolves when all have been read. */
  override receive(): Promise<void> {
    return (this.#running ??= this.#rebuild().finally(() => {
      this.#running = undefined
    }))
  }

  async #rebuild(): Promise<void> {
    const users = [...this.#node.channels.of(userKind).values()].filter(({ live }) => live)
    let differed = 0
    for (let start = 0; start < users.length; start += atOnce) {
      const outcomes = await Promise.all(users.slice(start, start + atOnce).map((user) => this.#differs(user)))
      differed += outcomes.filter(Boolean).length
    }
    this.log.info({ checked: users.length, differed }, 'numbers of notifications were read again')
  }

  /** Changes during the read differ too. */
  async #differs(user: UserChannel): Promise<boolean> {
    const before = numbersOf(user)
    try {
      await user.reload()
    } catch (error) {
      this.log.warn({ err: error, userID: user.id }, 'numbers of a user could not be read')
      return false
    }
    const after = numbersOf(user)
    if (before === after) return false
    this.log.warn({ userID: user.id, before, after }, 'numbers of a user differed from their rows')
    return true
  }

  protected override async read(): Promise<true> {
    return true
  }

  protected override install(): void {}

  protected override apply(): void {}
}

const numbersOf = (user: UserChannel): string =>
  JSON.stringify([
    user.unread.counts(),
    Array.from(user.inboxes, ([id, inbox]) => [id, inbox.counts()]),
    user.hits,
    user.readAnnouncementID,
  ])

export const rebuildKind: Kind<RebuildChannel, RebuildEvent> = {
  name: 'rebuild',
  tables: [],
  create: (node, id) => new RebuildChannel(node, id),
}

/** The one channel of a node has this id. */
export const rebuildId = 'all'
