// The moment that "upcoming" is counted from, for notices of what starts soon.
import type { Node } from '../core/ctx.ts'
import { settingsOf } from './channel.ts'

const dayMs = 24 * 60 * 60_000

/** The floating moment that starts are compared with, and how many days before now it lies: while the trip's week stands for any week. */
export function referenceOf(node: Node, of: 'events' | 'lfgs'): { reference: Date; shiftDays: number } {
  const { floatingNow, upcomingFrom } = settingsOf(node).shipTimeAt(node.clock.now())
  const reference = upcomingFrom[of]
  return { reference, shiftDays: Math.round((floatingNow.getTime() - reference.getTime()) / dayMs) }
}
