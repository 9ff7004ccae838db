// `npm run chaos -- --seed 7 --minutes 5 --users 300`: a ship full of people while everything fails that
// can, for as long as it is told to, and a table of what was survived. Names of faults choose these.
import type { Dice } from './dice.ts'
import { faults, type FaultName } from './faults.ts'
import { numberOf } from './orders.ts'
import { play, seconds, type Act } from './play.ts'

const seed = numberOf('seed', Date.now() % 2 ** 31)
const minutes = numberOf('minutes', 30)
const people = numberOf('users', 300)
/** Users on one machine together with everything else: about so many requests a second. */
const requestsPerSecond = numberOf('rate', 60)

process.stdout.write(`Chaos with ${people} users for ${minutes} minutes, seed ${seed}\n`)
let endMs: number | undefined
const all = Object.keys(faults) as FaultName[]
const named = process.argv.slice(2).filter((arg): arg is FaultName => all.includes(arg as FaultName))
const chosen = named.length > 0 ? named : all
let waiting: FaultName[] = []

const outcome = await play({
  seed,
  people,
  paceMs: (people / requestsPerSecond) * 1000,
  part: 1,
  quietMs: 3000,
  smallDisk: true,
  standby: true,
  say: (line) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`),
  // Each once, in an order of its own, and then all over again.
  next(dice: Dice) {
    endMs ??= performance.now() + minutes * 60_000
    if (performance.now() > endMs) return undefined
    if (waiting.length === 0) waiting = dice.shuffled(chosen)
    return waiting.pop()
  },
})
process.stdout.write(
  `\n${tableOf(outcome.acts)}\n\n${outcome.posts} posts were sent; ${outcome.lateDeeds} of those without an answer were carried out; no room for images: ${outcome.manner}\n`,
)
if (outcome.wrong.length > 0)
  process.stdout.write(`\n${outcome.wrong.length} things were wrong, with seed ${seed}:\n${outcome.wrong.join('\n')}\n`)
process.exit(Math.sign(outcome.wrong.length))

/** Markdown, so that it can go into the README as it is. */
function tableOf(acts: readonly Act[]): string {
  return [
    '| Fault | Times | Lasted | Full service after | Requests without success | Slowest answer |',
    '|---|---:|---:|---:|---:|---:|',
    ...[...new Set(acts.map(({ fault }) => fault))].map((fault) => {
      const same = acts.filter((act) => act.fault === fault)
      const most = (of: (act: Act) => number) => Math.max(...same.map(of))
      const share =
        same.reduce((sum, { refused }) => sum + refused, 0) / same.reduce((sum, { refused, answered }) => sum + refused + answered, 0)
      return `| ${fault} | ${same.length} | ${seconds(most(({ lastedMs }) => lastedMs))} | ${seconds(most(({ recoveryMs }) => recoveryMs))} | ${(share * 100).toFixed(1)} % | ${seconds(most(({ slowestMs }) => slowestMs))} |`
    }),
  ].join('\n')
}
