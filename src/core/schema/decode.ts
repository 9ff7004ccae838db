// Turns what a client sent into typed values. Two kinds of failure, as the API promises: a wrong
// shape is reported alone (the first one found), broken rules of content all at once.
import { systemClock } from '../base/clock.ts'
import { badRequest, validationFailed, type AppError, type FieldFailure, type FieldFailures } from '../base/errors.ts'
import { ReceivedBytes } from './received-bytes.ts'
import { rulesOf, type SchemaNode, type Static, type TSchema } from './schema.ts'

/** `json`: parsed JSON. `text`: everything arrived as strings (multipart, query, path). */
export type Source = 'json' | 'text'

/** Decodes or throws an AppError with status 400. `nowMs` is for rules about time. */
export type Decoder<T> = (value: unknown, source: Source, nowMs?: number) => T

interface Run {
  source: Source
  nowMs: number | undefined
  path: (string | number)[]
  failures: FieldFailures | undefined
}

type Step = (value: unknown, run: Run) => unknown

const int32 = { min: -2_147_483_648, max: 2_147_483_647 }

/** Compiles a schema once, at start. */
export function decoderOf<S extends TSchema>(schema: S): Decoder<Static<S>> {
  const step = stepOf(schema as SchemaNode, false)
  return (value, source, nowMs) => {
    const run: Run = { source, nowMs, path: [], failures: undefined }
    const decoded = step(value, run)
    if (run.failures) throw validationFailed(run.failures)
    return decoded as Static<S>
  }
}

function stepOf(schema: SchemaNode, optional: boolean): Step {
  if (schema.type === 'object') return schema.properties ? objectStep(schema) : mapStep(schema)
  if (schema.type === 'array') return arrayStep(schema)
  if (schema.type === 'integer' || schema.type === 'number') return numberStep(schema)
  if (schema.type === 'boolean') return booleanStep
  if (schema.type === 'string') return stringStep(schema, optional)
  throw new Error(`schema without a decoder: ${JSON.stringify(schema)}`)
}

function objectStep(schema: SchemaNode): Step {
  const required = new Set(schema.required)
  const fields = Object.entries(schema.properties ?? {}).map(([key, node]) => ({
    key,
    needed: required.has(key),
    fallback: node.default,
    step: stepOf(node, !required.has(key)),
    alias: node['x-alias'],
    emptyList: node.type === 'array' && required.has(key),
    nullable: node['x-nullable'] ?? false,
  }))
  const rules = rulesOf(schema)
  return (value, run) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongShape(run, 'must be an object')
    const decoded: Record<string, unknown> = {}
    for (const { key, alias, needed, fallback, step, emptyList, nullable } of fields) {
      const given = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
      run.path.push(key)
      if (given !== undefined && given !== null) decoded[key] = step(given, run)
      else if (given === null && nullable) decoded[key] = null
      // A form has no way to send an empty list.
      else if (emptyList && run.source === 'text') decoded[key] = []
      else if (needed) throw wrongShape(run, 'is required')
      else if (fallback !== undefined) decoded[key] = fallback
      run.path.pop()
      if (alias !== undefined && decoded[key] !== true) decodeAlias(value, decoded, { key, alias, step }, run)
    }
    rules?.(decoded, (what, path) => fail(run, what, path ?? 'general'), run.nowMs ?? systemClock.now())
    return decoded
  }
}

function decodeAlias(
  value: object,
  decoded: Record<string, unknown>,
  { key, alias, step }: { key: string; alias: string; step: Step },
  run: Run,
): void {
  const given = Object.hasOwn(value, alias) ? (value as Record<string, unknown>)[alias] : undefined
  if (given === undefined || given === null) return
  run.path.push(alias)
  decoded[key] = step(given, run)
  run.path.pop()
}

function mapStep(schema: SchemaNode): Step {
  const node = schema.additionalProperties ?? Object.values(schema.patternProperties ?? {})[0]
  if (!node) throw new Error('an object schema needs properties or one type for all values')
  const step = stepOf(node, false)
  return (value, run) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrongShape(run, 'must be an object')
    const decoded: Record<string, unknown> = Object.create(null)
    for (const [key, given] of Object.entries(value)) {
      run.path.push(key)
      decoded[stringOf(key, run)] = step(given, run)
      run.path.pop()
    }
    return decoded
  }
}

const maxItems = 10_000

