// Reads BMP without compression, which the picture library does not know. Pure.
import { tiffOf, type Undecoded } from './pixels.ts'

const uncompressed = 0
const withMasks = 3
const withOpacityMask = 6
/** Smallest header of today's files; older ones have twelve bytes. */
const headerBytes = 40

/**
 * Reads the header.
 *
 * @throws Error when it is no BMP that can be read.
 */
export function openBmp(file: Buffer): Undecoded {
  const pixelsAt = file.readUInt32LE(10)
  const size = file.readUInt32LE(14)
  const width = file.readInt32LE(18)
  const signedHeight = file.readInt32LE(22)
  const height = Math.abs(signedHeight)
  const bits = file.readUInt16LE(28)
  const compression = file.readUInt32LE(30)
  const hasMasks = compression === withMasks || compression === withOpacityMask
  if (size < headerBytes || !(width > 0 && height > 0) || !(compression === uncompressed || hasMasks)) throw new Error('no BMP')
  if (![1, 4, 8, 16, 24, 32].includes(bits) || (hasMasks && bits < 16)) throw new Error('no BMP')
  const rowBytes = Math.ceil((width * bits) / 32) * 4
  if (pixelsAt + rowBytes * height > file.length) throw new Error('a BMP that ends too early')
  const colours = bits <= 8 ? palette(file, 14 + size, file.readUInt32LE(46) || 2 ** bits, pixelsAt) : channels(file, bits, hasMasks, size)

  function toTiff(): Buffer {
    const pixels = new Uint8Array(width * height * 4)
    for (let y = 0; y < height; y++) {
      // Rows stand from the bottom up unless the height is negative.
      const row = pixelsAt + rowBytes * (signedHeight < 0 ? y : height - 1 - y)
      for (let x = 0; x < width; x++) {
        const value = valueAt(file, row, x, bits)
        const to = (y * width + x) * 4
        for (let channel = 0; channel < 4; channel++) pixels[to + channel] = colours(value, channel)
      }
    }
    return tiffOf(pixels, width, height, Buffer.alloc(0))
  }
  return { width, height, toTiff }
}

function valueAt(file: Buffer, row: number, x: number, bits: number): number {
  if (bits >= 16) return file.readUIntLE(row + (x * bits) / 8, bits / 8)
  const at = x * bits
  return (file.readUInt8(row + (at >> 3)) >> (8 - bits - (at & 7))) & ((1 << bits) - 1)
}

type Colours = (value: number, channel: number) => number

function palette(file: Buffer, at: number, count: number, end: number): Colours {
  if (count > 256 || at + count * 4 > end) throw new Error('a BMP without its colours')
  // Blue stands first.
  return (value, channel) => (channel === 3 ? 255 : value < count ? file.readUInt8(at + value * 4 + 2 - channel) : 0)
}

/** Each channel by its bits of a pixel. */
function channels(file: Buffer, bits: number, hasMasks: boolean, size: number): Colours {
  const stated = hasMasks ? [54, 58, 62].map((at) => file.readUInt32LE(at)) : undefined
  // Opacity has no mask in the shortest header; without masks the fourth byte means nothing.
  const opacity = hasMasks && size >= 56 ? file.readUInt32LE(66) : 0
  const usual = bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff]
  const masks = [...(stated ?? usual), opacity].map((mask) => {
    const shift = mask === 0 ? 0 : 31 - Math.clz32(mask & -mask)
    return { mask, shift, most: mask >>> shift }
  })
  return (value, channel) => {
    const { mask, shift, most } = masks[channel] ?? { mask: 0, shift: 0, most: 0 }
    if (most === 0) return channel === 3 ? 255 : 0
    return Math.round((((value & mask) >>> shift) * 255) / most)
  }
}
