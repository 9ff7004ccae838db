// Lists of forums, and of posts of several forums.
import type { ComponentChildren } from 'preact'
import type { ForumListData, PostData } from '../../sdk/client.ts'
import { Face, nameOf } from '../kit/face.tsx'
import { GrowingEnd } from '../kit/growing.tsx'
import { MutedIcon, StarIcon } from '../kit/icon.tsx'
import { LockedIcon, PinIcon } from '../kit/page-icon.tsx'
import { Badge, Row } from '../kit/row.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { when } from '../kit/time.ts'
import type { InfiniteResult } from '../infinite.ts'
import { t } from '../texts.ts'
import { unreadFirst, type ForumPage } from './query.ts'

interface ListProps<Page> {
  of: InfiniteResult<Page>
  /** In place of an empty list. */
  none?: string
}

/** Forums, page after page. `unread`: those with something new first. */
export function ForumPages({ of, none = t('noForums'), unread = false }: ListProps<ForumPage> & { unread?: boolean }) {
  return (
    <Pages of={of}>
      {(pages) => {
        const forums = pages.flatMap(({ forumThreads = [] }) => forumThreads)
        if (forums.length === 0) return <Empty title={none} />
        return (
          <ul class="card">
            {(unread ? unreadFirst(forums) : forums).map((forum) => (
              <ForumRow key={forum.forumID} forum={forum} />
            ))}
          </ul>
        )
      }}
    </Pages>
  )
}

/** Posts of several forums, each with the way to it. */
/** `words`: what was searched for, if anything. */
export function PostPages({ of, none, words }: ListProps<{ posts: readonly PostData[] }> & { words?: string }) {
  return (
    <Pages of={of}>
      {(pages) => {
        const posts = pages.flatMap((page) => page.posts)
        if (posts.length === 0) return <Empty title={none ?? t('noPosts')}>{words && t('commonWords')}</Empty>
        return (
          <ul class="card">
            {posts.map((post) => (
              <PostRow key={post.postID} href={`/forum/containingpost/${post.postID}`} post={post} />
            ))}
          </ul>
        )
      }}
    </Pages>
  )
}

/** A post of forums or of the microblog, as a line of a list. */
export function PostRow({
  href,
  post: { author, text, createdAt },
}: {
  href: string
  post: Pick<PostData, 'author' | 'text' | 'createdAt'>
}) {
  return (
    <Row
      href={href}
      lead={<Face user={author} />}
      title={nameOf(author)}
      sub={text}
      tail={
        <small class="tail">
          <time dateTime={createdAt}>{when(createdAt)}</time>
        </small>
      }
    />
  )
}

function Pages<Page>({ of, children }: { of: InfiniteResult<Page>; children: (pages: readonly Page[]) => ComponentChildren }) {
  return (
    <>
      <Answer of={of}>{({ pages }) => children(pages)}</Answer>
      <GrowingEnd of={of} label={t('more')} />
    </>
  )
}

export function ForumRow({ forum }: { forum: ForumListData }) {
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
