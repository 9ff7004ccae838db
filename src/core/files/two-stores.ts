// Two places for files, of which one takes the new ones: while they are moved from the other, servers go on.
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
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

/**
 * Moves every file from the other place to the main one, while servers and workers go on; resolves with how many there were.
 * `scratch`: a file of this machine, for each of them in turn.
 */
export async function gather({ main, other }: TwoStores, scratch: string, say: (moved: number) => void): Promise<number> {
  let moved = 0
  for await (const { path } of other.list()) {
    // Of those that work on them.
    if (path.startsWith(`${incoming}/`) || path.endsWith('.part')) continue
    const file = await other.open(path)
    if (!file) continue
    await pipeline(file.content, createWriteStream(scratch, { mode: 0o640 }))
    await main.put(path, scratch, { forGood: true })
    // Who has removed it meanwhile, or moved it, has not met it here.
    if (await other.stat(path)) await other.remove(path)
    else await main.remove(path)
    say(++moved)
  }
  return moved
}
