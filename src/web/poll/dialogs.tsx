// Who has voted for what, and the question before a poll ends.
import type { PollData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Dialog } from '../kit/dialog.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { attempt } from '../kit/toast.tsx'
import { queries } from '../store.ts'
import { t } from '../texts.ts'

export function Voters({ poll, close }: { poll: PollData; close: () => void }) {
  return (
    <Dialog title={t('poll.who')} close={close}>
      {poll.choices.map(({ text, votes, voters = [] }, index) => (
        <section key={index} class="poll-voters">
          <h3>
            {text} <span class="quiet">{votes}</span>
          </h3>
          <ul>
            {voters.map((voter) => (
              <li key={voter.userID}>
                <Face user={voter} small /> {nameOf(voter)}
              </li>
            ))}
          </ul>
          {votes > voters.length && <p class="quiet">{t('poll.more', { n: votes - voters.length })}</p>}
        </section>
      ))}
    </Dialog>
  )
}

export function End({ poll, close }: { poll: PollData; close: () => void }) {
  const end = async () => {
    close()
    await attempt(async () => queries.setQueryData(['poll', poll.pollID], await client.poll.end({ poll_id: poll.pollID })))
  }
  return (
    <Dialog title={t('poll.endTitle')} close={close}>
      <p>{t('poll.endText')}</p>
      <div class="buttons">
        <button type="button" class="btn quiet" onClick={close}>
          {t('cancel')}
        </button>
        <button type="button" class="btn" onClick={() => void end()}>
          {t('poll.end')}
        </button>
      </div>
    </Dialog>
  )
}
