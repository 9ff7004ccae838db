// The life of one process: started, asked to stop, stopped in order, never hanging.
import { isAway } from '../db/errors.ts'
import type { Log } from '../base/log.ts'
import { answer, ask } from '../../supervisor/ask.ts'
import { giveBackAtRest } from '../base/rest.ts'

export interface Running {
  log: Log
  /** Sent to the parent when everything is up. */
  ready: { port?: number }
  /** What it answers when its parent asks. */
  answers?: Readonly<Record<string, () => Promise<unknown>>>
  stop(): Promise<void>
}

/** How a server is doing at the moment; counts are since its start. */
export interface Figures {
  /** Open notification sockets: one for each app in use. */
  online: number
  requests: number
  /** Answers with a status of 500 or more. */
  errors: number
  /** Jobs that wait for a worker. */
  queue: number
}

const stopWithinMs = 14_000
const metricsWithinMs = 2000

/** Metrics of the processes that were started with this one, as texts; their parent asks them. */
export const metricsOfSiblings = async (): Promise<string[]> =>
  (await ask<string[]>(process as Parameters<typeof ask>[0], 'metrics of siblings', metricsWithinMs)) ?? []

/** Ends this process in order after a moment, so that it is started again; `why` is for the parent's log. */
export function restartProcess(why: string, afterMs: number): void {
  process.send?.({ restartsFor: why })
  setTimeout(() => process.kill(process.pid, 'SIGTERM'), afterMs)
}

/**
 * Starts a process and stops it in order on SIGTERM, on SIGINT without a parent, or when the parent
 * goes away. A failed start prints its message and exits with 1.
 */
export async function runProcess(name: string, start: () => Promise<Running>): Promise<void> {
  let running: Running | undefined
  let stopping = false

  const stop = async () => {
    if (stopping) return
    stopping = true
    // The process exits even if something hangs.
    setTimeout(() => process.exit(1), stopWithinMs).unref()
    try {
      await running?.stop()
      running?.log.notice(`${name} stopped`)
      running?.log.flush()
      process.exit(0)
    } catch (error) {
      running?.log.error({ err: error }, `${name} did not stop in order`)
      running?.log.flush()
      process.exit(1)
    }
  }

  process.on('SIGTERM', () => void stop())
  // A terminal sends SIGINT to the whole group; with a parent only the parent decides.
  process.on('SIGINT', () => {
    if (!process.connected) void stop()
  })
  process.on('disconnect', () => void stop())

  try {
    running = await start()
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  }
  // postgres.js waits for nobody when it asks a new connection for the types of arrays: that the connection is lost then, or
  // the next one refused, goes unhandled.
  process.on('unhandledRejection', (error) => running?.log[isAway(error) ? 'warn' : 'error']({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => running?.log.fatal({ err: error }, 'uncaught exception'))
  giveBackAtRest(running.log)
  running.log.notice(running.ready, `${name} ready`)
  answer(process as Parameters<typeof answer>[0], running.answers ?? {})
  process.send?.({ ready: true, ...running.ready })
}
