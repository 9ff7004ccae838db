// The images of a post: stored ones in the order in which they are shown.
import type { Ctx } from '../core/work/ctx.ts'
import { badRequest } from '../core/base/errors.ts'
import type { PostContentData } from './schemas.ts'
import { storeUpload, type StoredImage } from '../image/service.ts'
import { sizesOf, type Sizes } from '../image/sizes.ts'

/** As rows keep them. */
export interface PostImages {
  images: string[]
  imageSizes: Sizes
}

/** Stores what is new, one after another. `mayUse` refuses first: no work is spent on what could not be posted anyway. */
export async function storedImages(ctx: Ctx, images: PostContentData['images'], mayUse: () => Promise<void>): Promise<PostImages> {
  // Those of a repetition were stored before.
  if (images.length === 0 || (await ctx.isRepetition())) return { images: [], imageSizes: null }
  await mayUse()
  const stored: StoredImage[] = []
  for (const upload of images) {
    const image = await storeUpload(ctx, upload, 'content')
    if (!image) throw badRequest('image_missing', 'An image must have either data or the name of a stored one.')
    stored.push(image)
  }
  return { images: stored.map(({ name }) => name), imageSizes: sizesOf(stored.map(({ size }) => size)) }
}
