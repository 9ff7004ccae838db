// Posts of the microblog as moderators see and judge them.
import type { Ctx } from '../core/work/ctx.ts'
import type { TwarrtModerationData } from './moderation.schemas.ts'
import type { SettableState } from '../moderation/types.ts'
import type { SlowModeData } from '../post/pace.service.ts'
import { requireSame } from '../moderation/meanwhile.ts'
import { judgedPost, setPostState } from '../post/moderation.service.ts'
import { changeSettings } from '../settings/update.service.ts'
import { microblogPosts } from './posts.service.ts'
import { judgedPostData } from './views.ts'

/** A post with nothing hidden, deleted or not. */
export async function getTwarrtModeration(ctx: Ctx, postId: number): Promise<TwarrtModerationData> {
  const { post, judged } = await judgedPost(ctx, microblogPosts, postId)
  return { twarrt: judgedPostData(ctx.node.accounts, post), ...judged }
}

/** Sets the state of a post. */
export async function setTwarrtState(ctx: Ctx, postId: number, state: SettableState, basedOn?: string): Promise<void> {
  await setPostState(ctx, microblogPosts, postId, { state, basedOn })
}

/** Lets each person post once in so many seconds in the microblog; in force on all nodes when the promise resolves. */
export async function setSlowMode(ctx: Ctx, { seconds }: SlowModeData, basedOn?: number): Promise<void> {
  await changeSettings(ctx, {
    values: { microblogSlowSeconds: seconds },
    enable: [],
    disable: [],
    check: (before) => requireSame(basedOn, before.microblogSlowSeconds, 'slow mode'),
  })
}
