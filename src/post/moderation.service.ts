// Posts as moderators see and judge them.
import type { Ctx } from '../core/work/ctx.ts'
import { notAvailable } from '../core/base/errors.ts'
import { caseOf, type Case } from '../moderation/acts.service.ts'
import type { PostEditLogData } from './moderation.schemas.ts'
import { recordState } from '../moderation/state.service.ts'
import { settableStates, type SettableState } from '../moderation/types.ts'
import type { Feed, FeedPost } from './feed.ts'
import { selectAnyPost, selectPostEdits, updatePostState } from './queries.ts'

interface JudgedPost<Row> {
  /** Its author is loaded. */
  post: Row
  /** The part for moderators in addition to the post itself. */
  judged: Case & { isDeleted: boolean; edits: PostEditLogData[] }
}

/** A post with what it was before and its reports, deleted or not. */
export async function judgedPost<Row extends FeedPost>(
  ctx: Ctx,
  { name, contentType }: Feed<Row, unknown>,
  postId: number,
): Promise<JudgedPost<Row>> {
  const post = await selectAnyPost<Row>(ctx.sql, name, postId, ctx.viewer)
  if (!post) throw notAvailable('post')
  const { accounts } = ctx.node
  const edits = await selectPostEdits(ctx.sql, name, postId)
  await accounts.load(new Set([post.authorId, ...edits.map(({ editorId }) => editorId)]))
  return {
    post,
    judged: {
      isDeleted: post.deletedAt !== null,
      edits: edits.map(({ id, editorId, createdAt, text, images }) => ({
        postID: postId,
        editID: id,
        createdAt,
        author: accounts.get(editorId).header,
        text,
        ...(images ? { images } : {}),
      })),
      ...(await caseOf(ctx, [contentType], String(postId), post.moderationStatus)),
    },
  }
}

/** Sets the state of a post. */
export async function setPostState<Row extends FeedPost>(
  ctx: Ctx,
  feed: Feed<Row, unknown>,
  postId: number,
  { state, basedOn }: { state: SettableState; basedOn: string | undefined },
): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { authorId, moderationStatus } = await feed.lock(tx, postId)
    await updatePostState(tx.sql, feed.name, postId, settableStates[state].status)
    await recordState(tx, {
      contentType: feed.contentType,
      contentId: String(postId),
      ownerId: authorId,
      before: moderationStatus,
      state,
      basedOn,
    })
  })
}
