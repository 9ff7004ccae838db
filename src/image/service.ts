// Stored images: sending them, taking new ones in, putting old ones away.
import { LRUCache } from 'lru-cache'
import { mayRemoveImages } from './removals.service.ts'
import { recount, withRoom } from './room.service.ts'
import type { Ctx, Node, OpenCtx, Tx } from '../core/work/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import { badRequest, notAvailable, unavailable, validationFailed, type FieldFailures } from '../core/base/errors.ts'
import { foreverTag } from '../core/http/etag.ts'
import { fileReply } from '../core/http/file-reply.ts'
import { incoming } from '../core/files/files.ts'
import { ReceivedBytes } from '../core/schema/received-bytes.ts'
import { describeImage } from './descriptions.service.ts'
import type { ImageOrder, ImageOutcome } from './queue.ts'
import { Reply } from '../core/http/route.ts'
import type { Viewer } from '../core/base/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import { identiconPng } from './identicon.ts'
import { qrCodePng } from './qr-code.ts'
import { contentTypeOf, imageNameOf, imagePath, type ImageSize } from './names.ts'
import { deleteDescriptions, lockImages, selectUsedImages } from './queries.ts'
import type { ImageSizeData, ImageUploadData } from './schemas.ts'
import { sizeOf } from './sizes.ts'

const forADay = 'public, max-age=86400'

/** The answer with a stored image, or the part of it that the request asks for. Clients keep it for a day, or as `cacheControl` says. */
export async function sendImage(ctx: OpenCtx, size: ImageSize, filename: string, cacheControl?: string): Promise<Reply> {
  const name = imageNameOf(filename)
  const file = name && (await ctx.node.files.find(imagePath(size, name)))
  if (!name || !file) throw notAvailable('image')
  return fileReply(file, contentTypeOf(name), cacheControl)
}

/** A user's picture, or their identicon. */
export async function sendUserImage(ctx: OpenCtx, size: 'full' | 'thumb', accountId: string): Promise<Reply> {
  const account = await ctx.node.accounts.find(accountId)
  if (!account) throw notAvailable('user')
  return account.userImage ? await sendImage(ctx, size, account.userImage) : identicon(accountId, {})
}

/** A user's identicon, with or without a picture. */
export async function sendIdenticon(ctx: OpenCtx, accountId: string): Promise<Reply> {
  if (!(await ctx.node.accounts.find(accountId))) throw notAvailable('user')
  return identicon(accountId, { 'Cache-Control': forADay })
}

const identicons = new LRUCache<string, Buffer>({ max: 5000 })

function identicon(accountId: string, caching: Record<string, string>): Reply {
  const png = () => {
    let known = identicons.get(accountId)
    if (!known) identicons.set(accountId, (known = identiconPng(accountId)))
    return known
  }
  return new Reply(200, png, { 'Content-Type': 'image/png', ETag: foreverTag, 'Cache-Control': '', ...caching })
}

/** Any address that somebody prints. A code takes longer to make with each byte: this one 3 ms. */
export const maxQrBytes = 500

/** A text as a QR code. The same for ever. */
export function sendQrCode(text: string): Reply {
  if (Buffer.byteLength(text) > maxQrBytes) throw validationFailed(new Map([['string', [`string must have at most ${maxQrBytes} bytes`]]]))
  return new Reply(200, () => qrCodePng(text), { 'Content-Type': 'image/png', ETag: foreverTag, 'Cache-Control': forADay })
}

/**
 * Refuses uploads that cannot be taken, whoever sends them: what is too large, and names of images that are not
 * stored. To be called with the path of each in the request, empty for a request that is one, before anything is said about rights.
 *
 * @throws AppError 400 with the fields.
 */
export async function requireUploads(ctx: Ctx, uploads: Iterable<readonly [path: string, upload: ImageUploadData]>): Promise<void> {
  const failures: FieldFailures = new Map()
  const { maxImageSize } = settingsOf(ctx.node).values
  for (const [path, upload] of uploads) {
    const { image, filename } = upload
    const field = (key: keyof ImageUploadData) => (path === '' ? key : `${path}.${key}`)
    if (path === '' && !image?.size && !filename) failures.set('general', ['Either image or filename must be set'])
    if (image && image.size >= maxImageSize) failures.set(field('image'), [tooLarge(maxImageSize)])
    if (isReuse(upload) && !(await isStored(ctx.node, upload.filename))) failures.set(field('filename'), [notStored])
  }
  if (failures.size > 0) throw validationFailed(failures)
}

