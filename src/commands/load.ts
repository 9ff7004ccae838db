// `npm run load -- --against <url>`: how many people a server carries, asked from another machine.
import { parseArgs } from 'node:util'
import { ConfigError } from '../core/base/config.ts'
import { Crowd, type Step } from '../load/crowd.ts'
import { requireEmptyPlace, createPlace } from '../load/people.ts'
import { holidayPicture } from '../load/picture.ts'
import { meetsTargets, verdictOf } from '../load/verdict.ts'
import { runCommand } from '../operate/command.ts'
import { sayRefusal, tokenFrom, usualServer } from '../remote/sign-in.ts'
import { createClient, QuarterdeckError } from '../sdk/client.ts'
import { OperatorError } from '../supervisor/operator-error.ts'

/** From few people to all of them. */
const stepCount = 5
const [fewest, most] = [10, 100_000]
const longestMinutes = 24 * 60

/** By their names; together they fit into 80 columns. */
const columns: Readonly<Record<string, (step: Step) => string>> = {
  people: ({ people }) => String(people),
  'requests/s': ({ requestsPerSecond }) => String(Math.round(requestsPerSecond)),
  p50: ({ p50 }) => ms(p50),
  p99: ({ p99 }) => ms(p99),
  messages: ({ messageP99 }) => ms(messageP99),
  lost: ({ lost }) => String(lost),
  failed: ({ failedPart }) => `${(failedPart * 100).toFixed(2)} %`,
  server: ({ server: { cpu } }) => (cpu === undefined ? '-' : `${Math.round(cpu)} %`),
}

await runCommand(async (screen) => {
  const { values } = parseArgs({
    options: {
      against: { type: 'string', short: 's', default: process.env['QUARTERDECK_SERVER'] || usualServer },
      users: { type: 'string', default: '1000' },
      minutes: { type: 'string', default: '10' },
      'token-file': { type: 'string' },
      'although-people-are-here': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const url = values.against.endsWith('/') ? values.against.slice(0, -1) : values.against
  const users = numberFrom('users', values.users, fewest, most)
  const minutes = numberFrom('minutes', values.minutes, 0, longestMinutes)
  const admin = createClient({ baseUrl: url, token: tokenFrom(values['token-file'], process.env) })
  const say = (line: string) => (values.json ? screen.error(line) : screen.line(line))
  try {
    if (!values['although-people-are-here']) await requireEmptyPlace(admin)
    const begunMs = performance.now()
    const place = await createPlace(admin, url, users, (count) => {
      if (count % Math.ceil(users / stepCount) === 0 || count === users) say(`${count} of ${users} people have come on board`)
    })
    say(`That took ${Math.round((performance.now() - begunMs) / 1000)} s, with a password and a sign-in for each.`)
    const steps = await climb(new Crowd(url, place, await holidayPicture(), admin), users, minutes, say)
    const verdict = verdictOf(url, steps)
    const isMet = steps.every(meetsTargets)
    screen.line(values.json ? JSON.stringify({ verdict, meetsTargets: isMet, steps }, undefined, 2) : verdict)
    if (!isMet) process.exitCode = 1
  } catch (error) {
    if (error instanceof QuarterdeckError) throw new OperatorError(sayRefusal(error, url))
    throw error
  }
})

/** More people from step to step, until it is too much. */
async function climb(crowd: Crowd, users: number, minutes: number, say: (line: string) => void): Promise<Step[]> {
  const steps: Step[] = []
  say(rowOf(Object.keys(columns)))
  try {
    for (let step = 1; step <= stepCount && steps.every(meetsTargets); step++) {
      const result = await crowd.live(Math.ceil((users * step) / stepCount), (minutes * 60) / stepCount)
      steps.push(result)
      say(rowOf(Object.values(columns).map((cell) => cell(result))))
    }
  } finally {
    crowd.leave()
  }
  return steps
}

function numberFrom(name: string, text: string, min: number, max: number): number {
  const number = Number(text)
  if (!(number > min || number === min) || number > max || text.trim() === '')
    throw new ConfigError(`--${name} is a number from ${min} to ${max}, not ${text}.`)
  return number
}

function ms(value: number | undefined): string {
  return value === undefined ? '-' : `${Math.ceil(value)} ms`
}

/** Of the row that a step has on the screen. */
function rowOf(cells: readonly string[]): string {
  const widths = Object.keys(columns).map((name) => Math.max(name.length, 8))
  return cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ')
}
