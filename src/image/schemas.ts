// The wire forms of images.
import { Bytes, Dto, Int, Text, Type, type Static } from '../core/schema/schema.ts'

/** Letters of a description. */
export const maxDescription = 500

/** One of the two should be set; `image` wins. `filename` names an image that is stored already. */
export type ImageUploadData = Static<typeof ImageUploadData>
export const ImageUploadData = Dto('ImageUploadData', {
  filename: Type.Optional(Text({ max: 200 })),
  image: Type.Optional(Bytes),
  /** What is to be seen, for those who cannot see it. */
  alt: Type.Optional(Text({ max: maxDescription })),
})

/** What somebody says of a stored picture. */
export type ImageDescriptionData = Static<typeof ImageDescriptionData>
export const ImageDescriptionData = Dto('ImageDescriptionData', { image: Type.String(), description: Type.String() })

/** Pixels of a stored image in full. */
export type ImageSizeData = Static<typeof ImageSizeData>
export const ImageSizeData = Dto('ImageSizeData', { width: Int, height: Int })

/** Bytes of a request that may carry as many images as a post can have, in base64. */
export const imageBodyLimit = 170 * 1024 * 1024
