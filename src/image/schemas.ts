// The wire forms of images.
import { Bytes, Dto, Int, Text, Type, type Static } from '../core/schema/schema.ts'

/** One of the two should be set; `image` wins. `filename` names an image that is stored already. */
export type ImageUploadData = Static<typeof ImageUploadData>
export const ImageUploadData = Dto('ImageUploadData', {
  filename: Type.Optional(Text({ max: 200 })),
  image: Type.Optional(Bytes),
})

/** Pixels of a stored image in full. */
export type ImageSizeData = Static<typeof ImageSizeData>
export const ImageSizeData = Dto('ImageSizeData', { width: Int, height: Int })

/** Bytes of a request that may carry as many images as a post can have, in base64. */
export const imageBodyLimit = 170 * 1024 * 1024
