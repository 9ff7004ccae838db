// The button beside the field for posts that asks a question with choices.
import PollIcon from 'lucide-icons/chart-bar.mjs'
import { useState } from 'preact/hooks'
import { lazy } from '../kit/lazy.tsx'
import type { PostPlace } from '../outbox.ts'
import { t } from '../texts.ts'

const PollForm = lazy(() => import('./form.tsx').then((all) => all.PollForm), true)

export function AddPoll(props: PostPlace) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="round plain" aria-label={t('poll.add')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <PollIcon />
      </button>
      {isOpen && <PollForm {...props} close={() => setOpen(false)} />}
    </>
  )
}
