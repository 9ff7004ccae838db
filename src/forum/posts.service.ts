// Posts of forums: writing them, and what is special about changing and deleting them.
import type { Ctx, Tx } from '../core/work/ctx.ts'
import type { Outcome } from '../core/db/batcher.ts'
import type { Sql } from '../core/db/db.ts'
import { notAvailable } from '../core/base/errors.ts'
import { isCreator, requireCreator, type Viewer } from '../core/base/viewer.ts'
import type { Write, WriterKind } from '../core/work/writers.ts'
import type { PostContentData } from '../post/schemas.ts'
import { moderationStatuses } from '../moderation/types.ts'
import { namesAnything } from '../hits/service.ts'
import { lockUnblockedPost } from '../post/access.service.ts'
import { noMarks, type Feed, type LockedPost } from '../post/feed.ts'
import { withNotes, writeNewPost, type PostToWrite } from '../post/new.service.ts'
import { isExempt, withPace } from '../post/pace.service.ts'
import { requireMayModify } from '../post/rules.ts'
import { settingsOf } from '../settings/channel.ts'
import { changesForum } from './changes.ts'
import { insertPosts, selectForumOfPost, selectSlowModes, softDeletePost, type PostingRow, type RequestedPost } from './posts.queries.ts'
import type { ForumRow, PostRow } from './rows.ts'
import { requireOpenForum, takesPosts } from './rules.ts'
import type { PostData } from './schemas.ts'
import { selectVisibleForum } from './threads.queries.ts'
import { lockVisibleForum } from './threads.service.ts'
import { postData } from './views.ts'

const photographersImages = 8

/** Images that the caller may put into one post. */
export function maxImages({ viewer, node }: Ctx): number {
  return viewer.roles.has('shutternaut') ? photographersImages : settingsOf(node).values.maxForumPostImages
}

/** Writes a post in a forum. */
export async function addPost(ctx: Ctx, forumId: string, content: PostContentData): Promise<PostData> {
  const requirePlace = async () => {
    const forum = await selectVisibleForum(ctx.sql, forumId, ctx.viewer)
    if (!forum) throw notAvailable('forum')
    requirePostable(ctx, forum)
  }
  return await writeNewPost(ctx, content, requirePlace, (post) =>
    ctx.write(newPosts, { ...post, forumId }).catch((error: unknown) => {
      if (!(error instanceof ForumIsSlow)) throw error
      return ctx.write(newPosts, { ...post, forumId, paced: true })
    }),
  )
}

interface ForumPost extends PostToWrite {
  forumId: string
  /** The forum was in slow mode: when its author last posted there has to be looked at. */
  paced?: boolean
}

/** A forum is in slow mode, and the writer's last post there was not looked at. */
class ForumIsSlow extends Error {}

/** Posts in forums. Whether there may be one is decided when its forum is locked. */
const newPosts: WriterKind<ForumPost, PostData, Viewer> = {
  name: 'forum posts',
  writesJob: ({ isWatched }) => isWatched,
  keyOf: ({ forumId }) => forumId,
  affected: () => undefined,
  isOneStatement: ({ viewer }, { authorId, text, paced }) => authorId === viewer.id && !namesAnything(text) && !paced,
  async write(sql, writes, wait) {
    const ids = new Set(writes.flatMap(({ item }) => (item.paced ? item.forumId : [])))
    const seconds = ids.size === 0 ? undefined : await selectSlowModes(sql, [...ids])
    return await withPace(
      sql,
      writes,
      ({ item: { forumId } }) =>
        seconds?.get(forumId) ? { place: `forum ${forumId}`, seconds: seconds.get(forumId) as number } : undefined,
      (accepted) => writeTogether(sql, accepted, wait),
    )
  },
}

async function writeTogether(sql: Sql, writes: readonly Write<ForumPost, Viewer>[], wait: boolean): Promise<Outcome<PostData>[]> {
  const posts = writes.map(({ tx, item }) => requestedPost(tx, item))
  const rows = await insertPosts(sql, posts, wait)
  for (const [index, { tx, item }] of writes.entries()) changesForum(tx, item.forumId, rows[index]?.categoryId ?? item.forumId)
  const outcomes = writes.map(({ tx }, index) => outcomeOf(tx.ctx, rows[index] as PostingRow, wait))
  return await withNotes(
    { feed: 'forum', contentType: 'forumPost' },
    writes.map(({ tx }, index) => ({ tx, post: posts[index] as RequestedPost, outcome: outcomes[index] as Outcome<number> })),
    ({ tx, post }, id) =>
      postData(tx.ctx.node.accounts, { ...post, images: [...post.images], id, moderationStatus: 'normal', isPinned: false }, noMarks),
  )
}

function requestedPost({ ctx, viewer, now }: Tx, item: ForumPost): RequestedPost {
  const states = isCreator(viewer, ctx.nowMs) ? moderationStatuses.filter((status) => takesPosts(viewer, status)) : []
  const paced = item.paced === true || isExempt(viewer)
  return { ...item, paced, realAuthorId: viewer.id, createdAt: now, viewer, states, scan: item.isWatched ? ctx.requestId : undefined }
}

/** The id of the post, or why there is none. */
function outcomeOf(ctx: Ctx, { isBusy, visible, moderationStatus, tooSlow, postId }: PostingRow, wait: boolean): Outcome<number> {
  if (isBusy && !wait) return 'busy'
  if (postId !== null) return { answer: postId }
  try {
    if (isBusy || !visible) throw notAvailable('forum')
    requirePostable(ctx, { moderationStatus })
    if (tooSlow) throw new ForumIsSlow()
    throw new Error('a forum that takes posts took none')
  } catch (refusal) {
    return { refusal }
  }
}

function requirePostable({ viewer, nowMs }: Ctx, { moderationStatus }: Pick<ForumRow, 'moderationStatus'>): void {
  requireCreator(viewer, nowMs)
  requireOpenForum(viewer, moderationStatus)
}

/** A post that is there for the viewer, locked with its forum for this transaction. */
export async function lockVisiblePost(
  tx: Tx,
  postId: number,
): Promise<{ post: LockedPost<PostRow>; forum: Awaited<ReturnType<typeof lockVisibleForum>> }> {
  const forumId = await selectForumOfPost(tx.sql, postId)
  if (forumId === undefined) throw notAvailable('post')
  const forum = await lockVisibleForum(tx, forumId, 'post')
  return { post: await lockUnblockedPost<PostRow>(tx, 'forum', postId), forum }
}

/** A locked post that the viewer may change or delete now. */
async function lockChangeablePost(tx: Tx, postId: number): Promise<LockedPost<PostRow>> {
  const { post, forum } = await lockVisiblePost(tx, postId)
  requireMayModify(tx.viewer, { authorId: post.authorId, status: post.moderationStatus }, tx.ctx.nowMs)
  requireOpenForum(tx.viewer, forum.moderationStatus)
  return post
}

/** Posts of forums, for what they have in common with those of the microblog. */
export const forumPosts: Feed<PostRow, PostData> = {
  name: 'forum',
  contentType: 'forumPost',
  moderatorsReadHidden: true,
  lock: async (tx, postId) => (await lockVisiblePost(tx, postId)).post,
  lockChangeable: lockChangeablePost,
  remove: (tx, post) => softDeletePost(tx.sql, post, tx.now),
  data: postData,
}