function arrayStep(schema: SchemaNode): Step {
  const step = stepOf(schema.items ?? {}, false)
  const limit = schema.maxItems ?? maxItems
  return (value, run) => {
    const items = Array.isArray(value)
      ? value
      : run.source === 'text' && typeof value === 'string'
        ? value.split(',', limit + 1)
        : undefined
    if (!items) throw wrongShape(run, 'must be a list')
    if (items.length > limit) throw wrongShape(run, `must have at most ${limit} entries`)
    return items.map((item, index) => {
      run.path.push(index)
      const decoded = step(item, run)
      run.path.pop()
      return decoded
    })
  }
}

function numberStep(schema: SchemaNode): Step {
  const integer = schema.type === 'integer'
  const min = schema.minimum ?? (integer ? int32.min : -Number.MAX_VALUE)
  const max = schema.maximum ?? (integer ? int32.max : Number.MAX_VALUE)
  return (value, run) => {
    const number = run.source === 'text' && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isFinite(number))
      throw wrongShape(run, integer ? 'must be a whole number' : 'must be a number')
    if (integer && !Number.isInteger(number)) throw wrongShape(run, 'must be a whole number')
    if (number < min || number > max) throw wrongShape(run, `must be from ${min} to ${max}`)
    return number
  }
}

const booleanStep: Step = (value, run) => {
  if (typeof value === 'boolean') return value
  const boolean = run.source === 'text' && typeof value === 'string' ? readBoolean(value) : undefined
  if (boolean === undefined) throw wrongShape(run, 'must be true or false')
  return boolean
}

/** `true`/`1`/`on`, `false`/`0` in any case; the empty string is what a bare `?flag` gives. */
function readBoolean(value: string): boolean | undefined {
  switch (value.toLowerCase()) {
    case 'true':
    case '1':
    case 'on':
    case '':
      return true
    case 'false':
    case '0':
      return false
    default:
      return undefined
  }
}

/** Texts that may be longer are files, such as lists: their code units count, which takes no time. */
const maxClusters = 100_000
/** By so much a text may be too long and still be told its length. */
const maxExcess = 10_000

function stringStep(schema: SchemaNode, optional: boolean): Step {
  if (schema.contentEncoding === 'base64') return bytesStep
  if (schema.format === 'date-time') return dateStep
  if (schema.format === 'uuid') return uuidStep
  if (schema.enum) return enumStep(schema.enum, schema['x-ignoreCase'] ?? false, schema['x-aliases'] ?? {})
  const { minLength: min = 0, maxLength: max = Infinity, 'x-maxLines': lines = Infinity } = schema
  // Counting ends soon after the bound: millions of clusters would block the loop for seconds.
  const most = max + Math.min(max, maxExcess)
  const lengthOf = (text: string): number => {
    if (max === Infinity) return graphemes(text, min)
    if (max > maxClusters) return text.length
    const length = isTooLarge(text, max) ? Infinity : graphemes(text, most + 1)
    return length > most ? Infinity : length
  }
  return (value, run) => {
    const text = stringOf(value, run)
    if (optional && text === '') return text
    const length = lengthOf(text)
    const hasTooMany = lines !== Infinity && hasMoreLines(text, lines)
    if (length >= min && length <= max && !hasTooMany) return text
    const name = nameOf(run)
    if (length < min && min === 1) fail(run, { text: `${name} must not be empty`, rule: 'empty' })
    else if (length < min) fail(run, { text: `${name} must have at least ${min} characters`, rule: 'too_short', min })
    if (length > max) {
      const has = length === Infinity ? '' : `, it has ${length}`
      fail(run, { text: `${name} must have at most ${max} characters${has}`, rule: 'too_long', max })
    }
    if (hasTooMany) fail(run, { text: `${name} must have at most ${lines} lines`, rule: 'too_many_lines', max: lines })
    return text
  }
}

/**
 * True for more bytes than so many characters have: Postgres indexes no 3,000 of them, and counting the clusters of
 * megabytes would block the loop.
 */
function isTooLarge(text: string, max: number): boolean {
  // A family of four is 25 bytes; a few characters may have more.
  const bytes = max * 25 + 64
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes
}

