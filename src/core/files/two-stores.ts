// Two places for files, of which one takes the new ones: while they are moved from the other, servers go on.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { batchesOf } from '../base/batches.ts'
import { incoming, type StoredFile } from './files.ts'
import type { FileFacts, FileStore } from './store.ts'

/** Files in either place. What is moved meanwhile goes from `other` to `main`. */
export class TwoStores implements FileStore {
  readonly folder = undefined
  readonly main: FileStore
  readonly other: FileStore

  constructor(main: FileStore, other: FileStore) {
    this.main = main
    this.other = other
  }

  get name(): string {
    return this.main.name
  }

  find(path: string): Promise<(StoredFile & { small: boolean }) | undefined> {
    return this.#either((store) => store.find(path))
  }

  stat(path: string): Promise<FileFacts | undefined> {
    return this.#either((store) => store.stat(path))
  }

  read(path: string, firstBytes?: number): Promise<Buffer | undefined> {
    return this.#either((store) => store.read(path, firstBytes))
  }

  open(path: string): Promise<(FileFacts & { content: Readable }) | undefined> {
    return this.#either((store) => store.open(path))
  }

  use<T>(path: string, work: (file: string) => Promise<T>): Promise<T | undefined> {
    return this.#either((store) => store.use(path, work))
  }

  put(path: string, content: Buffer | string, options?: { forGood?: boolean }): Promise<void> {
    return this.main.put(path, content, options)
  }

  async move(from: string, to: string, options?: { forGood?: boolean }): Promise<void> {
    for (const store of this.#inTurn()) await store.move(from, to, options)
  }

  async remove(path: string): Promise<void> {
    for (const store of this.#inTurn()) await store.remove(path)
  }

  async removeAll(): Promise<void> {
    for (const store of this.#inTurn()) await store.removeAll()
  }

  async *list(folder?: string): AsyncGenerator<FileFacts & { path: string }, void> {
    const seen = new Set<string>()
    // What is moved between the two lists is in the second one.
    for await (const file of this.other.list(folder)) {
      seen.add(file.path)
      yield file
    }
    for await (const file of this.main.list(folder)) if (!seen.has(file.path)) yield file
  }

  async check(): Promise<void> {
    await Promise.all([this.main.check(), this.other.check()])
  }

  close(): void {
    this.main.close()
    this.other.close()
  }

  /** Once more where it is moved to: it may have been on its way. */
  #inTurn(): FileStore[] {
    return [this.main, this.other, this.main]
  }

  async #either<T>(ask: (store: FileStore) => Promise<T | undefined>): Promise<T | undefined> {
    for (const store of this.#inTurn()) {
      const found = await ask(store)
      if (found !== undefined) return found
    }
    return undefined
  }
}

/** Each waits for the bucket most of the time. */
const movedAtOnce = 8

/**
 * Moves every file from the other place to the main one, while servers and workers go on, but nobody else who moves them; resolves
 * with how many there were.
 * `scratch`: a folder of this machine, for files on their way. `say` is told how many are there so far.
 */
export async function gather({ main, other }: TwoStores, scratch: string, say: (moved: number) => void): Promise<number> {
  let moved = 0
  const move = async ({ path }: { path: string }) => {
    // New ones come there: what has the same name here is older, or was left by a move that was broken off.
    if (await main.stat(path)) return await other.remove(path)
    const file = await other.open(path)
    if (!file) return
    const copy = join(scratch, crypto.randomUUID())
    try {
      await pipeline(file.content, createWriteStream(copy, { mode: 0o640 }))
      await main.put(path, copy, { forGood: true })
    } finally {
      await rm(copy, { force: true })
    }
    // Who has removed it meanwhile, or moved it, has not met it here.
    if (await other.stat(path)) await other.remove(path)
    else await main.remove(path)
    say(++moved)
  }
  for await (const files of batchesOf(other.list(), movedAtOnce))
    // Not those of others that work on them.
    await Promise.all(files.filter(({ path }) => !path.startsWith(`${incoming}/`) && !path.endsWith('.part')).map(move))
  return moved
}
