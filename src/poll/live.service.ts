// Tells browsers that a poll has changed, however many vote at once.
import type { Node } from '../core/work/ctx.ts'
import { browsersTopic, notificationFrame } from '../notices/frames.ts'
import { pollTopic } from './events.ts'

/** Between two frames about one poll. */
const pauseMs = 1000

/** Sends browsers a frame for each poll that changes, and at most one in a second. */
export async function showChanges({ channels, sockets, clock }: Node): Promise<void> {
  /** Polls that a frame was sent about, and whether they have changed since. */
  const recent = new Map<string, boolean>()
  const show = (id: string) => {
    recent.set(id, false)
    sockets.publish(browsersTopic, notificationFrame('pollChanged', '', id))
    clock.after(pauseMs, () => {
      const changed = recent.get(id) === true
      recent.delete(id)
      if (changed) show(id)
    })
  }
  channels.listen(pollTopic, (id) => {
    if (recent.has(id)) recent.set(id, true)
    else show(id)
  })
}
