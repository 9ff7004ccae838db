// Pictures of two colours for the demo, drawn by rules: nobody's photos.
import type { FileStore } from '../src/core/files/store.ts'
import { imagePath } from '../src/image/names.ts'
import type { ImageSizeData } from '../src/image/schemas.ts'
import { twoColourPng, type Rgb } from '../src/image/png.ts'

interface Drawing {
  light: Rgb
  dark: Rgb
  /** Whether the point is dark; both from 0 at the left and top to 1. */
  isDark(x: number, y: number): boolean
}

const distance = (x: number, y: number) => Math.hypot(x, y)

const scenes = {
  /** The sun sinks into striped water. */
  sunset: {
    light: { r: 255, g: 214, b: 140 },
    dark: { r: 178, g: 52, b: 62 },
    isDark: (x, y) => (y < 0.6 ? distance(x - 0.5, y - 0.5) < 0.26 : Math.sin((y - 0.6) * 95 + Math.sin(x * 24) * 1.4) > 0.1),
  },
  /** Three lights on one singer. */
  stage: {
    light: { r: 250, g: 240, b: 205 },
    dark: { r: 44, g: 32, b: 82 },
    isDark(x, y) {
      const isSinger = distance(x - 0.5, y - 0.56) < 0.05 || (Math.abs(x - 0.5) < 0.06 && y > 0.6 && y < 0.85)
      const isLit = [0.15, 0.5, 0.85].some((lamp) => Math.abs(x - lamp - (0.5 - lamp) * y) < 0.03 + y * 0.09)
      return y > 0.85 || isSinger || !isLit
    },
  },
  /** Two peaks above a bay. */
  mountains: {
    light: { r: 222, g: 240, b: 246 },
    dark: { r: 30, g: 84, b: 96 },
    isDark(x, y) {
      if (y > 0.78) return Math.sin(y * 120 + Math.sin(x * 18)) > -0.2
      const ridge = Math.min(0.22 + Math.abs(x - 0.34) * 1.15, 0.34 + Math.abs(x - 0.72) * 1.3)
      return y > ridge + 0.09 + Math.sin(x * 60) * 0.025
    },
  },
} satisfies Record<string, Drawing>
export type Scene = keyof typeof scenes
export const sceneNames = Object.keys(scenes) as Scene[]

/** A picture as a file, a square of so many pixels. */
export const drawnPicture = (scene: Scene, side: number): Buffer => drawn(scenes[scene], side)

const fullSide = 640
const thumbSide = 200

/** Stores a picture and its thumbnail under a name, which ends in `png`; returns its size. */
export async function writePicture(store: FileStore, name: string, scene: Scene): Promise<ImageSizeData> {
  for (const [size, side] of [
    ['full', fullSide],
    ['thumb', thumbSide],
  ] as const)
    await store.put(imagePath(size, name), drawn(scenes[scene], side))
  return { width: fullSide, height: fullSide }
}

/** One bit per point, eight in a byte. */
function drawn({ light, dark, isDark }: Drawing, side: number): Buffer {
  const lines = Array.from({ length: side }, (_, row) => {
    const line = Buffer.alloc(side / 8)
    for (let column = 0; column < side; column++)
      if (isDark((column + 0.5) / side, (row + 0.5) / side)) line[column >> 3] = (line[column >> 3] as number) | (0x80 >> (column & 7))
    return line
  })
  return twoColourPng(side, lines, [light, dark])
}
