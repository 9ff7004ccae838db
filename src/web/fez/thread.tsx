// The posts of a chat, oldest first, with those that are on their way at the end.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { FezData, FezPostData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Menu } from '../kit/menu.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { byline, Pictures, wordsOf } from '../kit/picture.tsx'
import { lazy } from '../kit/lazy.tsx'
import { Shown } from '../kit/feature.tsx'
import { Report } from '../kit/report.tsx'
import { clock, dayKey, fullDay } from '../kit/time.ts'
import { useSure } from '../kit/sure.tsx'
import { attempt } from '../kit/toast.tsx'
import { Preview, Progress } from '../kit/upload.tsx'
import { Words } from '../kit/words.tsx'
import { discard, lettersTo, sendAgain, withoutSent } from '../letters.ts'
import { shares, type Letter } from '../outbox.ts'
import { OnItsWay } from '../post/waiting.tsx'
import { isModerator, me } from '../session.ts'
import { t } from '../texts.ts'
import type { LookedFor } from './parts.tsx'
import { deletePost, noteSeen, readEarlier, readLater, readLatest, type Chat, type FirstNew } from './one.ts'

const ReportPosts = lazy<{ fezID: string; post: FezPostData; close: () => void }>(
  () => import('./report-posts.tsx').then((all) => all.ReportPosts),
  true,
)

type Shown = Omit<Chat, 'posts'> & { posts: readonly FezPostData[] }

interface ThreadProps {
  chat: Shown
  firstNew: FirstNew | undefined
  /** The server has said what is new; until then it is what was new at the last visit. */
  isAnswered: boolean
  /** A post that somebody has looked for: the chat opens there. */
  wanted: LookedFor | undefined
}

const nearEndPx = 120
/** Posts that are drawn together, and together left out while they are far from the screen. */
const stretchSize = 20

export function Thread({ chat: whole, firstNew, isAnswered, wanted }: ThreadProps) {
  const box = useRef<HTMLDivElement>(null)
  const letters = lettersTo('fez', whole.fezID)
  const chat = { ...whole, posts: withoutSent(whole.posts, letters) }
  const [below, setBelow] = useState(0)
  useScroll(box, chat, letters.length, firstNew?.postID, isAnswered, wanted?.postID)
  useSeen(box, chat, setBelow, wanted?.place)
  const under = below + chat.later
  const toEnd = async () => {
    if (chat.later > 0) await attempt(() => readLatest(chat.fezID))
    requestAnimationFrame(() => box.current?.scrollTo({ top: box.current.scrollHeight, behavior: 'smooth' }))
  }
  return (
    <div class="thread-box" ref={box} tabIndex={0} role="log" aria-label={t('posts')}>
      <div class="thread">
        {chat.firstStart > 0 && (
          <button type="button" class="btn quiet" onClick={() => void attempt(() => readEarlier(chat.fezID))}>
            {t('earlier')}
          </button>
        )}
        {chat.posts.length === 0 && letters.length === 0 && <p class="day">{t('noPosts')}</p>}
        {stretchesOf(chat).map(({ number, posts, before }) => (
          <Stretch
            key={number}
            fezID={chat.fezID}
            fezType={chat.fezType}
            posts={posts}
            before={before}
            firstNew={firstNew}
            wanted={wanted?.postID}
          />
        ))}
        {chat.later > 0 && (
          <button type="button" class="btn quiet later" onClick={() => void attempt(() => readLater(chat.fezID))}>
            {t('chat.later', { n: chat.later })}
          </button>
        )}
        <Letters id={chat.fezID} />
      </div>
      {under > 0 && (
        <button type="button" class="btn to-end" onClick={() => void toEnd()}>
          {t('newBelow', { n: under })}
        </button>
      )}
    </div>
  )
}

/** The number of the stretch that a post is in, by its place in the whole chat. */
const stretchAt = (place: number) => Math.floor(place / stretchSize)

