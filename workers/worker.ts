// One worker: every job and sweep of the product, and the work on images.
import { buildNode, type NodeOptions } from '../src/app.ts'
import type { Node } from '../src/core/work/ctx.ts'
import { processElsewhere } from '../src/image/elsewhere.ts'
import { startImageWorker, type ImageOrder } from '../src/image/queue.ts'
import { startJobRunner, type JobHandlers, type JobPreparations } from '../src/core/work/job-runner.ts'
import { JobRunCounter } from '../src/core/work/job-runs.ts'
import { features } from '../src/features.ts'
import { startImageProcess } from './images.ts'

export interface WorkerOptions extends NodeOptions {
  redisPrefix: string
  /** Called when jobs have stopped coming although Redis is there. */
  onSilence(): void
}

/** Starts a worker; the returned function stops it in order. */
export async function startWorker(options: WorkerOptions): Promise<{ node: Node; stop(): Promise<void> }> {
  const { redisUrl, redisPrefix, onSilence } = options
  const parts = await buildNode('worker', options)
  const jobs = features.flatMap((each) => each.jobs ?? [])
  const runs = new JobRunCounter(parts.node)
  const { imagesDir } = options.config
  const { store } = parts.node.files
  const pictures = startImageProcess(imagesDir)
  const work = (order: ImageOrder) =>
    store.folder === undefined ? processElsewhere(store, imagesDir, order, (each) => pictures.process(each)) : pictures.process(order)
  const [runner, images] = await Promise.all([
    startJobRunner(parts.node, {
      redisUrl,
      redisPrefix,
      handlers: Object.fromEntries(jobs.map(({ name, run }) => [name, run])) as JobHandlers,
      prepare: Object.fromEntries(jobs.flatMap(({ name, prepare }) => (prepare ? [[name, prepare]] : []))) as JobPreparations,
      together: Object.fromEntries(jobs.flatMap(({ name, together }) => (together ? [[name, together]] : []))),
      sweeps: features.flatMap(({ sweeps = [] }) => sweeps),
      runs,
      onSilence,
    }),
    startImageWorker(parts.node, { redisUrl, redisPrefix, work, runs, onSilence }),
  ])
  return {
    node: parts.node,
    async stop() {
      await Promise.all([runner.stop(), images.stop()])
      pictures.stop()
      await runs.stop()
      await parts.close()
    },
  }
}
