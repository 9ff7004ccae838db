// `npm run load -- --against <url>`: how many people a server carries, asked from another machine.
import { parseArgs } from 'node:util'
import { ConfigError } from '../core/base/config.ts'
import { Crowd, type Step } from '../load/crowd.ts'
import { requireEmptyPlace, settle } from '../load/people.ts'
import { holidayPicture } from '../load/picture.ts'
import { isBorne, verdictOf } from '../load/verdict.ts'
import { runCommand } from '../operate/command.ts'
import { sayRefusal, tokenFrom, usualServer } from '../remote/sign-in.ts'
import { createClient, QuarterdeckError } from '../sdk/client.ts'
import { OperatorError } from '../supervisor/operator-error.ts'

/** From few people to all of them. */
const stepCount = 5
const [fewest, most] = [10, 100_000]
const longestMinutes = 24 * 60

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
    const place = await settle(admin, url, users, (count) => {
      if (count % Math.ceil(users / stepCount) === 0 || count === users) say(`${count} of ${users} people have come on board`)
    })
    say(`That took ${Math.round((performance.now() - begunMs) / 1000)} s, with a password and a sign-in for each.`)
    const crowd = new Crowd(url, place, await holidayPicture(), admin)
    const steps: Step[] = []
    for (let step = 1; step <= stepCount && steps.every(isBorne); step++) {
      const result = await crowd.live(Math.ceil((users * step) / stepCount), (minutes * 60) / stepCount)
      steps.push(result)
      say(lineOf(result))
    }
    crowd.leave()
    const verdict = verdictOf(url, steps)
    screen.line(values.json ? JSON.stringify({ verdict, isBorne: steps.every(isBorne), steps }, undefined, 2) : verdict)
    if (!steps.every(isBorne)) process.exitCode = 1
  } catch (error) {
    if (error instanceof QuarterdeckError) throw new OperatorError(sayRefusal(error, url))
    throw error
  }
})

function numberFrom(name: string, text: string, min: number, max: number): number {
  const number = Number(text)
  if (!(number > min || number === min) || number > max || text.trim() === '')
    throw new ConfigError(`--${name} is a number from ${min} to ${max}, not ${text}.`)
  return number
}

function lineOf({ people, requestsPerSecond, p50, p99, messageP99, lost, failedPart, server }: Step): string {
  const ms = (value: number | undefined) => (value === undefined ? '-' : `${Math.ceil(value)} ms`)
  return (
    `${people} people, ${Math.round(requestsPerSecond)} requests/s: half of the answers within ${ms(p50)}, 99 of 100 within ${ms(p99)}, ` +
    `messages ${ms(messageP99)}, ${lost} lost, ${(failedPart * 100).toFixed(2)} % failed, busiest server ${Math.round(server.cpu)} %`
  )
}
