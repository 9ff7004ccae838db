// Which tables a statement writes, as its text says: answers in memory are good until one of their tables is written.
// Functions and triggers of ours write nothing; the tables of rows that a foreign key deletes are declared (`goesWith`).

import type { DeclaredTable } from './tables.ts'

// `for update` only locks, and `do update set` names no table.
const writes = /\b(?:insert\s+into|(?<!\bfor\s+(?:no\s+key\s+)?)(?<!\bdo\s+)update|delete\s+from)(?:\s+([a-z_]+)|\s*$)/gi

/** What the tables of the product have to do with answers in memory. */
export class WrittenTables {
  /** Tables that each answer is made of. */
  readonly ofEveryAnswer: readonly string[]
  /** Tables whose rows answers show to one account alone. */
  readonly own: readonly string[]
  readonly #ofNone: ReadonlySet<string>
  readonly #below: ReadonlyMap<string, readonly string[]>

  constructor(tables: readonly DeclaredTable[]) {
    const named = (wanted: DeclaredTable['inAnswers']) => tables.filter(({ inAnswers }) => inAnswers === wanted).map(({ name }) => name)
    this.ofEveryAnswer = named('every')
    this.own = tables.flatMap(({ own, name }) => (own ? [name] : []))
    this.#ofNone = new Set(named('none'))
    this.#below = new Map(
      tables.map(({ name }) => [name, tables.filter(({ goesWith }) => goesWith?.includes(name)).map((each) => each.name)] as const),
    )
  }

  /** Of tables that statements have written, and of those whose rows went with theirs, the ones that answers may be made of. */
  shown(written: Iterable<string>): Set<string> {
    const found = new Set(written)
    // Those that are added are looked at as well.
    for (const table of found) for (const other of this.#below.get(table) ?? []) found.add(other)
    for (const table of found) if (this.#ofNone.has(table)) found.delete(table)
    return found
  }
}

/** What the texts of a template say: tables, and the holes that hold the name of one. */
interface Found {
  tables: readonly string[]
  holes: readonly number[]
}

const nothing: Found = { tables: [], holes: [] }
const byTemplate = new WeakMap<readonly string[], Found>()
/** Of statements that are given as text: there are a few. */
const byText = new Map<string, Found>()
const maxTexts = 1000

/** Adds the tables that a call of a tagged template of postgres.js writes, if it is a part of a statement. */
export function noteWritten(args: readonly unknown[], tables: Set<string>): void {
  const strings = args[0] as readonly string[] | undefined
  if (!Array.isArray(strings) || !('raw' in strings)) return
  let found = byTemplate.get(strings)
  if (!found) byTemplate.set(strings, (found = findIn(strings)))
  if (found === nothing) return
  for (const table of found.tables) tables.add(table)
  // A name as `sql('table')` makes it.
  for (const hole of found.holes) {
    const { first, value } = (args[hole + 1] ?? {}) as { first?: unknown; value?: unknown }
    const name = first ?? value
    if (typeof name !== 'string') throw new Error('it is not known which table a statement writes')
    tables.add(name.replaceAll('"', ''))
  }
}

/** As `noteWritten` for a statement that is given as text. */
export function noteWrittenText(text: string, tables: Set<string>): void {
  let found = byText.get(text)
  if (!found) {
    if (byText.size >= maxTexts) byText.clear()
    byText.set(text, (found = findIn([text])))
  }
  for (const table of found.tables) tables.add(table)
}

function findIn(strings: readonly string[]): Found {
  const tables = new Set<string>()
  const holes: number[] = []
  for (const [index, text] of strings.entries())
    for (const [, name] of text.matchAll(writes)) {
      if (name === undefined) holes.push(index)
      else tables.add(name.toLowerCase())
    }
  return tables.size === 0 && holes.length === 0
    ? nothing
    : { tables: [...tables], holes: holes.filter((hole) => hole < strings.length - 1) }
}
