// The button beside the field for posts that asks a question with choices.
import { useState } from 'preact/hooks'
import { lazy } from '../kit/lazy.tsx'
import { PollIcon } from '../kit/page-icon.tsx'
import type { Team } from '../outbox.ts'
import { t } from '../texts.ts'

const PollForm = lazy(() => import('./form.tsx').then((all) => all.PollForm), true)

export interface AddPollProps {
  place: 'fez' | 'forum' | 'microblog'
  /** Of the chat or forum. */
  id: string
  as?: Team | undefined
  /** Id of the last post that is there. */
  after?: number | undefined
}

export function AddPoll(props: AddPollProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="round plain" aria-label={t('poll.add')} onClick={() => setOpen(true)}>
        <PollIcon />
      </button>
      {isOpen && <PollForm {...props} close={() => setOpen(false)} />}
    </>
  )
}
