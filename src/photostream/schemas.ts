// The wire forms of the photo stream.
import { UserHeader } from '../accounts/schemas.ts'
import { pageQuery, Paginator } from '../core/http/paging.ts'
import { Bytes, DateTime, Dto, Int, OneOf, Text, Type, Uuid, type Static } from '../core/schema/schema.ts'
import { EventData } from '../events/schemas.ts'
import { ImageSizeData, maxDescription } from '../image/schemas.ts'
import { moderatedFields } from '../moderation/schemas.ts'
import { boatLocations } from './types.ts'

export type PhotostreamImageData = Static<typeof PhotostreamImageData>
export const PhotostreamImageData = Dto('PhotostreamImageData', {
  postID: Int,
  /** When it was taken. */
  createdAt: DateTime,
  author: UserHeader,
  /** Name of the stored image. */
  image: Type.String(),
  /** Absent while it is not known. */
  imageSize: Type.Optional(ImageSizeData),
  /** Either an event or a location. */
  event: Type.Optional(EventData),
  location: Type.Optional(OneOf(boatLocations)),
})

export type PhotostreamListData = Static<typeof PhotostreamListData>
export const PhotostreamListData = Dto('PhotostreamListData', { photos: Type.Array(PhotostreamImageData), paginator: Paginator })

/** What a photo that is taken now can be of. */
export type PhotostreamLocationData = Static<typeof PhotostreamLocationData>
export const PhotostreamLocationData = Dto('PhotostreamLocationData', {
  /** On at the moment. */
  events: Type.Array(EventData),
  locations: Type.Array(Type.String()),
})

export type PhotostreamUploadData = Static<typeof PhotostreamUploadData>
export const PhotostreamUploadData = Dto(
  'PhotostreamUploadData',
  {
    image: Bytes,
    /** What is to be seen, for those who cannot see it. */
    alt: Type.Optional(Text({ max: maxDescription })),
    /** When it was taken. A time that is still to come counts as now. */
    createdAt: DateTime,
    /** One of the events that are on. */
    eventID: Type.Optional(Uuid),
    /** Unknown places count as `On Boat`. */
    locationName: Type.Optional(Text({ max: 200 })),
  },
  ({ image }, fail) => {
    if (image.size === 0) fail({ text: 'image must not be empty', rule: 'empty' }, 'image')
  },
)

/** A photo with nothing hidden. */
export type PhotostreamModerationData = Static<typeof PhotostreamModerationData>
export const PhotostreamModerationData = Dto('PhotostreamModerationData', {
  photo: PhotostreamImageData,
  isDeleted: Type.Boolean(),
  ...moderatedFields,
})

const word = Type.Optional(Text({ max: 200 }))

/** Query of the list: at most one filter. Ids that are none count as absent. */
export const photoQuery = { ...pageQuery, eventID: word, locationName: word, byUser: word, userID: word }

export interface PhotoQuery {
  start?: number
  limit?: number
  eventID?: string
  locationName?: string
  byUser?: string
  /** Another word for `byUser`. */
  userID?: string
}
