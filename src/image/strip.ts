// Takes out of PNG, GIF and WebP files what is not picture: places, names, thumbnails, comments, and
// whatever else is hidden in or behind them. The pixels stay byte for byte as they were sent. Pure.

/** Formats that are stored as they were sent. */
export type KeptFormat = 'png' | 'gif' | 'webp'

/** The file without metadata; undefined when its structure is broken. */
export function withoutMetadata(format: KeptFormat, file: Buffer): Buffer | undefined {
  try {
    const parts = { png: pngParts, gif: gifParts, webp: webpParts }[format](file)
    return parts && Buffer.concat(parts)
  } catch (error) {
    // Reading past the end.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Chunks that change the picture, animation included. */
const pngChunks = new Set([
  'IHDR',
  'PLTE',
  'IDAT',
  'IEND',
  'tRNS',
  'cHRM',
  'gAMA',
  'iCCP',
  'sBIT',
  'sRGB',
  'cICP',
  'mDCV',
  'cLLI',
  'bKGD',
  'hIST',
  'pHYs',
  'sPLT',
  'acTL',
  'fcTL',
  'fdAT',
])

function pngParts(file: Buffer): Buffer[] | undefined {
  const parts = [file.subarray(0, 8)]
  for (let at = 8; ;) {
    const end = at + 12 + file.readUInt32BE(at)
    const type = file.toString('latin1', at + 4, at + 8)
    if (end > file.length) return undefined
    if (pngChunks.has(type)) parts.push(file.subarray(at, end))
    if (type === 'IEND') return parts
    at = end
  }
}

const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const hasXmp = 0x04
const hasExif = 0x08

function webpParts(file: Buffer): Buffer[] | undefined {
  const stop = 8 + file.readUInt32LE(4)
  if (stop > file.length) return undefined
  const parts: Buffer[] = []
  for (let at = 12; at + 8 <= stop;) {
    const length = file.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    const type = file.toString('latin1', at, at + 4)
    if (at + 8 + length > stop) return undefined
    const part = file.subarray(at, Math.min(end, stop))
    if (webpChunks.has(type)) parts.push(type === 'VP8X' ? withoutFlags(part) : part)
    at = end
  }
  const head = Buffer.from(file.subarray(0, 12))
  head.writeUInt32LE(4 + parts.reduce((sum, { length }) => sum + length, 0), 4)
  return [head, ...parts]
}

function withoutFlags(chunk: Buffer): Buffer {
  const copy = Buffer.from(chunk)
  copy.writeUInt8(copy.readUInt8(8) & ~(hasXmp | hasExif), 8)
  return copy
}

/** Labels of extensions that matter: how a frame is shown, and how often all of them are. */
const graphicControl = 0xf9
const application = 0xff
const trailer = 0x3b
const loops = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

function gifParts(file: Buffer): Buffer[] | undefined {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  /** Past the data blocks that begin here, each with its length before it. */
  const afterBlocks = (from: number) => {
    let at = from
    for (let length = file.readUInt8(at); length > 0; length = file.readUInt8(at)) at += 1 + length
    return at + 1
  }
  const first = 13 + tableBytes(file.readUInt8(10))
  if (first > file.length) return undefined
  const parts = [file.subarray(0, first)]
  for (let at = first; ;) {
    // Some programs leave the last byte out.
    const kind = at === file.length ? trailer : file.readUInt8(at)
    if (kind === trailer) return [...parts, Buffer.from([trailer])]
    let end: number
    let keep = true
    if (kind === 0x2c) {
      end = afterBlocks(at + 11 + tableBytes(file.readUInt8(at + 9)))
    } else if (kind === 0x21) {
      const label = file.readUInt8(at + 1)
      end = afterBlocks(at + 2)
      keep = label === graphicControl || (label === application && loops.has(file.toString('latin1', at + 3, at + 14)))
    } else {
      return undefined
    }
    if (keep) parts.push(file.subarray(at, end))
    at = end
  }
}
