// Figures of the whole cluster, for the dashboard; and the minutes that stay.
import { statfs } from 'node:fs/promises'
import { Ctx, type Node } from '../core/work/ctx.ts'
import { outboxBacklog } from '../core/outbox/jobs.ts'
import { backupFolder, backupsIn } from '../operate/backup-files.ts'
import { selectFaults } from './faults.queries.ts'
import { insertFigure, selectFigures, selectFirstFigure, sumErrors, type FigureRow } from './figures.queries.ts'
import { figuresIn, percentile, sampleEveryMs, type NodeFigures, type Sample } from './figures.ts'
import { upsertSeen } from './people.queries.ts'
import type { FaultListData, FiguresData, NodeStateData } from './schemas.ts'

export type Span = 'hour' | 'day' | 'event'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const keptMs = 120 * dayMs
const mostPoints = 360
const shownFaults = 200

/** Figures of an hour from the memory of all nodes, or of longer from the minutes that were kept. */
export function getFigures(
  ctx: Ctx,
  { span = 'hour', since = 0 }: { span?: Span | undefined; since?: number | undefined },
): Promise<FiguresData> {
  return ctx.node.flights.after(`figures ${span} ${since}`, () => figuresSince(ctx, span, since))
}

async function figuresSince(ctx: Ctx, span: Span, since: number): Promise<FiguresData> {
  const { nowMs: now, node } = ctx
  const figures = await liveFigures(node, { ...(await newSamples(node, 0)), after: Math.floor(since / sampleEveryMs) })
  if (span === 'hour') return { ...figures, points: await withMinutes(ctx, figures.points, since === 0) }
  const from = new Date(span === 'day' ? now - dayMs : ((await selectFirstFigure(ctx.sql)) ?? now).valueOf())
  return { ...figures, points: await storedPoints(ctx, from) }
}

/** Samples of all nodes, added up by slot. */
export interface Summed {
  sums: ReadonlyMap<number, Sample>
  nodes: FiguresData['nodes']
  complete: boolean
}

/** Samples after a slot. */
export async function newSamples(node: Node, since: number): Promise<Summed> {
  const { answers, complete } = await figuresIn(node).ask({ since, faults: false })
  return { sums: summed(answers), nodes: answers.map(stateOf), complete }
}

/** The present out of an hour of samples, with the points after a slot. */
export async function liveFigures(node: Node, { sums, nodes, complete, after }: Summed & { after: number }): Promise<FiguresData> {
  const { waiting } = await outboxBacklog(node.db.sql, new Date(node.clock.now()))
  const free = optional('diskFreeMb', await diskFreeMb(node))
  const lastBackup = await newestBackup(node)
  const newest = Math.max(0, ...sums.keys())
  const hour = Array.from(sums.values())
  const lately = hour.slice(-minuteMs / sampleEveryMs)
  const buckets = addedBuckets(lately)
  const seconds = Math.max(1, lately.length) * (sampleEveryMs / 1000)
  const sumOf = (field: 'requests' | 'errors' | 'posts') => lately.reduce((sum, each) => sum + each[field], 0)
  return {
    now: {
      online: lately.at(-1)?.online ?? 0,
      sockets: lately.at(-1)?.sockets ?? 0,
      requestsPerSecond: Math.round((sumOf('requests') / seconds) * 10) / 10,
      postsPerMinute: Math.round((sumOf('posts') / seconds) * 60),
      errorsInHour: await errorsInHour(node, hour),
      ...optional('p50', percentile(buckets, 0.5)),
      ...optional('p99', percentile(buckets, 0.99)),
      lag: lately.at(-1)?.lag ?? 0,
      waiting,
      ...free,
      ...(lastBackup ? { lastBackupAt: lastBackup } : {}),
    },
    // Nobody samples these two: the newest point has them as they are.
    points: Array.from(sums).flatMap((entry) =>
      entry[0] > after ? [{ ...pointOf(entry), ...(entry[0] === newest ? { waiting, ...free } : {}) }] : [],
    ),
    nodes,
    complete,
  }
}

