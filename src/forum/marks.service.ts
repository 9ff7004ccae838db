// One post with everything that users have said about it; reports of forums.
import type { Ctx } from '../core/work/ctx.ts'
import { postDetail } from '../post/access.service.ts'
import { asReadBy } from '../post/shown.ts'
import { fileAndCount } from '../post/marks.service.ts'
import { settingsOf } from '../settings/channel.ts'
import { forumPosts } from './posts.service.ts'
import type { PostDetailData } from './schemas.ts'
import { lockVisibleForum } from './threads.service.ts'
import { postDetailData } from './views.ts'

/** One post with everybody who has reacted to it. Moderators read it also while it is under review. */
export async function getPost(ctx: Ctx, postId: number): Promise<PostDetailData> {
  return postDetailData(ctx.node.accounts, asReadBy(ctx.viewer, await postDetail(ctx, forumPosts, postId)))
}

/** Reports a forum to the moderators; many reports hide its title. */
export async function reportForum(ctx: Ctx, forumId: string, message: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { creatorId } = await lockVisibleForum(tx, forumId)
    await fileAndCount(
      tx,
      { type: 'forum', reportedId: forumId, reportedUserId: creatorId, message },
      settingsOf(ctx.node).values.forumAutoQuarantineThreshold,
    )
  })
}
