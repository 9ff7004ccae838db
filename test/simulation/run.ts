// `npm run simulation -- --seed 7 --runs 1000`: evenings from one seed after the other, as fast as they can be computed. A seed by
// itself, with `--log debug`, shows what the servers say. `--servers 200 --chats 400 --people 2000` plays a larger one.
import { numberOf } from '../chaos/orders.ts'
import { Evening, type EveningSize } from './evening.ts'

const seed = numberOf('seed', Date.now() % 2 ** 31)
const runs = numberOf('runs', 1000)
const logAt = process.argv.indexOf('--log')
const logLevel = logAt < 0 ? 'silent' : (process.argv[logAt + 1] ?? 'info')

const sizes = ['servers', 'chats', 'people'] as const
const size: EveningSize = Object.fromEntries(
  sizes.flatMap((name) => (process.argv.includes(`--${name}`) ? [[name, numberOf(name, 0)]] : [])),
)

/** Of an evening that went wrong, so many are listed. */
const mostFaults = 100

const startedMs = performance.now()
let [posts, frames, looks, faults, failed] = [0, 0, 0, 0, 0]
for (let run = 0; run < runs; run++) {
  const outcome = await new Evening(seed + run, logLevel, size).play()
  posts += outcome.posts
  frames += outcome.frames
  looks += outcome.looks
  faults += outcome.faults.length
  if (outcome.wrong.length === 0) continue
  failed++
  process.stdout.write(
    `Seed ${seed + run}:\n  ${outcome.wrong.slice(0, 5).join('\n  ')}\n  faults: ${outcome.faults.slice(0, mostFaults).join('; ')}\n`,
  )
}
const seconds = (performance.now() - startedMs) / 1000
process.stdout.write(
  `${runs} evenings from seed ${seed} in ${seconds.toFixed(1)} s: ${posts} posts acknowledged, ${frames} frames, ${looks} answers, ${faults} faults; ${failed} went wrong\n`,
)
process.exit(failed > 0 ? 1 : 0)
