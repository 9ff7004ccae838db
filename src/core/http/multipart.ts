// multipart/form-data to the nested values that JSON would have given: `images[0][image]` and so on.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Busboy } from '@fastify/busboy'
import { AppError, badRequest } from '../base/errors.ts'
import { ReceivedBytes } from '../schema/received-bytes.ts'
import { inPortions } from './portions.ts'

const maxParts = 1000
const maxDepth = 6
/** More is parsed for long; pictures are sent in other ways. */
const maxFormLength = 1024 * 1024

/**
 * Reads a whole multipart body. Plain parts become strings, file parts Buffers; bracket names nest,
 * and lists are objects keyed by position until `listsFromIndexes`.
 *
 * @throws AppError 400 for anything that is not well-formed multipart with UTF-8 text.
 */
export function parseMultipart(body: Buffer, contentType: string): Promise<unknown> {
  return readMultipart(Readable.from([body], { objectMode: false }), contentType, { maxKeptBytes: body.length })
}

/** A url-encoded form, whose names nest as those of parts do. @throws AppError 400 when it is too large. */
export function parseForm(text: string): unknown {
  if (text.length > maxFormLength) throw badRequest('body_invalid', `A url-encoded form must have at most ${maxFormLength} characters.`)
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++fields > maxParts) throw badRequest('body_invalid', 'The form holds too many fields.')
  const form: Record<string, unknown> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) put(form, name, value)
  return listsFromIndexes(form)
}

interface Reading {
  /** Of all parts that are kept in memory. */
  maxKeptBytes: number
  /** Takes a part that is not; its value is what the promise resolves with. */
  divert?(path: readonly string[], part: Readable, isFile: boolean): Promise<unknown> | undefined
}

/** As `parseMultipart`, while the body arrives. */
export async function readMultipart(body: Readable, contentType: string, { maxKeptBytes, divert }: Reading): Promise<unknown> {
  const boundary = boundaryIn(contentType)
  const form: Record<string, unknown> = Object.create(null)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  const diverted: Promise<void>[] = []
  let keptBytes = 0
  await new Promise<void>((resolve, reject) => {
    const refuse = (cause: unknown) =>
      reject(cause instanceof AppError ? cause : badRequest('body_invalid', 'The multipart body is not well-formed.', cause))
    try {
      const parser = new Busboy({
        headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
        limits: { files: maxParts, parts: maxParts, fieldNameSize: 200, headerPairs: 20, fileSize: Infinity },
        // As a file every part arrives as raw bytes, so that wrong UTF-8 can be told from right.
        isPartAFile: () => true,
      })
      parser.on('file', (name, stream, filename: string | undefined) => {
        stream.on('error', refuse)
        const taken = divert?.(pathOf(name), stream, filename !== undefined)
        if (taken) {
          const kept = taken.then((value) => put(form, name, value))
          kept.catch(refuse)
          diverted.push(kept)
          return
        }
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => {
          keptBytes += chunk.length
          if (keptBytes <= maxKeptBytes) chunks.push(chunk)
          else refuse(badRequest('body_invalid', 'The multipart body holds too much beside its files.'))
        })
        stream.on('end', () => {
          try {
            const bytes = Buffer.concat(chunks)
            put(form, name, filename === undefined ? utf8.decode(bytes) : bytes)
          } catch (cause) {
            refuse(cause)
          }
        })
      })
      parser.on('partsLimit', () => refuse('too many parts'))
      parser.on('filesLimit', () => refuse('too many parts'))
      parser.on('error', refuse)
      parser.on('finish', () => resolve())
      pipeline(body, (pieces: AsyncIterable<Buffer>) => withFewParts(pieces, boundary), parser).catch(refuse)
    } catch (cause) {
      refuse(cause)
    }
  })
  await Promise.all(diverted)
  return listsFromIndexes(form)
}

/** As RFC 2046 allows it. */
function boundaryIn(contentType: string): string {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? []
  const boundary = quoted ?? bare ?? ''
  if (!/^[\w'()+,./:=? -]{1,70}$/.test(boundary)) throw badRequest('body_invalid', 'The multipart body has no usable boundary.')
  return boundary
}

/**
 * Refuses a body of too many parts. The parser counts them too late: what is next to nothing between two boundaries costs
 * it a kilobyte, and it reads to the end whatever it has refused.
 */
async function* withFewParts(body: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Buffer, void> {
  const delimiter = Buffer.from(`--${boundary}`)
  let parts = 0
  let tail: Buffer = Buffer.alloc(0)
  for await (const portion of inPortions(body)) {
    const searched = Buffer.concat([tail, portion])
    let passed = 0
    for (let at = searched.indexOf(delimiter); at >= 0; at = searched.indexOf(delimiter, passed)) {
      passed = at + delimiter.length
      if (++parts > maxParts + 1) throw badRequest('body_invalid', 'The multipart body has too many parts.')
    }
    tail = searched.subarray(Math.max(passed, searched.length - delimiter.length + 1))
    yield portion
  }
}

/** `a`, `a[b]`, `a[0][b]`, `a[]`. A repeated name becomes a list. */
function put(form: Record<string, unknown>, name: string, value: unknown): void {
  const keys = pathOf(name)
  const last = keys.pop()
  if (last === undefined || keys.length > maxDepth) throw badRequest('body_invalid', 'A part of the body has an unusable name.')
  let at = form
  for (const key of keys) {
    const next = at[key]
    if (isTree(next)) at = next
    else at = at[key] = Object.create(null) as Record<string, unknown>
  }
  const found = at[last]
  if (found === undefined) at[last] = value
  else at[last] = Array.isArray(found) ? [...found, value] : [found, value]
}

/** `images[0][image]` as its parts; `[]` is an empty one. */
function pathOf(name: string): string[] {
  return [...name.matchAll(/[^[\]]+|\[\]/g)].map(([key]) => (key === '[]' ? '' : key))
}

function isTree(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Buffer.isBuffer(value) && !(value instanceof ReceivedBytes) && !Array.isArray(value)
  )
}

/** Objects whose keys are all list positions become lists, at every depth. */
function listsFromIndexes(value: unknown): unknown {
  if (!isTree(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, listsFromIndexes(item)] as const)
  if (entries.length > 0 && entries.every(([key]) => /^\d{0,4}$/.test(key))) {
    return entries
      .toSorted(([a], [b]) => Number(a) - Number(b))
      .flatMap(([key, item]) => (key === '' && Array.isArray(item) ? item : [item]))
  }
  return Object.fromEntries(entries)
}
