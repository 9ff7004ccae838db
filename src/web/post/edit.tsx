// Changes a post: its words, and which pictures it has.
import { useState } from 'preact/hooks'
import { AddPicture, Chosen, maxPicturesOfPost, usePictures } from '../kit/choose.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { t } from '../texts.ts'
import type { PostDeeds, ShownPost } from './post.tsx'

export function EditPost({ post, edit, close }: { post: ShownPost; edit: PostDeeds['edit']; close: () => void }) {
  const [text, setText] = useState(post.text)
  const pictures = usePictures(maxPicturesOfPost, post.images)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const { kept, added } = pictures
      await edit(post, text, [...kept.map((filename) => ({ filename })), ...added.map((image) => ({ image }))])
      close()
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('edit')} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <Field label={t('message')} value={text} change={setText} rows={6} error={errorOf(error, 'text')} input={{ maxLength: 2047 }} />
        <Chosen of={pictures} />
        <FormError error={error} fields={['text']} />
        <div class="buttons">
          <AddPicture of={pictures} words />
        </div>
        <div class="buttons">
          <button type="button" class="btn quiet" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="btn" disabled={busy || text.trim() === ''}>
            {t('save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
