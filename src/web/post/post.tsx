// A post of a forum or of the microblog: who, what, pictures, and what one can do with it.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ImageSizeData, ImageUploadData, UserHeader } from '../../sdk/client.ts'
import { Menu } from '../kit/menu.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { BookmarkIcon, DeleteIcon, EditIcon, FlagIcon, PinIcon, QuoteIcon, UnpinIcon } from '../kit/page-icon.tsx'
import { byline, Pictures, wordsOf } from '../kit/picture.tsx'
import { Report } from '../kit/report.tsx'
import { clock, when } from '../kit/time.ts'
import { useSure } from '../kit/sure.tsx'
import { attempt } from '../kit/toast.tsx'
import { isModerator, mayWrite, me } from '../session.ts'
import { t } from '../texts.ts'
import { EditPost } from './edit.tsx'
import { reactionIcons, reactions, type Reaction } from './reactions.ts'
import { ReactedBy, type Reactors } from './reactors.tsx'
import { Said, type Quoted } from './said.tsx'

/** The same for both kinds. */
export interface ShownPost {
  id: number
  createdAt: string
  author: UserHeader
  text: string
  images?: readonly string[] | undefined
  imageSizes?: readonly ImageSizeData[] | undefined
  isBookmarked: boolean
  userLike?: Reaction | undefined
  reactionCounts?: Readonly<Record<Reaction, number>> | undefined
  likeCount?: number | undefined
  isPinned?: boolean | undefined
}

/** What can be done with a post; each resolves when it is done and on the screen. */
export interface PostDeeds {
  /** Ids of the two feeds overlap. */
  feed: 'forum' | 'microblog'
  reactors(post: ShownPost): Promise<Reactors>
  react(post: ShownPost, reaction: Reaction | undefined): Promise<void>
  bookmark(post: ShownPost): Promise<void>
  edit(post: ShownPost, text: string, images: ImageUploadData[]): Promise<void>
  remove(post: ShownPost): Promise<void>
  report(post: ShownPost, message: string): Promise<void>
  /** For those who may pin posts here. */
  pin?(post: ShownPost): Promise<void>
}

interface PostProps {
  post: ShownPost
  deeds: PostDeeds
  /** Beside the reactions: an answer, or the way to the thread. */
  more?: ComponentChildren
  /** Begins an answer with its words. */
  quote?: ((post: ShownPost) => void) | undefined
  /** Leads to a post that is quoted in it. */
  toQuoted?: ((quoted: Quoted) => void) | undefined
}

export function Post({ post, deeds, more, quote, toQuoted }: PostProps) {
  const { id, author, text, images, imageSizes, createdAt } = post
  const isMine = author.userID === me.value?.userID
  const words = images?.length ? wordsOf(text) : text
  const [asking, setAsking] = useState(false)
  return (
    <article class="card said" id={`post-${id}`}>
      <header>
        <Link class="author" href={`/profile/${encodeURIComponent(author.username)}`}>
          <Face user={author} />
          <span>
            <b>{nameOf(author)}</b>
            <small>
              @{author.username} · <time dateTime={createdAt}>{when(createdAt)}</time>
              {post.isPinned && <PinIcon size={14} aria-label={t('pinned')} />}
            </small>
          </span>
        </Link>
        <PostMenu post={post} deeds={deeds} isMine={isMine} quote={quote} />
      </header>
      {words !== '' && <Said text={words} toQuoted={toQuoted} />}
      <Pictures names={images} sizes={imageSizes} by={byline(author, createdAt)} text={words} />
      <footer>
        {reactions.map((reaction) => {
          const Icon = reactionIcons[reaction]
          const isOn = post.userLike === reaction
          const count = post.reactionCounts?.[reaction] ?? 0
          return (
            <button
              key={reaction}
              type="button"
              class={isOn ? 'react on' : 'react'}
              aria-pressed={isOn}
              aria-label={count > 0 ? `${t(reaction)}: ${count}` : t(reaction)}
              disabled={isMine}
              onClick={() => void attempt(() => deeds.react(post, isOn ? undefined : reaction))}
            >
              <Icon size={18} />
              {count > 0 && <small>{count}</small>}
            </button>
          )
        })}
        {(post.likeCount ?? 0) > 0 && (
          <button type="button" class="react" aria-haspopup="dialog" onClick={() => setAsking(true)}>
            {t('reactions', { n: post.likeCount ?? 0 })}
          </button>
        )}
        <span class="grow" />
        {more}
      </footer>
      {asking && <ReactedBy name={`${deeds.feed} ${id}`} read={() => deeds.reactors(post)} close={() => setAsking(false)} />}
    </article>
  )
}

function PostMenu({ post, deeds, isMine, quote }: Pick<PostProps, 'post' | 'deeds' | 'quote'> & { isMine: boolean }) {
  const [open, setOpen] = useState<'edit' | 'report'>()
  const { ask, question } = useSure()
  const close = () => setOpen(undefined)
  const mayChange = mayWrite.value && (isMine || isModerator.value)
  const { pin } = deeds
  const place = useRef<HTMLSpanElement>(null)
  // The keys of a desk.
  useEffect(() => {
    const article = place.current?.closest('article')
    const edit = () => mayChange && setOpen('edit')
    const reply = () => quote?.(post)
    article?.addEventListener('edit', edit)
    article?.addEventListener('reply', reply)
    return () => {
      article?.removeEventListener('edit', edit)
      article?.removeEventListener('reply', reply)
    }
  }, [mayChange, quote, post])
  return (
    <span class="post-deeds" ref={place}>
      <Menu
        small
        title={t('postMenu', { name: nameOf(post.author), time: clock(post.createdAt) })}
        actions={[
          quote && { label: t('quote'), icon: <QuoteIcon size={20} />, run: () => quote(post) },
          {
            label: t(post.isBookmarked ? 'removeBookmark' : 'bookmark'),
            icon: <BookmarkIcon size={20} />,
            run: () => void attempt(() => deeds.bookmark(post)),
          },
          pin && {
            label: t(post.isPinned ? 'unpin' : 'pin'),
            icon: post.isPinned ? <UnpinIcon size={20} /> : <PinIcon size={20} />,
            run: () => void attempt(() => pin(post)),
          },
          mayChange && { label: t('edit'), icon: <EditIcon size={20} />, opens: true, run: () => setOpen('edit') },
          !isMine && { label: t('report'), icon: <FlagIcon size={20} />, opens: true, run: () => setOpen('report') },
          mayChange && {
            label: t('delete'),
            icon: <DeleteIcon size={20} />,
            grave: true,
            opens: true,
            run: () => ask({ title: t('sure.post'), text: t('sure.postText'), done: t('delete'), run: () => deeds.remove(post) }),
          },
        ]}
      />
      {question}
      {open === 'edit' && <EditPost post={post} edit={deeds.edit} close={close} />}
      {open === 'report' && <Report close={close} report={(message) => deeds.report(post, message)} />}
    </span>
  )
}