/** By their places in the whole chat: earlier posts change none but the first. */
function stretchesOf({ posts, firstStart }: Shown): { number: number; posts: readonly FezPostData[]; before: FezPostData | undefined }[] {
  const found = []
  for (let start = 0; start < posts.length;) {
    const number = stretchAt(firstStart + start)
    const end = (number + 1) * stretchSize - firstStart
    found.push({ number, posts: posts.slice(start, end), before: posts[start - 1] })
    start = end
  }
  return found
}

/** Lets the browser leave out stretches that nobody sees. Their heights are known before: nothing jumps when they come. */
function leaveOut(stretches: readonly HTMLElement[]): void {
  const heights = stretches.map(({ offsetHeight }) => offsetHeight)
  for (const [index, { style }] of stretches.entries()) {
    style.setProperty('contain-intrinsic-block-size', `auto ${heights[index]}px`)
    style.setProperty('content-visibility', 'auto')
  }
}

const stretchesIn = (box: HTMLElement, which = '') => Array.from(box.querySelectorAll<HTMLElement>(`.stretch${which}`))

/** Keeps the eye where it is: first at the post that was looked for, or at what is new, then at the end when it was there, else at the post that was being read. */
function useScroll(
  box: { current: HTMLDivElement | null },
  { posts, firstStart, later }: Shown,
  waiting: number,
  firstNew: number | undefined,
  isAnswered: boolean,
  wanted: number | undefined,
): void {
  const seen = useRef({ height: 0, firstStart, atEnd: true, begun: false, touched: false })
  // Who said what is new when the eye was led there.
  const ledBy = useRef<'store' | 'server'>()
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const { height, atEnd, begun, touched } = seen.current
    // The stretch that was the first has more posts now. While it is left out, it would stay as high as it was.
    if (firstStart < seen.current.firstStart)
      stretchesIn(element)[stretchAt(seen.current.firstStart) - stretchAt(firstStart)]?.removeAttribute('style')
    leaveOut(stretchesIn(element, ':not([style])'))
    // Until the server has said what is new there is what was new the last time; it may have been read elsewhere since.
    const found = touched || wanted === undefined ? null : element.querySelector<HTMLElement>(`[data-post="${wanted}"]`)
    const divider = ledBy.current === 'server' || touched || firstNew === undefined ? null : element.querySelector<HTMLElement>('.new')
    if (found) {
      found.scrollIntoView({ block: 'center' })
      Object.assign(seen.current, { begun: true, touched: true, atEnd: isAtEnd(element) })
    } else if (divider) {
      // A stretch that is left out is what offsets in it are counted from.
      element.scrollTop += divider.getBoundingClientRect().top - element.getBoundingClientRect().top - dividerPx
      ledBy.current = isAnswered ? 'server' : 'store'
      Object.assign(seen.current, { begun: true, atEnd: isAtEnd(element) })
    } else if (!begun || (ledBy.current === 'store' && isAnswered && !touched)) {
      element.scrollTop = element.scrollHeight
      seen.current.begun = posts.length > 0
      ledBy.current = undefined
    } else if (firstStart < seen.current.firstStart) element.scrollTop += element.scrollHeight - height
    else if (atEnd && later === 0) element.scrollTop = element.scrollHeight
    Object.assign(seen.current, { height: element.scrollHeight, firstStart })
  }, [posts, waiting, firstStart, later, firstNew, isAnswered, wanted])
  useEffect(() => {
    const element = box.current
    if (!element) return
    const scrolled = () => (seen.current.atEnd = isAtEnd(element))
    const touched = () => (seen.current.touched = true)
    let width = element.clientWidth
    // The keyboard of a phone makes the box smaller. In another width posts have other heights.
    const resized = new ResizeObserver(() => {
      if (width !== element.clientWidth) {
        const stretches = stretchesIn(element)
        for (const stretch of stretches) stretch.removeAttribute('style')
        leaveOut(stretches)
        width = element.clientWidth
      }
      if (seen.current.atEnd) element.scrollTop = element.scrollHeight
    })
    element.addEventListener('scroll', scrolled, { passive: true })
    for (const kind of byHand) element.addEventListener(kind, touched, { passive: true })
    resized.observe(element)
    return () => {
      element.removeEventListener('scroll', scrolled)
      for (const kind of byHand) element.removeEventListener(kind, touched)
      resized.disconnect()
    }
  }, [])
}

