// Which tables a statement writes, as its text says: answers in memory are good until one of their tables is written.
// Functions and triggers of ours write nothing; rows that a foreign key deletes are named in `cascades`.

// `for update` only locks, and `do update set` names no table.
const writes = /\b(?:insert\s+into|(?<!\bfor\s+(?:no\s+key\s+)?)(?<!\bdo\s+)update|delete\s+from)(?:\s+([a-z_]+)|\s*$)/gi

/** Tables from which rows go with those of another: `test/core/answers.test.ts` holds it against the schema. */
export const cascades: Readonly<Record<string, readonly string[]>> = {
  account: ['account_seen', 'browser_session', 'ended_session', 'slow_post'],
  barrel: ['barrel_user', 'barrel_word'],
  hunt: ['hunt_puzzle', 'hunt_call_in'],
  hunt_puzzle: ['hunt_call_in'],
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
  for (const table of found.tables) add(table, tables)
  // A name as `sql('table')` makes it.
  for (const hole of found.holes) {
    const { first, value } = (args[hole + 1] ?? {}) as { first?: unknown; value?: unknown }
    const name = first ?? value
    if (typeof name !== 'string') throw new Error('it is not known which table a statement writes')
    add(name.replaceAll('"', ''), tables)
  }
}

/** As `noteWritten` for a statement that is given as text. */
export function noteWrittenText(text: string, tables: Set<string>): void {
  let found = byText.get(text)
  if (!found) {
    if (byText.size >= maxTexts) byText.clear()
    byText.set(text, (found = findIn([text])))
  }
  for (const table of found.tables) add(table, tables)
}

function add(table: string, tables: Set<string>): void {
  tables.add(table)
  for (const other of cascades[table] ?? []) tables.add(other)
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