/** Errors of the last hour: those of the minutes in Postgres, which outlive a restart, and of the samples after the last of them. */
async function errorsInHour(node: Node, samples: readonly Sample[]): Promise<number> {
  const { errors, lastMinute } = await sumErrors(node.db.sql, new Date(node.clock.now() - hourMs))
  const keptUntilMs = lastMinute ? lastMinute.getTime() + minuteMs : 0
  return samples.reduce((sum, sample) => (sample.slot * sampleEveryMs > keptUntilMs ? sum + sample.errors : sum), errors)
}

/** With what is only known minute by minute; `whole`: and the minutes of the hour before the first of these, when servers began later. */
async function withMinutes(ctx: Ctx, points: FiguresData['points'], whole: boolean): Promise<FiguresData['points']> {
  const firstMs = points[0]?.at.getTime() ?? ctx.nowMs
  const rows = await selectFigures(ctx.sql, new Date(whole ? ctx.nowMs - hourMs : firstMs), 1)
  const minutes = new Map(rows.map((row) => [row.minute.getTime(), row]))
  const before = rows.filter(({ minute }) => minute.getTime() + minuteMs <= firstMs).map((row) => storedPoint(row, 1))
  return [
    ...before,
    ...points.map((point) => {
      const row = minutes.get(Math.floor(point.at.getTime() / minuteMs) * minuteMs)
      return row ? { waiting: row.waiting, ...optional('diskFreeMb', row.diskFreeMb ?? undefined), ...point } : point
    }),
  ]
}

async function storedPoints(ctx: Ctx, since: Date): Promise<FiguresData['points']> {
  const minutes = Math.max(1, Math.round((ctx.nowMs - since.getTime()) / minuteMs / mostPoints))
  return (await selectFigures(ctx.sql, since, minutes)).map((row) => storedPoint(row, minutes))
}

/** So many minutes together; posts and errors are those of one minute. */
function storedPoint(row: FigureRow, minutes: number): FiguresData['points'][number] {
  const perMinute = (count: number) => Math.round((count / minutes) * 100) / 100
  return {
    at: row.minute,
    online: row.online,
    requests: perMinute(row.requests / 60),
    errors: perMinute(row.errors),
    posts: perMinute(row.posts),
    ...optional('p50', row.p50 ?? undefined),
    ...optional('p99', row.p99 ?? undefined),
    lag: row.lag,
    memoryMb: row.memoryMb,
    waiting: row.waiting,
    ...optional('diskFreeMb', row.diskFreeMb ?? undefined),
  }
}

const optional = <K extends string>(key: K, value: number | undefined): Partial<Record<K, number>> =>
  value === undefined ? {} : ({ [key]: Math.round(value * 10) / 10 } as Record<K, number>)

/** Samples of all nodes, by slot, in order. */
function summed(answers: readonly NodeFigures[]): Map<number, Sample> {
  const sums = new Map<number, Sample>()
  for (const { samples } of answers)
    for (const sample of samples) {
      const sum = sums.get(sample.slot)
      sums.set(sample.slot, sum ? added(sum, sample) : sample)
    }
  return new Map([...sums].sort(([a], [b]) => a - b))
}

const added = (a: Sample, b: Sample): Sample => ({
  slot: a.slot,
  online: a.online + b.online,
  sockets: a.sockets + b.sockets,
  requests: a.requests + b.requests,
  errors: a.errors + b.errors,
  posts: a.posts + b.posts,
  buckets: a.buckets.map((count, index) => count + (b.buckets[index] ?? 0)),
  lag: Math.max(a.lag, b.lag),
  memoryMb: a.memoryMb + b.memoryMb,
  cpu: a.cpu + b.cpu,
})

const addedBuckets = (samples: readonly Sample[]): number[] =>
  samples.reduce<number[]>((sum, { buckets }) => buckets.map((count, index) => count + (sum[index] ?? 0)), [])

