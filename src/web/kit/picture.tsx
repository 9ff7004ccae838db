// Pictures in posts.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { t } from '../texts.ts'
import { Dialog } from './dialog.tsx'

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
