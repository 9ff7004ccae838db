// The page of one poll: where its address leads.
import { Link } from 'wouter-preact'
import type { PollData } from '../../sdk/client.ts'
import { Page } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { nameOf } from '../kit/face.tsx'
import { t } from '../texts.ts'
import { Poll } from './card.tsx'
import { usePoll } from './query.ts'

export function PollPage({ id }: { id: string }) {
  const poll = usePoll(id)
  return (
    <Page title={t('poll.title')} {...(poll.data && { sub: nameOf(poll.data.author) })} back="/">
      <Answer of={poll}>
        {(data) =>
          data === null ? (
            <Empty title={t('poll.gone')}>{t('poll.goneText')}</Empty>
          ) : (
            <>
              <div class="card pad">
                <Poll poll={data} />
              </div>
              <p class="buttons">
                <Link class="btn quiet" href={postOf(data)}>
                  {t('poll.toPost')}
                </Link>
              </p>
            </>
          )
        }
      </Answer>
    </Page>
  )
}

function postOf({ place, placeID, postID }: PollData): string {
  if (place === 'fez') return `/seamail/${placeID}`
  return place === 'forum' ? `/forum/containingpost/${postID}` : `/tweets/${postID}`
}