/** Above the line over what is new, of what was read before. */
const dividerPx = 80
/** Somebody goes through the posts. */
const byHand = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const

const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement) => scrollHeight - scrollTop - clientHeight < nearEndPx

/** Tells which post was the last on the screen and how many new ones are below, and reads on where the posts that are here end. */
function useSeen(
  box: { current: HTMLDivElement | null },
  { fezID, posts, firstStart, later, members }: Shown,
  setBelow: (count: number) => void,
  wantedPlace: number | undefined,
): void {
  const seen = useRef(0)
  useEffect(() => {
    const element = box.current
    if (!element || posts.length === 0) return
    const look = () => {
      const postID = lastOnScreen(element) ?? 0
      const read = posts[(members?.readCount ?? 0) - firstStart - 1]?.postID ?? 0
      seen.current = Math.max(seen.current, read, postID)
      // Whoever has looked for a post among what is new has not read those before it.
      const isBeyond = wantedPlace !== undefined && wantedPlace > (members?.readCount ?? 0)
      if (postID > 0 && !isBeyond) noteSeen(fezID, postID)
      setBelow(newBelow(posts, seen.current))
      if (later > 0 && element.scrollHeight - element.scrollTop - element.clientHeight < readOnPx) void attempt(() => readLater(fezID))
    }
    // To look for each frame of a long chat would take as long as a frame may.
    let soon: number | undefined
    const lookSoon = () => {
      soon ??= window.setTimeout(() => {
        soon = undefined
        look()
      }, lookEveryMs)
    }
    look()
    element.addEventListener('scroll', lookSoon, { passive: true })
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(soon)
      element.removeEventListener('scroll', lookSoon)
      document.removeEventListener('visibilitychange', look)
    }
  }, [fezID, posts, later])
}

const readOnPx = 600
const lookEveryMs = 150

/** Posts of others after the last one that was seen. */
function newBelow(posts: readonly FezPostData[], seen: number): number {
  const first = posts.findLastIndex(({ postID }) => postID <= seen) + 1
  return posts.slice(first).filter(({ author }) => author.userID !== me.value?.userID).length
}

/** The last post whose end can be seen. Only the last two stretches are looked at: a chat may have thousands of posts. */
function lastOnScreen(box: HTMLElement): number | undefined {
  const { bottom } = box.getBoundingClientRect()
  const stretches = stretchesIn(box)
  const index = stretches.findLastIndex((each) => each.getBoundingClientRect().top < bottom)
  for (const stretch of [stretches[index], stretches[index - 1]]) {
    const posts = Array.from(stretch?.querySelectorAll<HTMLElement>('[data-post]') ?? [])
    const last = posts.findLast((each) => each.getBoundingClientRect().bottom <= bottom + 1)
    if (last) return Number(last.dataset['post'])
  }
  return undefined
}

/** Only what stays the same for as long as a post does: a long thread draws just what is new in it. */
interface PlaceOfPosts extends Pick<FezData, 'fezID' | 'fezType'> {
  before: FezPostData | undefined
  firstNew: ThreadProps['firstNew']
  wanted: number | undefined
}

function Stretch({ posts, before, ...place }: PlaceOfPosts & { posts: readonly FezPostData[] }) {
  const { fezID, fezType, firstNew, wanted } = place
  return useMemo(
    () => (
      <div class="stretch">
        {posts.map((post, index) => (
          <Post key={post.postID} {...place} post={post} before={posts[index - 1] ?? before} />
        ))}
      </div>
    ),
    [fezID, fezType, firstNew, wanted, before, ...posts],
  )
}

interface PostProps extends PlaceOfPosts {
  post: FezPostData
}

