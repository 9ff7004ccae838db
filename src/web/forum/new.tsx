// Begins a forum.
import { client } from '../client.ts'
import { AddPicture, Chosen, maxPicturesOfPost, usePictures } from '../kit/choose.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { once } from '../kit/once.ts'
import { onlyPictures } from '../kit/picture.tsx'
import { refresh } from '../store.ts'
import { t } from '../texts.ts'

interface NewForumProps {
  categoryID: string
  close: () => void
  done: (forumID: string) => void
}

export function NewForum({ categoryID, close, done }: NewForumProps) {
  const { values, set, error, busy, submit } = useForm({ title: '', text: '' })
  const { title, text } = values
  const pictures = usePictures(maxPicturesOfPost)
  const create = async () => {
    const { forumID } = await once(client.forum.create, {
      category_id: categoryID,
      title,
      firstPost: { text: text.trim() === '' ? onlyPictures : text, images: pictures.toSend },
    })
    refresh('forums')
    done(forumID)
  }
  return (
    <Dialog title={t('newForum')} close={close}>
      <form onSubmit={submit(create)}>
        <Field
          label={t('title')}
          value={title}
          change={set('title')}
          error={errorOf(error, 'title')}
          input={{ required: true, maxLength: 100 }}
        />
        <Field
          label={t('firstPost')}
          value={text}
          change={set('text')}
          rows={5}
          error={errorOf(error, 'text')}
          input={{ maxLength: 2047 }}
        />
        <Chosen of={pictures} />
        <FormError error={error} fields={['title', 'text']} />
        <div class="buttons">
          <AddPicture of={pictures} words />
          <span class="grow" />
          <button type="submit" class="btn" disabled={busy || pictures.isBusy || (text.trim() === '' && pictures.added.length === 0)}>
            {t('create')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
