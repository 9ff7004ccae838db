// Tags of answers, by which a client says what it has already.
import { createHash } from 'node:crypto'
import type { JsonBytes, JsonText } from '../base/json-text.ts'
import { Reply } from './route.ts'

/** A tag of some content. Weak, since compression changes the bytes. */
export function etagOf(content: string | Buffer): string {
  return `W/"${createHash('sha1').update(content).digest('base64url')}"`
}

/** The tag of pictures that are the same for ever. The reference wants it word for word: identity.md, images. */
export const foreverTag = 'W/"1"'

/** True when the client has what the tag stands for: RFC 9110, section 13.1.2. */
export function hasFresh(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === '') return false
  if (ifNoneMatch === etag || ifNoneMatch === '*') return true
  if (etag === foreverTag) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag))
}

/**
 * The JSON with a tag. With an `etag` that does not stand for all of the JSON, only clients that know so send it: others
 * would be shown an old text by their HTTP cache.
 */
export function withEtag<T>(json: JsonText<T> | JsonBytes<T>, etag?: string): Reply<T> {
  const headers = { ETag: etag ?? etagOf(json), 'Cache-Control': etag === undefined ? 'no-cache' : 'no-store' }
  return new Reply(200, json, headers, { contentKey: etag === undefined ? headers.ETag : undefined })
}

/** As `withEtag` for a tag that stands for all of the JSON and is known before it: the JSON is only made for a client that needs it. */
export const withKnownEtag = <T>(etag: string, json: () => JsonText<T> | JsonBytes<T>): Reply<T> =>
  new Reply(200, json, { ETag: etag, 'Cache-Control': 'no-cache' }, { contentKey: etag })
