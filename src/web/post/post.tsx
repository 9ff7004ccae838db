// A post of a forum or of the microblog: who, what, pictures, and what one can do with it.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { ImageSizeData, UserHeader } from '../../sdk/client.ts'
import { Ask } from '../kit/ask.tsx'
import { Menu } from '../kit/dialog.tsx'
import { Face, nameOf } from '../kit/face.tsx'
import { BookmarkIcon, DeleteIcon, EditIcon, FlagIcon, HeartIcon, LaughIcon, LikeIcon } from '../kit/page-icon.tsx'
import { Pictures } from '../kit/picture.tsx'
import { Report } from '../kit/report.tsx'
import { clock, when } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { Words } from '../kit/words.tsx'
import { isModerator, mayWrite, me } from '../session.ts'
import { t } from '../texts.ts'

export const reactions = ['like', 'love', 'laugh'] as const
export type Reaction = (typeof reactions)[number]

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
  likeCount?: number | undefined
}

/** What can be done with a post; each resolves when it is done and on the screen. */
export interface PostDeeds {
  react(post: ShownPost, reaction: Reaction | undefined): Promise<void>
  bookmark(post: ShownPost): Promise<void>
  edit(post: ShownPost, text: string): Promise<void>
  remove(post: ShownPost): Promise<void>
  report(post: ShownPost, message: string): Promise<void>
}

interface PostProps {
  post: ShownPost
  deeds: PostDeeds
  /** Beside the reactions: an answer, or the way to the thread. */
  more?: ComponentChildren
}

const icons = { like: LikeIcon, love: HeartIcon, laugh: LaughIcon }

export function Post({ post, deeds, more }: PostProps) {
  const { id, author, text, images, imageSizes, createdAt } = post
  const isMine = author.userID === me.value?.userID
  return (
    <article class="card said" id={`post-${id}`}>
      <header>
        <Link class="author" href={`/profile/${encodeURIComponent(author.username)}`}>
          <Face user={author} />
          <span>
            <b>{nameOf(author)}</b>
            <small>
              @{author.username} · <time dateTime={createdAt}>{when(createdAt)}</time>
            </small>
          </span>
        </Link>
        <PostMenu post={post} deeds={deeds} isMine={isMine} />
      </header>
      <p class="words">
        <Words text={text} />
      </p>
      <Pictures names={images} sizes={imageSizes} />
      <footer>
        {reactions.map((reaction) => {
          const Icon = icons[reaction]
          const isOn = post.userLike === reaction
          return (
            <button
              key={reaction}
              type="button"
              class={isOn ? 'react on' : 'react'}
              aria-pressed={isOn}
              aria-label={t(reaction)}
              disabled={isMine}
              onClick={() => void attempt(() => deeds.react(post, isOn ? undefined : reaction))}
            >
              <Icon size={18} />
            </button>
          )
        })}
        {(post.likeCount ?? 0) > 0 && <small>{t('reactions', { n: post.likeCount ?? 0 })}</small>}
        <span class="grow" />
        {more}
      </footer>
    </article>
  )
}

function PostMenu({ post, deeds, isMine }: { post: ShownPost; deeds: PostDeeds; isMine: boolean }) {
  const [open, setOpen] = useState<'edit' | 'report'>()
  const close = () => setOpen(undefined)
  const mayChange = mayWrite.value && (isMine || isModerator.value)
  return (
    <>
      <Menu
        small
        title={t('postMenu', { name: nameOf(post.author), time: clock(post.createdAt) })}
        actions={[
          {
            label: t(post.isBookmarked ? 'removeBookmark' : 'bookmark'),
            icon: <BookmarkIcon size={20} />,
            run: () => void attempt(() => deeds.bookmark(post)),
          },
          mayChange && { label: t('edit'), icon: <EditIcon size={20} />, run: () => setOpen('edit') },
          !isMine && { label: t('report'), icon: <FlagIcon size={20} />, run: () => setOpen('report') },
          mayChange && {
            label: t('delete'),
            icon: <DeleteIcon size={20} />,
            grave: true,
            run: () => void attempt(() => deeds.remove(post)),
          },
        ]}
      />
      {open === 'edit' && (
        <Ask
          title={t('edit')}
          label={t('message')}
          done={t('save')}
          rows={6}
          value={post.text}
          close={close}
          run={(text) => deeds.edit(post, text)}
        />
      )}
      {open === 'report' && <Report close={close} report={(message) => deeds.report(post, message)} />}
    </>
  )
}
