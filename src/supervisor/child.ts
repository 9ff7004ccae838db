// Starts a server or worker process of ours and waits until it says that it is up.
import { fork, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { follow, untilUp, type Running } from './running.ts'

/** A process to run. */
export interface ChildOptions {
  /** As it appears in sentences: "The server". */
  name: string
  script: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
}

/** A child that is up. */
export interface Child extends Running {
  /** Where it can be reached, if it can. */
  readonly url: string | undefined
}

const readyWithinMs = 60_000
const stopWithinMs = 15_000

/**
 * Forks `script`. The child sends `{ ready: true, url? }` over the channel when it is up,
 * stops in order on SIGTERM or when the channel closes, and leaves SIGINT to us.
 *
 * @throws OperatorError when it ends, or stays silent, before it is up; it has said why on stderr.
 */
export async function startChild({ name, script, args, env }: ChildOptions, stopping: AbortSignal): Promise<Child> {
  const child = fork(script, args, { env, execArgv: ['--enable-source-maps'], stdio: ['inherit', 'inherit', 'pipe', 'ipc'] })
  passOnErrors(child)
  // Its output is passed on as it comes.
  const running = follow(child, { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs: stopWithinMs }, () => '')
  const stopEarly = () => void running.stop()
  stopping.addEventListener('abort', stopEarly)
  try {
    const url = await untilUp(running, { name, withinMs: readyWithinMs, up: () => readyMessage(child) })
    return { ...running, url }
  } finally {
    stopping.removeEventListener('abort', stopEarly)
  }
}

function readyMessage(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    child.on('message', (message: { ready?: boolean; url?: string }) => {
      if (message.ready) resolve(message.url)
    })
  })
}

/** uWebSockets.js 20.30 complains of every upgrade that had to wait, and corking those is not safe. */
const noise = 'Warning: uWS.HttpResponse writes must be made from within a corked callback.'

/** Everything the child writes to stderr, which is a pipe, but the noise. */
export function passOnErrors(child: ChildProcess): void {
  if (!child.stderr) return
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (!line.startsWith(noise)) process.stderr.write(`${line}\n`)
  })
}
