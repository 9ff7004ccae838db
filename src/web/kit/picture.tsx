// Pictures in posts.
import type { ImageSizeData, UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { t } from '../texts.ts'
import { useDescriptions } from './descriptions.ts'
import { nameOf } from './face.tsx'
import { withStyle } from './lazy.tsx'
import { when } from './time.ts'
import { attempt } from './toast.tsx'

/** Thumbnails are as high as this at most. */
const thumbHeight = 200
const widest = 260
const narrowest = 80

/** The room of one picture in a post: in its own shape, unless that is very long. */
function roomOf({ width, height }: ImageSizeData): { width: number; height: number } {
  const shown = Math.max(narrowest, Math.min(widest, width, (thumbHeight * width) / height))
  return { width: Math.round(shown), height: Math.round(Math.min(thumbHeight, Math.max(narrowest, (shown * height) / width))) }
}

/** In full: as large as it is, or as fits. The room is there before the picture. */
export const roomInFull = (size: ImageSizeData | undefined) =>
  size && {
    aspectRatio: `${size.width} / ${size.height}`,
    width: `min(100%, ${size.width}px, ${(75 * size.width) / size.height}dvh)`,
  }

/** The words of a post that has none: a post has to have some. */
export const onlyPictures = '📷'

/** What is said beside the pictures. */
export const wordsOf = (text: string): string => (text === onlyPictures ? '' : text)

/** A picture as it is opened in full. */
export interface ShownPicture {
  name: string
  /** Where it is, when it is none of those that people have uploaded. */
  src?: string | undefined
  size?: ImageSizeData | undefined
  /** For those who do not see it. */
  alt: string
  /** What is to be seen, in the words of whoever uploaded it. */
  description?: string | undefined
  /** Whose it is and when. */
  by?: string | undefined
  /** What was written with it. */
  text?: string | undefined
}

/** Who it was and when. */
export const byline = (author: UserHeader, at: string | undefined): string => `${nameOf(author)} · ${when(at ?? '')}`

/** Opens pictures over the page. Resolves, when they are closed, with the place of the one that was shown last. */
export async function openPictures(pictures: readonly ShownPicture[], start: number): Promise<number> {
  const { view } = await withStyle('viewer', import('./viewer.tsx'))
  return view(pictures, start)
}

const noNames: readonly string[] = []

interface PicturesProps extends Pick<ShownPicture, 'by' | 'text'> {
  names: readonly string[] | undefined
  sizes?: readonly ImageSizeData[] | undefined
}

/** Thumbnails in a row that open in full. */
export function Pictures({ names, sizes, by, text }: PicturesProps) {
  const described = useDescriptions(names ?? noNames)
  if (!names || names.length === 0) return null
  const [only] = names.length === 1 ? (sizes ?? []) : []
  const room = only ? roomOf(only) : { width: 120, height: 120 }
  const altOf = (index: number) => {
    const said = described.get(names[index] ?? '')
    const number = t('picture', { number: index + 1 })
    return said ? `${number}: ${said}` : number
  }
  const shown = () =>
    names.map((name, index) => ({ name, size: sizes?.[index], alt: altOf(index), description: described.get(name), by, text }))
  return (
    <div class={names.length === 1 && !only ? 'pictures one' : 'pictures'}>
      {names.map((name, index) => (
        <button key={name} type="button" aria-label={altOf(index)} onClick={() => void attempt(() => openPictures(shown(), index))}>
          <img src={client.image.thumb.url({ image_filename: name })} alt="" {...room} loading="lazy" />
        </button>
      ))}
    </div>
  )
}
