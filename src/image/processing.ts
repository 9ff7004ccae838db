// Processes an uploaded picture: its header is checked before a pixel is decoded, then it is turned upright,
// cut, scaled, stripped and stored with its thumbnail. Runs in the image process only, never in a server.
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { openBmp } from './bmp.ts'
import { withHeic } from './heic.ts'
import { openJxl } from './jxl.ts'
import type { Undecoded } from './pixels.ts'
import type { ImageOrder, ImageOutcome } from './queue.ts'
import { imagePath, type ImageSize } from './names.ts'
import { withoutMetadata, type KeptFormat } from './strip.ts'
import { hasRunOut } from './wasm-memory.ts'

const maxEdge = 10_000
const maxRatio = 10
const fullEdge = 2048
const thumbHeight = 200
const maxFrames = 1000
/** Of all frames that are kept. */
const maxAnimatedPixels = 200_000_000
/** For what a decoder has to hold at once. */
const maxDecoderBytes = 350_000_000
/** Of pictures that the library cannot read: what their decoder needs, its pixels, and their copy. */
const bytesPerPixel = { heic: 14, jxl: 68, bmp: 8 }
const quality = 90
const timeoutSeconds = 10

sharp.cache(false)
sharp.concurrency(1)
// The library reads much more than pictures; it must not try any format that is not named here.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Tiff', 'Heif'].map((format) => `VipsForeignLoad${format}`) })

/** The picture cannot be taken. The message is for its owner. */
class Refusal extends Error {}

const unknownKind = () => new Refusal('This is no picture of a kind that can be read here. Please send JPEG, PNG, GIF, WebP or HEIC.')
const tooLarge = () => new Refusal('This picture is too large to be processed.')
const unreadable = () => new Refusal('This picture cannot be read; its file may be damaged.')

/** Carries an order out below `root`. Rejects for faults that are not the picture's. */
export async function processImage(root: string, order: ImageOrder): Promise<ImageOutcome> {
  const source = join(root, order.source)
  try {
    const { extension, full, thumb, width, height } = await makeFiles(source, order)
    const filename = `${order.name}.${extension}`
    // Whoever wanted it may have given up by now.
    await stat(source)
    // The thumbnail first: an image counts as stored when it is there in full.
    const folder = join(root, order.into ?? '')
    await store(folder, 'thumb', filename, thumb)
    await store(folder, 'full', filename, full)
    return { filename, width, height }
  } catch (error) {
    const fault = error instanceof Refusal ? await faultOfReading(source) : (error as NodeJS.ErrnoException)
    if (error instanceof Refusal && !fault) return { refused: error.message }
    if (fault?.code === 'ENOENT' && fault.path === source) return { refused: 'Nobody waits for this picture any more.' }
    throw fault
  }
}

/** Why a file cannot be read: the library would call the picture damaged. */
async function faultOfReading(path: string): Promise<NodeJS.ErrnoException | undefined> {
  return await firstBytes(path).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  )
}

interface Files {
  extension: string
  full: Buffer
  thumb: Buffer
  /** Of the full one. */
  width: number
  height: number
}

async function makeFiles(source: string, order: ImageOrder): Promise<Files> {
  const format = formatOf(await firstBytes(source))
  if (isForeign(format)) return await makeOfPixels(source, format, order)
  const head = await decoding(sharp(source, options).metadata())
  const { width, height, turned } = check(format, head)
  const cut = order.square && !(order.stored && width === height)
  const modified = cut || Math.max(width, height) > fullEdge || turned
  if (!modified && isKept(format) && (format === 'png' || order.animations)) return await keepAsIs(source, format, head)
  if (!modified && format === 'jpeg' && order.stored && isStripped(head)) return await keepJpeg(source, head)
  if (decoderBytes(format, head) > maxDecoderBytes) throw tooLarge()
  return await makeJpeg(source, width, height, order)
}

