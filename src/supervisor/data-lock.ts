// One product per data directory. The lock also names the processes that were started, so that
// the next start can end what a killed parent left behind.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './operator-error.ts'
import { endProcess, startTime } from './process-table.ts'
import type { Running } from './running.ts'

/** A held lock. */
export interface DataLock {
  /** Remembers a process to end should we be killed. A later one of the same name replaces it. */
  record(name: string, running: Running): void
  /** Says where its servers listen. */
  listens(at: Address): void
  release(): void
}

/** Where servers listen: flags of a start are known to nobody else. */
export interface Address {
  hostname: string
  port: number
}

interface ProcessId {
  pid: number
  started: string | undefined
}
interface Started extends ProcessId {
  stopSignal: NodeJS.Signals
}
interface Content {
  holder: ProcessId
  processes: Record<string, Started>
  address?: Address
}

const leftoverDeadlineMs = 10_000

/**
 * Takes the lock on `dataDir`, making the directory when it is missing.
 *
 * @throws OperatorError when a running process holds it, or the directory cannot be written.
 */
export async function lockDataDir(dataDir: string, log: (line: string) => void): Promise<DataLock> {
  const path = join(dataDir, 'start.lock')
  const scratch = `${path}.${process.pid}`
  const content: Content = { holder: identify(process.pid), processes: {} }
  const write = () => writeFileSync(scratch, JSON.stringify(content))

  try {
    mkdirSync(dataDir, { recursive: true })
    write()
  } catch (cause) {
    throw new OperatorError(
      `The data directory ${dataDir} cannot be written (${(cause as Error).message}). Set DATA_DIR to a folder that can.`,
      { cause },
    )
  }
  try {
    while (!take(scratch, path)) {
      const found = read(path)
      if (!found) continue
      if (isRunning(found.holder)) {
        throw new OperatorError(
          `Quarterdeck is already running on ${dataDir} (process ${found.holder.pid}). Stop it first, or set DATA_DIR to another folder.`,
        )
      }
      await endLeftovers(found, log)
      discard(path, found, `${scratch}.stale`)
    }
  } finally {
    rmSync(scratch, { force: true })
  }
  const replace = () => {
    write()
    renameSync(scratch, path)
  }
  return {
    record(name, { pid, stopSignal }) {
      content.processes[name] = { ...identify(pid), stopSignal }
      replace()
    },
    listens(address) {
      content.address = address
      replace()
    },
    release: () => rmSync(path, { force: true }),
  }
}

/** True when a product runs on `dataDir`. */
export const isLocked = (dataDir: string): boolean => holderOf(dataDir) !== undefined

/** The process that runs a product on `dataDir`. */
export function holderOf(dataDir: string): number | undefined {
  const found = read(join(dataDir, 'start.lock'))
  return found && isRunning(found.holder) ? found.holder.pid : undefined
}

/** Where the product on `dataDir` listens, if it runs and has servers. */
export const listensOn = (dataDir: string): Address | undefined => read(join(dataDir, 'start.lock'))?.address

/** A hard link either makes the whole file appear or fails: nobody reads half a lock. */
function take(scratch: string, path: string): boolean {
  try {
    linkSync(scratch, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Last started, first stopped: those recorded first are used by the others. */
async function endLeftovers({ processes }: Content, log: (line: string) => void): Promise<void> {
  for (const [name, found] of Object.entries(processes).reverse()) {
    if (!isRunning(found)) continue
    log(`Stopping what an earlier start left behind: ${name} (process ${found.pid}) ...`)
    await endProcess(found.pid, found.stopSignal, leftoverDeadlineMs)
  }
}

/** Moves a stale lock away; puts it back when another start was faster and the lock is already its own. */
function discard(path: string, stale: Content, aside: string): void {
  try {
    renameSync(path, aside)
  } catch {
    return // another start moved it
  }
  if (JSON.stringify(read(aside)) !== JSON.stringify(stale)) take(aside, path)
  rmSync(aside)
}

function read(path: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Content
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new OperatorError(
      `${path} cannot be read (${(error as Error).message}). Delete it if no Quarterdeck runs on this data directory.`,
    )
  }
}

function identify(pid: number): ProcessId {
  return { pid, started: startTime(pid) }
}

function isRunning({ pid, started }: ProcessId): boolean {
  return started !== undefined && startTime(pid) === started
}
