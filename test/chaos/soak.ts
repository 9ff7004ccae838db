// `npm run soak -- --seed 7 --minutes 30 --users 200`: steady mixed work without any fault, and what
// servers and workers hold meanwhile. Fails when one of them keeps taking more, or the checker finds anything.
import { setTimeout as pause } from 'node:timers/promises'
import { Checker } from './checker.ts'
import { Dice } from './dice.ts'
import { numberOf } from './orders.ts'
import { launch } from './ship.ts'
import { Town } from './town.ts'
import { growthOf, usageOf, type Growth, type Sample } from './usage.ts'

const seed = numberOf('seed', Date.now() % 2 ** 31)
const minutes = numberOf('minutes', 30)
const people = numberOf('users', 200)
const requestsPerSecond = numberOf('rate', 60)

const sampleEveryMs = 5000
/** So many samples are one point of the floor of memory; what is in use is measured as often. */
const together = 6
/** Longer than idle connections for requests are kept: what is open then are sockets, and connections to stores. */
const restMs = 20_000
/** Caches fill and code is compiled: the first part tells nothing of a leak. */
const warmUp = 0.4
const megabyte = 1024 * 1024
/**
 * A chat that is in use keeps 50 bytes in memory for each of its posts, so that at sixty requests a second
 * a server may grow by some megabytes an hour, and V8 lets its heap wander by as much. A server that
 * loses a socket's objects (5 KB), or one closure of 300 bytes for each request, grows by sixty and more.
 */
const mostBytesPerHour = 60 * megabyte
/** Of what is in use, which does not wander: a hundred bytes lost for each request are more. */
const mostLiveBytesPerHour = 20 * megabyte
/** Connections to stores come with the load, and some of them stay. */
const mostNewHandles = 10

interface LiveSample {
  atMs: number
  liveBytes: number
}

const cleanups: (() => unknown)[] = []
const suite = {
  after: (cleanup: () => unknown) => {
    cleanups.unshift(cleanup)
  },
} as Parameters<typeof launch>[0]
const say = (line: string) => process.stdout.write(`${line}\n`)
const wrong: string[] = []
try {
  say(`Soak with ${people} users for ${minutes} minutes, seed ${seed}`)
  const ship = await launch(suite, { smallDisk: false, measured: true })
  const town = await Town.settle(ship, new Dice(seed), people, (people / requestsPerSecond) * 1000)
  suite.after(() => town.leave())
  const checker = new Checker(town)
  await town.served()
  await town.calm()
  wrong.push(...(await checker.check()))
  const watched = [
    ...ship.servers.map((process, index) => ({ name: `server ${index + 1}`, process })),
    ...ship.workers.map((process, index) => ({ name: `worker ${index + 1}`, process })),
  ].map((each) => ({ ...each, samples: [] as Sample[], live: [] as LiveSample[] }))
  const handlesAtRest = async () => {
    await pause(restMs)
    return watched.map(({ process }) => usageOf(process.pid).handles ?? 0)
  }
  const before = await handlesAtRest()
  town.begin()
  const endMs = performance.now() + minutes * 60_000
  for (let count = 1; performance.now() < endMs; count++) {
    await pause(sampleEveryMs)
    for (const { process, samples } of watched) samples.push(usageOf(process.pid))
    if (count % together === 0)
      for (const { process, live } of watched) live.push({ atMs: performance.now(), liveBytes: await process.liveBytes() })
  }
  await town.rest()
  await town.calm()
  wrong.push(...(await checker.check()))
  const after = await handlesAtRest()
  say(
    '\n| Process | Memory at first | At last | Growth per hour | In use at first | At last | Growth per hour | Handles at rest before | After |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|',
  )
  for (const [index, { name, samples, live }] of watched.entries()) {
    const steady = <Each>(all: readonly Each[]) => all.slice(Math.floor(all.length * warmUp))
    const memory = growthOf(steady(samples), ({ rssBytes }) => rssBytes, together)
    const inUse = growthOf(steady(live), ({ liveBytes }) => liveBytes, 1)
    const handles = [before[index] ?? NaN, after[index] ?? NaN] as const
    const [first, last] = [samples[0], samples.at(-1)]
    const mb = (bytes = NaN) => `${(bytes / megabyte).toFixed(1)} MB`
    const slope = ({ perHour, errorPerHour }: Growth) => `${mb(perHour)} ± ${mb(errorPerHour)}`
    say(
      `| ${name} | ${mb(first?.rssBytes)} | ${mb(last?.rssBytes)} | ${slope(memory)} | ${mb(live[0]?.liveBytes)} | ${mb(live.at(-1)?.liveBytes)} | ${slope(inUse)} | ${handles[0]} | ${handles[1]} |`,
    )
    // Only what is certain counts: a short soak sees nothing small.
    if (memory.perHour - memory.errorPerHour > mostBytesPerHour) wrong.push(`${name} takes ${mb(memory.perHour)} more every hour`)
    if (inUse.perHour - inUse.errorPerHour > mostLiveBytesPerHour) wrong.push(`${name} keeps ${mb(inUse.perHour)} more in use every hour`)
    if (handles[1] - handles[0] > mostNewHandles) wrong.push(`${name} has ${handles[1] - handles[0]} handles more than before`)
  }
  const { answered, refused, slowestMs } = town.around.tally
  say(`\n${answered} requests answered, ${refused} not, slowest ${Math.round(slowestMs)} ms; ${town.log.posts.size} posts`)
  if (wrong.length > 0) say(`\n${wrong.length} things were wrong, with seed ${seed}:\n${wrong.join('\n')}`)
} finally {
  for (const cleanup of cleanups) await cleanup()
}
process.exit(Math.sign(wrong.length))
