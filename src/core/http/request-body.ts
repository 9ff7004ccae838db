// Bodies of requests: received within their limits, and decoded to the declared types.
import { createHmac, type Hmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Node } from '../work/ctx.ts'
import type { Decoder } from '../schema/decode.ts'
import { badRequest, bodyMissing, bodyTooLarge, unavailable, unsupportedMediaType, type AppError } from '../base/errors.ts'
import type { Exchange } from './exchange.ts'
import type { RequestHead } from '../work/request-head.ts'
import type { IdempotencyKey } from '../db/idempotency.ts'
import { parseForm, parseMultipart } from './multipart.ts'
import type { Viewer } from '../base/viewer.ts'

/**
 * Collects the body. To be called before the handler of uWS returns.
 *
 * @throws AppError 413 when the head announces too much; the promise rejects with it when too much comes.
 */
export function receiveBody(exchange: Exchange, head: RequestHead, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  const body = new Promise<Buffer>((resolve, reject) =>
    receive(exchange, head, limit, reject, (chunk, isLast) => {
      if (!exchange.keep(chunk.length)) {
        chunks.length = 0
        exchange.fail(tooMuchAtOnce(), true)
        return reject(tooMuchAtOnce())
      }
      chunks.push(chunk)
      if (isLast) resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    }),
  )
  // A refusal may come before anybody awaits the body.
  body.catch(() => undefined)
  return body
}

/** 503: bodies of all requests together take too much. */
export const tooMuchAtOnce = () => unavailable('busy', 'The server is receiving too much at the moment. Try again in a moment.')

/** Pieces of a streamed body that may wait in memory; uWebSockets.js makes them half a megabyte at most. */
const streamedAhead = 4

/** As `receiveBody`, for a body that is used while it arrives, and only arrives as fast as it is used, in pieces as they come. All of it goes through `digest`. */
export function streamBody(exchange: Exchange, head: RequestHead, limit: number, digest?: Hmac): Readable {
  const body = new Readable({ objectMode: true, highWaterMark: streamedAhead, read: () => exchange.resume() })
  body.on('error', () => undefined)
  receive(
    exchange,
    head,
    limit,
    (error) => body.destroy(error),
    (chunk, isLast) => {
      digest?.update(chunk)
      const more = body.push(chunk)
      if (isLast) body.push(null)
      else if (!more) exchange.pause()
    },
  )
  return body
}

