// Figures for those who look at the dashboard, sent to their browsers every five seconds: made once on each node for all
// who look there, out of the newest samples alone. Nobody looks, nothing is done.
import type { Ctx, Node } from '../core/work/ctx.ts'
import type { Topic } from '../core/live/registry.ts'
import { atLeast } from '../core/base/viewer.ts'
import { notificationFrame } from '../notices/frames.ts'
import { userKind, type UserChannel } from '../users/channel.ts'
import { sampleEveryMs, type Sample } from './figures.ts'
import { liveFigures, newSamples } from './figures.service.ts'

/** Somebody looks at the dashboard; the id is their account's. */
const watchTopic: Topic<{ type: 'watching' }> = { name: 'figures watched' }

/** Who has asked for the figures counts as looking for so long. */
const watchedMs = 75_000
const hourSlots = (60 * 60_000) / sampleEveryMs
/** Samples of other nodes may come late: so many slots are read again, and sent again. */
const lateSlots = 3

/** Notes that the caller looks at the figures: on all nodes, for their browser may listen to another one. */
export function watchFigures({ node, viewer }: Ctx): void {
  node.channels.publish(watchTopic.name, viewer.id, { type: 'watching' })
}

class FiguresPush {
  readonly #node: Node
  readonly #watchers = new Map<string, number>()
  readonly #sums = new Map<number, Sample>()
  #busy = false

  constructor(node: Node) {
    this.#node = node
    node.channels.listen(watchTopic, (id) => void this.#watchers.set(id, node.clock.elapsed() + watchedMs))
  }

  async push(): Promise<void> {
    const { clock } = this.#node
    for (const [id, untilMs] of this.#watchers) if (untilMs < clock.elapsed()) this.#watchers.delete(id)
    const listeners = this.#listeners()
    if (this.#watchers.size === 0) this.#sums.clear()
    if (listeners.length === 0 || this.#busy) return
    this.#busy = true
    try {
      const frame = notificationFrame('figures', JSON.stringify(await this.#figures()), '')
      // The level may be another one by now.
      for (const { sockets } of this.#listeners()) sockets.notifyBrowsers(frame)
    } finally {
      this.#busy = false
    }
  }

  /** Those on this node who look and still may. */
  #listeners(): UserChannel[] {
    const channels = this.#node.channels.of(userKind)
    return [...this.#watchers.keys()].flatMap((id) => {
      const channel = channels.peek(id)
      return channel?.live && atLeast(channel.level, 'serviceteam') && channel.sockets.hasBrowsers ? [channel] : []
    })
  }

  async #figures() {
    const last = Math.max(0, ...this.#sums.keys())
    const { sums, nodes, complete } = await newSamples(this.#node, last === 0 ? 0 : last - lateSlots)
    for (const [slot, sample] of sums) this.#sums.set(slot, sample)
    const newest = Math.max(0, ...this.#sums.keys())
    for (const slot of this.#sums.keys()) if (slot <= newest - hourSlots) this.#sums.delete(slot)
    const ordered = new Map([...this.#sums].sort(([a], [b]) => a - b))
    return await liveFigures(this.#node, { sums: ordered, nodes, complete, after: last - lateSlots })
  }
}

/** Begins to send figures to those who look; returns the end of it. */
export function startFiguresPush(node: Node): () => void {
  const push = new FiguresPush(node)
  pushes.set(node, push)
  return node.clock.every(sampleEveryMs, () => {
    push.push().catch((error: unknown) => node.log.debug({ err: error }, 'figures were not sent'))
  })
}

const pushes = new WeakMap<Node, FiguresPush>()

/** Sends at once, as every five seconds. */
export async function pushFigures(node: Node): Promise<void> {
  await pushes.get(node)?.push()
}
