// Which methods a path takes: for the answer to a request with another one.

interface Entry {
  /** Undefined stands for any text. */
  segments: (string | undefined)[]
  methods: Set<string>
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Patterns of paths as uWebSockets.js has them, and the methods of each. */
export class PathMethods {
  readonly #entries = new Map<string, Entry>()
  /** By their number of segments. */
  readonly #byLength = new Map<number, Entry[]>()
  /** Of patterns that end in a `*`. */
  readonly #open: Entry[] = []

  add(pattern: string, method: string): void {
    let entry = this.#entries.get(pattern)
    if (!entry) {
      const names = pattern.split('/').slice(1)
      const isOpen = names.at(-1) === '*'
      entry = {
        segments: (isOpen ? names.slice(0, -1) : names).map((name) => (name.startsWith(':') ? undefined : name)),
        methods: new Set(),
      }
      this.#entries.set(pattern, entry)
      if (isOpen) this.#open.push(entry)
      else {
        const same = this.#byLength.get(names.length)
        if (same) same.push(entry)
        else this.#byLength.set(names.length, [entry])
      }
    }
    entry.methods.add(method)
  }

  /** The value of `Allow`; empty when nothing exists at this path. */
  of(path: string): string {
    const segments = path.split('/').slice(1)
    const found = [
      ...(this.#byLength.get(segments.length) ?? []).filter((entry) => fits(entry, segments)),
      ...this.#open.filter((entry) => segments.length > entry.segments.length && fits(entry, segments)),
    ]
    if (found.length === 0) return ''
    const methods = new Set(['OPTIONS', ...found.flatMap((entry) => [...entry.methods])])
    if (methods.has('GET')) methods.add('HEAD')
    return order.filter((method) => methods.has(method)).join(', ')
  }
}

const fits = ({ segments: wanted }: Entry, segments: readonly string[]): boolean =>
  wanted.every((name, index) => (name === undefined ? segments[index] !== '' : name === segments[index]))
