// Posts of the microblog: writing and answering them, one with everything.
import type { Ctx, Node, Tx } from '../core/work/ctx.ts'
import { hasAnswer, type Outcome } from '../core/db/batcher.ts'
import type { Sql } from '../core/db/db.ts'
import { badRequest } from '../core/base/errors.ts'
import { requireCreator, type Viewer } from '../core/base/viewer.ts'
import type { Write, WriterKind } from '../core/work/writers.ts'
import type { PostContentData } from '../post/schemas.ts'
import { isHidden } from '../moderation/types.ts'
import { namesAnything } from '../hits/service.ts'
import { lockPostsById, lockUnblockedPost, postDetail, requireUnblocked, visiblePost } from '../post/access.service.ts'
import { noMarks, type Feed, type LockedPost } from '../post/feed.ts'
import { withNotes, writeNewPost, type PostToWrite } from '../post/new.service.ts'
import { isExempt, withPace, type Pace, type SlowModeData } from '../post/pace.service.ts'
import { requireMayModify } from '../post/rules.ts'
import { settingsOf } from '../settings/channel.ts'
import { beginReplyGroups, insertPosts, softDeletePost, type NewPost } from './queries.ts'
import type { PostRow } from './rows.ts'
import type { MicroblogPostData, MicroblogPostDetailData } from './schemas.ts'
import { postData, postDetailData } from './views.ts'

/** Images in one post. */
export const maxImages = 4

/** Writes a post. */
export async function createPost(ctx: Ctx, content: PostContentData): Promise<MicroblogPostData> {
  requireCreator(ctx.viewer, ctx.nowMs)
  return await write(ctx, content, undefined)
}

/** Answers a post: the two are in one group from then on, with all other answers and answers to those. */
export async function replyTo(ctx: Ctx, postId: number, content: PostContentData): Promise<MicroblogPostData> {
  return await write(ctx, content, postId)
}

async function write(ctx: Ctx, content: PostContentData, answers: number | undefined): Promise<MicroblogPostData> {
  const requirePlace = async () => {
    if (answers !== undefined) requireAnswerable(ctx, await visiblePost<PostRow>(ctx, 'microblog', answers))
  }
  return await writeNewPost(ctx, content, requirePlace, (post) => ctx.write(newPosts, { ...post, answers }))
}

function requireAnswerable({ viewer, nowMs }: Ctx, { moderationStatus }: PostRow): void {
  if (isHidden(moderationStatus)) throw badRequest('under_review', 'A post that is under moderator review cannot be answered.')
  requireCreator(viewer, nowMs)
}

interface Twarrt extends PostToWrite {
  /** The post that is answered. */
  answers: number | undefined
}

/** Posts of the microblog. Whether a post may be answered is decided when that one is locked. */
const newPosts: WriterKind<Twarrt, MicroblogPostData, Viewer> = {
  name: 'microblog posts',
  writesJob: ({ isWatched }) => isWatched,
  keyOf: ({ answers }) => (answers === undefined ? '' : String(answers)),
  affected: () => undefined,
  isOneStatement: ({ viewer, node }, { authorId, answers, text }) =>
    authorId === viewer.id && answers === undefined && !namesAnything(text) && (paceOf(node) === undefined || isExempt(viewer)),
  write: (sql, writes, wait) =>
    withPace(
      sql,
      writes,
      ({ tx }) => paceOf(tx.ctx.node),
      (accepted) => writeTogether(sql, accepted, wait),
    ),
}

/** Slow mode of the microblog, for those who write in it. */
export const slowMode = ({ node }: Ctx): SlowModeData => ({ seconds: settingsOf(node).values.microblogSlowSeconds })

/** Slow mode of the whole microblog. */
function paceOf(node: Node): Pace | undefined {
  const seconds = settingsOf(node).values.microblogSlowSeconds
  return seconds > 0 ? { place: 'microblog', seconds } : undefined
}

