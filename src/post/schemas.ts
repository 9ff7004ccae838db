// The wire forms of posts that are the same wherever they are written.
import { Dto, FlagWithAlias, Int, Text, Type, type Static } from '../core/schema/schema.ts'
import { ImageUploadData } from '../image/schemas.ts'

/** Creates a post of a forum, of the microblog or of a chat. */
export type PostContentData = Static<typeof PostContentData>
export const PostContentData = Dto(
  'PostContentData',
  {
    text: Text({ min: 1, max: 2047, lines: 25 }),
    images: Type.Array(ImageUploadData),
    postAsModerator: Type.Optional(Type.Boolean()),
    postAsServiceTeam: Type.Optional(FlagWithAlias('postAsTwitarrTeam')),
  },
  ({ images }, fail) => {
    if (images.length > 8) fail({ text: 'There must be at most 8 images', rule: 'too_many', max: 8 }, 'images')
    if (images.some(({ filename, image }) => !filename && !image))
      fail('Each image must have either data or the name of a stored one', 'images')
  },
)

/** How many have reacted to a post. */
export type ReactionCountsData = Static<typeof ReactionCountsData>
export const ReactionCountsData = Dto('ReactionCountsData', { laugh: Int, like: Int, love: Int })
