// The wire forms of the microblog. A post is called `twarrt` in keys.
import { UserHeader } from '../accounts/schemas.ts'
import { DateTime, Dto, Int, OneOf, StrictInt, Text, Type, Uuid, type Static, type TObject } from '../core/schema/schema.ts'
import { ImageSizeData } from '../image/schemas.ts'
import { ReactionCountsData } from '../post/schemas.ts'
import { reactions } from '../post/types.ts'
import { ends, likeTypes } from './types.ts'

const shown = {
  twarrtID: Int,
  createdAt: DateTime,
  author: UserHeader,
  text: Type.String(),
  images: Type.Optional(Type.Array(Type.String())),
  /** Of the images, in their order; absent while one of them is not known. */
  imageSizes: Type.Optional(Type.Array(ImageSizeData)),
  /** The post that was answered first; absent as long as nobody has answered. */
  replyGroupID: Type.Optional(Int),
  isBookmarked: Type.Boolean(),
  /** The viewer's own reaction. */
  userLike: Type.Optional(OneOf(reactions)),
}

/** A post, as one viewer gets it. */
export type MicroblogPostData = Static<typeof MicroblogPostData>
export const MicroblogPostData = Dto('MicroblogPostData', { ...shown, likeCount: Int, reactionCounts: Type.Optional(ReactionCountsData) })

/** A post with everybody who has reacted to it. */
export type MicroblogPostDetailData = Static<typeof MicroblogPostDetailData>
export const MicroblogPostDetailData = Dto('MicroblogPostDetailData', {
  ...shown,
  laughs: Type.Array(UserHeader),
  likes: Type.Array(UserHeader),
  loves: Type.Array(UserHeader),
})

const words = Type.Optional(Text({ max: 200 }))
const flag = Type.Optional(Type.Boolean())
const id = Type.Optional(StrictInt)

/** Query of all lists of posts. */
export type MicroblogQuery = Static<TObject<typeof microblogQuery>>
export const microblogQuery = {
  start: id,
  limit: id,
  search: words,
  hashtag: words,
  mentions: words,
  mentionSelf: flag,
  byUser: Type.Optional(Uuid),
  byUsername: words,
  inBarrel: Type.Optional(Uuid),
  bookmarked: flag,
  likeType: Type.Optional(OneOf(likeTypes)),
  replyGroup: id,
  hideReplies: flag,
  after: id,
  before: id,
  afterDate: Type.Optional(DateTime),
  beforeDate: Type.Optional(DateTime),
  from: Type.Optional(OneOf(ends)),
}
