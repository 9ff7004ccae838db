// Where the files of people lie, which all servers and workers share: a folder. Paths are relative, with slashes, and come from no
// client. What a file holds never changes; it may be moved, and go away.
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { openFile, type StoredFile } from './files.ts'

/** What is known of a file without its content. */
export interface FileFacts {
  readonly size: number
  readonly modifiedMs: number
}

/** A place for files. Its methods reject with 503 when it cannot be reached or written. */
export interface FileStore {
  /** For operators: which place it is. */
  readonly name: string
  /** Where it is one: a folder in which programs may work on the files themselves. */
  readonly folder: string | undefined
  /** For sending; undefined when there is none. `small`: its content is in memory already. */
  find(path: string): Promise<(StoredFile & { small: boolean }) | undefined>
  stat(path: string): Promise<FileFacts | undefined>
  /** All of it, or its first bytes. */
  read(path: string, firstBytes?: number): Promise<Buffer | undefined>
  /** The content has to be read or destroyed. */
  open(path: string): Promise<(FileFacts & { content: Readable }) | undefined>
  /** Has `work` use it as a file of this machine; undefined when there is none. */
  use<T>(path: string, work: (file: string) => Promise<T>): Promise<T | undefined>
  /** Stores bytes, or a file of this machine, which is gone then. `forGood`: it is there after a power cut, too. */
  put(path: string, content: Buffer | string, options?: { forGood?: boolean }): Promise<void>
  /** Gives it another path. Nothing happens when there is none. */
  move(from: string, to: string, options?: { forGood?: boolean }): Promise<void>
  /** Also when there is none. */
  remove(path: string): Promise<void>
  removeAll(): Promise<void>
  /**
   * Whether files can be kept there.
   *
   * @throws OperatorError when the place says that they cannot, AppError 503 when it does not answer.
   */
  check(): Promise<void>
  /** What is below a folder, or everything. Files that come or go meanwhile may be left out. */
  list(folder?: string): AsyncIterable<FileFacts & { path: string }>
  close(): void
}

/** Files below a folder that all machines of the place see. */
export class FolderStore implements FileStore {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  get name(): string {
    return this.folder
  }

  find(path: string): Promise<(StoredFile & { small: boolean }) | undefined> {
    return openFile(this.#at(path))
  }

  async stat(path: string): Promise<FileFacts | undefined> {
    const stats = await stat(this.#at(path)).catch(unlessMissing)
    return stats && { size: stats.size, modifiedMs: stats.mtimeMs }
  }

  async read(path: string, firstBytes?: number): Promise<Buffer | undefined> {
    const file = await open(this.#at(path)).catch(unlessMissing)
    if (!file) return undefined
    try {
      if (firstBytes === undefined) return await file.readFile()
      const { buffer, bytesRead } = await file.read(Buffer.alloc(firstBytes), 0, firstBytes, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  async open(path: string): Promise<(FileFacts & { content: Readable }) | undefined> {
    const file = await open(this.#at(path)).catch(unlessMissing)
    if (!file) return undefined
    try {
      // Of the file that is open, whatever takes its place meanwhile.
      const { size, mtimeMs } = await file.stat()
      return { size, modifiedMs: mtimeMs, content: createReadStream('', { fd: file, end: Math.max(0, size - 1) }) }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  async use<T>(path: string, work: (file: string) => Promise<T>): Promise<T | undefined> {
    const stats = await stat(this.#at(path)).catch(unlessMissing)
    return stats && (await work(this.#at(path)))
  }

  async put(path: string, content: Buffer | string, { forGood = false } = {}): Promise<void> {
    const to = this.#at(path)
    await mkdir(dirname(to), { recursive: true })
    if (typeof content !== 'string') await writeFile(to, content, { flush: forGood })
    else {
      if (forGood) await sync(content, 'r+')
      await rename(content, to)
    }
    if (forGood) await sync(dirname(to), 'r')
  }

  async move(from: string, to: string, { forGood = false } = {}): Promise<void> {
    const target = this.#at(to)
    await mkdir(dirname(target), { recursive: true })
    await rename(this.#at(from), target).catch(unlessMissing)
    if (forGood) await sync(dirname(target), 'r')
  }

  async remove(path: string): Promise<void> {
    await rm(this.#at(path), { force: true })
  }

  async removeAll(): Promise<void> {
    const names = (await readdir(this.folder).catch(unlessMissing)) ?? []
    for (const name of names) await rm(this.#at(name), { recursive: true, force: true })
  }

  async *list(folder = ''): AsyncGenerator<FileFacts & { path: string }, void> {
    const entries = (await readdir(this.#at(folder), { withFileTypes: true }).catch(unlessMissing)) ?? []
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) yield* this.list(path)
      const facts = entry.isFile() ? await this.stat(path) : undefined
      if (facts) yield { path, ...facts }
    }
  }

  async check(): Promise<void> {}

  close(): void {}

  #at(path: string): string {
    return join(this.folder, path)
  }
}

async function sync(path: string, flags: 'r' | 'r+'): Promise<void> {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