async function writeTogether(sql: Sql, writes: readonly Write<Twarrt, Viewer>[], wait: boolean): Promise<Outcome<MicroblogPostData>[]> {
  const groups = await lockAnswered(sql, writes, wait)
  const accepted = writes.flatMap(({ tx, item }, index) => {
    const group = groups[index] as Outcome<number | null>
    return hasAnswer(group) ? [{ tx, index, post: newPost(tx, item, group.answer) }] : []
  })
  const ids =
    accepted.length === 0
      ? []
      : await insertPosts(
          sql,
          accepted.map(({ post }) => post),
        )
  const written = await withNotes(
    { feed: 'microblog', contentType: 'twarrt' },
    accepted.map((each, at) => ({ ...each, outcome: { answer: ids[at] as number } })),
    ({ tx, post }, id) => postData(tx.ctx.node.accounts, { ...post, images: [...post.images], id, moderationStatus: 'normal' }, noMarks),
  )
  const byIndex = new Map(accepted.map(({ index }, at) => [index, written[at] as Outcome<MicroblogPostData>]))
  return groups.map((group, index) => byIndex.get(index) ?? (group as Outcome<never>))
}

const newPost = ({ ctx, viewer, now }: Tx, { answers: _answered, ...item }: Twarrt, replyGroup: number | null): NewPost => ({
  ...item,
  realAuthorId: viewer.id,
  replyGroup,
  createdAt: now,
  scan: item.isWatched ? ctx.requestId : undefined,
})

/** The groups that answers are to be in, null for what answers nothing. */
async function lockAnswered(sql: Sql, writes: readonly Write<Twarrt, Viewer>[], wait: boolean): Promise<Outcome<number | null>[]> {
  const wanted = [...new Set(writes.flatMap(({ item }) => item.answers ?? []))]
  const locked = wanted.length === 0 ? new Map<number, LockedPost<PostRow>>() : await lockPostsById<PostRow>(sql, 'microblog', wanted, wait)
  const outcomes = await Promise.all(
    writes.map(async ({ tx, item: { answers } }): Promise<Outcome<number | null>> => {
      if (answers !== undefined && !locked.has(answers) && !wait) return 'busy'
      try {
        if (answers === undefined) {
          // Its pictures took their time, and other posts came first.
          requireCreator(tx.viewer, tx.ctx.nowMs)
          return { answer: null }
        }
        const post = await requireUnblocked(tx, locked.get(answers))
        requireAnswerable(tx.ctx, post)
        return { answer: post.replyGroup ?? post.id }
      } catch (refusal) {
        return { refusal }
      }
    }),
  )
  const groups = outcomes.flatMap((outcome) => (hasAnswer(outcome) && outcome.answer !== null ? [outcome.answer] : []))
  const begun = [...new Set(groups)].filter((id) => locked.get(id)?.replyGroup === null)
  if (begun.length > 0) await beginReplyGroups(sql, begun)
  return outcomes
}

/** One post with everybody who has reacted to it. */
export async function getPost(ctx: Ctx, postId: number): Promise<MicroblogPostDetailData> {
  return postDetailData(ctx.node.accounts, await postDetail(ctx, microblogPosts, postId))
}

/** Posts of the microblog, for what they have in common with those of forums. */
export const microblogPosts: Feed<PostRow, MicroblogPostData> = {
  name: 'microblog',
  contentType: 'twarrt',
  moderatorsReadHidden: false,
  lock: (tx, postId) => lockUnblockedPost(tx, 'microblog', postId),
  lockChangeable,
  remove: (tx, post) => softDeletePost(tx.sql, post.id, tx.now),
  data: postData,
}

async function lockChangeable(tx: Tx, postId: number): Promise<LockedPost<PostRow>> {
  const post = await lockUnblockedPost<PostRow>(tx, 'microblog', postId)
  requireMayModify(tx.viewer, { authorId: post.authorId, status: post.moderationStatus }, tx.ctx.nowMs)
  return post
}
