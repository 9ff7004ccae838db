// Pictures in posts.
import { useState } from 'preact/hooks'
import type { ImageSizeData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { t } from '../texts.ts'
import { Dialog } from './dialog.tsx'

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

/** Thumbnails in a row that open in full. */
export function Pictures({ names, sizes }: { names: readonly string[] | undefined; sizes?: readonly ImageSizeData[] | undefined }) {
  const [open, setOpen] = useState<number>()
  if (!names || names.length === 0) return null
  const [only] = names.length === 1 ? (sizes ?? []) : []
  const room = only ? roomOf(only) : { width: 120, height: 120 }
  return (
    <div class={names.length === 1 && !only ? 'pictures one' : 'pictures'}>
      {names.map((name, index) => (
        <button key={name} type="button" aria-label={t('picture', { number: index + 1 })} onClick={() => setOpen(index)}>
          <img src={client.image.thumb.url({ image_filename: name })} alt="" {...room} loading="lazy" />
        </button>
      ))}
      {open !== undefined && (
        <Dialog title={t('pictureTitle')} close={() => setOpen(undefined)}>
          <img class="full" src={client.image.full.url({ image_filename: names[open] ?? '' })} alt="" style={roomInFull(sizes?.[open])} />
        </Dialog>
      )}
    </div>
  )
}