function Post({ fezID, fezType, post, before, firstNew, wanted }: PostProps) {
  const isMine = post.author.userID === me.value?.userID
  const words = post.image ? wordsOf(post.text) : post.text
  const newDay = !before || dayKey(before.timestamp) !== dayKey(post.timestamp)
  const isFirstNew = firstNew?.postID === post.postID
  const first = newDay || isFirstNew || before.author.userID !== post.author.userID
  return (
    <>
      {newDay && <p class="day">{fullDay(post.timestamp)}</p>}
      {isFirstNew && <p class="new">{t('newPosts', { n: firstNew.count })}</p>}
      {first && !isMine && (
        <Link class="who" href={`/profile/${encodeURIComponent(post.author.username)}`}>
          <Face user={post.author} small />
          {nameOf(post.author)}
        </Link>
      )}
      <div class={`post ${isMine ? 'me' : ''}`} data-post={post.postID}>
        <div class={`bubble ${first ? 'first' : ''} ${isMine ? 'me' : ''} ${post.postID === wanted ? 'found' : ''}`}>
          {words !== '' && (
            <Shown text={words}>
              <span class="words">
                <Words text={words} />
              </span>
            </Shown>
          )}
          <Pictures
            names={post.image ? [post.image] : undefined}
            sizes={post.imageSize && [post.imageSize]}
            by={byline(post.author, post.timestamp)}
            text={words}
          />{' '}
          <small>
            <time dateTime={post.timestamp}>{clock(post.timestamp)}</time>
          </small>
        </div>
        <PostMenu fezID={fezID} fezType={fezType} post={post} isMine={isMine} />
      </div>
    </>
  )
}

function PostMenu({ fezID, fezType, post, isMine }: Pick<PostProps, 'fezID' | 'fezType' | 'post'> & { isMine: boolean }) {
  const [reporting, setReporting] = useState(false)
  const { ask, question } = useSure()
  const stopReporting = () => setReporting(false)
  return (
    <span class="post-menu">
      <Menu
        small
        title={t('postMenu', { name: nameOf(post.author), time: clock(post.timestamp) })}
        actions={[
          (isMine || isModerator.value) && {
            label: t('delete'),
            grave: true,
            opens: true,
            run: () =>
              ask({ title: t('sure.message'), text: t('sure.messageText'), done: t('delete'), run: () => deletePost(fezID, post.postID) }),
          },
          !isMine && { label: t('report'), opens: true, run: () => setReporting(true) },
        ]}
      />
      {question}
      {reporting &&
        (fezType === 'closed' ? (
          <ReportPosts fezID={fezID} post={post} close={stopReporting} />
        ) : (
          <Report close={stopReporting} report={(message) => client.fez.postReport({ postID: post.postID, message })} />
        ))}
    </span>
  )
}

/** What is on its way to a chat; shown even when the chat itself could not be read. */
export function Letters({ id }: { id: string }) {
  return (
    <>
      {lettersTo('fez', id).map((letter) => (
        <Waiting key={letter.key} letter={letter} />
      ))}
    </>
  )
}

/** A post on its way. */
function Waiting({ letter: { key, text, images, refused, notBefore } }: { letter: Letter }) {
  return (
    <div class="post me">
      <div class="bubble me first waiting">
        <span class="words">{images.length > 0 ? wordsOf(text) : text}</span>
        {images.map((image, index) => (
          <Preview key={index} of={image} alt="" width={120} height={120} />
        ))}{' '}
        <Progress share={shares.value[key]} />
        <small class={refused ? 'refused' : ''}>
          <OnItsWay refused={refused} notBefore={notBefore} />
        </small>
        {refused && (
          <span class="buttons">
            <button type="button" class="btn quiet" onClick={() => sendAgain(key)}>
              {t('again')}
            </button>
            <button type="button" class="btn quiet" onClick={() => discard(key)}>
              {t('discard')}
            </button>
          </span>
        )}
      </div>
    </div>
  )
}
