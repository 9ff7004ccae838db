// What a fuzzer puts into requests: values as a schema wants them, and values that it does not.
// Everything comes from one seed.
import type { SchemaNode } from '../../src/core/schema/schema.ts'

/** Chance that can be repeated. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, not including, 1: mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }
}

/** Ids that there are. */
export interface Ids {
  uuids: readonly string[]
  ints: readonly string[]
}

const words = [
  'hello',
  'Games on deck 5',
  '@james and @heidi',
  '#quarterdeck',
  'a b c',
  'Grüße',
  '100 %',
  "o'clock",
  '"quoted"',
  '--',
  '\\',
  '%_%',
  '<b>bold</b>',
  '1; drop table account',
  '${a}',
  '{{a}}',
  '../../etc/passwd',
  '&amp;',
  '\r\nSet-Cookie: a=b',
  '.*+?^$()[]|',
]
// Right to left, marks without end, more than two bytes, families of code points, what is not seen, what Postgres or
// JSON might stumble over.
const oddities = [
  'שלום עולם',
  '\u202egnp.exe',
  'e\u0301\u0327',
  '👩‍👩‍👧‍👦',
  '🏳️‍🌈',
  '𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
  '\u{10ffff}',
  '\ufffe',
  '\ufeff',
  '\u200b\u200d',
  'ﷺ',
  'İıſ',
  'ß',
  '\u2028\u2029\u0085',
  '\t\v\f',
  '\x01\x7f',
  'ﬃ',
  '漢字',
  '¯\\_(ツ)_/¯',
  '\u0600\u0601',
  'a\u0000b',
  '\ud800',
  '\udc00\ud83d',
]
const storable = oddities.filter((each) => each.isWellFormed() && !each.includes('\0'))

/** Marks and letters that no index can shorten. */
function noise(dice: Dice, length: number, from: number, to: number): string {
  return Array.from({ length }, () => String.fromCodePoint(from + dice.below(to - from))).join('')
}

function text(dice: Dice, { minLength: min = 0, maxLength: max = 100, 'x-maxLines': lines = 1 }: SchemaNode, hostile: boolean): string {
  if (!hostile) return `${dice.pick(words)} ${dice.pick(storable)}`.slice(0, max).toWellFormed().padEnd(min, 'x')
  switch (dice.below(16)) {
    case 0:
      return ''
    case 1:
      return dice.pick(oddities)
    case 2:
      return dice.pick(oddities) + dice.pick(words) + dice.pick(oddities)
    case 3:
      return 'x'.repeat(max)
    case 4:
      return 'x'.repeat(max + 1)
    case 5:
      return 'x'.repeat(Math.max(0, min - 1))
    case 6:
      return '👋'.repeat(Math.min(max, 3000))
    case 7:
      return `#${noise(dice, Math.min(max, 3000), 0x4e00, 0x9fa5)}`
    // As few characters as people see, as many as computers can be made to store.
    case 8:
      return Array.from({ length: Math.min(max, 200) }, () => `a${noise(dice, 20, 0x300, 0x36f)}`).join('')
    case 9:
      return 'a\n'.repeat(dice.pick([1, lines, lines + 1]))
    case 10:
      return dice.chance(0.05)
        ? noise(dice, 1_200_000, 0x61, 0x7a)
        : dice.chance(0.1)
          ? `${noise(dice, 8, 0x61, 0x7a)} `.repeat(200_000)
          : 'x '.repeat(2000)
    case 11:
      return noise(dice, 1 + dice.below(20), 0x20, 0x2ff)
    default:
      return dice.pick(words)
  }
}

const dates = [
  '2025-03-03T13:00:00Z',
  '2025-03-03T13:00:00.123456789+05:30',
  '2099-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  1_741_000_000,
  1_741_000_000.5,
  0,
  -1,
  '1741000000',
  '2025-02-29T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '2025-13-01T00:00:00Z',
  '2025-03-03',
  '2025-03-03T25:00:00Z',
  '2025-03-03T13:00:00',
  1e15,
  -1e15,
  1e308,
  'now',
  '',
]
const ints = [
  0, 1, -1, 2, 5, 50, 199, 200, 2_147_483_647, -2_147_483_648, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_992, 1e21, 1.5, -0,
]
const wrong: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  '',
  'text',
  '0',
  [],
  [[]],
  [null],
  {},
  { a: 1 },
  { __proto__: null },
  { constructor: 'x' },
  'a\u0000b',
  '\ud800',
  'x'.repeat(5000),
]
const uuids = [
  '',
  'x',
  '00000000-0000-0000-0000-000000000000',
  '{7c9e6679-7425-40de-944b-e07fc1f90ae7}',
  '7c9e6679742540de944be07fc1f90ae7',
  '7c9e6679-7425-40de-944b-e07fc1f90aeg',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '7c9e6679-7425-40de-944b-e07fc1f90ae7\n',
]
/** A PNG of one pixel. */
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A value for a field. What is not `hostile` is what the schema allows, as far as it can say so. */
export function valueFor(schema: SchemaNode, dice: Dice, ids: Ids, hostile: boolean): unknown {
  if (hostile && dice.chance(0.06)) return dice.pick(wrong)
  const inner = (part: SchemaNode) => valueFor(part, dice, ids, hostile)
  if (schema.anyOf) return inner(dice.pick(schema.anyOf))
  switch (schema.type) {
    case 'object':
      return objectFor(schema, dice, hostile, inner)
    case 'array':
      return Array.from({ length: hostile && dice.chance(0.02) ? (schema.maxItems ?? 100) + 1 : dice.pick([0, 1, 1, 2, 5]) }, () =>
        inner(schema.items ?? {}),
      )
    case 'boolean':
      return dice.chance(0.5)
    case 'integer':
    case 'number':
      return intFor(schema, dice, ids, hostile)
    default:
      return stringFor(schema, dice, ids, hostile)
  }
}

