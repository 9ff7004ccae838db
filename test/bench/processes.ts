// Servers under measurement: each in a process of its own, on a core of its own where the machine has one to give.
import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { machineMb, memoryFlags, sharesOf } from '../../src/core/memory.ts'
import { passOnErrors } from '../../src/supervisor/child.ts'

/** What a measured process has used so far. */
export interface Usage {
  cpuSeconds: number
  rssBytes: number
  /** Of them, without what V8 keeps free for objects to come: that is 30 MB more or less from one second to the next. */
  liveBytes: number
}

/** A process that listens and takes orders over IPC. */
export interface Measured {
  readonly pid: number
  readonly port: number
  usage(): Promise<Usage>
  /** Sends an order and waits for its answer. */
  order<T>(name: string, data?: unknown): Promise<T>
  stop(): Promise<void>
}

const pinning = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0
const loadCores = `1-${availableParallelism() - 1}`
const allCores = `0-${availableParallelism() - 1}`

/** Starts `script` (compiled, beside this file). Servers share core 0, so that load, in this process or in others, can have the rest. */
export async function startMeasured(script: string, env: Record<string, string>, role: 'server' | 'load' = 'server'): Promise<Measured> {
  const path = fileURLToPath(new URL(script, import.meta.url))
  const child = fork(path, [], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    execArgv: [
      '--expose-gc',
      '--enable-source-maps',
      ...memoryFlags(sharesOf(machineMb()).serverHeapMb),
      ...(process.env['BENCH_PROFILE'] ? ['--cpu-prof', `--cpu-prof-dir=${process.env['BENCH_PROFILE']}`] : []),
    ],
  })
  passOnErrors(child)
  if (pinning) spawnSync('taskset', ['-apc', role === 'server' ? '0' : loadCores, String(child.pid)], { stdio: 'ignore' })
  const ready = (await answerTo(child, 'ready')) as { port: number }
  let counter = 0
  const order = async <T>(name: string, data?: unknown) => {
    const id = ++counter
    child.send({ id, name, data })
    return (await answerTo(child, id)) as T
  }
  return {
    pid: child.pid ?? -1,
    port: ready.port,
    usage: () => order<Usage>('usage'),
    order,
    async stop() {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** What `work` counts, per second of the server's processor time: a load generator at its limit does not matter. */
export async function perCpuSecond(server: Measured, work: () => Promise<number>): Promise<number> {
  const before = await server.order<number>('cpuSeconds')
  const count = await work()
  return count / ((await server.order<number>('cpuSeconds')) - before)
}

/** Keeps the load off the measured core. */
export function pinLoad(): void {
  if (pinning) spawnSync('taskset', ['-apc', loadCores, String(process.pid)], { stdio: 'ignore' })
}

/** Lets this process, and what it starts from now on, run on every core. */
export function unpinLoad(): void {
  if (pinning) spawnSync('taskset', ['-apc', allCores, String(process.pid)], { stdio: 'ignore' })
}

/** A command that may run on every core, although its parent keeps to some of them. */
export function unpinned(command: string, args: readonly string[]): [command: string, args: string[]] {
  return pinning ? ['taskset', ['-c', allCores, command, ...args]] : [command, [...args]]
}

/** A command that shares the core of the servers. */
export function onServerCore(command: string, args: readonly string[]): [command: string, args: string[]] {
  return pinning ? ['taskset', ['-c', '0', command, ...args]] : [command, [...args]]
}

/** Moves processes to the core of the servers, or lets them run on every core again. */
export function moveTo(cores: 'server' | 'all', pids: readonly number[]): void {
  if (!pinning) return
  for (const pid of pids) spawnSync('taskset', ['-apc', cores === 'server' ? '0' : allCores, String(pid)], { stdio: 'ignore' })
}

function answerTo(child: ChildProcess, id: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onMessage = (message: { id: unknown; answer?: unknown }) => {
      if (message.id !== id) return
      finish()
      resolve(message.answer)
    }
    const onExit = (code: number | null) => {
      finish()
      reject(new Error(`a measured process ended with ${code}`))
    }
    const finish = () => {
      child.off('message', onMessage)
      child.off('exit', onExit)
    }
    child.on('message', onMessage)
    child.on('exit', onExit)
  })
}

/** Between frames that are to travel one by one. */
export const apartMs = 40

/** The other end: answers orders, and ends with its parent. */
export function takeOrders(port: number, orders: Record<string, (data: never) => unknown>): void {
  const all: typeof orders = {
    /** Without collecting garbage, which would count for more than a few hundred requests. */
    cpuSeconds(): number {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1e6
    },
    usage: (): Usage => {
      global.gc?.()
      const { user, system } = process.cpuUsage()
      const rss = process.memoryUsage.rss()
      const { total_physical_size: heap, used_heap_size: used } = getHeapStatistics()
      return { cpuSeconds: (user + system) / 1e6, rssBytes: rss, liveBytes: rss - heap + used }
    },
    ...orders,
  }
  const answer = async ({ id, name, data }: { id: number; name: string; data: unknown }) => {
    process.send?.({ id, answer: await all[name]?.(data as never) })
  }
  process.on('message', (order: Parameters<typeof answer>[0]) => void answer(order))
  process.on('disconnect', () => process.exit(0))
  process.send?.({ id: 'ready', answer: { port } })
}
