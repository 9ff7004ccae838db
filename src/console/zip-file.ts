// A zip that is written to a file while it is filled.
import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Begins a zip at `path`. After `zip.end()`, `written` resolves when all of it is there; it rejects when an entry cannot be read. */
export function zipAt(path: string): { zip: ZipFile; written: Promise<void> } {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error: Error) => output.destroy(error))
  const written = pipeline(output, createWriteStream(path, { mode: 0o600 }))
  // Whoever fills the zip awaits it last.
  written.catch(() => undefined)
  return { zip, written }
}
