// The images of a post: names of stored ones in the order in which they are shown.
import type { Ctx } from '../core/ctx.ts'
import { badRequest } from '../core/errors.ts'
import type { PostContentData } from '../fez/schemas.ts'
import { settingsOf } from '../settings/channel.ts'

const photographersImages = 8
// As names are generated: nothing that could be a path.
const storedName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\.[a-z]{3,4})?$/i

/** The names that a post has after a request. @throws AppError 400 when there are more than the caller may show, or one cannot be stored. */
export function imageNames(ctx: Ctx, images: PostContentData['images']): string[] {
  const limit = ctx.viewer.roles.has('shutternaut') ? photographersImages : settingsOf(ctx.node).values.maxForumPostImages
  if (images.length > limit) throw badRequest(`A forum post can have at most ${limit} images.`)
  return images.map(({ filename, image }) => {
    if (image) throw badRequest('New images cannot be added to forum posts yet.')
    if (!filename || !storedName.test(filename)) throw badRequest('There is no stored image of this name.')
    return filename
  })
}
