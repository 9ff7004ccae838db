// An answer in the form that its client wants: nothing of what it has already, or a part of a file. Services know nothing of
// that, since one answer may go to several clients.
import type { ErrorCode } from '../base/errors.ts'
import type { StoredFile } from '../files/files.ts'
import { hasFresh } from './etag.ts'
import type { Exchange } from './exchange.ts'
import type { RequestHead } from '../work/request-head.ts'
import { rangeOf } from './ranges.ts'
import type { Reply } from './route.ts'

type Headers = Readonly<Record<string, string>>

/** Answers one request. */
export function sendReply(exchange: Exchange, head: RequestHead, reply: Reply<unknown>): void {
  const { status, headers } = reply
  const etag = status === 200 && (head.method === 'get' || head.method === 'head') ? headers['ETag'] : undefined
  if (etag !== undefined && hasFresh(head.ifNoneMatch, etag)) return exchange.send(304, undefined, ofKnown(headers))
  const { body } = reply
  if (isFile(body)) sendFile(exchange, head, body, reply)
  else exchange.send(status, body, headers, false, reply.contentKey)
}

function sendFile(exchange: Exchange, { range, ifRange }: RequestHead, file: StoredFile, { headers, contentKey }: Reply<unknown>): void {
  const wanted = ifRange === '' || ifRange === headers['ETag'] ? rangeOf(range, file.size) : undefined
  if (!wanted) return exchange.send(200, file.part(0, file.size), headers, false, contentKey)
  if (wanted === 'none') {
    const refusal = {
      error: true,
      status: 416,
      code: 'range_unsatisfiable' satisfies ErrorCode,
      reason: 'The file has no such range of bytes.',
    }
    return exchange.send(416, JSON.stringify(refusal), { 'Content-Range': `bytes */${file.size}` })
  }
  exchange.send(206, file.part(wanted.start, wanted.end), {
    ...headers,
    'Content-Range': `bytes ${wanted.start}-${wanted.end - 1}/${file.size}`,
    'Cache-Control': cachingOfKnown(headers),
  })
}

/** Headers that describe a body are for those who get it. */
function ofKnown(headers: Headers): Headers {
  const { 'Content-Type': _type, 'Accept-Ranges': _ranges, 'Content-Encoding': _encoding, ...rest } = headers
  return headers['Cache-Control'] === undefined ? rest : { ...rest, 'Cache-Control': cachingOfKnown(headers) }
}

/** For how long others may keep the answer, the client was told with its first one: identity.md, images. */
const cachingOfKnown = ({ 'Cache-Control': caching = '' }: Headers): string => (caching.startsWith('public') ? '' : caching)

const isFile = (body: Reply<unknown>['body']): body is StoredFile => typeof body === 'object' && 'part' in body
