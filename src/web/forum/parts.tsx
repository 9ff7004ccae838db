// One forum as a line of a list.
import type { ForumListData } from '../../sdk/client.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { MutedIcon, StarIcon } from '../kit/icon.tsx'
import { LockedIcon, PinIcon } from '../kit/page-icon.tsx'
import { Badge, Row } from '../kit/row.tsx'
import { Empty } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import { t } from '../texts.ts'

export function ForumRows({ forums }: { forums: readonly ForumListData[] | undefined }) {
  if (!forums || forums.length === 0) return <Empty title={t('noForums')} />
  return (
    <ul class="card">
      {forums.map((forum) => (
        <ForumRow key={forum.forumID} forum={forum} />
      ))}
    </ul>
  )
}

function ForumRow({ forum }: { forum: ForumListData }) {
  const { forumID, title, creator, lastPoster, lastPostAt, postCount, readCount, isLocked, isFavorite, isMuted, isPinned } = forum
  const unread = isMuted ? 0 : postCount - readCount
  return (
    <Row
      href={`/forum/${forumID}`}
      lead={<Face user={creator} />}
      title={title}
      sub={lastPoster ? t('lastPost', { name: nameOf(lastPoster), n: postCount }) : t('by', { name: nameOf(creator) })}
      fresh={unread > 0}
      tail={
        <span class="tail">
          {lastPostAt && (
            <small>
              <time dateTime={lastPostAt}>{when(lastPostAt)}</time>
            </small>
          )}
          <span class="marks">
            {isPinned && <PinIcon size={16} aria-label={t('pinned')} />}
            {isLocked && <LockedIcon size={16} aria-label={t('locked')} />}
            {isFavorite && <StarIcon size={16} aria-label={t('favorite')} />}
            {isMuted && <MutedIcon size={16} aria-label={t('muted')} />}
            <Badge count={unread} />
          </span>
        </span>
      }
    />
  )
}
