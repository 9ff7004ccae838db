// Begins a forum.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { AddPicture, Chosen, maxPicturesOfPost, usePictures } from '../kit/choose.tsx'
import { Dialog } from '../kit/dialog.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { refresh } from '../store.ts'
import { t } from '../texts.ts'

interface NewForumProps {
  categoryID: string
  close: () => void
  done: (forumID: string) => void
}

export function NewForum({ categoryID, close, done }: NewForumProps) {
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const pictures = usePictures(maxPicturesOfPost)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    try {
      const { forumID } = await client.forum.create({
        category_id: categoryID,
        title,
        firstPost: { text, images: pictures.added.map((image) => ({ image })) },
      })
      refresh('forums')
      done(forumID)
    } catch (refused) {
      setError(refused)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t('newForum')} close={close}>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label={t('title')}
          value={title}
          change={setTitle}
          error={errorOf(error, 'title')}
          input={{ required: true, maxLength: 100 }}
        />
        <Field label={t('firstPost')} value={text} change={setText} rows={5} error={errorOf(error, 'text')} input={{ maxLength: 2047 }} />
        <Chosen of={pictures} />
        <FormError error={error} fields={['title', 'text']} />
        <div class="buttons">
          <AddPicture of={pictures} words />
          <span class="grow" />
          <button type="submit" class="btn" disabled={busy || text.trim() === ''}>
            {t('create')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
