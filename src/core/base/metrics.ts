// The content of /metrics, in Prometheus form. Labels are route patterns, never ids or names.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** How often the delay of the loop is measured. Each time wakes a process that rests: every 10 ms it would use more than all else of it. */
export const loopDelayEveryMs = 50

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
  /** All of it for Prometheus, and its media type. Whoever asks while it is put together gets the same. */
  text(): Promise<Buffer>
  readonly contentType: string
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

/** Adds how many long reads were answered at which server of Postgres. */
export function measureLongReads(registry: Registry, counts: Readonly<Record<string, number>>): void {
  registry.registerMetric(
    new Counter({
      name: 'postgres_long_reads_total',
      help: 'Long reads by the server of Postgres that answered: the standby, or the primary while that is behind or away.',
      labelNames: ['at'],
      registers: [],
      collect() {
        this.reset()
        for (const [at, count] of Object.entries(counts)) this.inc({ at }, count)
      },
    }),
  )
}

/** `source` names the process in every sample. */
export function createMetrics(source: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ source })
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: loopDelayEveryMs })
  const registers = [registry]
  const tallies = new Map<string, Tally>()
  const faults: Fault[] = []
  let underWay: Promise<Buffer> | undefined
  const text = async () => Buffer.from(`${await registry.metrics()}\n${textOfRequests(tallies.values(), source)}`)

  return {
    registry,
    contentType: registry.contentType,
    text() {
      underWay ??= text().finally(() => {
        underWay = undefined
      })
      return underWay
    },
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
    framesSent: new Counter({
      name: 'socket_frames_total',
      help: 'Frames handed to the WebSockets of chats.',
      labelNames: ['path'],
      registers,
    }),
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

/** The texts of several processes as one: each metric is described once, before the samples of all. */
export function joinedMetrics(texts: readonly string[]): string {
  const metrics = new Map<string, { about: string[]; samples: string[] }>()
  for (const text of texts) {
    let current = { about: [] as string[], samples: [] as string[] }
    let name = ''
    let isNew = false
    for (const line of text.split('\n')) {
      if (line.startsWith('# ')) {
        const described = line.split(' ', 3)[2] ?? ''
        if (described !== name) {
          name = described
          isNew = !metrics.has(name)
          current = metrics.get(name) ?? { about: [], samples: [] }
          metrics.set(name, current)
        }
        if (isNew) current.about.push(line)
      } else if (line !== '') current.samples.push(line)
    }
  }
  return [...metrics.values()].map(({ about, samples }) => [...about, ...samples, ''].join('\n')).join('\n')
}

/** Seconds: the upper bound of each bucket. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Those that Prometheus gets: each is a line for each route and status, and it keeps them all. */
const scraped = new Set([0.005, 0.025, 0.1, 0.5, 2.5, 10])

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

/**
 * The figures of requests in Prometheus's own form. The library would make an object for each bucket of each route and
 * status, at each scrape.
 */
function textOfRequests(tallies: Iterable<Tally>, source: string): string {
  let requests = headOf('http_requests_total', 'Requests answered.', 'counter')
  let errors = headOf('http_request_errors_total', 'Requests answered with a status of 500 or more.', 'counter')
  let durations = headOf('http_request_duration_seconds', 'Time from the request line to the answer.', 'histogram')
  const by = `source="${escaped(source)}"`
  for (const { method, path, byStatus } of tallies)
    for (const [status, { count, seconds, buckets }] of byStatus) {
      const of = `method="${escaped(method)}",path="${escaped(path)}",status="${status}",`
      requests += `http_requests_total{${of}${by}} ${count}\n`
      if (status >= 500) errors += `http_request_errors_total{${of}${by}} ${count}\n`
      let sum = 0
      for (let index = 0; index < durationBuckets.length; index++) {
        const bound = durationBuckets[index] as number
        sum += buckets[index] as number
        if (scraped.has(bound)) durations += `http_request_duration_seconds_bucket{${of}le="${bound}",${by}} ${sum}\n`
      }
      durations +=
        `http_request_duration_seconds_bucket{${of}le="+Inf",${by}} ${count}\n` +
        `http_request_duration_seconds_sum{${of}${by}} ${seconds}\n` +
        `http_request_duration_seconds_count{${of}${by}} ${count}\n`
    }
  return `${requests}\n${errors}\n${durations}`
}

const headOf = (name: string, help: string, type: string): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`

const escaped = (label: string): string => label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
