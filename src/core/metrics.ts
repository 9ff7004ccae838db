// What /metrics tells, in Prometheus form. Labels are route patterns, never ids or names.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** The product's own figures; the process's come from the library. */
export interface Metrics {
  readonly registry: Registry
  requestDone(method: string, path: string, status: number, seconds: number): void
  readonly socketsOpen: Gauge<'path'>
  readonly framesSent: Counter<'path'>
  readonly jobsDone: Counter<'job' | 'outcome'>
  readonly jobSeconds: Histogram<'job'>
}

/** Adds the state of the outbox, asked for at each scrape; left out while Postgres is away. */
export function measureOutbox(registry: Registry, backlog: () => Promise<{ waiting: number, oldestSeconds: number }>): void {
  const oldest = new Gauge({ name: 'outbox_oldest_seconds', help: 'Age of the oldest job that is due.', registers: [registry] })
  registry.registerMetric(new Gauge({
    name: 'outbox_waiting', help: 'Jobs that are due or under way.', registers: [],
    async collect() {
      const state = await backlog().catch(() => undefined)
      this.set(state?.waiting ?? NaN)
      oldest.set(state?.oldestSeconds ?? NaN)
    },
  }))
}

/** `source` names the process in every sample. */
export function createMetrics(source: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ source })
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Counter({ name: 'http_requests_total', help: 'Requests answered.', labelNames: ['method', 'path', 'status'], registers })
  const errors = new Counter({ name: 'http_request_errors_total', help: 'Requests answered with a status of 500 or more.', labelNames: ['method', 'path', 'status'], registers })
  const durations = new Histogram({
    name: 'http_request_duration_seconds', help: 'Time from the request line to the answer.', labelNames: ['method', 'path', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10], registers,
  })
  // Looking a label set up costs more than counting: keep the children.
  const children = new Map<string, { requests: Counter.Internal, durations: Histogram.Internal<string>, errors: Counter.Internal | undefined }>()

  return {
    registry,
    requestDone(method, path, status, seconds) {
      const key = `${method} ${path} ${status}`
      let child = children.get(key)
      if (!child) {
        const labels = [method, path, String(status)]
        child = { requests: requests.labels(...labels), durations: durations.labels(...labels), errors: status >= 500 ? errors.labels(...labels) : undefined }
        children.set(key, child)
      }
      child.requests.inc()
      child.durations.observe(seconds)
      child.errors?.inc()
    },
    socketsOpen: new Gauge({ name: 'sockets_open', help: 'WebSockets open now.', labelNames: ['path'], registers }),
    framesSent: new Counter({ name: 'socket_frames_total', help: 'Frames handed to WebSockets.', labelNames: ['path'], registers }),
    jobsDone: new Counter({ name: 'jobs_total', help: 'Jobs ended.', labelNames: ['job', 'outcome'], registers }),
    jobSeconds: new Histogram({ name: 'job_duration_seconds', help: 'Time of one job.', labelNames: ['job'], buckets: [0.01, 0.1, 1, 10, 60], registers }),
  }
}
