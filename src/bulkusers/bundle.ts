// The file in which users travel from one server to another: a zip with one folder, in it `userfile.json`
// and the users' pictures. Knows the file, not what its records mean. A file from outside is read piece by
// piece, within limits that hold whatever it says of itself.
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { ZipFile as NewZipFile } from 'yazl'
import { Pieces } from '../core/files/files.ts'
import type { FileStore } from '../core/files/store.ts'
import { addStoredFile } from '../core/files/zip-entry.ts'
import { RecordFault, recordsIn } from './record-stream.ts'

/** A fault of a file, in a sentence for the person who sent it. */
export class BundleFault extends Error {}

const folder = 'userfile'
const recordsName = 'userfile.json'
const imagesFolder = 'userImages/'

/** In one folder, or in none. */
const isRecords = /^([^/]+\/)?userfile\.json$/

const maxEntries = 50_000
const maxRecordsBytes = 64 * 1024 * 1024
const maxNameBytes = 500
/** Bytes of the notes that systems and programs add to an entry. */
const maxNotesBytes = 4096
/** Pictures are packed as they are: what grows by more is none. */
const maxGrowth = 20
const smallBytes = 1024 * 1024
/** Of everything in it, unpacked. */
const maxBytes = 8 * 1024 * 1024 * 1024

/** Beside empty lists, for whoever looks for the reason. */
const whyNobody = `This file holds nobody. Those who travel are users whose main account was created or verified with
a registration code; accounts of the team and sample people were not. Registration codes are loaded from
registration-codes.txt when the server starts.
`

/** The lists of `userfile.json`; the records are parsed elsewhere. */
export interface Records {
  users: unknown[]
  performers: unknown[]
  needsPhotographer: unknown[]
}

/** A bundle to be sent, made while it is sent. */
export function writeBundle(
  records: Records,
  images: readonly { name: string; path: string; size: number }[],
  store: FileStore,
  now: Date,
): Promise<Pieces> {
  const zip = new NewZipFile()
  const options = { mtime: now, compress: false }
  zip.addBuffer(Buffer.from(JSON.stringify(records)), `${folder}/${recordsName}`, options)
  if (records.users.length === 0) zip.addBuffer(Buffer.from(whyNobody), `${folder}/nobody.txt`, options)
  for (const image of images) addStoredFile(zip, store, image, `${folder}/${imagesFolder}${image.name}`, { mtime: now })
  const output = zip.outputStream as Readable & AsyncIterable<Buffer>
  // Whoever reads it gets the error, but there may be nobody any more.
  output.on('error', () => undefined)
  zip.on('error', (error: Error) => output.destroy(error))
  // The types do not know that it says the size.
  return new Promise((resolve) =>
    zip.end({ forceZip64Format: false, comment: '' }, ((size: number) => resolve(new Pieces(output, size))) as () => void),
  )
}

/** Bytes of each picture in a bundle, by its name. */
export type BundleImages = ReadonlyMap<string, number>

/** Takes the records one after another. */
export type TakeRecord = (list: keyof Records, record: unknown) => void

/** Gives every record to `take`, and says which pictures there are. @throws BundleFault when they cannot be read. */
export async function readBundle(path: string, take: TakeRecord): Promise<BundleImages> {
  return await withBundle(path, async ({ zip, recordsEntry, images }) => {
    await readRecords(zip, recordsEntry, take)
    return new Map([...images].map(([name, { uncompressedSize }]) => [name, uncompressedSize]))
  })
}

/** Reads everything in the file once. @throws BundleFault for the first thing that is damaged. */
export async function checkBundle(path: string): Promise<void> {
  await withBundle(path, async ({ zip, all, recordsEntry, images }) => {
    await readRecords(zip, recordsEntry, () => undefined)
    for (const entry of images.values()) for await (const _piece of checkedPieces(zip, entry));
    await requireWhole(path, zip, all)
  })
}

/** With what the parts of a zip file begin that can follow its directory. */
const behindDirectory = new Set(['PK\x05\x05', 'PK\x05\x06', 'PK\x06\x06'])

/** Checks the parts without a checksum: directory end and entry names. */
async function requireWhole(path: string, zip: ZipFile, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries) {
    const { fileName } = await zip.readLocalFileHeaderPromise(entry)
    if (!fileName.equals(entry.fileNameRaw))
      throw new BundleFault(`The file is damaged: ${entry.fileName} has another name elsewhere in it.`)
  }
  const file = await open(path)
  try {
    // Where the last entry that was counted ends; the types have it wrong.
    const end = zip.readEntryCursor as unknown as number
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, end)
    if (!behindDirectory.has(buffer.toString('latin1'))) throw new BundleFault('The file is damaged: its directory is not whole.')
  } finally {
    await file.close()
  }
}

