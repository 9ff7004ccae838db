// Images that are stored already, for tests of what shows them.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestNodes } from './app.ts'

/** Lays down an image that requests can name; returns its name. */
export function storedImage(nodes: Pick<TestNodes, 'config'>, name = `${randomUUID().toUpperCase()}.jpg`): string {
  for (const size of ['full', 'thumb']) {
    const path = join(nodes.config.imagesDir, size, name.slice(0, 2), name)
    // Writing it again would cost more than most requests.
    if (existsSync(path)) continue
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'x')
  }
  return name
}

/** For requests that are made before there are nodes. */
export const knownImage = '0BADF00D-0000-4000-8000-000000000001.jpg'
