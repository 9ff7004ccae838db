// Bodies of requests: received within their limits, and decoded to the declared types.
import { createHmac } from 'node:crypto'
import type { Node } from './ctx.ts'
import type { Decoder } from './decode.ts'
import { badRequest, bodyMissing, bodyTooLarge, unsupportedMediaType } from './errors.ts'
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
  if (Number(head.contentLength) > limit) throw bodyTooLarge(limit)
  exchange.hold()
  const body = new Promise<Buffer>((resolve, reject) => {
    const chunks: Buffer[] = []
    exchange.refuseBody = (error) => {
      exchange.refuseBody = undefined
      reject(error)
    }
    exchange.res.onData((chunk, isLast) => {
      if (exchange.over || !exchange.refuseBody) return
      exchange.bytesReceived += chunk.byteLength
      if (exchange.bytesReceived > limit) {
        exchange.fail(bodyTooLarge(limit), true)
        exchange.refuseBody(bodyTooLarge(limit))
        return
      }
      // uWS takes the memory back when this callback returns.
      chunks.push(Buffer.from(Buffer.from(chunk)))
      if (!isLast) return
      exchange.refuseBody = undefined
      resolve(chunks.length === 1 ? chunks[0] as Buffer : Buffer.concat(chunks))
    })
  })
  // A refusal may come before anybody awaits the body.
  body.catch(() => undefined)
  return body
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws AppError 400, 415 or 422 for what is no such body. */
export async function decodeBody(bytes: Buffer, head: RequestHead, decode: Decoder<unknown>, nowMs: number): Promise<unknown> {
  if (bytes.length === 0) throw bodyMissing()
  const type = head.contentType.toLowerCase()
  if (type.startsWith('multipart/form-data')) return decode(await parseMultipart(bytes, head.contentType), 'text', nowMs)
  // Many clients send JSON under the type that their HTTP library puts there by itself.
  if (!/^($|application\/json|[\w.-]+\/[\w.-]+\+json|text\/|application\/x-www-form-urlencoded)/.test(type)) throw unsupportedMediaType(type.slice(0, 100))
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    throw badRequest('The request body is not well-formed JSON.', cause)
  }
  return decode(value, 'json', nowMs)
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
