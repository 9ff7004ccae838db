// Memory that V8 keeps free for objects to come is given back when the load is over: on a small machine other programs want it.
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Log } from './log.ts'

const mb = 1024 * 1024

const lookEveryMs = 2000
/** Share of a core: above it there was something to do, below it the process rests. */
const busyShare = 0.2
const restShare = 0.05
/**
 * So many looks in a row without anything to do. V8 gives back the space of new objects where less than 1 MB a second was
 * allocated in five seconds, counted from the collection before: there is a small one at the first of these looks.
 */
const restingLooks = 4
/** Free memory in the heap, below which a collection gives next to nothing back. */
const worthBytes = 8 * mb
/** A collection stops the loop for about half a millisecond for each MB in use. Garbage counts here, too; larger heaps are left to V8. */
const largestBytes = 192 * mb
/** Where a collection has taken longer than this, the machine has other work: there is none for a while. */
const longestPauseMs = 100
const pauseAfterMs = 10 * 60_000

/** Collects garbage once after each load, when there has been nothing to do for some seconds. Never keeps the process alive. */
export function giveBackAtRest(log: Pick<Log, 'debug'>, everyMs = lookEveryMs): void {
  let gc: Collect | undefined
  let before = process.cpuUsage()
  let beforeMs = performance.now()
  let wasBusy = false
  let resting = 0
  let notBeforeMs = 0
  setInterval(() => {
    const { user, system } = process.cpuUsage(before)
    const share = (user + system) / 1000 / (performance.now() - beforeMs)
    before = process.cpuUsage()
    beforeMs = performance.now()
    if (share > busyShare) wasBusy = true
    resting = share < restShare ? resting + 1 : 0
    if (!wasBusy || beforeMs < notBeforeMs) return
    if (resting === 1) (gc ??= collector())({ type: 'minor' })
    if (resting < restingLooks) return
    wasBusy = false
    const { total_physical_size: held } = getHeapStatistics()
    const lasting = lastingBytes()
    if (held - lasting < worthBytes || lasting > largestBytes) return
    gc ??= collector()
    const startedMs = performance.now()
    gc()
    const pauseMs = Math.round(performance.now() - startedMs)
    if (pauseMs > longestPauseMs) notBeforeMs = startedMs + pauseAfterMs
    const { total_physical_size: left } = getHeapStatistics()
    log.debug({ pauseMs, givenBackMb: Math.round((held - left) / mb) }, 'gave memory back at rest')
  }, everyMs).unref()
}

/** Without new objects: nearly all of these are garbage when there is nothing to do. */
const lastingBytes = (): number =>
  getHeapSpaceStatistics().reduce((sum, { space_name: name, space_used_size: used }) => (name.startsWith('new_') ? sum : sum + used), 0)

type Collect = (options?: { type: 'minor' }) => void

function collector(): Collect {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as Collect
  setFlagsFromString('--no-expose-gc')
  return gc
}
