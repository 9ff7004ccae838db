// Width and height of stored images: found from the first bytes of a file, kept beside the names in rows. Pure.
import type { ImageSizeData } from './schemas.ts'

/** Width and height of each image of a row, one after the other. Null as long as nobody has looked, empty when a file cannot be read. */
export type Sizes = number[] | null

/** Width and height of a PNG, GIF, WebP or JPEG; undefined when they are not in these bytes. */
export function sizeOf(file: Buffer): ImageSizeData | undefined {
  try {
    const size = readSize(file)
    return size && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // Reading past the end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readSize(file: Buffer): ImageSizeData | undefined {
  const head = file.toString('latin1', 0, 16)
  if (head.startsWith('\x89PNG')) return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) }
  if (head.startsWith('GIF8')) return { width: file.readUInt16LE(6), height: file.readUInt16LE(8) }
  if (/^RIFF.{4}WEBP/s.test(head)) return webpSize(file, head.slice(12))
  return head.startsWith('\xff\xd8') ? jpegSize(file) : undefined
}

function webpSize(file: Buffer, kind: string): ImageSizeData | undefined {
  if (kind === 'VP8X') return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') return undefined
  const bits = file.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

/** Marks of JPEG that begin a frame, where its size stands. Between them are those of tables. */
const isFrame = (mark: number): boolean => mark >= 0xc0 && mark <= 0xcf && mark !== 0xc4 && mark !== 0xc8 && mark !== 0xcc

function jpegSize(file: Buffer): ImageSizeData | undefined {
  for (let at = 2; ;) {
    if (file.readUInt8(at) !== 0xff) return undefined
    const mark = file.readUInt8(at + 1)
    if (mark === 0xff) at += 1
    else if (isFrame(mark)) return { width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) }
    else at += 2 + file.readUInt16BE(at + 2)
  }
}

/** As rows keep them; null unless all are known. */
export function sizesOf(sizes: readonly (ImageSizeData | undefined)[]): Sizes {
  return sizes.every((size) => size !== undefined) ? sizes.flatMap(({ width, height }) => [width, height]) : null
}

/** The field of a post with several images, in the order of their names; absent unless all of them are known. */
export function shownSizes(names: readonly string[], sizes: Sizes): { imageSizes?: ImageSizeData[] } {
  if (!sizes || names.length === 0 || sizes.length !== 2 * names.length) return {}
  return { imageSizes: names.map((_name, index) => ({ width: sizes[2 * index] as number, height: sizes[2 * index + 1] as number })) }
}

/** The field of what has one image; absent when it is not known. */
export function shownSize(sizes: Sizes): { imageSize?: ImageSizeData } {
  const [width, height] = sizes ?? []
  return width !== undefined && height !== undefined ? { imageSize: { width, height } } : {}
}
