// Bytes that a request brought, in memory or in a file.
import { open } from 'node:fs/promises'
import { badRequest } from '../base/errors.ts'

/** Bytes of a request. Few are in memory; many are in a file, which goes away with the request unless it is moved. */
export class ReceivedBytes {
  readonly size: number
  /** The bytes, or the path of a file. Undefined for bytes that were not kept. */
  readonly content: Buffer | string | undefined

  constructor(content: Buffer)
  constructor(content: string | undefined, size: number)
  constructor(content: Buffer | string | undefined, size = content?.length ?? 0) {
    this.content = content
    this.size = size
  }

  /** So many of the first ones; fewer where there are not more, none of bytes that were not kept. */
  async first(count: number): Promise<Buffer> {
    if (typeof this.content !== 'string') return (this.content ?? Buffer.alloc(0)).subarray(0, count)
    const file = await open(this.content, 'r')
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await file.close()
    }
  }

  /** Puts them into a store; `path` and `options` as it takes them. */
  async putInto<Options>(store: Storing<Options>, path: string, options?: Options): Promise<void> {
    if (this.content === undefined) throw badRequest('body_invalid', 'The request body holds too many files.')
    await store.put(path, this.content, options)
  }
}

/** Of a store of files; those are a floor above. */
interface Storing<Options> {
  put(path: string, content: Buffer | string, options?: Options): Promise<void>
}
