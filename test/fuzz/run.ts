// `npm run fuzz`: what test/core/fuzz.test.ts does, for longer. `npm run fuzz -- 100000 7` sends so many
// requests made from the seed 7; a third number is the round to begin with.
import type { Running } from '../../src/supervisor/running.ts'
import { startTestNodes } from '../support/app.ts'
import { withStores } from '../support/stores.ts'
import { knownImage, storedImage } from '../support/images.ts'
import { fuzz, fuzzBombs } from './fuzzer.ts'

const [requests = 100_000, seed = 1, firstRound = 0] = process.argv.slice(2).map((argument) => {
  if (!/^\d+$/.test(argument)) throw new Error(`${argument} is no number: npm run fuzz -- <requests> <seed> <first round>`)
  return Number(argument)
})
const services: Running[] = []
process.on('exit', () => services.forEach((service) => service.kill()))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130))

await withStores(services, async (env) => {
  Object.assign(process.env, env)
  const nodes = await startTestNodes(1, { workers: 1, env: { WRITES_PER_MINUTE: '0', SEARCHES_PER_MINUTE: '0' } })
  storedImage(nodes, knownImage)
  try {
    process.stdout.write(`${await fuzzBombs(nodes)} bodies that cost much if they are read as a whole\n`)
    const { sent, twins, succeeded, statuses } = await fuzz(nodes, {
      requests,
      seed,
      firstRound,
      onRound: (round, tally) => process.stdout.write(`round ${round}: ${tally.sent} of ${requests} requests\n`),
    })
    process.stdout.write(
      `${sent} requests, ${twins} comparisons of hidden and missing things, ${succeeded.size} routes with success\n${JSON.stringify(statuses)}\n`,
    )
  } finally {
    await nodes.stop()
  }
})
