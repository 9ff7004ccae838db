// How long the loop stands still because of its own work.
import { readFileSync } from 'node:fs'

const everyMs = 5

/** Does something, and says what its longest turn of the loop has cost, in ms of a processor. */
export async function longestTurnOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; turnMs: number }> {
  let turnMs = 0
  let before = ranMs()
  const look = () => {
    const now = ranMs()
    turnMs = Math.max(turnMs, now - before)
    before = now
  }
  const timer = setInterval(look, everyMs)
  try {
    const result = await work()
    look()
    return { result, turnMs }
  } finally {
    clearInterval(timer)
  }
}

/**
 * How long the thread of the loop has run. A machine that is busy lets it wait in the middle of a turn, for as long as it
 * likes; only Linux tells the two apart.
 */
function ranMs(): number {
  return process.platform === 'linux' ? Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6 : performance.now()
}
