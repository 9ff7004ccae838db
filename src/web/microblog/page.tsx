// The microblog's stream, and one post with its answers.
import { useState } from 'preact/hooks'
import { Link, useSearchParams } from 'wouter-preact'
import { Compose } from '../kit/compose.tsx'
import { Page } from '../kit/page.tsx'
import { SearchField } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { send } from '../outbox.ts'
import { Post } from '../post/post.tsx'
import { WaitingPosts } from '../post/waiting.tsx'
import { NotYet } from '../kit/not-yet.tsx'
import { mayWrite } from '../session.ts'
import { t } from '../texts.ts'
import { deeds, shown, useReplies, useStream, type Filter } from './query.ts'

const maxPictures = 4
type View = 'all' | 'mentions' | 'bookmarks'

export function Microblog() {
  const [params] = useSearchParams()
  const hashtag = params.get('hashtag') ?? undefined
  const [view, setView] = useState<View>(params.has('mentions') ? 'mentions' : 'all')
  const [search, setSearch] = useState('')
  const filter: Filter = hashtag
    ? { hashtag }
    : { ...(search && { search }), ...(view === 'mentions' && { mentionSelf: true }), ...(view === 'bookmarks' && { bookmarked: true }) }
  return (
    <Page title={hashtag ? `#${hashtag}` : t('microblog')} {...(hashtag && { back: '/tweets' })}>
      {!hashtag && (
        <>
          <SearchField label={t('searchMicroblog')} change={setSearch} />
          <Tabs
            label={t('lists')}
            value={view}
            options={[
              ['all', t('all')],
              ['mentions', t('mentionsTab')],
              ['bookmarks', t('bookmarks')],
            ]}
            change={setView}
          />
        </>
      )}
      <NotYet />
      {mayWrite.value && view === 'all' && !search && (
        <div class="card after-tabs write-card">
          <Compose
            label={t('whatIsNew')}
            start={hashtag ? `#${hashtag} ` : ''}
            maxPictures={maxPictures}
            send={(text, pictures) => send('microblog', '', text, pictures)}
          />
        </div>
      )}
      <Stream filter={filter} />
    </Page>
  )
}

/** Posts, newest first; more of them at the end. */
export function Stream({ filter }: { filter: Filter }) {
  const stream = useStream(filter)
  return (
    <div class="said-list">
      <WaitingPosts place="microblog" id="" />
      <Answer of={stream}>
        {({ pages }) => {
          const posts = pages.flat()
          if (posts.length === 0) return <Empty title={t('noPosts')} />
          return posts.map((post) => (
            <Post
              key={post.twarrtID}
              post={shown(post)}
              deeds={deeds}
              more={
                <Link class="react" href={`/tweets/${post.twarrtID}`}>
                  {t(post.replyGroupID === undefined ? 'reply' : 'conversation')}
                </Link>
              }
            />
          ))
        }}
      </Answer>
      {stream.hasNextPage && (
        <button type="button" class="btn quiet wide" disabled={stream.isFetchingNextPage} onClick={() => void stream.fetchNextPage()}>
          {t('earlier')}
        </button>
      )}
    </div>
  )
}

export function Conversation({ id }: { id: string }) {
  const replies = useReplies(Number(id))
  return (
    <Page
      title={t('conversation')}
      back="/tweets"
      foot={
        mayWrite.value && (
          <div class="foot">
            <Compose label={t('yourReply')} maxPictures={maxPictures} send={(text, pictures) => send('reply', id, text, pictures)} />
          </div>
        )
      }
    >
      <div class="said-list">
        <Answer of={replies}>{(posts) => posts.map((post) => <Post key={post.twarrtID} post={shown(post)} deeds={deeds} />)}</Answer>
        <WaitingPosts place="reply" id={id} />
      </div>
    </Page>
  )
}
