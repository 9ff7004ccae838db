// The file of a backup: a tar, written and read in one go, whose last entry vouches for all before it.
import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { extract, pack } from 'tar-stream'
import { OperatorError } from '../supervisor/operator-error.ts'

const lastEntry = 'checksum.json'

/** The content of the last entry. */
interface Checksum {
  entries: number
  sha256: string
}

/** Adds entries one after another. */
export interface ArchiveWriter {
  add(name: string, content: Readable, size: number, modifiedMs?: number): Promise<void>
  addJson(name: string, value: unknown): Promise<void>
}

/** Writes a new file, which is there only when `write` has resolved. @throws OperatorError when it exists or cannot be written. */
export async function writeArchive(path: string, write: (archive: ArchiveWriter) => Promise<void>): Promise<void> {
  const unfinished = `${path}.part`
  if (await exists(path)) throw new OperatorError(`${path} exists already.`)
  const output = createWriteStream(unfinished, { mode: 0o600 })
  const tar = pack()
  const running = pipeline(tar, output)
  let failure: unknown
  running.catch((error: unknown) => {
    failure = error
  })
  try {
    const digest = new Digest()
    const add: ArchiveWriter['add'] = async (name, content, size, modifiedMs) => {
      const entry = tar.entry({ name, size, ...(modifiedMs === undefined ? {} : { mtime: new Date(modifiedMs) }) })
      digest.begin(name, size)
      await pipeline(content, digest.pass, entry)
    }
    const addJson: ArchiveWriter['addJson'] = async (name, value) => {
      const bytes = Buffer.from(JSON.stringify(value))
      await add(name, Readable.from([bytes]), bytes.length)
    }
    await write({ add, addJson })
    await addJson(lastEntry, digest.checksum)
    tar.finalize()
    await running
    const file = await open(unfinished, 'r')
    try {
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    // A failure to write the file has a message of its own.
    const cause = failure ?? error
    tar.destroy()
    await running.catch(() => undefined)
    await rm(unfinished, { force: true })
    throw readable(cause, `${path} cannot be written`)
  }
}

/** One entry of an archive. Its content has to be read before the next one comes. */
export interface Entry {
  name: string
  modifiedMs: number
  content: Readable
}

/** The entries in order. @throws OperatorError at the end when they are not what was written; until then nothing is certain. */
export async function* readArchive(path: string): AsyncGenerator<Entry> {
  const source = createReadStream(path)
  const tar = extract()
  const running = pipeline(source, tar)
  running.catch(() => undefined)
  const digest = new Digest()
  let whole = false
  try {
    for await (const entry of tar) {
      const { name, size = 0, mtime, type } = entry.header
      if (whole || type !== 'file') throw damaged(path)
      if (name === lastEntry) {
        const found = await readJson<Checksum>({ content: Readable.from(entry) })
        const { entries, sha256 } = digest.checksum
        if (found.entries !== entries || found.sha256 !== sha256) throw damaged(path)
        whole = true
        continue
      }
      digest.begin(name, size)
      const content = Readable.from(named(path, digest.pass(entry)), { objectMode: false })
      yield { name, modifiedMs: mtime?.getTime() ?? 0, content }
      if (!content.readableEnded) {
        content.resume()
        await finished(content)
      }
    }
    await running
  } catch (error) {
    throw unreadable(error, path)
  } finally {
    source.destroy()
  }
  if (!whole) throw damaged(path)
}

/** Reads all of it. @throws OperatorError when it is not what was written. */
export async function checkArchive(path: string): Promise<void> {
  for await (const { content } of readArchive(path)) content.resume()
}

/** Faults of the archive are reported with the name of the entry being read. */
async function* named(path: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch (error) {
    throw unreadable(error, path)
  }
}

/** @throws OperatorError when it is no JSON. */
export async function readJson<T>({ content }: Pick<Entry, 'content'>): Promise<T> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk as Buffer)
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as T
  } catch (cause) {
    throw new OperatorError('The backup is damaged.', { cause })
  }
}

/** Over the names, sizes and contents of all entries. */
class Digest {
  readonly #hash: Hash = createHash('sha256')
  #entries = 0

  begin(name: string, size: number): void {
    this.#entries++
    this.#hash.update(JSON.stringify([name, size]))
  }

  readonly pass = async function* (this: Digest, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of content) {
      this.#hash.update(chunk)
      yield chunk
    }
  }.bind(this)

  get checksum(): Checksum {
    return { entries: this.#entries, sha256: this.#hash.copy().digest('hex') }
  }
}

const damaged = (path: string) => new OperatorError(`${path} is damaged or not complete.`)

/** Faults of files are the operator's to mend. */
function readable(error: unknown, what: string): unknown {
  const known = error instanceof Error && ('syscall' in error || /tar|header|checksum|unexpected end/i.test(error.message))
  return known && !(error instanceof OperatorError) ? new OperatorError(`${what}: ${error.message}.`, { cause: error }) : error
}

const unreadable = (error: unknown, path: string) => readable(error, `${path} cannot be read, or is no backup`)

async function exists(path: string): Promise<boolean> {
  return await open(path, 'r').then(
    (file) => file.close().then(() => true),
    () => false,
  )
}
