// The life of one process: started, asked to stop, stopped in order, never hanging.
import type { Log } from './log.ts'

export interface Running {
  log: Log
  /** Sent to the parent when everything is up. */
  ready: { url?: string }
  stop(): Promise<void>
}

const stopWithinMs = 14_000

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
      running?.log.info(`${name} stopped`)
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
  process.on('unhandledRejection', (error) => running?.log.error({ err: error }, 'unhandled rejection'))
  process.on('uncaughtException', (error) => running?.log.fatal({ err: error }, 'uncaught exception'))
  running.log.info(running.ready, `${name} ready`)
  process.send?.({ ready: true, ...running.ready })
}
