// The machine: how it does, what is wrong, its jobs and backups.
import { setTimeout as pause } from 'node:timers/promises'
import { QuarterdeckError, type Client, type FaultData, type FiguresNowData } from '../sdk/client.ts'
import { done, wordOf, type Given, type Outcome, type Run } from './command.ts'
import { shownTime } from './times.ts'

/** How all servers do, and what is wrong. */
export async function status(client: Client): Promise<Outcome> {
  const [{ now }, checks, { open }] = await Promise.all([
    client.admin.figures({ span: 'hour' }),
    client.admin.checks(),
    client.admin.incidents(),
  ])
  const wrong = [...open, ...checks.filter(({ state }) => state !== 'good')]
  const known = new Set<string>()
  const lines = wrong.flatMap(({ state, sentence, mend = '' }) => {
    if (known.has(sentence)) return []
    known.add(sentence)
    return [`${state === 'bad' ? 'bad' : 'look'}: ${sentence} ${mend}`.trimEnd()]
  })
  return {
    raw: { now, checks, incidents: open },
    lines: [sayFigures(now), ...(lines.length > 0 ? lines : ['Nothing is wrong.'])],
    isBad: wrong.some(({ state }) => state === 'bad'),
  }
}

function sayFigures({ online, requestsPerSecond, postsPerMinute, errorsInHour, p99 }: FiguresNowData): string {
  const slowest = p99 === undefined ? '' : `, one answer in a hundred takes more than ${Math.round(p99)} ms`
  return `${online} online, ${Math.round(requestsPerSecond)} requests a second, ${Math.round(postsPerMinute)} posts a minute, ${errorsInHour} errors in the last hour${slowest}.`
}

/** What is wrong with the machine, and was. */
export async function incidents(client: Client): Promise<Outcome> {
  const raw = await client.admin.incidents()
  const rows = [...raw.open, ...raw.ended].map(({ beganAt, endedAt, state, sentence }) => ({
    began: shownTime(beganAt),
    ended: endedAt === undefined ? 'still' : shownTime(endedAt),
    state,
    what: sentence,
  }))
  return { raw, table: rows, isBad: raw.open.some(({ state }) => state === 'bad') }
}

const lookAgainMs = 2000

/** Requests at which a server failed, oldest first; with `--follow` also those to come. */
export async function logs(client: Client, given: Given): Promise<Outcome> {
  const search = given.words.join(' ')
  const newest = async () => (await client.admin.errors(search ? { search } : {})).faults.toReversed()
  const faults = await newest()
  if (given.options['follow'] === true) return { raw: undefined, later: following(faults, newest) }
  return { raw: { faults }, lines: faults.length > 0 ? faults.map(sayFault) : ['No server has failed at a request lately.'] }
}

async function* following(
  first: readonly FaultData[],
  newest: () => Promise<FaultData[]>,
): AsyncGenerator<{ raw: FaultData; line: string }> {
  let shown = new Set<string>()
  for (let faults = first; ; faults = await newest().catch(unlessAway)) {
    for (const raw of faults.filter((each) => !shown.has(keyOf(each)))) yield { raw, line: sayFault(raw) }
    if (faults.length > 0) shown = new Set(faults.map(keyOf))
    await pause(lookAgainMs)
  }
}

/** A program may send all its requests with one id. */
const keyOf = ({ at, node, requestID }: FaultData): string => `${at} ${node} ${requestID}`

/** A server that is away for a while is no reason to stop looking; a token that is no longer good is. */
function unlessAway(error: unknown): FaultData[] {
  if (error instanceof QuarterdeckError && (error.status === 0 || error.status >= 500)) return []
  throw error
}

const sayFault = ({ at, node, method, path, status: answer, cause, requestID }: FaultData): string =>
  `${shownTime(at)} ${node} ${method} ${path} ${answer}: ${cause} (${requestID})`

/** What waits and runs, by kind. */
export async function jobs(client: Client): Promise<Outcome> {
  const raw = await client.admin.jobsKinds()
  const rows = raw.map(({ job, due, running, retrying, failed, doneInHour, pausedAt }) => ({
    kind: job,
    due,
    running,
    retrying,
    failed,
    'done in an hour': doneInHour,
    state: pausedAt === undefined ? '' : 'paused',
  }))
  return { raw, table: rows }
}

/** Something that is done to all jobs of a kind. */
export function ofJobs(work: (client: Client, kind: string) => Promise<unknown>): Run {
  return async (client, given) => {
    const raw = (await work(client, wordOf(given))) as { number?: number } | undefined
    return { raw: raw ?? done.raw, lines: [raw?.number === undefined ? 'Done.' : `Done with ${raw.number}.`] }
  }
}

/** Those that are there, newest first. */
export async function backups(client: Client): Promise<Outcome> {
  const raw = await client.admin.backups()
  const rows = raw.backups.map(({ name, bytes, createdAt, verifiedAt }) => ({
    name,
    MB: Math.round(bytes / 1_000_000),
    made: shownTime(createdAt),
    tried: verifiedAt === undefined ? 'never' : shownTime(verifiedAt),
  }))
  return { raw, table: rows }
}

/** Orders one, which a worker makes. */
export async function makeBackup(client: Client): Promise<Outcome> {
  const raw = await client.admin.setBackups()
  return { raw, lines: ['It is ordered. backups says when it is there.'] }
}
