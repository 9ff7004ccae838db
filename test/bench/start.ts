// From `npm start` until the product is healthy, with stores of its own: in an empty data directory, and
// again when everything is there. Packages are installed and the sources compiled before. And what each
// of its processes takes of the memory when nobody asks anything.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { projectRoot } from '../../src/core/base/config.ts'
import { onPort } from '../../src/embedded/free-port.ts'
import { commandLine } from '../../src/supervisor/process-table.ts'
import { processesOf } from '../support/product.ts'
import { unpinned } from './processes.ts'
import { markdown, median, shown, shownSpread, type Row } from './table.ts'

const rounds = 5
const pollMs = 10
/** Until V8 has given back what a start took. */
const restMs = 12_000
const healthyWithinMs = 120_000

/** A product that runs. */
interface Product {
  pid: number
  /** From the command until it was healthy. */
  seconds: number
  stop(): Promise<void>
}

export async function start(): Promise<Row[]> {
  const [first, again]: [number[], number[]] = [[], []]
  const memory: Record<string, number>[] = []
  for (let round = 0; round < rounds; round++) {
    const dataDir = await mkdtemp(join(tmpdir(), 'quarterdeck-start-'))
    try {
      first.push(await run(dataDir, async () => undefined))
      again.push(
        await run(dataDir, async ({ pid }) => {
          await delay(restMs)
          memory.push(memoryOf(pid, dataDir))
        }),
      )
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  }
  process.stdout.write(
    `${markdown(
      ['npm start', 'Seconds until healthy'],
      [
        ['In an empty data directory', shownSpread(first)],
        ['Again', shownSpread(again)],
      ],
    )}\n\n`,
  )
  const parts = Object.keys(memory[0] ?? {})
  process.stdout.write(
    `${markdown(
      ['At rest', 'MB'],
      parts.map((part) => [part, shown(median(memory.map((each) => each[part] ?? NaN)))]),
    )}\n\n`,
  )
  return []
}

/** Starts the product, does something with it and stops it; returns how long the start took. */
async function run(dataDir: string, work: (product: Product) => Promise<void>): Promise<number> {
  const product = await onPort(undefined, (port) => launch(dataDir, port))
  try {
    await work(product)
  } finally {
    await product.stop()
  }
  return product.seconds
}

async function launch(dataDir: string, port: number): Promise<Product> {
  const startedMs = performance.now()
  const [command, args] = unpinned('npm', ['start', '--', '--port', String(port)])
  const child = spawn(command, args, {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Nothing of the developer's own settings.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill('SIGTERM')
    await closed
  }
  while (!(await isHealthy(port))) {
    if (child.exitCode !== null || performance.now() - startedMs > healthyWithinMs) {
      await stop()
      throw new Error(`npm start did not come up: ${output}`)
    }
    await delay(pollMs)
  }
  return { pid: child.pid ?? -1, seconds: (performance.now() - startedMs) / 1000, stop }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v3/client/health`)
    await answer.body?.cancel()
    return answer.status === 200
  } catch {
    return false
  }
}

/** MB of each part with the processes below it. The product's own parent counts with npm. */
function memoryOf(npm: number, dataDir: string): Record<string, number> {
  const { parents, bytes } = processTable()
  const parts = processesOf({ dataDir, port: 0 })
  const below = (top: number): number[] => [
    top,
    ...[...parents].flatMap(([pid, parent]) => (parent === top && !Object.values(parts).includes(pid) ? below(pid) : [])),
  ]
  const megabytes = (top: number) => below(top).reduce((sum, pid) => sum + bytes(pid), 0) / 1e6
  const redis = commandLine(parts['Redis'] ?? -1)?.includes('valkey-process') ? 'Redis (Valkey in WebAssembly)' : 'Redis (native)'
  const amounts = {
    'The server': megabytes(parts['The server'] ?? -1),
    'The worker and its process for images': megabytes(parts['The worker'] ?? -1),
    'Postgres, all its processes': megabytes(parts['Postgres'] ?? -1),
    [redis]: megabytes(parts['Redis'] ?? -1),
    'npm and the parent of all': megabytes(npm),
  }
  return { ...amounts, Together: Object.values(amounts).reduce((sum, each) => sum + each, 0) }
}

/** All processes: who started whom, and the memory of each. What several share counts in parts where the system says so. */
function processTable(): { parents: Map<number, number>; bytes: (pid: number) => number } {
  const lines = spawnSync('ps', ['-Ao', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number, number])
  const resident = new Map(lines.map(([pid, , kilobytes]) => [pid, kilobytes * 1024]))
  return {
    parents: new Map(lines.map(([pid, parent]) => [pid, parent])),
    bytes(pid) {
      const path = `/proc/${pid}/smaps_rollup`
      if (!existsSync(path)) return resident.get(pid) ?? 0
      return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) * 1024
    },
  }
}
