// The microblog's stream, and one post with its answers.
import { useState } from 'preact/hooks'
import { Link, useLocation, useSearchParams } from 'wouter-preact'
import type { MicroblogPostData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { belowMore } from '../kit/beside.tsx'
import { maxPicturesOfPost } from '../kit/choose.tsx'
import { Compose, type Added } from '../kit/compose.tsx'
import { GrowingEnd } from '../kit/growing.tsx'
import { ForumsIcon } from '../kit/icon.tsx'
import { useKeptPlace } from '../kit/kept-place.ts'
import { Page } from '../kit/page.tsx'
import { SearchField, useSearchWords } from '../kit/search.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { Tabs } from '../kit/tabs.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { slowIn } from '../letters.ts'
import { send } from '../outbox.ts'
import { Post, type ShownPost } from '../post/post.tsx'
import { isQuoted, quoteOf, searchOf, type Quoted } from '../post/said.tsx'
import { WaitingPosts } from '../post/waiting.tsx'
import { Newer } from '../kit/newer.tsx'
import { NotYet } from '../kit/not-yet.tsx'
import { Refresh } from '../kit/refresh.tsx'
import { mayWrite, me } from '../session.ts'
import { queries } from '../store.ts'
import { t, type TextKey } from '../texts.ts'
import { countNewer, deeds, readEarlier, shown, useReplies, useSlowMode, useStream, type Filter, type Replies } from './query.ts'
import { useKept } from '../place.ts'

const filters = {
  all: () => ({}),
  mentions: () => ({ mentionSelf: true }),
  bookmarks: () => ({ bookmarked: true }),
  reacted: () => ({ likeType: 'all' }),
  own: () => ({ byUsername: me.value?.username ?? '' }),
} satisfies Record<string, () => Filter>
type View = keyof typeof filters
const viewTexts: Record<View, TextKey> = {
  all: 'all',
  mentions: 'mentionsTab',
  bookmarks: 'bookmarks',
  reacted: 'filter.reacted',
  own: 'byMe',
}

export function Microblog() {
  const [params] = useSearchParams()
  const hashtag = params.get('hashtag') ?? undefined
  const [view, setView] = useKept<View>('view', params.has('mentions') ? 'mentions' : 'all')
  const [search, setSearch] = useSearchWords()
  const slow = useSlowMode()
  const filter: Filter = hashtag ? { hashtag } : { ...(search && { search }), ...filters[view]() }
  return (
    <Page
      title={hashtag ? `#${hashtag}` : t('microblog')}
      {...(hashtag ? { back: '/tweets' } : belowMore())}
      actions={<Refresh run={() => queries.invalidateQueries({ queryKey: ['microblog', filter] })} />}
    >
      {!hashtag && (
        <>
          <SearchField label={t('searchMicroblog')} start={search} change={setSearch} />
          <Tabs
            label={t('lists')}
            value={view}
            options={(Object.keys(filters) as View[]).map((each) => [each, t(viewTexts[each])])}
            change={setView}
          />
        </>
      )}
      <NotYet />
      {mayWrite.value && view === 'all' && !search && (
        <div class="card after-tabs write-card">
          <Compose
            place={`microblog ${hashtag ?? ''}`}
            label={t('whatIsNew')}
            start={hashtag ? `#${hashtag} ` : ''}
            maxPictures={maxPicturesOfPost}
            slow={slowIn('microblog', '', slow)}
            of={{ place: 'microblog', id: '' }}
            send={(text, pictures) => send('microblog', '', text, pictures)}
          />
        </div>
      )}
      {hashtag && (
        <p class="links">
          <Link class="btn quiet" href={`/forums?in=posts&hashtag=${encodeURIComponent(hashtag)}`}>
            <ForumsIcon size={18} /> {t('tagInForums', { tag: `#${hashtag}` })}
          </Link>
        </p>
      )}
      <Stream filter={filter} />
    </Page>
  )
}

/** Posts, newest first; more of them at the end. */
export function Stream({ filter }: { filter: Filter }) {
  const stream = useStream(filter)
  const newest = stream.data?.pages.flat()[0]?.twarrtID ?? 0
  return (
    <div class="said-list">
      <WaitingPosts place="microblog" id="" />
      <Newer
        above
        shown={JSON.stringify([filter, newest])}
        count={() => countNewer(filter, newest)}
        show={async () => {
          await stream.refetch()
          scrollTo({ top: 0 })
        }}
      />
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
      <GrowingEnd of={stream} label={t('earlier')} />
    </div>
  )
}

export function Conversation({ id }: { id: string }) {
  const slow = useSlowMode()
  const [added, setAdded] = useState<Added>()
  const quote = mayWrite.value ? (post: ShownPost) => setAdded({ text: quoteOf(post) }) : undefined
  return (
    <Page
      title={t('conversation')}
      back="/tweets"
      foot={
        mayWrite.value && (
          <div class="foot">
            <Compose
              place={`reply ${id}`}
              label={t('yourReply')}
              added={added}
              maxPictures={maxPicturesOfPost}
              slow={slowIn('reply', id, slow)}
              send={(text, pictures) => send('reply', id, text, pictures)}
            />
          </div>
        )
      }
    >
      <div class="said-list">
        <Answer of={useReplies(Number(id))}>{(replies) => <Said id={Number(id)} replies={replies} quote={quote} />}</Answer>
        <WaitingPosts place="reply" id={id} />
      </div>
    </Page>
  )
}

interface SaidProps {
  id: number
  replies: Replies
  quote: ((post: ShownPost) => void) | undefined
}

/** A post and the answers to it. Those that are not here stand between them. */
function Said({ id, replies, quote }: SaidProps) {
  const keepPlace = useKeptPlace(replies)
  const [head = [], ...pages] = replies.pages
  const answers = pages.flat()
  const [, go] = useLocation()
  const toQuoted = (quoted: Quoted) =>
    void attempt(async () => {
      const isIt = (post: MicroblogPostData) => isQuoted(quoted, post)
      const here = replies.pages.flat().findLast(isIt)
      if (here) return document.getElementById(`post-${here.twarrtID}`)?.scrollIntoView({ block: 'center' })
      const post = (await client.microblog.list({ byUsername: quoted.username, search: searchOf(quoted) })).find(isIt)
      if (post) go(`/tweets/${post.twarrtID}`)
      else toast(t('quotedGone'), { wrong: true })
    })
  const draw = (post: MicroblogPostData) => <Post key={post.twarrtID} post={shown(post)} deeds={deeds} quote={quote} toQuoted={toQuoted} />
  const earlier = () => attempt(() => readEarlier(id, () => keepPlace(`post-${answers[0]?.twarrtID}`)))
  return (
    <>
      {head.map(draw)}
      {replies.hasEarlier && (
        <button type="button" class="btn quiet wide" onClick={() => void earlier()}>
          {t('earlier')}
        </button>
      )}
      {answers.map(draw)}
    </>
  )
}
