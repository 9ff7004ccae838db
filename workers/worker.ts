// One worker: every job and sweep of the product, and the work on images.
import { buildNode, type NodeOptions } from '../src/app.ts'
import type { Node } from '../src/core/ctx.ts'
import { startImageWorker } from '../src/image/queue.ts'
import { startJobRunner } from '../src/core/jobs/job-runner.ts'
import { alertwordScan, alertwordScansTogether } from './alertword-scan.ts'
import { alertwordNotify } from './alertword-notify.ts'
import { banEnding } from './ban-ending.ts'
import { bulkUserImage } from './bulk-user-image.ts'
import { performerPhoto } from './performer-photo.ts'
import { eventStarting, eventStartingSweep } from './event-starting.ts'
import { fezStarting, fezStartingSweep } from './fez-starting.ts'
import { forgetAnswersSweep } from './forget-answers.ts'
import { hitsNotify } from './hits-notify.ts'
import { imageSizesSweep } from './image-sizes.ts'
import { imageSweep } from './image-sweep.ts'
import { startImageProcess } from './images.ts'
import { readAgain } from './read-again.ts'
import { scheduleReload, scheduleReloadSweep } from './schedule-reload.ts'
import { nightlyBackupSweep, operationsSweep } from './operations.ts'
import { microkaraokeSweep } from './microkaraoke-sweep.ts'

/** Each for itself, in one transaction. */
const asTheyAre = <Payload>(payloads: readonly Payload[]) => payloads

export interface WorkerOptions extends NodeOptions {
  redisPrefix: string
  /** Called when jobs have stopped coming although Redis is there. */
  onSilence(): void
}

/** Starts a worker; the returned function stops it in order. */
export async function startWorker(options: WorkerOptions): Promise<{ node: Node; stop(): Promise<void> }> {
  const { redisUrl, redisPrefix, onSilence } = options
  const parts = await buildNode('worker', options)
  const pictures = startImageProcess(options.config.imagesDir)
  const [runner, images] = await Promise.all([
    startJobRunner(parts.node, {
      redisUrl,
      redisPrefix,
      handlers: {
        'ban-ending': banEnding,
        'bulk-user-image': bulkUserImage,
        'performer-photo': performerPhoto,
        'event-starting': eventStarting,
        'fez-starting': fezStarting,
        'schedule-reload': scheduleReload,
        'alertword-scan': alertwordScan,
        'alertword-notify': alertwordNotify,
        'hits-notify': hitsNotify,
        'read-again': readAgain,
      },
      together: { 'alertword-scan': alertwordScansTogether, 'alertword-notify': asTheyAre, 'hits-notify': asTheyAre },
      sweeps: [
        eventStartingSweep,
        fezStartingSweep,
        forgetAnswersSweep,
        imageSweep,
        imageSizesSweep,
        microkaraokeSweep,
        scheduleReloadSweep,
        nightlyBackupSweep,
        operationsSweep(options.databaseUrl),
      ],
      onSilence,
    }),
    startImageWorker(parts.node, { redisUrl, redisPrefix, work: (order) => pictures.process(order), onSilence }),
  ])
  return {
    node: parts.node,
    async stop() {
      await Promise.all([runner.stop(), images.stop()])
      pictures.stop()
      await parts.close()
    },
  }
}
