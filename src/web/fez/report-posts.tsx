// Messages of a private chat for the moderators: what somebody picks, and nothing else.
import { useState } from 'preact/hooks'
import type { FezPostData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { wordsOf } from '../kit/picture.tsx'
import { clock } from '../kit/time.ts'
import { toast } from '../kit/toast.tsx'
import { queries } from '../store.ts'
import { t } from '../texts.ts'
import type { Chat } from './one.ts'

/** Offered beside the message that it is about. */
const before = 10
const after = 5

interface ReportPostsProps {
  fezID: string
  /** What it is about. */
  post: FezPostData
  close: () => void
}

export function ReportPosts({ fezID, post, close }: ReportPostsProps) {
  const [near] = useState(() => {
    const posts = queries.getQueryData<Chat>(['chat', fezID])?.posts ?? [post]
    const at = posts.findIndex(({ postID }) => postID === post.postID)
    return posts.slice(Math.max(0, at - before), at + after + 1)
  })
  const [more, setMore] = useState<readonly number[]>([])
  const { values, set, error, busy, submit } = useForm({ message: '' })
  const toggle = (id: number) => setMore(more.includes(id) ? more.filter((each) => each !== id) : [...more, id])
  const report = async () => {
    await client.fez.reportposts({ fezID, postIDs: [post.postID, ...more], message: values.message })
    toast(t('reported'))
    close()
  }
  return (
    <Dialog title={t('report')} close={close}>
      <form onSubmit={submit(report)}>
        <p class="quiet">{t('chat.reportText', { name: nameOf(post.author) })}</p>
        <fieldset class="picked-posts">
          <legend>{t('chat.reportPick')}</legend>
          {near.map(({ postID, author, text, timestamp }) => (
            <label key={postID} class="tick">
              <input
                type="checkbox"
                checked={postID === post.postID || more.includes(postID)}
                disabled={postID === post.postID}
                onChange={() => toggle(postID)}
              />
              <span class="words">
                <b>{nameOf(author)}</b> <small>{clock(timestamp)}</small> {wordsOf(text) || t('pictureTitle')}
              </span>
            </label>
          ))}
        </fieldset>
        <Field label={t('reportLabel')} value={values.message} change={set('message')} rows={3} error={errorOf(error, 'message')} />
        <FormError error={error} fields={['message']} />
        <div class="buttons">
          <button type="button" class="btn quiet" onClick={close}>
            {t('cancel')}
          </button>
          <button type="submit" class="btn" disabled={busy}>
            {t('send')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
