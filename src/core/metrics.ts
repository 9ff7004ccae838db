// The content of /metrics, in Prometheus form. Labels are route patterns, never ids or names.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Counts the answers of one route. */
export interface RouteTally {
  readonly method: string
  readonly path: string
  done(status: number, seconds: number): void
}

/** What was counted of one route: answers by status. */
export interface RouteCounts {
  readonly method: string
  readonly path: string
  readonly byStatus: ReadonlyMap<number, { readonly count: number; readonly buckets: readonly number[] }>
}

/** A request at which the server failed, without a word of what was in it. */
export interface Fault {
  at: number
  method: string
  path: string
  status: number
  code: string
  requestId: string
  /** Kind of the error and place in the program. */
  cause: string
}

const faultsKept = 200

/** The product's own figures; the process's come from the library. */
export interface Metrics {
  readonly registry: Registry
  /** The tally of a route; the same one for the same names. */
  route(method: string, path: string): RouteTally
  /** Requests answered so far, and those of them with a status of 500 or more. */
  answered(): { requests: number; errors: number }
  /** What was counted of each route. */
  tallies(): Iterable<RouteCounts>
  /** The newest requests at which this process failed, oldest first. */
  readonly faults: readonly Fault[]
  noteFault(fault: Fault): void
  readonly socketsOpen: Gauge<'path'>
  readonly framesSent: Counter<'path'>
  readonly jobsDone: Counter<'job' | 'outcome'>
  readonly jobSeconds: Histogram<'job'>
}

/** Adds the state of the outbox, asked for at each scrape; left out while Postgres is away. */
export function measureOutbox(registry: Registry, backlog: () => Promise<{ waiting: number; oldestSeconds: number }>): void {
  const oldest = new Gauge({ name: 'outbox_oldest_seconds', help: 'Age of the oldest job that is due.', registers: [registry] })
  registry.registerMetric(
    new Gauge({
      name: 'outbox_waiting',
      help: 'Jobs that are due or under way.',
      registers: [],
      async collect() {
        const state = await backlog().catch(() => undefined)
        this.set(state?.waiting ?? NaN)
        oldest.set(state?.oldestSeconds ?? NaN)
      },
    }),
  )
}

/** `source` names the process in every sample. */
export function createMetrics(source: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ source })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const tallies = new Map<string, Tally>()
  const faults: Fault[] = []
  measureRequests(registry, tallies)

  return {
    registry,
    route(method, path) {
      const key = `${method} ${path}`
      let tally = tallies.get(key)
      if (!tally) tallies.set(key, (tally = new Tally(method, path)))
      return tally
    },
    tallies: () => tallies.values(),
    faults,
    noteFault(fault) {
      faults.push(fault)
      if (faults.length > faultsKept) faults.shift()
    },
    answered() {
      let [requests, errors] = [0, 0]
      for (const { byStatus } of tallies.values())
        for (const [status, { count }] of byStatus) {
          requests += count
          if (status >= 500) errors += count
        }
      return { requests, errors }
    },
    socketsOpen: new Gauge({ name: 'sockets_open', help: 'WebSockets open now.', labelNames: ['path'], registers }),
    framesSent: new Counter({ name: 'socket_frames_total', help: 'Frames handed to WebSockets.', labelNames: ['path'], registers }),
    jobsDone: new Counter({ name: 'jobs_total', help: 'Jobs ended.', labelNames: ['job', 'outcome'], registers }),
    jobSeconds: new Histogram({
      name: 'job_duration_seconds',
      help: 'Time of one job.',
      labelNames: ['job'],
      buckets: [0.01, 0.1, 1, 10, 60],
      registers,
    }),
  }
}

/** Seconds: the upper bound of each bucket. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Answers of one route with one status. */
interface StatusTally {
  count: number
  seconds: number
  /** How many took no longer than each bucket's bound and longer than the one before. */
  buckets: number[]
}

/** Counted here, on every request, and made into the library's figures only when somebody asks. */
class Tally implements RouteTally {
  readonly method: string
  readonly path: string
  readonly byStatus = new Map<number, StatusTally>()

  constructor(method: string, path: string) {
    this.method = method
    this.path = path
  }

  done(status: number, seconds: number): void {
    let tally = this.byStatus.get(status)
    if (!tally) this.byStatus.set(status, (tally = { count: 0, seconds: 0, buckets: durationBuckets.map(() => 0) }))
    tally.count++
    tally.seconds += seconds
    let bucket = 0
    while (bucket < durationBuckets.length && seconds > (durationBuckets[bucket] as number)) bucket++
    if (bucket < durationBuckets.length) (tally.buckets[bucket] as number)++
  }
}

function measureRequests(registry: Registry, tallies: ReadonlyMap<string, Tally>): void {
  const counted = () =>
    [...tallies.values()].flatMap(({ method, path, byStatus }) =>
      Array.from(byStatus, ([status, tally]) => ({ labels: { method, path, status }, tally })),
    )
  const labelNames = ['method', 'path', 'status'] as const
  registry.registerMetric(
    new Counter({
      name: 'http_requests_total',
      help: 'Requests answered.',
      labelNames,
      registers: [],
      collect() {
        this.reset()
        for (const { labels, tally } of counted()) this.inc(labels, tally.count)
      },
    }),
  )
  registry.registerMetric(
    new Counter({
      name: 'http_request_errors_total',
      help: 'Requests answered with a status of 500 or more.',
      labelNames,
      registers: [],
      collect() {
        this.reset()
        for (const { labels, tally } of counted()) if (labels.status >= 500) this.inc(labels, tally.count)
      },
    }),
  )
  // A histogram of the library can only be told of one duration at a time, so this stands in for one. It leans on
  // how the registry of prom-client 15 goes about it: it exports what `get()` of a metric answers, whatever that is.
  const about = { name: 'http_request_duration_seconds', help: 'Time from the request line to the answer.', type: 'histogram' }
  const durations = {
    ...about,
    async get() {
      const values = counted().flatMap(({ labels, tally }) => {
        let sum = 0
        return [
          ...durationBuckets.map((le, index) => ({
            metricName: `${about.name}_bucket`,
            labels: { ...labels, le },
            value: (sum += tally.buckets[index] as number),
          })),
          { metricName: `${about.name}_bucket`, labels: { ...labels, le: '+Inf' }, value: tally.count },
          { metricName: `${about.name}_sum`, labels, value: tally.seconds },
          { metricName: `${about.name}_count`, labels, value: tally.count },
        ]
      })
      return { ...about, values, aggregator: 'sum' }
    },
  }
  // Types only let the library's own classes in.
  registry.registerMetric(durations as unknown as Histogram)
}