/** By a decoder beside the library, which then gets its pixels, and checks them again. */
async function makeOfPixels(source: string, format: keyof typeof bytesPerPixel, order: ImageOrder): Promise<Files> {
  const file = await readFile(source)
  const take = ({ width, height, toTiff }: Undecoded) => {
    checkSize(width, height)
    if (width * height * bytesPerPixel[format] > maxDecoderBytes) throw tooLarge()
    return { width, height, tiff: toTiff() }
  }
  const decoders = {
    heic: () => withHeic(file, take),
    jxl: async () => take(await openJxl(file)),
    bmp: async () => take(openBmp(file)),
  }
  const { width, height, tiff } = await decoding(
    decoders[format]().catch((error: unknown) => {
      throw hasRunOut() ? tooLarge() : error
    }),
  )
  return await makeJpeg(tiff, width, height, order)
}

async function makeJpeg(source: string | Buffer, width: number, height: number, order: ImageOrder): Promise<Files> {
  const full = await decoding(jpeg(upright(source, width, height, order.square)).toBuffer())
  const made = await decoding(sharp(full).metadata())
  const thumb = await decoding(jpeg(thumbnail(sharp(full, options), made.width, made.height)).toBuffer())
  return { extension: 'jpg', full, thumb, width: made.width, height: made.height }
}

type Format = KnownFormat | keyof typeof bytesPerPixel
/** Of the picture library. */
type KnownFormat = KeptFormat | 'jpeg' | 'tiff' | 'heif'

const isKept = (format: Format): format is KeptFormat => format === 'png' || format === 'gif' || format === 'webp'

const isForeign = (format: Format): format is keyof typeof bytesPerPixel => Object.hasOwn(bytesPerPixel, format)

/** Found from the bytes: what a name or a header says does not count. */
function formatOf(bytes: Buffer): Format {
  const text = bytes.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF.{4}WEBP/s.test(text)) return 'webp'
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'tiff'
  // Files of the general brands say behind it which codec they need.
  if (/^.{4}ftyp(mif1|msf1).{4}(.{4})*(hei|hev)/s.test(text)) return 'heic'
  if (/^.{4}ftyp(avif|avis|mif1|msf1)/s.test(text)) return 'heif'
  if (/^.{4}ftyp(hei|hev)/s.test(text)) return 'heic'
  if (text.startsWith('\xff\x0a') || text.startsWith('\0\0\0\x0cJXL \r\n\x87\n')) return 'jxl'
  if (/^BM.{8}/s.test(text)) return 'bmp'
  throw unknownKind()
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(32), 0, 32, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

const options: SharpOptions = { failOn: 'error', limitInputPixels: maxEdge * maxEdge, sequentialRead: true }

/** Everything that can be known without decoding. */
function check(format: KnownFormat, head: Metadata): { width: number; height: number; turned: boolean } {
  const { orientation = 1 } = head
  const [width, height] = orientation > 4 ? [head.pageHeight ?? head.height, head.width] : [head.width, head.pageHeight ?? head.height]
  if (head.format !== format) throw unreadable()
  checkSize(width, height)
  return { width, height, turned: orientation !== 1 }
}

function checkSize(width: number, height: number): void {
  if (!(width > 0 && height > 0)) throw unreadable()
  if (Math.max(width, height) > maxEdge) throw new Refusal(`A picture may be at most ${maxEdge} pixels wide and high.`)
  if (width > height * maxRatio || height > width * maxRatio)
    throw new Refusal(`A picture may be at most ${maxRatio} times as long as it is broad.`)
}

/** Memory that a decoder holds at once. Decoders that go line by line hold next to nothing. */
function decoderBytes(format: KnownFormat, { width, height, channels, depth, isProgressive, chromaSubsampling }: Metadata): number {
  const sampleBytes = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, int: 4, float: 4, double: 8 }[depth as string] ?? 8
  const perPixel = {
    jpeg: isProgressive ? (chromaSubsampling === '4:2:0' ? 3 : 2 * channels) : 0,
    png: isProgressive ? channels * sampleBytes : 0,
    gif: 4,
    webp: 4,
    tiff: channels * sampleBytes,
    heif: 18,
  }[format]
  return width * height * perPixel
}

