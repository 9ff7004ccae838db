// A picture like those of phones, as they come after an app has made them smaller: some hundred kilobytes.
import sharp from 'sharp'

/** A JPEG file, as base64. */
export async function holidayPicture(): Promise<string> {
  const noise = { type: 'gaussian', mean: 128, sigma: 20 } as const
  const file = await sharp({ create: { width: 1280, height: 960, channels: 3, background: '#48a', noise } })
    .jpeg({ quality: 70 })
    .toBuffer()
  return file.toString('base64')
}
