// Zip files, for tests.
import { ZipFile } from 'yazl'

/** A zip with these files, compressed. */
export async function zipped(files: Record<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of Object.entries(files)) zip.addBuffer(content, name, { compress: true })
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

/** A text again and again, up to so many bytes. */
export const repeated = (text: string, bytes: number): Buffer => Buffer.alloc(bytes - (bytes % Buffer.byteLength(text)), text)