function pointOf([slot, sample]: [number, Sample]): FiguresData['points'][number] {
  const { online, requests, errors, posts, buckets, lag, memoryMb } = sample
  return {
    at: new Date(slot * sampleEveryMs),
    online,
    requests: requests / (sampleEveryMs / 1000),
    errors: errors * (minuteMs / sampleEveryMs),
    posts: posts * (minuteMs / sampleEveryMs),
    ...optional('p50', percentile(buckets, 0.5)),
    ...optional('p99', percentile(buckets, 0.99)),
    lag,
    memoryMb,
  }
}

function stateOf({ source, startedMs, samples }: NodeFigures): NodeStateData {
  const last = samples.at(-1)
  return {
    name: source,
    startedAt: new Date(startedMs),
    online: last?.online ?? 0,
    memoryMb: last?.memoryMb ?? 0,
    cpu: last?.cpu ?? 0,
    lag: last?.lag ?? 0,
  }
}

async function diskFreeMb({ config }: Node): Promise<number | undefined> {
  const state = await statfs(config.dataDir).catch(() => undefined)
  return state && Math.round((state.bavail * state.bsize) / 1024 / 1024)
}

async function newestBackup({ config }: Node): Promise<Date | undefined> {
  const [newest] = await backupsIn(backupFolder(config))
  return newest?.createdAt
}

/** The newest requests at which a server failed. Searched by a part of the request id or of the path. */
export async function listFaults(ctx: Ctx, search = ''): Promise<FaultListData> {
  const { answers, complete } = await figuresIn(ctx.node).ask({ since: Number.MAX_SAFE_INTEGER, faults: true })
  const wanted = search.trim().toLowerCase()
  // What is not kept yet, of those that answer; it may be kept by the time that Postgres is asked.
  const fresh = answers
    .flatMap(({ source, faults: own }) => own.map((fault) => ({ ...fault, at: new Date(fault.at), source })))
    .filter(({ requestId, path }) => wanted === '' || requestId.toLowerCase().includes(wanted) || path.toLowerCase().includes(wanted))
  const faults = new Map(
    [...fresh, ...(await selectFaults(ctx.sql, wanted, shownFaults))].map((fault) => [`${fault.requestId} ${fault.at.getTime()}`, fault]),
  )
  return {
    faults: [...faults.values()]
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, shownFaults)
      .map(({ at, method, path, status, code, requestId, cause, source }) => ({
        at,
        method,
        path,
        status,
        code,
        requestID: requestId,
        cause,
        node: source,
      })),
    complete,
  }
}

/** Once a minute: notes who is here, and one node of all the figures of the minute that has ended. */
export async function keepMinute(node: Node): Promise<void> {
  const now = node.clock.now()
  const ctx = new Ctx(node, undefined, { requestId: 'figures', log: node.log })
  const present = figuresIn(node).present()
  if (present.length > 0) await ctx.statement((tx) => upsertSeen(tx.sql, present, new Date(now)))
  const minute = Math.floor(now / minuteMs) - 1
  if (!(await node.leases.acquire([`figures:${minute}`], node.bus.nodeId))) return
  const { answers } = await figuresIn(node).ask({ since: Math.floor((minute * minuteMs) / sampleEveryMs), faults: false })
  const samples = Array.from(summed(answers).values()).filter(({ slot }) => slot * sampleEveryMs <= (minute + 1) * minuteMs)
  if (samples.length === 0) return
  const buckets = addedBuckets(samples)
  const { waiting } = await outboxBacklog(ctx.sql, new Date(now))
  const most = (field: 'online' | 'lag' | 'memoryMb') => Math.max(...samples.map((sample) => sample[field]))
  const sumOf = (field: 'requests' | 'errors' | 'posts') => samples.reduce((sum, sample) => sum + sample[field], 0)
  const figures = {
    minute: new Date(minute * minuteMs),
    online: most('online'),
    requests: sumOf('requests'),
    errors: sumOf('errors'),
    posts: sumOf('posts'),
    p50: percentile(buckets, 0.5) ?? null,
    p99: percentile(buckets, 0.99) ?? null,
    lag: most('lag'),
    waiting,
    memoryMb: most('memoryMb'),
    diskFreeMb: (await diskFreeMb(node)) ?? null,
  }
  await ctx.statement((tx) => insertFigure(tx.sql, figures, new Date(now - keptMs)))
}
