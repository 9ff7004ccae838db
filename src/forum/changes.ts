// Which answers a change of a forum drops.
import type { Tx } from '../core/work/ctx.ts'

/**
 * Says that of all forums and their posts only these are changed: a forum, by its id and those of the categories that it
 * is or was in.
 */
export function changesForum(tx: Tx, ...ids: string[]): void {
  for (const id of ids) tx.changesPart(['forum', 'forum_post'], id)
}
