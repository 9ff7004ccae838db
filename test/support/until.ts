// Waiting for something that happens elsewhere.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const shortestMs = 5
/** Looking more often in a long wait would take the processor from what is waited for. */
const longestMs = 25

/** Resolves when `holds` does; fails after `withinMs`. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, withinMs = 15_000): Promise<void> {
  const began = Date.now()
  while (!(await holds())) {
    const waitedMs = Date.now() - began
    if (waitedMs > withinMs) assert.fail(`did not happen within ${withinMs} ms: ${what}`)
    await delay(Math.min(longestMs, shortestMs + waitedMs / 20))
  }
}
