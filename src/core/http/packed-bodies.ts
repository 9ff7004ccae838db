// Compressed bodies that many clients ask for: packed once, and sent again as they are.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

const gzipAsync = promisify(gzip)
const maxBytes = 32 * 1024 * 1024
/** What an entry takes besides its bytes. */
const entryBytes = 200

/** Packs bodies. Those with a key, which names their whole content, stay in memory as long as they are in demand. */
export class PackedBodies {
  readonly #packed = new LRUCache<string, Buffer>({ maxSize: maxBytes, sizeCalculation: ({ length }) => length + entryBytes })
  readonly #underWay = new Map<string, Promise<Buffer>>()

  /** The packed body of this key if it is in memory. */
  find(key: string | undefined): Buffer | undefined {
    return key === undefined ? undefined : this.#packed.get(key)
  }

  async pack(body: string | Buffer, key: string | undefined): Promise<Buffer> {
    if (key === undefined) return await gzipAsync(body, { level: 4 })
    const joined = this.#underWay.get(key)
    if (joined) return await joined
    const packing = gzipAsync(body, { level: 4 })
    this.#underWay.set(key, packing)
    try {
      const packed = await packing
      this.#packed.set(key, packed)
      return packed
    } finally {
      this.#underWay.delete(key)
    }
  }
}
