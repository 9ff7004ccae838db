// Zip files, for tests.
import { ZipFile } from 'yazl'
import { fromBuffer, type Entry, type ZipFile as OpenZip } from 'yauzl'

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

/** The files of a zip. */
export async function unzipped(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<OpenZip>((resolve, reject) =>
    fromBuffer(bytes, { lazyEntries: true }, (error, opened) => (error ? reject(error) : resolve(opened))),
  )
  const files = new Map<string, Buffer>()
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject)
    zip.on('end', resolve)
    zip.on('entry', (entry: Entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error)
        const pieces: Buffer[] = []
        stream.on('data', (piece: Buffer) => pieces.push(piece))
        stream.on('end', () => {
          files.set(entry.fileName, Buffer.concat(pieces))
          zip.readEntry()
        })
      })
    })
    zip.readEntry()
  })
  return files
}
