// What is wrong with the machine: noticed by the servers within a minute, kept over restarts, told to the team.
import { hostname } from 'node:os'
import { nameOf, splitFinding, systemFindings } from '../console/checks.service.ts'
import { Ctx, type Node } from '../core/work/ctx.ts'
import { bad, warning, type Finding } from '../operate/findings.ts'
import { settingsOf } from '../settings/channel.ts'
import { commonDifference } from './clocks.service.ts'
import { incidentsId, incidentsTopic } from './events.ts'
import {
  endProcess,
  endReplaced,
  insertEnded,
  replaceOpen,
  selectEnded,
  selectFailedFetch,
  selectOpen,
  selectProcesses,
  selectSlow,
  upsertProcess,
} from './queries.ts'
import type { Found, IncidentRow, ProcessKind, ProcessRow } from './rows.ts'
import type { IncidentData, IncidentListData } from './schemas.ts'
import { insertMessages } from './webhook.queries.ts'
import { quietUntil, sendMessages } from './webhook.service.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** How often each process says that it is there, and how often the servers look. */
const everyMs = 15_000
/** A process that has said nothing for so long is gone. */
const silentMs = 50_000
/** Nobody waits any longer for one that never came back: its machine may be gone for good. */
const missedMs = dayMs
/** A start takes so long until everything is there. */
const startsMs = 60_000
const keptMs = 120 * dayMs
const shownEnded = 100
/** Answers are slow when the slowest hundredth takes so long, for so many minutes in a row with so many requests. A minute is kept after its end. */
const slowMs = 2000
const slowMinutes = 3
const leastRequests = 30

/** Checks of the console that are about the machine: the others are for people to do. */
const watched: ReadonlySet<string> = new Set([
  'jobs-failed',
  'jobs-late',
  'backup-old',
  'backup-old-of-night',
  'backup-failed',
  'disk-full',
  'disk-low',
  'disk-closed',
  'clock-early',
  'certificate-later',
  'certificate-over',
  'certificate-over-elsewhere',
  'certificate-soon',
  'certificate-soon-elsewhere',
  'redis-away',
  'images-missing',
  'images-away',
])

/** Says that this process is there until the result is called, which says that it stops in order. */
export async function startProcess(node: Node, kind: ProcessKind, name: string): Promise<() => Promise<void>> {
  const ctx = () => new Ctx(node, undefined, { requestId: 'process', log: node.log })
  const startedAt = new Date(node.clock.now())
  const own = { id: node.random.uuid(), kind, name, host: hostname(), startedAt }
  const beat = () => ctx().statement((tx) => upsertProcess(tx.sql, { ...own, seenAt: tx.now }))
  const failed = (error: unknown) => node.log.warn({ err: error }, 'this process could not say that it is there')
  await beat().catch(failed)
  const stop = node.clock.every(everyMs, () => void beat().catch(failed))
  return async () => {
    stop()
    await ctx()
      .statement((tx) => endProcess(tx.sql, own.id, tx.now))
      .catch(failed)
  }
}

/** Looks for incidents again and again until the result is called. */
export function startWatch(node: Node): () => void {
  const startedMs = node.clock.elapsed()
  let busy = false
  return node.clock.every(everyMs, () => {
    if (busy) return
    busy = true
    const isSettled = node.clock.elapsed() - startedMs >= startsMs
    watchOnce(node, isSettled)
      .catch((error: unknown) => node.log.warn({ err: error }, 'incidents could not be looked for'))
      .finally(() => (busy = false))
  })
}

/** Looks once, and tells outside what is to be told there: by a server, since it may be the worker that is missing. */
export async function watchOnce(node: Node, isSettled: boolean): Promise<void> {
  await lookForIncidents(node, isSettled)
  await sendMessages(node)
}

/** Looks once; one server does at a time, unless Redis is away. `isSettled`: everything that starts with this server has had its time. */
export async function lookForIncidents(node: Node, isSettled: boolean): Promise<void> {
  const ctx = new Ctx(node, undefined, { requestId: 'incidents', log: node.log })
  const slot = Math.floor(ctx.nowMs / everyMs)
  const isOurs = await node.leases.acquire([`incidents:${slot}`], node.bus.nodeId).catch(() => true)
  if (!isOurs) return
  const findings = (await systemFindings(ctx)).filter(({ code }) => code !== undefined && watched.has(code))
  const found = [
    ...findings.map((finding) => foundOf(finding)),
    ...(await foundOfProcesses(ctx, isSettled)),
    ...(await foundOfSpeed(ctx)),
    ...(await foundOfSchedule(ctx)),
    ...(await foundOfClocks(ctx)),
  ]
  const quiet = await quietUntil(ctx)
  await ctx.transaction(async (tx) => {
    const replaced = await endReplaced(tx.sql, new Date(ctx.nowMs - keptMs))
    const over = await insertEnded(
      tx.sql,
      replaced.map(({ kind, name, host, seenAt, startedAt }) => ({
        ...foundOf(diedFinding(kind, name, host), `${kind} ${name} ${host}`),
        beganAt: seenAt,
        endedAt: startedAt,
      })),
    )
    const { begun, ended } = await replaceOpen(tx.sql, found, tx.now, new Date(ctx.nowMs - keptMs))
    await insertMessages(tx.sql, [...over, ...ended, ...begun.map(({ id }) => id)], tx.now, quiet)
    const [first] = begun
    if (begun.length + ended.length + replaced.length > 0)
      tx.emit(incidentsTopic, incidentsId, { type: 'changed', ...(first && { sentence: first.sentence }) })
  })
}

