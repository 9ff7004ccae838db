// A file that names the process which holds it. What a killed process has left counts for nothing.
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { OperatorError } from './operator-error.ts'
import { startTime } from './process-table.ts'

/** A process; its number alone may be that of another one by now. */
export interface ProcessId {
  pid: number
  started: string | undefined
}

/** What is in the file, of which `holder` is this process. */
export interface Held {
  holder: ProcessId
}

export interface HeldFile<Content extends Held> {
  /** Writes other content in place of what was there, in one step. */
  replace(content: Content): void
  release(): void
}

export interface HoldOptions<Content extends Held> {
  /** The sentence with which it is refused while another process holds it. */
  refused(pid: number): string
  /** The one with which it is refused when the folder cannot be made or written. */
  unwritable(reason: string): string
  /** Is given what a process has left that holds it no more. */
  onLeft?(found: Content): Promise<void>
}

/** Makes its folder when that is missing. @throws OperatorError when another process holds it, or it cannot be written. */
export async function holdFile<Content extends Held>(
  path: string,
  content: Content,
  { refused, unwritable, onLeft }: HoldOptions<Content>,
): Promise<HeldFile<Content>> {
  const scratch = `${path}.${process.pid}`
  const write = (held: Content) => writeFileSync(scratch, JSON.stringify(held))
  try {
    mkdirSync(dirname(path), { recursive: true })
    write(content)
  } catch (cause) {
    throw new OperatorError(unwritable((cause as Error).message), { cause })
  }
  try {
    while (!take(scratch, path)) {
      const found = readHeld<Content>(path)
      if (!found) continue
      if (isRunning(found.holder)) throw new OperatorError(refused(found.holder.pid))
      await onLeft?.(found)
      discard(path, found, `${scratch}.stale`)
    }
  } finally {
    rmSync(scratch, { force: true })
  }
  return {
    replace(held) {
      write(held)
      renameSync(scratch, path)
    },
    release: () => rmSync(path, { force: true }),
  }
}

/** A hard link either makes the whole file appear or fails: nobody reads half of it. */
function take(scratch: string, path: string): boolean {
  try {
    linkSync(scratch, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Moves away what is left; puts it back when another process was faster and it is that one's already. */
function discard(path: string, left: Held, aside: string): void {
  try {
    renameSync(path, aside)
  } catch {
    return // another process moved it
  }
  if (JSON.stringify(readHeld(aside)) !== JSON.stringify(left)) take(aside, path)
  rmSync(aside)
}

/** Undefined when there is no file. @throws OperatorError when it cannot be read. */
export function readHeld<Content extends Held>(path: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Content
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new OperatorError(`${path} cannot be read (${(error as Error).message}). Delete it if no Quarterdeck runs here.`)
  }
}

export const identify = (pid: number): ProcessId => ({ pid, started: startTime(pid) })

export const isRunning = ({ pid, started }: ProcessId): boolean => started !== undefined && startTime(pid) === started