function receive(
  exchange: Exchange,
  head: RequestHead,
  limit: number,
  refuse: (error: AppError) => void,
  take: (chunk: Buffer, isLast: boolean) => void,
): void {
  if (Number(head.contentLength) > limit) throw bodyTooLarge(limit)
  exchange.hold()
  exchange.refuseBody = (error) => {
    exchange.refuseBody = undefined
    refuse(error)
  }
  exchange.res.onData((chunk, isLast) => {
    if (exchange.over || !exchange.refuseBody) return
    exchange.bytesReceived += chunk.byteLength
    if (exchange.bytesReceived > limit) {
      exchange.fail(bodyTooLarge(limit), true)
      exchange.refuseBody(bodyTooLarge(limit))
      return
    }
    if (isLast) exchange.refuseBody = undefined
    // uWS takes the memory back when this callback returns. `Buffer.from` would fill a large copy with zeros first.
    const copy = Buffer.allocUnsafe(chunk.byteLength)
    copy.set(new Uint8Array(chunk))
    take(copy, isLast)
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Resolves later for multipart only. @throws AppError 400, 415 or 422 for what is no such body. */
export function decodeBody(bytes: Buffer, head: RequestHead, decode: Decoder<unknown>, nowMs: number): unknown {
  if (bytes.length === 0) throw bodyMissing()
  if (isMultipart(head.contentType)) return parseMultipart(bytes, head.contentType).then((parts) => decode(parts, 'text', nowMs))
  if (isForm(bytes, head.contentType)) return decode(parseForm(utf8Text(bytes)), 'text', nowMs)
  return decode(parseJson(bytes), 'json', nowMs)
}

/** A text as the body itself, or as a JSON string where the type of the body is JSON. @throws AppError 400, 415 or 422. */
export function decodePlainText(bytes: Buffer, { contentType }: RequestHead, decode: Decoder<unknown>): unknown {
  if (bytes.length === 0) throw bodyMissing()
  if (isMultipart(contentType)) throw unsupportedMediaType(contentType.slice(0, 100))
  const text = utf8Text(bytes)
  return decode((/json/i.test(contentType) ? jsonStringIn(text) : undefined) ?? text, 'json')
}

/** Undefined when it is something else: some clients say JSON and send the bare text. */
function jsonStringIn(text: string): string | undefined {
  if (!text.startsWith('"')) return undefined
  try {
    return JSON.parse(text) as string
  } catch {
    return undefined
  }
}

/** True for a url-encoded form. Many clients send JSON under its type, which their HTTP library puts there by itself. */
export function isForm(bytes: Uint8Array, contentType: string): boolean {
  if (!/^application\/x-www-form-urlencoded/i.test(contentType)) return false
  const first = bytes.find((byte) => byte > 0x20)
  return first !== brace && first !== bracket && first !== quote
}

/** @throws AppError 400 for what is not UTF-8. */
export function utf8Text(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw badRequest('body_invalid', 'The request body is not UTF-8.', cause)
  }
}

/** True for multipart, false for what is one text. @throws AppError 415 for everything else. */
export function isMultipart(contentType: string): boolean {
  const type = contentType.toLowerCase()
  if (type.startsWith('multipart/form-data')) return true
  if (!/^($|application\/json|[\w.-]+\/[\w.-]+\+json|text\/|application\/x-www-form-urlencoded)/.test(type))
    throw unsupportedMediaType(type.slice(0, 100))
  return false
}

/** @throws AppError 400 when it is no JSON, or more than any request holds. */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length > maxValues && hasTooManyValues(bytes)) throw badRequest('body_invalid', 'The request body holds too many values.')
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw badRequest('body_invalid', 'The request body is not well-formed JSON.', cause)
  }
}

/** The longest list that is taken, of texts, is two thirds of it. Ten times as many hold the loop for a tenth of a second. */
const maxValues = 30_000
/** Of a body, outside of texts: with all the spaces that somebody may indent it with. */
const maxBareBytes = 1024 * 1024

const quote = 0x22
const comma = 0x2c
const bracket = 0x5b
const backslash = 0x5c
const brace = 0x7b

/** True for what would be parsed for long, whatever it is: texts, however long, are not. */
function hasTooManyValues(bytes: Uint8Array): boolean {
  let values = 0
  let bare = 0
  for (let at = 0; at < bytes.length && bare <= maxBareBytes; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfText(bytes, at)
    else bare++
    if (byte === quote || byte === comma || byte === bracket || byte === brace) values++
    if (values > maxValues) return true
  }
  return bare > maxBareBytes
}

/** Where the quote is that ends the text which begins at `start`; beyond the bytes when it does not end. */
function endOfText(bytes: Uint8Array, start: number): number {
  // Pictures have nothing that is escaped, and this is how to pass them in no time.
  const end = bytes.indexOf(quote, start + 1)
  if (end < 0) return bytes.length
  if (bytes[end - 1] !== backslash) return end
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

/**
 * Takes the body of a request that has an Idempotency-Key. A plain digest would let a password in it be guessed from a copy of the
 * database.
 */
export const bodyDigest = ({ tokenSecret }: Node): Hmac => createHmac('sha256', tokenSecret)

/** The key under which a repetition of this request is recognised, if the client sent one. `digest` has taken the body. */
export function idempotencyKeyOf(head: RequestHead, method: string, viewer: Viewer, digest: Hmac): IdempotencyKey | undefined {
  const key = head.idempotencyKey
  if (key === '') return undefined
  if (!/^[\x21-\x7e]{1,200}$/.test(key))
    throw badRequest('idempotency_key_invalid', 'Idempotency-Key must be 1 to 200 visible ASCII characters.')
  return { accountId: viewer.id, key, route: `${method} ${head.url.toLowerCase()}`.slice(0, 300), digest: digest.digest('base64') }
}
