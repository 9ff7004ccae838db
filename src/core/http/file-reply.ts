// The answer with a file. `send-reply.ts` sends all of it, a part, or nothing when the client has it.
import type { StoredFile } from '../files/files.ts'
import { Reply } from './route.ts'

const forADay = 'public, max-age=86400'
/** For files whose names are never used again. */
export const forEver = 'public, max-age=31536000, immutable'

/**
 * A file as an answer. `cacheControl`: other than for a day. `path` names it among all files whose packed form is to stay in
 * memory.
 */
export function fileReply(file: StoredFile, contentType: string, cacheControl = forADay, path?: string): Reply {
  const tag = `"${file.modifiedMs.toString(16)}-${file.size.toString(16)}"`
  const headers = { 'Content-Type': contentType, ETag: tag, 'Accept-Ranges': 'bytes', 'Cache-Control': cacheControl }
  return new Reply(200, file, headers, { contentKey: path && `${path} ${tag}` })
}
