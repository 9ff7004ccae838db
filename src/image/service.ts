// Stored images: sending them, taking new ones in, putting old ones away.
import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { mayRemoveImages } from './removals.service.ts'
import type { Ctx, Node, OpenCtx } from '../core/ctx.ts'
import type { Sql } from '../core/db/db.ts'
import { badRequest, notAvailable, unavailable } from '../core/errors.ts'
import { fileReply } from '../core/http/file-reply.ts'
import { incoming } from '../core/files/files.ts'
import type { ImageOrder, ImageOutcome } from './queue.ts'
import { Reply } from '../core/http/route.ts'
import type { Viewer } from '../core/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import { identiconPng } from './identicon.ts'
import { qrCodePng } from './qr-code.ts'
import { contentTypeOf, imageNameOf, imagePath, type ImageSize } from './names.ts'
import { selectUsedImages } from './queries.ts'
import type { ImageUploadData } from './schemas.ts'

const forADay = 'public, max-age=86400'

/** The answer with a stored image, or the part of it that the request asks for. */
export async function sendImage(ctx: OpenCtx, size: ImageSize, filename: string): Promise<Reply> {
  const name = imageNameOf(filename)
  const file = name && (await ctx.node.files.find(imagePath(size, name)))
  if (!name || !file) throw notAvailable('image')
  return fileReply(ctx.head, file, contentTypeOf(name))
}

/** A user's picture, or their identicon. */
export async function sendUserImage(ctx: OpenCtx, size: 'full' | 'thumb', accountId: string): Promise<Reply> {
  const account = await ctx.node.accounts.find(accountId)
  if (!account) throw notAvailable('user')
  return account.userImage ? await sendImage(ctx, size, account.userImage) : identicon(ctx, accountId, {})
}

/** A user's identicon, with or without a picture. */
export async function sendIdenticon(ctx: OpenCtx, accountId: string): Promise<Reply> {
  if (!(await ctx.node.accounts.find(accountId))) throw notAvailable('user')
  return identicon(ctx, accountId, { 'Cache-Control': forADay })
}

const identiconTag = 'W/"1"'
const maxIdenticons = 5000
const identicons = new Map<string, Buffer>()

function identicon(ctx: OpenCtx, accountId: string, caching: Record<string, string>): Reply {
  if (ctx.head?.ifNoneMatch === identiconTag) return new Reply(304, undefined, { ETag: identiconTag, 'Cache-Control': '' })
  let png = identicons.get(accountId)
  if (!png) {
    png = identiconPng(accountId)
    if (identicons.size >= maxIdenticons) identicons.clear()
    identicons.set(accountId, png)
  }
  return new Reply(200, png, { 'Content-Type': 'image/png', ETag: identiconTag, 'Cache-Control': '', ...caching })
}

const qrTag = 'W/"1"'

/** A text as a QR code. The same for ever. */
export function sendQrCode(ctx: OpenCtx, text: string): Reply {
  const headers = { ETag: qrTag, 'Cache-Control': forADay }
  if (ctx.head?.ifNoneMatch === qrTag) return new Reply(304, undefined, headers)
  return new Reply(200, qrCodePng(text), { 'Content-Type': 'image/png', ...headers })
}

/**
 * The name of an uploaded image, which is processed and stored, or of one that is stored already.
 * Undefined when the upload holds neither. To be called before the transaction that uses the name.
 *
 * @throws AppError 400 when it cannot be taken, 503 when no worker has done it in time.
 */
export async function storeUpload(ctx: Ctx, { image, filename }: ImageUploadData, use: 'avatar' | 'content'): Promise<string | undefined> {
  if (image && image.length > 0) return await storeImage(ctx, image, use)
  if (!filename) return undefined
  // Whether it exists does not matter, but apps make paths of it.
  if (!/^[\w-]+(\.\w+)?$/.test(filename)) throw badRequest('name_invalid', 'filename is not the name of an image.')
  return imageNameOf(filename) ?? filename
}

/** All pictures of a request together: apps give up after ten seconds. */
const requestMs = 8000
const begun = new WeakMap<Ctx, number>()

/** How long a request may still wait for its pictures. */
function remainingMs(ctx: Ctx): number {
  const startMs = begun.get(ctx) ?? ctx.nowMs
  begun.set(ctx, startMs)
  return Math.max(0, startMs + requestMs - ctx.nowMs)
}

async function storeImage(ctx: Ctx, image: Buffer, use: 'avatar' | 'content'): Promise<string> {
  const { maxImageSize, allowAnimatedImages } = settingsOf(ctx.node).values
  if (image.length >= maxImageSize) throw badRequest('image_too_large', `An image must be smaller than ${maxImageSize} bytes.`)
  const order = { name: ctx.node.random.uuid().toUpperCase(), square: use === 'avatar', animations: allowAnimatedImages }
  const outcome = await processed(ctx.node, image, order, remainingMs(ctx))
  if ('refused' in outcome) throw badRequest('image_invalid', outcome.refused)
  return outcome.filename
}

async function processed(node: Node, image: Buffer, order: Omit<ImageOrder, 'source'>, withinMs?: number): Promise<ImageOutcome> {
  const source = join(incoming, node.random.uuid().toUpperCase())
  const path = join(node.config.imagesDir, source)
  try {
    await layDown(node, path, image)
    return await node.images.process({ ...order, source }, withinMs)
  } finally {
    // The sweep removes files that cannot be removed now.
    await rm(path, { force: true }).catch(() => undefined)
  }
}

/** Writes an upload to where workers find it. */
async function layDown({ log }: Node, path: string, image: Buffer): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, image)
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
  const outcome = await processed(ctx.node, image, {
    name,
    square: true,
    animations: settingsOf(ctx.node).values.allowAnimatedImages,
    stored: true,
  })
  if ('filename' in outcome) return outcome.filename
  ctx.log.warn({ image: filename, refused: outcome.refused, requestId: ctx.requestId }, 'a picture could not be restored')
  return undefined
}

/** A stored image in full, for a copy of it elsewhere; undefined when it is not there. `name` as it stands in a row. */
export async function storedImage({ node }: Ctx, name: string): Promise<{ path: string; size: number } | undefined> {
  if (imageNameOf(name) !== name) return undefined
  const path = join(node.config.imagesDir, imagePath('full', name))
  const stats = await stat(path).catch(unlessMissing)
  return stats && { path, size: stats.size }
}

/**
 * Puts images away that content has given up: the thumbnail stays for moderators. To be called after
 * the commit. Images that other content shows stay. What failed, or met a backup, is made up for by the sweep.
 */
export async function archiveImages(ctx: Ctx<Viewer | undefined>, filenames: readonly string[]): Promise<void> {
  const names = filenames.filter((filename) => imageNameOf(filename) === filename)
  if (names.length === 0) return
  try {
    if (!(await mayRemoveImages(ctx))) return
    const used = await selectUsedImages(ctx.sql, names)
    await putAway(
      ctx,
      names.filter((name) => !used.has(name)),
    )
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'images could not be archived')
  }
}

/** Archives stored images, whoever shows them. */
export async function putAway(ctx: Ctx<Viewer | undefined>, names: readonly string[]): Promise<void> {
  const root = ctx.node.config.imagesDir
  for (const name of names) {
    const to = join(root, imagePath('archive', name))
    await mkdir(dirname(to), { recursive: true })
    await rename(join(root, imagePath('thumb', name)), to).catch(unlessMissing)
    await rm(join(root, imagePath('full', name)), { force: true })
  }
  await ctx.node.files.forget(names.flatMap((name) => [imagePath('thumb', name), imagePath('full', name)]))
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
