// Pictures in posts, and pictures on their way into one.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { t } from '../texts.ts'
import { Dialog } from './dialog.tsx'

const longestSide = 2048
const quality = 0.85

/** Thumbnails in a row that open in full. */
export function Pictures({ names }: { names: readonly string[] | undefined }) {
  const [open, setOpen] = useState<string>()
  if (!names || names.length === 0) return null
  return (
    <div class={names.length === 1 ? 'pictures one' : 'pictures'}>
      {names.map((name, index) => (
        <button key={name} type="button" aria-label={t('picture', { number: index + 1 })} onClick={() => setOpen(name)}>
          <img src={client.image.thumb.url({ image_filename: name })} alt="" width={120} height={120} loading="lazy" />
        </button>
      ))}
      {open && (
        <Dialog title={t('pictureTitle')} close={() => setOpen(undefined)}>
          <img class="full" src={client.image.full.url({ image_filename: open })} alt="" />
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