function objectFor(schema: SchemaNode, dice: Dice, hostile: boolean, inner: (part: SchemaNode) => unknown): object {
  const value: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    if (dice.chance(schema.required?.includes(name) ? (hostile ? 0.98 : 1) : 0.3)) value[name] = inner(part)
  }
  const values = schema.additionalProperties ?? Object.values(schema.patternProperties ?? {})[0]
  if (values) for (const word of words.slice(0, dice.below(4))) value[word] = inner(values)
  if (hostile && dice.chance(0.1))
    value[dice.pick(['extra', '', 'a.b', 'toString', 'length', '__proto__', 'a'.repeat(1000)])] = dice.pick(wrong)
  return value
}

function intFor({ minimum, maximum }: SchemaNode, dice: Dice, ids: Ids, hostile: boolean): number {
  if (dice.chance(0.3)) return Number(dice.pick(ids.ints))
  if (minimum !== undefined && maximum !== undefined && (!hostile || dice.chance(0.7))) return minimum + dice.below(maximum - minimum + 1)
  return !hostile || dice.chance(0.5) ? dice.below(10) : dice.pick(ints)
}

function stringFor(schema: SchemaNode, dice: Dice, ids: Ids, hostile: boolean): unknown {
  if (schema.contentEncoding)
    return hostile
      ? dice.pick([picture, '', 'AAAA', 'not base64', picture.slice(0, 60), Buffer.from(text(dice, {}, true)).toString('base64')])
      : picture
  if (schema.format === 'uuid') return !hostile || dice.chance(0.85) ? recased(dice.pick(ids.uuids), dice) : dice.pick(uuids)
  if (schema.format === 'date-time') return dice.pick(!hostile || dice.chance(0.7) ? dates.slice(0, 3) : dates)
  if (schema.enum) return recased(dice.pick(schema.enum), dice)
  // Names of things stand in texts too.
  if (dice.chance(0.1)) return dice.pick([...ids.uuids, ...ids.ints])
  return text(dice, schema, hostile)
}

function recased(value: string, dice: Dice): string {
  return dice.chance(0.1) ? value.toUpperCase() : value
}

/** For a path: as text, escaped, or not even that. */
export function segmentFor(schema: SchemaNode, dice: Dice, ids: Ids, hostile: boolean): string {
  if (hostile && dice.chance(0.08))
    return dice.pick([
      '%',
      '%00',
      '%ff',
      '%zz',
      '%ed%a0%80',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e',
      'a%0d%0ab',
      '%20',
      '~',
      "'",
      'NaN',
      'null',
      'x'.repeat(3000),
      '%5c',
      '%F0%9F%92%A9',
    ])
  const value = valueFor(schema, dice, ids, hostile)
  const asText = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return encodeURIComponent((asText.isWellFormed() ? asText : 'x').slice(0, 2000))
}

/** A query string without its question mark. */
export function queryFor(properties: Readonly<Record<string, SchemaNode>>, dice: Dice, ids: Ids, hostile: boolean): string {
  const parts: string[] = []
  for (const [name, schema] of Object.entries(properties)) {
    if (!dice.chance(0.35)) continue
    const key = dice.pick([name, name, name, name.toLowerCase(), `${name}[]`])
    for (let times = dice.chance(0.1) ? 2 : 1; times > 0; times--)
      parts.push(
        `${key}=${hostile && dice.chance(0.05) ? dice.pick(['%', '%00', '%ff', '', '+', '%ed%a0%80']) : segmentFor(schema.type === 'array' ? (schema.items ?? {}) : schema, dice, ids, hostile)}`,
      )
  }
  if (hostile && dice.chance(0.1))
    parts.push(dice.pick(['__proto__=1', 'constructor=1', '&&', '=', 'unknown=1', '%', `long=${'x'.repeat(3000)}`]))
  return parts.join('&')
}
