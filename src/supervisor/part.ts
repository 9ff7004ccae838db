// Keeps one part of the product up: started once, started again when it ends by itself.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Running } from './running.ts'

/** A part of the product that the parent process keeps running. */
export interface Part {
  /** First start. @throws what the launch throws: a part that never came up is not retried. */
  start(): Promise<void>
  /** Ends it in order and starts it again at once; resolves when it is up, or `stopping` has fired. */
  restart(): Promise<void>
  /** To be called only once `stopping` has fired; resolves when nothing of it runs. */
  stop(): Promise<void>
  /** Ends it at once, without waiting. */
  kill(): void
}

/** How to start a part and keep it up. */
export interface PartOptions {
  /** As it appears in sentences: "The server". */
  name: string
  /** Starts the process and resolves when it is up; may give up early when `stopping` fires. */
  launch(stopping: AbortSignal): Promise<Running>
  /** Called with every process that came up. */
  onUp(running: Running): void
  log(line: string): void
  /** From now on an end is meant. */
  stopping: AbortSignal
}

const firstDelayMs = 500
const longestDelayMs = 30_000
// After running for this long, an end counts as a new fault.
const healthyAfterMs = 60_000

/** Makes a part; nothing runs until `start`. */
export function part({ name, launch, onUp, log, stopping }: PartOptions): Part {
  let current: Running | undefined
  /** Its next end is meant. */
  let isRestart = false
  let cameUp = () => {}
  /** Settles when nothing will be launched any more. */
  let settled: Promise<unknown> = Promise.resolve()

  const up = async () => {
    current = await launch(stopping)
    onUp(current)
    return current
  }

  const keepUp = async (first: Running) => {
    let running: Running | undefined = first
    let delayMs = firstDelayMs
    let since = performance.now()
    for (;;) {
      const reason = running ? await endOf(running) : 'did not come back'
      if (stopping.aborted) return
      if (running && performance.now() - since > healthyAfterMs) delayMs = firstDelayMs
      if (!isRestart) {
        log(`${name} ${reason}; starting again in ${delayMs / 1000} s.`)
        if (!(await waited(delayMs))) return
        delayMs = Math.min(delayMs * 2, longestDelayMs)
      }
      isRestart = false
      running = await comeBack()
      since = performance.now()
      if (running) cameUp()
    }
  }

  const endOf = async (running: Running): Promise<string> => {
    const how = await running.exited
    const why = running.restartsFor?.()
    return why === undefined ? `stopped unexpectedly (${how})` : `stopped: ${why}`
  }

  const waited = (ms: number) => sleep(ms, true, { signal: stopping }).catch(() => false)

  const comeBack = async () => {
    try {
      const running = await up()
      log(`${name} is running again.`)
      return running
    } catch (error) {
      if (!stopping.aborted) log((error as Error).message)
      return undefined
    }
  }

  return {
    async start() {
      const first = up()
      settled = first.catch(() => undefined)
      settled = keepUp(await first)
    },
    async restart() {
      const up = new Promise<void>((resolve) => {
        cameUp = resolve
        stopping.addEventListener('abort', () => resolve(), { once: true })
      })
      isRestart = true
      await current?.stop()
      await up
    },
    async stop() {
      await current?.stop()
      await settled
      // A launch that was under way may have come up meanwhile.
      await current?.stop()
    },
    kill: () => current?.kill(),
  }
}

/** First start of several parts at once. When one fails, the error is thrown after the others have ended their start. */
export async function startTogether(parts: Part[]): Promise<void> {
  const results = await Promise.allSettled(parts.map((each) => each.start()))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}
