// What a database has before and after its migrations, and what is lost or changed on the way. A migration says in its file what
// it takes away or changes on purpose, in a comment of its own line: `-- changes: fez.title, index fez_start, forum_post`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from '../core/db/db.ts'
import { selectContent, selectObjects, type Content, type ObjectRow } from './inventory.queries.ts'

/** All that a database has. */
export interface Inventory {
  objects: ReadonlyMap<string, ObjectRow>
  content: ReadonlyMap<string, TableContent>
}

interface TableContent extends Content {
  columns: readonly string[]
}

/** Grows with every migration. */
const uncounted = 'schema_migration'

/** What is said of an object in a comment of a migration: `fez`, `fez.title`, `index fez_start`. */
const nameOf = ({ kind, name }: Pick<ObjectRow, 'kind' | 'name'>): string =>
  kind === 'table' || kind === 'column' ? name : `${kind} ${name}`

/** Reads all of a database; every row of it. */
export async function readInventory(sql: Sql): Promise<Inventory> {
  const rows = (await selectObjects(sql)).filter(({ table }) => table !== uncounted)
  // Functions of one name differ in what they take.
  const objects = new Map<string, ObjectRow>()
  for (const row of rows) {
    const [name, other] = [nameOf(row), objects.get(nameOf(row))]
    objects.set(name, other ? { ...row, definition: [other.definition, row.definition].sort().join('\n') } : row)
  }
  const content = new Map<string, TableContent>()
  for (const { kind, name, definition } of rows) {
    if (kind !== 'table' || !/^[rp] /.test(definition)) continue
    const columns = rows
      .flatMap((each) => (each.kind === 'column' && each.table === name && !each.derived ? (each.columns ?? []) : []))
      .sort()
    const key = rows.find((each) => each.kind === 'constraint' && each.table === name && each.definition.startsWith('PRIMARY KEY'))
    content.set(name, { columns, ...(await selectContent(sql, name, columns, key?.columns?.toSorted() ?? [])) })
  }
  return { objects, content }
}

/** Something that is not as it was, in words, and what a migration would have had to say of it. */
export interface Change {
  what: string
  /** Any of these. */
  names: readonly string[]
}

/** What is lost, changed, or refused from now on: nothing where a migration has only added what programs of before need not know. */
export function changesBetween(before: Inventory, after: Inventory): Change[] {
  return [...lost(before, after), ...refusing(before, after), ...contents(before, after)]
}

function lost(before: Inventory, after: Inventory): Change[] {
  const changes: Change[] = []
  for (const [name, { kind, table, definition }] of before.objects) {
    // With its table goes all of it.
    if (kind !== 'table' && table !== null && !after.objects.has(table)) continue
    const other = after.objects.get(name)
    const names = [name, ...(table === null ? [] : [table])]
    if (!other) changes.push({ what: `${name} is gone`, names })
    else if (kind === 'type' ? !hasAllOf(other.definition, definition) : other.definition !== definition)
      changes.push({ what: `${name} is another: ${brief(definition)} before, ${brief(other.definition)} now`, names })
  }
  return changes
}

/** Whether the labels of an enum are there, in the order they had. */
function hasAllOf(now: string, before: string): boolean {
  const wanted = before.split('\n')
  const kept = now.split('\n').filter((label) => wanted.includes(label))
  return kept.join('\n') === before
}

/** What is new, and refuses rows of old tables or makes others of them; settings of the database. */
function refusing(before: Inventory, after: Inventory): Change[] {
  const changes: Change[] = []
  for (const [name, { kind, table, columns, refuses, definition }] of after.objects) {
    if (before.objects.has(name)) continue
    // It holds for all that is there already.
    if (kind === 'setting') changes.push({ what: `${name} is new: ${brief(definition)}`, names: [name] })
    if (table === null || !before.objects.has(table) || !refuses) continue
    // What is about a new column alone binds nobody who does not know it.
    if (kind !== 'column' && columns?.some((column) => !before.objects.has(`${table}.${column}`))) continue
    const what = kind === 'column' ? `${name} is new, and has no value where nobody gives one` : `${name} is new for ${table}`
    changes.push({ what, names: [name, table] })
  }
  return changes
}

function contents(before: Inventory, after: Inventory): Change[] {
  const changes: Change[] = []
  for (const [table, one] of before.content) {
    const other = after.content.get(table)
    if (!other) continue
    if (one.rows !== other.rows) changes.push({ what: `${table} has ${other.rows} rows, and had ${one.rows}`, names: [table] })
    else
      for (const [index, column] of one.columns.entries()) {
        const place = other.columns.indexOf(column)
        if (place >= 0 && one.digests[index] !== other.digests[place])
          changes.push({ what: `${table}.${column} has other values`, names: [`${table}.${column}`, table] })
      }
  }
  return changes
}

const brief = (definition: string): string => (definition.length > 80 ? `${definition.slice(0, 77)}...` : definition)

const extension = '.sql'

/** What these migrations of a folder say that they change. */
export function announcedIn(folder: string, migrations: readonly string[]): Set<string> {
  const texts = migrations.map((name) => readFileSync(join(folder, `${name}${extension}`), 'utf8'))
  const lines = texts.flatMap((text) => Array.from(text.matchAll(/^-- changes: (.+)$/gm), ([, items = '']) => items))
  return new Set(lines.flatMap((items) => items.split(',').map((item) => item.trim())))
}

/** Those that no migration has announced. */
export const unannounced = (changes: readonly Change[], announced: ReadonlySet<string>): Change[] =>
  changes.filter(({ names }) => !names.some((name) => announced.has(name)))
