// Bodies with one field that is too large for memory: its bytes go to a file while they arrive, the
// rest is read as any other body.
import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import type { Source } from '../schema/decode.ts'
import { badRequest, bodyMissing } from '../errors.ts'
import { SpooledFile } from '../files/files.ts'
import { readMultipart } from './multipart.ts'
import { isMultipart, parseJson } from './request-body.ts'

/** A body as it arrived, before validation. */
interface RawBody {
  value: unknown
  source: Source
}

/** Bytes that a body may have beside the field. */
const maxRestBytes = 64 * 1024

/**
 * Reads a body whose top-level `field` goes to a new file at `path`, and in the value becomes a SpooledFile. The
 * file is on the disk for good when this resolves; when it rejects there is none. Without `keep` there is never one.
 */
export async function spoolBody(
  body: Readable,
  contentType: string,
  field: string,
  path: string,
  { keep }: { keep: boolean },
): Promise<RawBody> {
  if (!keep) return await read(body, contentType, field, new Growing(path))
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'wx')
  try {
    const raw = await read(body, contentType, field, new Growing(path, file))
    await file.sync()
    return raw
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function read(body: Readable, contentType: string, field: string, file: Growing): Promise<RawBody> {
  if (!isMultipart(contentType)) return { value: await readJson(body, field, file), source: 'json' }
  const divert = (name: string, part: Readable) => (name === field ? file.fill(part) : undefined)
  return { value: await readMultipart(body, contentType, { maxPartBytes: maxRestBytes, divert }), source: 'text' }
}

/** The file, filled once. */
class Growing {
  readonly #path: string
  readonly #file: FileHandle | undefined
  #size = 0

  /** Without a file its bytes are only counted. */
  constructor(path: string, file?: FileHandle) {
    this.#path = path
    this.#file = file
  }

  async fill(chunks: AsyncIterable<Buffer>): Promise<SpooledFile> {
    if (this.#size > 0) throw badRequest('body_invalid', 'The request body holds the same field twice.')
    for await (const chunk of chunks) {
      await this.#file?.writeFile(chunk)
      this.#size += chunk.length
    }
    return new SpooledFile(this.#path, this.#size)
  }
}

async function readJson(body: AsyncIterable<Buffer>, field: string, file: Growing): Promise<unknown> {
  const splitter = new JsonSplitter(field)
  const spooled = await file.fill(splitter.split(body))
  const rest = splitter.rest
  if (rest.length === 0) throw bodyMissing()
  const value = parseJson(rest)
  if (splitter.found) (value as Record<string, unknown>)[field] = spooled
  return value
}

const [quote, backslash, colon, comma] = ['"', '\\', ':', ','].map((character) => character.charCodeAt(0))
const opening = new Set([...'{['].map((character) => character.charCodeAt(0)))
const closing = new Set([...'}]'].map((character) => character.charCodeAt(0)))

/**
 * Takes the base64 text of one field out of a JSON object. What is left, with an empty text in its place, is
 * JSON exactly when the whole was: this only has to know where texts begin and end.
 */
class JsonSplitter {
  readonly #field: string
  readonly #rest = Buffer.alloc(maxRestBytes)
  #length = 0
  readonly #base64 = new Base64Decoder()
  #inField = false
  #inText = false
  #escaped = false
  #depth = 0
  /** Within the outermost object: a value is next. */
  #afterColon = false
  /** Where in the rest the last key of the outermost object begins and ends. */
  #key = { start: 0, end: 0 }
  found = false

  constructor(field: string) {
    this.#field = field
  }

  get rest(): Buffer {
    return this.#rest.subarray(0, this.#length)
  }

  /** The decoded bytes of the field. */
  async *split(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length;) {
        if (!this.#inField) {
          at = this.#scan(chunk, at)
          continue
        }
        // Base64 holds no quotes, escaped or not.
        const end = chunk.indexOf(quote as number, at)
        yield this.#base64.take(chunk.toString('latin1', at, end < 0 ? chunk.length : end))
        if (end < 0) break
        this.#base64.finish()
        this.#inField = false
        this.#keep(quote as number)
        at = end + 1
      }
    }
  }

  /** Keeps what stands before the field; returns where it begins, or the end of the chunk. */
  #scan(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] as number
      this.#keep(byte)
      if (this.#inText) this.#withinText(byte)
      else if (byte !== quote) this.#betweenTexts(byte)
      else if (this.#depth === 1 && this.#afterColon && this.#isField()) {
        if (this.found) throw badRequest('body_invalid', 'The request body holds the same field twice.')
        this.found = this.#inField = true
        return at + 1
      } else {
        this.#inText = true
        if (this.#depth === 1 && !this.#afterColon) this.#key.start = this.#length - 1
      }
    }
    return chunk.length
  }

  #withinText(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === backslash) this.#escaped = true
    else if (byte === quote) {
      this.#inText = false
      if (this.#depth === 1 && !this.#afterColon) this.#key.end = this.#length
    }
  }

  #betweenTexts(byte: number): void {
    if (opening.has(byte)) this.#depth++
    else if (closing.has(byte)) this.#depth--
    else if (this.#depth === 1 && byte === colon) this.#afterColon = true
    else if (this.#depth === 1 && byte === comma) this.#afterColon = false
  }

  #isField(): boolean {
    return parseJson(this.#rest.subarray(this.#key.start, this.#key.end)) === this.#field
  }

  #keep(byte: number): void {
    if (this.#length === maxRestBytes) throw badRequest('body_invalid', `The request body holds too much beside ${this.#field}.`)
    this.#rest[this.#length++] = byte
  }
}

/** Decodes base64 piece by piece, as it stands in a JSON text: many encoders escape its slashes. */
class Base64Decoder {
  /** An escape of which the end has not come. */
  #escape = ''
  /** Less than four characters. */
  #group = ''
  #padded = false

  take(text: string): Buffer {
    const all = this.#group + this.#unescaped(this.#escape + text)
    const whole = all.length - (all.length % 4)
    this.#group = all.slice(whole)
    if (whole === 0) return Buffer.alloc(0)
    const groups = all.slice(0, whole)
    if (this.#padded || !/^[A-Za-z0-9+/]*={0,2}$/.test(groups)) throw notBase64()
    this.#padded = groups.endsWith('=')
    return Buffer.from(groups, 'base64')
  }

  finish(): void {
    if (this.#group !== '' || this.#escape !== '') throw notBase64()
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
}

const notBase64 = () => badRequest('body_invalid', 'The request body holds a field that is not base64.')
