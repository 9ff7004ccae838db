// Starts a server or worker process of ours and waits until it says that it is up.
import { fork, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { answer, ask } from './ask.ts'
import { follow, untilUp, type Running } from './running.ts'

/** A process to run. */
export interface ChildOptions {
  /** As it appears in sentences: "The server". */
  name: string
  script: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** Beside those for stack traces. */
  nodeFlags: readonly string[]
  /** Where its lines go. */
  screen: ChildScreen
  /** What it may ask. */
  answers?: Readonly<Record<string, () => Promise<unknown>>>
}

/** Shows the lines of a child. */
export interface ChildScreen {
  /** True when it makes lines of the log readable; else the child writes them itself. */
  readonly readsLogs: boolean
  log(line: string): void
  error(line: string): void
}

/** A child that is up. */
export interface Child extends Running {
  /** Where it listens, if it does. */
  readonly port: number | undefined
  /** Its answer to a question; undefined when it has none in time. */
  ask<T>(question: string): Promise<T | undefined>
}

/** A wipe that was ordered comes before everything else. */
const readyWithinMs = 3 * 60_000
const stopWithinMs = 15_000
const answersWithinMs = 1000

/**
 * Forks `script`. The child sends `{ ready: true, port? }` over the channel when it is up, `{ restartsFor }` before it ends to be
 * started again, stops in order on SIGTERM or when the channel closes, and leaves SIGINT to us.
 *
 * @throws OperatorError when it ends, or stays silent, before it is up; it has said why on stderr.
 */
export async function startChild(
  { name, script, args, env, nodeFlags, screen, answers = {} }: ChildOptions,
  stopping: AbortSignal,
): Promise<Child> {
  const stdout = screen.readsLogs ? 'pipe' : 'inherit'
  const child = fork(script, args, {
    env,
    execArgv: [...nodeFlags],
    stdio: ['inherit', stdout, 'pipe', 'ipc'],
  })
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => screen.log(line))
  passOnErrors(child, (line) => screen.error(line))
  answer(child, answers)
  // Its output is passed on as it comes.
  const running = follow(child, { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs: stopWithinMs }, () => '')
  let restartsFor: string | undefined
  child.on('message', (message: { restartsFor?: string }) => (restartsFor = message.restartsFor ?? restartsFor))
  const stopEarly = () => void running.stop()
  stopping.addEventListener('abort', stopEarly)
  try {
    const port = await untilUp(running, { name, withinMs: readyWithinMs, up: () => readyMessage(child) })
    return { ...running, port, ask: (question) => ask(child, question, answersWithinMs), restartsFor: () => restartsFor }
  } finally {
    stopping.removeEventListener('abort', stopEarly)
  }
}

function readyMessage(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve) => {
    child.on('message', (message: { ready?: boolean; port?: number }) => {
      if (message.ready) resolve(message.port)
    })
  })
}

/** uWebSockets.js 20.30 complains of every upgrade that had to wait, and corking those is not safe. */
const noise = 'Warning: uWS.HttpResponse writes must be made from within a corked callback.'

/** Everything the child writes to stderr, which is a pipe, but the noise. */
export function passOnErrors(child: ChildProcess, show: (line: string) => void = (line) => process.stderr.write(`${line}\n`)): void {
  if (!child.stderr) return
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!line.startsWith(noise)) show(line)
  })
}
