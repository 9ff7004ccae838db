// A process we started, seen the same way whatever it is: server, worker, Postgres, Redis.
import { spawn, type ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from './operator-error.ts'

/** A process that is up. */
export interface Running {
  readonly pid: number
  /** The signal that stops it in order. */
  readonly stopSignal: NodeJS.Signals
  /** Settles when the process has ended; says how, for a log line. */
  readonly exited: Promise<string>
  /** Why it ends in order and wants to be started again; undefined when it did not say so. */
  restartsFor?(): string | undefined
  /** Stops it in order; resolves when it is gone. */
  stop(): Promise<void>
  /** Ends it at once, without waiting; may be called while our own process exits. */
  kill(): void
}

/** Which signals stop a process, and how long the polite one may take. */
export interface StopSignals {
  stop: NodeJS.Signals
  kill: NodeJS.Signals
  deadlineMs: number
}

/** How to see that a process is up. */
export interface Readiness<T> {
  /** As it appears in sentences: "The server". */
  name: string
  withinMs: number
  /** Resolves when it is up; may end early, with anything, when `over` fires. */
  up(over: AbortSignal): Promise<T>
}

/** How long a service outlives a killed parent, so that the parent's other children can finish with it. */
export const graceMs = 2000

const lastResortMs = 5000
const pollMs = 10
// Postgres names the reason in the first of five.
const lastLines = 5

/** Follows a spawned process. `detail` adds to how it ended: what it wrote to stderr last, if that is a pipe. */
export function follow(child: ChildProcess, signals: StopSignals, detail = lastWords(child)): Running {
  let ended = false
  const exited = new Promise<string>((resolve) => {
    const settle = (how: string) => {
      ended = true
      resolve([how, detail()].filter(Boolean).join(': '))
    }
    child.once('error', (error) => settle(error.message))
    // 'close' and not 'exit': its last words have been read by then.
    child.once('close', (code, signal) => settle(signal ? `signal ${signal}` : `exit code ${code}`))
  })
  const send = (signal: NodeJS.Signals) => {
    if (!ended) child.kill(signal)
  }
  return {
    pid: child.pid ?? -1,
    stopSignal: signals.stop,
    exited,
    async stop() {
      send(signals.stop)
      const hard = setTimeout(send, signals.deadlineMs, signals.kill)
      const hardest = setTimeout(send, signals.deadlineMs + lastResortMs, 'SIGKILL')
      await exited
      clearTimeout(hard)
      clearTimeout(hardest)
    },
    kill: () => send(signals.kill),
  }
}

/**
 * Waits until a process is up.
 *
 * @throws OperatorError when it ends first or takes too long; it is gone by then.
 */
export async function untilUp<T>(running: Running, { name, withinMs, up }: Readiness<T>): Promise<T> {
  const over = new AbortController()
  const failed = running.exited.then((how): never => {
    throw new OperatorError(`${name} did not start (${how}).`)
  })
  const late = sleep(withinMs, undefined, { signal: over.signal }).then((): never => {
    throw new OperatorError(`${name} was not ready within ${withinMs / 1000} s.`)
  })
  try {
    return await Promise.race([up(over.signal), failed, late])
  } catch (error) {
    await running.stop()
    throw error
  } finally {
    late.catch(() => undefined)
    over.abort()
  }
}

/** Asks again and again until the answer is yes, or `over` fires. */
export async function poll(question: () => boolean | Promise<boolean>, over: AbortSignal): Promise<void> {
  while (!over.aborted && !(await question())) await sleep(pollMs)
}

/**
 * Stops a process should ours be killed without a chance to do it: a shell waits for the end of
 * a pipe that only we hold open. Then it leaves those who use the process time to stop first.
 */
export function stopWhenWeAreGone(running: Running): void {
  // It could not be started. A signal to -1 would reach every process of the machine.
  if (running.pid < 1) return
  const script = 'read -r never; sleep "$1"; kill -s "$2" "$3"'
  const args = [String(graceMs / 1000), running.stopSignal.replace('SIG', ''), String(running.pid)]
  const watcher = spawn('sh', ['-c', script, 'watcher', ...args], {
    detached: true, // a Ctrl-C in the terminal reaches only the parent
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  void running.exited.then(() => watcher.kill('SIGKILL'))
}

/** The end of what a process writes to stderr, in one line. */
function lastWords(child: ChildProcess): () => string {
  let tail = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-1000)
  })
  return () => tail.trim().split('\n').slice(-lastLines).join(' ')
}
