// Reads JPEG XL, which the picture library is built without. The decoder turns it upright and makes sRGB of it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { tiffOf, type Undecoded } from './pixels.ts'
import { limitMemory } from './wasm-memory.ts'

interface Decoder {
  decode(file: Uint8Array): { width: number; height: number; data: Uint8ClampedArray } | null
}

async function load(): Promise<Decoder> {
  limitMemory()
  const require = createRequire(import.meta.url)
  const { href } = pathToFileURL(require.resolve('@jsquash/jxl/codec/dec/jxl_dec.js'))
  const { default: start } = (await import(href)) as { default: (options: object) => Promise<Decoder> }
  return await start({
    noInitialRun: true,
    wasmBinary: await readFile(require.resolve('@jsquash/jxl/codec/dec/jxl_dec.wasm')),
    print: () => undefined,
    printErr: () => undefined,
  })
}

/**
 * Decodes a file. A decoder that ran out of memory cannot go on, so each picture gets a new one.
 *
 * @throws Error when it cannot be read.
 */
export async function openJxl(file: Uint8Array): Promise<Undecoded> {
  const decoder = await load()
  const picture = decoder.decode(file)
  if (!picture) throw new Error('no JPEG XL')
  const { width, height, data } = picture
  return { width, height, toTiff: () => tiffOf(Buffer.from(data.buffer, data.byteOffset, data.byteLength), width, height, Buffer.alloc(0)) }
}
