// Servers and workers of neighbouring versions meet on the bus while a new version is rolled out.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../src/core/base/config.ts'
import { messagesVersion } from '../../src/core/bus/bus.ts'

const record = join(projectRoot, 'test', 'bus-messages.json')

test('messages between servers have another version when their shape has changed', () => {
  const current = { version: messagesVersion, shape: shapeOfMessages() }
  const recorded = JSON.parse(readFileSync(record, 'utf8')) as typeof current
  const hint = 'raise messagesVersion in src/core/bus/bus.ts, then: UPDATE_MESSAGES=1 npm test -- test/core/bus-messages.test.ts'
  if (process.env['UPDATE_MESSAGES'] !== '1') return assert.deepEqual(current, recorded, hint)
  assert.ok(current.shape === recorded.shape || current.version > recorded.version, hint)
  writeFileSync(record, `${JSON.stringify(current, null, 2)}\n`)
})

/** What they tell each other is named in the arguments of one of these. */
const carriers = /\b(?:Topic|ClusterQuery|Kind)<((?:[^<>]|<[^<>]*>)*)>/g

/** A digest of the declarations of all that servers tell each other, and of what these refer to. */
function shapeOfMessages(): string {
  const declared = new Map<string, string>()
  for (const name of readdirSync(join(projectRoot, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue
    const file = join(projectRoot, 'src', name)
    const text = source(file)
    for (const [, content = ''] of text.matchAll(carriers)) {
      declared.set(`${file} <${content}>`, content)
      noteNames(content, file, declared)
    }
  }
  return createHash('sha256')
    .update([...declared.values()].toSorted().join('\n'))
    .digest('hex')
}

/** Notes the types and constants that a text of a file names, and those that these name. */
function noteNames(text: string, file: string, declared: Map<string, string>): void {
  for (const [, constant, type] of text.matchAll(/typeof (\w+)|\b([A-Z]\w+)/g)) {
    const found = find((constant ?? type) as string, file)
    if (!found || declared.has(found.key)) continue
    declared.set(found.key, found.text)
    noteNames(found.text, found.file, declared)
  }
}

/** The declaration of a type or constant, in a file or where that imports it from. Classes are no messages. */
function find(name: string, file: string): { key: string; file: string; text: string } | undefined {
  const text = source(file)
  const own = new RegExp(`^(?:export )?(?:type|interface|const) ${name}\\b.*(?:\\n(?:[ })\\]].*)?)*`, 'm').exec(text)
  if (own) return { key: `${file} ${name}`, file, text: own[0].trim() }
  for (const [, names, from] of text.matchAll(/^import (?:type )?\{([^}]*)\} from '(\.[^']*)'/gm))
    if (names?.split(',').some((each) => each.trim().replace('type ', '') === name)) return find(name, join(dirname(file), from as string))
  return undefined
}

const sources = new Map<string, string>()

/** A file without its comments. */
function source(file: string): string {
  const known = sources.get(file)
  if (known !== undefined) return known
  const text = readFileSync(file, 'utf8')
    .replace(/^ *\/\*\*?(?:[^*]|\*(?!\/))*\*\/\n/gm, '')
    .replace(/(?:^| +)\/\/ .*/gm, '')
  sources.set(file, text)
  return text
}
