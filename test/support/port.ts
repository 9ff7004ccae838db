// Ports for servers that a test starts later, and again.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Above the range from which the product takes its own, below that of outgoing connections.
const lowest = 30_000
const highest = 32_700

/** The folder for temporary files is that of the whole run: what is noted there was given out. */
const given = join(tmpdir(), 'ports')

/** A port on which nobody listens, and that no other test of this run gets. */
export async function ownPort(): Promise<number> {
  mkdirSync(given, { recursive: true })
  const first = process.pid % (highest - lowest)
  for (let number = first; number < first + highest - lowest; number++) {
    const port = lowest + (number % (highest - lowest))
    if (isNew(port) && (await isFree(port))) return port
  }
  // Nothing clears up after programs that run outside of a test run.
  rmSync(given, { recursive: true })
  return await ownPort()
}

function isNew(port: number): boolean {
  try {
    writeFileSync(join(given, String(port)), '', { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
