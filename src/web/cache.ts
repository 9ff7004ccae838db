// Answers of the server by the question that got them: shown at once, however old, and read again behind what is on the
// screen. One question is asked once at a time, whoever wants to know.

/** The words of a question; answers are found again by how they begin. */
export type QueryKey = readonly unknown[]

/** One question and its last answer. */
export interface Entry<T = unknown> {
  readonly key: QueryKey
  readonly hash: string
  data: T | undefined
  /** Of the last attempt; an older answer stays beside it. */
  error: unknown
  /** When the answer came; 0 when there is none. */
  dataUpdatedAt: number
  /** Something has happened that may have changed the answer. */
  isStale: boolean
  /** Counts changes of the answer. */
  version: number
  /** The version that it was forgotten at last: no answer to an earlier question may be shown. */
  forgottenAt: number
  read: (() => Promise<T>) | undefined
  running: Promise<void> | undefined
  /** Components that show it. */
  readonly watchers: Set<() => void>
}

interface Filter {
  queryKey?: QueryKey
  predicate?: (entry: Entry) => boolean
}

const maxEntries = 300
/** An answer that was changed here while it was under way is out of date: it is asked for again, this often, then shown all the same. */
const maxReads = 3

export class Cache {
  readonly #entries = new Map<string, Entry>()
  readonly #changed: (entry: Entry) => void
  readonly #dropped: (entry: Entry) => void
  readonly #ends: (error: unknown) => boolean

  /** `ends`: the refusals after which the answer before is not to be seen any more either. */
  constructor(
    changed: (entry: Entry) => void = () => undefined,
    dropped: (entry: Entry) => void = () => undefined,
    ends: (error: unknown) => boolean = () => false,
  ) {
    this.#changed = changed
    this.#dropped = dropped
    this.#ends = ends
  }

  entry<T>(key: QueryKey): Entry<T> {
    const hash = JSON.stringify(key)
    let entry = this.#entries.get(hash)
    if (!entry) {
      entry = {
        key,
        hash,
        data: undefined,
        error: undefined,
        dataUpdatedAt: 0,
        isStale: true,
        version: 0,
        forgottenAt: 0,
        read: undefined,
        running: undefined,
        watchers: new Set(),
      }
      this.#makeRoom()
    } else this.#entries.delete(hash)
    // The last one used is the last one to go.
    this.#entries.set(hash, entry)
    return entry as Entry<T>
  }

  /** Puts back an answer that was kept. */
  restore(key: QueryKey, data: unknown, dataUpdatedAt: number): void {
    const entry = this.entry(key)
    if (entry.data !== undefined) return
    Object.assign(entry, { data, dataUpdatedAt })
    for (const watcher of entry.watchers) watcher()
  }

  /** Names of what is on the screen. */
  shown(): string[] {
    return Array.from(this.#entries.values()).flatMap(({ hash, watchers }) => (watchers.size > 0 ? hash : []))
  }

  /** Takes answers off the screen and out of the store. Nothing is read: the page that shows them is about to go. */
  forget(filter: Filter): void {
    for (const entry of this.#matching(filter)) {
      const version = entry.version + 1
      Object.assign(entry, { data: undefined, isStale: true, version, forgottenAt: version })
      this.#dropped(entry)
      for (const watcher of entry.watchers) watcher()
    }
  }

  getQueryData<T>(key: QueryKey): T | undefined {
    return this.#entries.get(JSON.stringify(key))?.data as T | undefined
  }

  getQueryState(key: QueryKey): Entry | undefined {
    return this.#entries.get(JSON.stringify(key))
  }

  getQueriesData<T>(filter: Filter): [QueryKey, T | undefined][] {
    return this.#matching(filter).map(({ key, data }) => [key, data as T | undefined])
  }

  setQueryData<T>(key: QueryKey, next: T | ((before: T | undefined) => T | undefined)): void {
    this.#set(this.entry<T>(key), next)
  }

  setQueriesData<T>(filter: Filter, next: (before: T | undefined) => T | undefined): void {
    for (const entry of this.#matching(filter)) this.#set(entry as Entry<T>, next)
  }

  /** Adds what `ask` resolves with to the answer that is here then, unless that was forgotten meanwhile. */
  async extend<T, More>(key: QueryKey, ask: () => Promise<More>, add: (before: T, more: More) => T): Promise<void> {
    const entry = this.entry<T>(key)
    const { forgottenAt } = entry
    const more = await ask()
    if (entry.forgottenAt === forgottenAt) this.setQueryData<T>(key, (before) => (before === undefined ? undefined : add(before, more)))
  }

  /** Marks answers as old; those on the screen are read again, and the promise waits for these. */
  async invalidateQueries(filter: Filter = {}): Promise<void> {
    const found = this.#matching(filter)
    for (const entry of found) entry.isStale = true
    await Promise.all(found.filter(({ watchers }) => watchers.size > 0).map((entry) => this.read(entry)))
  }

  /** Reads what is on the screen and old. */
  readOld(olderThanMs: number): void {
    for (const entry of this.#entries.values()) {
      if (entry.watchers.size > 0 && isOld(entry, olderThanMs)) void this.read(entry)
    }
  }

  /** Asks the server. A question that is under way is not asked twice, but once more if its answer is old by then. */
  async read<T>(entry: Entry<T>): Promise<void> {
    entry.running ??= this.#read(entry as Entry).finally(() => {
      entry.running = undefined
    })
    await entry.running
  }

  async #read(entry: Entry): Promise<void> {
    for (let reads = 1; entry.read; reads++) {
      const { version } = entry
      entry.isStale = false
      try {
        const data = await entry.read()
        if (entry.forgottenAt > version || (entry.version !== version && reads < maxReads)) continue
        entry.error = undefined
        if (entry.version !== version) entry.isStale = true
        this.#put(entry, data)
      } catch (error) {
        if (entry.data !== undefined && this.#ends(error)) this.forget({ predicate: (each) => each === entry })
        entry.error = error
        entry.isStale = true
        for (const watcher of entry.watchers) watcher()
        return
      }
      if (!entry.isStale || reads >= maxReads) return
    }
  }

  #set<T>(entry: Entry<T>, next: T | ((before: T | undefined) => T | undefined)): void {
    const data = typeof next === 'function' ? (next as (before: T | undefined) => T | undefined)(entry.data) : next
    // Without an answer there is nothing to change, but one that is under way is older than this.
    if (data === undefined) entry.version++
    else if (data !== entry.data) this.#put(entry as Entry, data)
  }

  #put(entry: Entry, data: unknown): void {
    entry.data = data
    entry.dataUpdatedAt = Date.now()
    entry.version++
    this.#changed(entry)
    for (const watcher of entry.watchers) watcher()
  }

  #matching({ queryKey, predicate }: Filter): Entry[] {
    return Array.from(this.#entries.values()).filter(
      (entry) =>
        (!queryKey || queryKey.every((word, index) => JSON.stringify(word) === JSON.stringify(entry.key[index]))) &&
        (!predicate || predicate(entry)),
    )
  }

  #makeRoom(): void {
    if (this.#entries.size < maxEntries) return
    for (const entry of this.#entries.values()) {
      if (entry.watchers.size > 0 || entry.running) continue
      this.#entries.delete(entry.hash)
      this.#dropped(entry)
      return
    }
  }
}

export function isOld({ isStale, dataUpdatedAt }: Entry, olderThanMs: number): boolean {
  const ageMs = Date.now() - dataUpdatedAt
  // Below zero: the clock of this device has been set back since.
  return isStale || ageMs < 0 || ageMs > olderThanMs
}
