// The whole product as `npm start` runs it, in a process of its own and on a data directory of its own.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { projectRoot } from '../../src/core/base/config.ts'
import { startTime } from '../../src/supervisor/process-table.ts'
import { follow, stopWhenWeAreGone } from '../../src/supervisor/running.ts'
import { createTestDatabase } from './db.ts'
import { ownPort } from './port.ts'

/** A data directory that is removed after the test, and the port that goes with it. */
export interface Place {
  dataDir: string
  port: number
}

/** A started product. */
export interface Product {
  readonly pid: number
  /** Everything it has written so far, stdout and stderr together. */
  output(): string
  /** Resolves when the output holds `text`, or matches it. @throws with the output when it ends first or takes too long. */
  says(text: string | RegExp): Promise<void>
  /** The exit code, once it has ended; null after a signal. */
  ended(): Promise<number | null>
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>
  kill(signal: NodeJS.Signals): void
  /** As a reader does that ends, such as `head`. */
  closeOutput(): void
}

const deadlineMs = 60_000
const pollMs = 50

/** Somewhere to run the product. */
export async function newPlace(t: Pick<TestContext, 'after'>): Promise<Place> {
  const directory = mkdtempSync(join(tmpdir(), 'quarterdeck-test-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  return { dataDir: join(directory, 'data'), port: await ownPort() }
}

/** Runs the program behind `npm start`. Stopped after the test, should it still run. `maxFiles`: each process may open so many. */
export function startProduct(
  t: Pick<TestContext, 'after'>,
  place: Place,
  args: string[] = [],
  env: Record<string, string> = {},
  maxFiles?: number,
): Product {
  const command = [process.execPath, join(projectRoot, 'dist', 'src', 'commands', 'start.js'), ...args]
  const limit = maxFiles === undefined ? '' : `ulimit -n ${maxFiles} && `
  const child = spawn('sh', ['-c', `${limit}exec "$0" "$@"`, ...command], {
    // Nothing of the developer's own settings.
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      VAPOR_ENV: 'development',
      DATA_DIR: place.dataDir,
      PORT: String(place.port),
      // Whatever machine this is.
      SERVERS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A test run that is broken off leaves nothing behind.
  stopWhenWeAreGone(follow(child, { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs }))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      child.emit('output')
    })
  }
  const closed = once(child, 'close') as Promise<[number | null]>
  const ended = async () => (await closed)[0]
  const stop = () => {
    child.kill('SIGTERM')
    return ended()
  }
  t.after(stop)
  return {
    pid: child.pid ?? -1,
    output: () => output,
    async says(text) {
      const over = AbortSignal.any([AbortSignal.timeout(deadlineMs), abortedBy(closed)])
      while (!(typeof text === 'string' ? output.includes(text) : text.test(output))) {
        await once(child, 'output', { signal: over }).catch(() => {
          throw new Error(`The product did not say "${text}" but:\n${output}`)
        })
      }
    },
    ended,
    stop,
    kill: (signal) => child.kill(signal),
    closeOutput() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}

/** Resolves when the product answers that it is healthy, which may take it a moment after its start or a fault. */
export async function healthy({ port }: Place): Promise<void> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/api/v3/client/health`).catch(() => undefined)
    const body = await response?.text()
    if (response?.status === 200) return
    assert.ok(performance.now() < deadline, `not healthy: ${response?.status} ${body}`)
    await sleep(pollMs)
  }
}

/** A database and a Redis that run elsewhere, as environment variables of the product. */
export async function externalServices(t: Pick<TestContext, 'after'>): Promise<Record<string, string>> {
  const database = await createTestDatabase()
  t.after(() => database.drop())
  return { DATABASE_URL: database.url, REDIS_URL: process.env['TEST_REDIS_URL'] ?? '' }
}

/** The processes that the product on `place` has started, by name. */
export function processesOf({ dataDir }: Place): Record<string, number> {
  const { processes } = JSON.parse(readFileSync(join(dataDir, 'start.lock'), 'utf8')) as { processes: Record<string, { pid: number }> }
  return Object.fromEntries(Object.entries(processes).map(([name, { pid }]) => [name, pid]))
}

/** Sends a signal to one of them. A name that is not there fails: signals to nobody in particular reach every process of the machine. */
export function signalProcess(place: Place, name: string, signal: NodeJS.Signals): void {
  const pid = processesOf(place)[name]
  assert.ok(pid !== undefined && pid > 1, `${name} runs`)
  process.kill(pid, signal)
}

/** Those of `pids` that still run. */
export function stillRunning(pids: number[]): number[] {
  return pids.filter((pid) => startTime(pid) !== undefined)
}

function abortedBy(event: Promise<unknown>): AbortSignal {
  const controller = new AbortController()
  void event.then(() => controller.abort())
  return controller.signal
}