/** Stores what was sent, without what is no picture, after decoding all of it once for the thumbnail. */
async function keepAsIs(source: string, format: KeptFormat, head: Metadata): Promise<Files> {
  const { width, pages: frames = 1, pageHeight: height = head.height } = head
  const animated = format !== 'png' && frames > 1
  if (animated && (frames > maxFrames || width * height * frames > maxAnimatedPixels))
    throw new Refusal('This moving picture is too long or too large.')
  if (!animated && decoderBytes(format, head) > maxDecoderBytes) throw tooLarge()
  const small = thumbnail(sharp(source, { ...options, limitInputPixels: maxAnimatedPixels, animated }), width, height)
  const encoded = {
    png: () => small.png(),
    gif: () => small.gif({ effort: 1, keepDuplicateFrames: true }),
    webp: () => small.webp({ quality, effort: 2 }),
  }[format]()
  const thumb = await decoding(encoded.timeout({ seconds: timeoutSeconds }).toBuffer())
  const full = withoutMetadata(format, await readFile(source))
  if (!full) throw unreadable()
  return { extension: format, full, thumb, width, height }
}

const isStripped = ({ exif, iptc, xmp, icc, comments }: Metadata): boolean => !exif && !iptc && !xmp && !icc && !comments?.length

/** As it is, after decoding all of it once for the thumbnail: a picture loses with every encoding. */
async function keepJpeg(source: string, head: Metadata): Promise<Files> {
  if (decoderBytes('jpeg', head) > maxDecoderBytes) throw tooLarge()
  const thumb = await decoding(jpeg(thumbnail(sharp(source, options), head.width, head.height)).toBuffer())
  return { extension: 'jpg', full: await readFile(source), thumb, width: head.width, height: head.height }
}

/** Turned as its orientation says, cut to a square if wanted, and no longer than allowed. */
function upright(source: string | Buffer, width: number, height: number, square: boolean): Sharp {
  const picture = sharp(source, options).autoOrient()
  const side = Math.min(width, height)
  if (square && side > fullEdge) return picture.resize(fullEdge, fullEdge, { fit: 'cover', position: 'centre' })
  if (square) return picture.extract({ left: (width - side) >> 1, top: (height - side) >> 1, width: side, height: side })
  const longer = Math.max(width, height)
  if (longer <= fullEdge) return picture
  return picture.resize(scaled(width, fullEdge, longer), scaled(height, fullEdge, longer), { fit: 'fill' })
}

function thumbnail(picture: Sharp, width: number, height: number): Sharp {
  return height <= thumbHeight ? picture : picture.resize(scaled(width, thumbHeight, height), thumbHeight, { fit: 'fill' })
}

const scaled = (length: number, to: number, from: number): number => Math.max(1, Math.floor((length * to) / from))

/** Metadata is left out because nobody asks to keep it. */
function jpeg(picture: Sharp): Sharp {
  return picture.flatten({ background: '#ffffff' }).jpeg({ quality }).timeout({ seconds: timeoutSeconds })
}

/** Whatever the library says of a file is a fault of the file. */
async function decoding<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal) throw error
    if (error instanceof Error && error.message.startsWith('timeout')) throw new Refusal('This picture takes too long to be processed.')
    throw unreadable()
  }
}

/** On the disk when this resolves; never there in part. */
async function store(root: string, size: ImageSize, filename: string, content: Buffer): Promise<void> {
  const path = join(root, imagePath(size, filename))
  await mkdir(dirname(path), { recursive: true })
  const unfinished = `${path}.part`
  try {
    const file = await open(unfinished, 'w')
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}
