// The content and the author of a new post.
import { type AccountRecord } from '../accounts/accounts.ts'
import { builtIn } from '../accounts/rows.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { notAvailable } from '../core/base/errors.ts'
import { isModerator } from '../core/base/viewer.ts'
import type { PostContentData } from './schemas.ts'
import { withLineFeeds } from '../text/line-ends.ts'
import { hashtagsIn, namesIn } from '../text/tags.ts'

/** The author that is shown: moderators may write as one of the shared accounts; the wish is ignored from others. */
export async function authorFor(ctx: Ctx, { postAsModerator, postAsServiceTeam }: PostContentData): Promise<AccountRecord> {
  const shared = postAsModerator ? builtIn.moderator : postAsServiceTeam ? builtIn.ServiceTeam : undefined
  const author = await ctx.node.accounts.find(shared && isModerator(ctx.viewer) ? shared : ctx.viewer.id)
  if (!author) throw notAvailable('user')
  return author
}

/** A text as it is stored, with what it is found by. */
export function contentOf(typed: string): { text: string; hashtags: string[]; mentions: string[] } {
  const text = withLineFeeds(typed)
  return { text, hashtags: hashtagsIn(text), mentions: namesIn(text) }
}
