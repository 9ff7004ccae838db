// One forum: its posts, from the first new one on, and the field to write in.
import { Fragment } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Redirect } from 'wouter-preact'
import { client } from '../client.ts'
import { Ask } from '../kit/ask.tsx'
import { Compose } from '../kit/compose.tsx'
import { Menu } from '../kit/dialog.tsx'
import { nameOf } from '../kit/face.tsx'
import { NotYet } from '../kit/not-yet.tsx'
import { Page } from '../kit/page.tsx'
import { Report } from '../kit/report.tsx'
import { Star } from '../kit/star.tsx'
import { Answer, Failure, Loading } from '../kit/states.tsx'
import { attempt } from '../kit/toast.tsx'
import { send } from '../outbox.ts'
import { Post } from '../post/post.tsx'
import { WaitingPosts } from '../post/waiting.tsx'
import { isModerator, mayWrite, me } from '../session.ts'
import { useQuery } from '../store.ts'
import { t } from '../texts.ts'
import { changeForum, deedsIn, readEarlier, shown, useForum, type Thread } from './query.ts'

const maxPictures = 4

export function Forum({ id }: { id: string }) {
  const result = useForum(id)
  const forum = result.data
  const [answer, setAnswer] = useState({ text: '', times: 0 })
  const mayPost = mayWrite.value && forum !== undefined && (!forum.isLocked || isModerator.value)
  return (
    <Page
      title={forum?.title ?? t('forum')}
      sub={forum && t('by', { name: nameOf(forum.creator) })}
      back={forum ? `/forums/${forum.categoryID}` : '/forums'}
      actions={forum && <Actions forum={forum} />}
      foot={
        mayPost && (
          <div class="foot">
            <Compose
              key={answer.times}
              label={t('yourPost')}
              start={answer.text}
              maxPictures={maxPictures}
              send={(text, pictures) => send('forum', id, text, pictures)}
            />
          </div>
        )
      }
    >
      <Answer of={result}>
        {(data) => <Posts forum={data} reply={(name) => setAnswer({ text: `@${name} `, times: answer.times + 1 })} mayPost={mayPost} />}
      </Answer>
    </Page>
  )
}

function Posts({ forum, reply, mayPost }: { forum: Thread; reply: (name: string) => void; mayPost: boolean }) {
  // Where the new posts began when this page was opened; it stays there while one reads on.
  const [firstNew] = useState(() => {
    const index = forum.readCount - forum.firstStart
    return forum.readCount > 0 && index > 0 ? forum.posts[index] : undefined
  })
  const begun = useRef(false)
  useLayoutEffect(() => {
    if (begun.current) return
    begun.current = true
    const wanted = location.hash || (firstNew ? `#post-${firstNew.postID}` : '')
    if (wanted) document.getElementById(wanted.slice(1))?.scrollIntoView({ block: 'center' })
  }, [])
  const deeds = deedsIn(forum.forumID)
  return (
    <>
      {forum.isLocked && <p class="card notice">{t('lockedText')}</p>}
      {forum.firstStart > 0 && (
        <button type="button" class="btn quiet wide" onClick={() => void attempt(() => readEarlier(forum.forumID))}>
          {t('earlier')}
        </button>
      )}
      <div class="said-list">
        {forum.posts.map((post) => (
          <Fragment key={post.postID}>
            {post === firstNew && <p class="new">{t('newFromHere')}</p>}
            <Post
              post={shown(post)}
              deeds={deeds}
              more={
                mayPost &&
                post.author.userID !== me.value?.userID && (
                  <button type="button" class="react" onClick={() => reply(post.author.username)}>
                    {t('reply')}
                  </button>
                )
              }
            />
          </Fragment>
        ))}
        <WaitingPosts place="forum" id={forum.forumID} />
      </div>
      <NotYet />
    </>
  )
}

function Actions({ forum }: { forum: Thread }) {
  const [open, setOpen] = useState<'report' | 'rename'>()
  const { forumID, isFavorite, isMuted } = forum
  const close = () => setOpen(undefined)
  const isMine = forum.creator.userID === me.value?.userID
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
          {
            label: t(isMuted ? 'unmute' : 'mute'),
            run: () => change(() => (isMuted ? client.forum.removeMute({ forum_id: forumID }) : client.forum.mute({ forum_id: forumID }))),
          },
          mayWrite.value && (isMine || isModerator.value) && { label: t('rename'), run: () => setOpen('rename') },
          !isMine && { label: t('report'), run: () => setOpen('report') },
        ]}
      />
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