/** Postgres cannot store NUL, and a lone surrogate is not text. */
function stringOf(value: unknown, run: Run): string {
  if (typeof value !== 'string') throw wrongShape(run, 'must be a text')
  if (value.includes('\0')) throw wrongShape(run, 'must not contain the NUL character')
  if (!value.isWellFormed()) throw wrongShape(run, 'must be well-formed Unicode text')
  return value
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** True for a UUID in any case. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

const uuidStep: Step = (value, run) => {
  if (typeof value !== 'string' || !isUuid(value)) throw wrongShape(run, 'must be a UUID')
  return value.toLowerCase()
}

function enumStep(values: readonly string[], ignoreCase: boolean, aliases: Readonly<Record<string, string>>): Step {
  const byName = new Map([...values.map((value) => [ignoreCase ? value.toLowerCase() : value, value] as const), ...Object.entries(aliases)])
  const words = [...values, ...Object.keys(aliases)].join(', ')
  return (value, run) => {
    const found = typeof value === 'string' ? byName.get(ignoreCase ? value.toLowerCase() : value) : undefined
    if (found === undefined) throw wrongShape(run, `must be one of ${words}`)
    return found
  }
}

const isoPattern = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/i
// Years 0001 to 9999: what both ISO 8601 and Postgres hold without extensions.
const dateRange = { min: -62_135_596_800_000, max: 253_402_300_799_999 }

/** NaN when it is none. */
function parseIso(text: string): number {
  const [matched, year, month, day] = isoPattern.exec(text) ?? []
  // Date takes 31 February for a day in March.
  if (matched === undefined || Number(day) > new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate()) return NaN
  return Date.parse(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase())
}

/** ISO 8601 with offset, or seconds since 1970; undefined when it is neither. */
export function parseDate(value: unknown): Date | undefined {
  const seconds = typeof value === 'number' ? value : typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined
  const ms = seconds !== undefined ? Math.round(seconds * 1000) : typeof value === 'string' ? parseIso(value) : NaN
  return ms >= dateRange.min && ms <= dateRange.max ? new Date(ms) : undefined
}

const dateStep: Step = (value, run) => {
  const date = parseDate(value)
  if (!date) throw wrongShape(run, 'must be an ISO 8601 date and time with a time zone, or seconds since 1970')
  return date
}

const bytesStep: Step = (value, run) => {
  if (value instanceof ReceivedBytes) return value
  if (Buffer.isBuffer(value)) return new ReceivedBytes(value)
  if (typeof value !== 'string' || value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) throw wrongShape(run, 'must be base64')
  return new ReceivedBytes(Buffer.from(value, 'base64'))
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Code units that are segmented at once: the time that Intl.Segmenter takes grows with the square of a text's length. */
const pieceLength = 1024

/** User-perceived characters; counting stops at `enough`. */
export function graphemes(text: string, enough = Infinity): number {
  // oxlint-disable-next-line no-control-regex -- CR LF is one cluster; everything else in this range is one each.
  if (/^[\x01-\x09\x0b\x0c\x0e-\x7f]*$/.test(text)) return text.length
  let count = 0
  let length = pieceLength
  for (let from = 0; count < enough && from < text.length;) {
    if (isLowSurrogate(text.charCodeAt(from + length))) length++
    let found = 0
    let lastIndex = 0
    for (const { index } of segmenter.segment(text.slice(from, from + length))) {
      found++
      lastIndex = index
    }
    if (from + length >= text.length) return Math.min(enough, count + found)
    // The last cluster of a piece may continue after it: the next piece begins there.
    count += found - 1
    from += lastIndex
    length = found === 1 ? length * 2 : pieceLength
  }
  return Math.min(enough, count)
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

const lineBreak = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/
const lineBreaks = new RegExp(lineBreak, 'g')

/** True when the text has more lines than that, as the API counts them. */
function hasMoreLines(text: string, lines: number): boolean {
  // Most texts are one line: to look for one break takes a quarter of the time.
  if (!lineBreak.test(text)) return false
  let breaks = 0
  for (const _break of text.matchAll(lineBreaks)) if (++breaks >= lines) return true
  return false
}

function fail(run: Run, what: string | FieldFailure, relative?: string): void {
  const path = relative === 'general' ? 'general' : [...run.path, ...(relative === undefined ? [] : [relative])].join('.') || 'general'
  run.failures ??= new Map()
  const others = run.failures.get(path)
  if (others) others.push(what)
  else run.failures.set(path, [what])
}

function nameOf(run: Run): string {
  return String(run.path.findLast((part) => typeof part === 'string') ?? 'value')
}

function wrongShape(run: Run, text: string): AppError {
  return badRequest('body_invalid', `${run.path.length > 0 ? run.path.join('.') : 'The value'} ${text}.`)
}
