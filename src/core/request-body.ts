// Bodies of requests: received within their limits, and decoded to the declared types.
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Node } from './ctx.ts'
import type { Decoder } from './decode.ts'
import { badRequest, bodyMissing, bodyTooLarge, unavailable, unsupportedMediaType, type AppError } from './errors.ts'
import type { Exchange } from './exchange.ts'
import type { RequestHead } from './head.ts'
import type { IdempotencyKey } from './idempotency.ts'
import { parseMultipart } from './multipart.ts'
import type { Viewer } from './viewer.ts'

/**
 * Collects the body. To be called before the handler of uWS returns.
 *
 * @throws AppError 413 when the head announces too much; the promise rejects with it when too much comes.
 */
export function receiveBody(exchange: Exchange, head: RequestHead, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  const body = new Promise<Buffer>((resolve, reject) => receive(exchange, head, limit, reject, (chunk, isLast) => {
    if (!exchange.keep(chunk.length)) {
      chunks.length = 0
      exchange.fail(memoryFull(), true)
      return reject(memoryFull())
    }
    chunks.push(chunk)
    if (isLast) resolve(chunks.length === 1 ? chunks[0] as Buffer : Buffer.concat(chunks))
  }))
  // A refusal may come before anybody awaits the body.
  body.catch(() => undefined)
  return body
}

const memoryFull = () => unavailable('The server is receiving too much at the moment, please try again.')

/** What may wait in memory of a body that is streamed. */
const streamedAheadBytes = 1024 * 1024

/** As `receiveBody`, for a body that is used while it arrives, and only arrives as fast as it is used. */
export function streamBody(exchange: Exchange, head: RequestHead, limit: number): Readable {
  const body = new Readable({ highWaterMark: streamedAheadBytes, read: () => exchange.resume() })
  body.on('error', () => undefined)
  receive(exchange, head, limit, (error) => body.destroy(error), (chunk, isLast) => {
    const more = body.push(chunk)
    if (isLast) body.push(null)
    else if (!more) exchange.pause()
  })
  return body
}

function receive(exchange: Exchange, head: RequestHead, limit: number, refuse: (error: AppError) => void, take: (chunk: Buffer, isLast: boolean) => void): void {
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
    // uWS takes the memory back when this callback returns.
    take(Buffer.from(Buffer.from(chunk)), isLast)
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws AppError 400, 415 or 422 for what is no such body. */
export async function decodeBody(bytes: Buffer, head: RequestHead, decode: Decoder<unknown>, nowMs: number): Promise<unknown> {
  if (bytes.length === 0) throw bodyMissing()
  if (isMultipart(head.contentType)) return decode(await parseMultipart(bytes, head.contentType), 'text', nowMs)
  if (bytes.length > largeBytes && hasTooManyValues(bytes)) throw badRequest('The request body holds too many values.')
  return decode(parseJson(bytes), 'json', nowMs)
}

const largeBytes = 1024 * 1024
const maxValues = 250_000
const separators = [',', '[', '{']

/** True for what would be parsed for seconds: a large body is pictures or a calendar, and has few values. */
function hasTooManyValues(bytes: Buffer): boolean {
  return separators.some((separator) => {
    let count = 0
    for (let at = bytes.indexOf(separator); at >= 0 && count <= maxValues; at = bytes.indexOf(separator, at + 1)) count++
    return count > maxValues
  })
}

/** True for multipart, false for JSON. @throws AppError 415 for everything else. */
export function isMultipart(contentType: string): boolean {
  const type = contentType.toLowerCase()
  if (type.startsWith('multipart/form-data')) return true
  // Many clients send JSON under the type that their HTTP library puts there by itself.
  if (!/^($|application\/json|[\w.-]+\/[\w.-]+\+json|text\/|application\/x-www-form-urlencoded)/.test(type)) throw unsupportedMediaType(type.slice(0, 100))
  return false
}

/** @throws AppError 400 when it is no JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw badRequest('The request body is not well-formed JSON.', cause)
  }
}

/** The key under which a repetition of this request is recognised, if the client sent one. */
export function idempotencyKeyOf({ tokenSecret }: Node, head: RequestHead, method: string, viewer: Viewer, body: Buffer): IdempotencyKey | undefined {
  const key = head.idempotencyKey
  if (key === '') return undefined
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw badRequest('Idempotency-Key must be 1 to 200 visible ASCII characters.')
  // With the secret: a body may hold a password, and a plain digest would let it be guessed from a copy of the database.
  const digest = createHmac('sha256', tokenSecret).update(body).digest('base64')
  return { accountId: viewer.id, key, route: `${method} ${head.url.toLowerCase()}`.slice(0, 300), digest }
}