/** One picture; undefined when there is none of that name. @throws BundleFault when it is damaged or larger than `limit`. */
export async function readImage(path: string, name: string, limit: number): Promise<Buffer | undefined> {
  return await withBundle(path, async ({ zip, images }) => {
    const entry = images.get(name)
    return entry && (await contentOf(zip, entry, limit))
  })
}

interface OpenBundle {
  zip: ZipFile
  /** Also those that mean nothing here. */
  all: readonly Entry[]
  recordsEntry: Entry
  images: ReadonlyMap<string, Entry>
}

async function withBundle<T>(path: string, work: (bundle: OpenBundle) => Promise<T>): Promise<T> {
  let zip: ZipFile | undefined
  try {
    zip = await openPromise(path, { autoClose: false })
    return await work(await contents(zip))
  } catch (error) {
    throw error instanceof BundleFault || isOfSystem(error)
      ? error
      : new BundleFault(`The file is damaged, or no zip file: ${(error as Error).message}.`)
  } finally {
    zip?.close()
  }
}

/** Everything else that reading throws is about the file. */
const isOfSystem = (error: unknown): boolean => (error as NodeJS.ErrnoException).syscall !== undefined

async function contents(zip: ZipFile): Promise<OpenBundle> {
  if (zip.entryCount > maxEntries) throw new BundleFault(`The file has more than ${maxEntries} entries.`)
  const all: Entry[] = []
  const entries = new Map<string, Entry>()
  let bytes = 0
  for await (const entry of zip.eachEntry()) {
    if (entry.fileNameRaw.length > maxNameBytes || entry.extraFieldRaw.length + entry.fileCommentRaw.length > maxNotesBytes)
      throw new BundleFault('The file says too much of one of its entries.')
    all.push(entry)
    // Folders, and what other systems put beside.
    if (entry.fileName.endsWith('/') || /(^|\/)(__MACOSX\/|\.)/.test(entry.fileName)) continue
    if (entries.has(entry.fileName)) throw new BundleFault(`The file has two entries named ${entry.fileName}.`)
    entries.set(entry.fileName, entry)
    if (!isRecords.test(entry.fileName) && entry.uncompressedSize > smallBytes + maxGrowth * entry.compressedSize)
      throw new BundleFault(`${entry.fileName} in the file grows too much when it is unpacked.`)
    bytes += entry.uncompressedSize
    if (bytes > maxBytes) throw new BundleFault(`What is in the file is larger than ${maxBytes} bytes.`)
  }
  const names = [...entries.keys()].filter((name) => isRecords.test(name))
  const [name] = names
  if (name === undefined) throw new BundleFault(`There is no ${recordsName} in the file.`)
  if (names.length > 1) throw new BundleFault(`There is more than one ${recordsName} in the file.`)
  const prefix = name.slice(0, -recordsName.length) + imagesFolder
  const images = [...entries].flatMap(([path, entry]) =>
    path.startsWith(prefix) && !path.includes('/', prefix.length) ? [[path.slice(prefix.length), entry] as const] : [],
  )
  return { zip, all, recordsEntry: entries.get(name) as Entry, images: new Map(images) }
}

async function contentOf(zip: ZipFile, entry: Entry, limit: number): Promise<Buffer> {
  if (entry.uncompressedSize > limit) throw new BundleFault(`${entry.fileName} is larger than ${limit} bytes.`)
  const pieces: Buffer[] = []
  for await (const piece of checkedPieces(zip, entry)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** The library sees to the size, but not to the checksum. */
async function* checkedPieces(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, void> {
  const stream = await zip.openReadStreamPromise(entry)
  let sum = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    sum = crc32(piece, sum)
    yield piece
  }
  if (sum !== entry.crc32) throw new BundleFault(`${entry.fileName} in the file is damaged.`)
}

const lists: readonly string[] = ['users', 'performers', 'needsPhotographer'] satisfies (keyof Records)[]

async function readRecords(zip: ZipFile, entry: Entry, take: TakeRecord): Promise<void> {
  if (entry.uncompressedSize > maxRecordsBytes) throw new BundleFault(`${entry.fileName} is larger than ${maxRecordsBytes} bytes.`)
  const found = new Set<string>()
  try {
    for await (const { field, inList, value } of recordsIn(checkedPieces(zip, entry), (name) => found.add(name))) {
      if (!lists.includes(field)) continue
      if (!inList) throw new RecordFault(`has ${field} that are no list: users, performers and needsPhotographer must be lists.`)
      take(field as keyof Records, value)
    }
  } catch (error) {
    throw error instanceof RecordFault ? new BundleFault(`${recordsName} ${error.message}`) : error
  }
  if (!found.has('users')) throw new BundleFault(`${recordsName} has no users.`)
}
