// Hands pictures, one at a time, to a process of their own, and replaces it when it is used up.
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ImageOrder, ImageOutcome } from '../src/image/queue.ts'

/** A message of the process. */
interface Message {
  ready?: true
  outcome?: ImageOutcome
  failure?: string
  rssBytes?: number
  /** A decoder holds memory that the next picture may need. */
  isSpent?: boolean
}

export interface ImageProcess {
  /** Rejects for faults that are not the picture's. */
  process(order: ImageOrder): Promise<ImageOutcome>
  stop(): void
}

/** Longer than the picture library's own limit. */
const orderTimeoutMs = 13_000
const startTimeoutMs = 20_000
/** A picture gets a second process when the first ended this soon: there is time for it. */
const retryWithinMs = 3000
/** Memory of decoding is never given back: a process larger than this is replaced after its picture. */
const maxRssBytes = 300 * 1024 * 1024
const maxOrders = 500

/** Starts the process for pictures below `root`. */
export function startImageProcess(root: string): ImageProcess {
  let stopped = false
  let orders = 0
  let current = launch(root)
  let last: Promise<unknown> = Promise.resolve()

  function replace(): void {
    if (current.child.connected) current.child.disconnect()
    orders = 0
    if (!stopped) current = launch(root)
  }

  async function carryOut(order: ImageOrder, isSecond = false): Promise<ImageOutcome> {
    if (current.ended) replace()
    const { child } = current
    await current.ready
    const beganMs = performance.now()
    const message = await answerOf(child, orderTimeoutMs, () => child.send(order))
    if (stopped) throw new Error('the worker stops')
    if (!message) {
      replace()
      // Whoever killed it may have meant another process; two in a row have died of this picture.
      if (!isSecond && performance.now() - beganMs < retryWithinMs) return await carryOut(order, true)
      return { refused: 'This picture cannot be processed.' }
    }
    if (++orders >= maxOrders || message.isSpent || (message.rssBytes ?? 0) > maxRssBytes) replace()
    if (!message.outcome) throw new Error(message.failure)
    return message.outcome
  }

  return {
    process(order) {
      const turn = last.then(() => carryOut(order))
      last = turn.catch(() => undefined)
      return turn
    },
    stop() {
      stopped = true
      if (current.child.connected) current.child.disconnect()
    },
  }
}

interface Launched {
  child: ChildProcess
  ready: Promise<void>
  ended: boolean
}

function launch(root: string): Launched {
  const script = fileURLToPath(new URL('./image-process.js', import.meta.url))
  const child = fork(script, [root], { execArgv: ['--max-old-space-size=128'] })
  const launched: Launched = { child, ended: false, ready: ready(child) }
  child.on('exit', () => {
    launched.ended = true
  })
  child.on('error', () => {
    launched.ended = true
  })
  launched.ready.catch(() => undefined)
  return launched
}

async function ready(child: ChildProcess): Promise<void> {
  if (!(await answerOf(child, startTimeoutMs, () => undefined))) throw new Error('the process for images did not start')
}

/** The next message; undefined when the process ends first, or is killed because it takes too long. */
function answerOf(child: ChildProcess, timeoutMs: number, ask: () => void): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const finish = (message?: Message) => {
      clearTimeout(timer)
      child.off('message', finish)
      child.off('exit', gone)
      child.off('error', gone)
      resolve(message)
    }
    const gone = () => finish()
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    child.on('message', finish)
    child.on('exit', gone)
    child.on('error', gone)
    ask()
  })
}