/** 400 when there are more images than fit into one post, or one that cannot be taken; `path` is where they stand in the request. */
export async function requireImages(ctx: Ctx, images: readonly ImageUploadData[], limit: number, path = 'images'): Promise<void> {
  if (images.length === 0) return
  if (images.length > limit)
    throw validationFailed(
      new Map([[path, [{ text: `A post can have at most ${limit} ${limit === 1 ? 'image' : 'images'}`, rule: 'too_many', max: limit }]]]),
    )
  await requireUploads(
    ctx,
    images.map((upload, index) => [`${path}.${index}`, upload]),
  )
}

const tooLarge = (limit: number) => `An image must be smaller than ${limit} bytes`
const notStored = 'There is no stored image with this name'

/** True for an upload that names an image which is stored already. */
export function isReuse(upload: ImageUploadData): upload is ImageUploadData & { filename: string } {
  return !(upload.image && upload.image.size > 0) && Boolean(upload.filename)
}

/** Apps make paths of names: nothing else may stand in one. */
const namedIn = (filename: string) => (/^[\w-]+(\.\w+)?$/.test(filename) ? imageNameOf(filename) : undefined)

async function isStored(node: Node, filename: string): Promise<boolean> {
  const name = namedIn(filename)
  if (name === undefined) return false
  return (await node.files.store.stat(imagePath('full', name))) !== undefined
}

/**
 * To be called in the transaction that lets content show stored images: nobody puts them away until it ends, and
 * nobody does afterwards as long as it is shown.
 *
 * @throws AppError 400 when one is gone.
 */
export async function holdImages(tx: Pick<Tx, 'ctx' | 'sql'>, uploads: readonly ImageUploadData[]): Promise<void> {
  const reused = uploads.filter(isReuse)
  if (reused.length === 0) return
  await lockImages(tx.sql, [...new Set(reused.map(({ filename }) => imageNameOf(filename) ?? filename))], { alone: false })
  for (const { filename } of reused) if (!(await isStored(tx.ctx.node, filename))) throw badRequest('name_invalid', `${notStored}.`)
}

/** As `holdImages`, for a write that has a transaction of its own. */
export function whileImagesHeld<T>(ctx: Ctx, uploads: readonly ImageUploadData[], write: () => Promise<T>): Promise<T> {
  if (!uploads.some(isReuse)) return write()
  // Locks on a second connection: the write itself may share its transaction with others.
  return ctx.node.db.transactionAround(async (sql) => {
    await holdImages({ ctx, sql }, uploads)
    return await write()
  })
}

/** An image that content may show from now on. */
export interface StoredImage {
  name: string
  /** Undefined when the file cannot be read. */
  size: ImageSizeData | undefined
}

/**
 * An uploaded image, which is processed and stored, or one that is stored already.
 * Undefined when the upload holds neither. To be called before the transaction that uses the name.
 *
 * @throws AppError 400 when it cannot be taken, 503 when no worker has done it in time.
 */
export async function storeUpload(
  ctx: Ctx<Viewer | undefined>,
  { image, filename, alt = '' }: ImageUploadData,
  use: 'avatar' | 'content',
): Promise<StoredImage | undefined> {
  if (image && image.size > 0) {
    const stored = await storeImage(ctx, image, use)
    await describeImage(ctx, stored.name, alt, true)
    return stored
  }
  if (!filename) return undefined
  const name = namedIn(filename)
  if (name === undefined) throw badRequest('name_invalid', `${notStored}.`)
  await describeImage(ctx, name, alt, false)
  return { name, size: await storedSize(ctx.node, name) }
}

/** Of an image in full; undefined when there is no file that can be read. */
export async function storedSize({ files }: Pick<Node, 'files'>, filename: string): Promise<ImageSizeData | undefined> {
  const name = imageNameOf(filename)
  if (name === undefined) return undefined
  for (const bytes of [firstBytes, maxHeaderBytes]) {
    const start = await files.store.read(imagePath('full', name), bytes)
    const size = start && sizeOf(start)
    if (!start || size || start.length < bytes) return size
  }
  return undefined
}

/** Files that the product wrote need no more. */
const firstBytes = 4096
/** Others may have pictures of their own before it. */
const maxHeaderBytes = 512 * 1024

/** All pictures of a request together: apps give up after ten seconds. */
const requestMs = 8000
const begun = new WeakMap<Ctx<Viewer | undefined>, number>()

/** How long a request may still wait for its pictures. */
function remainingMs(ctx: Ctx<Viewer | undefined>): number {
  const nowMs = ctx.node.clock.elapsed()
  const startMs = begun.get(ctx) ?? nowMs
  begun.set(ctx, startMs)
  return Math.max(0, startMs + requestMs - nowMs)
}

