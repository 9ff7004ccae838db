// What moderators did, newest first.
import { Link } from 'wouter-preact'
import type { ModeratorActionLogResponseData } from '../../sdk/client.ts'
import { ConsolePage } from '../team/parts.tsx'
import { c } from '../team/texts.ts'
import { client } from '../client.ts'
import { useInfiniteQuery } from '../infinite.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { GrowingEnd } from '../kit/growing.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { actionText } from './content.tsx'

const pageSize = 50

export function ActionLog() {
  const log = useInfiniteQuery<ModeratorActionLogResponseData, number>({
    queryKey: ['console action log'],
    queryFn: ({ pageParam }) => client.mod.moderationlog({ start: pageParam, limit: pageSize }),
    initialPageParam: 0,
    getNextPageParam: ({ paginator: { start, limit, total } }) => (start + limit < total ? start + limit : undefined),
  })
  return (
    <ConsolePage
      title={c('actionLog')}
      actions={
        <Link class="chip" href="/help/moderators">
          {c('guide')}
        </Link>
      }
    >
      <div class="after-tabs">
        <Answer of={log}>
          {({ pages }) => {
            const actions = pages.flatMap((page) => page.actions)
            if (actions.length === 0) return <Empty title={c('nothing')} />
            return (
              <>
                <ul class="card">
                  {actions.map(({ id, moderator, actionType, contentType, contentID, targetUser, timestamp }) => (
                    <li key={id} class="row">
                      <Face user={moderator} small />
                      <Link href={`/moderate/${contentType}/${encodeURIComponent(contentID)}`} class="row-text">
                        <p>
                          {nameOf(moderator)} {actionText(actionType)}: {c(`kind.${contentType}`)}
                        </p>
                        <small>{c('ownedBy', { name: nameOf(targetUser), time: when(timestamp) })}</small>
                      </Link>
                    </li>
                  ))}
                </ul>
                <GrowingEnd of={log} label={c('more')} />
              </>
            )
          }}
        </Answer>
      </div>
    </ConsolePage>
  )
}
