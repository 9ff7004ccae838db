// Reads a packed product into the folder of versions. Nothing of it runs before every file is what its list says.
import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Entry } from 'tar-stream'
import { OperatorError } from '../supervisor/operator-error.ts'
import { currentId, isVersionId, readManifest, versionFolder, type KitManifest } from './kit.ts'

const mostBytes = 2 * 1024 ** 3
const mostFiles = 100_000
const smallBytes = 1024 ** 2
/** Of the folder that is being filled. */
const unfinished = '.new-version'

type Found = KitManifest['files'][string]

/** Checks the file against its checksum, given or in a file beside it. @throws OperatorError when it is another. */
export async function checkArchive(file: string, wanted: string | undefined): Promise<void> {
  if (!existsSync(file)) throw new OperatorError(`There is no file ${file}.`)
  const beside = `${file}.sha256`
  const expected = wanted ?? (existsSync(beside) ? readFileSync(beside, 'utf8').trim().split(/\s/)[0] : undefined)
  if (expected === undefined) return
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  if (hash.digest('hex') !== expected.toLowerCase())
    throw new OperatorError(`${file} is not the file that its checksum is for: it is damaged, or another one. Get it again.`)
}

/**
 * Returns the manifest of the version in the archive, which lies under `versions` from then on. For nobody but who holds the
 * versions (`withVersionsOf`).
 *
 * @throws OperatorError with the reason why not.
 */
export async function unpack(home: string, file: string): Promise<KitManifest> {
  const folder = join(home, 'versions', unfinished)
  // What an upgrade has left that was killed while it unpacked.
  rmSync(folder, { recursive: true, force: true })
  try {
    const found = await read(file, folder)
    const manifest = readManifest(folder)
    check(manifest, found)
    const place = versionFolder(home, manifest.id)
    // The files of the one that runs stay; another of that id may have been damaged since.
    if (manifest.id === currentId(home)) rmSync(folder, { recursive: true })
    else {
      rmSync(place, { recursive: true, force: true })
      renameSync(folder, place)
    }
    return manifest
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${file} cannot be unpacked: ${(error as Error).message}.`, { cause: error })
  }
}

async function read(file: string, folder: string): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const archive = extract()
  const reading = pipeline(createReadStream(file), createGunzip(), archive)
  // Said by the loop below, which ends with it.
  reading.catch(() => undefined)
  let bytes = 0
  for await (const entry of archive) {
    const { name, type, size = 0, linkname } = entry.header
    const path = pathWithin(name)
    bytes += size
    if (bytes > mostBytes || found.size > mostFiles) throw new Error('it is larger than any version')
    if (path === undefined || type === 'directory') entry.resume()
    else if (type === 'symlink') {
      found.set(path, { link: linkname ?? '' })
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      // Links come after all files have been written: nothing is written through one.
      entry.resume()
    } else if (type === 'file') found.set(path, await write(entry, join(folder, path)))
    else throw new Error(`"${name}" is neither a file nor a folder nor a link`)
  }
  await reading
  for (const [path, of] of found) {
    if (!('link' in of)) continue
    if (of.link.startsWith('/') || normalize(join(dirname(path), of.link)).startsWith('..'))
      throw new Error(`the link "${path}" leads elsewhere`)
    symlinkSync(of.link, join(folder, path))
  }
  return found
}

/** Of an entry below a version, its path in it; undefined for one beside. @throws for one that leads elsewhere. */
function pathWithin(name: string): string | undefined {
  const [top, versions, id, ...rest] = name.replace(/\/$/, '').split('/')
  if (name.startsWith('/') || [top, versions, id, ...rest].includes('..')) throw new Error(`"${name}" leads elsewhere`)
  if (top !== 'quarterdeck' || versions !== 'versions' || id === undefined) return undefined
  if (!isVersionId(id)) throw new Error(`"${id}" is no version`)
  return rest.length === 0 ? undefined : rest.join('/')
}

async function write(entry: Entry, path: string): Promise<Found> {
  const mode = ((entry.header.mode ?? 0) & 0o100) !== 0 ? 0o755 : 0o644
  const hash = createHash('sha256')
  mkdirSync(dirname(path), { recursive: true })
  // Of thousands of files nearly all are small, and a stream for each costs more than what is in it.
  if ((entry.header.size ?? 0) <= smallBytes) {
    const content = await buffer(entry)
    writeFileSync(path, content, { mode, flag: 'wx' })
    return { sha256: hash.update(content).digest('hex'), size: content.length }
  }
  let size = 0
  const look = new Transform({
    transform(piece: Buffer, _encoding, done) {
      hash.update(piece)
      size += piece.length
      done(null, piece)
    },
  })
  await pipeline(entry, look, createWriteStream(path, { mode, flags: 'wx' }))
  return { sha256: hash.digest('hex'), size }
}

function check({ files, platform }: KitManifest, found: ReadonlyMap<string, Found>): void {
  const own = `${process.platform}-${process.arch}`
  if (platform !== own) throw new OperatorError(`This version is for ${platform}, and this machine is ${own}.`)
  const same = (one: Found, other: Found | undefined) => other !== undefined && JSON.stringify(one) === JSON.stringify(other)
  const wrong = Object.keys(files).find((name) => !same(files[name] as Found, found.get(name)))
  const more = [...found.keys()].find((name) => name !== 'kit.json' && !(name in files))
  if (wrong !== undefined || more !== undefined) throw new Error(`the file ${wrong ?? more} is not as its list says`)
}
