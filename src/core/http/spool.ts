// Large bodies with fields that hold bytes: these go to files while they arrive, the rest is read as any other body.
import { randomBytes } from 'node:crypto'
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Source } from '../schema/decode.ts'
import { badRequest, bodyMissing, storageFailed, type AppError } from '../base/errors.ts'
import { ReceivedBytes } from '../schema/received-bytes.ts'
import type { SchemaNode } from '../schema/schema.ts'
import { parseForm, readMultipart } from './multipart.ts'
import { inPortions } from './portions.ts'
import { isForm, isMultipart, parseJson, tooMuchAtOnce, utf8Text } from './request-body.ts'

/** Names of nested fields; `*` stands for every position of a list. */
export type FieldPath = readonly string[]

/** The fields of a body that hold bytes. */
export function bytePaths({ contentEncoding, properties = {}, items }: SchemaNode): FieldPath[] {
  if (contentEncoding === 'base64') return [[]]
  return [...Object.entries(properties), ...(items ? [['*', items] as const] : [])].flatMap(([name, part]) =>
    bytePaths(part).map((path) => [name, ...path]),
  )
}

/** A body as it arrived, before validation. */
interface RawBody {
  value: unknown
  source: Source
}

/** Bytes that a body may have beside these fields. */
const maxRestBytes = 1024 * 1024
/** More than any body may hold: of further ones only the size is known. */
const maxFiles = 16

/** The files of one request. */
export class Spool {
  readonly #folder: string
  readonly #newName: () => string
  readonly #takes: ((bytes: number) => boolean) | undefined
  readonly #files: SpoolFile[] = []

  /** `takes` says whether there is room for so many more bytes; without it nothing is written. */
  constructor(folder: string, { newName, takes }: { newName: () => string; takes: ((bytes: number) => boolean) | undefined }) {
    this.#folder = folder
    this.#newName = newName
    this.#takes = takes
  }

