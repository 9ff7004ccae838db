// Waiting for something that happens elsewhere.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when `holds` does; fails after `withinMs`. */
export async function until(holds: () => boolean | Promise<boolean>, what: string, withinMs = 15_000): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) assert.fail(`did not happen within ${withinMs} ms: ${what}`)
    await delay(5)
  }
}
