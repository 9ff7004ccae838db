// One forum: its posts, from the first new one on, and the field to write in.
import { Fragment } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Redirect, useLocation, useSearchParams } from 'wouter-preact'
import type { PostData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Ask } from '../kit/ask.tsx'
import { WithList } from '../kit/beside.tsx'
import { maxPicturesOfPost } from '../kit/choose.tsx'
import { Compose, type Added } from '../kit/compose.tsx'
import { Menu } from '../kit/menu.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { useKeptPlace } from '../kit/kept-place.ts'
import { Newer } from '../kit/newer.tsx'
import { NotYet } from '../kit/not-yet.tsx'
import { Refresh } from '../kit/refresh.tsx'
import { SearchIcon } from '../kit/icon.tsx'
import { LockedIcon, PinIcon } from '../kit/page-icon.tsx'
import { Page } from '../kit/page.tsx'
import { Report } from '../kit/report.tsx'
import { SearchField } from '../kit/search.tsx'
import { useShare } from '../kit/share.tsx'
import { Star } from '../kit/star.tsx'
import { Answer, Failure, Loading } from '../kit/states.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { slowIn } from '../letters.ts'
import { send } from '../outbox.ts'
import { Post, type ShownPost } from '../post/post.tsx'
import { isQuoted, quoteOf, searchOf, type Quoted } from '../post/said.tsx'
import { WaitingPosts } from '../post/waiting.tsx'
import { isModerator, mayWrite, me } from '../session.ts'
import { queries, useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { CategoryBeside } from './page.tsx'
import { PostPages } from './parts.tsx'
import {
  changeForum,
  countNewer,
  deedsIn,
  readEarlier,
  shown,
  useFirstNew,
  useForum,
  usePinned,
  usePostSearch,
  type FirstNew,
  type Thread,
} from './query.ts'
import { isReturning } from '../place.ts'

/** A forum, and those of its category beside it where there is room. */
export function Forum({ id }: { id: string }) {
  const [category, setCategory] = useState<string>()
  return (
    <WithList list={category && <CategoryBeside key={category} id={category} />}>
      <OneForum key={id} id={id} isIn={setCategory} />
    </WithList>
  )
}

function OneForum({ id, isIn }: { id: string; isIn: (category: string) => void }) {
  const [wanted, setWanted] = useState(postIn(location.hash))
  const result = useForum(id, wanted)
  const forum = result.data
  const firstNew = useFirstNew(forum)
  const [added, setAdded] = useState<Added>()
  const [words, setWords] = useWords()
  useEffect(() => {
    if (forum) isIn(forum.categoryID)
  }, [forum?.categoryID])
  const mayPost = mayWrite.value && forum !== undefined && (!forum.isLocked || isModerator.value)
  return (
    <Page
      title={forum?.title ?? t('forum')}
      sub={forum && t('by', { name: nameOf(forum.creator) })}
      back={forum ? `/forums/${forum.categoryID}` : '/forums'}
      actions={
        forum && (
          <>
            <Refresh run={result.refetch} />
            <Actions forum={forum} search={() => setWords('')} />
          </>
        )
      }
      foot={
        mayPost &&
        words === undefined && (
          <div class="foot">
            <Compose
              place={`forum ${id}`}
              label={t('yourPost')}
              added={added}
              maxPictures={maxPicturesOfPost}
              slow={slowIn('forum', id, forum.slowModeSeconds, forum.posts)}
              of={{ place: 'forum', id }}
              send={(text, pictures) => send('forum', id, text, pictures)}
            />
          </div>
        )
      }
    >
      <Answer of={result}>
        {(data) => (
          <>
            {data.isLocked && (
              <p class="card notice fact">
                <LockedIcon size={18} /> {t('lockedText')}
              </p>
            )}
            {words !== undefined && <Search forumID={id} words={words} change={setWords} />}
            {!words && (
              <>
                {words === undefined && <Pinned forum={data} show={setWanted} />}
                <Posts
                  forum={data}
                  firstNew={firstNew}
                  wanted={wanted}
                  found={() => setWanted(undefined)}
                  show={setWanted}
                  answer={mayPost && setAdded}
                />
              </>
            )}
          </>
        )}
      </Answer>
    </Page>
  )
}

/** What is looked for in this forum; undefined when nothing is. The address holds it: the way back from a post leads there. */
function useWords(): [string | undefined, (words: string | undefined) => void] {
  const [params, setParams] = useSearchParams()
  return [params.get('words') ?? undefined, (words) => setParams(words === undefined ? {} : { words }, { replace: true })]
}

interface SearchProps {
  forumID: string
  words: string
  change: (words: string | undefined) => void
}

function Search({ forumID, words, change }: SearchProps) {
  return (
    <>
      <div class="narrowed">
        <SearchField label={t('searchForum')} start={words} change={change} focus />
        <button type="button" class="btn quiet" onClick={() => change(undefined)}>
          {t('cancel')}
        </button>
      </div>
      {words && <Found forumID={forumID} words={words} />}
    </>
  )
}

function Found({ forumID, words }: { forumID: string; words: string }) {
  return <PostPages of={usePostSearch({ forum: forumID, search: words })} none={t('nothingFound')} words={words} />
}

const postIn = (hash: string): number | undefined => Number(/^#post-(\d+)$/.exec(hash)?.[1]) || undefined

/** What the forum's creator and moderators want everybody to see first. */
function Pinned({ forum, show }: { forum: Thread; show: (postID: number) => void }) {
  const { data: posts = [] } = usePinned(forum.forumID)
  if (posts.length === 0) return null
  return (
    <details class="card pinned" open>
      <summary>
        <PinIcon size={18} /> {t('pinnedPosts', { n: posts.length })}
      </summary>
      <ul>
        {posts.map(({ postID, author, text }) => (
          <li key={postID} class="row">
            <Face user={author} small />
            <button type="button" class="row-text plain-button" onClick={() => show(postID)}>
              <p>{nameOf(author)}</p>
              <small>{text}</small>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** Posts with the words of a quote that are looked through for the one that is quoted. */
const searched = 50

interface PostsProps {
  forum: Thread
  firstNew: FirstNew | undefined
  /** A post to be shown; `found` when it is. */
  wanted: number | undefined
  found: () => void
  show: (postID: number) => void
  /** Begins a post with words; false for those who cannot write here. */
  answer: false | ((added: Added) => void)
}

function Posts({ forum, firstNew, wanted, found, show, answer }: PostsProps) {
  const deeds = deedsIn(forum)
  useShown(forum, wanted, found)
  useStart(forum, firstNew?.postID, wanted !== undefined)
  const keepPlace = useKeptPlace(forum.posts)
  const earlier = () => attempt(() => readEarlier(forum.forumID, () => keepPlace(`post-${forum.posts[0]?.postID}`)))
  const quote = answer ? (post: ShownPost) => answer({ text: quoteOf(post) }) : undefined
  const toQuoted = (quoted: Quoted) =>
    void attempt(async () => {
      const isIt = (post: PostData) => isQuoted(quoted, post)
      const inForum = { forum: forum.forumID, search: searchOf(quoted), limit: searched }
      const post = forum.posts.findLast(isIt) ?? (await client.forum.postSearch(inForum)).posts.find(isIt)
      if (post) show(post.postID)
      else toast(t('quotedGone'), { wrong: true })
    })
  const last = forum.posts.at(-1)?.postID
  const showNewer = async () => {
    await queries.invalidateQueries({ queryKey: ['forum', forum.forumID] })
    requestAnimationFrame(() => document.getElementById(`post-${last}`)?.scrollIntoView({ block: 'start' }))
  }
  return (
    <>
      {forum.firstStart > 0 && (
        <button type="button" class="btn quiet wide" onClick={() => void earlier()}>
          {t('earlier')}
        </button>
      )}
      <div class="said-list">
        {forum.posts.map((post) => (
          <Fragment key={post.postID}>
            {post.postID === firstNew?.postID && <Divider count={firstNew.count} />}
            <Post
              post={shown(post)}
              deeds={deeds}
              quote={quote}
              toQuoted={toQuoted}
              more={
                answer &&
                post.author.userID !== me.value?.userID && (
                  <button type="button" class="react" onClick={() => answer({ text: `@${post.author.username} ` })}>
                    {t('reply')}
                  </button>
                )
              }
            />
          </Fragment>
        ))}
        <Newer shown={`${forum.forumID} ${last}`} count={() => countNewer(forum)} show={showNewer} />
        <WaitingPosts place="forum" id={forum.forumID} />
      </div>
      <NotYet />
    </>
  )
}

/** Before the first new post. As long as it has not been on the screen, a button leads to it. */
function Divider({ count }: { count: number }) {
  const line = useRef<HTMLParagraphElement>(null)
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    watcher.observe(line.current as HTMLParagraphElement)
    return () => watcher.disconnect()
  }, [])
  return (
    <>
      <p class="new" ref={line}>
        {t('newFromHere')}
      </p>
      {!seen && (
        <button type="button" class="btn to-new" onClick={() => line.current?.scrollIntoView({ behavior: 'smooth', block: 'center' })}>
          {t('newBelow', { n: count })}
        </button>
      )}
    </>
  )
}

/** Brings a post onto the screen, and reads it first when it is not here; it may be gone. */
function useShown({ forumID, posts }: Thread, wanted: number | undefined, found: () => void): void {
  const asked = useRef<number>()
  useLayoutEffect(() => {
    if (wanted === undefined) return
    const element = document.getElementById(`post-${wanted}`)
    element?.scrollIntoView({ block: 'center' })
    if (element || asked.current === wanted) return found()
    asked.current = wanted
    void queries.invalidateQueries({ queryKey: ['forum', forumID] })
  }, [wanted, posts])
}

/** Begins with the first new post, or at the end when there is none; not after somebody has moved the page themselves. */
function useStart({ forumID, readCount, posts }: Thread, firstNew: number | undefined, isElsewhere: boolean): void {
  const moved = useRef(isElsewhere || isReturning())
  useEffect(() => {
    const note = () => {
      moved.current = true
    }
    const events = ['wheel', 'touchmove', 'keydown'] as const
    for (const event of events) addEventListener(event, note, { passive: true })
    return () => {
      for (const event of events) removeEventListener(event, note)
    }
  }, [])
  useLayoutEffect(() => {
    if (moved.current || readCount === 0) return
    const start = firstNew === undefined ? document.getElementById(`post-${posts.at(-1)?.postID}`) : document.querySelector('.new')
    start?.scrollIntoView({ block: 'center' })
  }, [forumID, firstNew])
}

function Actions({ forum, search }: { forum: Thread; search: () => void }) {
  const [, go] = useLocation()
  const [open, setOpen] = useState<'report' | 'rename'>()
  const { forumID, isFavorite, isMuted, isPinned = false } = forum
  const close = () => setOpen(undefined)
  const isMine = forum.creator.userID === me.value?.userID
  const share = useShare({ path: `/forum/${forumID}`, title: forum.title })
  const change = (work: () => Promise<unknown>) => void attempt(() => changeForum(forumID, work))
  return (
    <>
      <Star
        on={isFavorite}
        label={t('favorite')}
        press={() =>
          change(() => (isFavorite ? client.forum.removeFavorite({ forum_id: forumID }) : client.forum.favorite({ forum_id: forumID })))
        }
      />
      <Menu
        title={t('forumMenu')}
        actions={[
          { label: t('searchForum'), icon: <SearchIcon size={20} />, run: search },
          share.action,
          {
            label: t(isMuted ? 'unmute' : 'mute'),
            run: () => change(() => (isMuted ? client.forum.removeMute({ forum_id: forumID }) : client.forum.mute({ forum_id: forumID }))),
          },
          isModerator.value && {
            label: t(isPinned ? 'unpin' : 'pin'),
            run: () => change(() => (isPinned ? client.forum.removePin({ forum_id: forumID }) : client.forum.pin({ forum_id: forumID }))),
          },
          mayWrite.value && (isMine || isModerator.value) && { label: t('rename'), opens: true, run: () => setOpen('rename') },
          !isMine && { label: t('report'), opens: true, run: () => setOpen('report') },
          isModerator.value && { label: t('moderate'), run: () => go(`/moderate/forum/${forumID}`) },
        ]}
      />
      {share.dialog}
      {open === 'rename' && (
        <Ask
          title={t('rename')}
          label={t('title')}
          done={t('save')}
          value={forum.title}
          close={close}
          run={(title) => changeForum(forumID, () => client.forum.rename({ forum_id: forumID, new_name: title }))}
        />
      )}
      {open === 'report' && <Report close={close} report={(message) => client.forum.report({ forum_id: forumID, message })} />}
    </>
  )
}

/** The forum that holds a post, at that post. */
export function ForumOfPost({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['forum of post', id],
    queryFn: () => client.forum.postForum({ post_id: Number(id), limit: 1 }),
  })
  if (data) return <Redirect to={`/forum/${data.forumID}#post-${id}`} replace />
  return (
    <Page title={t('forum')} back="/forums">
      {error ? <Failure error={error} again={() => void refetch()} /> : <Loading />}
    </Page>
  )
}
