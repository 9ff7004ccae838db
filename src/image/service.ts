// Stored images: sending them, taking new ones in, putting old ones away.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Ctx, OpenCtx } from '../core/ctx.ts'
import { badRequest, notAvailable } from '../core/errors.ts'
import { fileReply } from '../core/file-reply.ts'
import { incoming } from '../core/files.ts'
import { Reply } from '../core/route.ts'
import type { Viewer } from '../core/viewer.ts'
import { settingsOf } from '../settings/channel.ts'
import { identiconPng } from './identicon.ts'
import { contentTypeOf, imageNameOf, imagePath, type ImageSize } from './names.ts'
import { selectUsedImages } from './queries.ts'
import type { ImageUploadData } from './schemas.ts'

const forADay = 'public, max-age=86400'

/** The answer with a stored image, or the part of it that the request asks for. */
export async function sendImage(ctx: OpenCtx, size: ImageSize, filename: string): Promise<Reply> {
  const name = imageNameOf(filename)
  const file = name && await ctx.node.files.find(imagePath(size, name))
  if (!name || !file) throw notAvailable('image')
  return fileReply(ctx.head, file, contentTypeOf(name))
}

/** A user's picture, or his identicon. */
export async function sendUserImage(ctx: OpenCtx, size: 'full' | 'thumb', accountId: string): Promise<Reply> {
  const account = await ctx.node.accounts.find(accountId)
  if (!account) throw notAvailable('user')
  return account.userImage ? await sendImage(ctx, size, account.userImage) : identicon(ctx, accountId, {})
}

/** A user's identicon, whether he has a picture or not. */
export async function sendIdenticon(ctx: OpenCtx, accountId: string): Promise<Reply> {
  if (!await ctx.node.accounts.find(accountId)) throw notAvailable('user')
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
  if (!/^[\w-]+(\.\w+)?$/.test(filename)) throw badRequest('filename is not the name of an image.')
  return imageNameOf(filename) ?? filename
}

async function storeImage(ctx: Ctx, image: Buffer, use: 'avatar' | 'content'): Promise<string> {
  const { maxImageSize, allowAnimatedImages } = settingsOf(ctx.node).values
  if (image.length >= maxImageSize) throw badRequest(`An image must be smaller than ${maxImageSize} bytes.`)
  const name = ctx.node.random.uuid().toUpperCase()
  const source = join(incoming, name)
  const path = join(ctx.node.config.imagesDir, source)
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(path, image)
    const outcome = await ctx.node.images.process({ source, name, square: use === 'avatar', animations: allowAnimatedImages })
    if ('refused' in outcome) throw badRequest(outcome.refused)
    return outcome.filename
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * Puts images away that content has given up: the thumbnail stays for moderators. To be called after
 * the commit. Images that other content shows stay; failures are only logged, and made up for by the sweep.
 */
export async function archiveImages(ctx: Ctx<Viewer | undefined>, filenames: readonly string[]): Promise<void> {
  const names = filenames.filter((filename) => imageNameOf(filename) === filename)
  if (names.length === 0) return
  try {
    const used = await selectUsedImages(ctx.sql, names)
    await putAway(ctx, names.filter((name) => !used.has(name)))
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

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
