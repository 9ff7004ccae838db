// Reads HEIC, in which phones keep their pictures: the picture library is built without HEVC. Loaded by the image process when the
// first such picture comes.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tiffOf, type Undecoded } from './pixels.ts'
import { limitMemory } from './wasm-memory.ts'

type Code = object
type Handle = object

/** The part of the decoder that is used here. */
interface Decoder {
  readonly HEAPU8: Uint8Array
  readonly heif_error_code: { readonly heif_error_Ok: Code }
  readonly heif_colorspace: { readonly heif_colorspace_RGB: Code }
  readonly heif_chroma: { readonly heif_chroma_interleaved_RGBA: Code }
  heif_context_alloc(): object
  heif_context_free(context: object): void
  heif_context_read_from_memory(context: object, file: Uint8Array): { code: Code }
  heif_js_context_get_primary_image_handle(context: object): Handle & { code?: Code; $$?: { ptr: number } }
  heif_image_handle_get_width(handle: Handle): number
  heif_image_handle_get_height(handle: Handle): number
  heif_js_decode_image2(handle: Handle, colours: Code, chroma: Code): Decoded
  _heif_image_handle_get_raw_color_profile_size(handle: number): number
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, into: number): void
  _malloc(size: number): number
  _free(address: number): void
}

interface Decoded {
  code?: Code
  channels?: { width: number; height: number; stride: number; data: Uint8Array }[]
}

const maxProfileBytes = 1024 * 1024
/** Behind each address of the struct that the decoder returns. */
const errorBytes = 16

let decoder: Promise<Decoder> | undefined

async function load(): Promise<Decoder> {
  limitMemory()
  const require = createRequire(import.meta.url)
  const start = require('libheif-js/libheif-wasm/libheif.js') as (options: object) => Decoder | Promise<Decoder>
  return await start({
    wasmBinary: await readFile(require.resolve('libheif-js/libheif-wasm/libheif.wasm')),
    print: () => undefined,
    printErr: () => undefined,
  })
}

/**
 * Opens a file, hands its picture to `use`, and frees it.
 *
 * @throws Error when it cannot be read.
 */
export async function withHeic<T>(file: Uint8Array, use: (picture: Undecoded) => T): Promise<T> {
  const heif = await (decoder ??= load())
  const context = heif.heif_context_alloc()
  try {
    const { code } = heif.heif_context_read_from_memory(context, file)
    if (code !== heif.heif_error_code.heif_error_Ok) throw new Error('no HEIC')
    const handle = heif.heif_js_context_get_primary_image_handle(context)
    const address = handle.$$?.ptr
    if (address === undefined) throw new Error('no picture in it')
    const width = heif.heif_image_handle_get_width(handle)
    const height = heif.heif_image_handle_get_height(handle)
    return use({ width, height, toTiff: () => tiffOf(decoded(heif, handle, width, height), width, height, profileOf(heif, address)) })
  } catch (error) {
    // It may have stopped in the middle of something.
    decoder = undefined
    throw error
  } finally {
    if (decoder) heif.heif_context_free(context)
  }
}

/** The decoder applies rotation, mirroring and cropping, and makes eight bits of more. */
function decoded(heif: Decoder, handle: Handle, width: number, height: number): Uint8Array {
  const { channels } = heif.heif_js_decode_image2(
    handle,
    heif.heif_colorspace.heif_colorspace_RGB,
    heif.heif_chroma.heif_chroma_interleaved_RGBA,
  )
  const [pixels] = channels ?? []
  if (pixels?.width !== width || pixels.height !== height || pixels.data.length !== width * height * 4)
    throw new Error('the picture is not as it says')
  return pixels.data
}

/** Empty when there is none: then it is sRGB. */
function profileOf(heif: Decoder, handle: number): Buffer {
  const size = heif._heif_image_handle_get_raw_color_profile_size(handle)
  if (size === 0 || size > maxProfileBytes) return Buffer.alloc(0)
  const address = heif._malloc(errorBytes + size)
  if (address === 0) throw new Error('no memory')
  try {
    heif._heif_image_handle_get_raw_color_profile(address, handle, address + errorBytes)
    return Buffer.from(heif.HEAPU8.subarray(address + errorBytes, address + errorBytes + size))
  } finally {
    heif._free(address)
  }
}
