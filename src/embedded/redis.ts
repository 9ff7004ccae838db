// A Redis of our own: a native server found on PATH, else Valkey compiled to WebAssembly.
import { fork, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createConnection } from 'node:net'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../supervisor/operator-error.ts'
import { follow, poll, stopWhenWeAreGone, untilUp, type Running } from '../supervisor/running.ts'
import { onPort } from './free-port.ts'

/** Where and how an embedded Redis runs. */
export interface RedisOptions {
  /** Where a native server keeps its data. Without it, and with WebAssembly, nothing outlives the process. */
  directory?: string
  /** Default: a free one. */
  port?: number
  /** Default: a random one. */
  password?: string
  /** Default: native when one is found. */
  engine?: RedisEngine
}

/** Which program serves the Redis protocol. */
export type RedisEngine = 'native' | 'wasm'

/** An embedded Redis that takes commands. */
export interface EmbeddedRedis extends Running {
  readonly url: string
  readonly port: number
  readonly password: string
  readonly engine: RedisEngine
}

const readiness = { name: 'The embedded Redis', withinMs: 30_000 }
const stopWithinMs = 10_000
// Required by BullMQ.
const oldestNativeVersion = [6, 2] as const

/** Starts a Redis that never evicts keys, reachable from this machine with its password only. */
export async function startRedis(options: RedisOptions = {}): Promise<EmbeddedRedis> {
  const password = options.password ?? randomBytes(24).toString('hex')
  const program = options.engine === 'wasm' ? undefined : findNative()
  if (options.engine === 'native' && !program)
    throw new OperatorError('No valkey-server or redis-server of version 6.2 or newer was found on PATH.')
  return onPort(options.port, async (port) => {
    const running = program ? await startNative(program, port, password, options.directory) : await startWasm(port, password)
    return { ...running, port, password, url: `redis://:${password}@127.0.0.1:${port}`, engine: program ? 'native' : 'wasm' }
  })
}

async function startNative(program: string, port: number, password: string, directory: string | undefined): Promise<Running> {
  if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Settings through stdin: a command line shows the password to everybody on the machine.
  const child = spawn('sh', ['-c', 'exec "$0" - >&2', program], { detached: true, stdio: ['pipe', 'ignore', 'pipe'] })
  child.stdin.end(
    [
      'bind 127.0.0.1',
      `port ${port}`,
      `requirepass ${password}`,
      'maxmemory-policy noeviction',
      'save ""',
      ...(directory === undefined ? ['appendonly no'] : ['appendonly yes', `dir ${JSON.stringify(directory)}`]),
    ].join('\n'),
  )
  const running = follow(child, { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs: stopWithinMs })
  stopWhenWeAreGone(running)
  await untilUp(running, { ...readiness, up: (over) => poll(() => answersPing(port, password), over) })
  return running
}

async function startWasm(port: number, password: string): Promise<Running> {
  const child = fork(fileURLToPath(new URL('valkey-process.js', import.meta.url)), {
    detached: true, // a Ctrl-C in the terminal reaches only the parent
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
  })
  const running = follow(child, { stop: 'SIGTERM', kill: 'SIGKILL', deadlineMs: stopWithinMs })
  child.send({ port, password })
  await untilUp(running, { ...readiness, up: (over) => once(child, 'message', { signal: over }) })
  return running
}

/** Also true only with our password: a stranger on the port does not count. */
function answersPing(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    let reply = ''
    const socket = createConnection({ host: '127.0.0.1', port }, () => socket.end(`AUTH ${password}\r\nPING\r\n`))
    socket.on('data', (bytes) => (reply += bytes.toString()))
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(reply.includes('+PONG')))
  })
}

function findNative(): string | undefined {
  const found = spawnSync('sh', ['-c', 'command -v valkey-server || command -v redis-server'], { encoding: 'utf8' }).stdout.trim()
  if (found === '') return undefined
  const [, major, minor] = /v=(\d+)\.(\d+)/.exec(spawnSync(found, ['--version'], { encoding: 'utf8' }).stdout) ?? []
  const version = [Number(major), Number(minor)] as const
  const newEnough = version[0] > oldestNativeVersion[0] || (version[0] === oldestNativeVersion[0] && version[1] >= oldestNativeVersion[1])
  return newEnough ? found : undefined
}
