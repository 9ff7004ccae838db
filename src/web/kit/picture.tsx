// Pictures in posts, and pictures on their way into one.
import { useState } from 'preact/hooks'
import type { ImageSizeData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { t } from '../texts.ts'
import { Dialog } from './dialog.tsx'

const longestSide = 2048
const quality = 0.85

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

/** Makes a picture as small as the server would, before it is sent. Returns base64. */
export async function shrink(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined)
  if (!bitmap) return toBase64(file)
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  // A small drawing may already be smaller as it is.
  return toBase64(smaller && (smaller.size < file.size || scale < 1) ? smaller : file)
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let start = 0; start < bytes.length; start += 0x8000) text += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  return btoa(text)
}

/** For showing a picture that has not been sent yet. */
export const previewOf = (base64: string) => `data:image/jpeg;base64,${base64}`
