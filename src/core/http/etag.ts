// Answers that a client may have already: 304 instead of a body that it would only replace by the same.
import { createHash } from 'node:crypto'
import type { OpenCtx } from '../ctx.ts'
import type { JsonBytes, JsonText } from '../json-text.ts'
import { Reply } from './route.ts'

/** A tag of some content. Weak, since compression changes the bytes. */
export function etagOf(content: string | Buffer): string {
  return `W/"${createHash('sha1').update(content).digest('base64url')}"`
}

/** True when the client has what the tag stands for: RFC 9110, section 13.1.2. */
export function hasFresh(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}

/**
 * The JSON, or 304 when the client has it. With an `etag` that does not stand for all of the JSON, only
 * clients that know so get a 304: others would be shown an old text by their HTTP cache.
 */
export function withEtag<T>(ctx: OpenCtx, json: JsonText<T> | JsonBytes<T>, etag?: string): Reply<T> {
  const headers = { ETag: etag ?? etagOf(json), 'Cache-Control': etag === undefined ? 'no-cache' : 'no-store' }
  if (ctx.head && hasFresh(ctx.head.ifNoneMatch, headers.ETag)) return new Reply(304, undefined, headers)
  return new Reply(200, json, headers, etag === undefined ? headers.ETag : undefined)
}

/** As `withEtag` for a tag that stands for all of the JSON and is known before it: the JSON is only made for a client that needs it. */
export function withKnownEtag<T>(ctx: OpenCtx, etag: string, json: () => JsonText<T> | JsonBytes<T>): Reply<T> {
  const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
  return ctx.head && hasFresh(ctx.head.ifNoneMatch, etag) ? new Reply(304, undefined, headers) : new Reply(200, json(), headers, etag)
}
