// One product per data directory. The lock also names the processes that were started, so that
// the next start can end what a killed parent left behind.
import { join } from 'node:path'
import { holdFile, identify, isRunning, readHeld, type Held, type ProcessId } from './lock-file.ts'
import { endProcess } from './process-table.ts'
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

interface Started extends ProcessId {
  stopSignal: NodeJS.Signals
}
interface Content extends Held {
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
  const content: Content = { holder: identify(process.pid), processes: {} }
  const held = await holdFile(pathIn(dataDir), content, {
    refused: (pid) => `Quarterdeck is already running on ${dataDir} (process ${pid}). Stop it first, or set DATA_DIR to another folder.`,
    unwritable: (reason) => `The data directory ${dataDir} cannot be written (${reason}). Set DATA_DIR to a folder that can.`,
    onLeft: (found) => endLeftovers(found, log),
  })
  return {
    record(name, { pid, stopSignal }) {
      content.processes[name] = { ...identify(pid), stopSignal }
      held.replace(content)
    },
    listens(address) {
      content.address = address
      held.replace(content)
    },
    release: () => held.release(),
  }
}

const pathIn = (dataDir: string): string => join(dataDir, 'start.lock')

/** True when a product runs on `dataDir`. */
export const isLocked = (dataDir: string): boolean => holderOf(dataDir) !== undefined

/** The process that runs a product on `dataDir`. */
export function holderOf(dataDir: string): number | undefined {
  const found = readHeld<Content>(pathIn(dataDir))
  return found && isRunning(found.holder) ? found.holder.pid : undefined
}

/** Where the product on `dataDir` listens, if it runs and has servers. */
export const listensOn = (dataDir: string): Address | undefined => readHeld<Content>(pathIn(dataDir))?.address

/** Last started, first stopped: those recorded first are used by the others. */
async function endLeftovers({ processes }: Content, log: (line: string) => void): Promise<void> {
  for (const [name, found] of Object.entries(processes).reverse()) {
    if (!isRunning(found)) continue
    log(`Stopping what an earlier start left behind: ${name} (process ${found.pid}) ...`)
    await endProcess(found.pid, found.stopSignal, leftoverDeadlineMs)
  }
}
