// Servers and workers in processes of their own, which a test kills, freezes and starts again.
import assert from 'node:assert/strict'
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { projectRoot } from '../../src/core/base/config.ts'
import { testTokenSecret } from './app.ts'
import { ownPort } from './port.ts'

export interface Stores {
  databaseUrl: string
  redisUrl: string
  standbyUrl?: string | undefined
}

/** A server or a worker that can be started again after it has ended. */
export interface Process {
  /** Of a server; the same after every start. */
  readonly url: string
  /** Of the process that runs now, or ran last. */
  readonly pid: number
  /** Resolves when it is up. The clock of its machine may be wrong. */
  start(options?: { clockAheadMs?: number }): Promise<void>
  signal(signal: NodeJS.Signals): void
  /** The exit code once it has ended; null after a signal. */
  ended(): Promise<number | null>
  /** What it holds that is still in use, in bytes; only of a process that was made with `measured`. */
  liveBytes(): Promise<number>
  /** What it has logged at level error or above, since the test began. */
  readonly errors: string[]
  /** The messages of its warnings and errors, since the test began. */
  readonly messages: string[]
}

const errorLevel = 50

/** A process that is killed after the test, should it still run. */
export async function clusterProcess(
  t: { after(work: () => unknown): void },
  role: 'server' | 'worker',
  dataDir: string,
  { databaseUrl, standbyUrl, redisUrl }: Stores,
  { measured = false } = {},
): Promise<Process> {
  const port = await ownPort()
  const script = join(projectRoot, 'dist', role === 'server' ? 'src/main.js' : 'workers/main.js')
  const errors: string[] = []
  const messages: string[] = []
  let child: ChildProcess | undefined
  let exited: Promise<[number | null]> | undefined
  t.after(() => child?.kill('SIGKILL'))
  return {
    url: `http://127.0.0.1:${port}`,
    errors,
    messages,
    get pid() {
      return child?.pid ?? -1
    },
    async start({ clockAheadMs = 0 } = {}) {
      const started = fork(script, ['--env', 'testing'], {
        // Nothing of the developer's own settings.
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: databaseUrl,
          ...(standbyUrl === undefined ? {} : { DATABASE_STANDBY_URL: standbyUrl }),
          REDIS_URL: redisUrl,
          DATA_DIR: dataDir,
          PORT: String(port),
          TOKEN_SECRET: testTokenSecret,
          LOG_LEVEL: 'warn',
          CLOCK_AHEAD_MS: String(clockAheadMs),
        },
        execArgv: [
          '--enable-source-maps',
          ...(clockAheadMs === 0 ? [] : ['--import', join(projectRoot, 'dist/test/chaos/wrong-clock.js')]),
          ...(measured ? ['--expose-gc', '--import', join(projectRoot, 'dist/test/chaos/live-heap.js')] : []),
        ],
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      child = started
      exited = once(started, 'exit') as Promise<[number | null]>
      collectLog(started, errors, messages)
      const [message] = (await Promise.race([once(started, 'message'), exited.then(() => [undefined])])) as [
        { ready?: boolean } | undefined,
      ]
      assert.ok(message?.ready, `a ${role} did not start: ${errors.join('\n')}`)
    },
    signal: (signal) => void child?.kill(signal),
    ended: async () => (await exited)?.[0] ?? null,
    async liveBytes() {
      assert.ok(child && measured, 'it is not measured')
      const answer = once(child, 'message')
      child.send({ liveHeap: true })
      const [{ liveBytes }] = (await answer) as [{ liveBytes: number }]
      return liveBytes
    },
  }
}

function collectLog(child: ChildProcess, errors: string[], messages: string[]): void {
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      if (process.env['TEST_LOG_LEVEL']) process.stderr.write(lines.map((line) => `${line}\n`).join(''))
      errors.push(...lines.filter(isError))
      messages.push(...lines.flatMap(messageOf))
    })
  }
}

function messageOf(line: string): string[] {
  try {
    return [(JSON.parse(line) as { msg: string }).msg]
  } catch {
    return []
  }
}

/** Log lines are JSON; anything else is a last cry, except uWS's remark on upgrades that are not corked. */
function isError(line: string): boolean {
  if (line.trim() === '' || line.startsWith('Warning: uWS.HttpResponse writes')) return false
  try {
    return (JSON.parse(line) as { level: number }).level >= errorLevel
  } catch {
    return true
  }
}
