// QR codes as pictures.
import { encode } from 'uqr'
import { twoColourPng } from './png.ts'

const side = 400
/** Light cells around the code, which readers need. */
const border = 4
const black = { r: 0, g: 0, b: 0 }
const white = { r: 255, g: 255, b: 255 }

/** A QR code of 400 by 400 pixels. */
export function qrCodePng(text: string): Buffer {
  const { data, size } = encode(text, { border })
  const cellOf = Array.from({ length: side }, (_, pixel) => Math.floor((pixel * size) / side))
  const rows = Array.from({ length: size }, (_, row) => {
    const line = Buffer.alloc(side / 8)
    for (const [pixel, column] of cellOf.entries())
      if (!data[row]?.[column]) line[pixel >> 3] = (line[pixel >> 3] ?? 0) | (0x80 >> (pixel & 7))
    return line
  })
  const lines = cellOf.map((row) => rows[row] as Buffer)
  return twoColourPng(side, lines, [black, white])
}