  begin(): SpoolFile {
    const file = new SpoolFile(join(this.#folder, this.#newName()), this.#files.length < maxFiles ? this.#takes : undefined)
    this.#files.push(file)
    return file
  }

  /** Removes the files that nobody has moved. */
  async remove(): Promise<void> {
    for (const file of this.#files) await file.remove()
  }
}

const blockBytes = 256 * 1024

/** The bytes of one field. */
class SpoolFile {
  readonly #path: string
  readonly #takes: ((bytes: number) => boolean) | undefined
  #handle: FileHandle | undefined
  /** What comes in small pieces is written in large ones. */
  #block: Buffer | undefined
  #filled = 0
  #size = 0

  constructor(path: string, takes: ((bytes: number) => boolean) | undefined) {
    this.#path = path
    this.#takes = takes
  }

  async write(chunk: Buffer): Promise<void> {
    if (chunk.length > 0) await this.#add(chunk.length, (block, at) => chunk.copy(block, at))
  }

  /** Decodes whole groups of base64, padded or not. */
  async writeBase64(groups: string): Promise<void> {
    const padding = groups.endsWith('==') ? 2 : groups.endsWith('=') ? 1 : 0
    await this.#add((groups.length / 4) * 3 - padding, (block, at) => block.write(groups, at, 'base64'))
  }

  async #add(size: number, put: (block: Buffer, at: number) => void): Promise<void> {
    this.#size += size
    if (!this.#takes) return
    if (!this.#takes(size)) throw tooMuchAtOnce()
    if (this.#filled + size > (this.#block?.length ?? 0)) await this.#flush()
    if (size > (this.#block?.length ?? 0)) this.#block = Buffer.allocUnsafeSlow(Math.max(size, blockBytes))
    put(this.#block as Buffer, this.#filled)
    this.#filled += size
  }

  async #flush(): Promise<void> {
    if (!this.#block || this.#filled === 0) return
    try {
      this.#handle ??= await this.#open()
      await this.#handle.writeFile(this.#block.subarray(0, this.#filled))
    } catch (error) {
      throw storageFailed(error)
    }
    this.#filled = 0
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.#path), { recursive: true })
    return await open(this.#path, 'wx')
  }

  async end(): Promise<ReceivedBytes> {
    if (this.#size === 0) return new ReceivedBytes(Buffer.alloc(0))
    await this.#flush()
    this.#block = undefined
    await this.#handle?.close()
    return new ReceivedBytes(this.#handle && this.#path, this.#size)
  }

  async remove(): Promise<void> {
    if (!this.#handle) return
    // Of one that has ended this does nothing.
    await this.#handle.close().catch(() => undefined)
    await rm(this.#path, { force: true })
  }
}

/** Reads a body whose `fields` go to files; in the value they are ReceivedBytes. */
export async function spoolBody(body: Readable, contentType: string, fields: readonly FieldPath[], spool: Spool): Promise<RawBody> {
  if (!isMultipart(contentType)) return await readText(body, contentType, fields, spool)
  const divert = (path: readonly string[], part: Readable, isFile: boolean) =>
    fields.some((field) => isAt(field, path)) ? taken(part, spool, isFile ? undefined : new Base64Decoder(path.join('.'))) : undefined
  return { value: await readMultipart(body, contentType, { maxKeptBytes: maxRestBytes, divert }), source: 'text' }
}

const isAt = (field: FieldPath, path: readonly string[]): boolean =>
  field.length === path.length &&
  field.every((name, index) => (name === '*' ? /^\d{0,4}$/.test(path[index] as string) : name === path[index]))

async function taken(part: Readable, spool: Spool, base64: Base64Decoder | undefined): Promise<ReceivedBytes> {
  const file = spool.begin()
  for await (const chunk of part as AsyncIterable<Buffer>) await (base64 ? base64.take(chunk.toString('latin1'), file) : file.write(chunk))
  base64?.finish()
  return await file.end()
}

async function readText(body: Readable, contentType: string, fields: readonly FieldPath[], spool: Spool): Promise<RawBody> {
  const splitter = new JsonSplitter(fields, spool)
  for await (const portion of inPortions(body as AsyncIterable<Buffer>)) await splitter.take(portion)
  const { rest } = splitter
  if (rest.length === 0) throw bodyMissing()
  if (isForm(rest, contentType)) return { value: parseForm(utf8Text(rest)), source: 'text' }
  const value = parseJson(rest)
  for (const field of fields) splitter.putBack(value, field)
  return { value, source: 'json' }
}

const [quote, backslash, colon, comma, brace, endOfBrace, bracket, endOfBracket] = [...'"\\:,{}[]'].map((character) =>
  character.charCodeAt(0),
) as [number, number, number, number, number, number, number, number]
const space = 0x20

/** A list or an object that has begun. */
interface Level {
  isList: boolean
  /** In an object: a value is next. */
  afterColon: boolean
  /** In a list: the position of the next value. */
  position: number
  /** In an object: where in the rest the last key begins and ends. */
  key: { start: number; end: number }
}

/**
 * Takes base64 texts out of JSON. What is left, with a name in the place of each, is JSON exactly when the whole was:
 * this only has to know where texts begin and end, and how deep it is.
 */
class JsonSplitter {
  readonly #fields: readonly FieldPath[]
  readonly #spool: Spool
  /** How deep a field can be. */
  readonly #depths: ReadonlySet<number>
  readonly #maxDepth: number
  #rest = Buffer.alloc(64 * 1024)
  #length = 0
  /** Marks our own lines: it is random, so that no text which a client sends can begin with it. */
  readonly #prefix = randomBytes(12).toString('hex')
  readonly #seen = new Set<string>()
  readonly #taken = new Map<string, ReceivedBytes>()
  #inField: { file: SpoolFile; base64: Base64Decoder } | undefined
  #inText = false
  #escaped = false
  /** Undefined before anything but spaces has come. */
  #isObject: boolean | undefined
  #depth = 0
  /** Those deeper than any field are only counted. */
  readonly #levels: Level[] = []

  constructor(fields: readonly FieldPath[], spool: Spool) {
    this.#fields = fields
    this.#spool = spool
    this.#depths = new Set(fields.map(({ length }) => length))
    this.#maxDepth = Math.max(0, ...this.#depths)
  }

  get rest(): Buffer {
    return this.#rest.subarray(0, this.#length)
  }

  async take(chunk: Buffer): Promise<void> {
    for (let at = 0; at < chunk.length;) {
      if (!this.#inField) {
        at = this.#scan(chunk, at)
        continue
      }
      const { file, base64 } = this.#inField
      // Base64 holds no quotes, escaped or not.
      const end = chunk.indexOf(quote, at)
      await base64.take(chunk.toString('latin1', at, end < 0 ? chunk.length : end), file)
      if (end < 0) return
      base64.finish()
      const name = `${this.#prefix}${this.#taken.size}`
      this.#taken.set(name, await file.end())
      this.#inField = undefined
      for (const byte of Buffer.from(name)) this.#keep(byte)
      this.#keep(quote)
      at = end + 1
    }
  }

  /** Puts what was taken from there into the parsed rest. */
  putBack(value: unknown, [name, ...deeper]: FieldPath): void {
    if (typeof value !== 'object' || value === null || name === undefined) return
    const entries = value as Record<string, unknown>
    for (const key of name === '*' && Array.isArray(value) ? value.keys() : Object.hasOwn(value, name) ? [name] : []) {
      const part = entries[key]
      if (deeper.length > 0) this.putBack(part, deeper)
      else if (typeof part === 'string') entries[key] = this.#taken.get(part) ?? part
    }
  }

  /** Keeps what stands before a field; returns where it begins, or the end of the chunk. */
  #scan(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] as number
      this.#keep(byte)
      if (this.#inText) this.#withinText(byte)
      else if (byte !== quote) this.#betweenTexts(byte)
      else {
        const field = this.#field()
        if (field !== undefined) {
          if (this.#seen.has(field)) throw badRequest('body_invalid', `The request body holds ${field} twice.`)
          this.#seen.add(field)
          this.#inField = { file: this.#spool.begin(), base64: new Base64Decoder(field) }
          return at + 1
        }
        this.#isObject ??= false
        this.#inText = true
        const level = this.#level()
        if (level && !level.isList && !level.afterColon) level.key.start = this.#length - 1
      }
    }
    return chunk.length
  }

  /** The innermost one; undefined where no field can be. */
  #level(): Level | undefined {
    return this.#levels[this.#depth - 1]
  }

  #withinText(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === backslash) this.#escaped = true
    else if (byte === quote) {
      this.#inText = false
      const level = this.#level()
      if (level && !level.isList && !level.afterColon) level.key.end = this.#length
    }
  }

  #betweenTexts(byte: number): void {
    if (byte > space) this.#isObject ??= byte === brace
    const level = this.#level()
    if (byte === brace || byte === bracket) {
      this.#depth++
      if (this.#depth <= this.#maxDepth)
        this.#levels[this.#depth - 1] = { isList: byte === bracket, afterColon: false, position: 0, key: { start: 0, end: 0 } }
    } else if (byte === endOfBrace || byte === endOfBracket) this.#depth--
    else if (byte === colon && level) level.afterColon = true
    else if (byte === comma && level) {
      level.afterColon = false
      level.position++
    }
  }

  /** The dotted path of the text that begins, if it is one of the fields. */
  #field(): string | undefined {
    if (!this.#isObject || !this.#depths.has(this.#depth)) return undefined
    const levels = this.#levels.slice(0, this.#depth)
    if (levels.some(({ isList, afterColon }) => !isList && !afterColon)) return undefined
    return this.#fields.some(
      (field) => field.length === levels.length && field.every((name, index) => this.#isNamed(levels[index] as Level, name)),
    )
      ? levels.map((level) => (level.isList ? level.position : this.#keyOf(level))).join('.')
      : undefined
  }

  #isNamed(level: Level, name: string): boolean {
    return level.isList ? name === '*' : name === this.#keyOf(level)
  }

  #keyOf({ key: { start, end } }: Level): unknown {
    return parseJson(this.#rest.subarray(start, end))
  }

  #keep(byte: number): void {
    if (this.#length === maxRestBytes)
      throw badRequest('body_invalid', `The request body holds too much beside ${this.#fields.map((field) => field.join('.')).join(', ')}.`)
    if (this.#length === this.#rest.length) this.#rest = Buffer.concat([this.#rest], this.#rest.length * 2)
    this.#rest[this.#length++] = byte
  }
}

/** Decodes base64 piece by piece, as it stands in a JSON text: many encoders escape its slashes. */
class Base64Decoder {
  readonly #field: string
  /** An escape of which the end has not come. */
  #escape = ''
  /** Less than four characters. */
  #group = ''
  #padded = false

  constructor(field: string) {
    this.#field = field
  }

  async take(text: string, file: SpoolFile): Promise<void> {
    const all = this.#group + this.#unescaped(this.#escape + text)
    const whole = all.length - (all.length % 4)
    this.#group = all.slice(whole)
    if (whole === 0) return
    const groups = all.slice(0, whole)
    if (this.#padded || !/^[A-Za-z0-9+/]*={0,2}$/.test(groups)) throw this.#refusal()
    this.#padded = groups.endsWith('=')
    await file.writeBase64(groups)
  }

  finish(): void {
    if (this.#group !== '' || this.#escape !== '') throw this.#refusal()
  }

  #unescaped(text: string): string {
    this.#escape = ''
    if (!text.includes('\\')) return text
    this.#escape = /\\(u[0-9a-f]{0,3})?$/i.exec(text)?.[0] ?? ''
    return text
      .slice(0, text.length - this.#escape.length)
      .replaceAll('\\/', '/')
      .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
  }

  #refusal(): AppError {
    return badRequest('body_invalid', `${this.#field} must be base64.`)
  }
}
