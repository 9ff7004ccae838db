// Which posts a chat has, and which of them those see who hide some of the authors.

/** A post as far as counting and paging need it. */
export interface PostKey {
  readonly id: number
  readonly authorId: string
}

/** Lists that leave some authors out are kept until the posts change, so many of them: each is as long as the chat. */
const mostKept = 8

/** The posts of a chat, oldest first. */
export class PostKeys {
  #all: PostKey[] = []
  /** By author, how many there are. */
  readonly #counts = new Map<string, number>()
  /** By the authors that are left out. */
  readonly #without = new Map<string, readonly PostKey[]>()

  get all(): readonly PostKey[] {
    return this.#all
  }

  /** Each of them once. */
  get authorIds(): Iterable<string> {
    return this.#counts.keys()
  }

  replace(keys: PostKey[]): void {
    this.#all = keys
    this.#without.clear()
    this.#counts.clear()
    for (const { authorId } of keys) this.#counts.set(authorId, (this.#counts.get(authorId) ?? 0) + 1)
  }

  add(key: PostKey): void {
    this.#all.push(key)
    this.#without.clear()
    this.#counts.set(key.authorId, (this.#counts.get(key.authorId) ?? 0) + 1)
  }

  remove(id: number): void {
    const removed = this.#all.find((key) => key.id === id)
    if (!removed) return
    const left = (this.#counts.get(removed.authorId) ?? 0) - 1
    if (left > 0) this.#counts.set(removed.authorId, left)
    else this.#counts.delete(removed.authorId)
    this.#all = this.#all.filter((key) => key !== removed)
    this.#without.clear()
  }

  /** Those whose authors `hides` does not name. Asks about each author once, however much they have written. */
  shownTo(hides: (authorId: string) => boolean): readonly PostKey[] {
    const hidden = [...this.#counts.keys()].filter(hides)
    if (hidden.length === 0) return this.#all
    const name = hidden.toSorted().join()
    let shown = this.#without.get(name)
    if (!shown) {
      if (this.#without.size >= mostKept) this.#without.clear()
      const left = new Set(hidden)
      shown = this.#all.filter(({ authorId }) => !left.has(authorId))
      this.#without.set(name, shown)
    }
    return shown
  }
}
