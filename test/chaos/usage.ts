// What processes hold: memory, and handles where the system says. Growth of memory is read from the floor
// of many samples, since a garbage collector lets it rise and fall.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

export interface Sample {
  atMs: number
  rssBytes: number
  /** Open files and sockets; absent where there is no /proc. */
  handles: number | undefined
}

/** What a running process holds now. */
export function usageOf(pid: number): Sample {
  const kilobytes = Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim())
  return { atMs: performance.now(), rssBytes: kilobytes * 1024, handles: handlesOf(pid) }
}

function handlesOf(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return undefined
  }
}

const hourMs = 60 * 60_000

export interface Growth {
  perHour: number
  /** By how much it may be wrong, with two standard errors. */
  errorPerHour: number
}

/** The slope of the lowest of `together` neighbouring samples each. */
export function growthOf<Sample extends { atMs: number }>(
  samples: readonly Sample[],
  valueOf: (sample: Sample) => number,
  together: number,
): Growth {
  const points: { x: number; y: number }[] = []
  for (let at = 0; at + together <= samples.length; at += together) {
    const lowest = samples.slice(at, at + together).reduce((best, each) => (valueOf(each) < valueOf(best) ? each : best))
    points.push({ x: lowest.atMs / hourMs, y: valueOf(lowest) })
  }
  if (points.length < 3) return { perHour: NaN, errorPerHour: NaN }
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(({ x }) => x)), mean(points.map(({ y }) => y))]
  const spreadX = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  const perHour = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spreadX
  const rest = points.reduce((sum, { x, y }) => sum + (y - meanY - perHour * (x - meanX)) ** 2, 0)
  return { perHour, errorPerHour: 2 * Math.sqrt(rest / (points.length - 2) / spreadX) }
}
