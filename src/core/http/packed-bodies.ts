// Compressed bodies that many clients ask for: packed once, and sent again as they are.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

export type Encoding = 'gzip' | 'br'

const packers: Record<Encoding, (body: string | Buffer) => Promise<Buffer>> = {
  gzip: (body) => gzipAsync(body, { level: 4 }),
  br: (body) => brotliAsync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
}

/** Memory that an entry takes in addition to its bytes. */
const entryBytes = 200

/** Packs bodies. Those with a key, which names their whole content, stay in memory as long as they are in demand. */
export class PackedBodies {
  readonly #packed: LRUCache<string, Buffer>
  readonly #underWay = new Map<string, Promise<Buffer>>()

  constructor(maxBytes: number) {
    this.#packed = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ length }) => length + entryBytes })
  }

  /** The packed body of this key if it is in memory. */
  find(encoding: Encoding, key: string | undefined): Buffer | undefined {
    return key === undefined ? undefined : this.#packed.get(`${encoding} ${key}`)
  }

  async pack(body: string | Buffer, encoding: Encoding, key: string | undefined): Promise<Buffer> {
    if (key === undefined) return await packers[encoding](body)
    const name = `${encoding} ${key}`
    const joined = this.#underWay.get(name)
    if (joined) return await joined
    const packing = packers[encoding](body)
    this.#underWay.set(name, packing)
    try {
      const packed = await packing
      this.#packed.set(name, packed)
      return packed
    } finally {
      this.#underWay.delete(name)
    }
  }
}
