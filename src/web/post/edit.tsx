// Changes a post: its words, and which pictures it has.
import { AddPicture, Chosen, maxPicturesOfPost, usePictures } from '../kit/choose.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { t } from '../texts.ts'
import type { PostDeeds, ShownPost } from './post.tsx'

export function EditPost({ post, edit, close }: { post: ShownPost; edit: PostDeeds['edit']; close: () => void }) {
  const { values, set, error, busy, submit } = useForm({ text: post.text })
  const { text } = values
  const pictures = usePictures(maxPicturesOfPost, { names: post.images ?? [] })
  const save = async () => {
    await edit(post, text, [...pictures.kept.map((filename) => ({ filename })), ...pictures.toSend])
    close()
  }
  return (
    <Dialog title={t('edit')} close={close}>
      <form onSubmit={submit(save)}>
        <Field label={t('message')} value={text} change={set('text')} rows={6} error={errorOf(error, 'text')} input={{ maxLength: 2047 }} />
        <Chosen of={pictures} />
        <FormError error={error} fields={['text']} />
        <div class="buttons">
          <AddPicture of={pictures} words />
        </div>
        <div class="buttons">
          <button type="button" class="btn quiet" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="btn" disabled={busy || pictures.isBusy || text.trim() === ''}>
            {t('save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
