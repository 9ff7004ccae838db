// What a load test says in the end: one sentence.
import type { Step } from './crowd.ts'

/** The target of 99 of 100 answers, in ms. */
const answerMs = 500
/** The target of 99 of 100 messages to somebody else, in ms. */
const messageMs = 1000
const failedPart = 0.001

/** True for a step in which nobody would complain. */
export const meetsTargets = ({ p99 = 0, messageP99 = 0, lost, failedPart: part }: Step): boolean =>
  p99 <= answerMs && messageP99 <= messageMs && part <= failedPart && lost === 0

const busyCpu = 85
const heldUpMs = 50
const busyLoop = 0.85

/** For steps of which all but the last met the targets. */
export function verdictOf(url: string, steps: readonly Step[]): string {
  const best = steps.findLast(meetsTargets)
  const first = steps.find((step) => !meetsTargets(step))
  const carries = best
    ? `${url} carries ${counted(best.people)} people${within(best)}`
    : `${url} does not carry ${counted(first?.people ?? 0)} people`
  if (!first) return `${carries}; no limit was reached, so it may carry more.`
  return `${carries}; ${best ? `with ${counted(first.people)} people, ` : ''}${complaintOf(first)}, and the first limit is ${limitOf(first)}.`
}

const within = ({ p99, messageP99 }: Step): string =>
  `, with 99 of 100 answers within ${ms(p99)}${messageP99 === undefined ? '' : ` and messages with everybody within ${ms(messageP99)}`}`

function complaintOf({ p99 = 0, messageP99 = 0, lost, failed, failedPart: part }: Step): string {
  if (part > failedPart) {
    const kinds = Object.entries(failed).map(([status, n]) => `${counted(n)} ${status === '0' ? 'without an answer' : `with ${status}`}`)
    return `${(part * 100).toFixed(1)} % of requests failed (${kinds.join(', ')})`
  }
  if (lost > 0) return `${counted(lost)} messages did not arrive`
  return p99 > answerMs ? `1 of 100 answers takes longer than ${ms(p99)}` : `1 of 100 messages takes longer than ${ms(messageP99)}`
}

/** What it is, and what to change. */
function limitOf({ p99 = 0, failed, ownLoad, server }: Step): string {
  if (ownLoad > busyLoop)
    return 'this machine, which is too busy to ask for more: run it on several at once, each with a part of the people'
  if ((failed[429] ?? 0) > 0) return 'what the server allows one address or one person (429): see its limits in the settings'
  const { cpu = 0, lag = 0 } = server
  if (cpu > busyCpu || lag > heldUpMs)
    return (
      `the processors of its ${server.servers === 1 ? 'only server' : `${server.servers} servers`} (the busiest one at ${Math.round(cpu)} %): ` +
      'give the machine more of them, and SERVERS as many servers as it has'
    )
  if ((server.p99 ?? 0) * 2 > p99) return 'Postgres: give it a faster disk and more memory, or a machine of its own'
  return 'the way between: the network, or a proxy in front of the server'
}

const counted = (n: number): string => n.toLocaleString('en')

const ms = (n: number | undefined): string => `${Math.ceil(n ?? 0)} ms`
