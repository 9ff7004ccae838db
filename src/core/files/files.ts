// Files of people, for sending: small ones are kept in memory while they are in demand, large
// ones are read piece by piece while they are sent. A file's content never changes; it may go away.
import { LRUCache } from 'lru-cache'
import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { storageFailed } from '../base/errors.ts'
import type { Bus } from '../bus/bus.ts'
import type { FileStore } from './store.ts'

/** A part of a file that is read while it is sent. */
export class FilePart {
  readonly path: string
  readonly start: number
  readonly size: number

  constructor(path: string, start: number, size: number) {
    this.path = path
    this.start = start
    this.size = size
  }
}

/** Uploads lie here, below the root, while they are worked on. A sweep removes what is left behind. */
export const incoming = 'incoming'

/** Uploads of admins lie here for a day. */
export const adminUploads = 'admin'

/** What is made of people's data lies here for a day. */
export const exported = 'exports'

/** Bytes that are made while they are sent, of which only the number is known. */
export class Pieces {
  readonly pieces: AsyncIterable<Buffer>
  readonly size: number

  constructor(pieces: AsyncIterable<Buffer>, size: number) {
    this.pieces = pieces
    this.size = size
  }
}

/** A file that was there a moment ago. */
export interface StoredFile {
  readonly size: number
  readonly modifiedMs: number
  /** From `start` up to, not including, `end`. */
  part(start: number, end: number): Buffer | FilePart | Pieces
}

export interface Files {
  readonly store: FileStore
  /** The file, or undefined when there is none. `path` is relative and comes from no client. */
  find(path: string): Promise<StoredFile | undefined>
  /** To be called after files were removed: no node sends them any more when this resolves. */
  forget(paths: readonly string[]): Promise<void>
}

/** Larger files are neither cached nor read at once. */
export const smallBytes = 128 * 1024
const cachedBytes = 64 * 1024 * 1024
/** What a file takes beside its content. */
const entryBytes = 300
const topic = 'files-gone'

/** Makes the folder, and keeps strangers on the machine out of it and of all that is in it; its group may stay. */
export function keepFromOthers(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o750 })
  const { mode } = statSync(folder)
  if ((mode & 0o007) === 0) return
  try {
    chmodSync(folder, mode & 0o770)
  } catch (error) {
    // On a disk that is shared it may belong to another account, which decides.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

/** Gives access to the files of a store. */
export function createFiles(store: FileStore, bus: Bus): Files {
  const cached = new LRUCache<string, StoredFile>({ maxSize: cachedBytes, sizeCalculation: ({ size }) => size + entryBytes })
  /** Counts removals: what was read before one may be of a removed file. */
  let removals = 0

  void bus.subscribe(topic, (message) => {
    removals++
    for (const path of message as string[]) cached.delete(path)
  })
  bus.onReset(() => {
    removals++
    cached.clear()
  })

  return {
    store,
    async find(path) {
      // While the bus is down no message would say that a file was removed.
      const known = bus.up ? cached.get(path) : undefined
      if (known) return known
      const removalsBefore = removals
      const file = await store.find(path)
      if (file?.small && bus.up && removals === removalsBefore) cached.set(path, file)
      return file
    },
    async forget(paths) {
      if (paths.length > 0) await bus.publishConfirmed(topic, paths)
    },
  }
}

const missing = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'])

/** The file at a path, or undefined when there is none. Small ones are read at once. */
export async function openFile(path: string): Promise<(StoredFile & { small: boolean }) | undefined> {
  try {
    const { size, mtimeMs, isFile } = await stat(path).then((stats) => ({
      size: stats.size,
      mtimeMs: stats.mtimeMs,
      isFile: stats.isFile(),
    }))
    if (!isFile) return undefined
    const modifiedMs = Math.floor(mtimeMs)
    if (size > smallBytes) return { size, modifiedMs, small: false, part: (start, end) => new FilePart(path, start, end - start) }
    const content = await readFile(path)
    return { size: content.length, modifiedMs, small: true, part: (start, end) => content.subarray(start, end) }
  } catch (error) {
    if (missing.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

// No room, over quota, read-only, broken, or no folder any more where one was.
const storageFailures = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ENOTDIR'])

/** Turns "this disk cannot be written" into a 503; leaves every other error as it is. */
export function translateFileError(error: unknown): unknown {
  return error instanceof Error && 'code' in error && storageFailures.has(String(error.code)) ? storageFailed(error) : error
}
