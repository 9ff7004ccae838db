// multipart/form-data to the nested values that JSON would have given: `images[0][image]` and so on.
import { Busboy } from '@fastify/busboy'
import { badRequest } from './errors.ts'

const maxParts = 1000
const maxDepth = 6

/**
 * Reads a whole multipart body. Plain parts become strings, file parts Buffers; bracket names nest,
 * and lists are objects keyed by position until `listsFromIndexes`.
 *
 * @throws AppError 400 for anything that is not well-formed multipart with UTF-8 text.
 */
export async function parseMultipart(body: Buffer, contentType: string): Promise<unknown> {
  const form: Record<string, unknown> = Object.create(null)
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  await new Promise<void>((resolve, reject) => {
    const refuse = (cause: unknown) => reject(badRequest('The multipart body is not well-formed.', cause))
    try {
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { files: maxParts, parts: maxParts, fieldNameSize: 200, headerPairs: 20, fileSize: body.length + 1 },
        // As a file every part arrives as raw bytes, so that wrong UTF-8 can be told from right.
        isPartAFile: () => true,
      })
      parser.on('file', (name, stream, filename: string | undefined) => {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('error', refuse)
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
      parser.end(body)
    } catch (cause) {
      refuse(cause)
    }
  })
  return listsFromIndexes(form)
}

/** `a`, `a[b]`, `a[0][b]`, `a[]`. A repeated name becomes a list. */
function put(form: Record<string, unknown>, name: string, value: unknown): void {
  const keys = [...name.matchAll(/[^[\]]+|\[\]/g)].map(([key]) => (key === '[]' ? '' : key))
  const last = keys.pop()
  if (last === undefined || keys.length > maxDepth) throw badRequest('A part of the multipart body has an unusable name.')
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

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) && !Array.isArray(value)
}

/** Objects whose keys are all list positions become lists, at every depth. */
function listsFromIndexes(value: unknown): unknown {
  if (!isTree(value)) return value
  const entries = Object.entries(value).map(([key, item]) => [key, listsFromIndexes(item)] as const)
  if (entries.length > 0 && entries.every(([key]) => /^\d{0,4}$/.test(key))) {
    return entries.toSorted(([a], [b]) => Number(a) - Number(b)).flatMap(([key, item]) => (key === '' && Array.isArray(item) ? item : [item]))
  }
  return Object.fromEntries(entries)
}