async function storeImage(ctx: Ctx<Viewer | undefined>, image: ReceivedBytes, use: 'avatar' | 'content'): Promise<StoredImage> {
  const { maxImageSize, allowAnimatedImages } = settingsOf(ctx.node).values
  if (image.size >= maxImageSize) throw badRequest('image_too_large', `${tooLarge(maxImageSize)}.`)
  const order = { name: ctx.node.random.uuid().toUpperCase(), square: use === 'avatar', animations: allowAnimatedImages }
  const outcome = await withRoom(ctx, { name: order.name, bytes: image.size }, async () => {
    const done = await processed(ctx.node, image, order, remainingMs(ctx))
    if ('refused' in done) throw badRequest('image_invalid', done.refused)
    return done
  })
  return { name: outcome.filename, size: { width: outcome.width, height: outcome.height } }
}

async function processed(node: Node, image: ReceivedBytes, order: Omit<ImageOrder, 'source'>, withinMs?: number): Promise<ImageOutcome> {
  const source = `${incoming}/${node.random.uuid().toUpperCase()}`
  try {
    await layDown(node, source, image)
    return await node.images.process({ ...order, source }, withinMs)
  } finally {
    // The sweep removes files that cannot be removed now.
    await node.files.store.remove(source).catch(() => undefined)
  }
}

/** Writes an upload to where workers find it. */
async function layDown({ files, log }: Node, path: string, image: ReceivedBytes): Promise<void> {
  try {
    await image.putInto(files.store, path)
  } catch (error) {
    log.error({ err: error }, 'an image could not be written')
    throw unavailable('storage_unavailable', 'Images cannot be stored at the moment. Try again later.', error)
  }
}

/** True for a picture that can come from the store of another server; `size` in bytes. */
export const isRestorable = ({ node }: Ctx<Viewer | undefined>, size: number): boolean =>
  size > 0 && size < settingsOf(node).values.maxImageSize

/** Stores a picture of a user that another server had stored, under the same name where that is free. Undefined when it is no picture. */
export async function restoreAvatar(ctx: Ctx<Viewer | undefined>, sql: Sql, filename: string, image: Buffer): Promise<string | undefined> {
  const known = imageNameOf(filename)
  const free = known !== undefined && !(await selectUsedImages(sql, [known])).has(known)
  const name = free ? known.slice(0, known.indexOf('.')) : ctx.node.random.uuid().toUpperCase()
  const outcome = await processed(ctx.node, new ReceivedBytes(image), {
    name,
    square: true,
    animations: settingsOf(ctx.node).values.allowAnimatedImages,
    stored: true,
  })
  if ('filename' in outcome) return outcome.filename
  ctx.log.warn({ image: filename, refused: outcome.refused, requestId: ctx.requestId }, 'a picture could not be restored')
  return undefined
}

/** Where a stored image lies in full, for a copy of it elsewhere; undefined when it is not there. `name` as it stands in a row. */
export async function storedImage({ node }: Ctx<Viewer | undefined>, name: string): Promise<{ path: string; size: number } | undefined> {
  if (imageNameOf(name) !== name) return undefined
  const path = imagePath('full', name)
  const facts = await node.files.store.stat(path)
  return facts && { path, size: facts.size }
}

/**
 * Puts images away that content has given up: the thumbnail stays for moderators. To be called after
 * the commit. Images that other content shows stay. What failed, or met a backup, is made up for by the sweep.
 */
export async function archiveImages(ctx: Ctx<Viewer | undefined>, filenames: readonly string[]): Promise<void> {
  const names = filenames.filter((filename) => imageNameOf(filename) === filename)
  if (names.length === 0) return
  try {
    if (await mayRemoveImages(ctx)) await putAwayUnused(ctx, names)
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'images could not be archived')
  }
}

const namesAtOnce = 100

/** Archives those of the stored images that nothing shows; returns their names. */
export async function putAwayUnused(ctx: Ctx<Viewer | undefined>, names: readonly string[]): Promise<string[]> {
  const all: string[] = []
  for (let at = 0; at < names.length; at += namesAtOnce) {
    const some = [...new Set(names.slice(at, at + namesAtOnce))]
    all.push(
      ...(await ctx.transaction(async (tx) => {
        await lockImages(tx.sql, some, { alone: true })
        const used = await selectUsedImages(tx.sql, some)
        const unused = some.filter((name) => !used.has(name))
        await putAway(ctx, unused)
        if (unused.length > 0) await Promise.all([recount(ctx.node, tx.sql, unused), deleteDescriptions(tx.sql, unused)])
        return unused
      })),
    )
  }
  return all
}

async function putAway(ctx: Ctx<Viewer | undefined>, names: readonly string[]): Promise<void> {
  const { files } = ctx.node
  // All at once: a bucket takes its time for each, and Postgres ends a transaction that only waits.
  await Promise.all(
    names.map(async (name) => {
      await files.store.move(imagePath('thumb', name), imagePath('archive', name))
      await files.store.remove(imagePath('full', name))
    }),
  )
  await files.forget(names.flatMap((name) => [imagePath('thumb', name), imagePath('full', name)]))
}
