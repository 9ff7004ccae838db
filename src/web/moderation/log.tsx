// What moderators did, newest first.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { ConsolePage } from '../team/parts.tsx'
import { c } from '../team/texts.ts'
import { client } from '../client.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { actionText } from './content.tsx'
import { useQuery } from '../store.ts'

const pageSize = 50

export function ActionLog() {
  const [limit, setLimit] = useState(pageSize)
  const log = useQuery({ queryKey: ['console action log', limit], queryFn: () => client.mod.moderationlog({ limit }) })
  return (
    <ConsolePage title={c('actionLog')}>
      <div class="after-tabs">
        <Answer of={log}>
          {({ actions, paginator }) =>
            actions.length === 0 ? (
              <Empty title={c('nothing')} />
            ) : (
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
                {paginator.total > actions.length && limit < 200 && (
                  <button type="button" class="btn quiet wide" onClick={() => setLimit(limit + pageSize)}>
                    {c('more')}
                  </button>
                )}
              </>
            )
          }
        </Answer>
      </div>
    </ConsolePage>
  )
}
