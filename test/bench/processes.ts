// Servers under measurement: each in a process of its own, on a core of its own where the machine has one to give.
import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics } from 'node:v8'
import { machineMb, memoryFlags, sharesOf } from '../../src/core/base/memory.ts'
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
const serverCore = '0'
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
  pin(role === 'server' ? serverCore : loadCores, child.pid)
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
export const pinLoad = (): void => pin(loadCores, process.pid)

/** Lets this process, and what it starts from now on, run on every core. */
export const unpinLoad = (): void => pin(allCores, process.pid)

/** Moves processes to the core of the servers, or lets them run on every core again. */
export function moveTo(cores: 'server' | 'all', pids: readonly number[]): void {
  for (const pid of pids) pin(cores === 'server' ? serverCore : allCores, pid)
}

/** A command that may run on every core, although its parent keeps to some of them. */
export const unpinned = (command: string, args: readonly string[]): Command => pinned(allCores, command, args)

/** A command that shares the core of the servers. */
export const onServerCore = (command: string, args: readonly string[]): Command => pinned(serverCore, command, args)

type Command = [command: string, args: string[]]

function pin(cores: string, pid: number | undefined): void {
  if (pinning) spawnSync('taskset', ['-apc', cores, String(pid)], { stdio: 'ignore' })
}

const pinned = (cores: string, command: string, args: readonly string[]): Command =>
  pinning ? ['taskset', ['-c', cores, command, ...args]] : [command, [...args]]

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
