// The images of a post: names of stored ones in the order in which they are shown.
import type { Ctx } from '../core/ctx.ts'
import { badRequest } from '../core/errors.ts'
import type { PostContentData } from './schemas.ts'
import { storeUpload } from '../image/service.ts'

/** Stores what is new, one after another. `mayUse` refuses first: no work is spent on what could not be posted anyway. */
export async function storedImages(ctx: Ctx, images: PostContentData['images'], mayUse: () => Promise<void>): Promise<string[]> {
  if (images.length === 0) return []
  await mayUse()
  const names: string[] = []
  for (const upload of images) {
    const name = await storeUpload(ctx, upload, 'content')
    if (name === undefined) throw badRequest('image_missing', 'An image must have either data or the name of a stored one.')
    names.push(name)
  }
  return names
}
