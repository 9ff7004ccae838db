// PNG files of two colours.
import { crc32, deflateSync } from 'node:zlib'

export interface Rgb {
  r: number
  g: number
  b: number
}

/** A square picture; each line has one bit per pixel, 0 for the first colour. */
export function twoColourPng(side: number, lines: readonly Buffer[], [first, second]: readonly [Rgb, Rgb]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit per pixel, by palette.
  header[8] = 1
  header[9] = 3
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([first.r, first.g, first.b, second.r, second.g, second.b])),
    chunk('IDAT', deflateSync(Buffer.concat(lines.flatMap((line) => [noFilter, line])))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const noFilter = Buffer.from([0])

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(data.length, 0)
  typed.copy(framed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}
