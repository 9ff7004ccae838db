// The answer with a file: all of it, a range of bytes, or nothing when the client has it.
import { hasFresh } from './etag.ts'
import type { ErrorCode } from '../errors.ts'
import type { StoredFile } from '../files/files.ts'
import type { RequestHead } from './head.ts'
import { rangeOf } from './ranges.ts'
import { Reply } from './route.ts'

const forADay = 'public, max-age=86400'
/** For files whose names are never used again. */
export const forEver = 'public, max-age=31536000, immutable'

/**
 * The answer to a request for this file. `head` is absent outside of HTTP. `cacheControl`: other than for a day. `path` names
 * it among all files whose packed form is to stay in memory.
 */
export function fileReply(
  head: Pick<RequestHead, 'ifNoneMatch' | 'range' | 'ifRange'> | undefined,
  file: StoredFile,
  contentType: string,
  cacheControl = forADay,
  path?: string,
): Reply {
  const tag = `"${file.modifiedMs.toString(16)}-${file.size.toString(16)}"`
  const { ifNoneMatch = '', range = '', ifRange = '' } = head ?? {}
  /** For 206 and 304: the client got the caching header with its first answer. */
  const known = cacheControl === forADay || cacheControl === forEver ? '' : cacheControl
  if (hasFresh(ifNoneMatch, tag)) return new Reply(304, undefined, { ETag: tag, 'Cache-Control': known })
  const headers = { 'Content-Type': contentType, ETag: tag, 'Accept-Ranges': 'bytes' }
  const wanted = ifRange === '' || ifRange === tag ? rangeOf(range, file.size) : undefined
  if (!wanted) return new Reply(200, file.part(0, file.size), { ...headers, 'Cache-Control': cacheControl }, path && `${path} ${tag}`)
  if (wanted === 'none') {
    const refusal = {
      error: true,
      status: 416,
      code: 'range_unsatisfiable' satisfies ErrorCode,
      reason: 'The file has no such range of bytes.',
    }
    return new Reply(416, Buffer.from(JSON.stringify(refusal)), { 'Content-Range': `bytes */${file.size}` })
  }
  return new Reply(206, file.part(wanted.start, wanted.end), {
    ...headers,
    'Content-Range': `bytes ${wanted.start}-${wanted.end - 1}/${file.size}`,
    'Cache-Control': known,
  })
}
