// The picture of a user without one: a pure function of the user's id, the same on every server.
import { twoColourPng, type Rgb } from './png.ts'

export interface Identicon {
  /** Dark. */
  colour1: Rgb
  /** Light. */
  colour2: Rgb
  /** 5 rows of 5 cells from top to bottom: true for colour 1. */
  rows: boolean[][]
}

const cells = 5
const pixelsPerCell = 8
const maxTries = 11
const mask = 0xffff_ffff_ffff_ffffn

const rotl = (x: bigint, k: bigint): bigint => ((x << k) | (x >> (64n - k))) & mask

/** xoshiro256**, its state filled up with the id. */
export function generatorFor(userId: string): () => bigint {
  const id = userId.replaceAll('-', '')
  let s0 = 0xf4ea_82ac_c99f_4b28n
  let s1 = 0xd72f_22e3_59f3_c6adn
  let s2 = BigInt(`0x${id.slice(0, 16)}`)
  let s3 = BigInt(`0x${id.slice(16)}`)
  return () => {
    const result = (rotl((s1 * 5n) & mask, 7n) * 9n) & mask
    const t = (s1 << 17n) & mask
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = rotl(s3, 45n)
    return result
  }
}

/** Colours and cells of a user's identicon. */
export function identiconOf(userId: string): Identicon {
  const next = generatorFor(userId)
  const number = (from: number) => from + Number((next() & 0xffn) >> 1n)
  const colour = (from: number): Rgb => ({ r: number(from), g: number(from), b: number(from) })
  const colour1 = colour(0)
  let colour2 = colour1
  for (let tries = 0; tries < maxTries && colour2 === colour1; tries++) {
    const tried = colour(128)
    if (Math.max(Math.abs(tried.r - colour1.r), Math.abs(tried.g - colour1.g), Math.abs(tried.b - colour1.b)) > 20) colour2 = tried
  }
  const rows = Array.from({ length: cells }, () => Array.from({ length: cells }, () => false))
  for (let x = 0; x <= cells >> 1; x++) {
    for (const row of rows) row[x] = row[cells - 1 - x] = (next() & 0x20000n) === 0n
  }
  return { colour1, colour2, rows }
}

/** The identicon as a PNG of two colours. */
export function identiconPng(userId: string): Buffer {
  const { colour1, colour2, rows } = identiconOf(userId)
  // A cell is one byte wide.
  const lines = rows.flatMap((row) => {
    const line = Buffer.from(row.map((dark) => (dark ? 0x00 : 0xff)))
    return Array.from({ length: pixelsPerCell }, () => line)
  })
  return twoColourPng(cells * pixelsPerCell, lines, [colour1, colour2])
}
