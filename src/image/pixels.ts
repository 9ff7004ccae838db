// What decoders beside the picture library give it: pixels, four bytes each (red, green, blue, opacity), in a file that it reads. Pure.

/** What a file says of its picture, turned upright, and how to get its pixels. */
export interface Undecoded {
  width: number
  height: number
  /** An uncompressed TIFF of the picture, upright, with its colour profile. */
  toTiff(): Buffer
}

const short = 3
const long = 4
const anything = 7

/** The form in which the picture library takes pixels with a profile, and goes through them line by line. An empty profile is sRGB. */
export function tiffOf(pixels: Uint8Array, width: number, height: number, profile: Buffer): Buffer {
  const bitsAt = 8
  const profileAt = bitsAt + 8
  const pixelsAt = profileAt + profile.length + (profile.length & 1)
  const entries: [tag: number, type: number, count: number, value: number][] = [
    [256, long, 1, width],
    [257, long, 1, height],
    [258, short, 4, bitsAt],
    [259, short, 1, 1],
    [262, short, 1, 2],
    [273, long, 1, pixelsAt],
    [277, short, 1, 4],
    [278, long, 1, height],
    [279, long, 1, pixels.length],
    // Transparency that the colours are not multiplied with.
    [338, short, 1, 2],
  ]
  if (profile.length > 0) entries.push([34_675, anything, profile.length, profileAt])
  const directoryAt = pixelsAt + pixels.length
  const tiff = Buffer.alloc(directoryAt + 2 + entries.length * 12 + 4)
  tiff.write('II*\0', 0, 'latin1')
  tiff.writeUInt32LE(directoryAt, 4)
  for (let channel = 0; channel < 4; channel++) tiff.writeUInt16LE(8, bitsAt + 2 * channel)
  profile.copy(tiff, profileAt)
  tiff.set(pixels, pixelsAt)
  tiff.writeUInt16LE(entries.length, directoryAt)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = directoryAt + 2 + index * 12
    tiff.writeUInt16LE(tag, at)
    tiff.writeUInt16LE(type, at + 2)
    tiff.writeUInt32LE(count, at + 4)
    tiff.writeUInt32LE(value, at + 8)
  }
  return tiff
}
