// What a first visit to the browser app loads, and what is loaded later: sizes as they go over the wire.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const folder = join(process.cwd(), 'dist', 'app')
const shellLimit = 35_000
const chunkLimit = 40_000

const sizeOf = (name: string) => statSync(join(folder, `${name}.br`)).size

test('the app: a first visit loads at most 35 kB, everything else comes in parts of at most 40 kB', () => {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  // The icon of a home screen is for whoever puts it there.
  const links = page.replace(/<link rel="apple-touch-icon"[^>]*>/, '')
  const shell = Array.from(links.matchAll(/(?:href|src)="\/([^"]+)"/g), ([, name = '']) => name)
  assert.ok(shell.some((name) => name.endsWith('.css')) && shell.some((name) => /main-.*\.js$/.test(name)))
  const size = ['index.html', ...shell].reduce((sum, name) => sum + sizeOf(name), 0)
  assert.ok(size <= shellLimit, `the shell has ${size} bytes: ${shell.map((name) => `${name} ${sizeOf(name)}`).join(', ')}`)
  const later = readdirSync(join(folder, 'web')).filter((name) => /\.(js|css)$/.test(name) && !shell.includes(`web/${name}`))
  assert.ok(later.length > 0)
  for (const name of later) assert.ok(sizeOf(`web/${name}`) <= chunkLimit, `${name} has ${sizeOf(`web/${name}`)} bytes`)
})
