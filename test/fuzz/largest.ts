// Texts as large as they get: as many bytes as the fewest characters can have, and texts of megabytes where
// no length is declared.
import type { Route } from '../../src/core/http/route.ts'
import type { SchemaNode } from '../../src/core/schema/schema.ts'
import { goodBody } from '../support/bodies.ts'
import { Dice } from './values.ts'

/** A request with one very large text in it. */
export interface LargeRequest {
  what: string
  path: string
  body: unknown
}

const dice = new Dice(7)
const noise = (length: number, from: number, to: number) =>
  Array.from({ length }, () => String.fromCharCode(from + dice.below(to - from))).join('')
const times = (count: number, make: () => string) => Array.from({ length: count }, make)
const unbounded = 10_000
// Nothing in them can be compressed.
const marks = {
  few: times(unbounded, () => noise(1, 0x61, 0x7b) + noise(10, 0x300, 0x370)),
  many: times(unbounded, () => noise(1, 0x61, 0x7b) + noise(30, 0x300, 0x370)),
}
const letters = noise(500_000, 0x4e00, 0x9fa5)
// More than Postgres takes into an index of words.
const words = times(200_000, () => `${noise(6, 0x61, 0x7b)} `).join('')
const tags = times(20_000, () => `#${noise(37, 0x4e00, 0x9fa5)} `).join('')
const large: Readonly<Record<string, (max: number) => string>> = {
  'characters of 11': (max) => marks.few.slice(0, max).join(''),
  'characters of 31': (max) => marks.many.slice(0, max).join(''),
  letters: (max) => letters.slice(0, max),
  words: (max) => words.slice(0, max),
  tags: (max) => tags.slice(0, max),
}

const isText = ({ type, format, enum: values, contentEncoding }: SchemaNode) =>
  type === 'string' && format === undefined && values === undefined && contentEncoding === undefined

/** All of them for one route. `paths` gives a path with good ids, in which a parameter can be replaced. */
export function largeRequests(
  { params = {}, body, query = {} }: Route,
  pathWith: (more: Record<string, string>) => string,
): LargeRequest[] {
  const good = () => (body ? goodBody(body as SchemaNode) : undefined)
  const inPath = Object.entries(params as Record<string, SchemaNode>).filter(([, schema]) => isText(schema))
  const inQuery = Object.entries(query as Record<string, SchemaNode>).filter(([, schema]) => isText(schema))
  return Object.entries(large).flatMap(([kind, make]) => [
    // A longer one would not get past the limit of heads.
    ...inPath.map(([name, { maxLength = unbounded }]) => ({
      what: `${name} of ${kind}`,
      path: pathWith({ [name]: encodeURIComponent(cut(make(maxLength), 3000)) }),
      body: good(),
    })),
    ...inQuery.map(([name, { maxLength = unbounded }]) => ({
      what: `${name} of ${kind}`,
      path: `${pathWith({})}?${name}=${encodeURIComponent(cut(make(maxLength), 3000))}`,
      body: good(),
    })),
    ...textsIn((body ?? {}) as SchemaNode).map((at) => {
      const value = { body: good() }
      put(value, ['body', ...at.keys], make(at.max))
      return { what: `${at.keys.join('.')} of ${kind}`, path: pathWith({}), body: value.body }
    }),
  ])
}

/** So much of a text that it has no more than this many characters once it is escaped. */
function cut(text: string, escaped: number): string {
  let end = Math.min(text.length, escaped)
  while (encodeURIComponent(text.slice(0, end)).length > escaped) end = Math.floor(end * 0.8)
  return text.slice(0, end)
}

/** Where in a value of this schema texts stand. */
function textsIn(schema: SchemaNode): { keys: (string | number)[]; max: number }[] {
  if (isText(schema)) return [{ keys: [], max: schema.maxLength ?? Infinity }]
  const inside = (key: string | number, part: SchemaNode) => textsIn(part).map(({ keys, max }) => ({ keys: [key, ...keys], max }))
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => inside(name, part)),
    ...(schema.items ? inside(0, schema.items) : []),
  ]
}

function put(into: object, [first, ...rest]: readonly (string | number)[], value: string): void {
  const at = into as Record<string | number, unknown>
  if (rest.length === 0) at[first as string] = value
  else put((at[first as string] ??= typeof rest[0] === 'number' ? [] : {}) as object, rest, value)
}