const diedFinding = (kind: string, name: string, host: string): Finding =>
  bad('Processes', `The ${kind} ${name} on ${host} ended unexpectedly.`, `${kind}-silent`, { name, host })

/** Processes that are silent, and a place without any worker. */
async function foundOfProcesses(ctx: Ctx<undefined>, isSettled: boolean): Promise<Found[]> {
  const known = await selectProcesses(ctx.sql, new Date(ctx.nowMs - missedMs))
  const isSilent = ({ seenAt }: ProcessRow) => ctx.nowMs - seenAt.getTime() > silentMs
  // One in whose place another has begun is over.
  const isLast = ({ kind, name, host, startedAt }: ProcessRow) =>
    !known.some((other) => other.kind === kind && other.name === name && other.host === host && other.startedAt > startedAt)
  const silent = known.filter((each) => isSilent(each) && isLast(each))
  const found = silent.map(({ kind, name, host, seenAt }) => ({
    ...foundOf(diedFinding(kind, name, host), `${kind} ${name} ${host}`),
    beganAt: seenAt,
  }))
  if (!isSettled || known.some((each) => each.kind === 'worker' && !isSilent(each))) return found
  const none = bad(
    'Workers',
    'No worker runs. Start one: npm start runs a server with its worker, npm start -- worker a worker alone.',
    'worker-none',
  )
  return [...found, foundOf(none)]
}

async function foundOfSpeed(ctx: Ctx<undefined>): Promise<Found[]> {
  const lately = await selectSlow(ctx.sql, new Date(ctx.nowMs - (slowMinutes + 2) * minuteMs), leastRequests)
  const minutes = lately.slice(0, slowMinutes)
  if (minutes.length < slowMinutes || minutes.some(({ p99 }) => p99 < slowMs)) return []
  const seconds = Math.round(Math.min(...minutes.map(({ p99 }) => p99)) / 100) / 10
  return [
    foundOf(
      warning(
        'Speed',
        `One answer in a hundred takes more than ${seconds} s, for ${slowMinutes} minutes. Look at the disk, the processor and the network.`,
        'slow',
        { seconds, minutes: slowMinutes },
      ),
    ),
  ]
}

async function foundOfClocks(ctx: Ctx<undefined>): Promise<Found[]> {
  const seconds = await commonDifference(ctx)
  if (seconds === undefined) return []
  const minutes = Math.round(Math.abs(seconds) / 6) / 10
  const text = seconds > 0 ? 'is behind' : 'is ahead of'
  return [
    foundOf(
      bad(
        'Clock',
        `The clock of the server ${text} those of most phones by ${minutes} minutes. Set the clock of the machine.`,
        seconds > 0 ? 'clock-behind-phones' : 'clock-ahead-of-phones',
        { minutes },
      ),
      'phones',
    ),
  ]
}

async function foundOfSchedule(ctx: Ctx<undefined>): Promise<Found[]> {
  if (settingsOf(ctx.node).values.scheduleUpdateURL === '') return []
  const failed = await selectFailedFetch(ctx.sql)
  if (!failed) return []
  const text = 'The last automatic run of the schedule changed nothing. Look at its log.'
  return [{ ...foundOf(warning('Schedule', text, 'schedule-fetch')), beganAt: failed.createdAt }]
}

/** `subject`: where there can be several of a kind. */
function foundOf(finding: Finding, subject = ''): Found {
  const { sentence, mend } = splitFinding(finding)
  return {
    kind: nameOf(finding),
    subject,
    state: finding.level === 'bad' ? 'bad' : 'warning',
    sentence,
    mend: mend || null,
    code: finding.code ?? null,
    values: finding.values ? { ...finding.values } : null,
  }
}

/** What is wrong now, and what was. */
export async function listIncidents(ctx: Ctx): Promise<IncidentListData> {
  const [open, ended] = await Promise.all([selectOpen(ctx.sql), selectEnded(ctx.sql, shownEnded)])
  return { open: open.map(incidentData), ended: ended.map(incidentData) }
}

function incidentData({ id, kind, state, sentence, mend, code, values, beganAt, endedAt }: IncidentRow): IncidentData {
  return {
    incidentID: id,
    kind,
    state,
    sentence,
    ...(mend === null ? {} : { mend }),
    ...(code === null ? {} : { code, values: JSON.stringify(values ?? {}) }),
    beganAt,
    ...(endedAt === null ? {} : { endedAt }),
  }
}
