// Pictures on their way to the server.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Bytes } from '../../sdk/client.ts'
import { t } from '../texts.ts'

/** What the server takes. Systems that know no type for a picture of a phone go by its name. */
export const pictureTypes = 'image/*,.heic,.heif,.avif,.jxl'

/** Whether a file says that it is one. */
export const isPicture = ({ type, name }: File): boolean => type.startsWith('image/') || /\.(heic|heif|avif|jxl)$/i.test(name)

const longestSide = 2048
const quality = 0.85

/** Makes a picture as small as the server would, before it is sent. What the browser cannot read, and what moves, stays as it is. */
export async function shrink(file: Blob): Promise<Blob> {
  const bitmap =
    file.type === 'image/gif' ? undefined : await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined)
  if (!bitmap) return file
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  const surface = canvas.getContext('2d')
  if (surface) {
    // What was transparent would be black.
    surface.fillStyle = '#fff'
    surface.fillRect(0, 0, canvas.width, canvas.height)
    surface.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  }
  bitmap.close()
  const smaller = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  // A small drawing may already be smaller as it is.
  return smaller && (smaller.size < file.size || scale < 1) ? smaller : file
}

type PreviewProps = Pick<JSX.IntrinsicElements['img'], 'alt' | 'class' | 'width' | 'height'> & { of: Bytes }

/** A picture that has not been sent yet. What this browser cannot show is named: the server can read it. */
export function Preview({ of, ...more }: PreviewProps) {
  const [address, setAddress] = useState<string>()
  const [isUnknown, setUnknown] = useState(false)
  useEffect(() => {
    setUnknown(false)
    if (typeof of === 'string') return setAddress(`data:image/jpeg;base64,${of}`)
    const made = URL.createObjectURL(of as Blob)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [of])
  if (isUnknown && of instanceof Blob) {
    const name = of instanceof File ? of.name : of.type
    return (
      <span class="no-preview" title={t('choose.unseen', { name })}>
        {(name.split(/[./]/).at(-1) ?? '').toUpperCase()}
      </span>
    )
  }
  return <img {...more} {...(address && { src: address })} onError={() => setUnknown(true)} />
}

/** How much of an upload has left. */
export function Progress({ share }: { share: number | undefined }) {
  return share === undefined ? null : <progress class="upload" value={share} aria-label={t('sending')} />
}

/** For a call that cannot take bytes. */
export async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  let text = ''
  for (let start = 0; start < bytes.length; start += 0x8000) text += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  return btoa(text)
}
